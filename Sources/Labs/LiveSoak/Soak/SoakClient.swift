// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOCore
internal import WebSocketProtocol

/// One client of a soak: what its driver does, held against the invariants at every step, and the ground truth about
/// it. Confined to the clients' loop.
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

  /// Starts. Its first outage began with the run.
  func start() {
    truth.beginOutage(by: nil, at: .zero, isPossible: crowd.isPossible, isNoticed: true)
    driver?.start()
  }

  // MARK: What the driver reports

  func saw(_ event: LiveEvent, at moment: Instant) {
    // The proxy has a clock of its own, and what it does may be here before this loop comes to its boundary.
    crowd.passDueBoundaries()
    result.events += 1
    if case .timer = event { truth.timerFired() }
    if event.generation == socket.generation { learn(event, at: moment) }
    checker.saw(event, at: SessionMoment(moment))
  }

  /// Notes what happened to the socket, before the client gets the event.
  private func learn(_ event: LiveEvent, at now: Instant) {
    if socket.isHeld, case .received(let generation, let frame) = event {
      // What arrives so long after shows that the fault missed this connection.
      if socket.isCut, now - cutAt > crowd.run.pace.own(.milliseconds(100)) { socket.isCut = false }
      // What arrives goes through, and has overtaken nothing.
      if !crowd.conditions.isBlocked { (socket.isUpStalled, socket.isDownStalled) = (false, false) }
      if case .resumed(let place) = frame {
        socket.target = crowd.server.target(of: number, generation: generation.number) ?? place
      }
    }
    _ = truth.learn(event, on: &socket, at: SessionMoment(now), seenBy: &checker)
  }

  func did(_ effect: LiveEffect, at moment: Instant) {
    checker.saw(effect, at: SessionMoment(moment))
    truth.note(effect)
    switch effect {
    case .open(let generation, _):
      socket = Socket()
      (socket.generation, socket.isHeld) = (generation, true)
      truth.clientSockets += 1
      driver?.headers = [(SoakServer.generationField, "\(generation.number)")]
    case .abort(socket.generation): truth.lose(&socket, at: SessionMoment(moment), seenBy: &checker)
    // What is sent into a way that lets nothing through waits for its end, and TCP comes to send it again some time
    // later.
    case .sendPing, .sendPong, .sendResume, .sendMessage:
      if crowd.conditions.isUpBlocked { socket.isUpStalled = true }
    case .acknowledged(let number):
      truth.messagesLost += crowd.server.settle(self.number, through: number.value, dropped: truth.dropped)
    default: break
    }
  }

  func settled(_ driver: SocketDriver, at moment: Instant) {
    truth.messagesTakenUnduly = crowd.server.takenUnduly(of: number)
    let status = driver.connection.status
    truth.note(status, at: moment)
    checker.settled(status, truth, at: SessionMoment(moment))
    update(at: moment)
    result.status = status
  }

  func finished(_ driver: SocketDriver) { crowd.unfinished -= 1 }

  // MARK: What the soak reports

  func send(_ payload: ByteBuffer) {
    _ = truth.nextMessage()
    driver?.send(payload)
  }

  func noteServerSent() { if crowd.conditions.isDownBlocked, socket.isAtServer { socket.isDownStalled = true } }

  /// The server accepted the connection of a generation, or has it no longer.
  func link(_ generation: UInt32, isAtServer: Bool, at now: Instant) {
    guard socket.generation.number == generation, socket.isHeld || !isAtServer else { return }
    socket.isAtServer = isAtServer
    update(at: now)
  }

  /// A fault of a moment made the connection dead without a word to either end.
  func cut(at now: Instant) { if socket.isHeld, socket.isAtServer { (socket.isCut, cutAt) = (true, now) } }

  /// Whether the client is in sync, and whether an attempt could succeed, after something changed.
  func update(at now: Instant) {
    guard !truth.isStopped, let driver else { return }
    let isCarrying = !crowd.conditions.isBlocked && socket.isCarrying
    truth.update(
      isServed: isCarrying && socket.isCurrent(delivered: truth.streamDelivered), isPossible: crowd.isPossible,
      cause: crowd.cause(at: now), driver.connection.status, at: SessionMoment(now), seenBy: &checker)
  }

  /// The run is over; what comes now is the client's own farewell.
  func stop(at now: Instant) {
    truth.finish(at: now)
    truth.isStopped = true
    (result.duration, result.truth) = (now - .zero, truth)
    driver?.stop()
  }

  /// The outcome, when everything is quiet: nothing may be left open.
  func end(at now: Instant) -> SoakOutcome.Client {
    checker.finish(at: SessionMoment(now))
    result.truth.messagesDoubled = max(result.truth.messagesDoubled, truth.messagesDoubled)
    return SoakOutcome.Client(result: result, breach: checker.breach, breached: checker.breached)
  }
}
