// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Reporting

/// Where the runs are recorded.
struct HistoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file that runs are recorded in. Example: --history /tmp/Results/history.sqlite", valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var history = History.usualPath

  /// The history, opened; what a person should know of that is said.
  ///
  /// - Parameter isNew: whether it may be made where there is none.
  /// - Returns: the history.
  /// - Throws: `ArchiveError.history`.
  func opened(mayBeNew isNew: Bool = false) throws -> History {
    let opened = try History.open(history, mayBeNew: isNew)
    for remark in opened.remarks { Console.say("warning: \(remark)") }
    return opened
  }

  /// Adds the option to an echo.
  func add(to echo: inout CommandLineEcho) {
    if history != History.usualPath { echo.add("--history", history) }
  }

  /// A number of runs, at least 1; `nil` where none was asked for.
  static func count(_ option: String, _ text: String?, least: Int = 1) throws(CommandError) -> Int? {
    guard let text else { return nil }
    guard let count = WholeNumber.parse(text), count >= least else {
      throw .badValue(option: option, found: text, expected: "a whole number, at least \(least)")
    }
    return count
  }
}
