// SPDX-License-Identifier: GPL-3.0-or-later
internal import NIOCore

/// Something to be done at a moment, at most once for each time that it is set.
final class Alarm {
  fileprivate(set) var at = Int64.max
  fileprivate let ring: () -> Void

  init(_ ring: @escaping () -> Void) { self.ring = ring }
}

/// The clock of a proxy and everything that waits for it, on one event loop.
///
/// One task of the event loop waits for the earliest of all alarms. In a test there is none: the clock stands still
/// until `advance(by:)`, so that a test of hours takes no time.
final class ProxyTimers {
  private let loop: NIOIsolatedEventLoop
  private let isManual: Bool
  private var manualNow: Int64 = 0
  /// A heap, the earliest first. An alarm that was set again has an entry for each moment; those that are not its own
  /// any more do nothing.
  private var entries: [(at: Int64, order: UInt64, alarm: Alarm)] = []
  private var order: UInt64 = 0
  private var task: Scheduled<Void>?
  private var taskAt = Int64.max

  init(on loop: NIOIsolatedEventLoop, isManual: Bool) { (self.loop, self.isManual) = (loop, isManual) }

  /// Nanoseconds since some moment.
  var now: Int64 { isManual ? manualNow : Self.realNow }

  static var realNow: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

  func set(_ alarm: Alarm, at moment: Int64) {
    if alarm.at == moment { return }
    alarm.at = moment
    order &+= 1
    insert((moment, order, alarm))
    waitForFirst()
  }

  func cancel(_ alarm: Alarm) { alarm.at = .max }

  /// Lets a manual clock run, and every alarm ring in its order and at its moment.
  func advance(by nanoseconds: Int64) {
    let end = manualNow &+ nanoseconds
    while let first = entries.first, first.at <= end {
      manualNow = max(manualNow, first.at)
      ringFirst()
    }
    manualNow = end
  }

  func cancelAll() {
    entries.removeAll()
    task?.cancel()
    (task, taskAt) = (nil, .max)
  }

  private func ringFirst() {
    let entry = removeFirst()
    guard entry.alarm.at == entry.at else { return }
    entry.alarm.at = .max
    entry.alarm.ring()
  }

  private func waitForFirst() {
    guard !isManual, let first = entries.first, first.at < taskAt else { return }
    task?.cancel()
    taskAt = first.at
    let deadline = NIODeadline.uptimeNanoseconds(UInt64(clamping: first.at))
    task = loop.scheduleTask(deadline: deadline) { [weak self] in self?.ringDue() }
  }

  private func ringDue() {
    (task, taskAt) = (nil, .max)
    let now = now
    while let first = entries.first, first.at <= now { ringFirst() }
    waitForFirst()
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (entries[one], entries[other])
    return a.at != b.at ? a.at < b.at : a.order < b.order
  }

  private func insert(_ entry: (at: Int64, order: UInt64, alarm: Alarm)) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private func removeFirst() -> (at: Int64, order: UInt64, alarm: Alarm) {
    entries.swapAt(0, entries.count - 1)
    let entry = entries.removeLast()
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < entries.count && isBefore(child, least) {
        least = child
      }
      if least == place { return entry }
      entries.swapAt(place, least)
      place = least
    }
  }
}
