// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness
public import Scenarios
internal import Statistics

/// Tests the estimates about sessions on simulated ones with known shares and times.
public enum ShareCalibration {
  public static let methods: [CalibrationMethod] = [
    CalibrationMethod(
      "clustered-share", "the interval at any time of a share over sessions, looked at five times",
      shares { $0.interval(alpha: 1 - $1, maximum: maxTrials) }),
    CalibrationMethod(
      "share-verdict", "whether a share over sessions reaches a target, looked at after each of 40 waves",
      verdicts { $0.verdict(target: $1, alpha: $2, maximum: maxTrials) }),
    CalibrationMethod(
      "return-times", "the interval at any time of a percentile of return times, looked at five times",
      percentiles { times, share, confidence in
        times.percentile(share, alpha: 1 - confidence, maximum: 2).map {
          units($0.interval.lowerBound)...units($0.interval.upperBound)
        }
      }),
    CalibrationMethod(
      "trials-alone", "a share over sessions as if the trials of one were independent", mutantOf: "clustered-share",
      shares { sessions, confidence in
        let interval = try BinomialInterval(
          successes: sessions.hits, trials: sessions.trials, confidence: confidence)
        return interval.lower...interval.upper
      }),
    CalibrationMethod(
      "peeking-share", "a bound for one look at independent trials, looked at after each wave",
      mutantOf: "share-verdict",
      verdicts { sessions, target, alpha in
        let interval = try BinomialInterval(successes: sessions.hits, trials: sessions.trials, confidence: 1 - alpha)
        return interval.lower >= target ? .holds : interval.upper < target ? .fails : .undecided
      }),
    CalibrationMethod(
      "nearest-percentile", "a percentile with the neighbours of its own bucket", mutantOf: "return-times",
      percentiles { times, share, _ in
        times.times.percentile(share).map { Double($0.lowerBound) - 1...Double($0.upperBound) + 1 }
      }),
  ]

  private static let maxTrials = 4

  /// Sessions of four trials that all hit or all miss, or of one trial.
  private static func wave(of sessions: Int, _ chance: Double, using generator: inout GSLGenerator) -> ClusteredShare {
    var wave = ClusteredShare()
    for _ in 0..<sessions {
      let trials = generator.share() < 0.5 ? maxTrials : 1
      wave.add(hits: generator.share() < chance ? trials : 0, of: trials)
    }
    return wave
  }

  private static func shares(
    _ interval: @escaping @Sendable (ClusteredShare, Double) throws -> ClosedRange<Double>
  ) -> [CalibrationProblem] {
    [("few", 1, 0.5), ("skewed", 20, 0.98), ("boundary", 10, 1), ("null", 40, 0.5)].map {
      (name: String, sessions: Int, chance: Double) in
      // The trials of n sessions are 2.5 n on average, the sum of their squares 8.5 n.
      let error = (chance * (1 - chance) * 8.5 / (2.5 * 2.5 * Double(5 * sessions))).squareRoot()
      return CalibrationProblem(name, standardError: error) { generator, confidence in
        var (total, found, wasWrong) = (ClusteredShare(), 0.0...1.0, false)
        for _ in 0..<5 {
          total.merge(wave(of: sessions, chance, using: &generator))
          found = try interval(total, confidence)
          if !found.contains(chance) { wasWrong = true }
        }
        return .interval(found, truth: chance, within: 0...1, wasWrong: wasWrong)
      }
    }
  }

  private static func verdicts(
    _ decide: @escaping @Sendable (ClusteredShare, _ target: Double, _ alpha: Double) throws -> Verdict
  ) -> [CalibrationProblem] {
    [("few", 1, 0.9), ("skewed", 10, 0.98), ("null", 10, 0.5)].map {
      (name: String, sessions: Int, chance: Double) in
      CalibrationProblem(name) { generator, confidence in
        // The verdict `holds` is right for a target equal to the share, and wrong for one a step above it.
        let (target, wrong): (Double, Verdict) =
          generator.share() < 0.5 ? (chance, .fails) : (chance + 1e-6, .holds)
        var (total, verdict) = (ClusteredShare(), Verdict.undecided)
        for _ in 0..<40 where verdict == .undecided {
          total.merge(wave(of: sessions, chance, using: &generator))
          verdict = try decide(total, target, 1 - confidence)
        }
        return .decision(isMade: verdict != .undecided, isWrong: verdict == wrong)
      }
    }
  }

  private static func units(_ time: Interval) -> Double {
    time == .forever ? .infinity : Double(time.nanoseconds) / Double(ReturnTimes.unit.nanoseconds)
  }

  /// Uniform times of 1 to 20 units, two equal ones per session; some clients never come back.
  private static func percentiles(
    _ interval: @escaping @Sendable (ReturnTimes, _ share: Double, Double) -> ClosedRange<Double>?
  ) -> [CalibrationProblem] {
    [
      ("few", 2, 0.5, 20, 0), ("skewed", 20, 0.95, 20, 0), ("all alike", 10, 0.5, 1, 0), ("null", 20, 0.5, 20, 0),
      ("boundary", 20, 0.9, 1, 0.1),
    ].map { (name: String, sessions: Int, share: Double, longest: Int, lost: Double) in
      let truth = (share * Double(longest)).rounded(.up)
      // The density is uniform, 1 / longest; there is no spread if all times are equal.
      let error = longest == 1 ? 0 : Double(longest) * (share * (1 - share) / Double(5 * sessions)).squareRoot()
      return CalibrationProblem(name, standardError: error) { generator, confidence in
        var (times, found, wasWrong) = (ReturnTimes(), -Double.infinity ... .infinity, false)
        for _ in 0..<5 {
          for _ in 0..<sessions {
            if generator.share() < lost {
              times.add([], lost: 2)
            } else {
              let time = ReturnTimes.unit * Int64(1 + Int(generator.share() * Double(longest)))
              times.add([time, time], lost: 0)
            }
          }
          found = interval(times, share, confidence) ?? found
          if !found.contains(truth) { wasWrong = true }
        }
        return .interval(found, truth: truth, wasWrong: wasWrong)
      }
    }
  }
}
