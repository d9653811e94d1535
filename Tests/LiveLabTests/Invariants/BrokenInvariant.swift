// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// An invariant, the variant that breaks it, and the schedule in which it does.
struct BrokenInvariant: Sendable, CustomTestStringConvertible {
  let invariant: Invariant
  let subject: String
  let schedule: String
  /// How often the app sends; nil for as often as usual.
  let sends: Interval?

  init(_ invariant: Invariant, _ subject: String, _ schedule: String, sends: Interval? = nil) {
    (self.invariant, self.subject, self.schedule, self.sends) = (invariant, subject, schedule, sends)
  }

  var testDescription: String { "\(invariant.name) by \(subject) in `\(schedule)`" }

  /// All but `spreadReturns`, which takes more than one client to break.
  static let all = [
    BrokenInvariant(.oneSocket, "live-leaves-orphans", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.oneTimer, "live-reuses-timer-tags", "live/1 for=15m"),
    BrokenInvariant(.staleChangesNothing, "live-doubles-itself", "live/1 for=15m; 1s half-open"),
    BrokenInvariant(.nothingAfterClose, "live-returns-from-the-dead", "live/1 for=2s; 1s garbage code=1002"),
    BrokenInvariant(.everyStartEnds, "live-returns-from-the-dead", "live/1 for=2s; 1s garbage code=1002"),
    BrokenInvariant(.alwaysAnExit, "live-leaks-the-lock", "live/1 for=30m; 0s black-hole for=3m"),
    BrokenInvariant(.attemptLimit, "live-never-suspends", "live/1 for=30m; 0s black-hole for=10m"),
    BrokenInvariant(.attemptFloor, "live-forgets-the-floor", "live/1 for=30m; 0s refused for=10m"),
    BrokenInvariant(.countedOnce, "live-resets-on-open", "live/1 for=15m; 0s reset"),
    BrokenInvariant(.resetWhenProven, "live-never-resets", "live/1 for=15m; 1m reset; 2m reset"),
    BrokenInvariant(
      .retryAfterHonoured, "live-ignores-retry-after",
      "live/1 for=15m; 0s refusal for=10s status=503 retry-after=1m"),
    BrokenInvariant(.refreshedOnce, "live-loops-on-token", "live/1 for=15m; 0s refusal for=10s status=401"),
    BrokenInvariant(.halfOpenNoticed, "live-sends-no-pings", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.pongTimeoutAborts, "live-closes-politely", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.connectTimeout, "live-waits-for-the-kernel", "live/1 for=15m; 0s black-hole for=1m"),
    BrokenInvariant(.droppedForAReason, "live-keeps-connect-timeouts", "live/1 for=15m; 0s reset"),
    BrokenInvariant(.endsForAReason, "live-own-close-is-final", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.firstMessage, "live-drops-with-handshake", "live/1 for=15m"),
    BrokenInvariant(
      .messagesDelivered, "live-hides-gaps", "live/1 for=15m; 1m restart for=1s how=graceful history=lost"),
    BrokenInvariant(.deliveredOnce, "live-listens-again", "live/1 for=1h; 1m reset"),
    BrokenInvariant(
      .sentInOrder, "live-flushes-backwards", "live/1 for=15m; 1m refused for=1m; 1m reset", sends: .seconds(1)),
    BrokenInvariant(.answeredOnce, "live-answers-twice", "live/1 for=15m"),
    BrokenInvariant(
      .takenInTruth, "live-flushes-backwards", "live/1 for=15m; 1m refused for=1m; 1m reset", sends: .seconds(1)),
    BrokenInvariant(
      .queueBounds, "live-queues-without-end", "live/1 for=15m; 1m offline for=3m; 1m reset",
      sends: .milliseconds(50)),
    BrokenInvariant(.statusTrue, "live-announces-nothing", "live/1 for=15m"),
  ]
}
