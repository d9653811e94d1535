// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser

/// Where runs are remembered.
struct RememberingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file that remembers every run (default: \(History.usualPath)). Example: --history /tmp/history.sqlite",
      valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var history: String?

  @Flag(help: "Remember nothing. Example: --no-history")
  var noHistory = false

  /// The history, opened; `nil` where nothing is to be remembered.
  ///
  /// - Throws: `CommandError` for options that exclude each other, `ArchiveError` for a file that is no history.
  func opened() throws -> History? {
    if noHistory {
      guard let history else { return nil }
      throw CommandError.badValue(option: "--history", found: history, expected: "no --no-history beside it")
    }
    let opened = try History.open(history ?? History.usualPath)
    Log.info("opened the history", ["file": opened.path])
    return opened
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let history { echo.add("--history", history) }
    if noHistory { echo.add(["--no-history"]) }
  }
}
