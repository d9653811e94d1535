// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// A timeline as lines of text: one per step, or one for several steps without news.
struct TimelineRows {
  struct Row {
    let moment: Instant
    /// The change of the world; empty if an event was delivered to the client instead.
    var world = ""
    var delivered = ""
    var does = ""
    /// The client's status; empty if it is the same as in the line before.
    var status = ""
    /// True if it reports a broken invariant.
    var isBreach = false
  }

  private(set) var rows: [Row] = []

  private let schedule: FaultSchedule
  private let isWhole: Bool
  private var run: QuietRun?
  private var lastStatus = ""

  /// With `isWhole`, every step has a line and every timer is shown; otherwise runs of steps without news share one
  /// line each, and timers are left out.
  init(_ timeline: Timeline, isWhole: Bool) {
    (schedule, self.isWhole) = (timeline.schedule, isWhole)
    var events: UInt64 = 0
    for step in timeline.steps {
      if case .delivered = step.event { events += 1 }
      let breach = timeline.breach.flatMap { $0.step == events && step.status != nil ? $0 : nil }
      if breach == nil, !isWhole {
        if run?.add(step) == true { continue }
        endRun()
        run = QuietRun(step)
        if run != nil || isIdle(step) { continue }
      }
      endRun()
      add(step)
      if let breach { rows.append(Row(moment: breach.moment.world, world: "BROKEN \(breach)", isBreach: true)) }
    }
    endRun()
  }

  private mutating func add(_ step: Timeline.Step) {
    var row = Row(moment: step.moment.world)
    switch step.event {
    case .changed(let change): row.world = TimelineWords.text(of: change, in: schedule)
    case .delivered(let event): row.delivered = TimelineWords.text(of: event)
    }
    row.does = step.effects.compactMap { text(of: $0, in: step) }.joined(separator: "; ")
    if let status = text(ofStatusAfter: step) {
      row.status = status == lastStatus ? "" : status
      lastStatus = status
    }
    rows.append(row)
  }

  /// Adds the gathered steps: as one line, or step by step if that says more.
  private mutating func endRun() {
    guard let gathered = run else { return }
    run = nil
    if let row = gathered.row {
      rows.append(row)
    } else {
      for step in gathered.steps { add(step) }
    }
  }

  /// Returns true if an outdated timer fired: without an effect and without a change.
  private func isIdle(_ step: Timeline.Step) -> Bool {
    guard case .delivered(.timer) = step.event, let status = text(ofStatusAfter: step) else { return false }
    return status == lastStatus && step.effects.allSatisfy { text(of: $0, in: step) == nil }
  }

  private func text(ofStatusAfter step: Timeline.Step) -> String? {
    step.status.map { TimelineWords.text(of: $0, shifted: step.shift) }
  }

  private func text(of effect: LiveEffect, in step: Timeline.Step) -> String? {
    switch effect {
    case .statusChanged: nil
    case .setTimer(let tag, let moment): isWhole ? TimelineWords.text(of: .setTimer(tag, at: moment + step.shift)) : nil
    case .cancelTimer: isWhole ? TimelineWords.text(of: effect) : nil
    default: TimelineWords.text(of: effect)
    }
  }
}

/// Consecutive steps without news of their own, which share a line.
private struct QuietRun {
  enum Kind: Hashable {
    /// Pings, and pongs that arrive.
    case heartbeat
    case publications
    case deliveries
  }

  private let kind: Kind
  private(set) var steps: [Timeline.Step]

  /// Returns nil for a step with its own line.
  init?(_ step: Timeline.Step) {
    guard let kind = Self.kind(of: step) else { return nil }
    (self.kind, steps) = (kind, [step])
  }

  /// Adds a step if it continues the run; returns whether it did.
  mutating func add(_ step: Timeline.Step) -> Bool {
    guard Self.kind(of: step) == kind else { return false }
    steps.append(step)
    return true
  }

  /// The line; nil for a single step whose own line says more.
  var row: TimelineRows.Row? {
    guard let first = steps.first, let last = steps.last else { return nil }
    let length = TimelineClock.text(of: last.moment.world - first.moment.world)
    var row = TimelineRows.Row(moment: first.moment.world)
    switch kind {
    case .heartbeat:
      let pings = steps.reduce(0) { $0 + Self.pings($1) }
      let pongs = steps.count(where: Self.isPong)
      row.delivered = pongs == 0 ? "timer" : NumberFormat.counted(pongs, "pong")
      let within = steps.count > 1 ? " within \(length)" : ""
      row.does = pings == 0 ? "" : NumberFormat.counted(pings, "ping") + within
    case .publications:
      guard steps.count > 1, let from = Self.position(of: first), let to = Self.position(of: last) else { return nil }
      row.world = "the server published \(steps.count) messages within \(length), \(from) to \(to)"
    case .deliveries:
      guard steps.count > 1, let from = Self.position(of: first), let to = Self.position(of: last) else { return nil }
      row.delivered = "received \(from) to \(to) within \(length)"
      row.does = "deliver \(steps.count) messages"
    }
    return row
  }

  private static func kind(of step: Timeline.Step) -> Kind? {
    if case .changed(.published) = step.event { return .publications }
    guard step.status?.phase == .connected, case .delivered(let event) = step.event else { return nil }
    let loud = step.effects.filter { effect in
      switch effect {
      case .setTimer, .cancelTimer, .statusChanged: false
      default: true
      }
    }
    switch event {
    case .timer: return !loud.isEmpty && loud.count == pings(step) ? .heartbeat : nil
    case .received(_, .pong): return loud.isEmpty ? .heartbeat : nil
    case .received(_, .message(.some, _)):
      guard loud.count == 1, case .deliver = loud[0] else { return nil }
      return .deliveries
    default: return nil
    }
  }

  private static func pings(_ step: Timeline.Step) -> Int {
    step.effects.count { if case .sendPing = $0 { true } else { false } }
  }

  private static func isPong(_ step: Timeline.Step) -> Bool {
    if case .delivered(.received(_, .pong)) = step.event { true } else { false }
  }

  private static func position(of step: Timeline.Step) -> String? {
    switch step.event {
    case .changed(.published(let position, _)), .delivered(.received(_, .message(let position?, _))):
      TimelineWords.text(of: position)
    default: nil
    }
  }
}
