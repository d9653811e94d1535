// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Randomness

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
