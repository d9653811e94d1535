// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What simulated sessions say about a client, profile by profile.
struct SimulationResult: Sendable {
  let trial: SimulationTrial
  /// In the trial's order; a profile that an interruption left without two sessions is missing.
  let findings: [ProfileFinding]
  /// Whether everything was run that was to be.
  let isComplete: Bool

  func finding(of name: String) -> ProfileFinding? { findings.first { $0.profile.name == name } }

  /// Sessions in which an invariant was broken, or that a livelock cut short.
  var brokenSessions: Int { findings.reduce(0) { $0 + $1.tally.brokenSessions } }

  var counts: SessionCounts { findings.reduce(into: SessionCounts()) { $0.merge($1.tally.counts) } }

  var sessions: Int { findings.reduce(0) { $0 + $1.tally.sessions } }
}

/// What simulated sessions of one profile say.
struct ProfileFinding: Sendable {
  let profile: OutageProfile
  let tally: ProfileTally
  /// How often the client was back in time; nil where no outage could be evaluated.
  let success: SuccessEstimate?
  /// The same by cause, for the causes that occurred.
  let causes: [(cause: OutageCause, success: SuccessEstimate, median: Interval?)]
  /// Whether the share reaches the trial's target; `open` while that is not known.
  let verdict: SuccessSequence.Verdict
  /// How often intervals of times may be looked at.
  let looks: ClusteredShare.Looks

  /// The time within which that share of the outages was over.
  func percentile(_ share: Double, confidence: Double) -> ReturnTimes.Percentile? {
    tally.returns.percentile(share, confidence: confidence, looks: looks)
  }
}

extension ProfileFinding {
  init(_ trial: SimulationTrial, _ profile: OutageProfile, _ evidence: ProfileEvidence) {
    let occurred = OutageCause.all.filter { evidence.causes[$0.place].total.trials > 0 }
    let causes = occurred.compactMap { cause in
      SuccessEstimate(evidence.causes[cause.place], alpha: trial.alphaOfCause).map { estimate in
        let median = evidence.tally.causes[cause.place].times.percentile(0.5)?.upperBound
        return (cause: cause, success: estimate, median: median.map { ReturnTimes.unit * Int64($0) })
      }
    }
    self.init(
      profile: profile, tally: evidence.tally, success: SuccessEstimate(evidence.success, alpha: trial.alpha),
      causes: causes, verdict: evidence.success.verdict(target: trial.target, alpha: trial.alpha),
      looks: trial.end == .decided ? .always(from: evidence.firstWave) : .once)
  }
}

/// A share with an interval that holds at all times at once, among all intervals of the trial.
struct SuccessEstimate: Hashable, Sendable {
  let share: Double
  let interval: ClosedRange<Double>
  /// Sessions that it rests on: the clusters.
  let sessions: Int
  /// Outages that were evaluated.
  let outages: Int
  /// Those from which the client was back in time.
  let successes: Int

  init?(_ sequence: SuccessSequence, alpha: Double) {
    guard let share = sequence.total.share else { return nil }
    self.share = share
    interval = sequence.interval(alpha: alpha)
    (sessions, outages, successes) = (sequence.total.clusters, sequence.total.trials, sequence.total.hits)
  }
}
