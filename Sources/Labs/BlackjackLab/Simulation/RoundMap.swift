// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// All positions that a round by a chart can reach before a split, with their successors.
///
/// The rules are not restated here. The core's `Round` gives, depth first, the successor of each position for each of
/// the ten card values. Cards only add up, so there are no cycles, and positions with the same future are merged.
struct RoundMap {
  enum Future: Hashable, Sendable {
    /// The round is over: its payoff in tenths of a bet, and the number of bets at stake.
    case payoff(tenths: Int, stakes: Int)
    /// The round has split, and the core plays it on.
    case onward(Round)
    /// The count decides: the first position holds below the first count, the second from it on, and so on.
    case decision(counts: [Double], positions: [Int])
    /// The positions after each card, and whether that card is the dealer's.
    case cards(isDealers: Bool, [Int])
  }

  /// Positions by number; a position has a greater number than all its successors.
  private(set) var futures: [Future] = []
  private(set) var root = 0
  private let chart: CountedChart
  private var known: [Round: Int] = [:]
  private var numbers: [Future: Int] = [:]

  /// The most positions whose rows of ten have 16-bit offsets.
  static let maxPositions = (Int(UInt16.max) + 1) / 10

  init(_ chart: CountedChart, rules: Rules) throws(BlackjackError) {
    self.chart = chart
    root = try visit(Round(rules: rules))
    guard futures.count <= Self.maxPositions else {
      throw .outOfRange(
        what: "positions of a round before a split", found: "\(futures.count)",
        expected: "at most \(Self.maxPositions)")
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
