// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import Synchronization

/// A ring of slots behind a lock, with a fault to choose.
final class RingQueue: Sendable {
  enum Fault: Sendable {
    case none
    /// The ring has one slot too few, so a full queue looks empty.
    case slots
    /// The newest value is taken out instead of the oldest.
    case order
  }

  private struct Ring {
    var slots: [Int]
    var head = 0
    var tail = 0
  }

  private let ring: Mutex<Ring>
  private let fault: Fault

  init(capacity: Int, fault: Fault = .none) {
    self.fault = fault
    ring = Mutex(Ring(slots: Array(repeating: 0, count: fault == .slots ? capacity : capacity + 1)))
  }

  var count: Int { ring.withLock { ($0.tail - $0.head + $0.slots.count) % $0.slots.count } }

  func put(_ value: Int) {
    ring.withLock { ring in
      ring.slots[ring.tail] = value
      ring.tail = (ring.tail + 1) % ring.slots.count
    }
  }

  func take() -> Int {
    ring.withLock { ring in
      if fault == .order {
        ring.tail = (ring.tail + ring.slots.count - 1) % ring.slots.count
        return ring.slots[ring.tail]
      }
      defer { ring.head = (ring.head + 1) % ring.slots.count }
      return ring.slots[ring.head]
    }
  }
}

/// Queues that are made by commands: the model knows them by their symbols.
struct QueueModel: Hashable {
  struct Queue: Hashable {
    var capacity: Int
    var values: [Int] = []
  }

  var queues: [Symbol<RingQueue>: Queue] = [:]

  func isFull(_ queue: Symbol<RingQueue>) -> Bool {
    queues[queue].map { $0.values.count == $0.capacity } ?? true
  }

  func isEmpty(_ queue: Symbol<RingQueue>) -> Bool { queues[queue]?.values.isEmpty ?? true }
}

/// The queue of Hughes, "Experiences with QuickCheck: testing the hard stuff and staying sane", 2016.
func queues(_ fault: RingQueue.Fault) -> StateMachine<QueueModel, Void> {
  StateMachine(model: QueueModel(), system: {}) { machine in
    machine.command("create(capacity:)", .integers(in: 1...3)) { model, queue, capacity in
      model.queues[queue] = QueueModel.Queue(capacity: capacity)
    } run: { _, capacity in
      RingQueue(capacity: capacity, fault: fault)
    }
    machine.command(
      ".put", given: { model in zip(.symbols(among: model.queues.keys), .integers(in: 0...9)) },
      when: { model, queue, _ in !model.isFull(queue) }
    ) { model, queue, value in
      model.queues[queue]?.values.append(value)
    } run: { _, queue, value in
      try queue.value.put(value)
    }
    machine.command(
      ".take", given: { model in .symbols(among: model.queues.keys) },
      when: { model, queue in !model.isEmpty(queue) }
    ) { model, queue in
      model.queues[queue]?.values.removeFirst()
    } run: { _, queue in
      try queue.value.take()
    }
    machine.command(".count", given: { model in .symbols(among: model.queues.keys) }) { model, queue in
      model.queues[queue]?.values.count
    } run: { _, queue in
      try queue.value.count
    }
  }
}
