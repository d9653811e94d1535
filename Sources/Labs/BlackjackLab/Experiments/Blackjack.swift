// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore
internal import Foundation
internal import Randomness
public import Reporting
public import Scenarios

public enum Blackjack {
  public static let summary = "Blackjack: strategy charts, whole games and single hands, simulated and exact."
  public static var experiments: [any Experiment.Type] {
    [
      ChartExperiment.self, PlayExperiment.self, VerifyExperiment.self, HandExperiment.self, CompareExperiment.self,
      StudentsExperiment.self, CountExperiment.self, BankrollExperiment.self,
      TripRuin.self, BetsExperiment.self, IndexExperiment.self, EffectsExperiment.self, CompositionExperiment.self,
    ]
  }
}

enum Method: String, CaseIterable, Hashable, Sendable {
  case simulate, exact
}

// MARK: - Parameters shared by several experiments

protocol Simulated: Experiment {
  var simulation: Provenance.SimulationSettings { get set }
}

extension Parameter where Root: Simulated {
  static func confidence(_ meaning: String, _ type: ValueType<Double> = .probability) -> Parameter {
    Parameter("confidence", \.simulation.confidence, type, meaning, example: "0.99")
  }

  static var random: [Parameter] { random(generator: \.simulation.generator, seed: \.simulation.seed) }

  /// The confidence and the indifference of simulated charts.
  static var certification: [Parameter] {
    [
      confidence(
        "The probability that everything the chart states holds together.",
        .number(0.5...1, isOpen: true, named: "probability")),
      Parameter(
        "indifference", \.simulation.indifference, .number(0.00001...1, named: "bets"),
        "Actions that differ by less than this, in bets, count as equal.", example: "0.001"),
    ]
  }
}

extension Parameter {
  static func resplit(_ path: any WritableKeyPath<Root, Resplit> & Sendable) -> Parameter {
    Parameter(
      "resplit", path, .choice,
      "When computed values split a pair again: best, if that is better, or always, as in many published tables.",
      example: "always", when: { $0[keyPath: path] != .best })
  }
}

// MARK: - Reports

protocol RulesFinding {
  var named: NamedRules { get }
}

extension Array where Element: RulesFinding {
  /// A section with a part for each of several rules, or without headings for a single one.
  func section(
    _ id: String, _ title: String, after head: [ReportBlock] = [], isEvidence: Bool = false,
    _ blocks: (Element) -> [ReportBlock]
  ) -> ReportSection {
    ReportSection(id: id, title: title, blocks: head + parts(blocks), isEvidence: isEvidence)
  }

  /// A part for each of several rules, or blocks without headings for a single one.
  func parts(_ blocks: (Element) -> [ReportBlock]) -> [ReportBlock] {
    count == 1 ? flatMap(blocks) : map { .part("\($0.named.label): \($0.named.rules.inShort)", blocks($0)) }
  }
}

extension NumberFormat {
  /// Bets with six decimals; empty for `nil`.
  static func bets(_ value: Double?) -> String { value.map { fixed($0, decimals: 6) } ?? "" }

  /// Tenths of a bet in bets: `-1`, `1.5`.
  static func bets(tenths: Int) -> String { shortest(Double(tenths) / 10) }

  /// Bets as a percentage of one bet.
  static func ofBet(_ bets: Double) -> String { fixed(bets * 100, decimals: 6) + "%" }

  /// An advantage in bets as a percentage of the bet, with its sign.
  static func edge(_ bets: Double, decimals: Int = 6) -> String { signed(bets * 100, decimals: decimals) + "%" }
}

// MARK: - Rules

extension Rules {
  /// The number of cards dealt before the cut card comes out; `nil` if every round has a fresh shoe.
  var cardsToCut: Int? {
    guard case .finite(let decks) = decks, case .cutCard(let percent) = dealing else { return nil }
    return 52 * decks * percent / 100
  }
}

/// Rules with the name that the user gave them, which labels their measures.
public struct NamedRules: Hashable, Sendable {
  /// The name as typed, in lower case, such as `6d-s17-das`, even if `6d` is enough.
  public let label: String
  /// The rules.
  public let rules: Rules

  /// The common game: six decks, S17, DAS.
  public static let `default` = NamedRules(label: "6d-s17-das", rules: .common)
  static let meaning = "The rules, tokens joined by '-'; omitted tokens mean the common game: \(Rules.vocabulary)."

  var hasFreshShoe: Bool { rules.dealing == .freshShoe }

  var origin: [JSONMember] { [JSONMember("version", .string(Version.current)), JSONMember("rules", .string(label))] }

  /// The names of games that begin with the typed text and end with its next token, simplest first.
  static func names(beginning typed: String) -> [String] {
    var done = typed.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let begun = (done.popLast() ?? "").lowercased()
    return Rules.tokens.joined().filter { $0.hasPrefix(begun) }.map { (done + [$0]).joined(separator: "-") }
      .filter { (try? Rules(name: $0)) != nil }
  }
}

extension NamedRules {
  fileprivate init(_ field: ScenarioField, refusingCutCards reason: String?) throws(ReportingError) {
    label = try field.string(expected: "rules such as 6d-s17-das").lowercased()
    do {
      rules = try Rules(name: label)
    } catch let error {
      throw .refused(
        file: field.file, line: field.line, field: field.path,
        problem: Spelling.excerpt(error.description, maximum: 1000))
    }
    if let reason, !hasFreshShoe { throw field.bad(expected: "rules without a cut card: \(reason)") }
  }
}

extension ValueType where Value == NamedRules {
  static var rules: Self { rules() }

  /// One name; `reason` says why rules with a cut card are refused, `nil` allows them.
  static func rules(refusingCutCards reason: String? = nil) -> Self {
    var type = Self(
      "rules", expected: "rules such as 6d-s17-das", schema: ["type": "string"],
      read: { field throws(ReportingError) in try NamedRules(field, refusingCutCards: reason) },
      write: { .string($0.label) })
    type.complete = NamedRules.names
    return type
  }
}

extension ValueType where Value == [NamedRules] {
  /// Several distinct rules; `reason` says why those with a cut card are refused, `nil` allows them.
  static func rules(refusingCutCards reason: String? = nil) -> Self {
    var type = Self(
      "rules", expected: "rules such as 6d-s17-das", isList: true,
      schema: ["anyOf": .array([["type": "string"], ["type": "array", "items": ["type": "string"]]])],
      read: { field throws(ReportingError) in
        var all: [NamedRules] = []
        for member in field.members {
          let next = try NamedRules(member, refusingCutCards: reason)
          if let same = all.first(where: { $0.rules == next.rules }) {
            throw member.bad(expected: "each rules once: '\(same.label)' are the same")
          }
          all.append(next)
        }
        guard !all.isEmpty else { throw field.bad(expected: "at least one rule name such as 6d-s17-das") }
        return all
      }, write: { .array($0.map { .string($0.label) }) })
    type.complete = NamedRules.names
    return type
  }
}

// MARK: - Charts

/// A chart that a command names.
public enum ChartSource: Hashable, Sendable {
  /// The chart that ships with the trainer.
  case trainer
  /// The exact analyser's chart for the rules.
  case exact
  /// Best play by composition (CDZ-) instead of a chart; exact only.
  case composition
  /// A user's chart with its name, from a file or written in the scenario.
  case own(String, StrategyChart)

  private static let known: KeyValuePairs<String, ChartSource> = [
    "trainer": .trainer, "exact": .exact, "composition": .composition,
  ]

  var name: String {
    switch self {
    case .trainer: "trainer"
    case .exact: "exact"
    case .composition: "composition"
    case .own(let name, _): name
    }
  }

  /// The chart as the subject of a sentence.
  var inWords: String {
    switch self {
    case .trainer: "The trainer's chart (\(Self.trainerRules))"
    case .exact: "The chart of the rules"
    case .composition: "Play by composition (CDZ-)"
    case .own(let name, _): "The \(name) chart"
    }
  }

  /// The rules for which the trainer's chart was made.
  static let trainerRules = "made for 4 to 8 decks, S17, DAS, no surrender"

  func chart(for rules: Rules) -> StrategyChart {
    switch self {
    case .trainer: .trainer
    case .exact, .composition: ExactAnalysis(rules: rules).chart.chart
    case .own(_, let chart): chart
    }
  }

  /// Reads a chart's name, the name of its file, or its cells; a file is relative to the scenario and read at once.
  init(_ field: ScenarioField) throws(ReportingError) {
    guard !field.isMapping else {
      self = try Self.writtenOut(field)
      return
    }
    let expected = "trainer, exact, composition or a file ending in .csv"
    let text = try field.string(expected: "\(expected), or the cells")
    if let source = Self.known.first(where: { $0.key == text })?.value {
      self = source
      return
    }
    guard [".csv", ".txt", ".md"].contains(where: text.hasSuffix) else {
      throw field.bad(expected: expected + Spelling.hint(for: text, among: Self.known.map(\.key)))
    }
    let file = URL(fileURLWithPath: text, relativeTo: field.isOption ? nil : URL(fileURLWithPath: field.file))
    let path = field.isOption ? text : file.standardizedFileURL.path
    let chart = try field.parsed(expected: "a chart, which 'assay blackjack chart --output mine.csv' begins") { _ in
      let content = try TextFile.read(path)
      return try ChartCard.chart(content) ?? StrategyChart(csv: content)
    }
    self = .own(try Self.sound(file.deletingPathExtension().lastPathComponent, at: field), chart)
  }

  /// A name that is not that of another chart, and that a threshold can begin with.
  private static func sound(_ name: String, at field: ScenarioField) throws(ReportingError) -> String {
    guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil else {
      throw field.bad(expected: "a chart whose name begins with a letter and has only letters, digits, - and _")
    }
    guard !known.contains(where: { $0.key == name }) else {
      throw field.bad(expected: "another name: '\(name)' is a chart already")
    }
    return name
  }

  private static func writtenOut(_ field: ScenarioField) throws(ReportingError) -> ChartSource {
    let map = try field.mapping(keys: ["name", "cells"])
    let nameField = try map.required("name", expected: "the name of the chart")
    let name = try sound(nameField.string(), at: nameField)
    let cells = try map.required("cells", expected: "33 rows such as 'hard 16: S S S S S H H H H H'")
    let rows = try cells.mapping(keys: ChartRow.all.map(\.name))
    var lines: [[String]] = []
    for row in ChartRow.all {
      lines += Self.lines(
        of: row, try Self.symbols(rows.required(row.name, expected: "10 cells against 2 to 10 and A")))
    }
    do {
      return .own(name, try StrategyChart(csv: Self.csv(lines)))
    } catch .badChart(let line?, _, let found, let expected) {
      // The first line names the columns; every row has ten lines.
      let row = ChartRow.all[min(max(line - 2, 0) / 10, ChartRow.all.count - 1)]
      throw try rows.required(row.name, expected: "").bad(expected: "\(expected), not \(found)")
    } catch {
      throw cells.bad(expected: "a chart: \(error.description)")
    }
  }

  private static func csv(_ lines: [[String]]) -> String {
    ([["kind", "player", "dealer", "action", "fallback"]] + lines).map(CSV.line).joined()
  }

  private static func lines(of row: ChartRow, _ symbols: [Substring]) -> [[String]] {
    zip(CardValue.chartOrder, symbols).map { upcard, symbol in
      [row.kind.rawValue, row.label, upcard.description, String(symbol.prefix(1)), symbol.dropFirst().uppercased()]
    }
  }

  private static func symbols(_ field: ScenarioField) throws(ReportingError) -> [Substring] {
    let expected = "10 cells against 2 to 10 and A, each of H S D P R with its fallback in lower case after it"
    let symbols = try field.string(expected: expected).split(separator: " ")
    let isSound = symbols.allSatisfy { $0.wholeMatch(of: /[HSDPR][hsdpr]?/) != nil }
    guard symbols.count == CardValue.chartOrder.count, isSound else { throw field.bad(expected: expected) }
    return symbols
  }

  /// A user's chart with all its cells, so that its file is not needed again.
  var setting: JSONValue {
    guard case .own(let name, let chart) = self else { return .string(name) }
    let rows = ChartRow.all.map { row in
      let cells = CardValue.chartOrder.map { chart[ChartCellKey(row, against: $0)].map(Self.symbol) ?? "?" }
      return JSONMember(row.name, .string(cells.joined(separator: " ")))
    }
    return ["name": .string(name), "cells": .object(rows)]
  }

  /// The action's letter and the fallback's in lower case; an action without a fallback repeats its letter, because a
  /// lone letter means the default fallback in files.
  private static func symbol(_ cell: StrategyChart.Cell) -> String {
    let isSilent = cell.fallback == nil && (cell.action == .double || cell.action == .surrender)
    return cell.symbol + (isSilent ? cell.symbol.lowercased() : "")
  }
}

extension ValueType where Value == ChartSource {
  /// `reason` says why play by composition is refused, `nil` allows it.
  static func chart(refusingComposition reason: String? = nil) -> Self {
    Self(
      "chart", expected: "trainer, exact\(reason == nil ? ", composition" : "") or a file ending in .csv",
      schema: ["type": .array(["string", "object"])],
      read: { field throws(ReportingError) in
        let source = try ChartSource(field)
        if let reason, source == .composition { throw field.bad(expected: reason) }
        return source
      }, write: \.setting)
  }
}

extension ChartRow {
  /// The row's name in scenarios: `hard 16`, `soft 18`, `pair A`.
  fileprivate var name: String { "\(kind.rawValue) \(label)" }
}

extension BlackjackError: @retroactive InputError {}
