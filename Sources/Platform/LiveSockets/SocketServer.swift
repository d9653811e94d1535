// SPDX-License-Identifier: Apache-2.0
package import LiveCore
internal import NIOConcurrencyHelpers
package import NIOCore
internal import NIOPosix
internal import NIOSSL
package import WebSocketProtocol

/// A WebSocket server at the level of event loops: it accepts connections, bounds their resources, and gives each to an
/// owner on its loop, without a task for each.
package final class SocketServer: Sendable {
  package struct Counts: Hashable, Sendable {
    /// Connections accepted by the kernel.
    package var accepted = 0
    /// Handshakes that were answered by 101.
    package var opened = 0
    /// Connections that are open or in their handshake.
    package var present = 0
  }

  /// Decides on an opening request; called on the connection's loop.
  package typealias Decide = @Sendable (OpeningRequest, WebSocketHandler) -> HandshakeAnswer

  private let configuration: WebSocketServerConfiguration
  private let group: any EventLoopGroup
  private let decide: Decide
  private let tls: NIOSSLContext?
  private let state = NIOLockedValueBox(State())

  private struct State {
    var counts = Counts()
    var listener: (any Channel)?
    var connections: [ObjectIdentifier: NIOLoopBound<WebSocketHandler>] = [:]
    var isClosing = false
    /// The promise that succeeds when the last connection is gone.
    var emptied: EventLoopPromise<Void>?
  }

  /// Creates a server that does not listen yet.
  ///
  /// - Parameters:
  ///   - configuration: Its address, and the limits for its peers.
  ///   - group: The loops for the connections.
  ///   - decide: The decision on each opening request.
  /// - Throws: `WebSocketError` for invalid settings, and certificates that cannot be used.
  package init(
    _ configuration: WebSocketServerConfiguration, on group: any EventLoopGroup, decide: @escaping Decide
  ) throws(WebSocketError) {
    try configuration.check()
    (self.configuration, self.group, self.decide) = (configuration, group, decide)
    tls = try configuration.certificate.map { certificate throws(WebSocketError) in try certificate.context() }
  }

  package var counts: Counts { state.withLockedValue { $0.counts } }

  /// Begins to listen.
  ///
  /// - Returns: The address, with the port that was chosen for 0.
  /// - Throws: `WebSocketError` if the port is in use or the address is not of this machine.
  package func listen() async throws(WebSocketError) -> SocketAddress {
    let index = configuration.index
    do {
      let channel = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
      let isClosing = state.withLockedValue { state in
        state.listener = channel
        return state.isClosing
      }
      if isClosing { try await channel.close() }
      guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
      return address
    } catch {
      throw WebSocketError(listening: error, on: index)
    }
  }

  /// Stops listening and closes every connection with that code; peers that do not answer within the close timeout are
  /// dropped. Returns when all are gone.
  package func close(_ code: CloseCode = CloseCode(1001)) async {
    await end { socket in
      if socket.phase == .opening { socket.abort() } else { socket.close(code) }
    }
  }

  /// Stops listening and drops every connection at once by a reset, like a failing machine.
  package func drop() async { await end { $0.abort() } }

  /// Stops listening, ends every connection, and waits until none is left.
  private func end(_ endOne: @escaping @Sendable (WebSocketHandler) -> Void) async {
    let (listener, connections) = state.withLockedValue { state in
      state.isClosing = true
      defer { state.listener = nil }
      return (state.listener, Array(state.connections.values))
    }
    try? await listener?.close()
    for connection in connections { connection.eventLoop.execute { endOne(connection.value) } }
    let emptied = state.withLockedValue { state -> EventLoopFuture<Void>? in
      guard state.counts.present > 0 else { return nil }
      let promise = state.emptied ?? group.any().makePromise(of: Void.self)
      state.emptied = promise
      return promise.futureResult
    }
    try? await emptied?.get()
  }

  private var bootstrap: ServerBootstrap {
    ServerBootstrap(group: group).serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false).childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in self.accepted(channel) }
  }

  private func accepted(_ channel: any Channel) -> EventLoopFuture<Void> {
    let secure = tls.map { NIOSSLServerHandler(context: $0) }
    let socket = WebSocketHandler(
      .server { request, socket in self.decided(request, socket) }, configuration.connection, owner: nil, tls: secure)
    let bound = NIOLoopBound(socket, eventLoop: channel.eventLoop)
    let identity = ObjectIdentifier(channel)
    let isWelcome = state.withLockedValue { state in
      state.counts.accepted += 1
      guard state.counts.present < configuration.maximumConnections, !state.isClosing else {
        return false
      }
      state.counts.present += 1
      state.connections[identity] = bound
      return true
    }
    guard isWelcome else {
      channel.close(promise: nil)
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    channel.closeFuture.whenComplete { _ in self.left(identity) }
    do {
      if let secure { try channel.pipeline.syncOperations.addHandler(secure) }
      try channel.pipeline.syncOperations.addHandler(socket)
      return channel.eventLoop.makeSucceededVoidFuture()
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
  }

  private func decided(_ request: OpeningRequest, _ socket: WebSocketHandler) -> HandshakeAnswer {
    let isClosing = state.withLockedValue { $0.isClosing }
    guard !isClosing else { return .refuse(status: 503) }
    let answer = decide(request, socket)
    if case .accept = answer { state.withLockedValue { $0.counts.opened += 1 } }
    return answer
  }

  private func left(_ identity: ObjectIdentifier) {
    let emptied = state.withLockedValue { state -> EventLoopPromise<Void>? in
      state.connections[identity] = nil
      state.counts.present -= 1
      guard state.counts.present == 0 else { return nil }
      defer { state.emptied = nil }
      return state.emptied
    }
    emptied?.succeed()
  }
}

extension SocketAddress {
  /// The address and the port as text: `127.0.0.1:9000`, `[::1]:9000`.
  package var text: String { WebSocketServerConfiguration.index(ipAddress ?? "127.0.0.1", port ?? 0) }
}

/// The owner of a connection that returns its messages unchanged. While the peer reads none, none are read.
package final class EchoOwner: WebSocketOwner {
  package init() {}

  package func received(_ incoming: Incoming, on socket: WebSocketHandler) {
    switch incoming {
    case .text, .binary: socket.send(incoming)
    case .ping, .pong, .close: return
    }
    if !socket.isWritable { socket.pause() }
  }

  package func becameWritable(_ socket: WebSocketHandler) { socket.resume() }
}

/// The address of a server, and the limits for its peers.
public struct WebSocketServerConfiguration: Sendable {
  /// The name or address to listen on: by default loopback only; `0.0.0.0` or `::` for all.
  public var host = "127.0.0.1"
  /// The port; 0 for any free one.
  public var port = 0
  /// The certificate of the server, for TLS; nil for plain TCP.
  public var certificate: ServerCertificate?
  /// The most connections at a time, including those in their handshake; more are closed at once.
  public var maximumConnections = 10_000
  /// The limits of one connection: bytes of a handshake and a message, times, compression, keep-alive.
  public var connection = WebSocketConfiguration()

  /// The recommended settings: a silent peer is pinged after half a minute.
  public init() { connection.keepAlive = .seconds(30) }

  var index: String { Self.index(host, port) }

  fileprivate static func index(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Throws a `WebSocketError` for the first invalid setting.
  public func check() throws(WebSocketError) {
    try WebSocketConfiguration.bound(port, 0...65_535, "port")
    try WebSocketConfiguration.bound(maximumConnections, 1...10_000_000, "maximumConnections")
    try connection.check()
  }
}
