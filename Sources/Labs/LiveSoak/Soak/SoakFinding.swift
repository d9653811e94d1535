// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import Scenarios

/// The results of a soak, in the clients' own time.
struct SoakFinding: Sendable {
  let trial: SoakTrial
  let schedule: FaultSchedule
  let outcome: SoakOutcome
  /// The real clients and the simulated ones, counted by the same rules.
  let real: ProfileTally
  let simulated: ProfileTally
  let comparisons: [OutageComparison]
  let limit: Interval
  /// The most outages counted of one client.
  let maximum: Int

  /// The default limit for a client's return if neither schedule nor profile has one.
  static let defaultLimit = Interval.seconds(60)

  init(trial: SoakTrial, schedule: FaultSchedule, outcome: SoakOutcome, simulated: [SessionResult]) {
    (self.trial, self.schedule, self.outcome) = (trial, schedule, outcome)
    let limit = schedule.limit ?? Self.defaultLimit
    self.limit = limit
    let maximum = ProfileTally.maxEvaluated(faults: schedule.faults.count)
    self.maximum = maximum
    let results = outcome.clients.map(\.result)
    func tally(_ results: [SessionResult], _ note: (Int, inout ProfileTally) -> Void) -> ProfileTally {
      var tally = ProfileTally()
      for (number, result) in results.enumerated() {
        tally.add(
          session: number, seed: 0, result, schedule, limit: limit, maximum: maximum)
        note(number, &tally)
      }
      return tally
    }
    real = tally(results) { number, tally in
      let client = outcome.clients[number]
      tally.add(session: number, seed: 0, isRunaway: false, breach: client.breach, breached: client.breached)
    }
    self.simulated = tally(simulated) { _, _ in }
    comparisons = OutageComparison.all(
      under: schedule, real: results, simulated: simulated, limit: limit,
      resolution: trial.speed.own(trial.resolution), alpha: 1 - trial.confidence)
  }

  /// The faults that never took effect, by index.
  var idle: [Int] { schedule.faults.indices.filter { effect(of: $0) == 0 } }

  func effect(of index: Int) -> UInt64 { outcome.effects.indices.contains(index) ? outcome.effects[index] : 0 }

  func effects(of kind: Fault.Kind) -> UInt64 {
    schedule.faults.indices.filter { schedule.faults[$0].fault.kind == kind }.reduce(0) { $0 + effect(of: $1) }
  }

  /// Reconnections per second of the machine's clock.
  var reconnectsPerSecond: Double {
    let reconnects = outcome.openings > UInt64(trial.clients) ? outcome.openings - UInt64(trial.clients) : 0
    return outcome.duration > .zero ? Double(reconnects) / trial.speed.real(outcome.duration).seconds : 0
  }

  /// The largest lateness of the machine, by its own clock, while clients came back from an outage or the one before
  /// it: the time of a return decides when a client pings, and so when it notices the next outage.
  func lateness(in comparison: OutageComparison) -> Interval {
    guard var span = comparison.real.span else { return .zero }
    if let before = comparisons.last(where: { $0.index < comparison.index })?.real.span,
      before.lowerBound < span.lowerBound
    {
      span = before.lowerBound...span.upperBound
    }
    func slot(_ moment: Instant) -> Int {
      Int(clamping: trial.speed.real(moment - .zero).nanoseconds / LatenessProbe.slot.nanoseconds)
    }
    let first = min(max(0, slot(span.lowerBound)), outcome.lateness.count)
    let last = min(max(first, slot(span.upperBound) + 1), outcome.lateness.count)
    return outcome.lateness[first..<last].max() ?? .zero
  }

  /// The number of times that an attempt passes through each event loop and may be late: connecting, the handshake and
  /// its answer, the request to resume and its answer.
  private static let passes: Int64 = 4

  /// The number of questions about an outage on which the two worlds disagree, and how many of these disagreements the
  /// machine may have caused: a distance that vanishes if times may differ by its lateness, and any share if the
  /// lateness is more than the resolution.
  func disagreements(in comparison: OutageComparison) -> (sure: Int, undecided: Int) {
    let slack = lateness(in: comparison) * Self.passes
    let undecided = comparison.disagreements.count { question in
      guard question == .times, let allowed = comparison.allowed else { return slack > trial.resolution }
      let wider = trial.speed.own(trial.resolution + slack)
      return OutageComparison.distance(comparison.real, comparison.simulated, resolution: wider).gap <= allowed
    }
    return (comparison.disagreements.count - undecided, undecided)
  }

  var disagreements: Int { comparisons.reduce(0) { $0 + disagreements(in: $1).sure } }

  var undecidedDisagreements: Int { comparisons.reduce(0) { $0 + disagreements(in: $1).undecided } }

  /// After an interruption, the results of the rest of the run are unknown.
  var undecided: Int { outcome.isComplete ? 0 : trial.clients }
}

/// The measures of a soak; those of the clients have the names of the simulation's.
enum SoakMeasures {
  static func rows(confidence: Double) -> [MeasureRow<SoakFinding>] {
    func percentile(_ name: String, _ share: Double, _ words: String) -> MeasureRow<SoakFinding> {
      .interval(
        "reconnect.\(name)",
        "The client's time from when an attempt could succeed within which \(words) of 100 outages were over",
        unit: "s", confidence: confidence
      ) { finding in
        finding.real.returns.percentile(share, alpha: 1 - confidence, maximum: finding.maximum)?
          .value(confidence: confidence, sessions: finding.real.success.clusters)
          ?? .interval(.nan, low: -.infinity, high: .infinity, confidence: confidence, samples: 0)
      }
    }
    return [
      .interval(
        "reconnect.success",
        "The share of outages from which the client was connected and current again within the limit",
        confidence: confidence, range: 0...1
      ) { finding in
        finding.real.success.value(alpha: 1 - confidence, maximum: finding.maximum)
          ?? .interval(.nan, low: 0, high: 1, confidence: confidence, samples: 0)
      },
      percentile("median", 0.5, "50"), percentile("p90", 0.9, "90"), percentile("p99", 0.99, "99"),
      .count(
        "reconnect.failures", "Clients with an outage from which they were not back in time", unit: "clients",
        undecided: { $0.undecided }
      ) { $0.real.troubledSessions },
      .exact(
        "reconnects.perSecond", "Connections opened again per second of the machine's clock", unit: "/s"
      ) { $0.reconnectsPerSecond },
      .count(
        "invariants.broken", "Clients that broke an invariant at some step", unit: "clients",
        undecided: { $0.undecided }
      ) { $0.real.brokenSessions },
      .count(
        "messages.misdelivered", "Messages of the server that the app got twice, or that were lost silently",
        unit: "messages", undecided: { $0.undecided }
      ) { $0.real.counts.lostOrDuplicated },
      .count("faults.idle", "Faults of the schedule that never took effect", unit: "faults") { $0.idle.count },
      .count(
        "descriptors.left", "Files and sockets open after the run but not before it", unit: "descriptors"
      ) { $0.outcome.descriptorsLeft.count + $0.outcome.relaysLeft + $0.outcome.unfinished },
      .count(
        "model.disagreements",
        "Questions about an outage on which real and simulated clients differ, beyond chance and the "
          + "resolution; undecided where the machine was later than that",
        undecided: { $0.undecidedDisagreements }
      ) { $0.disagreements },
    ]
  }

  static let effects: [MeasureRow<(SoakFinding, Fault.Kind)>] = [
    .count(
      "faults.effects", "How often faults of a kind took effect: on connections, attempts or pieces of data",
      unit: "times"
    ) { Int(clamping: $0.0.effects(of: $0.1)) }
  ]
}
