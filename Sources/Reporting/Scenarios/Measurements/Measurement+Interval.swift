// SPDX-License-Identifier: GPL-3.0-or-later
internal import Statistics

extension Measurement {
  /// What the true figure lies in, both ends together holding at a confidence.
  ///
  /// Clopper and Pearson's interval for a proportion and Student's for a mean, with the same error at both ends; what
  /// is exact is its own interval; a count reaches as far as what is undecided. An interval that the measurement brings
  /// along holds at its own confidence and is given as it is for that and anything less. Where nothing is known - no
  /// samples, too few for a deviation, more confidence than there is - it reaches as far as the figure can.
  ///
  /// - Parameter confidence: above 0 and below 1.
  /// - Returns: the interval, closed.
  package func interval(at confidence: Double) -> ClosedRange<Double> {
    ends(tail: (1 - confidence) / 2, error: 1 - confidence)
  }

  /// What the true figure lies in, each end by itself holding at a confidence: from the one-sided lower bound to the
  /// one-sided upper bound.
  ///
  /// At 0.99 these are the ends of the two-sided interval at 0.98. An interval that the measurement brings along cannot
  /// be split so and keeps its ends.
  ///
  /// - Parameter confidence: above 0.5 and below 1.
  /// - Returns: the two bounds.
  package func bounds(at confidence: Double) -> ClosedRange<Double> {
    ends(tail: 1 - confidence, error: 1 - confidence)
  }

  /// - Parameters:
  ///   - tail: the chance, before sampling, that the figure lies below the lower end, and that it lies above the upper.
  ///   - error: the most that the chance of lying outside may be for an interval that cannot be made anew.
  /// - Returns: the interval, closed.
  private func ends(tail: Double, error: Double) -> ClosedRange<Double> {
    switch value {
    case .exact(let value):
      Self.range(value, value)
    case .count(let count, let undecided):
      Double(count)...Double(count + max(0, undecided))
    case .proportion(let successes, let trials):
      Self.proportion(successes, of: trials, tail: tail)
    case .mean(let mean, let deviation, let samples):
      Self.mean(mean, deviation: deviation, samples: samples, tail: tail)
    case .interval(_, let low, let high, let confidence, _):
      // The error is 1 minus a decimal, so that rounding must not refuse the very confidence the interval has.
      1 - confidence <= error * (1 + 1e-9) ? Self.range(low, high) : Self.everything
    }
  }

  private static let everything = -Double.infinity...Double.infinity

  private static func range(_ low: Double, _ high: Double) -> ClosedRange<Double> {
    low <= high ? low...high : everything
  }

  private static func proportion(_ successes: Int, of trials: Int, tail: Double) -> ClosedRange<Double> {
    guard let interval = try? BinomialInterval(successes: successes, trials: trials, confidence: 1 - 2 * tail) else {
      return 0...1
    }
    return range(interval.lower, interval.upper)
  }

  private static func mean(
    _ mean: Double, deviation: Double, samples: Int, tail: Double
  ) -> ClosedRange<Double> {
    guard samples >= 2, deviation >= 0, mean.isFinite,
      let quantile = try? Quantile.studentT(tail, degreesOfFreedom: Double(samples - 1))
    else { return everything }
    let halfWidth = -quantile * deviation / Double(samples).squareRoot()
    return range(mean - halfWidth, mean + halfWidth)
  }
}
