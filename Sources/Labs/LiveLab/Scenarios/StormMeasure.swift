// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

/// What a storm measures of each policy. All of it is counted, and determined by the scenario and its seed.
struct StormMeasure: Sendable {
  let name: String
  let meaning: String
  let unit: String
  private let nature: Measure.Nature
  private let value: @Sendable (StormFinding) -> Measurement.Value

  static let all = [
    count("attempts", "attempts", "Attempts of all clients, before and after the server's return") { $0.attempts },
    count("peak", "attempts", "The most attempts in a second after the server's return") { $0.peakAfter },
    count("peakTenth", "attempts", "The most attempts in a tenth of a second after the server's return") {
      $0.peakTenth
    },
    count("peakDuring", "attempts", "The most attempts in a second while the server was down") { $0.peakDuring },
    count("accepted", "clients", "The most clients that came back in a second") { $0.peakAccepted },
    count("shed", "attempts", "Attempts that the returned server shed") { $0.shed },
    count("gaveUp", "clients", "Clients that used up their attempts, whether or not the slow cadence brought them back")
    { $0.gaveUp },
    count("back", "clients", "Clients that are back") { $0.back },
    count("missing", "clients", "Clients that were not back when nobody watched any longer") { $0.missing },
    seconds("back50", "When half of the clients were back, after the server's return") {
      $0.result.backSeconds(share: 0.5)
    },
    seconds("back95", "When 95% of the clients were back, after the server's return") {
      $0.result.backSeconds(share: 0.95)
    },
    seconds("back99", "When 99% of the clients were back, after the server's return") {
      $0.result.backSeconds(share: 0.99)
    },
    seconds("back100", "When all clients were back, after the server's return") { $0.result.backSeconds(share: 1) },
    seconds("meanBack", "When clients were back in the mean, after the server's return") { $0.result.meanBack },
    seconds("survives95", "The outage after which 95% of the clients still have an attempt") { $0.survives95 },
  ]

  /// The measure of a policy: `storm.peak[full-jitter]`.
  func measure(of policy: String) -> Measure {
    Measure("storm.\(name)", of: policy, meaning: meaning, unit: unit, nature: nature)
  }

  func found(in finding: StormFinding) -> Measurement {
    Measurement(measure(of: finding.result.policy), value(finding))
  }

  private static func count(
    _ name: String, _ unit: String, _ meaning: String, _ count: @escaping @Sendable (StormResult) -> Int
  ) -> StormMeasure {
    StormMeasure(name: name, meaning: meaning, unit: unit, nature: .count) { .count(count($0.result), undecided: 0) }
  }

  /// A moment or length, infinite where it was never reached.
  private static func seconds(
    _ name: String, _ meaning: String, _ seconds: @escaping @Sendable (StormFinding) -> Double
  ) -> StormMeasure {
    StormMeasure(name: name, meaning: meaning, unit: "s", nature: .exact) { .exact(seconds($0)) }
  }
}
