// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Sampling
internal import Scenarios

struct SimulationReport {
  let result: SimulationResult

  init(_ result: SimulationResult) { self.result = result }

  private var trial: SimulationTrial { result.trial }
  private var run: SampledRun<ProfileTallies> { result.run }
  private var measurements: [Measurement] { run.measurements }

  /// Success by profile and by fault, times as survival curves and percentiles, invariants, commands that reproduce the
  /// first failures, one session event by event, and the basis of the numbers.
  var blocks: [ReportBlock] {
    [.paragraph("The client: \(trial.title).")] + (result.findings.isEmpty ? [] : parts) + [.list(origin)]
  }

  private var parts: [ReportBlock] {
    let (causes, breaches, failures) = (causes, breaches, failures)
    var parts: [ReportBlock] = [
      .part(
        "Back in time, by profile", comparison + figures([successFigure]) + [.table(success), .paragraph(Self.meaning)])
    ]
    if !causes.rows.isEmpty {
      let note = causesNote.map { [ReportBlock.paragraph($0)] } ?? []
      parts.append(.part("Back in time, by cause of the outage", [.table(causes)] + note))
    }
    parts.append(
      .part(
        "The time to return, from when an attempt could succeed",
        figures(survivalFigures) + [.table(times), .paragraph(timesNote)]))
    let broken = breaches.rows.isEmpty ? [] : [ReportBlock.table(breaches)]
    parts.append(.part("Invariants", [.list([invariants] + remarks)] + broken))
    if !failures.isEmpty {
      parts.append(
        .part(
          "The first failures, and how to reproduce them",
          failures.flatMap { [.paragraph($0.what), .code($0.command, label: "Shown by")] }))
    }
    if let shownSession { parts.append(.part("One session", shownSession.blocks)) }
    parts.append(
      .details(
        summary: "The outages",
        [
          .table(limits, caption: "The limit of each profile, from when an attempt could succeed"),
          .table(drawn, caption: "The draws of each session; ranges are drawn uniformly"),
        ]))
    return parts
  }

  private func figures(_ figures: [Figure?]) -> [ReportBlock] { figures.compactMap { $0.map(ReportBlock.figure) } }

  private static let meaning =
    "Back means connected and current again within the profile's limit, counted from when an attempt could have "
    + "succeeded."

  /// The basis of the numbers, in sentences.
  var origin: [String] {
    let counts = result.counts
    let hours = NumberFormat.grouped(Int(counts.hours.rounded()))
    return [
      "\(NumberFormat.grouped(run.samples)) sessions of one client, \(hours) hours of it, "
        + "\(NumberFormat.grouped(counts.events)) events; drawn with \(run.generator), seed \(run.seed).",
      "The intervals by profile hold together at \(NumberFormat.percent(run.confidence)), after any number of "
        + "sessions; so do those by cause of the outage. A session counts as one sample, since its outages are not "
        + "independent.",
    ]
  }
}

// MARK: - Tables

extension SimulationReport {
  private var success: Table {
    table("profile", ["success", "failures", "outages", "outlived", "attemptsPerHour"])
  }

  /// Policies by profiles, if there are several policies: the shares back in time, and the attempts per hour.
  private var comparison: [ReportBlock] {
    guard trial.policies.count > 1 else { return [] }
    let found = Dictionary(grouping: measurements) { [$0.measure.name, $0.measure.label ?? ""] }
    func table(_ name: String, _ text: (Measurement) -> String) -> Table {
      Table(
        ["profile"], numbers: trial.policies.map(\.name),
        rows: trial.profiles.map { profile in
          [profile.name]
            + trial.policies.map { found[[name, "\(profile.name), \($0.name)"]]?.first.map(text) ?? "" }
        })
    }
    let success = table("reconnect.success") { $0.text(at: run.confidence) }
    let attempts = table("reconnect.attemptsPerHour") { NumberFormat.fixed($0.estimate, decimals: 2) }
    return [
      .table(success, caption: "Share of outages with the client back in time"),
      .table(attempts, caption: "Attempts for each hour of the client, by the same draws"),
    ]
  }

  var causes: Table { table("outage", ["successAfter"]) }

  private var times: Table {
    let percents = [50, 90, 99].united(with: trial.percentiles)
    return table("profile", percents.map { $0 == 50 ? "median" : "p\(NumberFormat.shortest($0))" })
  }

  private func table(_ heading: String, _ names: [String]) -> Table {
    Table(measurements, by: heading, names.map { "reconnect.\($0)" }, at: run.confidence)
  }

  /// A note on outages without a fault, with their number; nil without any.
  private var causesNote: String? {
    let found = result.findings.compactMap { finding in
      let success = finding.tally.causes[OutageCause.none.position]
      return success.trials == 0 ? nil : "\(success.hits) of \(success.trials) of \(finding.name)"
    }
    guard !found.isEmpty else { return nil }
    return "No-fault: no fault that cuts connections began, held or had ended within two minutes; the client gave "
      + "the connection up by itself, as after a lost or late pong. Back in time: \(found.joined(separator: ", "))."
  }

  private var timesNote: String {
    "A percentile is the time within which that share of the outages was over; never: the client was not back before "
      + "the session's end. The intervals hold for all profiles together at \(NumberFormat.percent(run.confidence)). "
      + "The client was in sync in \(NumberFormat.percent(served)) of all time, sleep included."
  }

  private var served: Double {
    (Double(result.counts.servedMilliseconds) / Double(max(1, result.counts.milliseconds)) * 1e4).rounded(.down) / 1e4
  }

  var breaches: Table {
    Table(
      ["profile", "invariant"], numbers: ["sessions"], ["meaning"],
      rows: result.findings.flatMap { finding in
        finding.tally.broken.map { invariant, sessions in
          [finding.name, invariant.name, NumberFormat.grouped(sessions), invariant.sentence]
        }
      })
  }

  /// The limit of each profile, with its reasons.
  private var limits: Table {
    Table(
      ["profile", "meaning"], numbers: ["limit"], ["made of"],
      rows: trial.profiles.map { [$0.name, $0.meaning, TimelineClock.seconds($0.limit), $0.reason] })
  }

  private var drawn: Table {
    Table(["profile", "draws of a session"], rows: trial.profiles.map { [$0.name, $0.definition] })
  }

  var timeRows: Table {
    Table(
      ["profile", "seconds", "away", "low", "high", "confidence"],
      rows: result.findings.flatMap { finding in
        curve(of: finding, maximum: 400).map { point in
          let shares = [point.away, point.interval.lowerBound, point.interval.upperBound]
          return [finding.name, NumberFormat.fixed(point.seconds, decimals: 6)]
            + shares.map { NumberFormat.fixed($0, decimals: 9) } + [NumberFormat.shortest(1 - result.alpha)]
        }
      })
  }
}

// MARK: - Figures

extension SimulationReport {
  private var successFigure: Figure? {
    let found = measurements.filter { $0.measure.name == "reconnect.success" }
    guard let minimum = found.min(by: { $0.estimate < $1.estimate }) else { return nil }
    let series = trial.policies.map { policy in
      Figure.Series(
        trial.policies.count > 1 ? policy.name : "", style: .points,
        points: trial.profiles.enumerated().compactMap { position, profile in
          let label = profile.name + (trial.policies.count > 1 ? ", \(policy.name)" : "")
          return found.first { $0.measure.label == label }.map {
            Figure.Point(Double(position), $0, at: run.confidence, scale: 100)
          }
        })
    }
    let worst =
      " The least is \(NumberFormat.percent(minimum.estimate, decimals: 2)), of \(minimum.measure.label ?? "")."
    return Figure(
      id: "live-success", title: "Share of outages with the client back in time",
      alternative:
        "Dots with intervals, one for each profile\(trial.policies.count > 1 ? " and policy" : ""): the share of "
        + "outages from which the client was back within the limit.\(worst)",
      x: Figure.Axis("profile", scale: .names(trial.profiles.map(\.name))), y: Figure.Axis("back in time, %"),
      series: series
    ).showing([Figure.Subject("reconnect.success", scale: 100)])
  }

  var survivalFigures: [Figure] {
    let maximum = 4
    let shown = result.findings.filter { $0.tally.returns.count > 0 }
    return stride(from: 0, to: shown.count, by: maximum).map { first in
      let some = shown[first..<min(shown.count, first + maximum)]
      let medians = some.compactMap { finding in
        finding.percentile(0.5).map { "\(finding.name) \(TimelineClock.seconds($0.time))" }
      }
      return Figure(
        id: "live-survival-\(first / maximum + 1)",
        title: "Still away" + (shown.count > maximum ? ": " + some.map(\.name).joined(separator: "; ") : ""),
        alternative: "Falling lines with bands, one for each profile: the share of outages not over so long "
          + "after an attempt could have succeeded, and at each time its interval at "
          + "\(NumberFormat.percent(1 - result.alpha)). A line begins below 100% if some were over at "
          + "once, as those that the open connection outlived. Medians: \(medians.joined(separator: ", ")).",
        x: Figure.Axis("seconds since an attempt could succeed", scale: .logarithmic), y: Figure.Axis("still away, %"),
        series: some.map { finding in
          Figure.Series(
            finding.name, style: .line,
            points: curve(of: finding, maximum: 120).map { point in
              Figure.Point(
                max(point.seconds, 0.01), point.away * 100,
                interval: (point.interval.lowerBound * 100)...(point.interval.upperBound * 100))
            })
        }
      ).showing(
        some.flatMap { finding in
          ["median", "p90", "p99"].map { Figure.Subject("reconnect.\($0)", of: finding.name, along: .across) }
        })
    }
  }

  private typealias CurvePoint = (seconds: Double, away: Double, interval: ClosedRange<Double>)

  /// The survival curve at a number of times at most: wherever it has fallen by another part, and at its end.
  private func curve(of finding: ProfileFinding, maximum: Int) -> [CurvePoint] {
    let survival = finding.tally.returns.survival
    var points: [CurvePoint] = []
    var (last, lastSeconds) = (2.0, 0.0)
    for (index, point) in survival.enumerated() {
      let (away, seconds) = (point.away.share ?? 0, max(0.001, point.time.seconds))
      let isFar = last - away >= 2 / Double(maximum) || seconds >= lastSeconds * 1.15
      guard isFar || index == survival.count - 1 else { continue }
      points.append((point.time.seconds, away, point.away.interval(alpha: result.alpha, maximum: finding.maxOutages)))
      (last, lastSeconds) = (away, seconds)
    }
    return points
  }
}

// MARK: - Sentences

extension SimulationReport {
  private var invariants: String {
    let sessions = NumberFormat.grouped(run.samples)
    let broken = result.brokenSessions
    return broken == 0
      ? "None of \(Invariant.ofOneClient.count) invariants was broken at any step of \(sessions) sessions."
      : "Invariants were broken in \(NumberFormat.grouped(broken)) of \(sessions) sessions."
  }

  /// Remarks next to the tables: livelocks, profiles that leave the result to chance, and outages that were not
  /// evaluated, with reasons.
  var remarks: [String] {
    result.findings.flatMap { finding -> [String] in
      let (name, tally) = (finding.name, finding.tally)
      var remarks: [String] = []
      if tally.runaways > 0 {
        remarks.append(
          "\(NumberFormat.grouped(tally.runaways)) sessions of \(name) were cut short by a livelock of the client.")
      }
      if case .doubtful(let why) = finding.profile.feasibility(under: finding.cell.client.settings) {
        remarks.append("In \(name) a client is back in time only by chance: \(why).")
      }
      if tally.success.trials == 0, tally.unrecoverable + tally.late == 0 {
        remarks.append("Nothing is evaluated in \(name): its faults cut no connection.")
      }
      let unevaluated = [
        (tally.unrecoverable, "no attempt could have succeeded before the session's end"),
        (tally.late, "the session ended before the limit was over"),
      ]
      for (count, why) in unevaluated where count > 0 {
        let outages = count == 1 ? "outage of \(name) is" : "outages of \(name) are"
        remarks.append("\(NumberFormat.grouped(count)) \(outages) not evaluated: \(why).")
      }
      return remarks
    }
  }

  /// Failures with the commands that reproduce them: the first session of each sort and profile.
  var failures: [(what: String, command: String)] {
    result.findings.flatMap { finding in
      (finding.tally.failures.breaches.prefix(1) + finding.tally.failures.notBack.prefix(1)).map { failure in
        (
          "\(finding.name), session \(failure.session): \(failure.text(limit: finding.profile.limit))",
          command(failure.seed, finding.cell)
        )
      }
    }
  }

  private func command(_ seed: UInt32, _ cell: SimulationTrial.Cell) -> String {
    cell.client.command(
      seed: seed, profile: cell.profile, bandwidth: trial.bandwidth, messageSize: trial.messageSize,
      generator: run.generator)
  }
}

// MARK: - One session

extension SimulationReport {
  struct ShownSession {
    let timeline: Timeline
    let command: String
    let why: String

    var blocks: [ReportBlock] { [.paragraph(why)] + timeline.blocks + [.code(command, label: "Shown by")] }
  }

  /// The session to show: the first with a broken invariant, else the first from which the client was not back in time,
  /// else the one with the longest return among the first sessions of the first profile. Nil without any session, as
  /// after an early interruption.
  var shownSession: ShownSession? {
    let findings = result.findings
    func first(_ kind: KeyPath<FailureList, [SessionFailure]>) -> (ProfileFinding, SessionFailure)? {
      findings.lazy.compactMap { finding in finding.tally.failures[keyPath: kind].first.map { (finding, $0) } }.first
    }
    if let (finding, failure) = first(\.breaches) {
      return shown(finding, failure.session, failure.seed, "The first session in which an invariant was broken.")
    }
    if let (finding, failure) = first(\.notBack) {
      return shown(
        finding, failure.session, failure.seed,
        "The first session with an outage from which the client was not back in time.")
    }
    guard let finding = findings.first else { return nil }
    let maximum = min(20, finding.tally.sessions)
    let why = "No session failed; of the first \(maximum) of \(finding.name) this has the longest return."
    func longest(_ shown: ShownSession) -> Interval { shown.timeline.outages.compactMap(\.timeToReturn).max() ?? .zero }
    // Lazily, so that at most two sessions are kept at a time.
    return (0..<maximum).lazy.compactMap { number in
      (try? SampleBatch(of: number, seed: run.seed, streams: SimulationTrial.streams).seed()).flatMap {
        shown(finding, number, $0, why)
      }
    }.max { longest($0) < longest($1) }
  }

  private func shown(_ finding: ProfileFinding, _ number: Int, _ seed: UInt32, _ why: String) -> ShownSession? {
    let timeline = try? Timeline(
      of: finding.cell.client, under: finding.profile.schedule(seed: seed, generator: run.generator), seed: seed,
      generator: run.generator, title: "\(finding.profile.name), session \(number): \(finding.cell.client.title)")
    return timeline.map { ShownSession(timeline: $0, command: command(seed, finding.cell), why: why) }
  }
}

// MARK: - Data

extension SimulationReport {
  /// The origin of the sessions, and results by profile that are not measures.
  ///
  /// Fields: `hours` are clients' hours of all sessions, whether or not the client was served; `servedHours` are those
  /// in which it was connected and current. `drawn` is the exact recipe of a session of the profile, and `limitReason`
  /// gives the summands of its limit. Outages are not evaluated if no attempt could have succeeded (`notPossible`) or
  /// if the limit ended after the session (`tooLateToEvaluate`). `broken` has the invariants that did not hold, with
  /// their numbers of sessions. Messages of the server were reported `missed` to the app or `misdelivered`, that is
  /// doubled or lost silently; messages of the app were `dropped` if the client reported them as given up.
  var data: [JSONMember] {
    [
      JSONMember("hours", .fixed(result.counts.hours, decimals: 3)),
      JSONMember("profiles", .array(result.findings.map(data))),
    ]
  }

  private func data(_ finding: ProfileFinding) -> JSONValue {
    let (profile, tally) = (finding.profile, finding.tally)
    return [
      "profile": .string(finding.name), "drawn": .string(profile.definition),
      "limitSeconds": .number(profile.limit.seconds), "limitReason": .string(profile.reason),
      "sessions": .integer(tally.sessions), "notPossible": .integer(tally.unrecoverable),
      "tooLateToEvaluate": .integer(tally.late), "runaways": .integer(tally.runaways),
      "broken": .object(tally.broken.map { JSONMember($0.name, .integer($1)) }),
      "counts": data(tally.counts),
      "failures": .array(
        tally.failures.all.map { failure in
          [
            "session": .integer(failure.session), "seed": .unsigned(UInt64(failure.seed)),
            "replay": .string(command(failure.seed, finding.cell)),
          ]
        }),
    ]
  }

  private func data(_ counts: SessionCounts) -> JSONValue {
    [
      "hours": .fixed(counts.hours, decimals: 3),
      "servedHours": .fixed(Double(counts.servedMilliseconds) / 3_600_000, decimals: 3),
      "events": .integer(counts.events), "attempts": .integer(counts.attempts), "opened": .integer(counts.opened),
      "messages": .integer(counts.messages), "dropped": .integer(counts.dropped),
      "delivered": .integer(counts.delivered), "missed": .integer(counts.missed),
      "misdelivered": .integer(counts.lostOrDuplicated),
    ]
  }
}
