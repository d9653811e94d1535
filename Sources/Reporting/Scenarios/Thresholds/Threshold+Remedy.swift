// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

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
    judgement(of: measurement.extrapolated(to: samples)) != .undecided
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
