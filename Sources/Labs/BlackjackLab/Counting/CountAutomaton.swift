// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The rules and a counter's chart, tabulated as `RoundAutomaton` does, with what a table of several hands and a count
/// need besides: whose card a position waits for, what is at stake, and where the count decides.
///
/// The table is filled by asking the core's `Round`; nothing of the game is restated. Positions from `limit` on are
/// offsets of rows of ten; those below are special: the end of a round, a split, or a decision by the count.
struct CountAutomaton: Sendable {
  enum Special: Hashable, Sendable {
    /// The round is over: what it paid in tenths of a bet, and how many bets were at stake.
    case payoff(tenths: Int, stakes: Int)
    /// The round has split and is played on by the core.
    case onward(Round)
    /// The count decides: the positions below the first of the counts, from it on, and so on.
    case decision(counts: [Double], positions: [Int])
  }

  let specials: [Special]
  let next: [UInt16]
  let start: Int
  var limit: Int { specials.count }
  /// Whether a row waits for a card of the dealer.
  let isDealers: [Bool]

  init(_ chart: CountedChart, rules: Rules) throws(BlackjackError) {
    var builder = Builder(chart: chart)
    let root = try builder.visit(Round(rules: rules))
    let isSpecial = builder.futures.map { if case .special = $0 { true } else { false } }
    let count = isSpecial.count { $0 }
    guard count + 10 * (isSpecial.count - count) <= Int(UInt16.max) else {
      throw .outOfRange(what: "positions of a round before a split", found: "\(isSpecial.count)", expected: "fewer")
    }
    var (specials, rows) = (0, 0)
    let offsets = isSpecial.map { isSpecial in
      defer { if isSpecial { specials += 1 } else { rows += 1 } }
      return isSpecial ? specials : count + 10 * rows
    }
    var (ends, table, dealers): ([Special], [UInt16], [Bool]) = ([], Array(repeating: 0, count: count), [])
    for future in builder.futures {
      switch future {
      case .special(.decision(let counts, let positions)):
        ends.append(.decision(counts: counts, positions: positions.map { offsets[$0] }))
      case .special(let special): ends.append(special)
      case .cards(let isDealers, let children):
        table += children.map { UInt16(offsets[$0]) }
        dealers.append(isDealers)
      }
    }
    (self.specials, next, start, isDealers) = (ends, table, offsets[root], dealers)
  }

  private struct Builder {
    enum Future: Hashable {
      case special(Special)
      case cards(isDealers: Bool, [Int])
    }

    let chart: CountedChart
    var known: [Round: Int] = [:]
    var numbers: [Future: Int] = [:]
    var futures: [Future] = []

    mutating func visit(_ round: Round) throws(BlackjackError) -> Int {
      if let number = known[round] { return number }
      let future: Future
      if round.need == .nothing {
        future = .special(.payoff(tenths: round.payoffTenths, stakes: round.stakes))
      } else if round.handCount > 1 {
        future = .special(.onward(round))
      } else if round.need == .decision {
        let hand = round.activeHand.hand
        let counts = chart.changes(for: hand, against: round.upcard)
        var (kept, positions): ([Double], [Int]) = ([], [])
        for count in [-Double.infinity] + counts {
          var decided = round
          try decided.act(chart.action(for: hand, against: round.upcard, options: round.options, count: count))
          let position = try visit(decided)
          if position == positions.last { continue }
          if !positions.isEmpty { kept.append(count) }
          positions.append(position)
        }
        if positions.count == 1 {
          known[round] = positions[0]
          return positions[0]
        }
        future = .special(.decision(counts: kept, positions: positions))
      } else {
        var children: [Int] = []
        for card in CardValue.allCases {
          var dealt = round
          try dealt.receive(card)
          children.append(try visit(dealt))
        }
        future = .cards(isDealers: round.need == .dealerCard, children)
      }
      let number = numbers[future] ?? futures.count
      if number == futures.count {
        futures.append(future)
        numbers[future] = number
      }
      known[round] = number
      return number
    }
  }
}
