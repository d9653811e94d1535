// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

extension Threshold {
  /// The threshold beside a measurement.
  ///
  /// What is compared from one side is decided by the one-sided bounds at the confidence, so that the judgement, either
  /// way, is wrong with a chance of at most 1 minus the confidence. `in LOW..HIGH` holds when both one-sided bounds lie
  /// within (two one-sided tests; Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987), which costs no more; it fails
  /// when the two-sided interval lies wholly outside, since the true figure may be missed on either side there and the
  /// error is shared by the two. Everything else is undecided.
  ///
  /// - Parameters:
  ///   - measurement: what was found.
  ///   - sharing: among how many judgements the error is shared: each takes its part, so that all of them together are
  ///     wrong with a chance of at most 1 minus the confidence. 1 or more.
  ///   - baseline: the earlier run that a relative threshold compares with.
  /// - Returns: the judgement, what was found, and what would decide it.
  package func judged(
    by measurement: Measurement, sharing: Int = 1, against baseline: Baseline? = nil
  ) -> JudgedThreshold {
    if case .relative(let comparator, let margin) = condition {
      let confidence = confidenceShared(among: sharing)
      let excess = baseline?.excess(of: measurement, over: margin, confidence: confidence)
      return judged(by: measurement, comparator, excess ?? .unknown("there is no baseline"), confidence: confidence)
    }
    let part = Part(of: self, measurement: measurement, sharing: sharing)
    let judgement = part.judgement(of: measurement)
    return JudgedThreshold(
      text: text(of: measurement.measure.fullName), measurement: measurement.measure.fullName, source: source,
      line: line, judgement: judgement, found: part.found(judgement),
      remedy: judgement == .undecided ? part.remedy : "", errorProbability: part.errorProbability)
  }

  /// The threshold beside what a run that ended early did not measure.
  func unmeasured(_ measure: Measure, sharing: Int) -> JudgedThreshold {
    let error = confidence == nil ? 0 : (1 - confidenceShared(among: sharing))
    return JudgedThreshold(
      text: text(of: measure.fullName), measurement: measure.fullName, source: source, line: line,
      judgement: .undecided, found: "nothing: the run ended before it was measured",
      remedy: "a run that is not interrupted", errorProbability: error)
  }

  /// The confidence of each of several judgements that share the error.
  func confidenceShared(among sharing: Int) -> Double {
    guard let confidence = confidence?.value else { return 1 }
    return sharing > 1 ? 1 - (1 - confidence) / Double(sharing) : confidence
  }

  /// A threshold, a measurement that it judges, and its part of the error.
  struct Part {
    let threshold: Threshold
    let measurement: Measurement
    let confidence: Double
    let isShared: Bool

    init(of threshold: Threshold, measurement: Measurement, sharing: Int) {
      (self.threshold, self.measurement) = (threshold, measurement)
      (confidence, isShared) = (threshold.confidenceShared(among: sharing), sharing > 1)
    }

    /// The chance, before sampling, that the judgement is wrong.
    var errorProbability: Double {
      switch measurement.value {
      case .exact, .count: 0
      case .proportion, .mean: 1 - confidence
      case .interval(_, _, _, let own, _): 1 - own
      }
    }

    /// What some figures come to: those found, or those that more samples would make of them.
    func judgement(of measurement: Measurement) -> Judgement {
      let bounds = measurement.bounds(at: confidence)
      switch threshold.condition {
      case .compared(let comparator, let number):
        return Self.judgement(bounds, comparator, number.value)
      case .within(let low, let high):
        if bounds.lowerBound >= low.value && bounds.upperBound <= high.value { return .holds }
        let interval = measurement.interval(at: confidence)
        return interval.upperBound < low.value || interval.lowerBound > high.value ? .fails : .undecided
      case .relative: return .undecided
      }
    }

    static func judgement(
      _ bounds: ClosedRange<Double>, _ comparator: Comparator, _ number: Double
    ) -> Judgement {
      let (low, high) = (bounds.lowerBound, bounds.upperBound)
      let (holds, fails) =
        switch comparator {
        case .atLeast: (low >= number, high < number)
        case .above: (low > number, high <= number)
        case .atMost: (high <= number, low > number)
        case .below: (high < number, low >= number)
        case .equal: (low == number && high == number, !bounds.contains(number))
        case .unequal: (!bounds.contains(number), low == number && high == number)
        }
      return holds ? .holds : fails ? .fails : .undecided
    }
  }
}

extension JudgedThreshold {
  /// The chance, before sampling, that any of several judgements is wrong: at most the sum of theirs (Boole's
  /// inequality), whatever they have to do with one another.
  ///
  /// - Parameter thresholds: those of a run.
  /// - Returns: a probability, at most 1.
  package static func errorProbability(ofAll thresholds: some Sequence<JudgedThreshold>) -> Double {
    min(1, thresholds.reduce(0) { $0 + $1.errorProbability })
  }
}
