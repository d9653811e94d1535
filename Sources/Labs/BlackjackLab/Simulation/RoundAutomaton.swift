// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The rules and a chart, tabulated: which position follows which card, for every position that a round can reach
/// before a split.
///
/// Nothing of the game is restated here. The table is filled by asking the core's `Round`, following the chart, what
/// becomes of each position with each of the ten card values; positions with the same future are one. A position is
/// known by the offset of its row of ten, so that one step is one load: `next[position + card]`. The first positions
/// are *exits*: a payoff, or a split, from which the core's round plays on itself.
struct RoundAutomaton: Sendable {
  /// Where a round leaves the table.
  enum Exit: Hashable, Sendable {
    /// The round is over and paid this many tenths of a bet.
    case payoff(tenths: Int)
    case onward(Onward)
  }

  /// A round that has split, and the cards on its table.
  struct Onward: Hashable, Sendable {
    let round: Round
    /// The cards on the table, as numbers of a shoe: the first ones of their values.
    let cards: [Int]

    /// A round that has just split its first two cards: those, the upcard, and the hole card where there is one.
    fileprivate init(_ round: Round) {
      self.round = round
      let hole = round.dealer.hardTotal - round.upcard.points
      let half = round.activeHand.hand.hardTotal
      let values = [half, half, round.upcard.points, hole].compactMap { CardValue(rawValue: UInt8($0)) }
      cards = ShoeLayout.numbers(of: values, in: round.rules) ?? []
    }
  }

  /// The ways out; exit `i` is position `10 * i`.
  let exits: [Exit]
  /// The position after each card, row by row; an exit's row is that of the first card of a round.
  let next: [UInt16]
  let start: UInt16
  /// Positions below this are exits.
  let exitLimit: UInt16

  /// The most positions, exits included, whose rows of ten a 16-bit number can distinguish.
  static let mostPositions = (Int(UInt16.max) + 1) / 10

  init(rules: Rules, chart: StrategyChart) throws(BlackjackError) {
    var builder = AutomatonBuilder(player: ChartPlayer(chart))
    let root = try builder.visit(Round(rules: rules))
    (exits, next, start) = try builder.layOut(root: root)
    exitLimit = UInt16(exits.count * 10)
  }
}

/// Explores the positions of a game depth first. Cards only add up, so there are no cycles, and a position can be
/// recognised by its future once all of that is known.
private struct AutomatonBuilder {
  private enum Future: Hashable {
    case exit(RoundAutomaton.Exit)
    case cards([Int])
  }

  private var player: ChartPlayer
  private var known: [Round: Int] = [:]
  private var numbers: [Future: Int] = [:]
  private var futures: [Future] = []

  init(player: ChartPlayer) { self.player = player }

  /// The number of the position that a round is in once every decision due is taken.
  mutating func visit(_ arrived: Round) throws(BlackjackError) -> Int {
    if let number = known[arrived] { return number }
    var round = arrived
    while round.need == .decision && round.handCount == 1 { try round.act(player.decide(round)) }
    let number: Int
    if round.need == .nothing {
      number = self.number(of: .exit(.payoff(tenths: round.payoffTenths)))
    } else if round.handCount > 1 {
      number = self.number(of: .exit(.onward(RoundAutomaton.Onward(round))))
    } else {
      var children: [Int] = []
      for card in CardValue.allCases {
        var dealt = round
        try dealt.receive(card)
        children.append(try visit(dealt))
      }
      number = self.number(of: .cards(children))
    }
    known[arrived] = number
    return number
  }

  private mutating func number(of future: Future) -> Int {
    if let number = numbers[future] { return number }
    futures.append(future)
    numbers[future] = futures.count - 1
    return futures.count - 1
  }

  /// Numbers the positions for the table: exits first, then the others from the start of the round on.
  func layOut(
    root: Int
  ) throws(BlackjackError) -> (exits: [RoundAutomaton.Exit], next: [UInt16], start: UInt16) {
    guard futures.count <= RoundAutomaton.mostPositions else {
      throw .outOfRange(
        what: "positions of a round before a split", found: "\(futures.count)",
        expected: "at most \(RoundAutomaton.mostPositions)")
    }
    var exits: [RoundAutomaton.Exit] = []
    var offsets = Array(repeating: 0, count: futures.count)
    for (number, future) in futures.enumerated() {
      guard case .exit(let exit) = future else { continue }
      offsets[number] = exits.count * 10
      exits.append(exit)
    }
    // Children are numbered before their parents, so counting down goes from the start of a round to its end.
    let inner = futures.indices.reversed().filter { if case .cards = futures[$0] { true } else { false } }
    for (row, number) in inner.enumerated() { offsets[number] = (exits.count + row) * 10 }
    let rows = inner.map { number -> [UInt16] in
      guard case .cards(let children) = futures[number] else { return [] }
      return children.map { UInt16(offsets[$0]) }
    }
    let firstCard = rows[(offsets[root] / 10) - exits.count]
    let next = exits.flatMap { _ in firstCard } + rows.joined()
    return (exits, next, UInt16(offsets[root]))
  }
}
