// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import TestSupport
import Testing

@Suite("A threshold holds, fails or is undecided by the confidence bounds")
struct EvaluationTests {
  private func evaluated(_ text: String, _ measurement: Measurement, bonferroniDivisor: Int = 1) throws
    -> EvaluatedThreshold
  {
    try Threshold(text).evaluated(by: measurement, bonferroniDivisor: bonferroniDivisor)
  }

  @Test("a share holds when its lower bound does, fails when its upper bound does not")
  func shares() throws {
    // 0.05^(1/n) is the lower bound after n successes of n: 59 trials are the fewest that show 95% at 0.95.
    #expect(try evaluated("success >= 95% at 0.95", Samples.share(59, of: 59)).verdict == .holds)
    #expect(try evaluated("success >= 95% at 0.95", Samples.share(58, of: 58)).verdict == .undecided)
    #expect(try evaluated("success >= 95% at 0.95", Samples.share(50, of: 100)).verdict == .fails)
    #expect(try evaluated("success < 5% at 0.95", Samples.share(0, of: 59)).verdict == .holds)
    #expect(try evaluated("success > 50% at 0.99", Samples.share(1, of: 50)).verdict == .fails)
    #expect(try evaluated("success <= 5% at 0.99", Samples.share(0, of: 0)).verdict == .undecided)
  }

  @Test("an interval holds by two one-sided tests and fails by the two-sided interval")
  func within() throws {
    // Student's t for 99 degrees: 1.6604 one-sided and 1.9842 two-sided at 0.95; the standard error is 1.
    func verdict(_ range: String) throws -> Verdict {
      try evaluated("ev[6d] in \(range) at 0.95", Samples.mean(0, deviation: 10, samples: 100)).verdict
    }
    #expect(try verdict("-1.67..1.67") == .holds)
    #expect(try verdict("-1.65..1.67") == .undecided)
    #expect(try verdict("1.7..9") == .undecided)
    #expect(try verdict("2..9") == .fails)
    #expect(try verdict("-9..-2") == .fails)
  }

  @Test("a count is compared as a number; its undecided part matters only if it could change the verdict")
  func counts() throws {
    #expect(try evaluated("mismatches == 0", Samples.count(0)).verdict == .holds)
    #expect(try evaluated("mismatches == 0", Samples.count(0, undecided: 1)).verdict == .undecided)
    #expect(try evaluated("mismatches == 0", Samples.count(1, undecided: 1)).verdict == .fails)
    #expect(try evaluated("mismatches != 0", Samples.count(1, undecided: 5)).verdict == .holds)
    #expect(try evaluated("mismatches != 0", Samples.count(0)).verdict == .fails)
    #expect(try evaluated("mismatches <= 3", Samples.count(1, undecided: 2)).verdict == .holds)
    #expect(try evaluated("mismatches in 1..2", Samples.count(1, undecided: 2)).verdict == .undecided)
  }

  @Test("an exact value is compared with exactly the number that was written")
  func exact() throws {
    #expect(try evaluated("edge == 7%", Samples.exact(0.07)).verdict == .holds)
    #expect(try evaluated("edge in -0.1..0.3", Samples.exact(0.3)).verdict == .holds)
    #expect(try evaluated("edge > 0.3", Samples.exact(0.3)).verdict == .fails)
    #expect(try evaluated("edge > 0.3", Samples.exact(.nan)).verdict == .undecided)
  }

  @Test("the opposite of a threshold has the opposite verdict, for every measurement")
  func opposites() throws {
    var dice = SplitMix64(seed: 4)
    let opposite: [Verdict: Verdict] = [.holds: .fails, .fails: .holds, .undecided: .undecided]
    for _ in 0..<2000 {
      let measurement = Samples.any(&dice)
      let number = Bool.random(using: &dice) ? measurement.estimate : measurement.interval(at: 0.9).upperBound
      guard number.isFinite else { continue }
      for (one, other) in [(Threshold.Comparator.atLeast, Threshold.Comparator.below), (.atMost, .above)] {
        let verdicts = [one, other].map { comparator in
          Threshold(name: "x", .compared(comparator, .init(number)), confidence: .init(0.95))
            .evaluated(by: measurement).verdict
        }
        #expect(verdicts[1] == opposite[verdicts[0]], "\(measurement.value) \(one) \(number)")
      }
    }
  }

  @Test("the chance of an error is 1 minus the confidence, an interval's own, or none")
  func errors() throws {
    let share = try evaluated("success >= 95% at 0.99", Samples.share(990, of: 1000))
    #expect(abs(share.errorProbability - 0.01) < 1e-12)
    let interval = try evaluated("regret < 1 at 0.9", Samples.interval(0.5, 0.4...0.7, at: 0.999))
    #expect(abs(interval.errorProbability - 0.001) < 1e-12)
    let count = try evaluated("mismatches == 0", Samples.count(0))
    #expect(count.errorProbability == 0)
  }

  @Test("verdicts that share an error take an equal part of it")
  func shared() throws {
    // 0.05/5 = 0.01, whose bound needs 90 successes of 90 where 0.05 needed 59.
    #expect(
      try evaluated("success >= 95% at 0.95", Samples.share(89, of: 89), bonferroniDivisor: 5).verdict == .undecided)
    let evaluated = try evaluated("success >= 95% at 0.95", Samples.share(90, of: 90), bonferroniDivisor: 5)
    #expect(evaluated.verdict == .holds)
    #expect(abs(evaluated.errorProbability - 0.01) < 1e-12)
    #expect(evaluated.found == "100.00% (95.01%..100.00%, each end at 0.99; all of 90 samples)")
  }

  @Test("verdicts about a fair coin are wrong no more often than stated")
  func coverage() throws {
    var dice = SplitMix64(seed: 5)
    let threshold = try Threshold("success > 0.5 at 0.9")
    var wrong = 0
    for _ in 0..<4000 {
      let heads = (0..<60).count { _ in Bool.random(using: &dice) }
      if threshold.evaluated(by: Samples.share(heads, of: 60)).verdict == .holds { wrong += 1 }
    }
    // The bound promises at most 400 in expectation; five standard deviations above that is 495.
    #expect(wrong > 0 && wrong < 495)
  }
}
