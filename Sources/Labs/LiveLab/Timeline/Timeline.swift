// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness

/// One session, event by event: changes of the network and the server, events delivered to the client, its effects, and
/// its status.
struct Timeline: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    enum Event: Hashable, Sendable {
      /// A change of the world that the client may or may not learn of.
      case changed(SessionChange)
      case delivered(LiveEvent)
    }

    let moment: SessionMoment
    let event: Event
    /// The client's effects, in order; empty if no event was delivered.
    var effects: [LiveEffect] = []
    /// The client's status after the event; nil if no event was delivered.
    var status: LiveStatus?

    /// True if it is the loss of a socket that the client drops by one of the effects.
    fileprivate func isLoss(by effects: LiveEffects) -> Bool {
      if case .changed(.lostAtClient(let generation)) = event { effects.contains(.abort(generation)) } else { false }
    }

    /// The world's clock minus the client's; the client's own times are by its clock.
    var shift: Interval { moment.world - moment.client }
  }

  /// The client and its faults.
  let title: String
  let schedule: FaultSchedule
  let steps: [Step]
  let result: SessionResult
  var breach: Breach?

  /// The end of the observations: of the session, or of the closing handshake after it.
  var end: Instant { max(.zero + result.duration, steps.last?.moment.world ?? .zero) }

  /// The findings of the session, in sentences: failures, and outages without a possible return.
  var findings: [String] {
    let unrecoverable = outages.count(where: isUnrecoverable)
    return [
      breach.map { "Broken: \($0). \($0.invariant.sentence)." },
      result.isRunaway ? "The client made more events than a sound one could, and the session was aborted." : nil,
      lateReturn,
      unrecoverable == 0
        ? nil
        : "In \(unrecoverable == 1 ? "one outage" : "\(unrecoverable) outages") no attempt could have succeeded "
          + "before the session was over: they do not count against the client.",
    ].compactMap(\.self)
  }

  /// The outages of the session itself, without the one begun by the app's stop at its end.
  var outages: [Outage] { result.outages.filter { $0.began - .zero < result.duration } }

  /// The outages from which the client was not back within the schedule's limit although it could have been, except
  /// those whose limit ends after the session.
  var lateReturns: [Outage] {
    guard let limit = schedule.limit else { return [] }
    return outages.filter { outage in
      guard !isUnrecoverable(outage), .zero + result.duration - outage.possible >= limit else { return false }
      return outage.timeToReturn.map { $0 > limit } ?? true
    }
  }

  /// Returns true if no attempt could have succeeded before the end of the session.
  func isUnrecoverable(_ outage: Outage) -> Bool {
    outage.ended == .never && (outage.possible == .never || outage.possible - .zero >= result.duration)
  }

  private var lateReturn: String? {
    guard let limit = schedule.limit, let first = lateReturns.first else { return nil }
    let count = lateReturns.count == 1 ? "an outage" : "\(lateReturns.count) outages"
    return "Not back within \(TimelineClock.text(of: limit)) after \(count), the first at "
      + "\(TimelineClock.text(of: first.began))."
  }
}

extension Timeline {
  init(
    of client: SimulatedClient, under schedule: FaultSchedule, in world: SessionWorld = SessionWorld(), seed: UInt32,
    generator: String, title: String
  ) throws(RandomnessError) {
    func run<Client: ClientUnderTest>(_ type: Client.Type) throws(RandomnessError) -> Timeline {
      var session = try Session<Client, TimelineRecorder>(
        settings: client.settings, world: world, observer: TimelineRecorder(), generator: generator)
      try session.run(schedule, seed: seed)
      return Timeline(
        title: title, schedule: schedule, steps: session.observer.steps, result: session.result,
        breach: session.observer.breach)
    }
    self = try run(client.variant.type)
  }
}

/// Records all events of a session and checks every invariant. It allocates, so it is for single sessions to be shown.
struct TimelineRecorder: SessionObserver, Sendable {
  private(set) var steps: [Timeline.Step] = []
  var breach: Breach? { checker.breach }

  private var checker = InvariantChecker()

  mutating func began(_ settings: ConnectionSettings) {
    self = TimelineRecorder()
    checker.began(settings)
  }

  mutating func step(
    _ event: LiveEvent, effects: LiveEffects, status: LiveStatus, truth: borrowing GroundTruth,
    at moment: SessionMoment
  ) {
    checker.step(event, effects: effects, status: status, truth: truth, at: moment)
    // The loss of a socket follows the effect that drops it.
    let index = steps.lastIndex { !$0.isLoss(by: effects) }.map { $0 + 1 } ?? 0
    steps.insert(
      Timeline.Step(moment: moment, event: .delivered(event), effects: Array(effects), status: status), at: index)
  }

  mutating func observe(_ change: SessionChange, at moment: SessionMoment) {
    checker.observe(change, at: moment)
    steps.append(Timeline.Step(moment: moment, event: .changed(change)))
  }

  mutating func ended(_ truth: borrowing GroundTruth, at moment: SessionMoment) { checker.ended(truth, at: moment) }
}
