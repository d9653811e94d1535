// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOCore

/// The faults that hold, as the clients of a soak meet them: one clock of the schedule for all.
final class SoakFaults {
  let schedule: FaultSchedule
  let settings: ConnectionSettings
  private(set) var cursor = FaultCursor()
  private(set) var conditions = Conditions()

  init(_ schedule: FaultSchedule, settings: ConnectionSettings) {
    (self.schedule, self.settings) = (schedule, settings)
  }

  var isPossible: Bool { conditions.letAttemptsSucceed(under: settings) }

  func cause(at now: Instant) -> Int? { cursor.cause(in: schedule, at: now.nanoseconds) }

  var nextBoundary: Instant { Instant(nanoseconds: cursor.nextBoundary(of: schedule)) }

  /// Passes the boundary that is due. `leaveBoundary` follows when every client knows.
  func passBoundary(at now: Instant) -> FaultCursor.Boundary {
    let boundary = cursor.passBoundary(of: schedule, at: now.nanoseconds)
    switch boundary {
    case .began(let place):
      let fault = schedule.faults[place].fault
      if !fault.kind.isMoment { conditions.set(fault, true, at: now.nanoseconds) }
    case .ended(let place): conditions.set(schedule.faults[place].fault, false, at: now.nanoseconds)
    }
    return boundary
  }

  func leaveBoundary() { cursor.leaveBoundary() }
}

/// One client of a soak: what its driver does, held against the invariants at every step, and the ground truth about
/// it. Confined to the clients' loop.
final class SoakClient: SocketDriverObserver {
  let number: Int
  private(set) var checker = InvariantChecker()
  private(set) var result = SessionResult()
  weak var driver: SocketDriver?

  private let faults: SoakFaults
  private let server: ServerTruth
  private let passBoundaries: () -> Void
  private let whenFinished: () -> Void
  /// The connection that was opened last.
  private var socket = Socket()
  private var cutAt = Instant.never
  private var truth = GroundTruth()

  init(
    _ number: Int, _ faults: SoakFaults, _ server: ServerTruth, tolerance: Interval,
    passBoundaries: @escaping () -> Void, whenFinished: @escaping () -> Void
  ) {
    (self.number, self.faults, self.server) = (number, faults, server)
    (self.passBoundaries, self.whenFinished) = (passBoundaries, whenFinished)
    checker.tolerance = tolerance
    checker.began(faults.settings)
  }

  /// The client is about to be started: its first connection began with the run.
  func begin() { truth.beginOutage(by: nil, at: .zero, isPossible: faults.isPossible, isNoticed: true) }

  // MARK: What the driver reports

  func saw(_ event: LiveEvent, at moment: Instant) {
    // The proxy has a clock of its own, and what it does may be here before this loop comes to its boundary.
    if faults.nextBoundary <= moment { passBoundaries() }
    result.events += 1
    learn(event, at: moment)
    checker.saw(event, at: SessionMoment(moment))
  }

  /// Notes what happened to a socket, before the client gets the event.
  private func learn(_ event: LiveEvent, at now: Instant) {
    switch event {
    case .timer: truth.timerFired()
    case .opened(let generation) where holds(generation):
      socket.isOpened = true
      truth.opened += 1
    case .failed(let generation, _), .refused(let generation, _), .closed(let generation, _):
      if holds(generation) { loseAtClient(at: now) }
    case .received(let generation, let frame) where holds(generation):
      // What arrives so long after shows that the fault missed this connection.
      if socket.isCut, now - cutAt > .milliseconds(100) { socket.isCut = false }
      // What arrives goes through, and has overtaken nothing.
      if !faults.conditions.isBlocked { (socket.isUpStalled, socket.isDownStalled) = (false, false) }
      guard case .resumed(let place) = frame else { return }
      socket.isResumed = true
      socket.target = server.target(of: number, generation: generation.number) ?? place
      if truth.streamDelivered == nil { truth.streamDelivered = place }
    default: break
    }
  }

  private func holds(_ generation: Generation) -> Bool { socket.isHeld && socket.generation == generation }

  func did(_ effect: LiveEffect, at moment: Instant) {
    checker.saw(effect, at: SessionMoment(moment))
    truth.note(effect)
    switch effect {
    case .open(let generation, _):
      socket = Socket()
      (socket.generation, socket.isHeld) = (generation, true)
      truth.clientSockets += 1
      driver?.headers = [(SoakServer.generationField, "\(generation.number)")]
    case .abort(let generation): if holds(generation) { loseAtClient(at: moment) }
    // What is sent into a way that lets nothing through waits for its end, and TCP comes to send it again some time
    // later.
    case .sendPing, .sendPong, .sendResume, .sendMessage:
      if faults.conditions.isUpBlocked { socket.isUpStalled = true }
    case .acknowledged(let number):
      truth.messagesLost += server.settle(self.number, through: number.value, dropped: truth.dropped)
    default: break
    }
  }

  func noteServerSent() { if faults.conditions.isDownBlocked, socket.isAtServer { socket.isDownStalled = true } }

  private func loseAtClient(at now: Instant) {
    guard socket.isHeld else { return }
    (socket.isHeld, socket.isOpened) = (false, false)
    truth.clientSockets -= 1
    checker.saw(.lostAtClient(socket.generation), at: SessionMoment(now))
  }

  func settled(_ driver: SocketDriver, at moment: Instant) {
    truth.messagesTakenUnduly = server.takenUnduly(of: number)
    let status = driver.connection.status
    truth.note(status, at: moment)
    checker.settled(status, truth, at: SessionMoment(moment))
    update(at: moment)
    result.status = status
  }

  func finished(_ driver: SocketDriver) { whenFinished() }

  // MARK: What the soak reports

  func send(_ payload: ByteBuffer) {
    _ = truth.nextMessage()
    driver?.send(payload)
  }

  /// The server accepted the connection of a generation, or has it no longer.
  func link(_ generation: UInt32, _ change: LinkChange, at now: Instant) {
    guard socket.generation.number == generation else { return }
    switch change {
    case .accepted where socket.isHeld: socket.isAtServer = true
    case .lost: socket.isAtServer = false
    case .accepted: return
    }
    update(at: now)
  }

  /// A fault of a moment made the connection dead without a word to either end.
  func cut(at now: Instant) {
    guard socket.isHeld, socket.isAtServer else { return }
    (socket.isCut, cutAt) = (true, now)
  }

  /// Whether the client is in sync, and whether an attempt could succeed, after something changed.
  func update(at now: Instant) {
    if truth.isStopped { return }
    let isCarrying = !faults.conditions.isBlocked && socket.isCarrying
    let isServed = isCarrying && socket.isCurrent(delivered: truth.streamDelivered)
    let isChanged = truth.update(
      isServed: isServed, isPossible: faults.isPossible, at: now, cause: faults.cause(at: now),
      isNoticed: driver?.connection.status.phase != .connected)
    if isChanged { checker.saw(.served(isServed), at: SessionMoment(now)) }
  }

  /// The run is over; what comes now is the client's own farewell.
  func stop(at now: Instant) {
    truth.finish(at: now)
    truth.isStopped = true
    (result.duration, result.truth) = (now - .zero, truth)
  }

  /// Everything is quiet: nothing may be left open.
  func end(at now: Instant) {
    checker.finish(at: SessionMoment(now))
    result.truth.messagesDoubled = max(result.truth.messagesDoubled, truth.messagesDoubled)
  }
}
