// SPDX-License-Identifier: Apache-2.0

/// An effect that a connection asks for, to be done in order. A plain value without references.
public enum LiveEffect: Hashable, Sendable {
  /// Open a socket: to the address, or to where the last refusal redirected.
  case open(Generation, OpenTarget)
  /// Drop the socket at once, by a reset: whatever of it still happens is of no interest.
  case abort(Generation)
  /// Send a close frame with that code and wait for the answer.
  case sendClose(Generation, CloseCode)
  /// Send a ping with that number.
  case sendPing(Generation, UInt32)
  /// Answer a ping.
  case sendPong(Generation, UInt32)
  /// Ask the server to go on after this place; nil asks for what comes from now on.
  case sendResume(Generation, after: StreamPosition?)
  /// Send a message.
  case sendMessage(Generation, MessageNumber)
  /// Set the one timer, in place of whatever it was set to.
  case setTimer(TimerTag, at: Instant)
  /// Nothing is to fire any more.
  case cancelTimer
  /// Get fresh credentials and report by `credentials`.
  case refreshCredentials(Generation)
  /// Hand the message that arrived to the app.
  case deliver(StreamPosition?, bytes: Int)
  /// Messages of the stream are lost to this client: those after the first place and up to the second.
  case gap(after: StreamPosition?, upTo: StreamPosition)
  /// The server has these messages: their contents can go.
  case acknowledged(through: MessageNumber)
  /// A message will not be sent.
  case dropped(MessageNumber, DropReason)
  /// `status` is another than before.
  case statusChanged
}

/// Where a socket is opened to.
public enum OpenTarget: UInt8, Hashable, Sendable {
  /// The address that the app gave.
  case original
  /// The address of the last redirect.
  case redirected
}

/// Why a message was not sent.
public enum DropReason: UInt8, Hashable, Sendable, CaseIterable {
  /// There were too many, or too many bytes.
  case overflow
  /// It was too old.
  case age
  /// The connection was closed for good.
  case closed
  /// It was sent on a connection that broke, and may or may not have arrived; sending it again could duplicate it.
  case uncertain
}

/// The effects of one event, in order. Kept by the caller and used again, so that handling an event allocates nothing.
public struct LiveEffects: Sendable {
  /// Those behind the first `held` are left over from earlier events: overwriting them is cheaper than removing them.
  @usableFromInline var storage: [LiveEffect] = []
  @usableFromInline var held = 0

  /// No effects.
  public init() { storage.reserveCapacity(16) }

  /// No effects, and no room for any yet.
  init(unreserved: Void) {}

  /// Forgets them.
  @inlinable
  public mutating func removeAll() { held = 0 }

  /// Adds one.
  @inlinable @inline(__always)
  public mutating func append(_ effect: LiveEffect) {
    if held < storage.count { storage[held] = effect } else { storage.append(effect) }
    held &+= 1
  }
}

extension LiveEffects: RandomAccessCollection {
  /// The place of the first effect.
  @inlinable public var startIndex: Int { 0 }
  /// The place after the last.
  @inlinable public var endIndex: Int { held }

  /// The effect at a place.
  @inlinable
  public subscript(index: Int) -> LiveEffect {
    @inline(__always) get {
      precondition(index >= 0 && index < held)
      return storage[index]
    }
  }
}
