// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Randomness

/// Plays cells: from a cell's conditional start, each action under trial, then the chart, to a value.
///
/// One player serves one worker; the shoe and the dealer's odds are kept from block to block, and neither changes what
/// a block gives.
@safe
struct CellPlayer: ~Copyable {
  private let estimator: Estimator
  private let rules: Rules
  private var deal: SharedDeal
  private var odds: DealerOdds
  /// The worth, in units, of a lone hand with its bet, and with its bet doubled.
  private var single = KeptNumbers(bits: 14, width: 1)
  private var doubled = KeptNumbers(bits: 14, width: 1)

  init(rules: Rules, estimator: Estimator, generator: String) throws(RandomnessError) {
    self.rules = rules
    self.estimator = estimator
    deal = SharedDeal(shoe: try StampedShoe(rules: rules, generator: generator, seed: 1))
    odds = DealerOdds(rules: rules)
  }

  /// Plays a cell that many times.
  ///
  /// - Parameters:
  ///   - start: the hands of the cell.
  ///   - actions: the actions under trial, at most five.
  ///   - chart: what follows the first action.
  ///   - samples: how many times, at most `BlockSums.mostSamples`.
  ///   - seed: where the random cards begin.
  /// - Returns: the sums over the samples.
  /// - Throws: `BlackjackError` where the chart has no answer, `RandomnessError` for a seed that the generator cannot
  /// use.
  mutating func play(
    _ start: CellStart, actions: [Action], following chart: StrategyChart, samples: Int, seed: UInt32
  ) throws -> CellTally {
    try deal.shoe.reseed(seed)
    let packing = try PackedDraw(bound: start.totalWeight)
    var player = ChartPlayer(chart)
    var sums = BlockSums(actions: actions)
    let count = min(actions.count, 5)
    for _ in 0..<min(samples, BlockSums.mostSamples) {
      var values = InlineArray<5, Int>(repeating: 0)
      var (dealt, round) = try begin(start, packing)
      for index in 0..<count {
        if estimator == .plain && index > 0 { (dealt, round) = try begin(start, packing) }
        values[index] = try value(of: actions[index], in: round, dealt, by: &player)
      }
      sums.add(values, count: count)
    }
    return sums.tally
  }

  /// Clears the table, deals one of the cell's hands by its weight, and the hole card where there is one.
  @inline(__always)
  private mutating func begin(_ start: CellStart, _ packing: PackedDraw) throws -> (CellStart.Deal, Round) {
    var position = 0
    if start.deals.count > 1 {
      var rest = deal.shoe.choose(below: packing)
      while rest >= start.deals[position].weight {
        rest -= start.deals[position].weight
        position += 1
      }
    }
    let dealt = start.deals[position]
    deal.begin(dealt)
    var round = dealt.round
    if round.need == .dealerCard {
      let hole = start.excludedHoleCard.map { deal.shoe.drawHoleCard(excluding: $0) }
      try round.receive(hole ?? deal.shoe.draw(for: .dealer))
    }
    return (dealt, round)
  }

  /// What an action is worth in this sample, in units of the tally.
  @inline(__always)
  private mutating func value(
    of action: Action, in round: Round, _ start: CellStart.Deal, by player: inout ChartPlayer
  ) throws -> Int {
    if action == .surrender && rules.surrender == .early && rules.holeCard == .peek {
      // Decided before the look, and so worth half a bet before it: see `ActionValues`.
      return Self.units((start.naturalChance - 0.5) / (1 - start.naturalChance))
    }
    deal.rewind(to: start)
    var play = round
    try play.act(action)
    guard estimator == .conditional else {
      try play.finish(from: &deal, by: &player)
      return play.payoffTenths * CellTally.unitsPerTenth
    }
    try play.finishPlayer(from: &deal, by: &player)
    return expectation(of: play)
  }

  /// What a round whose player is done is worth, over all the dealer's endings.
  @inline(__always)
  private mutating func expectation(of play: Round) -> Int {
    if play.need == .nothing && !play.dealerMatters {
      return play.payoffTenths(against: .bust) * CellTally.unitsPerTenth
    }
    guard play.handCount == 1, !play.isSurrendered else { return Self.units(averageBets(of: play)) }
    // Alone, a hand is worth what its cards and its bet say.
    if play.hand(at: 0).isDoubled {
      if let known = unsafe doubled.find(deal.seen) { return Int(unsafe known[0]) }
      let units = Self.units(averageBets(of: play))
      unsafe doubled.add(deal.seen)[0] = Double(units)
      return units
    }
    if let known = unsafe single.find(deal.seen) { return Int(unsafe known[0]) }
    let units = Self.units(averageBets(of: play))
    unsafe single.add(deal.seen)[0] = Double(units)
    return units
  }

  @inline(never)
  private mutating func averageBets(of play: Round) -> Double {
    let chances = unsafe odds.chances(given: deal.seen)
    var tenths = 0.0
    for final in DealerFinal.allCases {
      tenths += unsafe chances[Int(final.rawValue)] * Double(play.payoffTenths(against: final))
    }
    return tenths / 10
  }

  private static func units(_ bets: Double) -> Int { Int((bets / CellTally.unit).rounded()) }
}
