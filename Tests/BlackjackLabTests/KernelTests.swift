// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import Randomness
import TestSupport
import Testing

@Suite("The batched kernel plays the core's rounds")
struct KernelTests {
  /// Games that differ in every rule.
  static let games = [
    "6d", "1d-h17-nodas-d10-ls-bj65", "2d-h17-spl1", "8d-enhc", "inf", "6d-es-rsa-hsa", "8d-obo-ls", "1d-enhc-hsa",
    "4d-h17-d9-es-bj11", "inf-h17-ls-spl2-rsa", "6d-obo-nodas-spl1-bj21", "2d-h17-es-enhc-rsa",
    "6d-es10-bj75-rescue", "2d-d11-es10-rescue-enhc", "1d-charlie5-rescue", "inf-charlie6-enhc",
    "8d-d9-spl1-bb1-rescue",
  ]
  static let roundsPerBlock = 400
  static let blocks = 210

  @Test(
    "two million rounds of seventeen games, dealt the same cards, pay the same as the core's rounds",
    arguments: games.indices)
  func sameAsTheCore(game: Int) throws {
    let rules = try Rules(name: Self.games[game])
    var random = TestRandom(seed: game)
    // A good chart plays what players play; a senseless one goes where they never go.
    for chart in [ExactAnalysis(rules: rules).chart.chart, random.chart()] {
      let automaton = try RoundAutomaton(rules: rules, chart: chart)
      var kernel = try RoundKernel(automaton: automaton, rules: rules, chart: chart, generator: "taus2")
      var reference = try KernelReference(rules: rules, chart: chart, automaton: automaton, generator: "taus2")
      var differing: [UInt32] = []
      for block in 1...UInt32(Self.blocks) {
        // An odd number of rounds now and then: the seats' quotas differ then.
        let rounds = Self.roundsPerBlock + Int(block % 3) - 1
        let played = try kernel.play(rounds: rounds, seed: block)
        if try played != reference.play(rounds: rounds, seed: block) || played.rounds != rounds {
          differing.append(block)
        }
      }
      #expect(differing.isEmpty, "blocks of \(rules)")
    }
  }

  @Test("a block may have one round, or none")
  func smallestBlocks() throws {
    let rules = try Rules(name: "1d")
    let automaton = try RoundAutomaton(rules: rules, chart: .trainer)
    var kernel = try RoundKernel(automaton: automaton, rules: rules, chart: .trainer, generator: "taus2")
    var reference = try KernelReference(rules: rules, chart: .trainer, automaton: automaton, generator: "taus2")
    for seed: UInt32 in 1...200 {
      let played = try kernel.play(rounds: 1, seed: seed)
      #expect(played.rounds == 1)
      #expect(try played == reference.play(rounds: 1, seed: seed))
    }
    #expect(try kernel.play(rounds: 0, seed: 1).rounds == 0)
  }
}

@Suite("The automaton is the core's round, tabulated")
struct RoundAutomatonTests {
  @Test("random cards lead a random game to the same end in the table and in the core", arguments: 0..<60)
  func sameEnds(seed: Int) throws {
    var random = TestRandom(seed: seed)
    let rules = try random.rules()
    let chart = random.chart()
    let automaton = try RoundAutomaton(rules: rules, chart: chart)
    var player = ChartPlayer(chart)
    for _ in 0..<1000 {
      var round = Round(rules: rules)
      var position = automaton.start
      repeat {
        let card = random.card()
        position = automaton.next[Int(position) + card.index]
        try round.receive(card)
        while round.need == .decision && round.handCount == 1 { try round.act(player.decide(round)) }
      } while round.need != .nothing && round.handCount == 1
      try #require(position < automaton.exitLimit, "\(rules)")
      switch automaton.exits[Int(position) / 10] {
      case .payoff(let tenths): #expect(round.need == .nothing && round.payoffTenths == tenths, "\(rules)")
      case .onward(let split): #expect(split.round == round, "\(rules)")
      }
    }
  }

  @Test("a split carries the cards on the table, numbered as the first of their values")
  func cardsOfSplits() throws {
    let rules = try Rules(name: "2d")
    let automaton = try RoundAutomaton(rules: rules, chart: .trainer)
    let splits = automaton.exits.compactMap { if case .onward(let split) = $0 { split } else { nil } }
    let values = ShoeLayout.values(of: rules)
    #expect(!splits.isEmpty)
    for split in splits {
      #expect(Set(split.cards).count == 4)
      let half = split.round.activeHand.hand.hardTotal - 1
      let dealer = Hand(split.cards.dropFirst(2).compactMap { CardValue(rawValue: values[$0] + 1) })
      #expect(split.cards.prefix(2).allSatisfy { Int(values[$0]) == half })
      #expect(dealer == split.round.dealer && Int(values[split.cards[2]]) == split.round.upcard.index)
    }
  }

  @Test("random games and charts need at most two thirds of the positions of the table", arguments: 0..<40)
  func size(seed: Int) throws {
    var random = TestRandom(seed: 1000 + seed)
    // With an early surrender there are most: each hand is decided over each hole card.
    let rules = try seed.isMultiple(of: 4) ? Rules(name: "8d-h17-es-charlie7-rescue") : random.rules()
    let automaton = try RoundAutomaton(rules: rules, chart: random.chart())
    let positions = automaton.next.count / 10
    #expect(positions < RoundMap.maxPositions * 2 / 3)
    #expect(automaton.next.allSatisfy { $0 % 10 == 0 && Int($0) < automaton.next.count })
    #expect(Int(automaton.exitLimit) == 10 * automaton.exits.count && automaton.start >= automaton.exitLimit)
  }

  @Test("a chart without an answer is an error that names the hand")
  func missingCell() throws {
    var chart = StrategyChart.trainer
    let key = ChartCellKey(try #require(ChartRow.hard(16)), against: .ten)
    chart[key] = nil
    let rules = try Rules(name: "6d")
    let error = #expect(throws: BlackjackError.self) { try RoundAutomaton(rules: rules, chart: chart) }
    guard case .noCell(let hand, .ten) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hand.total == 16 && !hand.isSoft)
  }
}

@Suite("A shoe that is never shuffled deals every card once")
struct StampedShoeTests {
  private func count(_ cards: [CardValue]) -> [Int] { CardValue.allCases.map { value in cards.count { $0 == value } } }

  @Test("a round that takes the whole shoe gets every card of it", arguments: ["1d", "2d", "8d"])
  func wholeShoe(name: String) throws {
    let rules = try Rules(name: name)
    let full = CardValue.allCases.map { rules.cards(of: $0) ?? 0 }
    var shoe = try StampedShoe(rules: rules, generator: "taus2", seed: 1)
    for _ in 0..<20 {
      shoe.beginRound()
      var cards: [CardValue] = []
      for _ in 0..<ShoeLayout.size(of: rules) { cards.append(shoe.draw(for: .player)) }
      #expect(count(cards) == full)
    }
  }

  @Test("cards put on the table are not dealt again, and come back with the next round")
  func placedCards() throws {
    let rules = try Rules(name: "1d")
    var shoe = try StampedShoe(rules: rules, generator: "taus2", seed: 5)
    shoe.beginRound()
    for number in 0..<3 { shoe.place(number) }
    var cards: [CardValue] = []
    for _ in 0..<49 { cards.append(shoe.draw(for: .player)) }
    #expect(count(cards) == [1, 4, 4, 4, 4, 4, 4, 4, 4, 16])
    shoe.beginRound()
    for _ in 0..<3 { cards.append(shoe.draw(for: .player)) }
    #expect(cards.count == 52)
  }

  @Test("a hole card that cannot be an ace leaves all aces in the shoe")
  func holeCard() throws {
    let rules = try Rules(name: "1d")
    var shoe = try StampedShoe(rules: rules, generator: "taus2", seed: 9)
    for _ in 0..<200 {
      shoe.beginRound()
      let hole = shoe.drawHoleCard(excluding: .ace)
      #expect(hole != .ace)
      var cards = [hole]
      for _ in 0..<51 { cards.append(shoe.draw(for: .player)) }
      #expect(count(cards) == [4, 4, 4, 4, 4, 4, 4, 4, 4, 16])
    }
  }

  @Test(
    "the feed cuts the generator's words into cards and skips the refused words", arguments: ["1d", "6d", "8d", "inf"])
  func feedIsTheWords(name: String) throws {
    let rules = try Rules(name: name)
    let size = ShoeLayout.size(of: rules)
    let packing = try PackedDraw(bound: UInt32(size))
    var feed = try CardFeed(rules: rules, generator: "mt19937", seed: 4357)
    var words = try WordStream(named: "mt19937", seed: 4357)
    var counts = Array(repeating: 0, count: size)
    for _ in 0..<40 {
      let cards = unsafe Array(feed.nextBatch())
      var expected: [UInt16] = []
      for _ in 0..<256 {
        var word = words.next()
        guard packing.accepts(word) else { continue }
        for _ in 0..<packing.count { expected.append(UInt16(packing.draw(&word))) }
      }
      #expect(cards == expected)
      for card in cards { counts[Int(card)] += 1 }
    }
    let uniform = Array(repeating: 1 / Double(size), count: size)
    #expect(ChiSquareTest(observed: counts, probabilities: uniform).pValue > 1e-4)
  }

  @Test("a feed that is seeded again repeats its cards")
  func reseeded() throws {
    var feed = try CardFeed(rules: Rules(name: "6d"), generator: "taus2", seed: 11)
    let first = unsafe Array(feed.nextBatch())
    _ = unsafe feed.nextBatch()
    try feed.reseed(11)
    #expect(unsafe Array(feed.nextBatch()) == first)
  }
}

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
