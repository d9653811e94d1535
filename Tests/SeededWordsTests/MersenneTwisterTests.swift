// SPDX-License-Identifier: Apache-2.0
import SeededWords
import TestSupport
import Testing

@Suite("The words of MT19937")
struct MersenneTwisterTests {
  private func words(_ count: Int, of seed: UInt32) -> [UInt32] {
    var words = MersenneTwister(seed: seed)
    return (0..<count).map { _ in words.next() }
  }

  @Test("are those that the C++ standard demands of std::mt19937 ([rand.predef]): the 10000th of seed 5489")
  func standard() {
    let found = words(10_000, of: 5489)
    #expect(found.prefix(5) == [3_499_211_612, 581_869_302, 3_890_346_734, 3_586_334_585, 545_404_204])
    #expect(found.last == 4_123_659_995)
  }

  @Test("are those of the test that GSL ships (rng/test.c): the 1000th of seed 4357")
  func library() {
    let found = words(1000, of: 4357)
    #expect(found.first == 4_293_858_116 && found.last == 1_186_927_261)
  }

  @Test("begin again with a new seed, which drops the words already computed")
  func reseed() {
    var used = MersenneTwister(seed: 1)
    for _ in 0..<1000 { _ = used.next() }
    used.reseed(2)
    #expect((0..<1000).map { _ in used.next() } == words(1000, of: 2))
  }

  @Test("give exactly uniform draws below a bound", arguments: [2, 3, 6, 52, 416, 1000] as [UInt32])
  func below(bound: UInt32) {
    var words = MersenneTwister(seed: 11)
    var counts = [Int](repeating: 0, count: Int(bound))
    for _ in 0..<100_000 { counts[Int(words.below(bound))] += 1 }
    let flat = [Double](repeating: 1 / Double(bound), count: Int(bound))
    #expect(ChiSquareTest(observed: counts, probabilities: flat).pValue > 1e-4)
    #expect(words.below(0) == 0 && words.below(1) == 0)
  }
}
