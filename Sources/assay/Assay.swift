// SPDX-License-Identifier: GPL-3.0-or-later
internal import AssayCommands
internal import Workbench

/// The program without real sockets, whose libraries would double its first build.
@main
enum Assay: WorkbenchProgram {
  static let summary = AssayProgram.summary
  static let labs = AssayProgram.labs
  static let methods = AssayProgram.methods
  static let firstSteps = AssayProgram.firstSteps

  static func hint(for words: String) -> String? {
    guard withSockets.contains(words) else { return nil }
    return "This program is without sockets; '\(words)' is in assay-live, which 'swift build -c release --product "
      + "assay-live' builds."
  }

  /// The commands that only `assay-live` has.
  private static let withSockets = [
    "live soak", "live proxy", "live listen", "live serve",
  ]
}
