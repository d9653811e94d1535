// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Logging
internal import Reporting

/// What is told of the work while it is done.
struct LogOptions: ParsableArguments {
  @Flag(help: "Tell on the standard error what is read, done and written; as --log-level info. Example: --verbose")
  var verbose = false

  @Option(
    help: ArgumentHelp(
      "Tell no less than this: error, warning, notice, info, debug (every block) or trace (default: nothing). "
        + "Example: --log-level debug",
      valueName: "level"),
    completion: .list(Self.levels))
  var logLevel: String?

  private static var levels: [String] { Logger.Level.allCases.map(\.rawValue) }

  /// Begins to tell, before anything is done.
  ///
  /// - Throws: `CommandError` naming the value and what was expected.
  func begin() throws(CommandError) {
    guard let name = logLevel ?? (verbose ? Logger.Level.info.rawValue : nil) else { return }
    guard let level = Logger.Level(rawValue: name) else {
      let nearest = Spelling.nearest(to: name, among: Self.levels).map { " (did you mean '\($0)'?)" } ?? ""
      throw .badValue(
        option: "--log-level", found: name, expected: "one of \(Self.levels.joined(separator: ", "))\(nearest)")
    }
    Log.begin(at: level)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if verbose { echo.add(["--verbose"]) }
    if let logLevel { echo.add("--log-level", logLevel) }
  }
}
