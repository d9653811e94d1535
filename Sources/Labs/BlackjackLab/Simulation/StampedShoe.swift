// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore
package import Randomness

/// A fresh shoe for every round, without a shuffle: cards are drawn at random and those that already lie on the table
/// are passed over.
///
/// Whether a card lies on the table is told by a stamp, the number of the round that dealt it last; a new round is a
/// new number, and clears the table without touching it.
@safe
package struct StampedShoe: CardSource, ~Copyable {
  var feed: CardFeed
  var batch: UnsafeBufferPointer<UInt16>
  var position = 0
  var round: UInt32 = 1
  let stamps: UnsafeMutableBufferPointer<UInt32>
  let values: UnsafeMutableBufferPointer<UInt8>
  let isInfinite: Bool

  /// A shoe of the rules' decks, fed by a generator.
  ///
  /// - Parameters:
  ///   - rules: say how many decks.
  ///   - generator: the name of a GSL generator.
  ///   - seed: where its words begin.
  /// - Throws: `RandomnessError` for an unknown generator.
  package init(rules: Rules, generator: String, seed: UInt32) throws(RandomnessError) {
    feed = try CardFeed(rules: rules, generator: generator, seed: seed)
    unsafe batch = UnsafeBufferPointer(start: nil, count: 0)
    unsafe stamps = .allocate(capacity: feed.shoeSize)
    unsafe stamps.initialize(repeating: 0)
    let layout = ShoeLayout.values(of: rules)
    unsafe values = .allocate(capacity: layout.count)
    _ = unsafe values.initialize(from: layout)
    isInfinite = rules.decks == .infinite
  }

  deinit {
    unsafe stamps.deallocate()
    unsafe values.deallocate()
  }

  /// Starts anew from a seed, with a clear table.
  ///
  /// - Parameter seed: where the generator's words begin.
  /// - Throws: `RandomnessError.degenerateSeed`.
  package mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try feed.reseed(seed)
    unsafe batch = UnsafeBufferPointer(start: nil, count: 0)
    position = 0
    beginRound()
  }

  /// Clears the table.
  package mutating func beginRound() {
    round &+= 1
    // Once in four thousand million rounds the numbers begin again, and old stamps must not be taken for new ones.
    if round == 0 {
      unsafe stamps.update(repeating: 0)
      round = 1
    }
  }

  /// Puts a particular card on the table, as if it had been dealt.
  ///
  /// - Parameter card: its number, below the size of the shoe.
  package mutating func place(_ card: Int) {
    unsafe stamps[card] = round
  }

  /// The next card that does not lie on the table yet.
  ///
  /// - Parameter seat: who gets it, which is all the same to the shoe.
  /// - Returns: what the card counts for.
  package mutating func draw(for seat: Seat) -> CardValue {
    while true {
      while unsafe position == batch.count { refill() }
      let card = unsafe Int(batch[position])
      position &+= 1
      if !isInfinite {
        if unsafe stamps[card] == round { continue }
        unsafe stamps[card] = round
      }
      return unsafe CardValue(rawValue: values[card] &+ 1) ?? .ten
    }
  }

  /// The next card of another value than the excluded one; cards of that value go back into the shoe.
  mutating func drawHoleCard(excluding excluded: CardValue) -> CardValue {
    while true {
      let card = draw(for: .dealer)
      if card != excluded { return card }
      if !isInfinite { unsafe stamps[Int(batch[position - 1])] = round &- 1 }
    }
  }

  /// A number below the total of the weights, exactly uniform.
  mutating func choose(below packing: PackedDraw) -> UInt32 { feed.choose(below: packing) }

  /// The next number, whether it lies on the table or not.
  mutating func nextCard() -> UInt16 {
    while unsafe position == batch.count { refill() }
    defer { position &+= 1 }
    return unsafe batch[position]
  }

  /// The next numbers, at most so many and a multiple of `group` of them, at least one group.
  mutating func batch(of most: Int, inMultiplesOf group: Int) -> UnsafeBufferPointer<UInt16> {
    while unsafe batch.count - position < group { refill() }
    let count = unsafe min(most, batch.count - position) / group * group
    defer { position += count }
    return unsafe UnsafeBufferPointer(rebasing: batch[position..<(position + count)])
  }

  mutating func refill() {
    unsafe batch = feed.nextBatch()
    position = 0
  }
}
