// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@Suite("The difference of two measurements")
struct MeasurementDifferenceTests {
  private func difference(
    _ before: Measurement, _ after: Measurement, _ relation: MeasurementDifference.Relation = .independent,
    confidence: Double = 0.99
  ) -> MeasurementDifference {
    MeasurementDifference(from: before, to: after, relation: relation, confidence: confidence)
  }

  @Test("of computed values is exact")
  func exact() {
    let same = difference(Samples.exact(0.25), Samples.exact(0.25))
    #expect(same.interval == 0...0 && same.confidence == 1 && same.finding == .noDifferenceFound)
    let other = difference(Samples.exact(0.25), Samples.exact(0.75))
    #expect(other.interval == 0.5...0.5 && other.estimate == 0.5 && other.finding == .differs && !other.isSampled)
  }

  @Test("of equal infinities is 0, of different ones infinite, and of a value that is not a number unknown")
  func notFinite() {
    let never = difference(Samples.exact(.infinity), Samples.exact(.infinity))
    #expect(never.estimate == 0 && never.interval == 0...0 && never.finding == .noDifferenceFound)
    let lost = difference(Samples.exact(1), Samples.exact(.infinity))
    #expect(lost.interval == .infinity ... .infinity && lost.finding == .differs)
    let unknown = difference(Samples.exact(.nan), Samples.exact(.infinity))
    #expect(unknown.finding == .notComparable("too little is known of it"))
    #expect(difference(Samples.exact(.nan), Samples.exact(.nan), .repeated).finding == .sameByConstruction)
    #expect(FigureText.estimate(of: Samples.exact(.infinity), beside: lost) == "inf")
    #expect(FigureText.estimate(of: Samples.exact(.nan), beside: unknown) == "nan")
  }

  @Test("of counts does not overflow")
  func greatCounts() {
    let great = difference(Samples.count(.min, undecided: .max), Samples.count(.max, undecided: .max))
    #expect(great.finding == .differs && great.interval.upperBound == 3 * 0x1p63)
    #expect(Samples.count(.max, undecided: .max).interval(at: 0.99).upperBound == 0x1p64)
  }

  @Test("of counts includes the undecided parts of both")
  func counts() {
    let open = difference(Samples.count(5, undecided: 2), Samples.count(6, undecided: 1))
    #expect(open.interval == -1...2 && open.estimate == 1 && open.finding == .noDifferenceFound)
    #expect(difference(Samples.count(5, undecided: 2), Samples.count(8)).finding == .differs)
    #expect(difference(Samples.count(5), Samples.count(6)).confidence == 1)
  }

  @Test("of shares can be significant although their intervals overlap")
  func overlapping() {
    let (before, after) = (Samples.share(400, of: 1000), Samples.share(470, of: 1000))
    #expect(before.interval(at: 0.99).overlaps(after.interval(at: 0.99)))
    #expect(difference(before, after).finding == .differs)
    #expect(difference(before, Samples.share(410, of: 1000)).finding == .noDifferenceFound)
  }

  @Test("of bounded means has a narrower interval than the ends of both, and a wide one for equal samples")
  func means() {
    func mean(_ mean: Double, _ deviation: Double, _ samples: Int) -> Measurement {
      Samples.mean(mean, deviation: deviation, samples: samples, range: 0...10)
    }
    let (before, after) = (mean(4, 1, 20_000), mean(4.06, 1, 20_000))
    #expect(difference(before, after).finding == .differs)
    #expect(difference(before, after, .unknown).finding == .noDifferenceFound)
    let steady = difference(mean(1, 0, 5), mean(2, 0, 5))
    #expect(steady.finding == .noDifferenceFound && steady.confidence == 0.99)
  }

  @Test("of intervals spans their extreme differences, and their errors add up")
  func intervals() {
    let one = difference(Samples.interval(1, 0...2, at: 0.99), Samples.interval(4, 3...5, at: 0.95))
    #expect(one.interval == 1...5 && one.finding == .differs)
    #expect(abs(one.confidence - 0.94) < 1e-12)
    let none = difference(Samples.interval(1, 0...2, at: 0.3), Samples.interval(4, 3...5, at: 0.4))
    #expect(none.confidence == 0)
  }

  @Test("of possibly dependent samples is wide enough for any dependence")
  func dependent() {
    let (before, after) = (Samples.share(400, of: 1000), Samples.share(440, of: 1000))
    let (free, bound) = (difference(before, after), difference(before, after, .unknown))
    #expect(bound.interval.lowerBound < free.interval.lowerBound)
    #expect(bound.interval.upperBound > free.interval.upperBound)
    let (low, high) = (before.interval(at: 0.995), after.interval(at: 0.995))
    #expect(bound.interval == high.lowerBound - low.upperBound...high.upperBound - low.lowerBound)
  }

  @Test("of a repeated run must be exactly 0")
  func repeated() {
    let mean = Samples.mean(0.1 + 0.2, deviation: 1, samples: 100)
    let same = difference(mean, mean, .repeated)
    #expect(same.finding == .sameByConstruction && same.interval == 0...0 && same.confidence == 1)
    let off = difference(mean, Samples.mean(0.3, deviation: 1, samples: 100), .repeated)
    #expect(off.finding == .notReproduced)
    // The mean is the same, but not what it rests on.
    #expect(difference(mean, Samples.mean(0.1 + 0.2, deviation: 1, samples: 101), .repeated).finding == .notReproduced)
  }

  @Test("does not exist without intervals, or for measurements of different natures")
  func notComparable() {
    let unlike = difference(Samples.count(1), Samples.share(1, of: 2))
    #expect(unlike.finding == .notComparable("it was measured in different ways"))
    let units = Measurement(Measure("edge", meaning: "", unit: "points", kind: .exact), .exact(1))
    #expect(difference(Samples.exact(1), units).finding == .notComparable("the units differ"))
    for (before, after) in [
      (Samples.share(0, of: 0), Samples.share(1, of: 2)), (Samples.exact(.nan), Samples.exact(1)),
      (Samples.mean(1, deviation: 1, samples: 1), Samples.mean(2, deviation: 1, samples: 50)),
    ] {
      #expect(difference(before, after).finding == .notComparable("too little is known of it"))
    }
    #expect(difference(Samples.exact(.infinity), Samples.exact(.infinity)).finding == .noDifferenceFound)
  }
}
