// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
internal import Reporting

/// An invariant that did not hold: which, when, and what was found. A plain value, so that watching allocates nothing.
package struct Breach: Hashable, Sendable {
  /// What should have held.
  package let invariant: Invariant
  /// When, by the world's clock and by the client's.
  package let moment: SessionMoment
  /// At which step of the session: 1 is the first event told to the client.
  package let step: UInt64
  /// What the client was told then.
  package let event: LiveEvent
  /// What was found instead.
  package let finding: Finding

  /// What was found instead.
  package enum Finding: Hashable, Sendable {
    /// So many, where there may be at most so many.
    case tooMany(Int, atMost: Int)
    /// So many, where there should be exactly so many.
    case wrongCount(Int, expected: Int)
    /// Something came after so long, where it may come after so long at the soonest.
    case tooSoon(Interval, atLeast: Interval)
    /// Something did not come, or came after so long, where it should have come within so long.
    case tooLate(Interval, atMost: Interval)
    /// The client wants something done that it should not want.
    case effect(LiveEffect)
    /// The client shows a state that it is not in.
    case phase(LiveStatus.Phase, expected: LiveStatus.Phase)
    /// A message, where another was to come.
    case message(UInt64, expected: UInt64)
    /// A part of the status that does not tell the present.
    case status(StatusField)
    /// Nothing that would move the client on.
    case nothing
  }

  /// A part of the status.
  package enum StatusField: UInt8, Hashable, Sendable, CaseIterable {
    case attempt, nextTry, health, isCurrent, queued, announcement
  }
}

extension Breach: CustomStringConvertible {
  /// One sentence: which invariant, when, and what was found.
  package var description: String {
    "\(invariant.name) at \(TimelineClock.text(of: moment.world)), step \(step): \(finding)"
  }
}

extension Breach.Finding: CustomStringConvertible {
  /// What was found and what was expected.
  package var description: String {
    switch self {
    case .tooMany(let found, let most): "\(found), where there may be \(most) at the most"
    case .wrongCount(let found, let expected): "\(found), where there should be \(expected)"
    case .tooSoon(let found, let least):
      "after \(found.inSeconds(beside: least)), where it may come after \(least.inSeconds(beside: found)) at the "
        + "soonest"
    case .tooLate(.forever, let most): "not within \(most.inSeconds), but never"
    case .tooLate(let found, let most):
      "not within \(most.inSeconds(beside: found)), but after \(found.inSeconds(beside: most)) or never"
    case .effect(let effect): "the client wants `\(effect.name)`"
    case .phase(let found, let expected): "the status says \(found), and it is \(expected)"
    case .message(let found, let expected): "message \(found), where \(expected) was to come"
    case .status(let field): "the status is wrong about \(field.words)"
    case .nothing: "nothing will move the client on"
    }
  }
}

extension Breach.StatusField {
  /// What the field is, in words.
  var words: String {
    switch self {
    case .attempt: "the number of attempts"
    case .nextTry: "when the next attempt comes"
    case .health: "how sure the link is"
    case .isCurrent: "whether the app has everything"
    case .queued: "how many messages wait"
    case .announcement: "nothing, but the change was not announced"
    }
  }
}

extension LiveEffect {
  /// The effect's kind in words.
  var name: String {
    switch self {
    case .open(let generation, _): "open \(generation.number)"
    case .abort(let generation): "abort \(generation.number)"
    case .sendClose(let generation, let code): "close \(generation.number) with \(code.value)"
    case .sendPing(let generation, _): "ping on \(generation.number)"
    case .sendPong(let generation, _): "pong on \(generation.number)"
    case .sendResume(let generation, _): "resume on \(generation.number)"
    case .sendMessage(let generation, let number): "message \(number.value) on \(generation.number)"
    case .setTimer(let tag, _): "timer \(tag.number)"
    case .cancelTimer: "no timer"
    case .refreshCredentials: "fresh credentials"
    case .deliver(let position, _): position.map { "deliver \($0.epoch)/\($0.offset)" } ?? "deliver"
    case .gap(_, let last): "gap up to \(last.epoch)/\(last.offset)"
    case .acknowledged(let number): "acknowledged \(number.value)"
    case .dropped(let number, let reason): "dropped \(number.value): \(reason)"
    case .statusChanged: "status changed"
    }
  }
}

extension Interval {
  /// The length in seconds for people, such as `12.5 s`.
  var inSeconds: String { self == .forever ? "ever" : "\(NumberFormat.shortest(seconds)) s" }

  /// The same, cut to thousandths of a second as a timeline cuts them; finer where another length would read the same.
  func inSeconds(beside other: Interval) -> String {
    guard self != .forever else { return inSeconds }
    let (own, others) = (nanoseconds / 1_000_000, other.nanoseconds / 1_000_000)
    guard own != others || self == other else { return inSeconds }
    return NumberFormat.shortest(Double(own) / 1_000) + " s"
  }
}
