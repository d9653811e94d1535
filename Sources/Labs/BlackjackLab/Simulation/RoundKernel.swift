// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Randomness

/// Plays rounds with fresh shoes by the table of a `RoundAutomaton`: the hot loop.
///
/// Two rounds are interleaved, one card each in turn, so that their loads overlap. A card costs four loads (the card,
/// its value, its stamp, the next position) and no hard-to-predict branch: an exit's row is the row of the first card,
/// so that the next round begins by itself. Splits, one round in forty, are played on afterwards by the core's own
/// round, with a shoe that lacks the cards seen so far.
@safe struct RoundKernel: ~Copyable {
  /// The number of interleaved rounds: more would not fit the registers, fewer would wait for each other's loads.
  static let laneCount = 2

  private let automaton: RoundAutomaton
  private let isInfinite: Bool
  private var shoe: StampedShoe
  private var player: ChartPlayer
  private let next: UnsafeMutableBufferPointer<UInt16>
  private let stamps: UnsafeMutableBufferPointer<UInt32>
  /// The exits of finished rounds, in order, until they are counted.
  private let exits: UnsafeMutableBufferPointer<UInt16>
  private let counts: UnsafeMutableBufferPointer<Int>

  init(automaton: RoundAutomaton, rules: Rules, chart: StrategyChart, generator: String) throws {
    self.automaton = automaton
    isInfinite = rules.decks == .infinite
    shoe = try StampedShoe(rules: rules, generator: generator, seed: 1)
    player = ChartPlayer(chart)
    unsafe next = .allocate(capacity: automaton.next.count)
    _ = unsafe next.initialize(from: automaton.next)
    unsafe stamps = .allocate(capacity: ShoeLayout.size(of: rules) * Self.laneCount)
    unsafe exits = .allocate(capacity: shoe.feed.capacity + Self.laneCount)
    unsafe exits.initialize(repeating: 0)
    unsafe counts = .allocate(capacity: Int(automaton.exitLimit))
  }

  deinit {
    unsafe next.deallocate()
    unsafe stamps.deallocate()
    unsafe exits.deallocate()
    unsafe counts.deallocate()
  }

  mutating func play(rounds: Int, seed: UInt32) throws -> PayoffTally {
    try shoe.reseed(seed)
    unsafe stamps.update(repeating: 0)
    unsafe counts.update(repeating: 0)
    if isInfinite {
      play(rounds, marking: WithReplacement.self)
    } else {
      play(rounds, marking: WithoutReplacement.self)
    }
    var tally = PayoffTally()
    for (index, exit) in automaton.exits.enumerated() {
      let count = unsafe counts[10 * index]
      switch exit {
      case .payoff(let tenths): tally.add(tenths, times: count)
      case .onward(let round): for _ in 0..<count { tally.add(try playOn(round)) }
      }
    }
    return tally
  }

  private mutating func play<Marking: TableMarking>(_ rounds: Int, marking: Marking.Type) {
    let table = unsafe LaneTable<Marking>(
      next: UnsafePointer(next.baseAddress.unsafelyUnwrapped),
      values: UnsafePointer(shoe.values.baseAddress.unsafelyUnwrapped),
      stamps: stamps.baseAddress.unsafelyUnwrapped, exitLimit: Int(automaton.exitLimit))
    var first = RoundLane(start: automaton.start)
    var second = RoundLane(start: automaton.start)
    let quotas = (rounds - rounds / 2, rounds / 2)
    // Every lane plays its own quota: stopping both after the last round of one would favour short rounds. A step ends
    // at most one round per lane, so that this number of steps cannot exceed a quota.
    while case let steps = min(quotas.0 - first.played, quotas.1 - second.played), steps > 0 {
      playInterleaved(&first, &second, on: table, steps: steps)
    }
    while first.played < quotas.0 { count(first.take(shoe.nextCard(), lane: 0, on: table), first) }
    while second.played < quotas.1 { count(second.take(shoe.nextCard(), lane: 1, on: table), second) }
  }

  /// Plays both lanes, one card each in turn, for a number of steps or until the batch of cards is exhausted.
  @inline(__always) private mutating func playInterleaved<Marking>(
    _ first: inout RoundLane, _ second: inout RoundLane, on table: LaneTable<Marking>, steps: Int
  ) {
    let batch = unsafe shoe.batch(of: min(steps, 1 << 20) * Self.laneCount, inMultiplesOf: Self.laneCount)
    var card = unsafe batch.baseAddress.unsafelyUnwrapped
    let end = unsafe card + batch.count
    let exits = unsafe self.exits.baseAddress.unsafelyUnwrapped
    var count = 0
    var (one, other) = (first, second)
    while unsafe card < end {
      let oneLeft = unsafe one.take(card[0], lane: 0, on: table)
      unsafe exits[count] = UInt16(truncatingIfNeeded: one.position)
      count &+= oneLeft
      let otherLeft = unsafe other.take(card[1], lane: 1, on: table)
      unsafe exits[count] = UInt16(truncatingIfNeeded: other.position)
      count &+= otherLeft
      unsafe card += Self.laneCount
    }
    (first, second) = (one, other)
    for entry in 0..<count { unsafe counts[Int(exits[entry])] &+= 1 }
  }

  private func count(_ left: Int, _ lane: RoundLane) {
    if left == 1 { unsafe counts[lane.position] &+= 1 }
  }

  /// Plays a split round to its end with the core.
  ///
  /// Cards of one value are equivalent, so the first ones in the shoe stand for those on the table.
  @inline(never) private mutating func playOn(_ split: RoundAutomaton.Onward) throws -> Int {
    shoe.beginRound()
    for number in split.cards { shoe.place(number) }
    var round = split.round
    try round.finish(from: &shoe, by: &player)
    return round.payoffTenths
  }
}

protocol TableMarking {
  static var isNeeded: Bool { get }
}

enum WithoutReplacement: TableMarking {
  static var isNeeded: Bool { true }
}

enum WithReplacement: TableMarking {
  static var isNeeded: Bool { false }
}

/// The data that the lanes of a kernel share: the automaton's table, the cards' values, and the stamps of the cards on
/// each lane's table.
@safe struct LaneTable<Marking: TableMarking> {
  let next: UnsafePointer<UInt16>
  let values: UnsafePointer<UInt8>
  let stamps: UnsafeMutablePointer<UInt32>
  let exitLimit: Int
}

/// One of a kernel's interleaved rounds: its position, and the number that stamps its cards.
struct RoundLane {
  private(set) var position: Int
  private var round: UInt32 = 1

  init(start: UInt16) { position = Int(start) }

  var played: Int { Int(round) &- 1 }

  /// Deals a card unless it is already on the table.
  @inline(__always) mutating func take<Marking>(_ card: UInt16, lane: Int, on table: LaneTable<Marking>) -> Int {
    let card = Int(card)
    if Marking.isNeeded {
      let offset = card &* RoundKernel.laneCount &+ lane
      if unsafe table.stamps[offset] == round { return 0 }
      unsafe table.stamps[offset] = round
    }
    position = unsafe Int(table.next[position &+ Int(table.values[card])])
    let left = position < table.exitLimit
    round &+= left ? 1 : 0
    return left ? 1 : 0
  }
}
