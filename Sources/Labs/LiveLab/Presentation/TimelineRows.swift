// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A timeline as lines of text: a step each, or several steps that say nothing new together.
struct TimelineRows {
  /// A line.
  struct Row: Hashable {
    let moment: Instant
    /// What happened in the world; empty where the client was told something instead.
    var world = ""
    /// What the client was told.
    var told = ""
    /// What it did.
    var does = ""
    /// How it said it was; empty where that is as in the line before.
    var status = ""
    /// Whether it tells of an invariant that did not hold.
    var isBreach = false
  }

  private(set) var rows: [Row] = []

  private let schedule: FaultSchedule
  private let isWhole: Bool
  private var run: TimelineRun?
  private var lastStatus = ""

  /// The lines of a timeline.
  ///
  /// - Parameters:
  ///   - timeline: The session.
  ///   - isWhole: Whether every step has a line and every timer is told of; otherwise runs of steps that say nothing
  ///     new share one line each, and timers are left out.
  init(_ timeline: Timeline, isWhole: Bool) {
    (schedule, self.isWhole) = (timeline.schedule, isWhole)
    var told: UInt64 = 0
    for step in timeline.steps {
      if case .told = step.happening { told += 1 }
      let breach = timeline.breach.flatMap { $0.step == told && step.status != nil ? $0 : nil }
      if breach == nil, !isWhole {
        if run?.add(step) == true { continue }
        endRun()
        run = TimelineRun(step)
        if run != nil { continue }
        if isIdle(step) { continue }
      }
      endRun()
      add(step)
      if let breach { rows.append(Row(moment: breach.moment.world, world: "BROKEN \(breach)", isBreach: true)) }
    }
    endRun()
  }

  /// Adds a line for a step.
  private mutating func add(_ step: Timeline.Step) {
    var row = Row(moment: step.moment.world)
    switch step.happening {
    case .changed(let change): row.world = TimelineWords.text(of: change, in: schedule)
    case .told(let event): row.told = TimelineWords.text(of: event)
    }
    row.does = step.effects.compactMap { text(of: $0, in: step) }.joined(separator: "; ")
    if let status = text(ofStatusAfter: step) {
      row.status = status == lastStatus ? "" : status
      lastStatus = status
    }
    rows.append(row)
  }

  /// Adds what has gathered: as one line, or step by step where that says more.
  private mutating func endRun() {
    guard let gathered = run else { return }
    run = nil
    if let row = gathered.row {
      rows.append(row)
    } else {
      for step in gathered.steps { add(step) }
    }
  }

  /// Whether a timer rang that was of no interest any more: nothing was done, and nothing is otherwise than before.
  private func isIdle(_ step: Timeline.Step) -> Bool {
    guard case .told(.timer) = step.happening, let status = text(ofStatusAfter: step) else { return false }
    return status == lastStatus && step.effects.allSatisfy { text(of: $0, in: step) == nil }
  }

  private func text(ofStatusAfter step: Timeline.Step) -> String? {
    step.status.map { TimelineWords.text(of: $0, shifted: step.shift) }
  }

  private func text(of effect: LiveEffect, in step: Timeline.Step) -> String? {
    switch effect {
    case .statusChanged: nil
    case .setTimer(let tag, let moment):
      isWhole ? TimelineWords.text(of: .setTimer(tag, at: moment + step.shift)) : nil
    case .cancelTimer: isWhole ? TimelineWords.text(of: effect) : nil
    default: TimelineWords.text(of: effect)
    }
  }
}

extension Timeline.Step {
  /// How much later the clock of the world is than the client's: moments that the client names are of its own.
  var shift: Interval { moment.world - moment.client }
}
