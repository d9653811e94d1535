// SPDX-License-Identifier: Apache-2.0
public import Logging
internal import LiveCore
public import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// A WebSocket server that runs a handler for each connection; none outlives `run`.
public struct WebSocketServer: Sendable {
  private let configuration: WebSocketServerConfiguration
  private let logger: Logger?

  /// Creates a server that does not listen yet.
  ///
  /// - Parameters:
  ///   - configuration: Its address, and the limits for its peers.
  ///   - logger: Gets the server's events, at the level debug.
  public init(_ configuration: WebSocketServerConfiguration = WebSocketServerConfiguration(), logger: Logger? = nil) {
    (self.configuration, self.logger) = (configuration, logger)
  }

  /// Listens, and runs the handler for every connection, until the task is cancelled. Then every connection is closed
  /// with 1001, and those whose peers do not answer within the close timeout are dropped.
  ///
  /// - Parameters:
  ///   - listening: Called once the server listens, with the address and the port in use.
  ///   - handler: Uses a connection, which is closed when the handler ends: with 1000, or 1011 if it throws.
  /// - Throws: `WebSocketError` if it cannot listen, or a certificate cannot be used.
  public func run(
    listening: @escaping @Sendable (SocketAddress) -> Void = { _ in },
    handler: @escaping @Sendable (WebSocketInbound, WebSocketOutbound, WebSocketContext) async throws -> Void
  ) async throws {
    let (arrivals, arrive) = AsyncStream.makeStream(of: (AsyncConnection, path: String).self)
    let inboundBytes = configuration.connection.inboundBufferBytes
    let server = try SocketServer(configuration, on: MultiThreadedEventLoopGroup.singleton) { request, socket in
      guard let loop = socket.eventLoop else { return .reset }
      let connection = AsyncConnection(on: loop, inboundBytes: inboundBytes)
      arrive.yield((connection, path: request.path))
      return .accept(connection)
    }
    let address = try await server.listen()
    listening(address)
    logger?.debug("listening", metadata: ["address": "\(address)"])
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await (connection, path) in arrivals {
          group.addTask { await serve(connection, path: path, handler) }
        }
        // The handlers are cancelled with this task and close their connections; this call waits for the sockets.
        await server.close()
      }
    } onCancel: {
      arrive.finish()
    }
    await server.close()
  }

  private func serve(
    _ connection: AsyncConnection, path: String,
    _ handler: @Sendable (WebSocketInbound, WebSocketOutbound, WebSocketContext) async throws -> Void
  ) async {
    do {
      try await connection.isOpen()
      let closure = try await connection.run(path: path, handler)
      logger?.debug("closed", metadata: ["code": "\(closure.code.value)", "reason": "\(closure.reason)"])
    } catch {
      logger?.debug("a connection ended with an error", metadata: ["error": "\(error)"])
    }
  }
}
