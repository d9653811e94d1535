// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyTesting
internal import Reporting

/// How much every property is tested, and how cases are looked for.
struct EffortOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many cases of each property are to pass (default: 10k, or with --time as many as there is time for). "
        + "Example: --cases 1M",
      valueName: "count"))
  var cases: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long all properties together may take; how many cases that is cannot be reproduced, but --cases can. "
        + "Example: --time 5m",
      valueName: "duration"))
  var time: String?

  @Option(
    help: ArgumentHelp("uniform, target or swarm. Example: --search target", valueName: "name"),
    completion: .list(SearchMode.allCases.map(\.rawValue)))
  var search = SearchMode.uniform.rawValue

  /// The options, checked.
  struct Checked {
    let cases: Int
    let time: Duration?
    let search: SearchMode
  }

  /// The options, checked.
  ///
  /// - Throws: `CommandError` naming the option, the value and what was expected.
  func checked() throws(CommandError) -> Checked {
    let count = cases.map { WholeNumber.parse($0) } ?? (time == nil ? 10_000 : CheckSettings.mostCases)
    guard let count, (1...CheckSettings.mostCases).contains(count) else {
      throw .badValue(
        option: "--cases", found: cases ?? "", expected: "a whole number from 1 to 5e11, for example 10k or 1M")
    }
    let limit = time.flatMap(TimeSpan.parse)
    if let time, limit == nil {
      throw .badValue(
        option: "--time", found: time, expected: "a duration above 0 in ms, s, m or h, for example 30s or 5m")
    }
    guard let mode = SearchMode(rawValue: search) else {
      let known = SearchMode.allCases.map(\.rawValue)
      let nearest = Spelling.nearest(to: search, among: known).map { " (did you mean '\($0)'?)" } ?? ""
      throw .badValue(
        option: "--search", found: search, expected: "one of \(known.joined(separator: ", "))\(nearest)")
    }
    return Checked(cases: count, time: limit, search: mode)
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let cases { echo.add("--cases", cases) }
    if let time { echo.add("--time", time) }
    echo.add("--search", search)
  }
}
