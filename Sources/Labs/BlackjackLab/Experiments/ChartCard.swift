// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

/// A chart as people paste it: rows of letters such as `H`, `Dh` and `Ph` below the dealer's cards, as plain text, with
/// tabs or commas, or in Markdown.
///
/// Headings say which hands follow (hard, soft, pairs) and in which order the dealer's cards stand; without one the
/// order is 2 to 10 and A. Hands are `16`, `17+`, `5-8`, `A,7`, `A7`, `soft 18`, `8,8`, `88`. Rows that cards leave out
/// follow from others: hard hands below a row of hits, hands above a row of stands, and the pairs that are played as
/// their totals: 4,4, 5,5 and 10,10.
enum ChartCard {
  /// The chart of a card; `nil` for a text without a row of ten actions.
  ///
  /// - Throws: `BlackjackError.badChart` with the line.
  static func chart(_ text: String) throws(BlackjackError) -> StrategyChart? {
    var (kind, order) = (ChartRow.Kind?.none, CardValue.chartOrder)
    var rows: [ChartRow: (line: Int, symbols: [CardValue: String])] = [:]
    for (offset, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let cells = cells(of: line)
      let last = cells.suffix(order.count)
      let label = cells.dropLast(min(cells.count, order.count)).joined(separator: " ")
      if let cards = upcards(last) {
        order = cards
        kind = self.kind(of: label) ?? kind
      } else if cells.count > order.count, let symbols = symbols(last) {
        guard let hands = hands(label, kind) else {
          throw .badChart(
            line: offset + 1, field: "hand", found: "'\(label)'",
            expected: "a hand such as 16, 17+, A,7 or 8,8 before ten actions")
        }
        for hand in hands {
          if let earlier = rows[hand] {
            throw .badChart(
              line: offset + 1, field: "hand", found: "\(hand) a second time",
              expected: "each hand once; it is in line \(earlier.line)")
          }
          rows[hand] = (offset + 1, Dictionary(zip(order, symbols)) { first, _ in first })
        }
      } else if cells.count > order.count, let wrong = last.first(where: { symbols([$0]) == nil }),
        last.count(where: { symbols([$0]) != nil }) >= 7
      {
        throw .badChart(
          line: offset + 1, field: "action", found: "'\(wrong)'",
          expected: "ten actions, each H, S, D, P or R with its fallback after it, such as Dh")
      } else if let named = self.kind(of: line.lowercased()) {
        kind = named
      }
    }
    guard !rows.isEmpty else { return nil }
    complete(&rows)
    var (lines, sources) = ([["kind", "player", "dealer", "action", "fallback"]], [1])
    for row in ChartRow.all {
      guard let found = rows[row] else { continue }
      for upcard in CardValue.chartOrder {
        let symbol = found.symbols[upcard] ?? ""
        lines.append([
          row.kind.rawValue, row.label, upcard.description, symbol.prefix(1).uppercased(),
          symbol.dropFirst().uppercased(),
        ])
        sources.append(found.line)
      }
    }
    do throws(BlackjackError) {
      return try StrategyChart(csv: lines.map(CSV.line).joined())
    } catch .badChart(let line?, let field, let found, let expected) where sources.indices.contains(line - 1) {
      throw .badChart(line: sources[line - 1], field: field, found: found, expected: expected)
    }
  }

  /// The cells of a line: between bars, tabs, or many commas or semicolons, or else words.
  private static func cells(of line: Substring) -> [String] {
    let plain = line.filter { !"*`#\u{FEFF}".contains($0) }
    let separator = ["|", "\t", ";", ","].first { sign in plain.count { $0 == sign } >= 10 }
    let parts =
      separator.map { sign in plain.split { $0 == sign }.map(String.init) }
      ?? plain.split { $0.isWhitespace || $0 == "|" }.map(String.init)
    return parts.map { text in
      text.filter { $0 != "\"" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { !$0.isEmpty }
  }

  private static func kind(of text: String) -> ChartRow.Kind? {
    let words = text.lowercased().split { !$0.isLetter }
    return ChartRow.Kind.allCases.first { kind in
      words.contains { $0.hasPrefix(kind.rawValue) || kind == .pair && $0.hasPrefix("split") }
    }
  }

  /// The dealer's cards, if the cells are each of them once.
  private static func upcards(_ cells: ArraySlice<String>) -> [CardValue]? {
    let cards = cells.compactMap { CardValue($0.uppercased() == "ACE" ? "A" : $0.uppercased()) }
    return cards.count == CardValue.allCases.count && Set(cards).count == cards.count ? cards : nil
  }

  /// Actions with their fallbacks, `D/H` as `DH`.
  private static func symbols(_ cells: ArraySlice<String>) -> [String]? {
    let symbols = cells.map { $0.filter { $0 != "/" }.uppercased() }
    return symbols.allSatisfy { $0.wholeMatch(of: /[HSDPR][HSDPR]?/) != nil } ? symbols : nil
  }

  /// The rows of a hand or of a range of hands; none for one that charts have no row for, such as 20, and `nil` for a
  /// text that is no hand.
  private static func hands(_ label: String, _ section: ChartRow.Kind?) -> [ChartRow]? {
    let named = kind(of: label) ?? section
    let words = label.uppercased().replacing("ACE", with: "A").replacing("–", with: "-").split {
      $0.isWhitespace || ",/:".contains($0)
    }.filter { $0.wholeMatch(of: /HARD|SOFT|PAIRS?|OF|TOTAL|TO|AND|OR/) == nil }
    let text = words.joined(separator: " ").replacing(/[JQKT]/, with: "10")
    func total(_ digits: Substring) -> Int? { Int(digits) }
    func rows(_ totals: ClosedRange<Int>, _ kind: ChartRow.Kind) -> [ChartRow] {
      switch kind {
      case .hard: totals.clamped(to: 4...21).compactMap(ChartRow.hard)
      case .soft: totals.clamped(to: 12...21).compactMap(ChartRow.soft)
      case .pair: totals.clamped(to: 1...10).compactMap { CardValue(rawValue: UInt8($0)).map(ChartRow.pair) }
      }
    }
    if let match = text.wholeMatch(of: /A[ -]?([2-9]|10|A)(?: ?- ?A?[ -]?([2-9]))?/) {
      if match.1 == "A" { return [.pair(.ace)] }
      guard let low = total(match.1) else { return nil }
      let high = match.2.flatMap(total) ?? low
      return low <= high ? rows(11 + low...11 + high, .soft) : nil
    }
    if let match = text.wholeMatch(of: /(10|[2-9])[ -]?(10|[2-9])(?:S|'S)?/), match.1 == match.2,
      named ?? .pair == .pair
    {
      return total(match.1).map { rows($0...$0, .pair) }
    }
    if named == .pair, let match = text.wholeMatch(of: /(10|[2-9]|A)(?:S|'S)?/) {
      return match.1 == "A" ? [.pair(.ace)] : total(match.1).map { rows($0...$0, .pair) }
    }
    // Hands with an ace are also named by the other card.
    func points(_ number: Int) -> Int { named == .soft && number < 11 ? number + 11 : number }
    let kind = named ?? .hard
    if let match = text.wholeMatch(of: /([0-9]{1,2}) ?- ?([0-9]{1,2})/), let low = total(match.1),
      let high = total(match.2), low < high
    {
      return rows(points(low)...points(high), kind)
    }
    if let match = text.wholeMatch(of: /([0-9]{1,2}) ?(?:\+|MORE|HIGHER|ABOVE|UP)/), let low = total(match.1), low <= 21
    {
      return rows(points(low)...max(21, points(low)), kind)
    }
    if let match = text.wholeMatch(of: /(?:<=|≤) ?([0-9]{1,2})|([0-9]{1,2}) ?(?:-|LESS|LOWER|BELOW|DOWN)/),
      let high = (match.1 ?? match.2).flatMap(total)
    {
      return rows(min(4, points(high))...points(high), kind)
    }
    guard let match = text.wholeMatch(of: /([0-9]{1,2})/), let number = total(match.1), number <= 21 else { return nil }
    return rows(points(number)...points(number), kind)
  }

  /// Adds the rows that cards leave out.
  private static func complete(_ rows: inout [ChartRow: (line: Int, symbols: [CardValue: String])]) {
    func given(_ kind: ChartRow.Kind) -> [ChartRow] { ChartRow.all.filter { $0.kind == kind && rows[$0] != nil } }
    func plays(_ row: ChartRow?, _ symbol: String) -> Bool {
      row.flatMap { rows[$0] }.map { $0.symbols.values.allSatisfy { $0 == symbol } } ?? false
    }
    for (kind, ends) in [(ChartRow.Kind.hard, [("H", false), ("S", true)]), (.soft, [("S", true)])] {
      for (symbol, isAbove) in ends {
        let all = given(kind)
        guard let end = isAbove ? all.last : all.first, plays(end, symbol), let found = rows[end] else { continue }
        for row in ChartRow.all where row.kind == kind && (isAbove ? row.player > end.player : row.player < end.player)
        {
          rows[row] = found
        }
      }
    }
    for card in [CardValue.four, .five] where rows[.pair(card)] == nil {
      rows[.pair(card)] = ChartRow.hard(2 * card.points).flatMap { rows[$0] }
    }
    if rows[.pair(.ten)] == nil, let line = given(.hard).last.flatMap({ rows[$0]?.line }) {
      rows[.pair(.ten)] = (line, Dictionary(CardValue.chartOrder.map { ($0, "S") }) { first, _ in first })
    }
  }
}
