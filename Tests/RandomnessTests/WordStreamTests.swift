// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Randomness
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

@Suite("Three draws below three bounds from one word")
struct MixedDrawsTests {
  @Test(
    "over all 65536 words every triple of draws is equally frequent",
    arguments: [(40, 39, 38), (13, 13, 13), (1, 1, 1), (2, 3, 5), (16, 16, 16), (7, 1, 100), (4, 256, 63)]
      as [(UInt16, UInt16, UInt16)])
  func exhaustive(first: UInt16, second: UInt16, third: UInt16) {
    let outcomes = Int(first) * Int(second) * Int(third)
    var frequencies = [Int](repeating: 0, count: outcomes)
    for word in UInt16.min...UInt16.max {
      guard let draws = mixedDraws(word, below: first, second, third) else { continue }
      frequencies[(Int(draws.0) * Int(second) + Int(draws.1)) * Int(third) + Int(draws.2)] += 1
    }
    #expect(frequencies.allSatisfy { $0 == 65536 / outcomes })
  }

  @Test(
    "each draw is uniform below its bound, whether one word serves or three are needed",
    arguments: [(312, 311, 310), (5000, 4999, 4998), (2000, 10, 10)] as [(UInt32, UInt32, UInt32)])
  func uniform(bounds: (UInt32, UInt32, UInt32)) throws {
    var stream = try WordStream(seed: 31)
    var counts = [bounds.0, bounds.1, bounds.2].map { [Int](repeating: 0, count: Int($0)) }
    for _ in 0..<50_000 {
      let draws = stream.below(bounds.0, bounds.1, bounds.2)
      counts[0][Int(draws.0)] += 1
      counts[1][Int(draws.1)] += 1
      counts[2][Int(draws.2)] += 1
    }
    for count in counts {
      let flat = [Double](repeating: 1 / Double(count.count), count: count.count)
      #expect(chiSquarePValue(observed: count, probabilities: flat) > level)
    }
  }

  @Test("a shoe of 312 cards takes one word for three cards, bounds of 5000 three")
  func wordsUsed() throws {
    var shared = try WordStream(seed: 32)
    _ = shared.below(312, 311, 310)
    #expect(shared.position == 1)
    var separate = try WordStream(seed: 32)
    _ = separate.below(5000, 4999, 4998)
    #expect(separate.position == 3)
  }

  @Test("a bound of 0 gives 0 and leaves the others their draws")
  func zero() throws {
    var stream = try WordStream(seed: 33)
    for _ in 0..<100 {
      let draws = stream.below(0, 6, 1)
      #expect(draws.0 == 0 && draws.1 < 6 && draws.2 == 0)
    }
  }
}

@Suite("Several draws from one word")
struct PackedDrawsTests {
  @Test(
    "known bounds give the known number of draws per word",
    arguments: [(13, 8), (52, 5), (312, 3), (416, 3), (2, 32), (16, 8), (65536, 2), (65537, 1), (1, 32)]
      as [(UInt32, Int)])
  func count(bound: UInt32, expected: Int) throws {
    #expect(try PackedDraw(bound: bound).count == expected)
  }

  @Test("thirteen ranks refuse 2^32 mod 13^8 words, one in twenty")
  func threshold() throws {
    let draws = try PackedDraw(bound: 13)
    #expect(draws.threshold == 216_313_691)
  }

  @Test("a bound of 0 is refused")
  func zero() {
    #expect(throws: RandomnessError.self) { try PackedDraw(bound: 0) }
  }

  @Test(
    "over all 65536 words every outcome is equally frequent",
    arguments: [1, 2, 3, 5, 6, 10, 13, 40, 52, 104, 255, 256, 257, 1000, 40_000, 65_535] as [UInt16])
  func exhaustive16(bound: UInt16) throws {
    checkExactness(try PackedDraws<UInt16>(bound: bound))
  }

  @Test("over all 256 words too, for every bound there is", arguments: 1...255 as ClosedRange<UInt8>)
  func exhaustive8(bound: UInt8) throws {
    checkExactness(try PackedDraws<UInt8>(bound: bound))
  }

  /// Plays every word there is: accepted words must fall evenly over all sequences of draws.
  private func checkExactness<Word>(_ draws: PackedDraws<Word>) {
    let outcomes = (0..<draws.count).reduce(1) { product, _ in product * Int(draws.bound) }
    var frequencies = [Int](repeating: 0, count: outcomes)
    for word in Word.min...Word.max where draws.accepts(word) {
      var rest = word
      var outcome = 0
      for _ in 0..<draws.count { outcome = outcome * Int(draws.bound) + Int(draws.draw(&rest)) }
      frequencies[outcome] += 1
    }
    let accepted = frequencies.reduce(0, +)
    #expect(frequencies.allSatisfy { $0 == accepted / outcomes && $0 > 0 })
    #expect(accepted == (1 << Word.bitWidth) - Int(draws.threshold))
    #expect(draws.count == 1 || accepted * 16 > 15 << Word.bitWidth)
  }

  @Test("32-bit draws are uniform in every place of the word", arguments: [13, 52, 312] as [UInt32])
  func uniform(bound: UInt32) throws {
    let draws = try PackedDraw(bound: bound)
    var stream = try WordStream(seed: 99)
    var counts = [[Int]](repeating: [Int](repeating: 0, count: Int(bound)), count: draws.count)
    for _ in 0..<20_000 {
      var word = draws.word(using: &stream)
      for place in 0..<draws.count { counts[place][Int(draws.draw(&word))] += 1 }
    }
    let flat = [Double](repeating: 1 / Double(bound), count: Int(bound))
    for count in counts { #expect(chiSquarePValue(observed: count, probabilities: flat) > level) }
  }

  @Test("neighbouring draws of one word are independent")
  func independent() throws {
    let draws = try PackedDraw(bound: 13)
    var stream = try WordStream(seed: 5)
    var pairs = [Int](repeating: 0, count: 169)
    for _ in 0..<20_000 {
      var word = draws.word(using: &stream)
      for _ in 0..<4 { pairs[Int(draws.draw(&word) * 13 + draws.draw(&word))] += 1 }
    }
    #expect(chiSquarePValue(observed: pairs, probabilities: [Double](repeating: 1 / 169, count: 169)) > level)
  }
}
