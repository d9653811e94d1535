// SPDX-License-Identifier: Apache-2.0

/// The messages that wait to be sent or acknowledged, in order: numbers and sizes, never contents.
///
/// No message is lost silently: each number that enters leaves exactly once, by an acknowledgement or a `dropped`
/// effect. An outbox that was never used has allocated nothing.
public struct Outbox: Sendable {
  /// The largest number, total size and age of messages, and the policy for an overflow.
  public var limits: OutboxLimits
  /// Sent messages first, then unsent ones, because messages are sent in order.
  private var messages: [(number: MessageNumber, bytes: Int, queuedAt: Instant)] = []
  /// The number of messages sent on the open connection and not acknowledged.
  public private(set) var unacknowledged = 0
  /// The total size of the messages in bytes.
  public private(set) var bytes = 0
  /// The largest number ever sent; 0 before the first.
  public private(set) var lastSent = MessageNumber(0)
  /// The message that is leaving on the open connection in parts; those after it wait behind it.
  private var leaving: MessageNumber?
  /// The largest number that left whole on an earlier connection.
  private var lastLeft = MessageNumber(0)
  private var lastQueued = MessageNumber(0)

  /// An empty outbox.
  public init(_ limits: OutboxLimits = OutboxLimits()) { self.limits = limits }

  /// The number of messages that wait to be sent or acknowledged.
  public var count: Int { messages.count }

  /// The messages that wait to be sent or acknowledged, in order.
  public var numbers: [MessageNumber] { messages.map(\.number) }

  /// The number of messages that wait to be sent.
  public var unsent: Int { count - unacknowledged }

  /// The time at which the oldest unsent message expires; `nil` without one, or where messages do not expire.
  public var nextExpiry: Instant? {
    guard unsent > 0 else { return nil }
    let due = messages[unacknowledged].queuedAt + limits.age
    return due == .never ? nil : due
  }

  /// Adds a message; if necessary, drops others for it.
  ///
  /// A message that does not fit even without all unsent ones is dropped itself, and the others stay. A number that is
  /// not larger than all earlier ones is a duplicate and is ignored.
  ///
  /// - Returns: Whether the message was added.
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

  /// The next message to send, marked as sent; `nil` when none is unsent. Call `expire` first, then call this until it
  /// returns `nil`.
  public mutating func nextToSend() -> MessageNumber? {
    guard unsent > 0 else { return nil }
    let number = messages[unacknowledged].number
    unacknowledged += 1
    lastSent = max(lastSent, number)
    return number
  }

  /// Removes the messages that the server acknowledges. Messages never sent cannot be acknowledged and stay.
  ///
  /// - Returns: The last message acknowledged by this call; `nil` if there is none.
  public mutating func acknowledge(through number: MessageNumber) -> MessageNumber? {
    let bound = min(number, lastSent)
    let settled = messages.firstIndex { $0.number > bound } ?? count
    guard settled > 0 else { return nil }
    let last = messages[settled - 1].number
    if let leaving, leaving <= last { self.leaving = nil }
    remove(0..<settled)
    return last
  }

  /// Handles the loss of the connection: unacknowledged messages are sent again before all others, or dropped.
  public mutating func connectionBroke(_ policy: UnacknowledgedPolicy, into effects: inout LiveEffects) {
    if policy == .drop { drop(0..<unacknowledged, .cut, into: &effects) }
    lastLeft = messages[..<unacknowledged].last { hasLeft($0.number) }?.number ?? lastLeft
    (unacknowledged, leaving) = (0, nil)
  }

  /// Records that a part of a message left, or its end.
  mutating func sending(_ number: MessageNumber, isWhole: Bool) {
    if !isWhole { leaving = number } else if leaving == number { leaving = nil }
  }

  /// Returns true if a sent message has left whole, so that it may have arrived.
  private func hasLeft(_ number: MessageNumber) -> Bool { number <= lastLeft || number < leaving ?? .init(.max) }

  /// Drops unsent messages that are too old. Sent messages that may still be acknowledged do not expire.
  public mutating func expire(at now: Instant, into effects: inout LiveEffects) {
    while let due = nextExpiry, due <= now { dropFirstUnsent(.age, into: &effects) }
  }

  /// Drops all messages because the connection is closed for good: `uncertain` for messages that left once, `closed`
  /// for the rest. While the socket `isOpen` for the closing handshake, a message that is leaving, and those behind it,
  /// may still arrive: they stay until the next `close`, which reports them as `cut`.
  public mutating func close(isOpen: Bool = false, into effects: inout LiveEffects) {
    let settled = isOpen ? messages[..<unacknowledged].firstIndex { !hasLeft($0.number) } : nil
    drop(0..<(settled ?? unacknowledged), .cut, into: &effects)
    drop(unacknowledged..<count, .closed, into: &effects)
  }
}

extension Outbox {
  /// Drops unsent messages until a message of this size fits; returns whether it does.
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

  private mutating func drop(_ indices: Range<Int>, _ reason: DropReason, into effects: inout LiveEffects) {
    for (number, _, _) in messages[indices] {
      // It is unknown whether a message that left, also on an earlier connection, arrived.
      let isSent = reason == .cut ? hasLeft(number) : number <= lastLeft
      effects.append(.dropped(number, isSent ? .uncertain : reason))
    }
    remove(indices)
  }

  private mutating func remove(_ indices: Range<Int>) {
    for index in indices { bytes -= messages[index].bytes }
    // Usually all are acknowledged; removing that as a range takes four times as long.
    if indices.count == count { messages.removeAll(keepingCapacity: true) } else { messages.removeSubrange(indices) }
    unacknowledged -= indices.clamped(to: 0..<unacknowledged).count
  }
}
