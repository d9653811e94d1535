// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Scenarios

/// A measure of simulated sessions: `reconnect.success[tunnel]`, `reconnect.p99[tunnel]`, `invariants.broken`.
struct SimulateMeasure {
  let measure: Measure
  private let what: What

  private enum What {
    case success(String)
    case successAfter(String, OutageCause)
    case percentile(String, Double)
    case broken
    case wronged
    case troubled(String)
  }

  /// Everything that a trial measures: by name, then by profile, so that a name's labels stand together.
  static func all(of trial: SimulationTrial) -> [SimulateMeasure] {
    let names = trial.profiles.map(\.name)
    let own = 1 - trial.alpha
    let percentiles = [("median", 0.5), ("p90", 0.9), ("p99", 0.99)]
    return names.map { success($0, own) }
      + trial.profiles.flatMap { profile in
        causes(of: profile).map { after(profile.name, $0, 1 - trial.alphaOfCause) }
      }
      + percentiles.flatMap { key, share in names.map { percentile(key, share, $0, own) } }
      + names.map { troubled($0) } + [broken, wronged]
  }

  /// The faults that can break a profile's connections.
  static func causes(of profile: OutageProfile) -> [OutageCause] {
    let kinds = Set(profile.courses.flatMap { $0.patterns.map(\.kind) })
    return Fault.Kind.allCases.filter { kinds.contains($0) && $0.isCause }.map { .fault($0) }
  }

  private init(_ measure: Measure, _ what: What) { (self.measure, self.what) = (measure, what) }

  private static func success(_ profile: String, _ confidence: Double) -> SimulateMeasure {
    let meaning = "The share of outages from which the client was connected and current again within the limit"
    return SimulateMeasure(
      Measure(
        "reconnect.success", of: profile, meaning: meaning, nature: .interval(confidence: confidence), isShare: true),
      .success(profile))
  }

  private static func after(_ profile: String, _ cause: OutageCause, _ confidence: Double) -> SimulateMeasure {
    let meaning = "The same share, of the outages in which \(cause.meaning)"
    return SimulateMeasure(
      Measure(
        "reconnect.successAfter", of: "\(profile)/\(cause.name)", meaning: meaning,
        nature: .interval(confidence: confidence), isShare: true),
      .successAfter(profile, cause))
  }

  private static func percentile(
    _ name: String, _ share: Double, _ profile: String, _ confidence: Double
  ) -> SimulateMeasure {
    let meaning =
      "The time from when an attempt could succeed within which \(Int(share * 100)) of 100 outages were over"
    return SimulateMeasure(
      Measure(
        "reconnect.\(name)", of: profile, meaning: meaning, unit: "s", nature: .interval(confidence: confidence)),
      .percentile(profile, share))
  }

  private static func troubled(_ profile: String) -> SimulateMeasure {
    SimulateMeasure(
      Measure(
        "reconnect.failures", of: profile,
        meaning: "Sessions with an outage from which the client was not back in time",
        unit: "sessions", nature: .count),
      .troubled(profile))
  }

  private static let broken = SimulateMeasure(
    Measure(
      "invariants.broken", meaning: "Sessions in which an invariant did not hold at some step", unit: "sessions",
      nature: .count),
    .broken)

  private static let wronged = SimulateMeasure(
    Measure(
      "messages.wronged", meaning: "Messages of the server that the app got twice, or that were kept from it silently",
      unit: "messages", nature: .count),
    .wronged)

  /// What was found of it; nil where there was nothing to measure.
  func found(in result: SimulationResult) -> Measurement? {
    switch what {
    case .success(let name): result.finding(of: name)?.success.map(measured)
    case .successAfter(let name, let cause):
      result.finding(of: name)?.causes.first { $0.cause == cause }.map { measured($0.success) }
    case .percentile(let name, let share):
      result.finding(of: name).flatMap { finding in
        finding.percentile(share, confidence: confidence).map { percentile in
          measured(
            percentile.time.shownSeconds, percentile.interval.lowerBound.shownSeconds,
            percentile.interval.upperBound.shownSeconds, samples: finding.tally.success.clusters)
        }
      }
    case .broken: counted(result.brokenSessions, result)
    case .wronged: counted(result.counts.lostOrDuplicated, result)
    case .troubled(let name): result.finding(of: name).map { counted($0.tally.troubledSessions, result) }
    }
  }

  private var confidence: Double {
    if case .interval(let confidence) = measure.nature { confidence } else { 1 }
  }

  private func measured(_ estimate: SuccessEstimate) -> Measurement {
    measured(
      estimate.share, estimate.interval.lowerBound, estimate.interval.upperBound, samples: estimate.sessions)
  }

  private func measured(_ value: Double, _ low: Double, _ high: Double, samples: Int) -> Measurement {
    Measurement(measure, .interval(value, low: low, high: high, confidence: confidence, samples: samples))
  }

  /// An interruption leaves open what the sessions that were not run would have added.
  private func counted(_ count: Int, _ result: SimulationResult) -> Measurement {
    let left = result.isComplete ? 0 : max(0, result.trial.sessions - result.sessions)
    return Measurement(measure, .count(count, undecided: left))
  }
}

extension Interval {
  /// The length in seconds; what has no end is infinite.
  var shownSeconds: Double { self == .forever ? .infinity : seconds }
}

extension Fault.Kind {
  /// Whether outages are ascribed to it: an open connection can be lost by it.
  var isCause: Bool {
    switch self {
    case .halfOpen, .reset, .close, .garbage, .enormousFrame, .blackHole, .partition, .idleCut, .restart, .latePongs,
      .noPongs, .sleep, .networkChange, .offline, .acceptThenClose:
      true
    default: false
    }
  }
}
