// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Scenarios

/// A measure of simulated sessions, and how it is read from their result: `reconnect.success[tunnel]`.
struct SimulationMeasure {
  let measure: Measure
  /// Nil where there was nothing to measure.
  let value: (SimulationResult) -> Measurement.Value?

  func measurement(in result: SimulationResult) -> Measurement? { value(result).map { Measurement(measure, $0) } }

  /// Everything that a trial measures: by name, then by profile, so that a name's labels stand together.
  static func all(of trial: SimulationTrial) -> [SimulationMeasure] {
    let own = 1 - trial.alpha
    let success = trial.profiles.map { profile in
      interval(
        "reconnect.success", of: profile.name,
        "The share of outages from which the client was connected and current again within the limit", isShare: true,
        confidence: own
      ) { $0.finding(of: profile.name)?.success?.value(confidence: own) }
    }
    let successAfter = trial.profiles.flatMap { profile in
      causes(of: profile).map { cause in
        interval(
          "reconnect.successAfter", of: "\(profile.name)/\(cause.name)",
          "The same share, of the outages in which \(cause.meaning)", isShare: true, confidence: 1 - trial.alphaOfCause
        ) { result in
          result.finding(of: profile.name)?.causes.first { $0.cause == cause }
            .map { $0.success.value(confidence: 1 - trial.alphaOfCause) }
        }
      }
    }
    let usual = [("median", 50.0), ("p90", 90), ("p99", 99)]
    let more = trial.percentiles.map { ("p\(NumberFormat.shortest($0))", $0) }
    let percentiles = (usual + more.filter { one in !usual.contains { $0.0 == one.0 } }).flatMap { name, percent in
      trial.profiles.map { profile in
        interval(
          "reconnect.\(name)", of: profile.name,
          "The time from when an attempt could succeed within which \(NumberFormat.shortest(percent)) of 100 outages "
            + "were over",
          unit: "s", confidence: own
        ) { $0.finding(of: profile.name)?.percentile(Percentile.share(percent), confidence: own) }
      }
    }
    let failures = trial.profiles.map { profile in
      count(
        "reconnect.failures", of: profile.name,
        "Sessions with an outage from which the client was not back in time", unit: "sessions"
      ) { $0.finding(of: profile.name)?.tally.troubledSessions }
    }
    return success + successAfter + percentiles + failures + [
      count("invariants.broken", "Sessions in which an invariant did not hold at some step", unit: "sessions") {
        $0.brokenSessions
      },
      count(
        "messages.misdelivered", "Messages of the server that the app got twice, or that were kept from it silently",
        unit: "messages"
      ) { $0.counts.lostOrDuplicated },
    ]
  }

  /// The faults that outages of a profile are ascribed to: those by which an open connection can be lost.
  private static func causes(of profile: OutageProfile) -> [OutageCause] {
    let kinds = Set(profile.courses.flatMap { $0.patterns.map(\.kind) })
    return Fault.Kind.allCases.filter { kind in
      kinds.contains(kind) && (kind.declaration.breaks || kind == .acceptThenClose)
    }.map { .fault($0) }
  }

  private static func interval(
    _ name: String, of label: String, _ meaning: String, unit: String = "", isShare: Bool = false, confidence: Double,
    _ value: @escaping (SimulationResult) -> Measurement.Value?
  ) -> SimulationMeasure {
    SimulationMeasure(
      measure: Measure(
        name, of: label, meaning: meaning, unit: unit, nature: .interval(confidence: confidence), isShare: isShare),
      value: value)
  }

  private static func count(
    _ name: String, of label: String? = nil, _ meaning: String, unit: String,
    _ value: @escaping (SimulationResult) -> Int?
  ) -> SimulationMeasure {
    SimulationMeasure(measure: Measure(name, of: label, meaning: meaning, unit: unit, nature: .count)) { result in
      // An interruption leaves open what the sessions that were not run would have added.
      let left = result.isComplete ? 0 : max(0, result.trial.sessions - result.sessions)
      return value(result).map { .count($0, undecided: left) }
    }
  }
}

extension SuccessEstimate {
  fileprivate func value(confidence: Double) -> Measurement.Value {
    .interval(share, low: interval.lowerBound, high: interval.upperBound, confidence: confidence, samples: sessions)
  }
}

extension ProfileFinding {
  fileprivate func percentile(_ share: Double, confidence: Double) -> Measurement.Value? {
    percentile(share, confidence: confidence).map { (found: ReturnTimes.Percentile) in
      .interval(
        found.time.shownSeconds, low: found.interval.lowerBound.shownSeconds,
        high: found.interval.upperBound.shownSeconds, confidence: confidence, samples: tally.success.clusters)
    }
  }
}

extension Interval {
  /// The length in seconds; what has no end is infinite.
  fileprivate var shownSeconds: Double { self == .forever ? .infinity : seconds }
}
