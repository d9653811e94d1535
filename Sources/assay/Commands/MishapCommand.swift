// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation

/// Ends with an error that nobody foresaw, to try on it what is said then. Known only in an environment that has
/// `ASSAY_SPECIMENS`.
struct MishapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mishap", abstract: "Ends with an error that nobody foresaw.", shouldDisplay: false)

  /// What nobody foresaw.
  private struct Mishap: Error {}

  func run() throws {
    guard ProcessInfo.processInfo.environment["ASSAY_SPECIMENS"] != nil else {
      throw ValidationError("Unexpected argument 'mishap'")
    }
    throw Mishap()
  }
}
