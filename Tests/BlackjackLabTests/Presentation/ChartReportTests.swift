// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Foundation
import Reporting
import Testing

@Suite("A chart reads the same in every format")
struct ChartReportTests {
  /// The trainer's chart as a simulation might have made it: one cell indifferent, one undecided, the rest certified.
  private static func result() throws -> ChartResult {
    let simulation = Provenance.Simulation(
      seed: 7, generator: "taus2", estimator: "paired", confidence: 0.999, indifference: 0.0005)
    let cells = ChartCellKey.all.enumerated().map { index, key in
      var values = ActionValues()
      for (place, action) in Action.allCases.enumerated() where action != .split || key.row.kind == .pair {
        values[action] = action == .surrender ? nil : 0.1 / 3 - Double(place) / 8
      }
      let verdict: Verdict = index == 7 ? .indifferent : index == 9 ? .undecided : .certified
      let decision = StrategyChart.trainer[key] ?? StrategyChart.Cell(.stand)
      return ChartCell(
        key: key, decision: decision, runnerUp: decision.action == .hit ? .stand : .hit, values: values,
        valuesLow: values, valuesHigh: values, margin: 0.125, marginLow: 0.1, marginHigh: 0.15,
        samples: 1000 + index, verdict: verdict)
    }
    return ChartResult(
      provenance: Provenance(rules: try Rules(name: "6d-s17-das"), simulation: simulation), cells: cells)
  }

  private let report: ChartReport

  init() throws {
    report = ChartReport(try Self.result())
  }

  @Test("CSV has the promised columns, a line a cell, and reads back as the chart")
  func csv() throws {
    let lines = report.rendered(as: .csv).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[0]
        == "kind,player,dealer,action,fallback,stand,hit,double,split,surrender,"
        + "margin,margin_low,margin_high,samples,verdict"
    )
    #expect(
      lines[1] == "hard,5,2,H,,0.03333333,-0.09166667,-0.21666667,,,0.12500000,0.10000000,0.15000000,1000,certified")
    #expect(lines[330].hasPrefix("pair,A,A,P,,0.03333333,"))
    #expect(lines.count == 332 && lines[331].isEmpty)
    #expect(try StrategyChart(csv: report.rendered(as: .csv)) == report.result.chart)
  }

  @Test("computed values have twelve decimals and no samples")
  func exactDecimals() throws {
    let chart = ChartReport(ExactAnalysis(rules: try Rules(name: "inf")).chart)
    let lines = chart.rendered(as: .csv).split(separator: "\n")
    #expect(
      try #require(lines.dropFirst().first).wholeMatch(of: /hard,5,2,H,,(-?\d\.\d{12},){3},,(\d\.\d{12},){3}0,exact/)
        != nil)
  }

  @Test("JSON carries the same cells and everything that determined them, and nothing of when or how fast")
  func json() throws {
    let data = Data(report.rendered(as: .json).utf8)
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let provenance = try #require(document["provenance"] as? [String: Any])
    #expect(provenance["rules"] as? String == "6d")
    #expect(provenance["seed"] as? Int == 7)
    #expect(provenance["generator"] as? String == "taus2")
    #expect(provenance["estimator"] as? String == "paired")
    #expect(provenance["confidence"] as? Double == 0.999)
    #expect(provenance["version"] as? String == Version.current)
    #expect(Set(provenance.keys).count == 8)
    let cells = try #require(document["cells"] as? [[String: Any]])
    #expect(cells.count == 330)
    #expect(cells[9]["verdict"] as? String == "undecided")
    #expect(cells[0]["stand"] as? Double == 0.03333333)
  }

  @Test("text shows every row, the fallbacks, the signs and their meaning, and nothing trails a line")
  func text() {
    let text = report.rendered(as: .text)
    #expect(text.contains("\n         16   S    S    S    S    S    H    H    H    H    H\n"))
    #expect(text.contains("\n        A,7   S    Ds   Ds   Ds   Ds   S    S    H    H    H\n"))
    #expect(text.contains("\n          5   H    H    H    H    H    H    H    H~   H    H?\n"))
    #expect(text.contains("~ as good as the second best   ? not decided yet"))
    #expect(text.contains("328 of 330 cells certified, 1 indifferent (within 0.0005 bets), 1 undecided."))
    #expect(!text.contains(" \n") && !text.contains("\u{1B}"))
  }

  @Test("colours are added to a terminal's text and change nothing else")
  func colours() {
    let coloured = report.rendered(as: .text, style: TerminalStyle(isColoured: true))
    let plain = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    let squeezed = { (text: String) in text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(squeezed(plain) == squeezed(report.rendered(as: .text)))
    #expect(coloured != plain)
  }

  @Test("Markdown has the three tables")
  func markdown() {
    let markdown = report.rendered(as: .markdown)
    #expect(markdown.contains("| **16** | S | S | S | S | S | H | H | H | H | H |"))
    #expect(markdown.contains("| **8,8** | P | P | P | P | P | P | P | P | P | P |"))
    #expect(markdown.split(separator: "\n").count { $0.hasPrefix("| **") } == 33)
  }

  @Test("every letter of the card stands out from its colour, and every cell has one")
  func card() throws {
    let lines = report.rendered(as: .svg).split(separator: "\n")
    let cells = lines.indices.dropFirst().filter {
      lines[$0].contains("font-size=\"16\"") && lines[$0 - 1].hasPrefix("<rect")
    }.compactMap { index in
      Self.fill(of: lines[index - 1]).flatMap { back in Self.fill(of: lines[index]).map { [back, $0] } }
    }
    #expect(cells.count >= 330)
    for pair in Set(cells) { #expect(pair[0].contrast(with: pair[1]) >= 4.5, "\(pair[1]) on \(pair[0])") }
  }

  @Test("the colours of two actions differ to a person with any common colour blindness")
  func colourBlind() throws {
    let cells = report.rendered(as: .svg).split(separator: "\n").filter { $0.contains("height=\"28\"") }
    let colours = Set(cells.compactMap(Self.fill))
    #expect(colours.count == 4)
    for first in colours {
      // Luminance survives every kind of colour blindness.
      for second in colours where second != first { #expect(first.contrast(with: second) > 1.1) }
    }
  }

  /// The colour that an element is filled with.
  private static func fill(of element: Substring) -> Colour? {
    guard let place = element.firstRange(of: "fill=\"#") else { return nil }
    return UInt32(element[place.upperBound...].prefix(6), radix: 16).map { Colour($0) }
  }
}
