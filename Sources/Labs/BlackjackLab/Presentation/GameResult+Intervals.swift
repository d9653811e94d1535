// SPDX-License-Identifier: GPL-3.0-or-later
internal import Statistics

extension GameResult {
  /// The normal interval of the EV, in bets, for a number of rounds fixed beforehand; `nil` where nothing was played.
  func evInterval(at confidence: Double) -> ClosedRange<Double>? {
    guard rounds > 1 else { return nil }
    return (try? NormalInterval(mean: ev, standardError: standardError, confidence: confidence)).map {
      $0.lower...$0.upper
    }
  }

  /// An interval of the standard deviation, in bets, for a number of rounds fixed beforehand; `nil` where too little
  /// was played.
  ///
  /// The sample variance of n rounds has itself a variance of about (m4 - s^4) / n, with m4 the fourth central moment
  /// (Cramér, "Mathematical Methods of Statistics", 1946, 27.4); its square root, half that over s.
  func deviationInterval(at confidence: Double) -> ClosedRange<Double>? {
    guard rounds > 1, standardDeviation > 0 else { return nil }
    let fourth =
      payoffs.reduce(0.0) { sum, payoff in
        let distance = Double(payoff.tenths) / 10 - ev
        return sum + Double(payoff.count) * distance * distance * distance * distance
      } / Double(rounds)
    let variance = standardDeviation * standardDeviation
    let error = (max(fourth - variance * variance, 0) / Double(rounds)).squareRoot() / (2 * standardDeviation)
    return (try? NormalInterval(mean: standardDeviation, standardError: error, confidence: confidence)).map {
      max($0.lower, 0)...$0.upper
    }
  }
}
