// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Scenarios

/// What a scenario of the kind `live.storm` measures of each policy. All of it is counted, and determined by the
/// scenario and its seed.
enum StormMeasure: String, CaseIterable {
  case attempts, peak, peakTenth, peakDuring, accepted, shed, gaveUp, back, missing
  case back50, back95, back99, back100, meanBack, survives95

  /// The measure of a policy: `storm.peak[full-jitter]`.
  func measure(of policy: String) -> Measure {
    Measure("storm.\(rawValue)", of: policy, meaning: meaning, unit: unit, nature: isCount ? .count : .exact)
  }

  /// What was found of it; nil for what was never reached and so has no value.
  func found(in finding: StormFinding) -> Measurement {
    let result = finding.result
    let measure = measure(of: result.policy)
    return Measurement(measure, isCount ? .count(count(result), undecided: 0) : .exact(seconds(finding)))
  }

  private func count(_ result: StormResult) -> Int {
    switch self {
    case .attempts: result.attempts
    case .peak: result.peakAfter
    case .peakTenth: result.peakTenth
    case .peakDuring: result.peakDuring
    case .accepted: result.peakAccepted
    case .shed: result.shed
    case .gaveUp: result.gaveUp
    case .back: result.back
    default: result.missing
    }
  }

  private func seconds(_ finding: StormFinding) -> Double {
    let result = finding.result
    func back(_ share: Double) -> Double { result.back(share: share).map { Double($0) / 1_000 } ?? .infinity }
    return switch self {
    case .back50: back(0.5)
    case .back95: back(0.95)
    case .back99: back(0.99)
    case .back100: back(1)
    case .meanBack: result.meanBack
    default: finding.budget.quantile(0.05)
    }
  }

  private var isCount: Bool {
    switch self {
    case .back50, .back95, .back99, .back100, .meanBack, .survives95: false
    default: true
    }
  }

  private var unit: String {
    switch self {
    case .attempts, .peak, .peakTenth, .peakDuring, .shed: "attempts"
    case .accepted, .gaveUp, .back, .missing: "clients"
    case .back50, .back95, .back99, .back100, .meanBack, .survives95: "s"
    }
  }

  private var meaning: String {
    switch self {
    case .attempts: "Attempts of all clients, before and after the server's return"
    case .peak: "The most attempts in a second after the server's return"
    case .peakTenth: "The most attempts in a tenth of a second after the server's return"
    case .peakDuring: "The most attempts in a second while the server was down"
    case .accepted: "The most clients that came back in a second"
    case .shed: "Attempts that the returned server shed"
    case .gaveUp: "Clients that used up their attempts, whether or not the slow cadence brought them back"
    case .back: "Clients that are back"
    case .missing: "Clients that were not back when nobody watched any longer"
    case .back50: "When half of the clients were back, after the server's return"
    case .back95: "When 95% of the clients were back, after the server's return"
    case .back99: "When 99% of the clients were back, after the server's return"
    case .back100: "When all clients were back, after the server's return"
    case .meanBack: "When clients were back in the mean, after the server's return"
    case .survives95: "The outage after which 95% of the clients still have an attempt"
    }
  }
}
