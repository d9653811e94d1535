// SPDX-License-Identifier: GPL-3.0-or-later

/// What holds of a connection at every step, whatever happens to it.
package enum Invariant: UInt8, Sendable, Hashable, CaseIterable {
  /// Those that show in one client's session; the others take several clients.
  static let ofOneClient = allCases.filter { $0 != .spreadReturns }

  // Sockets and timers.
  case oneSocket, oneTimer, staleChangesNothing, nothingAfterClose, everyStartEnds, alwaysAnExit
  // Attempts.
  case attemptLimit, attemptFloor, countedOnce, resetWhenProven, retryAfterHonoured, refreshedOnce, spreadReturns
  // Links.
  case halfOpenNoticed, pongTimeoutAborts, connectTimeout, droppedForAReason, endsForAReason
  // Messages.
  case firstMessage, messagesDelivered, deliveredOnce, sentInOrder, answeredOnce, takenInTruth, queueBounds
  // What is shown.
  case statusTrue

  /// What reports call it.
  package var name: String {
    switch self {
    case .oneSocket: "one-socket"
    case .oneTimer: "one-timer"
    case .staleChangesNothing: "stale-changes-nothing"
    case .nothingAfterClose: "nothing-after-close"
    case .everyStartEnds: "every-start-ends"
    case .alwaysAnExit: "always-an-exit"
    case .attemptLimit: "attempt-limit"
    case .attemptFloor: "attempt-floor"
    case .countedOnce: "counted-once"
    case .resetWhenProven: "reset-when-proven"
    case .retryAfterHonoured: "retry-after-honoured"
    case .refreshedOnce: "refreshed-once"
    case .spreadReturns: "spread-returns"
    case .halfOpenNoticed: "half-open-noticed"
    case .pongTimeoutAborts: "pong-timeout-aborts"
    case .connectTimeout: "connect-timeout"
    case .droppedForAReason: "dropped-for-a-reason"
    case .endsForAReason: "ends-for-a-reason"
    case .firstMessage: "first-message"
    case .messagesDelivered: "messages-delivered"
    case .deliveredOnce: "delivered-once"
    case .sentInOrder: "sent-in-order"
    case .answeredOnce: "answered-once"
    case .takenInTruth: "taken-in-truth"
    case .queueBounds: "queue-bounds"
    case .statusTrue: "status-true"
    }
  }

  /// What is claimed, in a sentence.
  package var sentence: String {
    switch self {
    case .oneSocket: "At most one socket is open or being opened: the old one is closed before the next is opened"
    case .oneTimer: "One step sets the timer at most once, with a tag of its own"
    case .staleChangesNothing: "What comes from an earlier generation or an old timer changes nothing"
    case .nothingAfterClose: "Once closed for good, nothing is opened, sent or timed any more"
    case .everyStartEnds: "Once closed for good, no socket, timer or message is left without an end"
    case .alwaysAnExit: "A client that should be connected and has a network is never stuck: something will move it on"
    case .attemptLimit:
      "After the last attempt without a proven connection, the next waits for the slow cadence or a hint"
    case .attemptFloor: "No attempt comes sooner after the last than the floor, but for a hint"
    case .countedOnce: "An attempt is counted once, and forgotten only by a connection that proved itself"
    case .resetWhenProven: "A connection that proved itself is followed by the first attempt, not by a later one"
    case .retryAfterHonoured: "No attempt comes sooner than the server asked"
    case .refreshedOnce: "Credentials that were refused are refreshed, once until a connection has proved itself"
    case .spreadReturns: "Clients that lost one server at one moment do not return at one moment"
    case .halfOpenNoticed: "A silent link is given up within the ping interval and the pong timeout"
    case .pongTimeoutAborts: "A link whose ping was not answered is reset, not asked to close"
    case .connectTimeout: "An attempt is given up after the connect timeout"
    case .droppedForAReason: "A link is dropped only for a reason: a timeout of its own, a fault, or the device's word"
    case .endsForAReason:
      "A connection is closed for good when the app, the server or the credentials forbid it, only then"
    case .firstMessage: "A message directly behind the handshake is delivered"
    case .messagesDelivered:
      "Every message that arrives is delivered in its order, and a hole in the stream is reported"
    case .deliveredOnce: "No message is delivered twice"
    case .sentInOrder:
      "Messages are sent in the order in which they were handed over, each once a connection, none left out"
    case .answeredOnce: "What becomes of a message is told once"
    case .takenInTruth:
      "The server has what the app is told to be acknowledged, and is sent none of it again, whatever it forgets"
    case .queueBounds: "No more messages wait than the bounds allow"
    case .statusTrue: "The status tells the present, and every change of it is announced"
    }
  }
}
