// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Scenarios

/// The one session that a report shows event by event: the first in which an invariant was broken; without one, the
/// first from which the client was not back in time; without one, of the first sessions of the first profile the one
/// with the longest return.
struct ShownSession {
  /// The session, event by event.
  let timeline: Timeline
  /// The command that shows it again.
  let command: String
  /// Why it is this one, in a sentence.
  let why: String

  /// How many sessions are looked through for the longest return.
  private static let most = 20

  /// The session of a result; nil where there is none, as after an early interruption.
  init?(_ result: SimulationResult) {
    let findings = result.findings
    let broken = findings.lazy.compactMap { finding in finding.tally.failures.breaches.first.map { (finding, $0) } }
    let late = findings.lazy.compactMap { finding in finding.tally.failures.notBack.first.map { (finding, $0) } }
    let failed =
      broken.first.map { ($0, $1, "The first session in which an invariant was broken.") }
      ?? late.first.map { ($0, $1, "The first session with an outage from which the client was not back in time.") }
    if let (finding, failure, why) = failed {
      self.init(result.trial, finding.profile, failure.session, failure.seed, why)
    } else {
      guard let (finding, session, seed) = Self.slowest(result) else { return nil }
      let among = min(Self.most, finding.tally.sessions)
      self.init(
        result.trial, finding.profile, session, seed,
        "No session failed; of the first \(among) of \(finding.profile.name) this has the longest return.")
    }
  }

  private init?(_ trial: SimulationTrial, _ profile: OutageProfile, _ number: Int, _ seed: UInt32, _ why: String) {
    let title = "\(profile.name), session \(number): \(trial.client.title)"
    guard let timeline = try? Self.timeline(trial, profile, seed, title) else { return nil }
    self.timeline = timeline
    self.why = why
    command = trial.client.command(seed: seed, profile: profile, generator: trial.generator)
  }

  private static func timeline(
    _ trial: SimulationTrial, _ profile: OutageProfile, _ seed: UInt32, _ title: String
  ) throws -> Timeline {
    let faults = try TimelineSession.schedule(of: profile, seed: seed, generator: trial.generator)
    return try TimelineSession(
      client: trial.client.variant, settings: trial.client.settings, schedule: faults, seed: seed,
      generator: trial.generator
    ).timeline(title: title)
  }

  private static func slowest(_ result: SimulationResult) -> (ProfileFinding, session: Int, seed: UInt32)? {
    guard let finding = result.findings.first else { return nil }
    var slowest: (session: Int, seed: UInt32, time: Interval)?
    for session in 0..<min(most, finding.tally.sessions) {
      guard let seed = try? result.trial.seed(ofSession: session),
        let timeline = try? timeline(result.trial, finding.profile, seed, "")
      else { continue }
      let time = timeline.outages.compactMap(\.timeToReturn).max() ?? .zero
      if slowest.map({ time > $0.time }) ?? true { slowest = (session, seed, time) }
    }
    return slowest.map { (finding, $0.session, $0.seed) }
  }

  /// The session for a report.
  var blocks: [ReportBlock] {
    [.paragraph(why)] + timeline.reportBlocks
      + [.code(command, label: "Command that shows this session")]
  }
}
