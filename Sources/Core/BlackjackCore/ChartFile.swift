// SPDX-License-Identifier: Apache-2.0

extension StrategyChart {
  /// Reads a chart from CSV: columns `kind,player,dealer,action` and, if there, `fallback`; others are ignored.
  ///
  /// - Parameter csv: one line a cell, all 330 of them in any order; kinds `hard`, `soft`, `pair`; players `5` to
  ///   `19`, `13` to `20`, `2` to `10` and `A`; dealers `2` to `10` and `A`; actions `H S D P R`. A cell without a
  ///   fallback gets the usual one. Lines that are empty or begin with `#` are skipped, and so is a byte order mark.
  /// - Throws: `BlackjackError.badChart` naming the line, the field, the value and what was expected.
  public init(csv: String) throws(BlackjackError) {
    self.init()
    var header: Header?
    let content = csv.hasPrefix("\u{FEFF}") ? csv.dropFirst() : csv[...]
    for (offset, text) in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let fields = text.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }
      if text.hasPrefix("#") || fields == [""] { continue }
      let line = offset + 1
      guard let columns = header else {
        header = try Header(fields, line: line)
        continue
      }
      let (key, cell) = try columns.cell(of: fields, line: line)
      if self[key] != nil {
        throw .badChart(line: line, field: "cell", found: "\(key) a second time", expected: "each cell once")
      }
      self[key] = cell
    }
    guard header != nil else {
      throw .badChart(line: nil, field: "file", found: "nothing", expected: "a line kind,player,dealer,action,fallback")
    }
    if let missing = ChartCellKey.all.first(where: { self[$0] == nil }) {
      let count = ChartCellKey.all.count { self[$0] == nil }
      throw .badChart(
        line: nil, field: "cell", found: "\(missing) missing (\(count) in all)", expected: "all 330 cells")
    }
  }

  private static func trimmed(_ field: Substring) -> String {
    var field = field[...]
    while let last = field.last, last.isWhitespace || last == "\"" { field.removeLast() }
    while let first = field.first, first.isWhitespace || first == "\"" { field.removeFirst() }
    return String(field)
  }
}

/// Where a chart file keeps what.
private struct Header {
  let kind: Int
  let player: Int
  let dealer: Int
  let action: Int
  let fallback: Int?

  init(_ names: [String], line: Int) throws(BlackjackError) {
    func column(_ name: String) throws(BlackjackError) -> Int {
      guard let position = names.firstIndex(of: name) else {
        throw .badChart(
          line: line, field: "header", found: names.joined(separator: ","), expected: "a column '\(name)'")
      }
      return position
    }
    kind = try column("kind")
    player = try column("player")
    dealer = try column("dealer")
    action = try column("action")
    fallback = names.firstIndex(of: "fallback")
  }

  func cell(of fields: [String], line: Int) throws(BlackjackError) -> (ChartCellKey, StrategyChart.Cell) {
    func field(_ column: Int, _ name: String) throws(BlackjackError) -> String {
      guard fields.indices.contains(column) else {
        throw .badChart(line: line, field: name, found: "nothing", expected: "a value")
      }
      return fields[column]
    }
    let row = try row(kind: field(kind, "kind"), player: field(player, "player"), line: line)
    let dealerText = try field(dealer, "dealer")
    guard let upcard = CardValue(dealerText) else {
      throw .badChart(line: line, field: "dealer", found: "'\(dealerText)'", expected: "2 to 10 or A")
    }
    let best = try action(field(action, "action"), in: row, named: "action", line: line)
    let fallbackText = fallback.flatMap { fields.indices.contains($0) ? fields[$0] : nil } ?? ""
    let second =
      try fallbackText.isEmpty
      ? StrategyChart.usualFallback(of: best, in: row)
      : action(fallbackText, in: row, named: "fallback", line: line)
    // A pair goes on to its total; any other hand ends here, so what it ends with must be allowed to every hand.
    if row.kind != .pair, best == .double || best == .surrender, second != .stand, second != .hit {
      throw .badChart(
        line: line, field: "fallback", found: "\(fallbackText) for \(row)", expected: "S or H, which no rule forbids")
    }
    return (ChartCellKey(row, against: upcard), StrategyChart.Cell(best, else: second))
  }

  private func row(kind: String, player: String, line: Int) throws(BlackjackError) -> ChartRow {
    let expected: String
    switch ChartRow.Kind(rawValue: kind) {
    case .hard:
      if let row = Int(player).flatMap(ChartRow.hard) { return row }
      expected = "5 to 19"
    case .soft:
      if let row = Int(player).flatMap(ChartRow.soft) { return row }
      expected = "13 to 20"
    case .pair:
      if let value = CardValue(player) { return .pair(value) }
      expected = "2 to 10 or A"
    case nil:
      throw .badChart(line: line, field: "kind", found: "'\(kind)'", expected: "hard, soft or pair")
    }
    throw .badChart(line: line, field: "player", found: "'\(player)'", expected: "\(expected) for a \(kind) hand")
  }

  private func action(
    _ text: String, in row: ChartRow, named field: String, line: Int
  ) throws(BlackjackError) -> Action {
    guard let action = Action(letter: text) else {
      throw .badChart(line: line, field: field, found: "'\(text)'", expected: "one of H, S, D, P, R")
    }
    if action == .split && row.kind != .pair {
      throw .badChart(line: line, field: field, found: "P for \(row)", expected: "a split only of a pair")
    }
    return action
  }
}
