// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

@Suite("Streams of words")
struct WordStreamTests {
  @Test("a stream gives its generator's words, in order, across refills")
  func order() throws {
    var stream = try WordStream(named: "taus2", seed: 3)
    var generator = try GSLGenerator(named: "taus2", seed: 3)
    for _ in 0..<3 * WordStream.capacity { try #require(stream.next() == generator.next()) }
  }

  @Test("reseeding drops the words already fetched")
  func reseed() throws {
    var used = try WordStream(seed: 1)
    _ = used.next()
    try used.reseed(2)
    var fresh = try WordStream(seed: 2)
    for _ in 0..<10 { #expect(used.next() == fresh.next()) }
  }

  @Test("draws below a bound are uniform", arguments: [2, 3, 6, 52, 416, 1000] as [UInt32])
  func below(bound: UInt32) throws {
    var stream = try WordStream(seed: 11)
    let counts = histogram(of: (0..<100_000).map { _ in Int(stream.below(bound)) }, cells: Int(bound))
    let flat = [Double](repeating: 1 / Double(bound), count: Int(bound))
    #expect(chiSquarePValue(observed: counts, probabilities: flat) > level)
  }

  @Test("a bound near 3/4 of the range, where a remainder would be a third too frequent below, is uniform")
  func largeBound() throws {
    var stream = try WordStream(seed: 12)
    let bound: UInt32 = 3 << 30
    let thirds = histogram(of: (0..<30_000).map { _ in Int(stream.below(bound) >> 30) }, cells: 3)
    #expect(chiSquarePValue(observed: thirds, probabilities: [1 / 3, 1 / 3, 1 / 3]) > level)
    // The test can fail: a remainder gives the first third twice its share.
    let modulo = histogram(of: (0..<30_000).map { _ in Int((stream.next() % bound) >> 30) }, cells: 3)
    #expect(chiSquarePValue(observed: modulo, probabilities: [1 / 3, 1 / 3, 1 / 3]) < level)
  }

  @Test("bounds 0 and 1 give 0")
  func trivialBounds() throws {
    var stream = try WordStream(seed: 1)
    #expect(stream.below(0) == 0)
    #expect(stream.below(1) == 0)
  }

  @Test("the unit interval is covered evenly and never reaches 1")
  func unitInterval() throws {
    var stream = try WordStream(seed: 13)
    let sample = (0..<20_000).map { _ in stream.unitInterval() }
    #expect(sample.allSatisfy { $0 >= 0 && $0 < 1 })
    #expect(kolmogorovSmirnovPValue(sample) { $0 } > level)
  }
}

@Suite("Shuffles")
struct ShuffleTests {
  @Test("all 24 orders of four cards are equally frequent")
  func fourCards() throws {
    var stream = try WordStream(seed: 17)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<24_000 {
      var cards = [0, 1, 2, 3]
      shuffle(&cards, using: &stream)
      counts[cards, default: 0] += 1
    }
    #expect(counts.count == 24)
    let flat = [Double](repeating: 1 / 24, count: 24)
    #expect(chiSquarePValue(observed: Array(counts.values), probabilities: flat) > level)
  }

  @Test("a partial shuffle without putting the cards back still draws all pairs of five equally often")
  func partial() throws {
    var stream = try WordStream(seed: 18)
    var cards = [0, 1, 2, 3, 4]
    var counts = [Int](repeating: 0, count: 25)
    for _ in 0..<40_000 {
      shuffle(&cards, first: 2, using: &stream)
      counts[cards[0] * 5 + cards[1]] += 1
    }
    let pairs = (0..<25).filter { $0 / 5 != $0 % 5 }.map { counts[$0] }
    #expect(pairs.reduce(0, +) == 40_000)
    #expect(chiSquarePValue(observed: pairs, probabilities: [Double](repeating: 1 / 20, count: 20)) > level)
  }

  @Test("a shuffle keeps the elements, whatever prefix is asked for", arguments: [-1, 0, 1, 5, 99])
  func elements(prefix: Int) throws {
    var stream = try WordStream(seed: 19)
    var slice = Array(0..<9)[2..<7]
    shuffle(&slice, first: prefix, using: &stream)
    #expect(slice.sorted() == [2, 3, 4, 5, 6])
    var none: [Int] = []
    shuffle(&none, using: &stream)
    #expect(none.isEmpty)
  }
}
