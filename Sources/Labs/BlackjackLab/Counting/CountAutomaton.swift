// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The rules and a counter's chart, tabulated as `RoundAutomaton` does, with what a table of several hands and a count
/// need besides: whose card a position waits for, what is at stake, and where the count decides.
///
/// The table is filled by asking the core's `Round`; nothing of the game is restated. Positions are offsets of rows of
/// ten, those of payoffs first: their rows are that of the first card, so that the next round begins by itself. Splits
/// and decisions by the count, from `onward` up to `limit`, have no row.
struct CountAutomaton: Sendable {
  enum Special: Hashable, Sendable {
    /// The round is over: what it paid in tenths of a bet, and how many bets were at stake.
    case payoff(tenths: Int, stakes: Int)
    /// The round has split and is played on by the core.
    case onward(Round)
    /// The count decides: the positions below the first of the counts, from it on, and so on.
    case decision(counts: [Double], positions: [Int])
  }

  /// By position below `limit`; `nil` in between.
  let specials: [Special?]
  let next: [UInt16]
  let start: Int
  let onward: Int
  var limit: Int { specials.count }
  /// Whether a row waits for a card of the dealer.
  let isDealers: [Bool]

  init(_ chart: CountedChart, rules: Rules) throws(BlackjackError) {
    var builder = Builder(chart: chart)
    let root = try builder.visit(Round(rules: rules))
    let order: [[Int]] = builder.futures.indices.reduce(into: [[], [], []]) { order, number in
      switch builder.futures[number] {
      case .special(.payoff): order[0].append(number)
      case .special: order[1].append(number)
      case .cards: order[2].append(number)
      }
    }
    onward = 10 * order[0].count
    let limit = onward + order[1].count
    guard limit + 10 * order[2].count <= Int(UInt16.max) else {
      throw .outOfRange(what: "positions of a round before a split", found: "\(order[2].count)", expected: "fewer")
    }
    var offsets = Array(repeating: 0, count: builder.futures.count)
    for (place, number) in order[0].enumerated() { offsets[number] = 10 * place }
    for (place, number) in order[1].enumerated() { offsets[number] = onward + place }
    for (place, number) in order[2].enumerated() { offsets[number] = limit + 10 * place }
    var specials: [Special?] = Array(repeating: nil, count: limit)
    var (table, dealers): ([UInt16], [Bool]) = (Array(repeating: 0, count: limit), [])
    for number in order.joined() {
      switch builder.futures[number] {
      case .special(.decision(let counts, let positions)):
        specials[offsets[number]] = .decision(counts: counts, positions: positions.map { offsets[$0] })
      case .special(let special): specials[offsets[number]] = special
      case .cards(let isDealers, let children):
        table += children.map { UInt16(offsets[$0]) }
        dealers.append(isDealers)
      }
    }
    start = offsets[root]
    for place in 0..<onward { table[place] = table[start + place % 10] }
    (self.specials, next, isDealers) = (specials, table, dealers)
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
