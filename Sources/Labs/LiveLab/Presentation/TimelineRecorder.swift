// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// Keeps everything that happens in a session, and holds the client to every invariant meanwhile. It allocates, so it
/// is for single sessions that people look at.
package struct TimelineRecorder: SessionWitness, Sendable {
  /// What was seen.
  package private(set) var steps: [Timeline.Step] = []
  /// The first invariant that did not hold; nil while all do.
  package var breach: Breach? { watch.breach }

  private var watch = InvariantWatch()
  /// The step of the event that is being handled; what its effects change in the world comes behind it.
  private var current: Int?

  /// Nothing was seen yet.
  package init() {}

  /// Begins anew.
  package mutating func began(_ settings: ConnectionSettings) {
    self = TimelineRecorder()
    watch.began(settings)
  }

  /// Keeps the event that the client is told.
  package mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {
    watch.saw(event, at: moment)
    current = steps.count
    steps.append(Timeline.Step(moment: moment, happening: .told(event)))
  }

  /// Keeps what the client does about it.
  package mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {
    watch.saw(effect, at: moment)
    if let current { steps[current].effects.append(effect) }
  }

  /// Keeps a change of the world.
  package mutating func saw(_ change: SessionChange, at moment: SessionMoment) {
    watch.saw(change, at: moment)
    steps.append(Timeline.Step(moment: moment, happening: .changed(change)))
  }

  /// Keeps how the client says it is.
  package mutating func settled<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment
  ) {
    watch.settled(session, at: moment)
    if let current { steps[current].status = session.status }
    current = nil
  }

  /// Lets the watch look at the end.
  package mutating func ended<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment
  ) {
    watch.ended(session, at: moment)
  }
}
