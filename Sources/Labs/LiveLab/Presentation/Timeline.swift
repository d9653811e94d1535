// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// One session, event by event: what happened to the network and the server, what the client was told, what it did, and
/// how it said it was.
public struct Timeline: Hashable, Sendable {
  /// What happened at a moment.
  public struct Step: Hashable, Sendable {
    /// What happened.
    public enum Happening: Hashable, Sendable {
      /// Something in the world that the client may or may not learn of.
      case changed(SessionChange)
      /// The client was told.
      case told(LiveEvent)
    }

    /// When, by the clocks of the world and of the client.
    public let moment: SessionMoment
    /// What happened.
    public let happening: Happening
    /// What the client did at once, in order; nothing where it was not told.
    public internal(set) var effects: [LiveEffect] = []
    /// How the client said it was afterwards; nil where it was not told.
    public internal(set) var status: LiveStatus?
  }

  /// Whose session it was and under what, as a heading says it.
  public let title: String
  /// What a reader should know of it, a sentence each: the seed, the policy, the schedule, how to see it again.
  public let origin: [String]
  /// What befell the session.
  public let schedule: FaultSchedule
  /// The steps, in the order in which they happened.
  public let steps: [Step]
  /// What came of the session.
  public let result: SessionResult

  /// A session that was watched.
  ///
  /// - Parameters:
  ///   - title: Whose session it was and under what.
  ///   - origin: What a reader should know of it, a sentence each.
  ///   - schedule: What befell it.
  ///   - steps: What a recorder saw.
  ///   - result: What came of it.
  public init(
    title: String, origin: [String] = [], schedule: FaultSchedule, steps: [Step], result: SessionResult
  ) {
    (self.title, self.origin, self.schedule) = (title, origin, schedule)
    (self.steps, self.result) = (steps, result)
  }
}

/// Keeps everything that happens in a session. It allocates, so it is for single sessions that people look at.
public struct TimelineRecorder: SessionWitness, Sendable {
  /// What was seen.
  public private(set) var steps: [Timeline.Step] = []
  /// The step of the event that is being handled; what its effects change in the world comes behind it.
  private var current: Int?

  /// Nothing was seen yet.
  public init() {}

  /// Keeps the event that the client is told.
  public mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {
    current = steps.count
    steps.append(Timeline.Step(moment: moment, happening: .told(event)))
  }

  /// Keeps what the client does about it.
  public mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {
    if let current { steps[current].effects.append(effect) }
  }

  /// Keeps a change of the world.
  public mutating func saw(_ change: SessionChange, at moment: SessionMoment) {
    steps.append(Timeline.Step(moment: moment, happening: .changed(change)))
  }

  /// Keeps how the client says it is.
  public mutating func settled<Subject: LiveSubject>(
    _ subject: borrowing Subject, _ truth: borrowing SessionTruth, at moment: SessionMoment
  ) {
    if let current { steps[current].status = subject.status }
    current = nil
  }
}
