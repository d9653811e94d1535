// SPDX-License-Identifier: Apache-2.0

/// The messages that wait to be sent or acknowledged, in order: numbers and sizes, never contents.
///
/// Within the limits nothing is lost silently: each number that enters leaves by an acknowledgement or by a `dropped`
/// effect, once. The messages on their way come first and the unsent after them, since messages go out in order. A ring
/// that grows when it must; an outbox that never held anything has allocated nothing.
public struct Outbox: Sendable {
  /// How many messages and bytes, how old they get, and what goes when there are too many.
  public var limits: OutboxLimits
  /// How many messages wait to be sent or acknowledged.
  public private(set) var count = 0
  /// How many of those were sent on the connection that is open, and are not acknowledged.
  public private(set) var unacknowledged = 0
  /// How many bytes they are together.
  public private(set) var bytes = 0
  /// The greatest number that was ever sent; 0 before the first.
  public private(set) var lastSent = MessageNumber(0)
  private var lastQueued = MessageNumber(0)
  private var ring: [QueuedMessage] = []
  private var head = 0

  /// An empty outbox.
  public init(_ limits: OutboxLimits = OutboxLimits()) { self.limits = limits }

  /// How many messages wait to be sent.
  public var unsent: Int { count - unacknowledged }

  /// When the oldest unsent message is too old; nil when none waits, or when messages do not age.
  public var nextExpiry: Instant? {
    guard unsent > 0 else { return nil }
    let due = ring[slot(unacknowledged)].queuedAt + limits.age
    return due == .never ? nil : due
  }

  /// Takes a message in, if need be in place of others.
  ///
  /// A message that cannot be had even without all unsent ones is dropped itself, and the others stay. A number that is
  /// not greater than all before it is known already, and nothing happens.
  ///
  /// - Returns: Whether the message waits now.
  @discardableResult
  public mutating func enqueue(
    _ number: MessageNumber, bytes size: Int, at now: Instant, into effects: inout LiveEffects
  ) -> Bool {
    guard number > lastQueued else { return false }
    lastQueued = number
    let size = Swift.max(0, size)
    guard makeRoom(for: size, into: &effects) else {
      effects.append(.dropped(number, .overflow))
      return false
    }
    if count == ring.count { grow() }
    ring[slot(count)] = QueuedMessage(number: number, bytes: size, queuedAt: now)
    count += 1
    bytes += size
    return true
  }

  /// The next message to send, marked as sent; nil when nothing is unsent. Ask until there is none, and call `expire`
  /// first.
  public mutating func nextToSend() -> MessageNumber? {
    guard unsent > 0 else { return nil }
    let number = ring[slot(unacknowledged)].number
    unacknowledged += 1
    lastSent = Swift.max(lastSent, number)
    return number
  }

  /// Forgets what the server says it has. What was never sent it cannot have, and stays.
  ///
  /// - Returns: The last that is acknowledged by this; nil when that is nothing new.
  public mutating func acknowledge(through number: MessageNumber) -> MessageNumber? {
    let bound = Swift.min(number, lastSent)
    var last: MessageNumber?
    while count > 0, ring[head].number <= bound {
      last = ring[head].number
      removeFirst()
    }
    return last
  }

  /// The connection is gone, and with it what was on its way: unacknowledged messages are sent again before all others,
  /// or dropped.
  public mutating func connectionBroke(_ policy: UnacknowledgedPolicy, into effects: inout LiveEffects) {
    switch policy {
    case .sendAgain: unacknowledged = 0
    case .drop: while unacknowledged > 0 { dropFirst(.uncertain, into: &effects) }
    }
  }

  /// Drops the unsent messages that are too old. What was sent and may yet be acknowledged does not age.
  public mutating func expire(at now: Instant, into effects: inout LiveEffects) {
    while let due = nextExpiry, due <= now { dropFirstUnsent(.age, into: &effects) }
  }

  /// Drops everything, since the connection is closed for good: `uncertain` for what was sent once and `closed` for the
  /// rest.
  public mutating func close(into effects: inout LiveEffects) {
    while count > 0 { dropFirst(.closed, into: &effects) }
  }
}

extension Outbox {
  /// Drops what must go for a message of that size.
  private mutating func makeRoom(for size: Int, into effects: inout LiveEffects) -> Bool {
    if fits(size, with: count, bytes) { return true }
    guard limits.overflow == .dropOldest else { return false }
    let unsentBytes = (unacknowledged..<count).reduce(0) { $0 + ring[slot($1)].bytes }
    guard fits(size, with: unacknowledged, bytes - unsentBytes) else { return false }
    while !fits(size, with: count, bytes) { dropFirstUnsent(.overflow, into: &effects) }
    return true
  }

  private func fits(_ size: Int, with messages: Int, _ held: Int) -> Bool {
    messages < limits.count && held <= limits.bytes && size <= limits.bytes - held
  }

  private func slot(_ place: Int) -> Int { (head &+ place) & (ring.count &- 1) }

  private mutating func grow() {
    let held = (0..<count).map { ring[slot($0)] }
    ring = held + Array(repeating: QueuedMessage(), count: Swift.max(16, 2 * ring.count) - count)
    head = 0
  }

  private mutating func removeFirst() {
    bytes -= ring[head].bytes
    head = slot(1)
    count -= 1
    unacknowledged = Swift.max(0, unacknowledged - 1)
  }

  private mutating func dropFirst(_ reason: DropReason, into effects: inout LiveEffects) {
    effects.append(.dropped(ring[head].number, actualReason(reason, ring[head].number)))
    removeFirst()
  }

  /// Those on their way move up by one, so that the place of the dropped one is the first.
  private mutating func dropFirstUnsent(_ reason: DropReason, into effects: inout LiveEffects) {
    let onTheirWay = unacknowledged
    let dropped = ring[slot(onTheirWay)]
    for place in stride(from: onTheirWay, to: 0, by: -1) { ring[slot(place)] = ring[slot(place - 1)] }
    ring[head] = dropped
    dropFirst(reason, into: &effects)
    unacknowledged = onTheirWay
  }

  /// Whether what was sent on an earlier connection arrived is unknown.
  private func actualReason(_ reason: DropReason, _ number: MessageNumber) -> DropReason {
    number <= lastSent ? .uncertain : reason
  }
}

/// A message that waits to be sent or acknowledged.
public struct QueuedMessage: Hashable, Sendable {
  /// Its number.
  public internal(set) var number = MessageNumber(0)
  /// Its size.
  public internal(set) var bytes = 0
  /// When it was queued.
  public internal(set) var queuedAt = Instant.zero
  /// Whether it was sent on the connection that is open.
  public internal(set) var isSent = false
}

extension Outbox: RandomAccessCollection {
  /// The place of the message that is sent first.
  public var startIndex: Int { 0 }
  /// The place after the last.
  public var endIndex: Int { count }

  /// The message at a place.
  public subscript(place: Int) -> QueuedMessage {
    precondition(place >= 0 && place < count)
    var message = ring[slot(place)]
    message.isSent = place < unacknowledged
    return message
  }
}
