// SPDX-License-Identifier: Apache-2.0

/// An effect that a connection requests, to be carried out in order. A plain value without references.
public enum LiveEffect: Hashable, Sendable {
  /// Open a socket, to the app's address or to the target of the last redirect.
  case open(Generation, OpenTarget)
  /// Drop the socket at once, by a reset; later reports of it are ignored.
  case abort(Generation)
  /// Send a close frame with this code and wait for the answer.
  case sendClose(Generation, CloseCode)
  /// Send a ping with this number.
  case sendPing(Generation, UInt32)
  /// Answer a ping.
  case sendPong(Generation, UInt32)
  /// Ask the server to continue after this position; `nil` asks for messages from now on.
  case sendResume(Generation, after: StreamPosition?)
  /// Send a message.
  case sendMessage(Generation, MessageNumber)
  /// Set the single timer, replacing its previous setting.
  case setTimer(TimerTag, at: Instant)
  /// Cancel the timer.
  case cancelTimer
  /// Fetch fresh credentials and report them by `credentials`.
  case refreshCredentials(Generation)
  /// Deliver the message that arrived to the app.
  case deliver(StreamPosition?, bytes: Int)
  /// Messages of the stream are lost to this client: those after the first position up to the second.
  case gap(after: StreamPosition?, upTo: StreamPosition)
  /// The server has these messages: their contents can be discarded.
  case acknowledged(through: MessageNumber)
  /// A message will not be sent.
  case dropped(MessageNumber, DropReason)
  /// `status` has changed.
  case statusChanged
}

/// The address that a socket is opened to.
public enum OpenTarget: UInt8, Hashable, Sendable {
  /// The address given by the app.
  case original
  /// The address of the last redirect.
  case redirected
}

/// The reason why a message was not sent.
public enum DropReason: UInt8, Hashable, Sendable, CaseIterable {
  /// Too many messages, or too many bytes.
  case overflow
  /// The message was too old.
  case age
  /// The connection was closed for good.
  case closed
  /// It was sent on a connection that broke, and may or may not have arrived; sending it again could duplicate it.
  case uncertain
  /// The connection ended while it was being sent: it has not arrived, and sending it again cannot duplicate it.
  case cut
}

/// The effects of one event, in order. The caller reuses the storage, so that handling an event allocates nothing.
public struct LiveEffects: Sendable {
  /// Elements after the first `held` are left over from earlier events: overwriting is cheaper than removing.
  @usableFromInline var storage: [LiveEffect] = []
  @usableFromInline var held = 0

  /// No effects.
  public init() { storage.reserveCapacity(16) }

  /// No effects, without reserved storage.
  init(unreserved: Void) {}

  /// Removes all effects.
  @inlinable
  public mutating func removeAll() { held = 0 }

  /// Appends an effect.
  @inlinable
  public mutating func append(_ effect: LiveEffect) {
    if held < storage.count { storage[held] = effect } else { storage.append(effect) }
    held &+= 1
  }
}

extension LiveEffects: RandomAccessCollection {
  /// The index of the first effect.
  @inlinable public var startIndex: Int { 0 }
  /// The index after the last effect.
  @inlinable public var endIndex: Int { held }

  /// The effect at an index.
  @inlinable
  public subscript(index: Int) -> LiveEffect {
    precondition(index >= 0 && index < held)
    return storage[index]
  }
}
