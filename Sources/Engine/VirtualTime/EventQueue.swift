// SPDX-License-Identifier: Apache-2.0

/// A queue of scheduled events, soonest first; events at the same time keep the order of scheduling.
///
/// The core of a discrete-event simulation: take the next event, handle it, schedule its consequences. The order
/// depends only on the calls, so the same calls give the same history.
///
/// A binary heap of small entries (Williams, "Algorithm 232: Heapsort", 1964) over slots that hold the events. The
/// entry of a cancelled event is dropped when it reaches the top or when such entries become the majority.
///
/// Public only for the hot loops of other modules.
@_documentation(visibility: internal)
public struct EventQueue<Event> {
  /// Identifies one scheduled event for cancellation, uniquely within a queue.
  public struct Token: Sendable, Hashable {
    @usableFromInline let sequence: UInt64
    @usableFromInline let slot: Int

    @inlinable
    init(sequence: UInt64, slot: Int) { (self.sequence, self.slot) = (sequence, slot) }
  }

  @usableFromInline typealias Entry = (time: Int64, sequence: UInt64, slot: Int)

  @usableFromInline var heap: [Entry] = []
  /// The event and the sequence number of each slot; the event is `nil` once it was taken or cancelled.
  @usableFromInline var slots: [(sequence: UInt64, event: Event?)] = []
  @usableFromInline var freeSlots: [Int] = []
  @usableFromInline var nextSequence: UInt64 = 0

  /// The number of scheduled events.
  @inlinable public var count: Int { live }

  @usableFromInline var live = 0

  /// An empty queue.
  @inlinable
  public init() {}

  /// True if no event is scheduled.
  @inlinable
  public var isEmpty: Bool { live == 0 }

  /// The time of the next event; `nil` if there is none.
  ///
  /// - Complexity: O(1), amortised over cancellations.
  @inlinable
  public var nextTime: VirtualInstant? {
    mutating get {
      dropCancelled()
      return heap.first.map { VirtualInstant(nanoseconds: $0.time) }
    }
  }

  /// The next event, which stays scheduled; `nil` if there is none.
  ///
  /// - Complexity: O(1), amortised over cancellations.
  @inlinable
  public var first: Event? {
    mutating get {
      dropCancelled()
      return heap.first.flatMap { slots[$0.slot].event }
    }
  }

  /// Schedules an event; events at the same time happen in the order of scheduling.
  ///
  /// - Complexity: O(log n).
  @inlinable
  @discardableResult
  public mutating func schedule(_ event: Event, at time: VirtualInstant) -> Token {
    let sequence = nextSequence
    nextSequence += 1
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      slots[slot] = (sequence, event)
    } else {
      slot = slots.count
      slots.append((sequence, event))
    }
    heap.append((time.nanoseconds, sequence, slot))
    siftUp(from: heap.count - 1)
    live += 1
    return Token(sequence: sequence, slot: slot)
  }

  /// Cancels an event.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  @discardableResult
  public mutating func cancel(_ token: Token) -> Event? {
    guard slots.indices.contains(token.slot), slots[token.slot].sequence == token.sequence,
      let event = slots[token.slot].event
    else { return nil }
    slots[token.slot].event = nil
    live -= 1
    if heap.count > 64 && heap.count > 2 * live { compact() }
    return event
  }

  /// Takes the next event.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public mutating func next() -> (time: VirtualInstant, event: Event)? {
    while let entry = popEntry() {
      let event = slots[entry.slot].event
      slots[entry.slot].event = nil
      freeSlots.append(entry.slot)
      if let event {
        live -= 1
        return (VirtualInstant(nanoseconds: entry.time), event)
      }
    }
    return nil
  }

  /// Takes the next event if its time is at most `limit`.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public mutating func next(until limit: VirtualInstant) -> (time: VirtualInstant, event: Event)? {
    guard let time = nextTime, time <= limit else { return nil }
    return next()
  }

  // MARK: The heap

  @inlinable
  static func isSooner(_ one: Entry, _ other: Entry) -> Bool {
    one.time != other.time ? one.time < other.time : one.sequence < other.sequence
  }

  @inlinable
  mutating func dropCancelled() {
    while let first = heap.first, slots[first.slot].event == nil {
      _ = popEntry()
      freeSlots.append(first.slot)
    }
  }

  /// Removes the entries of cancelled events. Every heap of the same entries pops in the same order: no two are equal.
  @inlinable
  mutating func compact() {
    freeSlots.append(contentsOf: heap.lazy.map(\.slot).filter { [slots] in slots[$0].event == nil })
    heap.removeAll { slots[$0.slot].event == nil }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
  }

  @inlinable
  mutating func popEntry() -> Entry? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      siftDown(from: 0)
    }
    return first
  }

  @inlinable
  mutating func siftUp(from start: Int) {
    let entry = heap[start]
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard Self.isSooner(entry, heap[parent]) else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  @inlinable
  mutating func siftDown(from start: Int) {
    let (entry, count) = (heap[start], heap.count)
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < count else { break }
      if child + 1 < count && Self.isSooner(heap[child + 1], heap[child]) { child += 1 }
      guard Self.isSooner(heap[child], entry) else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }
}

extension EventQueue: Sendable where Event: Sendable {}
