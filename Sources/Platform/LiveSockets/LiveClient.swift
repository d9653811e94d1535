// SPDX-License-Identifier: Apache-2.0
public import LiveCore
public import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// A WebSocket client that reconnects: `LiveConnection` on real sockets and a real clock.
///
/// It connects, detects a dead connection, backs off, and connects again; with a server of the stream protocol
/// (`StreamMessage`) it resumes the stream and repeats messages that were not acknowledged. `run()` fits a service
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
    /// A message, and its place if the server uses the stream protocol.
    case message(WebSocketMessage, at: StreamPosition?)
    /// Messages of the stream are lost to this client: those after the first place and up to the second.
    case gap(after: StreamPosition?, upTo: StreamPosition)
    /// The oldest `count` arrivals were dropped because they were not read.
    case overflow(count: Int)
    /// A message of the client will not be sent.
    case dropped(MessageNumber, DropReason)
    /// The server has the client's messages up to this one; without the stream protocol, they were sent.
    case acknowledged(through: MessageNumber)
    /// An attempt to connect failed, with the reason for people. The client tries again if that may help.
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

  /// Creates a client that does not run yet.
  ///
  /// - Parameters:
  ///   - url: `ws://host:port/path?query` or `wss://…`.
  ///   - settings: Its behaviour: backoff, heartbeat, outbox, whether to use the stream protocol.
  ///   - configuration: The behaviour of its sockets. `inboundBufferBytes` bounds the unread messages.
  ///   - logger: Gets the client's events, at the level debug.
  ///   - credentials: Returns new header fields when the server refuses the old ones; nil if there are none.
  /// - Throws: `WebSocketError` and `LiveError` for an invalid address, configuration or settings.
  public init(
    url: String, settings: ConnectionSettings = ConnectionSettings(),
    configuration: WebSocketConfiguration = WebSocketConfiguration(), logger: Logger? = nil,
    credentials: (@Sendable () async throws -> [(name: String, value: String)])? = nil
  ) throws {
    try settings.check()
    try configuration.check()
    address = try WebSocketClient.address(url)
    var settings = settings
    // Sent messages prove nothing about the server.
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
  /// with a closing handshake, within `ConnectionSettings.closeTimeout`. Call it once.
  ///
  /// - Returns: The reason why it is closed for good.
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

  /// Gets new credentials for the next attempt, if there are any.
  private func refresh(_ generation: Generation) async {
    let fresh = try? await credentials?()
    ask { $0.credentialsArrived(generation, headers: fresh) }
  }

  /// Closes for good, with a closing handshake if a socket is open; `run()` returns.
  public func stop() { ask { $0.stop() } }

  /// Connects now instead of at the next planned attempt.
  public func retry() { ask { $0.deliver(.retry) } }

  /// Reports whether the device has a network.
  public func network(isReachable: Bool) { ask { $0.deliver(.network(isReachable: isReachable)) } }

  private func ask(_ action: @escaping @Sendable (SocketDriver) -> Void) {
    loop.execute {
      if let driver = self.agent.value?.driver { action(driver) }
    }
  }

  /// Sends a message, now or when there is a connection. Its contents are kept until the server has acknowledged it, or
  /// the bounds in `ConnectionSettings.outbox` drop it (`Arrival.dropped`).
  ///
  /// - Parameter message: The message. The stream protocol is text: bytes are sent unchanged and must be UTF-8.
  /// - Returns: The number of the message, from 1.
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

  /// The arrivals, for one reader. If they are not read, the oldest are dropped and reported as an overflow. The
  /// sequence ends when the connection is closed for good.
  public var messages: AsyncStream<Arrival> { AsyncStream { [arrivals] in await arrivals.next() } }

  /// The present status and its changes; a slow reader gets only the latest. Each call returns a separate sequence.
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

  /// True if it was ever connected.
  public var hasOpened: Bool { state.withLockedValue { $0.hasOpened } }

  /// The present status.
  public var status: LiveStatus { state.withLockedValue { $0.status } }

  /// The time until the next planned attempt; nil if none is planned.
  public var untilNextTry: Interval? {
    status.nextTry.map { max(.zero, $0 - DriverClock.system.now().total) }
  }
}

// Reports of the driver, on the loop.
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
  /// Weak, since the client holds this: otherwise a client that is never run would not be released.
  weak var client: LiveClient?
  var finished: EventLoopPromise<Ended.Reason>?
  /// The requests for new credentials.
  var wish: AsyncStream<Generation>.Continuation?
  var driver: SocketDriver?

  init(_ client: LiveClient) { self.client = client }

  func didPerform(_ effect: LiveEffect, at moment: Instant) {
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
