// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Randomness

/// Plays rounds by the table of a `RoundAutomaton`, a fresh shoe each: the hot loop.
///
/// Four rounds are played abreast, one card each in turn, so that the loads of one overlap those of the others. A card
/// costs four loads (the card, its value, its stamp, the next position) and no branch that depends on the cards: a payoff's
/// row is the row of the first card, so that the next round begins by itself. Splits, one round in fifty, are played on by
/// the core's own round.
@safe
struct RoundKernel: ~Copyable {
  private static let laneCount = 4

  private let automaton: RoundAutomaton
  private let isInfinite: Bool
  private var feed: CardCursor
  private var player: ChartPlayer
  private let next: UnsafeMutableBufferPointer<UInt16>
  private let values: UnsafeMutableBufferPointer<UInt8>
  private let stamps: UnsafeMutableBufferPointer<UInt32>
  /// The payoffs' positions, in the order in which rounds end, until they are counted.
  private let paid: UnsafeMutableBufferPointer<UInt16>
  private let counts: UnsafeMutableBufferPointer<Int>

  init(automaton: RoundAutomaton, rules: Rules, chart: StrategyChart, generator: String) throws {
    self.automaton = automaton
    isInfinite = rules.decks == .infinite
    feed = CardCursor(try CardFeed(rules: rules, generator: generator, seed: 1))
    player = ChartPlayer(chart)
    unsafe next = .allocate(capacity: automaton.next.count)
    _ = unsafe next.initialize(from: automaton.next)
    let layout = ShoeLayout.values(of: rules)
    unsafe values = .allocate(capacity: layout.count)
    _ = unsafe values.initialize(from: layout)
    unsafe stamps = .allocate(capacity: layout.count * Self.laneCount)
    unsafe paid = .allocate(capacity: feed.capacity + Self.laneCount)
    unsafe paid.initialize(repeating: 0)
    unsafe counts = .allocate(capacity: Int(automaton.payoffLimit))
  }

  deinit {
    unsafe next.deallocate()
    unsafe values.deallocate()
    unsafe stamps.deallocate()
    unsafe paid.deallocate()
    unsafe counts.deallocate()
  }

  /// Plays that many rounds from a seed.
  mutating func play(rounds: Int, seed: UInt32) throws -> PayoffTally {
    try feed.reseed(seed)
    unsafe stamps.update(repeating: 0)
    unsafe counts.update(repeating: 0)
    var tally =
      try isInfinite
      ? play(rounds, marking: WithReplacement.self) : play(rounds, marking: WithoutReplacement.self)
    for (index, exit) in automaton.exits.enumerated() {
      if case .payoff(let tenths) = exit { unsafe tally.add(tenths, times: counts[10 * index]) }
    }
    return tally
  }

  private mutating func play<Marking: TableMarking>(_ rounds: Int, marking: Marking.Type) throws -> PayoffTally {
    let table = unsafe LaneTable<Marking>(
      next: next.baseAddress.unsafelyUnwrapped, values: values.baseAddress.unsafelyUnwrapped,
      stamps: stamps.baseAddress.unsafelyUnwrapped, start: automaton.start, payoffLimit: automaton.payoffLimit,
      exitLimit: automaton.exitLimit)
    var lanes = Lanes(repeating: RoundLane(start: automaton.start))
    var tally = PayoffTally()
    // Every lane plays its quota to the end: stopping them all with the last round of one would favour short rounds. A
    // step ends at most one round a lane, so that many steps cannot overrun a quota.
    while case let steps = fewestLeft(lanes, of: rounds), steps > 16 {
      try playAbreast(&lanes, on: table, steps: steps, into: &tally)
    }
    for number in lanes.indices {
      while left(lanes[number], number, of: rounds) > 0 {
        if lanes[number].take(feed.next(), lane: number, on: table) == 1 {
          unsafe counts[Int(lanes[number].position)] &+= 1
        }
        try playOn(&lanes[number], number, on: table, into: &tally)
      }
    }
    return tally
  }

  private typealias Lanes = InlineArray<4, RoundLane>

  /// Plays all lanes, a card each in turn, for so many turns.
  @inline(__always)
  private mutating func playAbreast<Marking>(
    _ lanes: inout Lanes, on table: LaneTable<Marking>, steps: Int, into tally: inout PayoffTally
  ) throws {
    var (first, second, third, fourth) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var left = steps
    while left > 0 {
      if feed.isShort(of: Self.laneCount) { feed.refill() }
      let end = feed.position &+ min(left, feed.count / Self.laneCount) &* Self.laneCount
      let cards = unsafe feed.cards.baseAddress.unsafelyUnwrapped
      let paid = unsafe self.paid.baseAddress.unsafelyUnwrapped
      var paidCount = 0
      var index = feed.position
      var splits = false
      while index < end && !splits {
        var ended = unsafe first.take(cards[index], lane: 0, on: table)
        unsafe paid[paidCount] = first.position
        paidCount &+= ended
        ended = unsafe second.take(cards[index &+ 1], lane: 1, on: table)
        unsafe paid[paidCount] = second.position
        paidCount &+= ended
        ended = unsafe third.take(cards[index &+ 2], lane: 2, on: table)
        unsafe paid[paidCount] = third.position
        paidCount &+= ended
        ended = unsafe fourth.take(cards[index &+ 3], lane: 3, on: table)
        unsafe paid[paidCount] = fourth.position
        paidCount &+= ended
        splits =
          table.isSplit(first.position) || table.isSplit(second.position) || table.isSplit(third.position)
          || table.isSplit(fourth.position)
        index &+= Self.laneCount
      }
      left &-= (index &- feed.position) / Self.laneCount
      feed.position = index
      for entry in 0..<paidCount { unsafe counts[Int(paid[entry])] &+= 1 }
      if splits {
        try playOn(&first, 0, on: table, into: &tally)
        try playOn(&second, 1, on: table, into: &tally)
        try playOn(&third, 2, on: table, into: &tally)
        try playOn(&fourth, 3, on: table, into: &tally)
      }
    }
    (lanes[0], lanes[1], lanes[2], lanes[3]) = (first, second, third, fourth)
  }

  /// Plays a round that has split to its end, by the core, with cards that do not lie on its lane's table.
  @inline(never)
  private mutating func playOn<Marking>(
    _ lane: inout RoundLane, _ number: Int, on table: LaneTable<Marking>, into tally: inout PayoffTally
  ) throws {
    guard table.isSplit(lane.position),
      case .onward(var round) = automaton.exits[Int(lane.position) / 10]
    else { return }
    while round.need != .nothing {
      if round.need == .decision {
        try round.act(player.decide(round))
        continue
      }
      let card = Int(feed.next())
      if !table.mark(card, of: number, in: lane.round), let value = unsafe CardValue(rawValue: values[card] &+ 1) {
        try round.receive(value)
      }
    }
    tally.add(round.payoffTenths)
    lane.beginRound(at: table.start)
  }

  private func left(_ lane: RoundLane, _ number: Int, of rounds: Int) -> Int {
    rounds / Self.laneCount + (number < rounds % Self.laneCount ? 1 : 0) - lane.played
  }

  private func fewestLeft(_ lanes: Lanes, of rounds: Int) -> Int {
    lanes.indices.map { left(lanes[$0], $0, of: rounds) }.min() ?? 0
  }
}
