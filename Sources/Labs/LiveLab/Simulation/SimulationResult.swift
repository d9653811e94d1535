// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// What simulated sessions say about a client: profile by profile.
public struct SimulationResult: Sendable {
  /// What was asked.
  public let trial: SimulationTrial
  /// By profile, in the trial's order; one that an interruption left without two sessions is missing.
  public let findings: [ProfileFinding]
  /// Whether everything was run that was to be.
  public let isComplete: Bool

  /// What was found of the profile of that name.
  public func finding(of name: String) -> ProfileFinding? { findings.first { $0.profile.name == name } }

  /// Invariants broken in all sessions: by each session in which one was.
  public var brokenSessions: Int { findings.reduce(0) { $0 + $1.tally.brokenSessions } }

  /// Whether everything was run, every profile reached the target, and no invariant was broken; nil while that is not
  /// known of a profile.
  public var holds: Bool? {
    if brokenSessions > 0 || findings.contains(where: { $0.verdict == .missed }) { return false }
    return isComplete && findings.allSatisfy { $0.verdict == .reached } ? true : nil
  }

  /// All that was simulated.
  public var counts: SessionCounts { findings.reduce(into: SessionCounts()) { $0.merge($1.tally.counts) } }

  /// How many sessions were run.
  public var sessions: Int { findings.reduce(0) { $0 + $1.tally.sessions } }
}

/// A share with an interval that holds at all times at once, among all intervals of the trial.
public struct SuccessEstimate: Hashable, Sendable {
  /// The share.
  public let share: Double
  /// What it lies in.
  public let interval: ClosedRange<Double>
  /// Sessions that it rests on: the clusters.
  public let sessions: Int
  /// Outages that were judged.
  public let outages: Int
  /// Those from which the client was back in time.
  public let successes: Int

  init?(_ sequence: SuccessSequence, alpha: Double) {
    guard let share = sequence.total.share else { return nil }
    self.share = share
    interval = sequence.interval(alpha: alpha)
    (sessions, outages, successes) = (sequence.total.clusters, sequence.total.trials, sequence.total.hits)
  }
}

/// What simulated sessions of one profile say.
public struct ProfileFinding: Sendable {
  /// The profile.
  public let profile: OutageProfile
  /// Everything counted.
  public let tally: ProfileTally
  /// How often the client was back in time; nil where no outage could be judged.
  public let success: SuccessEstimate?
  /// The same by cause, for the causes that occurred.
  public let causes: [(cause: OutageCause, success: SuccessEstimate, median: Interval?)]
  /// Whether the share reaches the trial's target; `open` while that is not known.
  public let verdict: SuccessSequence.Verdict
  /// How often intervals of times may be looked at.
  public let looks: ClusteredShare.Looks
  /// Of the rare failures, where they were looked for.
  public let rare: RareFailure?

  /// The time within which that share of the outages was over.
  public func percentile(_ share: Double, confidence: Double) -> ReturnTimes.Percentile? {
    tally.returns.percentile(share, confidence: confidence, looks: looks)
  }
}
