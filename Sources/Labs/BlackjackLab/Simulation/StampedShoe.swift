// SPDX-License-Identifier: GPL-3.0-or-later
public import BlackjackCore
public import Randomness

/// A fresh shoe for every round without a shuffle: cards are drawn at random, and those already on the table are
/// skipped.
///
/// A card's stamp is the number of the round that dealt it last. The card is on the table if this is the current round,
/// so a new number clears the table without touching it.
@safe struct StampedShoe: CardSource, ~Copyable {
  var feed: CardFeed
  var batch: UnsafeBufferPointer<UInt16>
  var position = 0
  var round: UInt32 = 1
  let stamps: UnsafeMutableBufferPointer<UInt32>
  let values: UnsafeMutableBufferPointer<UInt8>
  /// The values as `CardValue`, since `CardValue(rawValue:)` is a call for every card.
  private let cards: UnsafeMutableBufferPointer<CardValue>
  let isInfinite: Bool

  init(rules: Rules, generator: String, seed: UInt32) throws(RandomnessError) {
    feed = try CardFeed(rules: rules, generator: generator, seed: seed)
    unsafe batch = UnsafeBufferPointer(start: nil, count: 0)
    unsafe stamps = .allocate(capacity: feed.shoeSize)
    unsafe stamps.initialize(repeating: 0)
    let layout = ShoeLayout.values(of: rules)
    unsafe values = .allocate(capacity: layout.count)
    _ = unsafe values.initialize(from: layout)
    unsafe cards = .allocate(capacity: layout.count)
    _ = unsafe cards.initialize(from: layout.map { CardValue.allCases[Int($0)] })
    isInfinite = rules.decks == .infinite
  }

  deinit {
    unsafe stamps.deallocate()
    unsafe values.deallocate()
    unsafe cards.deallocate()
  }

  mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try feed.reseed(seed)
    unsafe batch = UnsafeBufferPointer(start: nil, count: 0)
    position = 0
    beginRound()
  }

  mutating func beginRound() {
    round &+= 1
    // Every four thousand million rounds the numbers begin again; old stamps are cleared then.
    if round == 0 {
      unsafe stamps.update(repeating: 0)
      round = 1
    }
  }

  mutating func place(_ card: Int) { unsafe stamps[card] = round }

  /// Draws the next card that is not on the table.
  mutating func draw(for seat: Seat) -> CardValue {
    while true {
      while unsafe position == batch.count { refill() }
      let card = unsafe Int(batch[position])
      position &+= 1
      if !isInfinite {
        if unsafe stamps[card] == round { continue }
        unsafe stamps[card] = round
      }
      return unsafe cards[card]
    }
  }

  /// Draws the next card of a value other than the excluded one; excluded cards go back into the shoe.
  mutating func drawHoleCard(excluding excluded: CardValue) -> CardValue {
    while true {
      let card = draw(for: .dealer)
      if card != excluded { return card }
      if !isInfinite { unsafe stamps[Int(batch[position - 1])] = round &- 1 }
    }
  }

  /// The next number, which may be that of a card on the table.
  mutating func nextCard() -> UInt16 {
    while unsafe position == batch.count { refill() }
    defer { position &+= 1 }
    return unsafe batch[position]
  }

  /// The next numbers, at most `maximum` and a multiple of `group`, at least one group.
  mutating func batch(of maximum: Int, inMultiplesOf group: Int) -> UnsafeBufferPointer<UInt16> {
    while unsafe batch.count - position < group { refill() }
    let count = unsafe min(maximum, batch.count - position) / group * group
    defer { position += count }
    return unsafe UnsafeBufferPointer(rebasing: batch[position..<(position + count)])
  }

  mutating func refill() {
    unsafe batch = feed.nextBatch()
    position = 0
  }
}

/// An endless sequence of random cards of a shoe, drawn with replacement, several to a random word.
///
/// A card is a number below the size of the shoe; `ShoeLayout.values` gives its value. The reader deals without
/// replacement: it skips a card that is already on the table (`StampedShoe`, `RoundLane`), which leaves every other
/// card of the shoe the same chance, so no shoe is ever shuffled or reset.
@safe public struct CardFeed: ~Copyable {
  /// The number of cards in the shoe; 13 for an infinite one.
  public let shoeSize: Int
  private var generator: GSLGenerator
  private let packing: PackedDraw
  private let words: UnsafeMutableBufferPointer<UInt32>
  private let cards: UnsafeMutableBufferPointer<UInt16>

  public static let wordsPerRefill = 256

  public init(rules: Rules, generator name: String, seed: UInt32) throws(RandomnessError) {
    let size = ShoeLayout.size(of: rules)
    let packing = try PackedDraw(bound: UInt32(size))
    generator = try GSLGenerator(named: name, seed: seed)
    shoeSize = size
    self.packing = packing
    unsafe words = .allocate(capacity: Self.wordsPerRefill)
    unsafe words.initialize(repeating: 0)
    unsafe cards = .allocate(capacity: Self.wordsPerRefill * packing.count + 4)
    unsafe cards.initialize(repeating: 0)
  }

  deinit {
    unsafe words.deallocate()
    unsafe cards.deallocate()
  }

  /// The most cards that a batch can hold.
  var capacity: Int { unsafe cards.count }

  public mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try generator.reseed(seed)
  }

  public mutating func nextBatch() -> UnsafeBufferPointer<UInt16> {
    unsafe generator.fill(words)
    let filled =
      switch packing.count {
      case 3: unpack(3)
      case 8: unpack(8)
      default: unpack(packing.count)
      }
    return unsafe UnsafeBufferPointer(rebasing: cards[..<filled])
  }

  /// A number below the bound of the packing, exactly uniform, from its own word.
  mutating func choose(below packing: PackedDraw) -> UInt32 {
    var word = packing.word(using: &generator)
    return packing.draw(&word)
  }

  /// Cuts every word into cards without gaps for rejected words: the next word overwrites a rejected one.
  ///
  /// Cards are written four at a time, so some lie beyond the count until they are overwritten.
  @inline(__always) private func unpack(_ count: Int) -> Int {
    let output = unsafe UnsafeMutableRawPointer(cards.baseAddress.unsafelyUnwrapped)
    var end = 0
    for position in 0..<Self.wordsPerRefill {
      var word = unsafe words[position]
      let accepted = packing.accepts(word)
      var offset = 0
      while offset < count {
        var four: UInt64 = 0
        for place in 0..<min(4, count &- offset) {
          four |= UInt64(packing.draw(&word)) &<< UInt64(16 &* place)
        }
        unsafe output.storeBytes(of: four, toByteOffset: 2 &* (end &+ offset), as: UInt64.self)
        offset &+= 4
      }
      end &+= accepted ? count : 0
    }
    return end
  }
}

/// Numbers for the cards of a shoe: the aces first, then the twos, and so on, the tens last.
enum ShoeLayout {
  static func size(of rules: Rules) -> Int {
    guard case .finite(let decks) = rules.decks else { return 13 }
    return 52 * decks
  }

  /// The value of each number, in tables of ten: ace 0 to ten 9.
  static func values(of rules: Rules) -> [UInt8] {
    CardValue.allCases.flatMap { value in
      Array(repeating: UInt8(value.index), count: count(of: value, in: rules))
    }
  }

  /// The first numbers of cards with these values; `nil` if the shoe has too few.
  static func numbers(of values: [CardValue], in rules: Rules) -> [Int]? {
    let shoe = Self.values(of: rules)
    var numbers: [Int] = []
    for value in values {
      let free = shoe.indices.first { number in
        shoe[number] == value.index && (rules.decks == .infinite || !numbers.contains(number))
      }
      guard let free else { return nil }
      numbers.append(free)
    }
    return numbers
  }

  static func count(of value: CardValue, in rules: Rules) -> Int { rules.cards(of: value) ?? value.ranksPerSuit }
}
