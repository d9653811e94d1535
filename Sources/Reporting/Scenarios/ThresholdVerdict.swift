// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import Reporting

/// What a threshold, or a whole run, comes to.
package enum Verdict: String, CaseIterable, Hashable, Sendable, Codable {
  case holds
  /// Its opposite holds, at the confidence asked for.
  case fails
  /// There are too few samples to say.
  case undecided

  /// What several come to: one that fails fails them all, and one undecided leaves the rest undecided.
  package static func all(_ parts: some Sequence<Verdict>) -> Verdict {
    parts.reduce(.holds) { whole, part in
      switch (whole, part) {
      case (.fails, _), (_, .fails): .fails
      case (.undecided, _), (_, .undecided): .undecided
      default: .holds
      }
    }
  }
}

/// A threshold beside what was found.
package struct EvaluatedThreshold: Hashable, Sendable {
  /// The threshold as the scenario writes it, for example `ev[6d] in -0.0041..-0.0040 at 0.999`.
  package let text: String
  /// The full name of the measurement it evaluates.
  package let measurement: String
  /// Who says that it must hold; empty where nobody is named.
  package let source: String
  /// The line of the scenario's file, from 1.
  package let line: Int
  /// What it comes to.
  package let verdict: Verdict
  /// What was found, for people: the figure with its interval at the threshold's confidence, and the samples.
  package let found: String
  /// For an undecided one: what would decide it, for example `about 12,000 more samples`. Empty otherwise.
  package let remedy: String
  /// The chance, before sampling, that this verdict is wrong; 0 for what is exact or counted.
  package let errorProbability: Double

  package init(
    text: String, measurement: String, source: String, line: Int, verdict: Verdict, found: String,
    remedy: String = "", errorProbability: Double
  ) {
    (self.text, self.measurement, self.source, self.line) = (text, measurement, source, line)
    (self.verdict, self.found, self.remedy, self.errorProbability) = (verdict, found, remedy, errorProbability)
  }
}

extension Sequence<EvaluatedThreshold> {
  /// Those that fail, then those that are undecided, then the rest, each in their order.
  package var worstFirst: [EvaluatedThreshold] {
    [Verdict.fails, .undecided, .holds].flatMap { verdict in filter { $0.verdict == verdict } }
  }
}

extension Table {
  /// Thresholds with what was found, the worst first; remedies and sources only where there are any.
  package init(_ thresholds: [EvaluatedThreshold], escape: (String) -> String = { $0 }) {
    let optional: [(title: String, value: (EvaluatedThreshold) -> String)] = [
      ("to decide it", \.remedy), ("source", \.source),
    ]
    let shown = optional.filter { column in thresholds.contains { !column.value($0).isEmpty } }
    self.init((["verdict", "threshold", "found"] + shown.map(\.title)).map { Column($0) })
    for one in thresholds.worstFirst {
      add(([one.verdict.rawValue, one.text, one.found] + shown.map { $0.value(one) }).map(escape))
    }
  }
}

extension EvaluatedThreshold {
  /// The evaluated threshold as `result.json` keeps it: without its line, which a comment in the scenario's file moves.
  package var json: JSONValue {
    [
      "text": .string(text), "measurement": .string(measurement), "source": .string(source),
      "judgement": .string(verdict.rawValue), "found": .string(found), "remedy": .string(remedy),
      "errorProbability": .number(errorProbability),
    ]
  }

  /// Reads a evaluated threshold back; its line is 0.
  ///
  /// - Throws: `ReportingError.badMember`.
  package init(json: JSONField) throws(ReportingError) {
    let word = try json.required("judgement")
    guard let verdict = Verdict(rawValue: try word.string()) else {
      throw word.bad(expected: "one of \(Verdict.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.init(
      text: try json.required("text").string(), measurement: try json.required("measurement").string(),
      source: try json.required("source").string(), line: 0,
      verdict: verdict, found: try json.required("found").string(),
      remedy: try json.required("remedy").string(),
      errorProbability: try json.required("errorProbability").number(in: 0...1))
  }
}

extension Threshold {
  /// The threshold beside a measurement.
  ///
  /// What is compared from one side is decided by the one-sided bounds at the confidence, so that the verdict, either
  /// way, is wrong with a chance of at most 1 minus the confidence. `in LOW..HIGH` holds when both one-sided bounds lie
  /// within (two one-sided tests; Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987), which costs no more; it fails
  /// when the two-sided interval lies wholly outside, since the true figure may be missed on either side there and the
  /// error is shared by the two. Everything else is undecided.
  ///
  /// `sharing` is among how many verdicts the error is shared: each takes its part, so that all of them together are
  /// wrong with a chance of at most 1 minus the confidence.
  package func evaluated(
    by measurement: Measurement, sharing: Int = 1, against baseline: Baseline? = nil
  ) -> EvaluatedThreshold {
    if case .relative(let comparator, let margin) = condition {
      let confidence = confidenceShared(among: sharing)
      let excess = baseline?.excess(of: measurement, over: margin, confidence: confidence)
      return evaluated(by: measurement, comparator, excess ?? .unknown("there is no baseline"), confidence: confidence)
    }
    let part = Part(of: self, measurement: measurement, sharing: sharing)
    let verdict = part.verdict(of: measurement)
    return EvaluatedThreshold(
      text: text(of: measurement.measure.fullName), measurement: measurement.measure.fullName, source: source,
      line: line, verdict: verdict, found: part.found(verdict),
      remedy: verdict == .undecided ? part.remedy : "", errorProbability: part.errorProbability)
  }

  /// The threshold beside what a run that ended early did not measure.
  func unmeasured(_ measure: Measure, sharing: Int) -> EvaluatedThreshold {
    let error = confidence == nil ? 0 : (1 - confidenceShared(among: sharing))
    return EvaluatedThreshold(
      text: text(of: measure.fullName), measurement: measure.fullName, source: source, line: line,
      verdict: .undecided, found: "nothing: the run ended before it was measured",
      remedy: "a run that is not interrupted", errorProbability: error)
  }

  /// The confidence of each of several verdicts that share the error.
  func confidenceShared(among sharing: Int) -> Double {
    guard let confidence = confidence?.value else { return 1 }
    return sharing > 1 ? 1 - (1 - confidence) / Double(sharing) : confidence
  }

  /// A threshold, a measurement that it evaluates, and its part of the error.
  struct Part {
    let threshold: Threshold
    let measurement: Measurement
    let confidence: Double
    let isShared: Bool

    init(of threshold: Threshold, measurement: Measurement, sharing: Int) {
      (self.threshold, self.measurement) = (threshold, measurement)
      (confidence, isShared) = (threshold.confidenceShared(among: sharing), sharing > 1)
    }

    /// The chance, before sampling, that the verdict is wrong.
    var errorProbability: Double {
      switch measurement.value {
      case .exact, .count: 0
      case .proportion, .mean: 1 - confidence
      case .interval(_, _, _, let own, _): 1 - own
      }
    }

    /// What some figures come to: those found, or those that more samples would make of them.
    func verdict(of measurement: Measurement) -> Verdict {
      let bounds = measurement.bounds(at: confidence)
      switch threshold.condition {
      case .compared(let comparator, let number):
        return Self.verdict(bounds, comparator, number.value)
      case .within(let low, let high):
        if bounds.lowerBound >= low.value && bounds.upperBound <= high.value { return .holds }
        let interval = measurement.interval(at: confidence)
        return interval.upperBound < low.value || interval.lowerBound > high.value ? .fails : .undecided
      case .relative: return .undecided
      }
    }

    static func verdict(
      _ bounds: ClosedRange<Double>, _ comparator: Comparator, _ number: Double
    ) -> Verdict {
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

extension EvaluatedThreshold {
  /// The chance, before sampling, that any of several verdicts is wrong: at most the sum of theirs (Boole's
  /// inequality), whatever they have to do with one another.
  package static func errorProbability(ofAll thresholds: some Sequence<EvaluatedThreshold>) -> Double {
    min(1, thresholds.reduce(0) { $0 + $1.errorProbability })
  }
}

extension Threshold.Part {
  /// What was found, for people: the figure, what it is known to lie in as far as it decided the verdict, and the
  /// samples; in percent where the threshold is.
  func found(_ verdict: Verdict) -> String {
    switch measurement.value {
    case .exact(let value):
      value.isNaN ? "no number" : figure(value, decimals: decimals(for: [value], width: nil)) + unit
    case .count(let count, let undecided):
      NumberFormat.grouped(count) + unit
        + (undecided > 0 ? ", and \(NumberFormat.grouped(undecided)) undecided" : "")
    case .proportion(_, let trials):
      trials < 1 ? "no samples" : sampled(verdict, samples: trials)
    case .mean(let mean, _, let samples):
      samples < 1 ? "no samples" : mean.isNaN ? "no number" : sampled(verdict, samples: samples)
    case .interval(let value, _, _, let own, let samples):
      value.isNaN ? "no number" : sampled(verdict, samples: samples, at: own)
    }
  }

  /// Where only one-sided bounds decide, those are shown: the two ends hold at the confidence each, not together.
  private func sampled(_ verdict: Verdict, samples: Int, at own: Double? = nil) -> String {
    var isTwoSided = false
    if case .within = threshold.condition { isTwoSided = verdict != .holds }
    let range = isTwoSided ? measurement.interval(at: confidence) : measurement.bounds(at: confidence)
    let count = samples > 0 ? "; \(NumberFormat.grouped(samples)) \(samples == 1 ? "sample" : "samples")" : ""
    let estimate = measurement.estimate
    let width = max(range.upperBound - estimate, estimate - range.lowerBound)
    guard width.isFinite else {
      return figure(estimate, decimals: decimals(for: [estimate], width: nil)) + unit
        + " (nothing known at \(NumberFormat.shortest(confidence))\(count))"
    }
    let decimals = decimals(for: [estimate, range.lowerBound, range.upperBound], width: width)
    let ends = figure(range.lowerBound, decimals: decimals) + ".." + figure(range.upperBound, decimals: decimals)
    let confidence = NumberFormat.shortest(own ?? Self.tidied(confidence))
    return figure(estimate, decimals: decimals) + unit
      + " (\(ends)\(isTwoSided || own != nil ? "" : ", each end") at \(confidence)\(count))"
  }

  private var isPercent: Bool { threshold.condition.numbers.contains(where: \.isPercent) }

  private var unit: String {
    measurement.measure.unit.isEmpty || isPercent ? "" : " \(measurement.measure.unit)"
  }

  private func figure(_ value: Double, decimals: Int) -> String {
    digits(value, decimals: decimals) + (isPercent ? "%" : "")
  }

  private func digits(_ value: Double, decimals: Int) -> String {
    let (scaled, whole) = isPercent ? (value * 100, 100.0) : (value, 1)
    return isShare
      ? NumberFormat.share(scaled, decimals: decimals, of: whole) : NumberFormat.fixed(scaled, decimals: decimals)
  }

  /// Whether it is a part of a whole, or a mere number that is known to lie where such a part does: then neither
  /// nothing nor all of it may be claimed by rounding.
  private var isShare: Bool {
    if case .proportion = measurement.value { return true }
    guard measurement.measure.unit.isEmpty else { return false }
    let range = measurement.bounds(at: confidence)
    return range.lowerBound >= 0 && range.upperBound <= 1
  }

  /// As many decimals as the width deserves - two digits of it - or six digits of what has none, and as many more as it
  /// takes for the figures to stand on the same side of the threshold's numbers as printed as they do in truth; at
  /// most 12.
  private func decimals(for values: [Double], width: Double?) -> Int {
    let scale = isPercent ? 100.0 : 1
    let size = (width.map { $0 / 10 } ?? (abs(values.first ?? 0) / 1e5)) * scale
    let isWhole = width == nil && values.allSatisfy { ($0 * scale).rounded() == $0 * scale }
    var decimals = size > 0 && size.isFinite && !isWhole ? min(12, max(0, Int((-log10(size)).rounded(.up)))) : 0
    func isFaithful(_ decimals: Int) -> Bool {
      values.allSatisfy { value in
        let printed = Double(digits(value, decimals: decimals)) ?? .nan
        return threshold.condition.numbers.allSatisfy { number in
          let bound = number.isPercent ? number.written : number.written * scale
          return (printed < bound, printed > bound) == (value < number.value, value > number.value)
        }
      }
    }
    while decimals < 12, !isFaithful(decimals) { decimals += 1 }
    return decimals
  }

  /// A confidence without the digits that rounding leaves behind its own.
  static func tidied(_ confidence: Double) -> Double {
    Double(String(format: "%.12g", confidence)) ?? confidence
  }
}

extension Threshold.Part {
  /// More samples than this in all are not reckoned with.
  private static let mostSamples = 1_000_000_000_000

  /// What would decide an undecided threshold, if the figures stay as they are.
  var remedy: String {
    switch measurement.value {
    case .exact: ""
    case .count(_, let undecided): "\(NumberFormat.grouped(undecided)) \(undecided == 1 ? "is" : "are") undecided"
    case .proportion(_, let trials):
      trials < 1 ? "some samples: there are none yet" : moreSamples
    case .mean(_, _, let samples):
      samples < 2 ? "at least \(2 - max(0, samples)) more: their deviation is not known yet" : moreSamples
    case .interval(_, _, _, let own, let samples):
      1 - own > (1 - confidence) * (1 + 1e-9)
        ? "an interval that holds at \(NumberFormat.shortest(confidence)) or more"
        : samples < 1 ? "some samples: there are none yet" : moreSamples
    }
  }

  private var moreSamples: String {
    guard measurement.estimate.isFinite else { return "a figure that is a number" }
    let bounds = threshold.condition.numbers.map(\.value)
    if bounds.contains(measurement.estimate) {
      return "no number of samples decides it while the estimate stays on the bound"
    }
    guard let more = samplesMissing else {
      return "more than \(NumberFormat.grouped(Self.mostSamples)) samples in all"
    }
    return "about \(NumberFormat.grouped(more)) more \(more == 1 ? "sample" : "samples")"
  }

  /// How many more samples would decide it at the rate, the mean and the deviation found, rounded up to two digits;
  /// `nil` where it is more than anybody draws.
  var samplesMissing: Int? {
    guard let samples = measurement.samples, samples > 0 else { return nil }
    var (tooFew, enough) = (samples, samples)
    repeat {
      tooFew = enough
      guard enough <= Self.mostSamples / 2 else { return nil }
      enough *= 2
    } while !isDecided(by: enough)
    while enough - tooFew > 1 {
      let middle = tooFew + (enough - tooFew) / 2
      if isDecided(by: middle) { enough = middle } else { tooFew = middle }
    }
    var more = Self.roundedUp(enough - samples)
    // Successes are whole: at a few samples the share goes up and down on its way, so the rounded number is tried too.
    while !isDecided(by: samples + more) { more = Self.roundedUp(more + 1) }
    return more
  }

  private func isDecided(by samples: Int) -> Bool {
    verdict(of: measurement.extrapolated(to: samples)) != .undecided
  }

  /// The next whole number with at most two digits before its zeros.
  private static func roundedUp(_ number: Int) -> Int {
    var step = 1
    while number / step >= 100 { step *= 10 }
    return (number + step - 1) / step * step
  }
}

extension Measurement {
  /// The same figure from another number of samples: the same share, the same mean and deviation, an interval whose
  /// width goes with one over the square root of the samples.
  func extrapolated(to samples: Int) -> Measurement {
    switch value {
    case .exact, .count: self
    case .proportion where samples > 1_000_000:
      // The binomial distribution is as good as normal here, and its quantiles are slow. One success and one failure
      // more keep the deviation of a share that is all or nothing.
      Measurement(measure, .mean(estimate, standardDeviation: carefulDeviation, samples: samples))
    case .proportion:
      Measurement(
        measure, .proportion(successes: Int((estimate * Double(samples)).rounded()), trials: samples))
    case .mean(let mean, let deviation, _):
      Measurement(measure, .mean(mean, standardDeviation: deviation, samples: samples))
    case .interval(let value, let low, let high, let confidence, let found):
      Measurement(
        measure,
        .interval(
          value, low: Self.narrowed(low, towards: value, from: found, to: samples),
          high: Self.narrowed(high, towards: value, from: found, to: samples), confidence: confidence,
          samples: samples))
    }
  }

  /// The deviation of one trial with one success and one failure more than were found.
  private var carefulDeviation: Double {
    guard case .proportion(let successes, let trials) = value else { return 0 }
    let share = (Double(successes) + 1) / (Double(trials) + 2)
    return (share * (1 - share)).squareRoot()
  }

  private static func narrowed(_ end: Double, towards value: Double, from found: Int, to samples: Int) -> Double {
    value + (end - value) * (Double(found) / Double(samples)).squareRoot()
  }
}
