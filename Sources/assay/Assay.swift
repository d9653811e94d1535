// SPDX-License-Identifier: GPL-3.0-or-later
internal import AssayCommands
public import Workbench

/// The program without real sockets, whose libraries would double its first build.
@main
public enum Assay: WorkbenchProgram {
  public static let summary = AssayProgram.summary
  public static let labs = AssayProgram.labs
  public static let methods = AssayProgram.methods
  public static let firstSteps = AssayProgram.firstSteps

  public static func hint(for words: String) -> String? {
    guard withSockets.contains(words) else { return nil }
    return "This program is without the network; '\(words)' is in assay-live, which 'swift build -c release --product "
      + "assay-live' builds."
  }

  /// The commands that only the program with the network has.
  private static let withSockets = [
    "live soak", "live proxy", "live listen", "live serve", "league connect", "league list", "league refresh",
    "league context", "league remove",
  ]
}
