// SPDX-License-Identifier: GPL-3.0-or-later
internal import NIOCore
internal import VirtualTime

/// An action at a time, performed at most once each time that it is set.
final class Alarm {
  fileprivate(set) var at = Int64.max
  fileprivate let fire: () -> Void

  init(_ fire: @escaping () -> Void) { self.fire = fire }
}

/// The clock of a proxy with its alarms, on one event loop. It may run several times as fast as the machine's.
///
/// One task of the event loop waits for the earliest alarm. In a test there is none: the clock stands still until
/// `advance(by:)`, so that a test of hours takes no time.
final class ProxyTimers {
  private let loop: any EventLoop
  private let pace: Int64
  private let isManual: Bool
  private let start = NIODeadline.now()
  private var manualNow: Int64 = 0
  /// A reset alarm has an entry for each time it was set; outdated entries do nothing.
  private var alarms = EventQueue<Alarm>()
  private var task: Scheduled<Void>?
  private var taskAt = Int64.max

  init(on loop: any EventLoop, pace: Int64, isManual: Bool) {
    (self.loop, self.pace, self.isManual) = (loop, pace, isManual)
  }

  /// Nanoseconds since the timers were created.
  var now: Int64 { isManual ? manualNow : time(at: .now()) }

  func time(at moment: NIODeadline) -> Int64 { (moment - start).nanoseconds &* pace }

  func set(_ alarm: Alarm, at moment: Int64) {
    if alarm.at == moment { return }
    alarm.at = moment
    alarms.schedule(alarm, at: VirtualInstant(nanoseconds: moment))
    waitForFirst()
  }

  func cancel(_ alarm: Alarm) { alarm.at = .max }

  /// Advances a manual clock; every alarm fires in order and at its time.
  func advance(by nanoseconds: Int64) {
    let end = manualNow &+ nanoseconds
    while let (moment, alarm) = alarms.next(until: VirtualInstant(nanoseconds: end)) {
      manualNow = max(manualNow, moment.nanoseconds)
      fire(alarm, at: moment)
    }
    manualNow = end
  }

  func cancelAll() {
    alarms = EventQueue()
    task?.cancel()
    (task, taskAt) = (nil, .max)
  }

  private func fire(_ alarm: Alarm, at moment: VirtualInstant) {
    guard alarm.at == moment.nanoseconds else { return }
    alarm.at = .max
    alarm.fire()
  }

  private func waitForFirst() {
    guard !isManual, let first = alarms.nextTime?.nanoseconds, first < taskAt else { return }
    task?.cancel()
    taskAt = first
    task = loop.assumeIsolated().scheduleTask(deadline: start + .nanoseconds(first / pace)) { [weak self] in
      self?.fireDue()
    }
  }

  private func fireDue() {
    (task, taskAt) = (nil, .max)
    let now = VirtualInstant(nanoseconds: now)
    while let (moment, alarm) = alarms.next(until: now) { fire(alarm, at: moment) }
    waitForFirst()
  }
}
