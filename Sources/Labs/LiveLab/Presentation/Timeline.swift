// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// One session, event by event: what happened to the network and the server, what the client was told, what it did, and
/// how it said it was.
package struct Timeline: Hashable, Sendable {
  /// What happened at a moment.
  package struct Step: Hashable, Sendable {
    /// What happened.
    package enum Happening: Hashable, Sendable {
      /// Something in the world that the client may or may not learn of.
      case changed(SessionChange)
      /// The client was told.
      case told(LiveEvent)
    }

    /// When, by the clocks of the world and of the client.
    package let moment: SessionMoment
    /// What happened.
    package let happening: Happening
    /// What the client did at once, in order; nothing where it was not told.
    package internal(set) var effects: [LiveEffect] = []
    /// How the client said it was afterwards; nil where it was not told.
    package internal(set) var status: LiveStatus?
  }

  /// Whose session it was and under what, as a heading says it.
  package let title: String
  /// What a reader should know of it, a sentence each: the seed, the policy, the schedule, how to see it again.
  package let origin: [String]
  /// What befell the session.
  package let schedule: FaultSchedule
  /// The steps, in the order in which they happened.
  package let steps: [Step]
  /// What came of the session.
  package let result: SessionResult
  /// The first invariant that did not hold; nil where all did.
  package let breach: Breach?

  /// A session that was watched.
  ///
  /// - Parameters:
  ///   - title: Whose session it was and under what.
  ///   - origin: What a reader should know of it, a sentence each.
  ///   - schedule: What befell it.
  ///   - steps: What a recorder saw.
  ///   - result: What came of it.
  ///   - breach: The first invariant that did not hold.
  package init(
    title: String, origin: [String] = [], schedule: FaultSchedule, steps: [Step], result: SessionResult,
    breach: Breach? = nil
  ) {
    (self.title, self.origin, self.schedule) = (title, origin, schedule)
    (self.steps, self.result, self.breach) = (steps, result, breach)
  }

  /// When nothing more was seen: the session's end, or behind it the end of the closing handshake.
  var end: Instant { max(.zero + result.duration, steps.last?.moment.world ?? .zero) }
}
