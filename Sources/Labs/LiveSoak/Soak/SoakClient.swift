// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOCore
internal import WebSocketProtocol

/// One client of a soak: its driver, the check of the invariants at every step, and its ground truth. Confined to the
/// clients' loop.
final class SoakClient: SocketDriverObserver {
  let number: Int
  private(set) var checker = InvariantChecker()
  private(set) var result = SessionResult()
  private(set) var driver: SocketDriver?
  /// The source of the waits between messages.
  let random: RandomSource

  private unowned let crowd: SoakCrowd
  private var truth = GroundTruth()
  /// The connection that was opened last.
  private var socket = Socket()
  private var cutAt = Instant.never

  init(_ number: Int, in crowd: SoakCrowd, port: Int) throws {
    (self.number, self.crowd) = (number, crowd)
    let run = crowd.run
    let seed = run.seeds[number] &* 0x9E37_79B1 ^ 0x5851_F42D
    random = try RandomSource(seed: seed == 0 ? 1 : seed)
    checker.tolerance = run.pace.own(run.tolerance)
    checker.began(run.settings)
    var configuration = WebSocketConfiguration()
    configuration.compresses = false
    configuration.closeTimeout = .nanoseconds(run.pace.real(run.settings.closeTimeout).nanoseconds)
    driver = SocketDriver(
      on: crowd.loop, address: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)/\(number)"),
      settings: run.settings, configuration: configuration, clock: crowd.clock, seed: UInt64(run.seeds[number]),
      observer: self)
  }

  /// Starts the client; its first outage begins with the run.
  func start() {
    truth.beginOutage(by: nil, at: .zero, isPossible: crowd.isPossible, isNoticed: true)
    driver?.start()
  }

  // MARK: Reports of the driver

  func willHandle(_ event: LiveEvent, at moment: Instant) {
    // The proxy has its own clock, so its effects may arrive before this loop reaches the boundary.
    crowd.passDueBoundaries()
    result.events += 1
    if case .timer = event { truth.timerFired() }
    if event.generation == socket.generation { recordEvent(event, at: moment) }
  }

  /// Records an event of the socket before the client gets it.
  private func recordEvent(_ event: LiveEvent, at now: Instant) {
    if socket.isHeld, case .received(let generation, let frame) = event {
      // A frame that arrives that late shows that the fault missed this connection.
      if socket.isCut, now - cutAt > crowd.run.pace.own(.milliseconds(100)) { socket.isCut = false }
      // A frame that arrives shows that the way is open and that no earlier frame waits.
      if !crowd.conditions.isBlocked { (socket.isUpStalled, socket.isDownStalled) = (false, false) }
      if case .resumed(let position) = frame {
        socket.target = crowd.server.target(of: number, generation: generation.number) ?? position
      }
    }
    _ = truth.recordEvent(event, on: &socket, at: SessionMoment(now), seenBy: &checker)
  }

  func didPerform(_ effect: LiveEffect, at moment: Instant) {
    truth.note(effect)
    switch effect {
    case .open(let generation, _):
      socket = Socket()
      (socket.generation, socket.isHeld) = (generation, true)
      truth.clientSockets += 1
      driver?.headers = [(SoakServer.generationField, "\(generation.number)")]
    case .abort(socket.generation): truth.lose(&socket, at: SessionMoment(moment), seenBy: &checker)
    // Data sent into a blocked way wait for its end, and TCP sends them again some time later.
    case .sendPing, .sendPong, .sendResume, .sendMessage:
      if crowd.conditions.isUpBlocked { socket.isUpStalled = true }
    case .acknowledged(let number):
      truth.messagesLost += crowd.server.settle(self.number, through: number.value, dropped: truth.dropped)
    default: break
    }
  }

  func step(_ event: LiveEvent, effects: LiveEffects, of driver: SocketDriver, at moment: Instant) {
    truth.messagesTakenUnduly = crowd.server.duplicatesAccepted(of: number)
    let status = driver.connection.status
    truth.note(status, at: moment)
    checker.step(event, effects: effects, status: status, truth: truth, at: SessionMoment(moment))
    update(at: moment)
    result.status = status
  }

  func finished(_ driver: SocketDriver) { crowd.unfinished -= 1 }

  // MARK: Reports of the soak

  func send(_ payload: ByteBuffer) {
    _ = truth.nextMessage()
    driver?.send(payload)
  }

  func noteServerSent() { if crowd.conditions.isDownBlocked, socket.isAtServer { socket.isDownStalled = true } }

  /// Records that the server accepted or lost the connection of a generation.
  func link(_ generation: UInt32, isAtServer: Bool, at now: Instant) {
    guard socket.generation.number == generation, socket.isHeld || !isAtServer else { return }
    socket.isAtServer = isAtServer
    update(at: now)
  }

  /// Records that a momentary fault killed the connection without notice to either end.
  func cut(at now: Instant) { if socket.isHeld, socket.isAtServer { (socket.isCut, cutAt) = (true, now) } }

  /// Updates whether the client is in sync and whether an attempt could succeed, after a change.
  func update(at now: Instant) {
    guard !truth.isStopped, let driver else { return }
    let isCarrying = !crowd.conditions.isBlocked && socket.isCarrying
    truth.update(
      isServed: isCarrying && socket.isCurrent(delivered: truth.streamDelivered), isPossible: crowd.isPossible,
      cause: crowd.cause(at: now), driver.connection.status, at: SessionMoment(now), seenBy: &checker)
  }

  /// Ends the client's part of the run; later events belong to its shutdown.
  func stop(at now: Instant) {
    truth.finish(at: now)
    truth.isStopped = true
    (result.duration, result.truth) = (now - .zero, truth)
    driver?.stop()
  }

  /// The client's outcome when everything is quiet; nothing may be left open.
  func end(at now: Instant) -> SoakOutcome.Client {
    checker.finish(at: SessionMoment(now))
    result.truth.messagesDoubled = max(result.truth.messagesDoubled, truth.messagesDoubled)
    return SoakOutcome.Client(result: result, breach: checker.breach, breached: checker.breached)
  }
}
