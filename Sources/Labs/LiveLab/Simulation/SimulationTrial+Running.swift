// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import MonteCarlo

extension SimulationTrial {
  /// Runs the sessions, profile by profile.
  ///
  /// - Parameters:
  ///   - workers: How many threads share them, 1 to 1024.
  ///   - interrupt: Looked at after every block of sessions.
  ///   - progress: Told how many sessions were run, on the thread that ran them.
  /// - Returns: What came out; after an interruption, of the sessions until then.
  /// - Throws: `MonteCarloError` for a number of workers out of range; errors of the generator and of the statistics.
  package func run(
    workers: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> SimulationResult {
    let subject = client.variant.type
    // Named, so that the client that ships is compiled for itself and not run through tables.
    return subject is LiveConnection.Type
      ? try run(LiveConnection.self, workers: workers, interrupt: interrupt, progress: progress)
      : try run(subject, workers: workers, interrupt: interrupt, progress: progress)
  }

  private func run<Subject: LiveSubject>(
    _ subject: Subject.Type, workers: Int, interrupt: Interrupt?, progress: @escaping @Sendable (Int) -> Void
  ) throws -> SimulationResult {
    let run = SimulationRun(
      workers: workers, interrupt: interrupt, progress: progress, seed: { try seed(ofSession: $0) })
    var findings: [ProfileFinding] = []
    for (place, profile) in profiles.enumerated() {
      let (settings, generator) = (client.settings, generator)
      let (judge, isComplete) = try run.judge(
        sessions: sessions(ofProfile: place), mostOutages: ProfileTally.mostJudged(of: profile),
        makePlayer: { try SimulatedSessions<Subject>(profile, settings: settings, generator: generator) },
        isDecided: { endsWhenDecided && $0.success.verdict(target: target, alpha: alpha) != .open })
      var rare: RareFailure?
      if isComplete, tiltedSessions > 0 {
        rare = try RareSearch<Subject>(self, profile, workers: workers, interrupt: interrupt)
          .run(beside: judge.tally)
      }
      if judge.tally.sessions >= 2 { findings.append(finding(profile, judge, rare)) }
      guard isComplete, interrupt?.isRaised != true else {
        let isLast = place == profiles.count - 1 && isComplete && (tiltedSessions == 0 || rare != nil)
        return SimulationResult(trial: self, findings: findings, isComplete: isLast)
      }
    }
    return SimulationResult(trial: self, findings: findings, isComplete: true)
  }

  func finding(_ profile: OutageProfile, _ judge: ProfileJudge, _ rare: RareFailure?) -> ProfileFinding {
    let occurred = OutageCause.all.filter { judge.causes[$0.place].total.trials > 0 }
    let causes = occurred.compactMap { cause in
      SuccessEstimate(judge.causes[cause.place], alpha: alphaOfCause).map { estimate in
        let median = judge.tally.causes[cause.place].times.percentile(0.5)?.upperBound
        return (cause: cause, success: estimate, median: median.map { ReturnTimes.unit * Int64($0) })
      }
    }
    return ProfileFinding(
      profile: profile, tally: judge.tally, success: SuccessEstimate(judge.success, alpha: alpha), causes: causes,
      verdict: judge.success.verdict(target: target, alpha: alpha),
      looks: endsWhenDecided ? .always(from: judge.firstWave) : .once, rare: rare)
  }
}
