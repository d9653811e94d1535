// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting

/// Which witness is asked.
struct MethodOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("simulate or exact, the analyser's answer. Example: --method exact", valueName: "name"),
    completion: .list(["simulate", "exact"]))
  var method = "simulate"

  /// Whether the analyser is asked and not the simulation.
  ///
  /// - Throws: `CommandError` naming the value and what was expected.
  func isExact() throws(CommandError) -> Bool {
    let known = ["simulate", "exact"]
    guard known.contains(method) else {
      let nearest = Spelling.nearest(to: method, among: known).map { " (did you mean '\($0)'?)" } ?? ""
      throw .badValue(option: "--method", found: method, expected: "simulate or exact\(nearest)")
    }
    return method == "exact"
  }
}
