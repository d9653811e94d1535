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

  /// The lines of a timeline.
  ///
  /// - Parameters:
  ///   - timeline: The session.
  ///   - isWhole: Whether every step has a line and every timer is told of; otherwise answered pings in a row share one
  ///     line, and timers are left out.
  init(_ timeline: Timeline, isWhole: Bool) {
    var (last, quiet, published): (String, [Timeline.Step], [Timeline.Step]) = ("", [], [])
    var told: UInt64 = 0
    for step in timeline.steps {
      if case .told = step.happening { told += 1 }
      let breach = timeline.breach.flatMap { $0.step == told && step.status != nil ? $0 : nil }
      if !isWhole, breach == nil {
        if Self.isHeartbeat(step) {
          add(publications: published)
          published = []
          quiet.append(step)
          continue
        }
        if Self.isPublication(step) {
          add(heartbeats: quiet)
          quiet = []
          published.append(step)
          continue
        }
        if Self.isIdle(step, last) { continue }
      }
      add(heartbeats: quiet)
      add(publications: published)
      (quiet, published) = ([], [])
      var row = Row(moment: step.moment.world)
      switch step.happening {
      case .changed(let change): row.world = TimelineWords.text(of: change, in: timeline.schedule)
      case .told(let event): row.told = TimelineWords.text(of: event)
      }
      // Moments that the client names are of its own clock.
      let shift = step.moment.world - step.moment.client
      row.does = step.effects.compactMap { Self.text(of: $0, shift, isWhole) }.joined(separator: "; ")
      if let status = step.status {
        let text = TimelineWords.text(of: status, shifted: shift)
        row.status = text == last ? "" : text
        last = text
      }
      rows.append(row)
      if let breach { rows.append(Row(moment: breach.moment.world, world: "BROKEN \(breach)", isBreach: true)) }
    }
    add(heartbeats: quiet)
    add(publications: published)
  }

  /// Adds pings and pongs as one line.
  private mutating func add(heartbeats: [Timeline.Step]) {
    guard let first = heartbeats.first, let last = heartbeats.last else { return }
    let (pings, pongs) = (Self.pings(heartbeats), Self.pongs(heartbeats))
    let length = last.moment.world - first.moment.world
    rows.append(
      Row(
        moment: first.moment.world, told: pongs == 0 ? "timer" : "\(pongs) \(pongs == 1 ? "pong" : "pongs")",
        does: pings == 0
          ? ""
          : "\(pings) \(pings == 1 ? "ping" : "pings")"
            + (heartbeats.count > 1 ? " within \(TimelineClock.text(of: length))" : "")))
  }

  /// Adds messages that the server published one after the other as one line.
  private mutating func add(publications: [Timeline.Step]) {
    guard let first = publications.first, let last = publications.last,
      case .changed(.published(let from, let bytes)) = first.happening,
      case .changed(.published(let to, _)) = last.happening
    else { return }
    let length = TimelineClock.text(of: last.moment.world - first.moment.world)
    let world =
      publications.count == 1
      ? "the server published \(TimelineWords.text(of: from)), \(bytes) bytes"
      : "the server published \(publications.count) messages within \(length), "
        + "\(TimelineWords.text(of: from)) to \(TimelineWords.text(of: to))"
    rows.append(Row(moment: first.moment.world, world: world))
  }

  private static func isPublication(_ step: Timeline.Step) -> Bool {
    if case .changed(.published) = step.happening { true } else { false }
  }

  /// Whether a timer rang that was of no interest any more: nothing was done, and nothing is otherwise than before.
  private static func isIdle(_ step: Timeline.Step, _ last: String) -> Bool {
    guard case .told(.timer) = step.happening, let status = step.status else { return false }
    let shift = step.moment.world - step.moment.client
    return step.effects.allSatisfy { text(of: $0, shift, false) == nil }
      && TimelineWords.text(of: status, shifted: shift) == last
  }

  /// Whether a step is the heartbeat of a connection that stays as it is.
  private static func isHeartbeat(_ step: Timeline.Step) -> Bool {
    guard step.status?.phase == .connected, case .told(let event) = step.happening else { return false }
    let isQuiet = step.effects.allSatisfy { effect in
      switch effect {
      case .setTimer, .cancelTimer, .statusChanged, .sendPing: true
      default: false
      }
    }
    guard isQuiet else { return false }
    switch event {
    case .timer: return pings([step]) > 0
    case .received(_, .pong): return true
    default: return false
    }
  }

  private static func pings(_ steps: [Timeline.Step]) -> Int {
    steps.reduce(0) { sum, step in
      sum + step.effects.count { if case .sendPing = $0 { true } else { false } }
    }
  }

  private static func pongs(_ steps: [Timeline.Step]) -> Int {
    steps.count { if case .told(.received(_, .pong)) = $0.happening { true } else { false } }
  }

  private static func text(of effect: LiveEffect, _ shift: Interval, _ isWhole: Bool) -> String? {
    switch effect {
    case .statusChanged: nil
    case .setTimer(let tag, let moment):
      isWhole ? TimelineWords.text(of: .setTimer(tag, at: moment + shift)) : nil
    case .cancelTimer: isWhole ? TimelineWords.text(of: effect) : nil
    default: TimelineWords.text(of: effect)
    }
  }
}
