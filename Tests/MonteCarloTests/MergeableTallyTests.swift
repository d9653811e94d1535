// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Statistics
import Testing

@Suite("Merging tallies")
struct MergeableTallyTests {
  /// A tally that obeys nothing: floating-point sums depend on the order.
  struct FloatingSum: MergeableTally, Equatable {
    var sum = 0.0
    mutating func merge(_ other: FloatingSum) { sum += other.sum }
  }

  /// A tally that keeps the order in which it was merged.
  struct Diary: MergeableTally, Equatable {
    var days: [Int] = []
    mutating func merge(_ other: Diary) { days += other.days }
  }

  /// A tally whose empty value counts.
  struct Merges: MergeableTally, Equatable {
    var count = 0
    mutating func merge(_ other: Merges) { count += other.count + 1 }
  }

  static func samples(seed: UInt64, count: Int) -> [MomentTally] {
    var generator = SplitMix(state: seed)
    return (0..<count).map { _ in
      var tally = MomentTally()
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        tally.add(Int.random(in: -80...80, using: &generator), times: Int.random(in: 1...1000, using: &generator))
      }
      return tally
    }
  }

  @Test("Moment tallies are a commutative monoid", arguments: 0..<10 as Range<UInt64>)
  func momentsObey(seed: UInt64) {
    #expect(mergeLawViolation(among: Self.samples(seed: seed, count: 6), empty: MomentTally()) == nil)
  }

  @Test("Merging blocks in any order gives the same bits", arguments: 0..<20 as Range<UInt64>)
  func anyOrder(seed: UInt64) {
    var generator = SplitMix(state: seed &+ 1000)
    let tallies = Self.samples(seed: seed, count: 50)
    let inOrder = tallies.reduce(into: MomentTally()) { $0.merge($1) }
    let shuffled = tallies.shuffled(using: &generator).reduce(into: MomentTally()) { $0.merge($1) }
    #expect(shuffled == inOrder)
  }

  @Test("The check finds tallies that break the law, and says how")
  func findsOffenders() {
    let sums = [0.1, 0.2, 0.3].map { FloatingSum(sum: $0) }
    #expect(mergeLawViolation(among: sums, empty: FloatingSum())?.hasPrefix("the grouping matters") == true)
    let diaries = [Diary(days: [1]), Diary(days: [2])]
    #expect(mergeLawViolation(among: diaries, empty: Diary())?.hasPrefix("the order matters") == true)
    #expect(mergeLawViolation(among: [Merges()], empty: Merges())?.hasPrefix("the empty tally changes") == true)
  }
}

/// A small generator with a fixed seed, for test data only.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
