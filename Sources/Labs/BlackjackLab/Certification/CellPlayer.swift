// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Statistics
internal import Synchronization

/// Plays samples of a cell: from its conditional start, each action under test and then the chart, to a value.
///
/// Each worker has one player; the shoe and the dealer's odds are kept from block to block, without influence on the
/// results.
@safe struct CellPlayer: ~Copyable {
  /// Plays every action with its own cards to the end of the dealer's hand: the witness of tests. Otherwise all actions
  /// of a sample share their cards, and the chances of the dealer's endings, given the cards that the player saw, stand
  /// for the dealer's hand.
  private let isPlain: Bool
  private let rules: Rules
  private var deal: SharedDeal
  private var odds: DealerOdds
  /// The values, in units, of a single hand with its bet, and of one with a doubled bet.
  private var single = SeenCardsCache(bits: 14, width: 1)
  private var doubled = SeenCardsCache(bits: 14, width: 1)

  init(rules: Rules, generator: String, isPlain: Bool = false) throws(RandomnessError) {
    self.rules = rules
    self.isPlain = isPlain
    deal = SharedDeal(shoe: try StampedShoe(rules: rules, generator: generator, seed: 1))
    odds = DealerOdds(rules: rules)
  }

  mutating func play(
    _ start: CellStart, actions: [Action], following chart: StrategyChart, samples: Int, seed: UInt32
  ) throws -> CellTally {
    try deal.shoe.reseed(seed)
    let packing = try PackedDraw(bound: start.totalWeight)
    var player = ChartPlayer(chart)
    var sums = BlockSums(actions: actions)
    let count = min(actions.count, 5)
    for _ in 0..<min(samples, BlockSums.maxSamples) {
      var values = InlineArray<5, Int>(repeating: 0)
      var (dealt, round) = try begin(start, packing)
      for index in 0..<count {
        if isPlain && index > 0 { (dealt, round) = try begin(start, packing) }
        values[index] = try value(of: actions[index], in: round, dealt, by: &player)
      }
      sums.add(values, count: count)
    }
    return sums.tally
  }

  /// Clears the table, and deals one of the cell's hands by its weight and the hole card if there is one.
  @inline(__always)
  private mutating func begin(_ start: CellStart, _ packing: PackedDraw) throws -> (CellStart.Deal, Round) {
    var position = 0
    if start.deals.count > 1 {
      var rest = deal.shoe.feed.choose(below: packing)
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

  /// The value of an action in this sample, in units of the tally.
  @inline(__always) private mutating func value(
    of action: Action, in round: Round, _ start: CellStart.Deal, by player: inout ChartPlayer
  ) throws -> Int {
    if action == .surrender && rules.surrender(against: round.upcard) == .early && rules.holeCard == .peek {
      // The decision comes before the look, and costs half a bet there; see `ActionValues`.
      return Self.units((start.naturalChance - 0.5) / (1 - start.naturalChance))
    }
    deal.rewind(to: start)
    var play = round
    try play.act(action)
    guard !isPlain else {
      try play.finish(from: &deal, by: &player)
      return play.payoffTenths * CellTally.unitsPerTenth
    }
    try play.finishPlayer(from: &deal, by: &player)
    return expectation(of: play)
  }

  /// The expected payoff, over all the dealer's endings, of a round whose player is done.
  @inline(__always) private mutating func expectation(of play: Round) -> Int {
    if play.need == .nothing && !play.dealerMatters {
      return play.payoffTenths(against: .bust) * CellTally.unitsPerTenth
    }
    guard play.handCount == 1, !play.isSurrendered else { return Self.units(averageBets(of: play)) }
    // The value of a single hand depends on its cards and its bet alone.
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

  @inline(never) private mutating func averageBets(of play: Round) -> Double {
    let chances = unsafe odds.chances(given: deal.seen)
    var tenths = 0.0
    for final in DealerFinal.allCases {
      tenths += unsafe chances[Int(final.rawValue)] * Double(play.payoffTenths(against: final))
    }
    return tenths / 10
  }

  private static func units(_ bets: Double) -> Int { Int((bets / CellTally.unit).rounded()) }
}

/// Players kept between blocks, since their tables of dealer's odds take some milliseconds to make.
final class PlayerPool: Sendable {
  /// A player on the heap. One block at a time uses it, so it may change threads.
  private final class Box: @unchecked Sendable {
    var player: CellPlayer

    init(_ player: consuming CellPlayer) { self.player = player }
  }

  private let rules: Rules
  private let simulation: Provenance.SimulationSettings
  private let idle = Mutex<[Box]>([])

  init(rules: Rules, simulation: Provenance.SimulationSettings) { (self.rules, self.simulation) = (rules, simulation) }

  func play(
    _ start: CellStart, actions: [Action], following chart: StrategyChart, samples: Int, seed: UInt32
  ) throws -> CellTally {
    let box =
      try idle.withLock { $0.popLast() }
      ?? Box(CellPlayer(rules: rules, generator: simulation.generator))
    defer { idle.withLock { $0.append(box) } }
    return try box.player.play(start, actions: actions, following: chart, samples: samples, seed: seed)
  }
}

/// The outcomes of a cell's samples: the value of each action, and the difference of each pair's values in the same
/// sample. Values are integers in millionths of a bet, so that sums are exact and the order of merging does not matter.
struct CellTally: MergeableTally {
  /// One unit of the tallies, in bets.
  static let unit = 1e-6
  static let unitsPerTenth = 100_000

  let actions: [Action]
  fileprivate(set) var values: [MomentTally]
  fileprivate(set) var differences: [MomentTally]

  init(actions: [Action]) {
    self.actions = actions
    values = Array(repeating: MomentTally(), count: actions.count)
    differences = Array(repeating: MomentTally(), count: actions.count * (actions.count - 1) / 2)
  }

  /// Decodes a tally from a checkpoint, which anybody may have edited.
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(actions: try fields.decode([Action].self, forKey: .actions))
    let read = try (
      fields.decode([MomentTally].self, forKey: .values), fields.decode([MomentTally].self, forKey: .differences)
    )
    guard Set(actions).count == actions.count, read.0.count == values.count, read.1.count == differences.count else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not of its actions"))
    }
    (values, differences) = read
  }

  mutating func merge(_ other: CellTally) {
    for (index, value) in zip(values.indices, other.values) { values[index].merge(value) }
    for (index, value) in zip(differences.indices, other.differences) { differences[index].merge(value) }
  }
}

/// Sums over the samples of one block, in machine words, which its length cannot overflow.
///
/// The largest value is 16 bets, 2^24 units; a sum of 2^14 squares stays below 2^62.
struct BlockSums {
  static let maxSamples = 1 << 14

  private let actions: [Action]
  private var samples = 0
  private var values = InlineArray<5, Sums>(repeating: Sums())
  private var differences = InlineArray<10, Sums>(repeating: Sums())

  private struct Sums {
    var sum = 0
    var squares = 0

    @inline(__always) mutating func add(_ value: Int) {
      sum &+= value
      squares &+= value &* value
    }
  }

  init(actions: [Action]) { self.actions = actions }

  @inline(__always) mutating func add(_ sample: InlineArray<5, Int>, count: Int) {
    samples &+= 1
    var pair = 0
    for first in 0..<count {
      values[first].add(sample[first])
      var second = first &+ 1
      while second < count {
        differences[pair].add(sample[first] &- sample[second])
        second &+= 1
        pair &+= 1
      }
    }
  }

  var tally: CellTally {
    var tally = CellTally(actions: actions)
    for index in tally.values.indices { tally.values[index] = moments(values[index]) }
    for index in tally.differences.indices { tally.differences[index] = moments(differences[index]) }
    return tally
  }

  private func moments(_ sums: Sums) -> MomentTally {
    MomentTally(count: samples, sum: sums.sum, sumOfSquares: Int128(sums.squares))
  }
}
