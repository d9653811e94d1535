// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

extension SimulateReport {
  /// What determined the sessions, and what came out by profile.
  ///
  /// Fields: `hours` are clients' hours of all sessions, whether or not the client was served in them; `servedHours`
  /// are those of them in which it was connected and current. `success` is null where no outage could be judged; its
  /// `low` and `high` hold for all profiles together at `confidence`. `drawn` is what a session of the profile draws,
  /// exactly, and `limitReason` what its limit is the sum of. `limitSeconds` and all times count from when an
  /// attempt could have succeeded; a time without an end is null. Of the outages that are not judged, in `notPossible`
  /// no attempt could have succeeded, and of `tooLateToJudge` the limit ended behind the session. `failedSessions` had
  /// an outage from which the client was not back in time, `brokenSessions` a broken invariant: `broken` says which.
  /// Of the server's messages, the app was told to lack `missed`, and got twice or lacks silently `wronged`; of the
  /// app's own the client gave up `dropped` and said so.
  var json: JSONValue {
    let trial = result.trial
    return [
      "subject": .string(trial.client.variant.name),
      "policy": .string(trial.client.waits),
      "sessions": .integer(result.sessions), "hours": .fixed(result.counts.hours, decimals: 3),
      "confidence": .number(trial.confidence), "target": .number(trial.target),
      "profiles": .array(result.findings.map(json)),
    ]
  }

  /// The document of `--format json`: `result` is what a scenario's `result.json` keeps.
  var document: JSONValue {
    let trial = result.trial
    return [
      "kind": "live-simulate", "version": .string(Version.current), "seed": .unsigned(trial.seed),
      "generator": .string(trial.generator), "isComplete": .bool(result.isComplete), "result": json,
    ]
  }

  private func json(_ finding: ProfileFinding) -> JSONValue {
    let (tally, counts) = (finding.tally, finding.tally.counts)
    let members = [
      JSONMember("profile", .string(finding.profile.name)),
      JSONMember("drawn", .string(finding.profile.definition)),
      JSONMember("limitSeconds", .number(finding.profile.limit.seconds)),
      JSONMember("limitReason", .string(finding.profile.reason)),
      JSONMember("sessions", .integer(tally.sessions)), JSONMember("verdict", .string(finding.verdict.rawValue)),
      JSONMember("success", finding.success.map(json) ?? .null),
      JSONMember(
        "causes",
        .array(
          finding.causes.map { cause, estimate, median in
            [
              "cause": .string(cause.name), "success": json(estimate),
              "medianSeconds": median.map { .number($0.seconds) } ?? .null,
            ]
          })),
      JSONMember("percentiles", .array(percentiles(finding))), JSONMember("notPossible", .integer(tally.unrecoverable)),
      JSONMember("tooLateToJudge", .integer(tally.late)), JSONMember("outlived", .integer(tally.outlived)),
      JSONMember("failedSessions", .integer(tally.troubledSessions)),
      JSONMember("runaways", .integer(tally.runaways)), JSONMember("brokenSessions", .integer(tally.brokenSessions)),
      JSONMember("broken", .object(broken(tally))), JSONMember("counts", json(counts)),
      JSONMember("failures", .array(failures(of: finding))),
    ]
    return .object(members)
  }

  private func json(_ estimate: SuccessEstimate) -> JSONValue {
    [
      "share": .fixed(estimate.share, decimals: 9), "low": .fixed(estimate.interval.lowerBound, decimals: 9),
      "high": .fixed(estimate.interval.upperBound, decimals: 9), "sessions": .integer(estimate.sessions),
      "outages": .integer(estimate.outages), "back": .integer(estimate.successes),
    ]
  }

  /// A time without an end is null.
  private func percentiles(_ finding: ProfileFinding) -> [JSONValue] {
    func seconds(_ time: Interval) -> JSONValue { time == .forever ? .null : .number(time.seconds) }
    return Self.percentiles.compactMap { name, share in
      finding.percentile(share, confidence: 1 - result.trial.alpha).map { percentile in
        [
          "share": .string(name), "seconds": seconds(percentile.time), "low": seconds(percentile.interval.lowerBound),
          "high": seconds(percentile.interval.upperBound),
        ]
      }
    }
  }

  private func broken(_ tally: ProfileTally) -> [JSONMember] {
    Invariant.allCases.compactMap { invariant in
      let sessions = tally.breaches[Int(invariant.rawValue)]
      return sessions > 0 ? JSONMember(invariant.name, .integer(sessions)) : nil
    }
  }

  private func json(_ counts: SessionCounts) -> JSONValue {
    [
      "hours": .fixed(counts.hours, decimals: 3),
      "servedHours": .fixed(Double(counts.servedMilliseconds) / 3_600_000, decimals: 3),
      "events": .integer(counts.events), "attempts": .integer(counts.attempts), "opened": .integer(counts.opened),
      "messages": .integer(counts.messages), "dropped": .integer(counts.dropped),
      "delivered": .integer(counts.delivered), "missed": .integer(counts.missed),
      "wronged": .integer(counts.lostOrDuplicated),
    ]
  }

  private func failures(of finding: ProfileFinding) -> [JSONValue] {
    finding.tally.failures.all.map { failure in
      [
        "session": .integer(failure.session), "seed": .unsigned(UInt64(failure.seed)),
        "replay": .string(command(failure, finding)),
      ]
    }
  }
}
