// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser

/// Whether and where runs are remembered.
struct RememberingOptions: ParsableArguments {
  @OptionGroup var place: HistoryOptions

  @Flag(help: "Remember nothing. Example: --no-history")
  var noHistory = false

  /// The history, opened; `nil` where nothing is to be remembered.
  ///
  /// - Throws: `CommandError` for options that exclude each other, `ArchiveError` for a file that is no history.
  func opened() throws -> History? {
    guard !noHistory else {
      guard place.history == History.usualPath else {
        throw CommandError.badValue(
          option: "--history", found: place.history, expected: "no --no-history beside it")
      }
      return nil
    }
    let opened = try place.opened(mayBeNew: true)
    Log.info("opened the history", ["file": opened.path])
    return opened
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    place.add(to: &echo)
    if noHistory { echo.add(["--no-history"]) }
  }
}
