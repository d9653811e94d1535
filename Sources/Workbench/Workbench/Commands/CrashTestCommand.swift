// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation

/// Ends with an unexpected error, to test the message. Known only in an environment that has `ASSAY_SPECIMENS`.
struct CrashTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash-test", abstract: "Ends with an unexpected error.", shouldDisplay: false)

  private struct UnexpectedError: Error {}

  func run() throws {
    guard ProcessInfo.processInfo.environment["ASSAY_SPECIMENS"] != nil else {
      throw ValidationError("Unexpected argument 'crash-test'")
    }
    throw UnexpectedError()
  }
}
