// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// Steps in a row that say nothing new one by one: a line of a timeline has them all.
struct TimelineRun {
  /// What such steps are.
  enum Kind: Hashable {
    /// Pings, and pongs that come.
    case heartbeat
    /// Messages that the server publishes.
    case publications
    /// Messages that arrive and are handed to the app.
    case deliveries
  }

  let kind: Kind
  private(set) var steps: [Timeline.Step]

  /// A run that begins with a step; nil for a step that has a line of its own.
  init?(_ step: Timeline.Step) {
    guard let kind = Self.kind(of: step) else { return nil }
    (self.kind, steps) = (kind, [step])
  }

  /// Adds a step, if it goes on as the run does.
  ///
  /// - Returns: Whether it did.
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
      row.told = pongs == 0 ? "timer" : "\(pongs) \(pongs == 1 ? "pong" : "pongs")"
      let within = steps.count > 1 ? " within \(length)" : ""
      row.does = pings == 0 ? "" : "\(pings) \(pings == 1 ? "ping" : "pings")\(within)"
    case .publications:
      guard steps.count > 1, let from = Self.place(of: first), let to = Self.place(of: last) else { return nil }
      row.world = "the server published \(steps.count) messages within \(length), \(from) to \(to)"
    case .deliveries:
      guard steps.count > 1, let from = Self.place(of: first), let to = Self.place(of: last) else { return nil }
      row.told = "received \(from) to \(to) within \(length)"
      row.does = "deliver \(steps.count) messages"
    }
    return row
  }

  private static func kind(of step: Timeline.Step) -> Kind? {
    if case .changed(.published) = step.happening { return .publications }
    guard step.status?.phase == .connected, case .told(let event) = step.happening else { return nil }
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
    if case .told(.received(_, .pong)) = step.happening { true } else { false }
  }

  private static func place(of step: Timeline.Step) -> String? {
    switch step.happening {
    case .changed(.published(let place, _)), .told(.received(_, .message(let place?, _))):
      TimelineWords.text(of: place)
    default: nil
    }
  }
}
