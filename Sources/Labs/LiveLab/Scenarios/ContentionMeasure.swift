// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios
internal import Statistics

/// What a scenario measures of each policy where so many clients contend for one row: means of repetitions.
enum ContentionMeasure: String, CaseIterable {
  case time, calls

  /// The measure of a policy and a number of clients: `contention.calls[full-jitter/100]`.
  func measure(of policy: String, clients: Int) -> Measure {
    Measure(
      "contention.\(rawValue)", of: "\(policy)/\(clients)", meaning: meaning, unit: self == .time ? "s" : "calls",
      nature: .mean)
  }

  /// What was found of it.
  func found(in result: ContentionResult) -> Measurement {
    let (tally, unit) = self == .time ? (result.nanoseconds, 1e-9) : (result.calls, 1)
    return Measurement(
      measure(of: result.policy, clients: result.clients),
      .mean(tally.mean * unit, standardDeviation: tally.standardDeviation * unit, samples: tally.count))
  }

  private var meaning: String {
    switch self {
    case .time: "When the last of the clients that contend for a row had written it, in the mean"
    case .calls: "How many writes the clients that contend for a row tried, in the mean"
    }
  }
}
