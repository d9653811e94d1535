// SPDX-License-Identifier: GPL-3.0-or-later
internal import CGSL
internal import Randomness

/// What a generator of the GNU Scientific Library reads its words from inside a property: the tape.
@safe
struct GSLWordFeed {
  /// The words that a sample shrinks towards, by their place in the span.
  ///
  /// One word for all places would not do: a sampler by rejection that refuses it would ask for ever. After the words
  /// given come those of a fixed sequence, which looks random, so that every sampler ends that ends by chance.
  struct Simplest: Sendable {
    /// Good for samplers that invert a distribution function: the smallest value.
    static let lowest = Simplest(words: [0, 1 << 30, 1 << 31])

    let words: [UInt32]

    func word(at place: Int) -> UInt32 {
      if place < words.count { return words[place] }
      // The output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
      var bits = UInt64(truncatingIfNeeded: place) &* 0x9e37_79b9_7f4a_7c15
      bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
      bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
      return UInt32(truncatingIfNeeded: (bits ^ bits >> 31) >> 32)
    }
  }

  private let draws: UnsafeMutablePointer<Draws>
  private let simplest: Simplest
  private var place = 0
  /// Why the tape gave no more words. GSL cannot be told, so it is given words that let it come to an end.
  private(set) var failure: (any Error)?

  init(_ draws: UnsafeMutablePointer<Draws>, _ simplest: Simplest) {
    unsafe self.draws = draws
    self.simplest = simplest
  }

  /// What GSL calls for every word.
  static let callback: @convention(c) (UnsafeMutableRawPointer?) -> UInt32 = { context in
    guard let feed = unsafe context?.assumingMemoryBound(to: GSLWordFeed.self) else { return 0 }
    return unsafe feed.pointee.next()
  }

  private mutating func next() -> UInt32 {
    let target = simplest.word(at: place)
    place += 1
    guard failure == nil else { return target }
    do {
      return unsafe try draws.pointee.word(towards: target)
    } catch {
      failure = error
      return target
    }
  }
}

extension Draws {
  /// A uniform word that shrinks towards another than 0.
  fileprivate mutating func word(towards target: UInt32) throws -> UInt32 {
    let domain = TapeEntry(tag: .word, value: 0, lower: 0, upper: UInt64(UInt32.max), target: UInt64(target))
    return UInt32(truncatingIfNeeded: try choose(domain) { draws in UInt64(draws.words.next()) })
  }

  /// Runs code on a source of words that reads the tape, in a span of its own.
  mutating func withWordSource<Result: ~Copyable>(
    _ simplest: GSLWordFeed.Simplest, _ body: (assay_word_source) throws -> Result
  ) throws -> Result {
    try open(SpanKind.words.rawValue)
    let result = try unsafe withUnsafeMutablePointer(to: &self) { draws throws -> Result in
      var feed = unsafe GSLWordFeed(draws, simplest)
      let result = try unsafe withUnsafeMutablePointer(to: &feed) { feed throws -> Result in
        try unsafe body(assay_word_source(next: GSLWordFeed.callback, context: feed))
      }
      if let failure = feed.failure { throw failure }
      return result
    }
    try close()
    return result
  }
}
