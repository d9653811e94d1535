// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import TestSupport
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
    #expect(ChiSquareTest(observed: counts, probabilities: flat).pValue > level)
  }

  @Test("a bound near 3/4 of the range, where a remainder would be a third too frequent below, is uniform")
  func largeBound() throws {
    var stream = try WordStream(seed: 12)
    let bound: UInt32 = 3 << 30
    let thirds = histogram(of: (0..<30_000).map { _ in Int(stream.below(bound) >> 30) }, cells: 3)
    #expect(ChiSquareTest(observed: thirds, probabilities: [1 / 3, 1 / 3, 1 / 3]).pValue > level)
    // The test can fail: a remainder gives the first third twice its share.
    let modulo = histogram(of: (0..<30_000).map { _ in Int((stream.next() % bound) >> 30) }, cells: 3)
    #expect(ChiSquareTest(observed: modulo, probabilities: [1 / 3, 1 / 3, 1 / 3]).pValue < level)
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
    #expect(KolmogorovSmirnovTest(sample: sample) { $0 }.pValue > level)
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
    #expect(ChiSquareTest(observed: Array(counts.values), probabilities: flat).pValue > level)
  }

  @Test("a shuffle keeps the elements, also those of a slice, of one and of none")
  func elements() throws {
    var stream = try WordStream(seed: 19)
    var slice = Array(0..<9)[2..<7]
    shuffle(&slice, using: &stream)
    #expect(slice.sorted() == [2, 3, 4, 5, 6])
    var none: [Int] = []
    shuffle(&none, using: &stream)
    #expect(none.isEmpty)
    var one = [7]
    shuffle(&one, using: &stream)
    #expect(one == [7])
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
    var generator = try GSLGenerator(named: GSLGenerator.defaultName, seed: 99)
    var counts = [[Int]](repeating: [Int](repeating: 0, count: Int(bound)), count: draws.count)
    for _ in 0..<20_000 {
      var word = draws.word(using: &generator)
      for index in 0..<draws.count { counts[index][Int(draws.draw(&word))] += 1 }
    }
    let flat = [Double](repeating: 1 / Double(bound), count: Int(bound))
    for count in counts { #expect(ChiSquareTest(observed: count, probabilities: flat).pValue > level) }
  }

  @Test("neighbouring draws of one word are independent")
  func independent() throws {
    let draws = try PackedDraw(bound: 13)
    var generator = try GSLGenerator(named: GSLGenerator.defaultName, seed: 5)
    var pairs = [Int](repeating: 0, count: 169)
    for _ in 0..<20_000 {
      var word = draws.word(using: &generator)
      for _ in 0..<4 { pairs[Int(draws.draw(&word) * 13 + draws.draw(&word))] += 1 }
    }
    #expect(ChiSquareTest(observed: pairs, probabilities: [Double](repeating: 1 / 169, count: 169)).pValue > level)
  }
}
