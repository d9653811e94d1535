// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness

/// All settings that determine the results of a counter's shoes.
struct CountedGame: Sendable {
  let rules: Rules
  let chart: CountedChart
  let system: CountingSystem
  let reading: CountReading
  let ramp: BetRamp
  /// The counter's hands; the others' hands come after them and follow the chart alone.
  var hands: HandsByCount = 1
  var others = 0
  /// No round begins once this many cards are out, including burnt ones; 0 for a fresh shoe every round.
  var cut: Int
  var burnt = 0
  /// The count from which the counter sits down; `leave` is the count below which the counter gets up until then.
  var enter: Double?
  var leave: Double?

  var decks: Int { if case .finite(let decks) = rules.decks { decks } else { 1 } }
  var size: Int { 52 * decks }
  var seats: Int { hands.maximum + others }

  /// The bet of each hand and the number of hands, with the counts from which they apply, as the steps of a ramp.
  var steps: [(from: Double, bet: Int, hands: Int)] {
    let more = hands.steps.dropFirst().map(\.from)
    return Set(ramp.steps.map(\.from) + more).sorted().map { ($0, ramp.bet(at: $0), hands.number(at: $0)) }
  }

  var counts: ClosedRange<Int> { reading.counts(of: system, decks: decks) }

  /// The tally of no shoes.
  var tally: CountTally { CountTally(payoffs: steps.count * payoffWidth, counts: counts) }

  /// The number of possible payoffs for a step: tenths of a bet from all hands and their insurance, 0 in the middle.
  var payoffWidth: Int { 2 * 90 * hands.maximum + 1 }

  /// The number of cards of each shoe that are shuffled in advance: enough for most last rounds, a multiple of three.
  var prepared: Int { min(size, (cut + 14 * (seats + 1) + 2) / 3 * 3) }
}

extension CountReading {
  /// The counts that have their own rows in a tally. A running count goes from its start to where it ends with the
  /// shoe, and strays from this way by less than 60 points; a true count is rarely beyond 15.
  func counts(of system: CountingSystem, decks: Int) -> ClosedRange<Int> {
    guard division == .none else { return -15...15 }
    let start = Double(system.start(decks: decks)) / 2
    let end = start + system.sumOfDeck * Double(decks)
    // A row is stored in eight bits.
    let (low, high) = (max(min(start, end) - 60, start - 120), min(max(start, end) + 60, start + 120))
    return Int(low.rounded(.down))...Int(high.rounded(.up))
  }
}

/// Deals shoes to the cut card and tallies them: the hot loop.
///
/// A shoe is shuffled in advance as far as it will be dealt, three cards per random word, so that two settings with the
/// same stream meet the same cards (common random numbers). A round goes through the table of a `CountAutomaton`, one
/// load per card. For a counter alone, rounds follow each other without hard-to-predict branches and are tallied
/// afterwards. The core plays splits. The rare cards beyond the prepared ones come from a separate stream, and an
/// exhausted shoe reshuffles the discards, as the core's `Shoe` does.
@safe struct CountKernel: ~Copyable {
  private let game: CountedGame
  private var prepared: Int
  private let own: CountTables
  private let other: CountTables
  /// The sorted cards; a card is its value, plus 16 if it is red.
  private let fresh: [UInt8]
  private let shoe: UnsafeMutableBufferPointer<UInt8>
  private let tags: UnsafeMutableBufferPointer<Int>
  private let steps: [Step]
  /// By unseen cards and running count: the step plus 256 times the row of the count.
  private let levels: UnsafeMutableBufferPointer<UInt16>
  private let levelWidth: Int
  private let minRunning: Int
  private var words: UnsafeMutableBufferPointer<UInt32>
  private var word = 0
  private var generator: GSLGenerator
  private var late: WordStream
  /// For each triple: the product of its bounds, and the threshold below which words are rejected.
  private let limits: UnsafeMutableBufferPointer<UInt32>
  private let totals: UnsafeMutableBufferPointer<Int>
  private let payoffs: UnsafeMutableBufferPointer<Int>
  /// Rounds and payoff of the current shoe, by count.
  private let counted: UnsafeMutableBufferPointer<Int>
  private let positions: UnsafeMutableBufferPointer<Int>
  /// The finished rounds of a counter alone, until they are tallied.
  private let ended: UnsafeMutableBufferPointer<EndedRound>
  private var splits: [Round?]
  private let isPlain: Bool
  private let watches: Bool

  // State of the current shoe.
  private var dealt = 0
  private var shuffled = 0
  private var roundStart = 0
  private var running = 0
  /// The number of dealt cards that are not seen: burnt cards and a hole card.
  private var hidden = 0
  private var mustShuffle = false
  private var isSeated = true

  /// Creates a kernel; existing automata of the counter and of the others save time.
  init(
    _ game: CountedGame, generator name: String,
    automata known: (own: CountAutomaton, other: CountAutomaton)? = nil
  ) throws {
    let tables = CountTables(try known?.own ?? CountAutomaton(game.chart, rules: game.rules))
    let byChart =
      game.chart.indices.isEmpty
      ? tables
      : CountTables(
        try known?.other ?? CountAutomaton(CountedChart(game.chart.chart, rules: game.rules), rules: game.rules))
    let words = try GSLGenerator(named: name, seed: 1)
    let lateWords = try WordStream(named: name, seed: 1)
    self.game = game
    prepared = game.prepared
    (own, other) = (tables, byChart)
    generator = words
    late = lateWords
    fresh = CardValue.allCases.flatMap { value in
      (0..<(game.rules.cards(of: value) ?? 0)).map { UInt8(value.index) + ($0.isMultiple(of: 2) ? 0 : 16) }
    }
    unsafe shoe = .allocate(capacity: game.size)
    unsafe shoe.initialize(repeating: 0)
    unsafe tags = .allocate(capacity: 32)
    unsafe tags.initialize(repeating: 0)
    for value in 0..<10 { unsafe (tags[value], tags[value + 16]) = (game.system.black[value], game.system.red[value]) }
    let ramp = game.steps
    steps = ramp.enumerated().map { offset, step in
      Step(
        bet: step.bet, hands: step.hands, stake: step.bet * step.hands,
        even: offset * game.payoffWidth + game.payoffWidth / 2)
    }
    let reach = fresh.reduce((0, 0)) { reach, card in
      let tag = (card > 9 ? game.system.red : game.system.black)[Int(card & 15)]
      return (reach.0 + min(tag, 0), reach.1 + max(tag, 0))
    }
    minRunning = game.system.start(decks: game.decks) + reach.0
    levelWidth = reach.1 - reach.0 + 1
    unsafe levels = .allocate(capacity: (game.size + 1) * levelWidth)
    for unseen in 0...game.size {
      for offset in 0..<levelWidth {
        let count = game.reading.value(running: minRunning + offset, unseen: unseen)
        let (rows, step) = (game.counts, max(0, (ramp.firstIndex { $0.from > count } ?? ramp.count) - 1))
        // The first and the last row are for all counts beyond the others.
        let row =
          Int(
            max(Double(rows.lowerBound - 1), min(Double(rows.upperBound + 1), count.rounded(.down))))
          - (rows.lowerBound - 1)
        unsafe levels[unseen * levelWidth + offset] = UInt16(256 * row + step)
      }
    }
    unsafe self.words = .allocate(capacity: 1024)
    unsafe self.words.initialize(repeating: 0)
    let triples = game.size / 3 + 1
    unsafe limits = .allocate(capacity: triples)
    unsafe limits.initialize(repeating: 0)
    for triple in 0..<triples {
      let left = game.size - 3 * triple
      if left >= 3 {
        let product = UInt32(left * (left - 1) * (left - 2))
        unsafe limits[triple] = (0 &- product) % product
      }
    }
    unsafe totals = .allocate(capacity: CountTally.columns)
    unsafe totals.initialize(repeating: 0)
    unsafe payoffs = .allocate(capacity: steps.count * game.payoffWidth)
    unsafe payoffs.initialize(repeating: 0)
    unsafe counted = .allocate(capacity: 2 * (game.counts.count + 2))
    unsafe counted.initialize(repeating: 0)
    unsafe positions = .allocate(capacity: 8)
    unsafe positions.initialize(repeating: 0)
    unsafe ended = .allocate(capacity: game.size + 1)
    splits = Array(repeating: nil, count: 8)
    isPlain = game.seats == 1 && game.rules.holeCard == .peek
    watches = game.enter != nil || game.leave != nil
  }

  deinit {
    unsafe shoe.deallocate()
    unsafe tags.deallocate()
    unsafe levels.deallocate()
    unsafe words.deallocate()
    unsafe limits.deallocate()
    unsafe totals.deallocate()
    unsafe payoffs.deallocate()
    unsafe counted.deallocate()
    unsafe positions.deallocate()
    unsafe ended.deallocate()
  }

  mutating func reseed(_ seed: UInt32, late lateSeed: UInt32) throws(RandomnessError) {
    try generator.reseed(seed)
    try late.reseed(lateSeed)
    unsafe generator.fill(words)
    word = 0
    // Every block begins with the cards in the same order.
    for offset in fresh.indices { unsafe shoe[offset] = fresh[offset] }
  }

  /// Plays a number of shoes.
  mutating func play(shoes: Int) throws -> CountTally {
    var tally = CountTally(payoffs: unsafe payoffs.count, counts: game.counts)
    unsafe payoffs.update(repeating: 0)
    for _ in 0..<shoes {
      try playShoe()
      unsafe tally.add(shoe: UnsafeBufferPointer(totals))
      unsafe tally.add(counted: counted, of: totals[1])
    }
    for offset in unsafe payoffs.indices { unsafe tally.payoffs[offset] = payoffs[offset] }
    return tally
  }

  /// Shuffles as many cards of each shoe in advance as another kernel, so that both meet the same shoes if they have as
  /// many cards.
  mutating func shuffle(asFarAs other: inout CountKernel) {
    guard game.size == other.game.size else { return }
    prepared = max(prepared, other.prepared)
    other.prepared = prepared
  }

  /// The sums of the last shoe, by column.
  var shoeTotals: [Int] { unsafe Array(totals) }

  /// The cards of the last shoe in the order of the deal; `nil` if discards were reshuffled.
  var order: [UInt8]? { mustShuffle ? nil : unsafe Array(shoe[..<dealt]) }

  mutating func playShoe() throws {
    unsafe totals.update(repeating: 0)
    unsafe counted.update(repeating: 0)
    shuffle()
    dealt = game.burnt
    running = game.system.start(decks: game.decks)
    hidden = game.burnt
    mustShuffle = false
    isSeated = game.enter == nil
    // A fresh shoe for every round is a shoe of one round.
    let end = max(game.cut, dealt + 1)
    if isPlain { try playAlone(until: min(end, shuffled - 27)) }
    while dealt < end && !mustShuffle { try playRound() }
  }

  // MARK: Cards

  private mutating func shuffle() {
    var (offset, total) = (0, game.size)
    let cards = unsafe shoe.baseAddress.unsafelyUnwrapped
    var limit = unsafe UnsafePointer(limits.baseAddress.unsafelyUnwrapped)
    let end = prepared
    while offset < end, total >= 3 {
      if unsafe word == words.count {
        unsafe generator.fill(words)
        word = 0
      }
      // As many triples as there are words left; every index is below the size by construction.
      var source = unsafe UnsafePointer(words.baseAddress.unsafelyUnwrapped + word)
      let last = unsafe source + min(words.count &- word, (end &- offset &+ 2) / 3)
      word = unsafe word &+ (last - source)
      while unsafe source < last, total >= 3 {
        var product = unsafe UInt64(source[0]) &* UInt64(truncatingIfNeeded: total)
        unsafe source += 1
        let first = Int(truncatingIfNeeded: product &>> 32)
        product = (product & 0xFFFF_FFFF) &* UInt64(truncatingIfNeeded: total &- 1)
        let second = Int(truncatingIfNeeded: product &>> 32)
        product = (product & 0xFFFF_FFFF) &* UInt64(truncatingIfNeeded: total &- 2)
        let third = Int(truncatingIfNeeded: product &>> 32)
        // Lemire's method for several bounds at once; words that would bias the result are rejected.
        if unsafe UInt32(truncatingIfNeeded: product) < limit[0] { continue }
        unsafe swap(cards, offset, offset &+ first)
        unsafe swap(cards, offset &+ 1, offset &+ 1 &+ second)
        unsafe swap(cards, offset &+ 2, offset &+ 2 &+ third)
        offset &+= 3
        total &-= 3
        unsafe limit += 1
      }
    }
    shuffled = offset
  }

  @inline(__always) private func swap(_ cards: UnsafeMutablePointer<UInt8>, _ one: Int, _ other: Int) {
    let card = unsafe cards[one]
    unsafe cards[one] = cards[other]
    unsafe cards[other] = card
  }

  /// Deals the next card, which is seen unless it is the hole card.
  @inline(__always) private mutating func deal() throws -> Int {
    if dealt == shuffled { try dealLate() }
    let card = unsafe Int(shoe[dealt])
    dealt &+= 1
    return card
  }

  /// Shuffles one more card, or the discards if none is left.
  @inline(never) private mutating func dealLate() throws {
    if dealt == game.size {
      guard roundStart > 0 else { throw BlackjackError.outOfCards(dealt: dealt) }
      let cards = unsafe Array(shoe)
      for (offset, card) in (cards[roundStart...] + cards[..<roundStart]).enumerated() { unsafe shoe[offset] = card }
      dealt = game.size - roundStart
      running = game.system.start(decks: game.decks)
      for offset in 0..<dealt { unsafe running += tags[Int(shoe[offset])] }
      (shuffled, roundStart, mustShuffle) = (dealt, 0, true)
      hidden = 0
    }
    let other = dealt + Int(late.below(UInt32(game.size - dealt)))
    unsafe swap(shoe.baseAddress.unsafelyUnwrapped, dealt, other)
    shuffled = dealt + 1
  }

  /// The count as the counter reads it.
  @inline(__always) private var count: Double {
    game.reading.value(running: running, unseen: game.size &- dealt &+ hidden)
  }

  // MARK: Rounds

  /// The step before a round, plus 256 times the row of the count.
  @inline(__always) private func level(at offset: Int, _ running: Int) -> Int {
    unsafe Int(levels[(game.size &- offset &+ hidden) &* levelWidth &+ running &- minRunning])
  }

  private mutating func playRound() throws {
    roundStart = dealt
    let level = level(at: dealt, running)
    if watches {
      let count = count
      if let enter = game.enter, count >= enter { isSeated = true }
      if let leave = game.leave, count < leave { isSeated = false }
    }
    let step = steps[level & 255]
    let isPlayed = isSeated && step.bet > 0
    let (tenths, halves) = try playTable(hands: isPlayed ? step.hands : 0)
    if isPlayed { add(tenths, halves, at: level) } else { unsafe totals[0] &+= 1 }
  }

  /// Tallies a round by its payoff in tenths of the bet and its stakes in halves of it.
  @inline(__always) private mutating func add(_ tenths: Int, _ halves: Int, at level: Int) {
    let (step, row) = (steps[level & 255], 2 &* (level &>> 8))
    let win = tenths &* step.bet
    unsafe totals[0] &+= 1
    unsafe totals[1] &+= 1
    unsafe totals[2] &+= win
    unsafe totals[3] &+= win &* win
    unsafe totals[4] &+= step.stake
    unsafe totals[5] &+= halves &* step.bet
    unsafe payoffs[step.even &+ tenths] &+= 1
    unsafe counted[row] &+= 1
    unsafe counted[row &+ 1] &+= tenths
  }

  /// Plays the counter alone against a dealer with a hole card, until a number of cards is out; enough are shuffled.
  private mutating func playAlone(until end: Int) throws {
    var trail = dealOn(RoundPath(offset: dealt, running: running), until: end)
    while trail.position >= own.onward {
      if let split = own.rounds[trail.position] {
        addEnded(trail.rounds)
        trail = try playOn(split, from: trail)
        if mustShuffle { return }
      } else {
        decide(&trail)
      }
      trail = dealOn(trail, until: end)
    }
    addEnded(trail.rounds)
  }

  /// Deals until a number of cards is out and the last round has ended, or until a split or a decision by the count;
  /// separate, so that its state fits the registers.
  @inline(never) private func dealOn(_ trail: RoundPath, until end: Int) -> RoundPath {
    let cards = unsafe UnsafePointer(shoe.baseAddress.unsafelyUnwrapped)
    let tags = unsafe UnsafePointer(self.tags.baseAddress.unsafelyUnwrapped)
    let ended = unsafe self.ended.baseAddress.unsafelyUnwrapped
    let next = unsafe own.next
    let onward = own.onward
    let specials = UInt(bitPattern: own.limit &- onward)
    var trail = trail
    while UInt(bitPattern: trail.position &- onward) >= specials, trail.offset < end || trail.position >= onward {
      let card = unsafe Int(cards[trail.offset])
      trail.offset &+= 1
      trail.running &+= unsafe tags[card]
      trail.position = unsafe Int(next[trail.position &+ (card & 15)])
      // Written after every card; the last write of a round stays.
      unsafe ended[trail.rounds] = EndedRound(trail)
      trail.rounds &+= trail.position < onward ? 1 : 0
    }
    return trail
  }

  @inline(__always) private func decide(_ trail: inout RoundPath) {
    let begun = unsafe trail.rounds == 0 ? dealt : Int(ended[trail.rounds &- 1].offset)
    let seen = unsafe trail.running &- tags[Int(shoe[begun &+ 3])]
    trail.position = own.decide(
      trail.position, at: game.reading.value(running: seen, unseen: game.size &- trail.offset &+ hidden &+ 1))
    unsafe ended[trail.rounds] = EndedRound(trail)
    trail.rounds &+= trail.position < own.onward ? 1 : 0
  }

  /// Tallies the rounds that have ended since `dealt`, and moves `dealt` to the end of the last.
  private mutating func addEnded(_ count: Int) {
    var (offset, sum) = (dealt, running)
    for number in 0..<count {
      let round = unsafe ended[number]
      let paid = unsafe own.paid[Int(round.position)]
      let insured = insurance(at: offset, sum)
      add(
        insured.tenths &+ Int(paid.tenths), insured.halves &+ 2 &* Int(paid.stakes), at: level(at: offset, sum))
      (offset, sum) = (Int(round.offset), Int(round.running))
    }
    (dealt, running) = (offset, sum)
  }

  /// The payoff and cost of insurance in a round of the counter alone that begins at a place.
  @inline(__always) private func insurance(at offset: Int, _ running: Int) -> (tenths: Int, halves: Int) {
    let cards = unsafe shoe.baseAddress.unsafelyUnwrapped + offset
    guard let minimum = game.chart.insurance, unsafe cards[1] & 15 == 0 else { return (0, 0) }
    let seen = unsafe running &+ tags[Int(cards[0])] &+ tags[Int(cards[1])] &+ tags[Int(cards[2])]
    let count = game.reading.value(running: seen, unseen: game.size &- offset &- 4 &+ hidden &+ 1)
    return unsafe count < minimum ? (0, 0) : (cards[3] & 15 == 9 ? 10 : -5, 1)
  }

  /// Plays a split round of the counter alone to its end with the core.
  @inline(never) private mutating func playOn(_ split: Round, from trail: RoundPath) throws -> RoundPath {
    let (level, insured) = (level(at: dealt, running), insurance(at: dealt, running))
    let hole = unsafe tags[Int(shoe[dealt + 3])]
    (roundStart, dealt, running) = (dealt, trail.offset, trail.running - hole)
    hidden += 1
    var round = split
    while round.need != .nothing { try step(&round) }
    hidden -= 1
    running += hole
    add(insured.tenths + round.payoffTenths, insured.halves + 2 * round.stakes, at: level)
    return RoundPath(offset: dealt, running: running)
  }

  private mutating func step(_ round: inout Round, isCounter: Bool = true) throws {
    guard round.need == .decision else {
      let card = try deal()
      running &+= unsafe tags[card]
      return try round.receive(CardValue.allCases[card & 15])
    }
    try round.act(action(in: round, isCounter: isCounter))
  }

  @inline(never) private func action(in round: Round, isCounter: Bool) throws -> Action {
    let (hand, upcard, options) = (round.activeHand.hand, round.upcard, round.options)
    return isCounter
      ? try game.chart.action(for: hand, against: upcard, options: options, count: count)
      : try game.chart.chart.action(for: hand, against: upcard, options: options)
  }

  /// Plays a round of several hands: first the counter's, which are none while sitting out, then the others'.
  @inline(never) private mutating func playTable(hands: Int) throws -> (tenths: Int, halves: Int) {
    let seats = hands + game.others
    func tables(_ seat: Int) -> CountTables { seat < hands ? own : other }
    func take(_ seat: Int, _ card: Int) {
      unsafe positions[seat] = Int(tables(seat).next[positions[seat] + (card & 15)])
    }
    for seat in 0..<seats {
      unsafe positions[seat] = tables(seat).start
      splits[seat] = nil
    }
    for isUpcard in [false, true] {
      if isUpcard {
        let up = try deal()
        running += unsafe tags[up]
        for seat in 0..<seats { take(seat, up) }
      }
      for seat in 0..<seats {
        let card = try deal()
        running += unsafe tags[card]
        take(seat, card)
      }
    }
    let up = unsafe Int(shoe[dealt - seats - 1])
    var (tenths, halves) = (0, 0)
    var hole: Int?
    if game.rules.holeCard == .peek {
      let card = try deal()
      hidden += 1
      hole = card
      if up & 15 == 0, let minimum = game.chart.insurance, count >= minimum {
        (tenths, halves) = (hands * (card & 15 == 9 ? 10 : -5), hands)
      }
      for seat in 0..<seats { take(seat, card) }
    }
    for seat in 0..<seats { try playHand(of: seat, isCounter: seat < hands, tables(seat)) }
    if let hole {
      hidden = max(hidden - 1, 0)
      running += unsafe tags[hole]
    }
    try playDealer(seats, hands)
    for seat in 0..<hands {
      if let round = splits[seat] {
        tenths += round.payoffTenths
        halves += 2 * round.stakes
      } else {
        let paid = unsafe own.paid[positions[seat]]
        tenths += Int(paid.tenths)
        halves += 2 * Int(paid.stakes)
      }
    }
    return (tenths, halves)
  }

  /// Plays a hand until it waits for the dealer or is over.
  private mutating func playHand(of seat: Int, isCounter: Bool, _ tables: CountTables) throws {
    while true {
      let position = unsafe positions[seat]
      if position >= tables.limit {
        if unsafe tables.isDealers[(position - tables.limit) / 10] { return }
        let card = try deal()
        running += unsafe tags[card]
        unsafe positions[seat] = Int(tables.next[position + (card & 15)])
      } else if unsafe tables.paid[position].stakes > 0 {
        return
      } else if var round = tables.rounds[position] {
        while !round.isPlayerDone { try step(&round, isCounter: isCounter) }
        splits[seat] = round
        return
      } else {
        unsafe positions[seat] = tables.decide(position, at: count)
      }
    }
  }

  /// Draws dealer's cards while any hand waits for one.
  private mutating func playDealer(_ seats: Int, _ hands: Int) throws {
    func waits(_ seat: Int) -> Bool {
      if let round = splits[seat] { return round.need == .dealerCard }
      return unsafe positions[seat] >= (seat < hands ? own : other).limit
    }
    while (0..<seats).contains(where: waits) {
      let card = try deal()
      running += unsafe tags[card]
      for seat in 0..<seats where waits(seat) {
        if splits[seat] != nil {
          try splits[seat]?.receive(CardValue.allCases[card & 15])
        } else {
          unsafe positions[seat] = Int((seat < hands ? own : other).next[positions[seat] + (card & 15)])
        }
      }
    }
  }
}

/// The decisions of a count before a round: the bet of each hand, the hands and their first bets together, in units,
/// and the place of an even payoff in the histogram.
private struct Step {
  let bet: Int
  let hands: Int
  let stake: Int
  let even: Int
}

/// The progress of a counter alone: the cards out, their running count, the position in the table, and the number of
/// ended rounds that are not tallied yet.
private struct RoundPath {
  var offset: Int
  var running: Int
  /// The position of a payoff, so that a round begins.
  var position = 0
  var rounds = 0
}

/// An ended round of a counter alone: its payoff, and the cards out and their running count after it.
private struct EndedRound {
  let offset: UInt16
  let position: UInt16
  let running: Int32

  @inline(__always) init(_ trail: RoundPath) {
    offset = UInt16(truncatingIfNeeded: trail.offset)
    position = UInt16(truncatingIfNeeded: trail.position)
    running = Int32(truncatingIfNeeded: trail.running)
  }
}

/// An automaton laid out for the hot loop.
@safe final class CountTables {
  struct Paid {
    let tenths: Int16
    /// 0 for a position that ends no round.
    let stakes: Int16
  }

  let next: UnsafePointer<UInt16>
  let paid: UnsafePointer<Paid>
  let isDealers: UnsafePointer<Bool>
  let rounds: [Round?]
  let start: Int
  let onward: Int
  let limit: Int
  /// By position from `onward` on: where the decision begins in `counts` and `choices`; a NaN ends its counts.
  private let decisions: UnsafePointer<Int>
  private let counts: UnsafePointer<Double>
  private let choices: UnsafePointer<Int>

  init(_ automaton: CountAutomaton) {
    unsafe next = Self.copy(automaton.next)
    unsafe isDealers = Self.copy(automaton.isDealers)
    unsafe paid = Self.copy(
      automaton.specials.map { special in
        guard case .payoff(let tenths, let stakes) = special else { return Paid(tenths: 0, stakes: 0) }
        return Paid(tenths: Int16(tenths), stakes: Int16(stakes))
      })
    rounds = automaton.specials.map { if case .onward(let round) = $0 { round } else { nil } }
    var (begins, counts, choices): ([Int], [Double], [Int]) = ([], [], [])
    for special in automaton.specials[automaton.onward...] {
      begins.append(counts.count)
      guard case .decision(let bounds, let positions) = special else { continue }
      counts += bounds + [.nan]
      choices += positions
    }
    unsafe decisions = Self.copy(begins)
    unsafe self.counts = Self.copy(counts)
    unsafe self.choices = Self.copy(choices)
    (start, onward, limit) = (automaton.start, automaton.onward, automaton.limit)
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    _ = unsafe buffer.initialize(from: elements)
    return unsafe UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)
  }

  deinit {
    unsafe next.deallocate()
    unsafe paid.deallocate()
    unsafe isDealers.deallocate()
    unsafe decisions.deallocate()
    unsafe counts.deallocate()
    unsafe choices.deallocate()
  }

  /// The position after a decision by the count.
  @inline(__always) func decide(_ position: Int, at count: Double) -> Int {
    var offset = unsafe decisions[position &- onward]
    while unsafe count >= counts[offset] { offset &+= 1 }
    return unsafe choices[offset]
  }
}

extension CountTally {
  /// Adds a shoe's rounds and payoffs by count.
  mutating func add(counted: UnsafeMutableBufferPointer<Int>, of played: Int) {
    for count in 0..<counts.count + 2 {
      let (rounds, payoff) = unsafe (counted[2 &* count], counted[2 &* count &+ 1])
      guard rounds > 0 else { continue }
      let offset = Self.numbers &* count
      byCount[offset] &+= rounds
      byCount[offset &+ 1] &+= payoff
      byCount[offset &+ 2] &+= rounds &* rounds
      byCount[offset &+ 3] &+= rounds &* payoff
      byCount[offset &+ 4] &+= payoff &* payoff
      byCount[offset &+ 5] &+= rounds &* played
    }
  }
}
