// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore
package import Randomness

/// An endless sequence of random cards of a shoe, drawn with replacement, several to a random word.
///
/// A card is a number below the size of the shoe; `ShoeLayout.values` tells what it counts for. Dealing without
/// replacement is the dealer's business: a card that already lies on the table is passed over (`StampedShoe`,
/// `RoundLane`), which leaves every other card of the shoe the same chance, so no shoe is ever shuffled or reset.
@safe
package struct CardFeed: ~Copyable {
  /// How many cards the shoe has; 13 stand for an infinite one.
  package let shoeSize: Int
  private var generator: GSLGenerator
  private let packing: PackedDraw
  private let words: UnsafeMutableBufferPointer<UInt32>
  private let cards: UnsafeMutableBufferPointer<UInt16>
  private var filled = 0

  /// Words fetched at once.
  private static let wordsPerRefill = 256

  /// A feed of the rules' shoe.
  ///
  /// - Parameters:
  ///   - rules: say how many cards the shoe has.
  ///   - name: the name of a GSL generator.
  ///   - seed: where its words begin.
  /// - Throws: `RandomnessError` for an unknown generator.
  package init(rules: Rules, generator name: String, seed: UInt32) throws(RandomnessError) {
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

  /// Starts the feed anew from a seed.
  ///
  /// - Parameter seed: where the generator's words begin.
  /// - Throws: `RandomnessError.degenerateSeed`.
  package mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    filled = 0
    try generator.reseed(seed)
  }

  /// The next batch of cards.
  ///
  /// - Returns: some hundreds of cards, two thousand of an infinite shoe; valid until the next call.
  package mutating func nextBatch() -> UnsafeBufferPointer<UInt16> {
    unsafe generator.fill(words)
    filled =
      switch packing.count {
      case 3: unpack(3)
      case 8: unpack(8)
      default: unpack(packing.count)
      }
    return unsafe UnsafeBufferPointer(rebasing: cards[..<filled])
  }

  /// A number below the bound of the packing, exactly uniform, from a word of its own.
  mutating func choose(below packing: PackedDraw) -> UInt32 {
    var word = generator.next()
    while !packing.accepts(word) { word = generator.next() }
    return packing.draw(&word)
  }

  /// Cuts every word into cards, leaving no gap for refused words: a refused word is overwritten by the next one.
  ///
  /// Cards are written four at a time, so some lie beyond the count until others take their place.
  @inline(__always)
  private func unpack(_ count: Int) -> Int {
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
