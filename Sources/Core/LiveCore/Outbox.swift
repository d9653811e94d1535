// SPDX-License-Identifier: Apache-2.0

/// The messages that wait to be sent or acknowledged, in order: numbers and sizes, never contents.
///
/// Within the limits nothing is lost silently: each number that enters leaves by an acknowledgement or by a `dropped`
/// effect, once. An outbox that never held anything has allocated nothing.
public struct Outbox: Sendable {
  /// How many messages and bytes, how old they get, and what goes when there are too many.
  public var limits: OutboxLimits
  /// Those on their way first and the unsent after them, since messages go out in order.
  @usableFromInline var messages: [(number: MessageNumber, bytes: Int, queuedAt: Instant)] = []
  /// How many of them were sent on the connection that is open, and are not acknowledged.
  public private(set) var unacknowledged = 0
  /// How many bytes they are together.
  public private(set) var bytes = 0
  /// The greatest number that was ever sent; 0 before the first.
  public private(set) var lastSent = MessageNumber(0)
  private var lastQueued = MessageNumber(0)

  /// An empty outbox.
  public init(_ limits: OutboxLimits = OutboxLimits()) { self.limits = limits }

  /// How many messages wait to be sent or acknowledged.
  @inlinable public var count: Int { messages.count }

  /// The messages that wait to be sent or acknowledged, in order.
  public var numbers: [MessageNumber] { messages.map(\.number) }

  /// How many messages wait to be sent.
  public var unsent: Int { count - unacknowledged }

  /// When the oldest unsent message is too old; nil when none waits, or when messages do not age.
  public var nextExpiry: Instant? {
    guard unsent > 0 else { return nil }
    let due = messages[unacknowledged].queuedAt + limits.age
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
    let size = max(0, size)
    guard makeRoom(for: size, into: &effects) else {
      effects.append(.dropped(number, .overflow))
      return false
    }
    messages.append((number, size, now))
    bytes += size
    return true
  }

  /// The next message to send, marked as sent; nil when nothing is unsent. Ask until there is none, and call `expire`
  /// first.
  public mutating func nextToSend() -> MessageNumber? {
    guard unsent > 0 else { return nil }
    let number = messages[unacknowledged].number
    unacknowledged += 1
    lastSent = max(lastSent, number)
    return number
  }

  /// Forgets what the server says it has. What was never sent it cannot have, and stays.
  ///
  /// - Returns: The last that is acknowledged by this; nil when that is nothing new.
  public mutating func acknowledge(through number: MessageNumber) -> MessageNumber? {
    let bound = min(number, lastSent)
    let settled = messages.firstIndex { $0.number > bound } ?? count
    guard settled > 0 else { return nil }
    let last = messages[settled - 1].number
    remove(0..<settled)
    return last
  }

  /// The connection is gone, and with it what was on its way: unacknowledged messages are sent again before all others,
  /// or dropped.
  public mutating func connectionBroke(_ policy: UnacknowledgedPolicy, into effects: inout LiveEffects) {
    switch policy {
    case .sendAgain: unacknowledged = 0
    case .drop: drop(0..<unacknowledged, .uncertain, into: &effects)
    }
  }

  /// Drops the unsent messages that are too old. What was sent and may yet be acknowledged does not age.
  public mutating func expire(at now: Instant, into effects: inout LiveEffects) {
    while let due = nextExpiry, due <= now { dropFirstUnsent(.age, into: &effects) }
  }

  /// Drops everything, since the connection is closed for good: `uncertain` for what was sent once and `closed` for the
  /// rest.
  public mutating func close(into effects: inout LiveEffects) { drop(0..<count, .closed, into: &effects) }
}

extension Outbox {
  /// Drops what must go for a message of that size.
  private mutating func makeRoom(for size: Int, into effects: inout LiveEffects) -> Bool {
    if fits(size, with: count, bytes) { return true }
    guard limits.overflow == .dropOldest else { return false }
    let onTheirWay = messages.prefix(unacknowledged).reduce(0) { $0 + $1.bytes }
    guard fits(size, with: unacknowledged, onTheirWay) else { return false }
    while !fits(size, with: count, bytes) { dropFirstUnsent(.overflow, into: &effects) }
    return true
  }

  private func fits(_ size: Int, with messages: Int, _ held: Int) -> Bool {
    messages < limits.count && held <= limits.bytes && size <= limits.bytes - held
  }

  private mutating func dropFirstUnsent(_ reason: DropReason, into effects: inout LiveEffects) {
    drop(unacknowledged..<unacknowledged + 1, reason, into: &effects)
  }

  private mutating func drop(_ places: Range<Int>, _ reason: DropReason, into effects: inout LiveEffects) {
    for (number, _, _) in messages[places] {
      // Whether what was sent on an earlier connection arrived is unknown.
      effects.append(.dropped(number, number <= lastSent ? .uncertain : reason))
    }
    remove(places)
  }

  private mutating func remove(_ places: Range<Int>) {
    for place in places { bytes -= messages[place].bytes }
    // Most often all are settled, for which removing a range takes four times as long.
    if places.count == count { messages.removeAll(keepingCapacity: true) } else { messages.removeSubrange(places) }
    unacknowledged -= places.clamped(to: 0..<unacknowledged).count
  }
}
