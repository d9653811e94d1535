// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A timeline as bands and marks that a picture shows, lane by lane.
struct TimelineLanes {
  /// What lasts.
  struct Band: Hashable {
    let from: Instant
    let to: Instant
    let name: String
    let paint: TimelinePaint
  }

  /// What happens at once.
  struct Mark: Hashable {
    /// What it looks like: a triangle, a tick upwards or downwards, a cross.
    enum Shape: Hashable {
      case full, hollow, up, down, cross
    }

    let at: Instant
    /// What stands beside it where there is room; empty for nothing.
    let name: String
    /// What it says when pointed at.
    let detail: String
    let shape: Shape
    let paint: TimelinePaint
  }

  private(set) var faults: [Band] = []
  private(set) var served: [Band] = []
  private(set) var sockets: [Band] = []
  private(set) var phases: [Band] = []
  private(set) var attempts: [Mark] = []
  private(set) var heartbeat: [Mark] = []
  private(set) var messages: [Mark] = []

  private let timeline: Timeline
  private let end: Instant
  /// What has begun and is not over: sockets by their generation.
  private var begunSockets: [UInt32: (since: Instant, isOpen: Bool)] = [:]
  private var servedSince: Instant?
  private var phase: (LiveStatus.Phase, since: Instant)?

  /// The lanes of a timeline.
  init(_ timeline: Timeline) {
    self.timeline = timeline
    end = timeline.end
    for step in timeline.steps {
      switch step.happening {
      case .changed(let change): saw(change, at: step.moment.world)
      case .told(let event):
        saw(event, at: step.moment.world)
        for effect in step.effects { saw(effect, at: step.moment.world) }
        if let status = step.status { saw(status.phase, at: step.moment.world) }
      }
    }
    if let breach = timeline.breach {
      messages.append(
        Mark(at: breach.moment.world, name: "", detail: "\(breach)", shape: .cross, paint: .wrong))
    }
    closeAll()
  }

  /// The moments that an axis keeps apart: those at which something other than the heartbeat and the stream happens.
  var notable: [Instant] {
    let bands = (faults + served + sockets + phases).flatMap { [$0.from, $0.to] }
    return bands + attempts.map(\.at) + messages.filter { $0.paint == .wrong }.map(\.at)
  }

  /// Bands in as few rows as it takes for none to lie on another.
  static func rows(of bands: [Band]) -> [[Band]] {
    var rows: [[Band]] = []
    for band in bands.sorted(by: { ($0.from, $0.to, $0.name) < ($1.from, $1.to, $1.name) }) {
      if let free = rows.firstIndex(where: { ($0.last?.to ?? .zero) <= band.from }) {
        rows[free].append(band)
      } else {
        rows.append([band])
      }
    }
    return rows
  }

  private mutating func saw(_ change: SessionChange, at now: Instant) {
    switch change {
    case .faultBegan(let place) where timeline.schedule.faults.indices.contains(place):
      let fault = timeline.schedule.faults[place]
      let name = fault.fault.kind.rawValue + (fault.lasting > .zero ? " \(TimelineClock.text(of: fault.lasting))" : "")
      faults.append(Band(from: now, to: max(now, min(fault.end, end)), name: name, paint: .fault))
    case .served(let isServed):
      if isServed { servedSince = servedSince ?? now } else { endService(at: now) }
    default: break
    }
  }

  private mutating func saw(_ event: LiveEvent, at now: Instant) {
    let words = TimelineWords.text(of: event)
    switch event {
    case .opened(let generation):
      endSocket(generation, at: now)
      begunSockets[generation.number] = (now, true)
      fill(generation)
    case .failed(let generation, _), .refused(let generation, _), .closed(let generation, _):
      endSocket(generation, at: now)
    case .received(_, .pong): heartbeat.append(Mark(at: now, name: "", detail: words, shape: .down, paint: .heard))
    case .received(_, .message): messages.append(Mark(at: now, name: "", detail: words, shape: .down, paint: .heard))
    case .received(_, .malformed):
      messages.append(Mark(at: now, name: "", detail: words, shape: .cross, paint: .wrong))
    default: break
    }
  }

  private mutating func saw(_ effect: LiveEffect, at now: Instant) {
    let words = TimelineWords.text(of: effect)
    switch effect {
    case .open(let generation, _):
      begunSockets[generation.number] = (now, false)
      attempts.append(
        Mark(at: now, name: "\(generation.number)", detail: words, shape: .hollow, paint: .connecting))
    case .abort(let generation): endSocket(generation, at: now)
    case .sendPing: heartbeat.append(Mark(at: now, name: "", detail: words, shape: .up, paint: .sent))
    case .sendMessage: messages.append(Mark(at: now, name: "", detail: words, shape: .up, paint: .sent))
    case .gap, .dropped: messages.append(Mark(at: now, name: "", detail: words, shape: .cross, paint: .wrong))
    default: break
    }
  }

  private mutating func saw(_ next: LiveStatus.Phase, at now: Instant) {
    guard next != phase?.0 else { return }
    endPhase(at: now)
    phase = (next, now)
  }

  private mutating func endService(at now: Instant) {
    guard let since = servedSince else { return }
    servedSince = nil
    served.append(Band(from: since, to: now, name: "connected and current", paint: .served))
  }

  private mutating func endSocket(_ generation: Generation, at now: Instant) {
    guard let (since, isOpen) = begunSockets.removeValue(forKey: generation.number) else { return }
    let name = TimelineWords.text(of: generation) + (isOpen ? " open" : " opening")
    sockets.append(Band(from: since, to: now, name: name, paint: isOpen ? .open : .opening))
  }

  /// An attempt that came to nothing stays hollow.
  private mutating func fill(_ generation: Generation) {
    guard let place = attempts.lastIndex(where: { $0.name == "\(generation.number)" }) else { return }
    let attempt = attempts[place]
    attempts[place] = Mark(
      at: attempt.at, name: attempt.name, detail: "\(attempt.detail), which opened", shape: .full, paint: .connected)
  }

  private mutating func endPhase(at now: Instant) {
    guard let (last, since) = phase else { return }
    phases.append(Band(from: since, to: now, name: TimelineWords.text(of: last), paint: Self.paint(of: last)))
  }

  private mutating func closeAll() {
    for number in begunSockets.keys.sorted() { endSocket(Generation(number), at: end) }
    endService(at: end)
    endPhase(at: end)
  }

  private static func paint(of phase: LiveStatus.Phase) -> TimelinePaint {
    switch phase {
    case .disconnected: .disconnected
    case .connecting: .connecting
    case .connected: .connected
    case .waiting: .waiting
    case .suspended: .suspended
    case .closed: .closed
    }
  }
}
