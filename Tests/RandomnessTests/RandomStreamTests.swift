// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

@Suite("A stream draws from GSL's distributions, and never fails")
struct RandomStreamTests {
  @Test("whole numbers of a range are equally likely, and each occurs")
  func integers() throws {
    var stream = try RandomStream(seed: 7)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<100_000 { counts[stream.integer(in: -4...5) + 4] += 1 }
    // Chi squared with nine degrees of freedom: above 27.9 once in a thousand.
    let squares = counts.map { Double(($0 - 10_000) * ($0 - 10_000)) / 10_000 }
    #expect(squares.reduce(0, +) < 27.9, "\(counts)")
  }

  @Test("ranges of up to 2^32 numbers are drawn from, and wider or empty ones give their lower bound")
  func widest() throws {
    var stream = try RandomStream(seed: 7)
    for _ in 0..<100 {
      #expect((0..<1 << 32).contains(stream.integer(in: 0..<1 << 32)))
      #expect(stream.integer(in: 5..<5) == 5)
      #expect(stream.integer(in: .min...Int.max) == .min)
    }
  }

  @Test("equal seeds give equal draws, other seeds others")
  func seeds() throws {
    var one = try RandomStream(seed: 7)
    var same = try RandomStream(seed: 7)
    var other = try RandomStream(seed: 8)
    let draws = (0..<20).map { _ in one.gaussian() }
    #expect(draws == (0..<20).map { _ in same.gaussian() })
    #expect(draws != (0..<20).map { _ in other.gaussian() })
  }

  @Test("each distribution has the mean that it should")
  func means() throws {
    func mean(_ draw: (inout RandomStream) -> Double) throws -> Double {
      var stream = try RandomStream(seed: 7)
      return (0..<200_000).reduce(0) { sum, _ in sum + draw(&stream) } / 200_000
    }
    #expect(abs(try mean { $0.uniform() } - 0.5) < 0.003)
    #expect(abs(try mean { $0.uniform(from: -2, to: 6) } - 2) < 0.03)
    #expect(abs(try mean { $0.exponential(mean: 3) } - 3) < 0.03)
    #expect(abs(try mean { $0.gaussian(mean: 5, standardDeviation: 2) } - 5) < 0.02)
    #expect(abs(try mean { $0.gamma(shape: 2, scale: 3) } - 6) < 0.05)
    #expect(abs(try mean { $0.beta(2, 3) } - 0.4) < 0.003)
    #expect(abs(try mean { $0.logNormal(mean: 0, standardDeviation: 0.5) } - 1.1331) < 0.008)
    #expect(abs(try mean { Double($0.poisson(mean: 4)) } - 4) < 0.03)
    #expect(abs(try mean { Double($0.binomial(trials: 10, chance: 0.3)) } - 3) < 0.02)
    #expect(abs(try mean { Double($0.geometric(chance: 0.25)) } - 4) < 0.05)
    #expect(abs(try mean { $0.happens(0.3) ? 1 : 0 } - 0.3) < 0.006)
  }

  @Test("an impossible parameter gives NaN, 0 or no element")
  func parameters() throws {
    var stream = try RandomStream(seed: 7)
    #expect(stream.exponential(mean: -1).isNaN)
    #expect(stream.exponential(mean: .nan).isNaN)
    #expect(stream.gaussian(standardDeviation: -1).isNaN)
    #expect(stream.gamma(shape: 0, scale: 1).isNaN)
    #expect(stream.beta(1, -1).isNaN)
    #expect(stream.uniform(from: 1, to: 1).isNaN)
    #expect(stream.poisson(mean: -1) == 0)
    #expect(stream.binomial(trials: -1, chance: 0.5) == 0)
    #expect(stream.element(of: [Int]()) == nil)
  }

  @Test("shuffling keeps every element, and every order is equally likely")
  func shuffles() throws {
    var stream = try RandomStream(seed: 7)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<60_000 {
      var cards = [1, 2, 3]
      stream.shuffle(&cards)
      counts[cards, default: 0] += 1
    }
    #expect(counts.count == 6)
    // Chi squared with five degrees of freedom: above 20.5 once in a thousand.
    #expect(counts.values.map { Double(($0 - 10_000) * ($0 - 10_000)) / 10_000 }.reduce(0, +) < 20.5)
  }
}
