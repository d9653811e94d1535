// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Foundation
internal import Reporting

extension ChartSource {
  private static let known = ["trainer", "exact", "composition"]

  /// Reads a chart's name, the name of its file, or its cells.
  ///
  /// - Parameters:
  ///   - field: the value; a file is looked for beside the scenario and read at once.
  ///   - reason: why play by the cards themselves cannot stand here; `nil` where it can.
  /// - Throws: `ReportingError` for a name that means nothing, a file that is missing or no chart, cells that make
  ///   none.
  init(_ field: ScenarioField, refusingComposition reason: String?) throws(ReportingError) {
    if field.isMapping {
      self = try Self.writtenOut(field)
      return
    }
    let text = try field.string(expected: "trainer, exact, composition, a file ending in .csv, or the cells")
    switch text {
    case "trainer": self = .trainer
    case "exact": self = .exact
    case "composition":
      if let reason { throw field.bad(expected: reason) }
      self = .composition
    case _ where text.hasSuffix(".csv"):
      let path = Self.path(text, beside: field.file)
      let chart = try field.parsed(expected: "a chart") { _ in try StrategyChart(csv: TextFile.read(path)) }
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      self = .own(try Self.sound(name, at: field), chart)
    default:
      let nearest = Spelling.nearest(to: text, among: Self.known)
      let hint = nearest.map { " (did you mean '\($0)'?)" } ?? ""
      throw field.bad(expected: "trainer, exact, composition or a file ending in .csv\(hint)")
    }
  }

  private static func path(_ name: String, beside file: String) -> String {
    if name.hasPrefix("/") { return name }
    return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(name).standardizedFileURL.path
  }

  /// A name that means no other chart, and that a threshold can begin with.
  private static func sound(_ name: String, at field: ScenarioField) throws(ReportingError) -> String {
    let characters = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    guard characters, name.first?.isLetter == true else {
      throw field.bad(expected: "a chart whose name begins with a letter and has only letters, digits, - and _")
    }
    guard !known.contains(name) else { throw field.bad(expected: "a chart named otherwise: '\(name)' means another") }
    return name
  }

  /// A chart with its name and its 33 rows of cells.
  private static func writtenOut(_ field: ScenarioField) throws(ReportingError) -> ChartSource {
    let map = try field.mapping(keys: ["name", "cells"])
    let nameField = try map.required("name", expected: "what to call the chart")
    let name = try sound(nameField.string(), at: nameField)
    let cells = try map.required("cells", expected: "33 rows such as 'hard 16: S S S S S H H H H H'")
    let rows = try cells.mapping(keys: ChartRow.all.map(rowName))
    var lines = [["kind", "player", "dealer", "action", "fallback"]]
    for row in ChartRow.all {
      let cells = try rows.required(rowName(row), expected: "10 cells against 2 to 10 and A")
      let symbols = try Self.symbols(cells)
      for (upcard, symbol) in zip(CardValue.chartOrder, symbols) {
        lines.append([
          row.kind.rawValue, row.label, upcard.description, String(symbol.prefix(1)), symbol.dropFirst().uppercased(),
        ])
      }
    }
    do {
      return .own(name, try StrategyChart(csv: lines.map(CSV.line).joined()))
    } catch .badChart(let line?, _, let found, let expected) {
      // The first line names the columns, and every row has ten lines.
      let row = ChartRow.all[min(max(line - 2, 0) / 10, ChartRow.all.count - 1)]
      throw try rows.required(rowName(row), expected: "").bad(expected: "\(expected), not \(found)")
    } catch {
      throw cells.bad(expected: "a chart: \(error.description)")
    }
  }

  private static func symbols(_ field: ScenarioField) throws(ReportingError) -> [Substring] {
    let expected = "10 cells against 2 to 10 and A, each of H S D P R with its fallback in small behind it"
    let symbols = try field.string(expected: expected).split(separator: " ")
    let isSound = symbols.allSatisfy { symbol in
      symbol.count <= 2 && symbol.prefix(1).allSatisfy { "HSDPR".contains($0) }
        && symbol.dropFirst().allSatisfy { "hsdpr".contains($0) }
    }
    guard symbols.count == CardValue.chartOrder.count, isSound else { throw field.bad(expected: expected) }
    return symbols
  }
}
