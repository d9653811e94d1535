// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// What simulated sessions say about a client: profile by profile.
package struct SimulationResult: Sendable {
  /// What was asked.
  package let trial: SimulationTrial
  /// By profile, in the trial's order; one that an interruption left without two sessions is missing.
  package let findings: [ProfileFinding]
  /// Whether everything was run that was to be.
  package let isComplete: Bool

  /// What was found of the profile of that name.
  package func finding(of name: String) -> ProfileFinding? { findings.first { $0.profile.name == name } }

  /// Invariants broken in all sessions: by each session in which one was.
  package var brokenSessions: Int { findings.reduce(0) { $0 + $1.tally.brokenSessions } }

  /// Whether everything was run, every profile reached the target, no invariant was broken and no client went round in
  /// circles; nil while that is not known of a profile.
  package var holds: Bool? {
    if brokenSessions > 0 || findings.contains(where: { $0.tally.runaways > 0 }) { return false }
    if findings.contains(where: { $0.verdict == .missed }) { return false }
    return isComplete && findings.allSatisfy { $0.verdict == .reached } ? true : nil
  }

  /// All that was simulated.
  package var counts: SessionCounts { findings.reduce(into: SessionCounts()) { $0.merge($1.tally.counts) } }

  /// How many sessions were run.
  package var sessions: Int { findings.reduce(0) { $0 + $1.tally.sessions } }
}

/// A share with an interval that holds at all times at once, among all intervals of the trial.
package struct SuccessEstimate: Hashable, Sendable {
  /// The share.
  package let share: Double
  /// What it lies in.
  package let interval: ClosedRange<Double>
  /// Sessions that it rests on: the clusters.
  package let sessions: Int
  /// Outages that were judged.
  package let outages: Int
  /// Those from which the client was back in time.
  package let successes: Int

  init?(_ sequence: SuccessSequence, alpha: Double) {
    guard let share = sequence.total.share else { return nil }
    self.share = share
    interval = sequence.interval(alpha: alpha)
    (sessions, outages, successes) = (sequence.total.clusters, sequence.total.trials, sequence.total.hits)
  }
}

/// What simulated sessions of one profile say.
package struct ProfileFinding: Sendable {
  /// The profile.
  package let profile: OutageProfile
  /// Everything counted.
  package let tally: ProfileTally
  /// How often the client was back in time; nil where no outage could be judged.
  package let success: SuccessEstimate?
  /// The same by cause, for the causes that occurred.
  package let causes: [(cause: OutageCause, success: SuccessEstimate, median: Interval?)]
  /// Whether the share reaches the trial's target; `open` while that is not known.
  package let verdict: SuccessSequence.Verdict
  /// How often intervals of times may be looked at.
  package let looks: ClusteredShare.Looks
  /// Of the rare failures, where they were looked for.
  package let rare: RareFailure?

  /// The time within which that share of the outages was over.
  package func percentile(_ share: Double, confidence: Double) -> ReturnTimes.Percentile? {
    tally.returns.percentile(share, confidence: confidence, looks: looks)
  }
}
