// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension BlackjackProperties {
  static func files(of code: BlackjackOperations) -> [Property] {
    let letters = Gen.elements(of: ["H", "S", "D", "P", "R", "h", "", "X"])
    let rows = zip(
      Gen.elements(of: ["hard", "soft", "pair", "Hard"]), Gen<Int>.integers(in: 1...21),
      Gen.elements(of: ["2", "10", "A", "a", "1", "11", " 9 ", "T"]), letters, letters)
    let lines = Gen.oneOf(rows.map { "\($0),\($1),\($2),\($3),\($4)" }, .strings(of: .mixed, count: 0...12))
    return [
      Property(
        "blackjack.23", "Any text is a chart or an error, and an error names the first line that is wrong",
        reference: "the chart file", arguments: ["lines after the heading"], .arrays(of: lines, count: 0...8)
      ) { lines in
        let text = (["kind,player,dealer,action,fallback"] + lines).joined(separator: "\n")
        guard let error = chartError(of: text, code) else { throw Failure("8 lines are a chart", origin: "whole") }
        try claim(!error.description.isEmpty, "nothing is said about what is wrong")
        guard case .badChart(let line?, _, _, _) = error else { return }
        // Up to that line it is the same error, and without it there is none but that cells are missing.
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        try claim((1...all.count).contains(line), "line \(line) of \(all.count): \(error)")
        let until = all.prefix(line).joined(separator: "\n")
        try claim(chartError(of: until, code) == error, "it is not an error of the lines to \(line): \(error)")
        let before = chartError(of: all.prefix(line - 1).joined(separator: "\n"), code)
        if case .badChart(_?, _, _, _) = before {
          try claim(false, "a line before \(line) is wrong already: \(before.map(\.description) ?? "")")
        }
      }
    ]
  }

  /// What is wrong with a chart file; nil when it is one.
  private static func chartError(of text: String, _ code: BlackjackOperations) -> BlackjackError? {
    do {
      _ = try code.readChart(text)
      return nil
    } catch {
      return error as? BlackjackError
    }
  }
}
