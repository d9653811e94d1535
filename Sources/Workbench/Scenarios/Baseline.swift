// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// The earlier run that relative thresholds compare with.
package struct Baseline: Sendable {
  /// Its name for people, for example `quick~1`.
  let name: String
  private let measurements: [Measurement]
  private let relation: MeasurementDifference.Relation

  package init(_ name: String, _ measurements: [Measurement], relation: MeasurementDifference.Relation) {
    (self.name, self.measurements, self.relation) = (name, measurements, relation)
  }

  /// The distance of a figure above the baseline's figure plus a margin.
  enum Excess {
    /// Each end of the interval alone is wrong with a probability of at most `error`; a negative excess lies below.
    case known(ClosedRange<Double>, error: Double, baseline: Measurement, difference: MeasurementDifference)
    case unknown(String)
  }

  /// The excess of a figure, each end of its interval at the confidence.
  ///
  /// A margin in the measure's unit moves the interval of the difference (see `MeasurementDifference`). One in percent
  /// scales the earlier figure: then the interval goes from the lowest of one to the highest of the other, which is
  /// valid for dependent figures, too.
  func excess(of measurement: Measurement, over margin: Threshold.Number, confidence: Double) -> Excess {
    guard let earlier = measurements.first(where: { $0.measure.fullName == measurement.measure.fullName }) else {
      return .unknown("the baseline '\(name)' has not measured it")
    }
    // A repeated run that gave another figure was not made by the same program, whatever its version says.
    let relation = relation == .repeated && earlier.value != measurement.value ? .unknown : relation
    // Two ends that each have the error leave their interval twice of it.
    let difference = MeasurementDifference(
      from: earlier, to: measurement, relation: relation, confidence: max(0.5, 2 * confidence - 1))
    if case .notComparable(let reason) = difference.finding { return .unknown("\(reason) from the baseline '\(name)'") }
    let error = difference.isOwn ? difference.errorProbability : difference.isCertain ? 0 : 1 - confidence
    let interval =
      margin.isPercent
      ? scaled(measurement, earlier, by: margin.value, isRepeated: relation == .repeated, confidence: confidence)
      : .spanning(difference.interval.lowerBound - margin.value, difference.interval.upperBound - margin.value)
    return .known(interval, error: error, baseline: earlier, difference: difference)
  }

  private func scaled(
    _ measurement: Measurement, _ earlier: Measurement, by share: Double, isRepeated: Bool, confidence: Double
  ) -> ClosedRange<Double> {
    let (late, early) =
      isRepeated
      ? (.spanning(measurement.estimate, measurement.estimate), .spanning(earlier.estimate, earlier.estimate))
      : (measurement.knownRange(at: confidence), earlier.knownRange(at: confidence))
    let ends = [early.lowerBound, early.upperBound].map { $0 + share * abs($0) }
    guard !ends.contains(where: \.isNaN) else { return .everything }
    let turn = early.contains(0) ? [0.0] : []
    let (low, high) = ((ends + turn).min() ?? 0, (ends + turn).max() ?? 0)
    // Infinite ends may leave no number.
    return .spanning(late.lowerBound - high, late.upperBound - low)
  }
}

extension MeasurementDifference {
  /// True if it has no sampling error.
  fileprivate var isCertain: Bool { confidence == 1 }

  /// True if its interval has a fixed confidence, which cannot be chosen.
  fileprivate var isOwn: Bool {
    if case .interval = after.value { return !isCertain }
    return false
  }
}

extension Threshold.Number {
  /// The number as written after `baseline`.
  var asMargin: String {
    written == 0 ? "" : " \(written < 0 ? "-" : "+") " + size.text
  }
}

extension Threshold {
  /// True if the threshold needs a baseline.
  package var isRelative: Bool { if case .relative = condition { true } else { false } }

  func evaluated(
    by measurement: Measurement, _ comparator: Comparator, _ excess: Baseline.Excess, confidence: Double
  ) -> EvaluatedThreshold {
    let name = measurement.measure.fullName
    func verdict(_ verdict: Verdict, found: String, advice: String, error: Double) -> EvaluatedThreshold {
      EvaluatedThreshold(
        text: text(of: name), measurement: name, source: source, line: line, verdict: verdict, found: found,
        advice: verdict == .undecided ? advice : "", errorProbability: error,
        basis: measurement.basis)
    }
    func figure(_ measurement: Measurement, _ difference: MeasurementDifference? = nil) -> String {
      FigureText.estimate(of: measurement, beside: difference)
    }
    switch excess {
    case .unknown(let reason):
      return verdict(
        .undecided, found: "\(figure(measurement)), and nothing to compare it with: \(reason)",
        advice: "a baseline that has measured it in the same way", error: 0)
    case .known(let interval, let error, let baseline, let difference):
      let later = figure(measurement, difference)
      let change = FigureText(difference.estimate, in: difference.interval, isSigned: true)
      let ends = change.range.isEmpty ? "" : " (\(change.range), each end at \(LabelVerdict.shown(1 - error)))"
      let found =
        "\(later)\(NumberFormat.unit(measurement.measure.unit, of: later)), \(figure(baseline, difference)) in the "
        + "baseline: \(change.value)\(ends)"
      // The error is 1 minus a decimal: rounding must not refuse the very confidence that was asked for.
      guard error <= (1 - confidence) * (1 + 1e-9) else {
        return verdict(
          .undecided, found: found,
          advice: "intervals that hold at \(LabelVerdict.shown(1 - (1 - confidence) / 2)) or more",
          error: error)
      }
      return verdict(
        LabelVerdict.verdict(interval, comparator, 0), found: found,
        advice: "more samples in this run, or in the baseline",
        error: error)
    }
  }
}
