// SPDX-License-Identifier: Apache-2.0
package import LiveCore
package import NIOCore
package import WebSocketProtocol

/// Observes a driver and its connection, on the event loop. All methods are optional.
package protocol SocketDriverObserver: AnyObject {
  /// The event is about to be delivered to the connection.
  func willHandle(_ event: LiveEvent, at moment: Instant)
  /// Reports an effect of the last event; the driver performs it after this call.
  func didPerform(_ effect: LiveEffect, at moment: Instant)
  /// The event was handled, and all its effects were carried out.
  func step(_ event: LiveEvent, effects: LiveEffects, of driver: SocketDriver, at moment: Instant)
  /// A message for the app, in order and once.
  func delivered(_ payload: ByteBuffer, isText: Bool, at position: StreamPosition?)
  /// New credentials are needed: answer by `driver.credentialsArrived(_:headers:)`.
  func credentialsWanted(_ generation: Generation, by driver: SocketDriver)
  /// Reports an error of a socket.
  func failed(_ error: WebSocketError)
  /// The connection is closed for good and its last socket is gone.
  func finished(_ driver: SocketDriver)
}

extension SocketDriverObserver {
  package func willHandle(_ event: LiveEvent, at moment: Instant) {}
  package func didPerform(_ effect: LiveEffect, at moment: Instant) {}
  package func step(_ event: LiveEvent, effects: LiveEffects, of driver: SocketDriver, at moment: Instant) {}
  package func delivered(_ payload: ByteBuffer, isText: Bool, at position: StreamPosition?) {}
  package func credentialsWanted(_ generation: Generation, by driver: SocketDriver) {
    driver.credentialsArrived(generation, headers: nil)
  }
  package func failed(_ error: WebSocketError) {}
  package func finished(_ driver: SocketDriver) {}
}

/// The clock of a connection, which continues while the device sleeps.
package struct DriverClock: Sendable {
  /// The time since some moment of the past, and the part of it in which the device was awake.
  package var now: @Sendable () -> (total: Instant, awake: Instant)
  /// Its speed in multiples of the event loop's clock, at least 1.
  fileprivate let pace: Int64

  /// A custom clock.
  package init(pace: Int64 = 1, now: @escaping @Sendable () -> (total: Instant, awake: Instant)) {
    (self.pace, self.now) = (pace, now)
  }

  package static let system = {
    let (total, awake) = (ContinuousClock.now, SuspendingClock.now)
    return DriverClock { (instant(total.duration(to: .now)), instant(awake.duration(to: .now))) }
  }()

  private static func instant(_ time: Duration) -> Instant {
    let (seconds, attoseconds) = time.components
    return Instant(nanoseconds: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
  }
}

/// Carries out the effects of one `LiveConnection` on real sockets and a real timer, and returns their events to it.
///
/// Confined to one event loop, on which every call must be made. Ten thousand drivers need no task and no lock. A
/// driver that has been started keeps itself alive until its last socket is gone.
package final class SocketDriver {
  private let loop: any EventLoop
  package private(set) var connection: LiveConnection
  /// The header fields of the next handshakes, such as `Authorization`, in addition to the configuration's.
  package var headers: [(name: String, value: String)] = []
  /// The number of sockets that still exist: one, and dropped ones that the kernel has not released.
  private var sockets = 0

  private let address: WebSocketAddress
  private var redirected: WebSocketAddress?
  private let configuration: WebSocketConfiguration
  private var tls: ClientTLS?
  private let clock: DriverClock
  private var observer: (any SocketDriverObserver)?
  private var random: DriverRandom
  /// The socket of the present generation.
  private var link: Link?
  private var effects = LiveEffects()
  private var isHandling = false
  /// The events that occurred while another was handled.
  private var waiting = CircularBuffer<Occurrence>(initialCapacity: 2)
  /// The contents that came with the event that is handled.
  private var payload = ByteBuffer()
  private var isText = true
  /// The contents of messages to be sent or acknowledged.
  private var kept: [MessageNumber: Contents] = [:]
  private var lastNumber = MessageNumber(0)
  /// The last acknowledged message.
  private var acknowledged = MessageNumber(0)
  /// The name by which a server of the stream protocol recognises the client.
  private let identity: String
  /// The setting of the timer, and the moments at which the loop checks it, the soonest last.
  private var timer: (tag: TimerTag, at: Instant)?
  private var wakeUps: [Instant] = []
  private var asleep = Interval.zero
  private var isFinished = false

  /// An event, and the contents of its frame.
  private struct Occurrence {
    var event: LiveEvent
    var payload: ByteBuffer?
    var isText = true
    /// The error to report, unless the connection follows a redirect.
    var refusal: WebSocketError?
  }

  private struct Contents {
    var payload: ByteBuffer
    var isText: Bool
  }

  /// Creates a driver that has not been started.
  ///
  /// - Parameters:
  ///   - loop: The event loop of the driver.
  ///   - address: The address of the server.
  ///   - settings: The behaviour of the connection; `isSecure` follows from the address.
  ///   - configuration: The behaviour of its sockets.
  ///   - tls: The trust roots, for secure addresses and redirects: `configuration.clientTLS()`, once for many.
  ///   - clock: The time.
  ///   - seed: The seed of the random bits; the same seed gives the same waits.
  ///   - observer: The observer; retained until the driver is finished.
  package init(
    on loop: any EventLoop, address: WebSocketAddress, settings: ConnectionSettings,
    configuration: WebSocketConfiguration = WebSocketConfiguration(), tls: ClientTLS? = nil,
    clock: DriverClock = .system, seed: UInt64 = .random(in: 0 ... .max), observer: any SocketDriverObserver
  ) {
    var settings = settings
    settings.isSecure = address.isSecure
    (self.loop, self.address, self.tls, self.clock, self.observer) = (loop, address, tls, clock, observer)
    connection = LiveConnection(settings)
    // The connection limits the time of an attempt itself.
    var configuration = configuration
    configuration.handshakeTimeout = .nanoseconds(settings.connectTimeout.nanoseconds) + .seconds(1)
    self.configuration = configuration
    random = DriverRandom(state: seed)
    identity = String(UInt64.random(in: 0 ... .max), radix: 16) + String(UInt64.random(in: 0 ... .max), radix: 16)
  }

  /// The present moment of the driver's clock.
  package var now: Instant { clock.now().total }
}

// Requests of the app.
extension SocketDriver {
  /// Connects, and stays connected.
  ///
  /// - Parameter tls: The trust roots, if they were not given before.
  package func start(tls: ClientTLS? = nil) {
    if let tls { self.tls = tls }
    let (total, awake) = clock.now()
    asleep = total - awake
    deliver(.start)
  }

  /// Closes for good, with a closing handshake if a socket is open; `finished` is reported when the socket is gone.
  package func stop() { deliver(.stop) }

  /// Closes for good and drops the socket at once.
  package func shutDown() {
    deliver(.stop)
    link?.socket?.abort()
  }

  /// Sends a message, now or when there is a connection; its contents are kept until acknowledged or dropped.
  @discardableResult
  package func send(_ payload: ByteBuffer, isText: Bool = true) -> MessageNumber {
    lastNumber = MessageNumber(lastNumber.value + 1)
    kept[lastNumber] = Contents(payload: payload, isText: isText)
    deliver(.send(lastNumber, bytes: payload.readableBytes))
    return lastNumber
  }

  /// Answers `credentialsWanted`: the header fields from now on, or nil if there are none.
  package func credentialsArrived(_ generation: Generation, headers: [(name: String, value: String)]?) {
    if let headers { self.headers = headers }
    deliver(.credentials(generation, isFresh: headers != nil))
  }

  /// Delivers an event of the app or the device, and carries out its effects.
  package func deliver(_ event: LiveEvent) { occurred(Occurrence(event: event)) }

  private func occurred(_ occurrence: Occurrence) {
    guard !isHandling else { return waiting.append(occurrence) }
    isHandling = true
    let (moment, awake) = clock.now()
    // The device slept if its clock advanced while the loop's did not.
    let slept = moment - awake
    if slept - asleep > .seconds(1) {
      asleep = slept
      handle(Occurrence(event: .woke), at: moment)
    }
    handle(occurrence, at: moment)
    while let next = waiting.popFirst() { handle(next, at: now) }
    isHandling = false
    finishIfOver()
  }

  private func handle(_ occurrence: Occurrence, at moment: Instant) {
    if let contents = occurrence.payload { (payload, isText) = (contents, occurrence.isText) }
    observer?.willHandle(occurrence.event, at: moment)
    effects.removeAll()
    if connection.handle(occurrence.event, at: moment, word: random.word, into: &effects) { random.advance() }
    if let refusal = occurrence.refusal, !effects.contains(where: \.followsRedirect) { observer?.failed(refusal) }
    for index in 0..<effects.count {
      let effect = effects[index]
      observer?.didPerform(effect, at: moment)
      carryOut(effect, at: moment)
    }
    if occurrence.payload != nil { payload = ByteBuffer() }
    observer?.step(occurrence.event, effects: effects, of: self, at: moment)
  }

  /// Finishes when the connection is closed for good and every socket is gone; then nothing retains the driver.
  private func finishIfOver() {
    guard !isFinished, case .closed(let ended) = connection.state, ended.closing == nil, sockets == 0 else { return }
    isFinished = true
    let observer = observer
    self.observer = nil
    kept.removeAll()
    observer?.finished(self)
  }
}

// Effects of the connection.
extension SocketDriver {
  private func carryOut(_ effect: LiveEffect, at moment: Instant) {
    switch effect {
    case .open(let generation, let target): open(generation, target)
    case .abort(let generation): current(generation)?.drop()
    case .sendClose(let generation, let code): current(generation)?.socket?.close(code)
    case .sendPing(let generation, let number):
      var text = ByteBuffer()
      text.writeDecimal(UInt64(number))
      current(generation)?.socket?.send(.ping(text))
    case .sendPong(let generation, _): current(generation)?.socket?.pong(payload)
    case .sendResume(let generation, let index): say(.resume(after: index), generation)
    case .sendMessage(let generation, let number): send(number, generation)
    case .setTimer(let tag, let due):
      timer = (tag, due)
      wakeUp(by: due)
    case .cancelTimer: timer = nil
    case .refreshCredentials(let generation): observer?.credentialsWanted(generation, by: self)
    case .deliver(let index, _): observer?.delivered(payload, isText: isText, at: index)
    case .acknowledged(let number): forget(through: number)
    case .dropped(let number, _): kept[number] = nil
    case .gap, .statusChanged: break
    }
  }

  private func current(_ generation: Generation) -> Link? { link?.generation == generation ? link : nil }

  private func open(_ generation: Generation, _ target: OpenTarget) {
    let address = target == .redirected ? redirected ?? self.address : self.address
    let link = Link(generation, address, self)
    self.link = link
    sockets += 1
    var configuration = configuration
    configuration.headers += headers
    if connection.settings.resumesStream { configuration.headers.append((StreamMessage.clientField, identity)) }
    link.socket = WebSocketHandler.dial(address, on: loop, configuration: configuration, tls: tls, owner: link)
  }

  private func say(_ message: StreamMessage, _ generation: Generation) {
    guard let socket = current(generation)?.socket else { return }
    var text = ByteBuffer()
    message.write(into: &text)
    socket.send(.text(text))
  }

  private func send(_ number: MessageNumber, _ generation: Generation) {
    guard let message = kept[number], let link = current(generation) else { return }
    let isNumbered = connection.settings.resumesStream
    // A long message leaves in parts; until the last has left, it cannot have arrived.
    let isLong = message.payload.readableBytes > WebSocketHandler.partBytes
    if isLong { deliver(.sending(generation, number, isWhole: false)) }
    guard isLong || !isNumbered else { return say(.send(number, message.payload), generation) }
    var text = ByteBuffer()
    if isNumbered { StreamMessage.send(number, message.payload).write(into: &text) }
    let written = loop.makePromise(of: Void.self)
    link.socket?.send(
      isNumbered ? .text(text) : message.isText ? .text(message.payload) : .binary(message.payload),
      whenWritten: written)
    written.futureResult.assumeIsolated().whenSuccess {
      // A peer without numbers acknowledges nothing: sent messages count as received.
      self.deliver(
        isNumbered
          ? .sending(generation, number, isWhole: true) : .received(generation, .acknowledged(through: number)))
    }
  }

  private func forget(through number: MessageNumber) {
    // A server may acknowledge messages that were never sent.
    while acknowledged < min(number, lastNumber) {
      acknowledged = MessageNumber(acknowledged.value + 1)
      kept[acknowledged] = nil
    }
  }
}

// The one timer.
extension SocketDriver {
  /// Makes the loop check the timer by `due`. An earlier scheduled check is enough, and a later one stays for later
  /// timers: a cancellation takes time in proportion to the number of tasks on the loop.
  private func wakeUp(by due: Instant) {
    if let soonest = wakeUps.last, soonest <= due { return }
    wakeUps.append(due)
    let delay = max(0, (due - now).nanoseconds) / clock.pace
    loop.assumeIsolated().scheduleTask(in: .nanoseconds(delay)) { [weak self] in self?.wokeUp() }
  }

  private func wokeUp() {
    _ = wakeUps.popLast()
    guard let (tag, due) = timer else { return }
    guard due <= now else { return wakeUp(by: due) }
    timer = nil
    deliver(.timer(tag))
  }
}

// Events of a socket.
extension SocketDriver {
  /// One socket: its events carry its generation.
  private final class Link: WebSocketOwner {
    let generation: Generation
    let address: WebSocketAddress
    let driver: SocketDriver
    var socket: WebSocketHandler?

    init(_ generation: Generation, _ address: WebSocketAddress, _ driver: SocketDriver) {
      (self.generation, self.address, self.driver) = (generation, address, driver)
    }

    /// Drops the socket. After a close frame it waits until the frame is sent, which a reset could overtake.
    func drop() {
      if socket?.phase == .closing { socket?.finish() } else { socket?.abort() }
    }

    var answersPings: Bool { true }

    func opened(_ socket: WebSocketHandler) { driver.deliver(.opened(generation)) }

    func received(_ incoming: Incoming, on socket: WebSocketHandler) {
      let occurrence: Occurrence
      switch incoming {
      case .text(let text): occurrence = message(text)
      case .binary(let bytes):
        guard !driver.connection.settings.resumesStream else { return refuse(CloseCode(1003)) }
        occurrence = Occurrence(
          event: .received(generation, .message(nil, bytes: bytes.readableBytes)), payload: bytes, isText: false)
      case .ping(let bytes):
        occurrence = Occurrence(event: .received(generation, .ping(Self.number(in: bytes) ?? 0)), payload: bytes)
      case .pong(let bytes):
        // An unsolicited pong is no answer (RFC 6455, section 5.5.3).
        guard let number = Self.number(in: bytes) else { return }
        occurrence = Occurrence(event: .received(generation, .pong(number)))
      case .close: return
      }
      driver.occurred(occurrence)
    }

    private func message(_ text: ByteBuffer) -> Occurrence {
      guard driver.connection.settings.resumesStream else {
        return Occurrence(event: .received(generation, .message(nil, bytes: text.readableBytes)), payload: text)
      }
      let frame: ServerFrame
      switch StreamMessage(text) {
      case .message(let index, let payload):
        return Occurrence(
          event: .received(generation, .message(index, bytes: payload.readableBytes)), payload: payload)
      case .resumed(let index): frame = .resumed(after: index)
      case .acknowledged(let number): frame = .acknowledged(through: number)
      case .resume, .send, nil: frame = .malformed(CloseCode(1007))
      }
      return Occurrence(event: .received(generation, frame))
    }

    func moved(_ socket: WebSocketHandler) {
      guard case .connected(let link) = driver.connection.state, link.pongDeadline != nil else { return }
      driver.deliver(.moved(generation))
    }

    func violated(_ violation: ProtocolViolation, on socket: WebSocketHandler) { refuse(violation.code) }

    private func refuse(_ code: CloseCode) { driver.deliver(.received(generation, .malformed(code))) }

    func ended(_ end: SocketEnd, of socket: WebSocketHandler) {
      driver.sockets -= 1
      self.socket = nil
      if driver.link === self { driver.link = nil }
      switch end {
      case .failed(let error):
        driver.observer?.failed(error)
        driver.deliver(.failed(generation, error.failure))
      case .refused(let refusal, let index, let location):
        driver.redirected = location.flatMap { try? address.redirected(to: $0) }
        let error = WebSocketError(refusal, by: index, location: driver.redirected?.description ?? location)
        driver.occurred(Occurrence(event: .refused(generation, refusal), refusal: error))
      case .closed(let closure): driver.deliver(.closed(generation, Closure(closure)))
      }
    }

    /// The number that a ping or pong carries: decimal text.
    private static func number(in payload: ByteBuffer) -> UInt32? {
      var payload = payload
      guard payload.readableBytes <= 10, let number = payload.readNumber(), payload.readableBytes == 0 else {
        return nil
      }
      return UInt32(exactly: number)
    }
  }
}

extension LiveEffect {
  fileprivate var followsRedirect: Bool {
    if case .open(_, .redirected) = self { true } else { false }
  }
}

extension Closure {
  /// The closure as the client sees it.
  init(_ closure: WebSocketClosure) {
    let origin: Origin =
      switch closure.origin {
      case .local: .client
      case .remote: .server
      case .network: .network
      }
    self.init(origin, closure.code)
  }
}

/// Random bits for one connection: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014).
private struct DriverRandom {
  var state: UInt64

  var word: UInt64 {
    var z = state &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func advance() { state &+= 0x9E37_79B9_7F4A_7C15 }
}
