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
        "The share of outages from which the client was connected and current again within the limit", range: 0...1,
        confidence: own
      ) { $0.finding(of: profile.name)?.success?.value(confidence: own) }
    }
    let successAfter = trial.profiles.flatMap { profile in
      causes(of: profile).map { cause in
        interval(
          "reconnect.successAfter", of: "\(profile.name)/\(cause.name)",
          "The same share, of the outages in which \(cause.meaning)", range: 0...1, confidence: 1 - trial.alphaOfCause
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
        ) { $0.finding(of: profile.name)?.percentile(Percentile.share(percent), confidence: own, alpha: trial.alpha) }
      }
    }
    let failures = trial.profiles.map { profile in
      count(
        "reconnect.failures", of: profile.name,
        "Sessions with an outage from which the client was not back in time", unit: "sessions"
      ) { $0.finding(of: profile.name)?.tally.troubledSessions }
    }
    let effects = trial.profiles.flatMap { profile in
      profile.kinds.map { kind in
        SimulationMeasure(measure: FaultEffect.measure(of: "\(profile.name)/\(kind.name)")) {
          ($0.finding(of: profile.name)?.tally.effects[Int(kind.rawValue)]).map(FaultEffect.value)
        }
      }
    }
    return success + successAfter + percentiles + failures + effects + [
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
    profile.kinds.filter { $0.declaration.breaks || $0 == .acceptThenClose }.map { .fault($0) }
  }

  private static func interval(
    _ name: String, of label: String, _ meaning: String, unit: String = "", range: ClosedRange<Double>? = nil,
    confidence: Double,
    _ value: @escaping (SimulationResult) -> Measurement.Value?
  ) -> SimulationMeasure {
    SimulationMeasure(
      measure: Measure(
        name, of: label, meaning: meaning, unit: unit, nature: .interval(confidence: confidence), range: range),
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

extension OutageProfile {
  /// The kinds of faults that it draws, each once.
  fileprivate var kinds: [Fault.Kind] {
    let kinds = Set(courses.flatMap { $0.patterns.map(\.kind) })
    return Fault.Kind.allCases.filter(kinds.contains)
  }
}

/// In how many sessions a fault that was asked for took effect; what never did was not survived, and leaves a run
/// undecided.
enum FaultEffect {
  private static let name = "faults.effect"

  static let precondition = Threshold(
    name: name, .compared(.atLeast, .init(1)), source: "a fault that never took effect was not survived")

  static func measure(of label: String) -> Measure {
    Measure(name, of: label, meaning: "Sessions in which the fault took effect", unit: "sessions", nature: .count)
  }

  /// Of a fault that never took effect it is not known what comes of it.
  static func value(_ sessions: Int) -> Measurement.Value { .count(sessions, undecided: sessions == 0 ? 1 : 0) }
}

extension SuccessEstimate {
  fileprivate func value(confidence: Double) -> Measurement.Value {
    .interval(share, low: interval.lowerBound, high: interval.upperBound, confidence: confidence, samples: sessions)
  }
}

extension ProfileFinding {
  fileprivate func percentile(_ share: Double, confidence: Double, alpha: Double) -> Measurement.Value? {
    percentile(share, alpha: alpha).map { (found: ReturnTimes.Percentile) in
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
