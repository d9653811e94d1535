// SPDX-License-Identifier: Apache-2.0
public import Logging
internal import LiveCore
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// A WebSocket client: one connection while a closure runs.
public enum WebSocketClient {
  /// Opens a WebSocket, and closes it when the closure returns.
  ///
  ///     let closure = try await WebSocketClient.connect(url: "wss://example.org/scores") { inbound, outbound, _ in
  ///       try await outbound.write(.text("hello"))
  ///       for await message in inbound { print(message) }
  ///     }
  ///
  /// Nothing outlives the call: when it returns the socket is closed. When the closure returns, the connection is
  /// closed with 1000, when it throws with 1011, and when the task is cancelled with 1001; the peer has
  /// `WebSocketConfiguration.closeTimeout` to answer, then the socket is dropped.
  ///
  /// - Parameters:
  ///   - url: `ws://host:port/path?query` or `wss://…`.
  ///   - configuration: Limits, times, header fields, trust roots.
  ///   - logger: Gets the connection's events, at the level debug.
  ///   - handler: Uses the connection. It should return when `inbound` ends.
  /// - Returns: The closure of the connection: its origin, code and reason.
  /// - Throws: `WebSocketError` if it cannot be opened; the errors of the closure; `CancellationError` when cancelled
  ///   before it was open.
  public static func connect(
    url: String, configuration: WebSocketConfiguration = WebSocketConfiguration(), logger: Logger? = nil,
    handler: (WebSocketInbound, WebSocketOutbound, WebSocketContext) async throws -> Void
  ) async throws -> WebSocketClosure {
    try configuration.check()
    let address = try address(url)
    let tls = address.isSecure ? try configuration.clientTLS() : nil
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let connection = AsyncConnection(on: loop, inboundBytes: configuration.inboundBufferBytes)
    loop.execute {
      connection.use(
        WebSocketHandler.dial(address, on: loop, configuration: configuration, tls: tls, owner: connection))
    }
    logger?.debug("connecting", metadata: ["address": "\(address)"])
    try await connection.isOpen()
    logger?.debug("connected", metadata: ["address": "\(address)"])
    let closure = try await connection.run(path: address.path, handler)
    logger?.debug(
      "closed", metadata: ["address": "\(address)", "code": "\(closure.code.value)", "reason": "\(closure.reason)"])
    return closure
  }

  static func address(_ url: String) throws(WebSocketError) -> WebSocketAddress {
    do {
      return try WebSocketAddress(parsing: url)
    } catch {
      throw WebSocketError(.badAddress, "\(error).")
    }
  }
}

extension AsyncConnection {
  /// Waits until the handshake is done; a cancelled task drops the attempt.
  func isOpen() async throws {
    do {
      try await withTaskCancellationHandler {
        try await opened.futureResult.get()
      } onCancel: {
        abort()
      }
    } catch {
      _ = try? await closed.futureResult.get()
      throw error
    }
  }

  /// Runs a handler, then closes, and waits until the socket is gone.
  func run(
    path: String, _ handler: (WebSocketInbound, WebSocketOutbound, WebSocketContext) async throws -> Void
  ) async throws -> WebSocketClosure {
    let context = try await loop.submit { self.context(path: path) }.get()
    var failure: (any Error)?
    do {
      try await withTaskCancellationHandler {
        try await handler(WebSocketInbound(connection: self), WebSocketOutbound(connection: self), context)
      } onCancel: {
        close(.goingAway)
      }
    } catch {
      failure = error
    }
    close(failure == nil ? .normalClosure : .internalError)
    // The close timeout bounds this wait, also for a task that is cancelled.
    let closure = try await closed.futureResult.get()
    if let failure, !(failure is CancellationError) { throw failure }
    return closure
  }
}
