// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Every position that a round can reach before a split where a chart is followed, and what can become of it.
///
/// Nothing of the game is restated here. The core's `Round` is asked, depth first, what becomes of each position with
/// each of the ten card values. Cards only add up, so there are no cycles, and positions with the same future are one.
struct RoundMap {
  enum Future: Hashable, Sendable {
    /// The round is over: what it paid in tenths of a bet, and how many bets were at stake.
    case payoff(tenths: Int, stakes: Int)
    /// The round has split and is played on by the core.
    case onward(Round)
    /// The count decides: the positions below the first of the counts, from it on, and so on.
    case decision(counts: [Double], positions: [Int])
    /// The positions after each card, and whether it is the dealer's.
    case cards(isDealers: Bool, [Int])
  }

  /// By number; that of a position is greater than those of all that can become of it.
  private(set) var futures: [Future] = []
  private(set) var root = 0
  private let chart: CountedChart
  private var known: [Round: Int] = [:]
  private var numbers: [Future: Int] = [:]

  /// The most positions whose rows of ten a 16-bit number can distinguish.
  static let mostPositions = (Int(UInt16.max) + 1) / 10

  init(_ chart: CountedChart, rules: Rules) throws(BlackjackError) {
    self.chart = chart
    root = try visit(Round(rules: rules))
    guard futures.count <= Self.mostPositions else {
      throw .outOfRange(
        what: "positions of a round before a split", found: "\(futures.count)",
        expected: "at most \(Self.mostPositions)")
    }
  }

  private mutating func visit(_ round: Round) throws(BlackjackError) -> Int {
    if let number = known[round] { return number }
    let number: Int
    if round.need == .nothing {
      number = self.number(of: .payoff(tenths: round.payoffTenths, stakes: round.stakes))
    } else if round.handCount > 1 {
      number = self.number(of: .onward(round))
    } else if round.need == .decision {
      number = try decide(round)
    } else {
      var children: [Int] = []
      for card in CardValue.allCases {
        var dealt = round
        try dealt.receive(card)
        children.append(try visit(dealt))
      }
      number = self.number(of: .cards(isDealers: round.need == .dealerCard, children))
    }
    known[round] = number
    return number
  }

  private mutating func decide(_ round: Round) throws(BlackjackError) -> Int {
    let hand = round.activeHand.hand
    var (counts, positions): ([Double], [Int]) = ([], [])
    for count in [-Double.infinity] + chart.changes(for: hand, against: round.upcard) {
      var decided = round
      try decided.act(chart.action(for: hand, against: round.upcard, options: round.options, count: count))
      let position = try visit(decided)
      if position == positions.last { continue }
      if !positions.isEmpty { counts.append(count) }
      positions.append(position)
    }
    return positions.count == 1 ? positions[0] : number(of: .decision(counts: counts, positions: positions))
  }

  private mutating func number(of future: Future) -> Int {
    if let number = numbers[future] { return number }
    futures.append(future)
    numbers[future] = futures.count - 1
    return futures.count - 1
  }
}
