// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Randomness
import Testing

@Suite("The random numbers of a session")
struct SessionRandomTests {
  @Test("a draw is made of two words of the generator", arguments: ["taus2", "mt19937"])
  func words(name: String) throws {
    var random = try SessionRandom(seed: 9, generator: name)
    var generator = try GSLGenerator(named: name, seed: 9)
    for _ in 0..<100 {
      let expected = UInt64(generator.next()) << 32 | UInt64(generator.next())
      let word = random.word()
      #expect(word == expected)
    }
  }

  @Test("a draw below a bound is uniform")
  func below() throws {
    var random = try SessionRandom(seed: 11)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { counts[Int(random.below(7))] += 1 }
    // Each count has a deviation of 93.
    #expect(counts.allSatisfy { abs($0 - 10_000) < 500 })
    let minimum = (random.below(1), random.below(0))
    #expect(minimum == (0, 0))
  }

  @Test("waits have the mean asked for, and nearly the deviation and the tail of an exponential distribution")
  func waits() throws {
    var random = try SessionRandom(seed: 13)
    let waits = (0..<200_000).map { _ in random.waiting(.seconds(3)).seconds / 3 }
    let mean = waits.reduce(0, +) / 200_000
    let variance = waits.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 200_000
    #expect(abs(mean - 1) < 0.015)
    #expect(abs(variance.squareRoot() - 0.962) < 0.02)
    // The exponential law has 1.83% above four means, this one 2 to the power of -6 there: 1.56%.
    #expect(abs(Double(waits.count { $0 > 4 }) / 200_000 - 0.015_6) < 0.002)
  }

  @Test("an event of chance 0 or 1 uses no word")
  func happens() throws {
    var random = try SessionRandom(seed: 14)
    var other = try SessionRandom(seed: 14)
    let certain = (random.happens(0), random.happens(1))
    #expect(certain == (false, true))
    let words = (random.word(), other.word())
    #expect(words.0 == words.1)
    let count = (0..<10_000).count { _ in random.happens(0.25) }
    // 2500, with a deviation of 43.
    #expect(abs(count - 2_500) < 200)
  }
}
