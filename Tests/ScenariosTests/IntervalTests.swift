// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import TestSupport
import Testing

@Suite("The interval of a measurement at any confidence")
struct IntervalTests {
  private func isNear(_ range: ClosedRange<Double>, _ low: Double, _ high: Double) -> Bool {
    abs(range.lowerBound - low) < 1e-6 && abs(range.upperBound - high) < 1e-6
  }

  @Test("a share has Clopper and Pearson's interval: no success in 10 leaves 30.85% at 0.95")
  func share() {
    #expect(isNear(Samples.share(0, of: 10).interval(at: 0.95), 0, 1 - 0.025.tenthRoot))
    #expect(isNear(Samples.share(10, of: 10).bounds(at: 0.95), 0.05.tenthRoot, 1))
  }

  @Test("an unbounded mean has Student's interval: t for 39 degrees at 0.95 is 2.022691")
  func mean() {
    let found = Samples.mean(3, deviation: 40.0.squareRoot(), samples: 40).interval(at: 0.95)
    #expect(isNear(found, 3 - 2.022691, 3 + 2.022691))
  }

  @Test("few samples of an unbounded quantity, or equal ones, exclude nothing")
  func unbounded() {
    #expect(Samples.mean(3, deviation: 1, samples: 29).interval(at: 0.9) == -Double.infinity...Double.infinity)
    #expect(Samples.mean(3, deviation: 0, samples: 5_000).interval(at: 0.9) == -Double.infinity...Double.infinity)
  }

  @Test("a bounded mean's interval stays in its range, and equal samples still leave a wide one")
  func bounded() {
    let two = Samples.mean(1, deviation: 0, samples: 2, range: 0...1)
    #expect(two.interval(at: 0.999).upperBound == 1 && two.interval(at: 0.999).lowerBound < 0.05)
    #expect(Samples.mean(0, deviation: 0, samples: 0, range: 0...1).interval(at: 0.9) == 0...1)
    #expect(
      Samples.mean(7, deviation: 0, samples: 9, range: 0...1).interval(at: 0.9) == -Double.infinity...Double.infinity)
  }

  @Test("the one-sided bounds at 0.99 are the ends of the two-sided interval at 0.98")
  func oneSided() {
    var dice = SplitMix64(seed: 2)
    for _ in 0..<300 {
      let measurement = Samples.any(&dice)
      if case .interval = measurement.value { continue }
      let (bounds, interval) = (measurement.bounds(at: 0.99), measurement.interval(at: 0.98))
      let size = max(1, abs(measurement.estimate)) * 1e-9
      #expect(bounds.lowerBound == interval.lowerBound || abs(bounds.lowerBound - interval.lowerBound) < size)
      #expect(bounds.upperBound == interval.upperBound || abs(bounds.upperBound - interval.upperBound) < size)
    }
  }

  @Test("more confidence never makes an interval narrower, and the estimate lies in it")
  func growing() {
    var dice = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let measurement = Samples.any(&dice)
      let (narrow, wide) = (measurement.interval(at: 0.9), measurement.interval(at: 0.99))
      #expect(wide.contains(narrow.lowerBound) && wide.contains(narrow.upperBound), "\(measurement.value)")
      #expect(wide.contains(measurement.estimate), "\(measurement.value)")
    }
  }

  @Test("a given interval holds for its own confidence and below, and excludes nothing above")
  func given() {
    let found = Samples.interval(0.5, 0.4...0.7, at: 0.999)
    #expect(found.interval(at: 0.999) == 0.4...0.7)
    #expect(found.bounds(at: 0.9) == 0.4...0.7)
    #expect(found.interval(at: 0.9995) == -Double.infinity...Double.infinity)
  }

  @Test("a count's interval includes its undecided part; an exact value's has no width")
  func exact() {
    #expect(Samples.count(3, undecided: 2).interval(at: 0.99) == 3...5)
    #expect(Samples.exact(0.25).interval(at: 0.99) == 0.25...0.25)
  }

  @Test("without samples or a finite value, the interval excludes nothing")
  func nothing() {
    let everything = -Double.infinity...Double.infinity
    #expect(Samples.share(0, of: 0).interval(at: 0.99) == 0...1)
    #expect(Samples.mean(1, deviation: 0, samples: 1).interval(at: 0.99) == everything)
    #expect(Samples.mean(.nan, deviation: .nan, samples: 9).interval(at: 0.99) == everything)
    #expect(Samples.exact(.nan).interval(at: 0.99) == everything)
  }
}

extension Double {
  /// The tenth root, by Newton's method.
  fileprivate var tenthRoot: Double {
    var root = 1.0
    for _ in 0..<100 {
      let ninth = root * root * root * root * root * root * root * root * root
      root -= (ninth * root - self) / (10 * ninth)
    }
    return root
  }
}
