// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

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
