// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension Gen where Value == CardValue {
  /// From the simplest on: those that naturals, pairs and small hands are made of come first.
  private static let ordered: [CardValue] = [.ten, .ace, .eight, .two, .three, .four, .five, .six, .seven, .nine]

  /// Card values; the extreme ones of the order, and those drawn before, come more often than from a deck.
  static func cardValues(first count: Int = 10) -> Gen<CardValue> {
    let values = ordered
    return Gen<Int>.integers(in: 0...max(0, min(count, values.count) - 1)).map { values[$0] }
  }

  /// Cards as they come from a shoe, now and then from one that holds little else than naturals and pairs.
  static func deals(_ count: ClosedRange<Int>) -> Gen<[CardValue]> {
    let decks = [10, 2, 3, 5].map { Gen<[CardValue]>.arrays(of: cardValues(first: $0), count: count) }
    return Gen<Int>.elements(of: Array(decks.indices)).flatMap { decks[$0] }
  }
}

extension Gen where Value == Card {
  /// Cards of a deck, aces and kings more often; the simplest is the ace of spades.
  static func cards() -> Gen<Card> {
    zip(Gen<Int>.integers(in: 1...13), Gen<Suit>.elements(of: Suit.allCases)).map { rank, suit in
      Card(Rank(rawValue: UInt8(rank)) ?? .ace, of: suit)
    }
  }
}

extension Gen where Value == Rules {
  static func rules(decks: Gen<Int> = .integers(in: 0...8, towards: 6)) -> Gen<Rules> {
    RuleTokens.any(decks: decks).map { try $0.rules() }
  }
}

extension Gen where Value == ChartCellKey {
  /// Any cell, each equally likely; the simplest is hard 5 against 2.
  static func chartCells() -> Gen<ChartCellKey> { elements(of: ChartCellKey.all) }
}

struct EditedChart: Sendable, CustomStringConvertible {
  struct Edit: Sendable {
    let key: ChartCellKey
    let cell: StrategyChart.Cell

    /// What a file can say in that cell: splits only of pairs, and a last resort that no rule forbids.
    init(_ key: ChartCellKey, _ action: Action, else fallback: Action) {
      self.key = key
      let isPair = key.row.kind == .pair
      let action = action == .split && !isPair ? .hit : action
      let usual = StrategyChart.usualFallback(of: action, in: key.row)
      let isAllowed = fallback != action && (fallback == .stand || fallback == .hit || isPair)
      cell = StrategyChart.Cell(action, else: isAllowed ? fallback : usual)
    }
  }

  let edits: [Edit]

  var description: String {
    guard !edits.isEmpty else { return "trainer's chart" }
    let changes = edits.map { "\($0.key): \($0.cell.action.letter)\($0.cell.fallback.map { "/\($0.letter)" } ?? "")" }
    return "trainer's chart but " + changes.joined(separator: ", ")
  }

  var chart: StrategyChart { edits.reduce(into: .trainer) { $0[$1.key] = $1.cell } }

  /// Charts that differ from the trainer's in a few cells.
  static func any() -> Gen<EditedChart> {
    let actions = Gen.elements(of: Action.allCases)
    let edit = zip(Gen<ChartCellKey>.chartCells(), actions, actions).map { Edit($0, $1, else: $2) }
    return Gen.arrays(of: edit, count: 0...12).map(EditedChart.init)
  }
}
