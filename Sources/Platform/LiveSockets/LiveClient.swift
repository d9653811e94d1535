// SPDX-License-Identifier: Apache-2.0
public import LiveCore
public import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// A WebSocket client that comes back: `LiveConnection` on real sockets and a real clock.
///
/// It connects, notices when the connection is dead, backs off, and connects again; with a server of the stream
/// protocol (`StreamMessage`) it resumes the stream and sends again what was not acknowledged. `run()` fits a service
/// group:
///
///     let client = try LiveClient(url: "wss://example.org/scores")
///     try await withThrowingTaskGroup { group in
///       group.addTask { try await client.run() }
///       for await arrival in client.messages { show(arrival) }
///     }
public final class LiveClient: Sendable {
  /// A message or notification that arrives, in order.
  public enum Arrival: Hashable, Sendable {
    /// A message, and its place where the server speaks the stream protocol.
    case message(WebSocketMessage, at: StreamPosition?)
    /// Messages of the stream are lost to this client: those after the first place and up to the second.
    case gap(after: StreamPosition?, upTo: StreamPosition)
    /// So many arrivals were dropped, since nobody read them: the oldest.
    case overflow(count: Int)
    /// A message of the client's will not be sent.
    case dropped(MessageNumber, DropReason)
    /// The server has the client's messages up to this one, or, where it does not speak the stream protocol, they went
    /// out.
    case acknowledged(through: MessageNumber)
    /// An attempt to connect failed: why, for a person. The client tries again where that is of use.
    case failed(WebSocketError)
  }

  private let address: WebSocketAddress
  private let settings: ConnectionSettings
  private let configuration: WebSocketConfiguration
  private let logger: Logger?
  private let credentials: (@Sendable () async throws -> [(name: String, value: String)])?
  private let loop: any EventLoop
  private let arrivals: InboundQueue<Arrival>
  private let agent: NIOLoopBoundBox<LiveAgent?>
  private let state = NIOLockedValueBox(State())

  private struct State {
    var status = LiveStatus(.disconnected)
    var watchers: [UInt64: AsyncStream<LiveStatus>.Continuation] = [:]
    var lastWatcher: UInt64 = 0
    var hasRun = false
    var hasOpened = false
  }

  /// A client that does not run yet.
  ///
  /// - Parameters:
  ///   - url: `ws://host:port/path?query` or `wss://…`.
  ///   - settings: How it behaves: backoff, heartbeat, outbox, whether the stream protocol is spoken.
  ///   - configuration: How its sockets behave. `inboundBufferBytes` bounds what nobody has read.
  ///   - logger: Is given what happens, at the level debug.
  ///   - credentials: Gets fresh header fields when the server refuses the old ones; nil where there are none.
  /// - Throws: `WebSocketError` and `LiveError` for an address, configuration or settings that make no sense.
  public init(
    url: String, settings: ConnectionSettings = ConnectionSettings(),
    configuration: WebSocketConfiguration = WebSocketConfiguration(), logger: Logger? = nil,
    credentials: (@Sendable () async throws -> [(name: String, value: String)])? = nil
  ) throws {
    try settings.check()
    try configuration.check()
    address = try WebSocketClient.address(url)
    var settings = settings
    // What merely went out proves nothing of the server.
    if !settings.resumesStream { settings.proof.byAcknowledgement = false }
    (self.settings, self.configuration, self.logger) = (settings, configuration, logger)
    self.credentials = credentials
    loop = MultiThreadedEventLoopGroup.singleton.any()
    arrivals = InboundQueue(limit: configuration.inboundBufferBytes) { .overflow(count: $0) }
    agent = .makeEmptyBox(valueType: LiveAgent.self, eventLoop: loop)
    loop.execute { [weak self] in
      guard let self else { return }
      let agent = LiveAgent(self)
      agent.driver = SocketDriver(
        on: self.loop, address: self.address, settings: self.settings, configuration: self.configuration,
        observer: agent)
      self.agent.value = agent
    }
  }

  /// Connects and stays connected until the connection is closed for good or the task is cancelled; then it is closed
  /// with a closing handshake, within `ConnectionSettings.closeTimeout`. To be called once.
  ///
  /// - Returns: Why it is closed for good.
  /// - Throws: `WebSocketError` for trust roots that cannot be read, and when called again.
  @discardableResult
  public func run() async throws -> Ended.Reason {
    // A plain address can redirect to a secure one.
    let isWanted = address.isSecure || configuration.trust != .system
    let tls = isWanted ? try configuration.clientTLS() : try? configuration.clientTLS()
    let isFirst = state.withLockedValue { state in
      defer { state.hasRun = true }
      return !state.hasRun
    }
    guard isFirst else { throw WebSocketError(.closed, "the client has run already; make another.") }
    let finished = loop.makePromise(of: Ended.Reason.self)
    let (wishes, wish) = AsyncStream.makeStream(of: Generation.self)
    loop.execute {
      guard let agent = self.agent.value, let driver = agent.driver else { return finished.succeed(.stopped) }
      (agent.finished, agent.wish) = (finished, wish)
      driver.start(tls: tls)
    }
    return try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { for await generation in wishes { await self.refresh(generation) } }
        defer { group.cancelAll() }
        return try await finished.futureResult.get()
      }
    } onCancel: {
      stop()
    }
  }

  /// Gets fresh credentials for the next attempt, where there are any to be had.
  private func refresh(_ generation: Generation) async {
    let fresh = try? await credentials?()
    ask { $0.credentialsArrived(generation, headers: fresh) }
  }

  /// Closes for good, with a closing handshake where a socket is open; `run()` returns.
  public func stop() { ask { $0.stop() } }

  /// Connects now rather than later: somebody wants it.
  public func retry() { ask { $0.deliver(.retry) } }

  /// Reports what the device knows: whether there is a network.
  public func network(isReachable: Bool) { ask { $0.deliver(.network(isReachable: isReachable)) } }

  private func ask(_ action: @escaping @Sendable (SocketDriver) -> Void) {
    loop.execute {
      if let driver = self.agent.value?.driver { action(driver) }
    }
  }

  /// Sends a message, now or when there is a connection. Its contents are kept until the server has acknowledged it, or
  /// it is dropped (`Arrival.dropped`) by the bounds in `ConnectionSettings.outbox`.
  ///
  /// - Parameter message: What to send. The stream protocol is text: bytes are sent as they are, and have to be UTF-8.
  /// - Returns: Its number: 1 for the first.
  /// - Throws: `WebSocketError` when the client is closed for good.
  @discardableResult
  public func send(_ message: WebSocketMessage) async throws -> MessageNumber {
    try await loop.submit {
      guard let driver = self.agent.value?.driver else {
        throw WebSocketError(.closed, "the client is closed for good; nothing can be sent any more.")
      }
      switch message {
      case .text(let text): return driver.send(ByteBuffer(string: text))
      case .binary(let bytes): return driver.send(bytes, isText: false)
      }
    }.get()
  }

  /// The arrivals, for one reader. Arrivals that nobody reads are dropped, the oldest first, and reported as an
  /// overflow. It ends when the connection is closed for good.
  public var messages: AsyncStream<Arrival> { AsyncStream { [arrivals] in await arrivals.next() } }

  /// The status now and whenever it changes; who reads slowly gets the latest alone. Each call is a sequence of its
  /// own.
  public var statuses: AsyncStream<LiveStatus> {
    let (stream, continuation) = AsyncStream.makeStream(of: LiveStatus.self, bufferingPolicy: .bufferingNewest(1))
    let (number, isOver) = state.withLockedValue { state in
      continuation.yield(state.status)
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = continuation
      return (state.lastWatcher, state.status.phase == .closed)
    }
    if isOver { continuation.finish() }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLockedValue { $0.watchers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Whether it was connected at any time.
  public var hasOpened: Bool { state.withLockedValue { $0.hasOpened } }

  /// The status now.
  public var status: LiveStatus { state.withLockedValue { $0.status } }

  /// How long it is until the next attempt comes by itself; nil where none is planned.
  public var untilNextTry: Interval? {
    status.nextTry.map { max(.zero, $0 - DriverClock.system.now().total) }
  }
}

// What the driver reports, on the loop.
extension LiveClient {
  fileprivate func arrived(_ arrival: Arrival, size: Int = 0) { arrivals.add(arrival, size: size + 64) }

  fileprivate func changed(_ status: LiveStatus) {
    let watchers = state.withLockedValue { state in
      state.status = status
      if status.phase == .connected { state.hasOpened = true }
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.yield(status) }
    logger?.debug("status", metadata: ["phase": "\(status.phase)", "attempt": "\(status.attempt)"])
  }

  fileprivate func ended() {
    agent.value = nil
    for watcher in state.withLockedValue({ Array($0.watchers.values) }) { watcher.finish() }
    arrivals.finish()
  }
}

/// The observer of the client's driver; on the loop.
private final class LiveAgent: SocketDriverObserver {
  /// Weak, since the client holds this: a client that is never run would not go otherwise.
  weak var client: LiveClient?
  var finished: EventLoopPromise<Ended.Reason>?
  /// Where wishes for fresh credentials go.
  var wish: AsyncStream<Generation>.Continuation?
  var driver: SocketDriver?

  init(_ client: LiveClient) { self.client = client }

  func did(_ effect: LiveEffect, at moment: Instant) {
    switch effect {
    case .gap(let after, let upTo): client?.arrived(.gap(after: after, upTo: upTo))
    case .dropped(let number, let reason): client?.arrived(.dropped(number, reason))
    case .acknowledged(let number): client?.arrived(.acknowledged(through: number))
    case .statusChanged: if let driver { client?.changed(driver.connection.status) }
    default: break
    }
  }

  func delivered(_ payload: ByteBuffer, isText: Bool, at position: StreamPosition?) {
    let message: WebSocketMessage = isText ? .text(String(buffer: payload)) : .binary(payload)
    client?.arrived(.message(message, at: position), size: message.size)
  }

  func failed(_ error: WebSocketError) { client?.arrived(.failed(error)) }

  func credentialsWanted(_ generation: Generation, by driver: SocketDriver) { wish?.yield(generation) }

  func finished(_ driver: SocketDriver) {
    self.driver = nil
    client?.ended()
    if case .closed(let ended) = driver.connection.state { finished?.succeed(ended.reason) }
  }
}
