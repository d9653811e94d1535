// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@testable import Statistics

@Suite("The interval of a mean without known bounds")
struct UnboundedSampleTests {
  private func sample(
    count: Int = 1_000, skewness: Double = 0, farthest: Double = 0.1, seen: ClosedRange<Double> = -3...3
  ) -> UnboundedSample {
    UnboundedSample(
      mean: 0, standardDeviation: 1, count: count,
      shape: SampleShape(skewness: skewness, farthestShare: farthest, seen: seen))
  }

  private var student: ClosedRange<Double> {
    get throws {
      let plain = UnboundedSample(mean: 0, standardDeviation: 1, count: 1_000, shape: nil)
      return try #require(plain.interval(tail: 0.01))
    }
  }

  @Test("Cochran's rule: a skewness of 6.3 needs 993 samples, one of 6.4 needs 1,024")
  func skewness() {
    #expect(sample(skewness: 6.3).interval(tail: 0.01) != nil && sample(skewness: 6.4).interval(tail: 0.01) == nil)
    #expect(sample(skewness: -6.3).interval(tail: 0.01) != nil && sample(skewness: -6.4).interval(tail: 0.01) == nil)
    #expect(sample(skewness: .nan).interval(tail: 0.01) == nil && sample(skewness: .infinity).isNearlyNormal == false)
  }

  @Test("ten samples may carry half of the variance, not more")
  func farthest() {
    #expect(sample(farthest: 0.5).interval(tail: 0.01) != nil && sample(farthest: 0.501).interval(tail: 0.01) == nil)
    #expect(sample(farthest: .nan).interval(tail: 0.01) == nil)
  }

  @Test("it is never narrower than Student's, and the long tail's side is the wider one", arguments: [-4, -1, 0, 1, 4])
  func hull(skewness: Double) throws {
    let (plain, found) = (try student, try #require(sample(skewness: skewness).interval(tail: 0.01)))
    #expect(found.lowerBound < plain.lowerBound && found.upperBound > plain.upperBound)
    let (below, above) = (plain.lowerBound - found.lowerBound, found.upperBound - plain.upperBound)
    #expect(skewness == 0 ? abs(above - below) < 1e-12 : (above > below) == (skewness > 0))
  }

  @Test("without skewness only the reserve is added: five samples at the extremes that were seen")
  func reserve() throws {
    let (plain, found) = (try student, try #require(sample(seen: -3...9).interval(tail: 0.01)))
    #expect(abs(plain.lowerBound - found.lowerBound - 0.015) < 1e-12)
    #expect(abs(found.upperBound - plain.upperBound - 0.045) < 1e-12)
  }

  @Test("Hall's transformation: T, changed by its cubic, is Student's quantile again")
  func hall() throws {
    let skewness = 4 / 1_000.0.squareRoot()
    let quantile = try Quantile.studentT(0.01, degreesOfFreedom: 999)
    let found = try #require(sample(skewness: 4, seen: -3...0).interval(tail: 0.01))
    let t = -found.upperBound * 1_000.0.squareRoot()
    // Hall (1992): g(T) = T + a T² / 3 + a² T³ / 27 + a / 6, where a is the skewness over the root of the count.
    let g = t + skewness * t * t / 3 + skewness * skewness * t * t * t / 27 + skewness / 6
    #expect(abs(g - quantile) < 1e-9)
  }
}

@Suite("The interval of a bounded mean, with bets on the observations after the first")
struct BettingSampleTests {
  private func interval(deviation: Double, count: Int, first: Int?, tail: Double = 0.01) throws -> ClosedRange<Double> {
    let first = first.map {
      FirstObservations(count: $0, mean: 0.5, squares: deviation * deviation * Double($0))
    }
    return try #require(
      BoundedSample(mean: 0.5, standardDeviation: deviation, count: count, range: 0...1, first: first)
    ).interval(tail: tail)
  }

  private func width(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }

  @Test("where the deviation is small in the range they are narrower by a quarter, elsewhere wider by a twentieth")
  func price() throws {
    let plain = width(try interval(deviation: 0.05, count: 10_000, first: nil))
    #expect(width(try interval(deviation: 0.05, count: 10_000, first: 64)) < 0.78 * plain)
    let even = width(try interval(deviation: 0.5, count: 10_000, first: nil))
    let bets = width(try interval(deviation: 0.5, count: 10_000, first: 64))
    #expect(bets >= even && bets < 1.05 * even)
  }

  @Test("they are those of a confidence sequence whose second wave holds the others")
  func sequence() throws {
    var sequence = try ConfidenceSequence(range: 0...1, unit: 0.01)
    var (first, others, all) = (MomentTally(), MomentTally(), MomentTally())
    for number in 0..<4_000 {
      let value = 50 + (number % 7 - 3)
      if number < 70 { first.add(value) } else { others.add(value) }
      all.add(value)
    }
    sequence.absorb(wave: first)
    sequence.absorb(wave: others)
    let early = FirstObservations(
      count: 70, mean: first.mean / 100, squares: first.sumOfSquaredDistances(from: first.mean) / 10_000)
    let sample = try #require(
      BoundedSample(
        mean: all.mean / 100, standardDeviation: all.standardDeviation / 100, count: 4_000, range: 0...1, first: early))
    let found = sample.interval(tail: 0.01)
    let expected = sequence.lowerBound(alpha: 0.0025)...sequence.upperBound(alpha: 0.0025)
    // The sequence also pays for the first wave, whose bets were centred at the middle.
    #expect(abs(found.lowerBound - expected.lowerBound) < 0.01 * width(expected))
    #expect(abs(found.upperBound - expected.upperBound) < 0.01 * width(expected))
  }

  @Test("first observations that cannot be are ignored")
  func invalid() throws {
    let plain = try interval(deviation: 0.1, count: 100, first: nil, tail: 0.0075)
    for first in [
      FirstObservations(count: 0, mean: 0.5, squares: 0), FirstObservations(count: 100, mean: 0.5, squares: 1),
      FirstObservations(count: 10, mean: 7, squares: 0), FirstObservations(count: 10, mean: .nan, squares: .nan),
    ] {
      let sample = BoundedSample(mean: 0.5, standardDeviation: 0.1, count: 100, range: 0...1, first: first)
      #expect(sample?.interval(tail: 0.01) == plain)
    }
  }
}
