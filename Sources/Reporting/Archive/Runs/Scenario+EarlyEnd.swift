// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

extension Scenario {
  /// The thresholds beside what came out, as far as an early end leaves that honest.
  ///
  /// The interval of a proportion or a mean holds for a number of samples that was fixed beforehand. Where a run is
  /// ended early, that number depends on when somebody grew impatient, or on how long trials took, and so perhaps on
  /// what they found; nobody can tell afterwards. Such thresholds are undecided then, whatever the figures are. What is
  /// computed or counted is judged as it is, since a count says itself how much is still open, and so is an interval
  /// measure, which a kind gives after an early end only if it holds at any stopping time.
  ///
  /// - Parameter outcome: what came out.
  /// - Returns: the judged thresholds, in the scenario's order.
  func judged(by outcome: ScenarioResult) -> [JudgedThreshold] {
    let judged = judged(by: outcome.measurements)
    guard !outcome.isComplete else { return judged }
    let planned = outcome.measurements.filter(\.needsPlannedSamples).map(\.measure.fullName)
    return judged.map { planned.contains($0.measurement) ? $0.voided : $0 }
  }
}

extension Measurement {
  /// Whether its interval holds only for a number of samples that was fixed beforehand.
  fileprivate var needsPlannedSamples: Bool {
    switch value {
    case .proportion, .mean: true
    case .exact, .count, .interval: false
    }
  }
}

extension JudgedThreshold {
  /// The threshold without a judgement, which so cannot be wrong.
  fileprivate var voided: JudgedThreshold {
    JudgedThreshold(
      text: text, measurement: measurement, source: source, line: line, judgement: .undecided,
      found: "\(found), which an early end voids: the number of samples was not reached as planned",
      remedy: "a run that is not interrupted", errorProbability: 0)
  }
}
