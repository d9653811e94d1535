// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// A feed read card by card.
@safe
struct CardCursor: ~Copyable {
  private var feed: CardFeed
  /// The batch being read.
  private(set) var cards: UnsafeBufferPointer<UInt16>
  /// The next card's place in the batch.
  var position = 0

  init(_ feed: consuming CardFeed) {
    self.feed = feed
    unsafe cards = UnsafeBufferPointer(start: nil, count: 0)
  }

  /// The most cards that a batch can hold.
  var capacity: Int { feed.capacity }

  /// Starts the feed anew from a seed.
  mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try feed.reseed(seed)
    unsafe cards = UnsafeBufferPointer(start: nil, count: 0)
    position = 0
  }

  /// The cards left in the batch.
  @inline(__always)
  var count: Int { unsafe cards.count &- position }

  /// Whether fewer cards than that are left in the batch.
  @inline(__always)
  func isShort(of needed: Int) -> Bool { count < needed }

  /// Fetches the next batch; cards left of this one are not dealt.
  mutating func refill() {
    unsafe cards = feed.nextBatch()
    position = 0
  }

  /// The next card.
  @inline(__always)
  mutating func next() -> UInt16 {
    if count == 0 { refill() }
    defer { position &+= 1 }
    return unsafe cards[position]
  }
}
