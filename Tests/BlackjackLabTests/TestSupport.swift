// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import ExperimentTestSupport
import Foundation
import Reporting
import Scenarios
import TestSupport
import Testing

extension Blackjack {
  /// The experiments with the parameters of sampling.
  static var kinds: [any Experiment.Type] { experiments.map { $0.runnable } }
}

/// The result of an experiment of blackjack, and its estimates by the full names of what is measured.
func outcome(_ kind: String, _ yaml: String = "") throws -> (result: ScenarioResult, found: [String: Double]) {
  try outcome("blackjack.\(kind)", yaml, among: Blackjack.kinds)
}

func refusal(_ kind: String, _ yaml: String) -> String {
  refusal("blackjack.\(kind)", yaml, among: Blackjack.kinds)
}

/// The analyser's chart of some rules, and what each action is worth in its cells, with twelve decimals.
func exactChart(_ rules: String) throws -> (chart: StrategyChart, rows: [[String: String]]) {
  let csv = try outcome("chart", "rules: \(rules)\nmethod: exact").result.file(".csv")
  return (try StrategyChart(csv: csv), ExactFixture(csv: csv).rows)
}

/// The computed EV of a chart; next to simulated rounds the deviation, which may take a second, is not computed.
func exactEV(_ rules: String, chart: String = "trainer") throws -> Double {
  try #require(try outcome("play", "rules: \(rules)\nchart: \(chart)\nrounds: 2").found["ev.exact[\(rules)]"])
}

/// The chart `mine` as a scenario has it, with all its cells, behind a number of spaces.
func written(_ chart: StrategyChart, indent: Int = 2) -> String {
  let rows = ChartRow.all.map { row in
    let cells = CardValue.chartOrder.map { chart[ChartCellKey(row, against: $0)]?.symbol ?? "S" }
    return "    \(row.kind.rawValue) \(row.label): \(cells.joined(separator: " "))"
  }
  return (["  name: mine", "  cells:"] + rows).map { String(repeating: " ", count: indent - 2) + $0 + "\n" }.joined()
}

extension ScenarioResult {
  func measurement(_ name: String) throws -> Scenarios.Measurement {
    try #require(measurements.first { $0.measure.fullName == name }, "\(name)")
  }

  /// A mean with its standard error; no numbers where it is none.
  func mean(_ name: String) throws -> (value: Double, error: Double) {
    guard case .mean(let value, let deviation, let samples) = try measurement(name).value else { return (.nan, .nan) }
    return (value, deviation / Double(samples).squareRoot())
  }

  /// The content of the first file with an ending.
  func file(_ ending: String) throws -> String { try #require(files.first { $0.name.hasSuffix(ending) }).content }

  private func blocks(of section: String) -> [ReportBlock] {
    func all(_ blocks: [ReportBlock]) -> [ReportBlock] {
      blocks.flatMap { block in
        switch block {
        case .part(_, _, let blocks), .details(_, let blocks): all(blocks)
        default: [block]
        }
      }
    }
    return all(document.sections.filter { $0.id == section }.flatMap(\.blocks))
  }

  func figures(of section: String) -> [Figure] {
    blocks(of: section).compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
  }

  /// The first strategy card of a section.
  func card(of section: String) throws -> ReportGrid {
    try #require(blocks(of: section).compactMap { if case .grid(let grid) = $0 { grid } else { nil } }.first)
  }
}

extension ReportGrid {
  var cells: [Cell] { groups.flatMap(\.rows).flatMap(\.cells) }
}

extension JSONValue {
  subscript(key: String) -> JSONValue { members.first { $0.key == key }?.value ?? .null }

  subscript(index: Int) -> JSONValue {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { .null }
  }

  var members: [JSONMember] { if case .object(let members) = self { members } else { [] } }

  var double: Double {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: .nan
    }
  }
}

/// A small generator with a fixed seed, so that a random test is the same test every time.
struct TestRandom: RandomNumberGenerator {
  private var numbers: SplitMix64

  init(seed: Int) { numbers = SplitMix64(seed: UInt64(truncatingIfNeeded: seed) &* 0x1234_5678_9ABC_DEF1) }

  mutating func next() -> UInt64 { numbers.next() }

  /// Rules with every token drawn at random.
  mutating func rules(decks: [String] = ["1d", "2d", "4d", "6d", "8d", "inf"]) throws -> Rules {
    let tokens = [
      decks, ["s17", "h17"], ["das", "nodas"], ["spl1", "spl2", "spl3", "spl2-rsa", "spl3-rsa"], ["", "hsa"],
      ["doa", "d9", "d10", "d11"], ["", "ls", "es", "es10"], ["peek", "enhc", "obo", "bb1"],
      ["bj32", "bj65", "bj11", "bj21", "bj75"], ["", "rescue"],
      ["", "", "charlie5", "charlie6", "charlie7"],
    ]
    let chosen = tokens.compactMap { $0.randomElement(using: &self) }.filter { !$0.isEmpty }
    return try Rules(name: chosen.joined(separator: "-"))
  }

  /// A chart that answers every hand with something legal and has no other merit.
  mutating func chart() -> StrategyChart {
    var chart = StrategyChart()
    for key in ChartCellKey.all {
      let isPair = key.row.kind == .pair
      let action = Action.allCases.filter { isPair || $0 != .split }.randomElement(using: &self) ?? .stand
      let fallbacks: [Action] = isPair && action == .surrender ? [.stand, .hit, .split] : [.stand, .hit]
      let needsFallback = action == .double || action == .surrender
      chart[key] = StrategyChart.Cell(action, else: needsFallback ? fallbacks.randomElement(using: &self) : nil)
    }
    return chart
  }

  /// Any card value, each as likely.
  mutating func card() -> CardValue { CardValue.allCases.randomElement(using: &self) ?? .ten }
}

/// A reference table of this folder, read as rows of named fields.
struct ExactFixture {
  let rows: [[String: String]]

  init(_ name: String) throws {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
    self.init(csv: try String(contentsOf: url, encoding: .utf8))
    try #require(!rows.isEmpty)
  }

  init(csv: String) {
    let lines = csv.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map(Self.fields)
    rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  /// Splits a line at its commas, those between quotation marks apart.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for letter in line {
      if letter == "\"" {
        isQuoted.toggle()
      } else if letter == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(letter)
      }
    }
    return fields
  }
}

extension [String: String] {
  /// A field that holds a number; `nil` where it is empty.
  func number(_ field: String) -> Double? { self[field].flatMap(Double.init) }

  /// A field that holds a card.
  func card(_ field: String) throws -> CardValue { try #require(CardValue(self[field] ?? "")) }

  /// The cell that the columns `kind` and `hand` and `dealer_up` name; a pair's hand is `8,8`.
  func cellKey() throws -> ChartCellKey {
    let hand = self["hand"] ?? ""
    let row =
      switch self["kind"] {
      case "hard": Int(hand).flatMap(ChartRow.hard)
      case "soft": Int(hand).flatMap(ChartRow.soft)
      default: CardValue(hand.prefix { $0 != "," }).map(ChartRow.pair)
      }
    return ChartCellKey(try #require(row), against: try card("dealer_up"))
  }
}
