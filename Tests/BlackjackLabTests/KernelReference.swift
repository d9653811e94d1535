// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Randomness

/// Plays the cards that a kernel deals, in the kernel's order, by nothing but the core's `Round`.
///
/// Two seats take a card each in turn until one has played its quota of rounds, then the other plays on alone. A card
/// that lies on a seat's own table is passed over. A round that splits is set aside with its cards and finished in the
/// end, in the order of the automaton's exits; the order is all that is taken from the automaton.
struct KernelReference: CardSource, ~Copyable {
  private let rules: Rules
  private var player: ChartPlayer
  private let values: [CardValue]
  private let orderOfSplits: [Round: Int]
  private var feed: CardFeed
  private var batch: [UInt16] = []
  private var position = 0
  /// The cards on the table of the split that is played on.
  private var table: [UInt16] = []

  init(rules: Rules, chart: StrategyChart, automaton: RoundAutomaton, generator: String) throws {
    self.rules = rules
    player = ChartPlayer(chart)
    values = CardValue.allCases.flatMap { value in
      Array(repeating: value, count: rules.cards(of: value) ?? value.ranksPerSuit)
    }
    var order: [Round: Int] = [:]
    for (index, exit) in automaton.exits.enumerated() {
      if case .onward(let split) = exit { order[split.round] = index }
    }
    orderOfSplits = order
    feed = try CardFeed(rules: rules, generator: generator, seed: 1)
  }

  /// One seat of the two.
  private struct Lane {
    var round: Round
    var table: [UInt16] = []
    let quota: Int
    var played = 0
    var isPlaying: Bool { played < quota }
  }

  private struct SplitRound {
    let round: Round
    let values: [CardValue]
  }

  /// Plays that many rounds from a seed.
  mutating func play(rounds: Int, seed: UInt32) throws -> PayoffTally {
    try feed.reseed(seed)
    (batch, position) = ([], 0)
    var tally = PayoffTally()
    var splits: [SplitRound] = []
    var first = Lane(round: Round(rules: rules), quota: rounds - rounds / 2)
    var second = Lane(round: Round(rules: rules), quota: rounds / 2)
    while first.isPlaying && second.isPlaying {
      // The kernel takes two cards at a time: one left over in a batch is nobody's.
      if batch.count - position < 2 { refill() }
      try give(to: &first, tally: &tally, splits: &splits)
      try give(to: &second, tally: &tally, splits: &splits)
    }
    while first.isPlaying { try give(to: &first, tally: &tally, splits: &splits) }
    while second.isPlaying { try give(to: &second, tally: &tally, splits: &splits) }
    for split in splits.sorted(by: { order(of: $0) < order(of: $1) }) { tally.add(try finish(split)) }
    return tally
  }

  private func order(of split: SplitRound) -> Int { orderOfSplits[split.round] ?? -1 }

  private mutating func give(to lane: inout Lane, tally: inout PayoffTally, splits: inout [SplitRound]) throws {
    let card = nextNumber()
    if rules.decks != .infinite && lane.table.contains(card) { return }
    lane.table.append(card)
    try lane.round.receive(values[Int(card)])
    while lane.round.need == .decision && lane.round.handCount == 1 {
      try lane.round.act(player.decide(lane.round))
    }
    if lane.round.need == .nothing {
      tally.add(lane.round.payoffTenths)
    } else if lane.round.handCount > 1 {
      splits.append(SplitRound(round: lane.round, values: lane.table.map { values[Int($0)] }))
    } else {
      return
    }
    lane.round = Round(rules: rules)
    lane.table.removeAll(keepingCapacity: true)
    lane.played += 1
  }

  /// Plays a split on; the first cards of their values in the shoe stand for those that were dealt.
  private mutating func finish(_ split: SplitRound) throws -> Int {
    table = []
    for value in split.values {
      let first = values.firstIndex(of: value) ?? 0
      let copies = rules.decks == .infinite ? 0 : table.count { values[Int($0)] == value }
      table.append(UInt16(first + copies))
    }
    var round = split.round
    var player = player
    try round.finish(from: &self, by: &player)
    return round.payoffTenths
  }

  mutating func draw(for seat: Seat) throws(BlackjackError) -> CardValue {
    var card = nextNumber()
    while rules.decks != .infinite && table.contains(card) { card = nextNumber() }
    table.append(card)
    return values[Int(card)]
  }

  private mutating func nextNumber() -> UInt16 {
    if position == batch.count { refill() }
    position += 1
    return batch[position - 1]
  }

  private mutating func refill() {
    batch = unsafe Array(feed.nextBatch())
    position = 0
  }
}
