// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// A table of the rules and a chart: the next position for each card.
///
/// A position of the `RoundMap` is the offset of its row of ten, so that one step is one load: `next[position + card]`.
/// The first positions are *exits*: a payoff, or a split, which the core's round plays on.
struct RoundAutomaton: Sendable {
  /// The end of a round in the table.
  enum Exit: Sendable {
    /// The round is over and paid this number of tenths of a bet.
    case payoff(tenths: Int)
    case onward(Onward)
  }

  /// A round that has split, and the cards on its table.
  struct Onward: Sendable {
    let round: Round
    /// The cards on the table, as numbers of a shoe: the first numbers of their values.
    let cards: [Int]

    /// A round that has just split its first two cards; `cards` are these, the upcard, and any hole card.
    fileprivate init(_ round: Round) {
      self.round = round
      let hole = round.dealer.hardTotal - round.upcard.points
      let half = round.activeHand.hand.hardTotal
      let values = [half, half, round.upcard.points, hole].compactMap { CardValue(rawValue: UInt8($0)) }
      cards = ShoeLayout.numbers(of: values, in: round.rules) ?? []
    }
  }

  /// The exits; exit `i` is position `10 * i`.
  let exits: [Exit]
  /// The position after each card, row by row; an exit's row is that of the first card of a round.
  let next: [UInt16]
  let start: UInt16
  /// Positions below this are exits.
  let exitLimit: UInt16

  init(rules: Rules, chart: StrategyChart) throws(BlackjackError) {
    let map = try RoundMap(CountedChart(chart, rules: rules), rules: rules)
    var exits: [Exit] = []
    var offsets = Array(repeating: 0, count: map.futures.count)
    for (number, future) in map.futures.enumerated() {
      let exit: Exit
      switch future {
      case .payoff(let tenths, _): exit = .payoff(tenths: tenths)
      case .onward(let round): exit = .onward(Onward(round))
      case .decision, .cards: continue
      }
      offsets[number] = exits.count * 10
      exits.append(exit)
    }
    // Children are numbered before their parents, so descending numbers go from the start of a round to its end.
    var rows: [[Int]] = []
    for (number, future) in map.futures.enumerated().reversed() {
      guard case .cards(_, let children) = future else { continue }
      offsets[number] = (exits.count + rows.count) * 10
      rows.append(children)
    }
    let table = rows.map { children in children.map { UInt16(offsets[$0]) } }
    let firstCard = table[offsets[map.root] / 10 - exits.count]
    next = exits.flatMap { _ in firstCard } + table.joined()
    (self.exits, start, exitLimit) = (exits, UInt16(offsets[map.root]), UInt16(exits.count * 10))
  }
}
