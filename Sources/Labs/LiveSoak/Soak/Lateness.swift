// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Measures the lateness of the machine: every few milliseconds a task is due on each event loop, and its delay is
/// recorded.
///
/// It is late because of work on the loop, other processes, or the host of a virtual machine; then a client is late,
/// too, which the simulation does not model.
final class LatenessProbe: Sendable {
  /// The largest lateness of each loop in each slot of time.
  private let slots: NIOLockedValueBox<[[Int64]]>
  private let epoch: NIODeadline
  static let slot = Interval.milliseconds(10)
  private static let interval = TimeAmount.milliseconds(5)

  init(loops: [any EventLoop], epoch: NIODeadline, duration: Interval) {
    let count = Int(clamping: duration.nanoseconds / Self.slot.nanoseconds) + 1
    slots = NIOLockedValueBox(Array(repeating: Array(repeating: 0, count: count), count: loops.count))
    self.epoch = epoch
    for (index, loop) in loops.enumerated() { probe(index, on: loop, at: epoch) }
  }

  private func probe(_ index: Int, on loop: any EventLoop, at moment: NIODeadline) {
    loop.scheduleTask(deadline: moment) { [weak self] in
      guard let self else { return }
      let now = NIODeadline.now()
      note(index, from: moment, to: now)
      probe(index, on: loop, at: now + Self.interval)
    }
  }

  /// Records that a loop was busy from `due` to `now`.
  private func note(_ index: Int, from due: NIODeadline, to now: NIODeadline) {
    let late = (now - due).nanoseconds
    let (first, last) = (slot(of: due), slot(of: now))
    slots.withLockedValue { slots in
      for slot in max(0, first)...max(0, last) where slot < slots[index].count {
        slots[index][slot] = max(slots[index][slot], late)
      }
    }
  }

  private func slot(of moment: NIODeadline) -> Int { Int((moment - epoch).nanoseconds / Self.slot.nanoseconds) }

  /// The possible lateness of a client in each slot: the sum over the loops, since its traffic passes through all.
  var all: [Interval] {
    slots.withLockedValue { slots in
      guard let first = slots.first else { return [] }
      return first.indices.map { slot in Interval(nanoseconds: slots.reduce(0) { $0 + $1[slot] }) }
    }
  }
}
