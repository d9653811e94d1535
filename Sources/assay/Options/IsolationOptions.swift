// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import PropertyTesting
internal import Reporting

/// Whether cases are judged in a process of their own, and how long each may take.
struct IsolationOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Judge cases in a process of their own, so that one that traps or hangs is a result. Example: --no-isolate")
  var isolate = true

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long one case may take before it is ended: 500ms, 10s, 1m (default: 10s). Example: --case-limit 2s",
      valueName: "duration"))
  var caseLimit: String?

  /// The limit, checked; `nil` where cases are not isolated.
  ///
  /// - Throws: `CommandError` naming the option, the value and what was expected.
  func checked() throws(CommandError) -> Duration? {
    guard let caseLimit else { return isolate ? .seconds(10) : nil }
    guard isolate else {
      throw .badValue(
        option: "--case-limit", found: caseLimit,
        expected: "no --no-isolate beside it: only another process can be ended")
    }
    guard let limit = TimeSpan.parse(caseLimit) else {
      throw .badValue(
        option: "--case-limit", found: caseLimit, expected: "a duration above 0 in ms, s, m or h, for example 10s")
    }
    return limit
  }

  /// The options as they were typed.
  var words: [String] { (isolate ? [] : ["--no-isolate"]) + (caseLimit.map { ["--case-limit", $0] } ?? []) }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) { echo.add(words) }
}
