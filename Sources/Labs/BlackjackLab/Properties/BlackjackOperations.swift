// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// What the properties ask of the code on trial: the core's own functions, or those of a broken variant.
struct BlackjackOperations: Sendable {
  /// The shoe of the properties: its order follows from a number.
  typealias NumberedShoe = Shoe<ShoeNumbers>

  // MARK: Hands

  /// The best total of cards.
  var total: @Sendable ([CardValue]) -> Int = { Hand($0).total }
  /// Whether an ace counts eleven.
  var isSoft: @Sendable ([CardValue]) -> Bool = { Hand($0).isSoft }
  /// Whether the cards are over 21.
  var isBust: @Sendable ([CardValue]) -> Bool = { Hand($0).isBust }
  /// The value that two cards share, if they are a pair.
  var pair: @Sendable (Card, Card) -> CardValue? = { Hand($0.value, $1.value).pair }

  // MARK: Charts

  /// The row of a chart for a hand, which may be a pair.
  var row: @Sendable (Hand, _ asPair: Bool) -> ChartRow? = { ChartRow(of: $0, asPair: $1) }
  /// The place of a cell among the 330.
  var cellIndex: @Sendable (ChartCellKey) -> Int = { $0.index }
  /// What a chart has a hand do.
  var advice: @Sendable (StrategyChart, Hand, CardValue, ActionSet) throws -> Action = {
    try $0.action(for: $1, against: $2, options: $3)
  }
  /// A chart from a file's text.
  var readChart: @Sendable (String) throws -> StrategyChart = { try StrategyChart(csv: $0) }
  /// A chart as a file's text.
  var writeChart: @Sendable (StrategyChart, Rules) -> String = { $0.csv(under: $1) }

  // MARK: Names

  /// The name of rules.
  var name: @Sendable (Rules) -> String = { $0.name }
  /// The rules of a name.
  var rules: @Sendable (String) throws -> Rules = { try Rules(name: $0) }

  // MARK: Rounds

  /// What may be done now.
  var options: @Sendable (Round) -> ActionSet = { $0.options }
  /// Does something.
  var act: @Sendable (inout Round, Action) throws -> Void = { try $0.act($1) }
  /// Takes a card.
  var receive: @Sendable (inout Round, CardValue) throws -> Void = { try $0.receive($1) }
  /// What a finished round pays, in tenths of a bet.
  var payoffTenths: @Sendable (Round) -> Int = { $0.payoffTenths }
  /// Whether the dealer draws.
  var dealerDraws: @Sendable (Rules, Hand) -> Bool = { $0.dealerDraws(to: $1) }

  // MARK: Shoes

  /// Takes a card out of a shoe.
  var draw: @Sendable (inout NumberedShoe) throws -> CardValue = { try $0.draw(for: .player) }
  /// Clears the table.
  var beginRound: @Sendable (inout NumberedShoe) -> Void = { $0.beginRound() }

  // MARK: Values

  /// The chances of the dealer's endings, by raw value.
  var dealerChances: @Sendable (Rules, _ upcard: CardValue, _ seen: [CardValue]) throws -> [Double] = {
    let dealer = try ExactDealer(rules: $0, upcard: $1, seen: $2, givenNoNatural: $0.holeCard == .peek)
    return DealerFinal.allCases.map { dealer[$0] }
  }
  /// The value of standing on each total from 0 to 21.
  var standing: @Sendable (Rules, _ upcard: CardValue, _ seen: [CardValue]) throws -> [Double] = {
    let dealer = try ExactDealer(rules: $0, upcard: $1, seen: $2, givenNoNatural: $0.holeCard == .peek)
    return (0...21).map { total in
      let results = DealerFinal.results(of: total)
      return DealerFinal.allCases.reduce(0) { $0 + dealer[$1] * results[Int($1.rawValue)] }
    }
  }
  /// The value of the best first action of each two-card hand against an upcard.
  var bestValues: @Sendable (Rules, CardValue) -> [Double] = { rules, upcard in
    FirstActions(of: UpcardGame(rules: rules, upcard: upcard, policy: nil)).values.map { $0.best?.value ?? 0 }
  }

  /// The code that ships.
  static let shipping = BlackjackOperations()
}

/// Numbers for a shuffle, all of which follow from the first.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64).
struct ShoeNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}

extension StrategyChart {
  /// The chart as the lab writes it to a file.
  fileprivate func csv(under rules: Rules) -> String {
    let cells = ChartCellKey.all.map { key in
      ChartCell(exact: ActionValues(), of: key, decision: self[key] ?? Cell(.stand))
    }
    return ChartReport(ChartResult(provenance: Provenance(rules: rules, simulation: nil), cells: cells)).csv
  }
}
