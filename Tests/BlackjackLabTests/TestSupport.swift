// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Foundation
import Synchronization
import TestSupport
import Testing

/// A small generator with a fixed seed, so that a random test is the same test every time.
struct TestRandom: RandomNumberGenerator {
  private var numbers: SplitMix64

  init(seed: Int) { numbers = SplitMix64(seed: UInt64(truncatingIfNeeded: seed) &* 0x1234_5678_9ABC_DEF1) }

  mutating func next() -> UInt64 { numbers.next() }

  /// Rules with every token drawn at random.
  mutating func rules(decks: [String] = ["1d", "2d", "4d", "6d", "8d", "inf"]) throws -> Rules {
    let tokens = [
      decks, ["s17", "h17"], ["das", "nodas"], ["spl1", "spl2", "spl3", "spl2-rsa", "spl3-rsa"], ["", "hsa"],
      ["doa", "d9", "d10"], ["", "ls", "es"], ["peek", "enhc", "obo"], ["bj32", "bj65", "bj11", "bj21"],
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
    let text = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
    let lines = text.filter { !$0.hasPrefix("#") }.map(Self.fields)
    let header = try #require(lines.first)
    rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
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

/// Analyses that several tests ask for, each made once: a second apiece in a debug build.
enum ExactAnalyses {
  private static let known = Mutex<[String: ExactAnalysis]>([:])

  /// The analysis of those rules.
  static func of(_ name: String, resplit: Resplit = .best) throws -> ExactAnalysis {
    let rules = try Rules(name: name)
    let key = "\(rules.name), \(resplit)"
    if let analysis = known.withLock({ $0[key] }) { return analysis }
    let analysis = ExactAnalysis(rules: rules, resplit: resplit)
    return known.withLock { known in
      known[key] = analysis
      return analysis
    }
  }
}
