// SPDX-License-Identifier: Apache-2.0
public import LiveCore
internal import NIOConcurrencyHelpers
public import NIOCore
internal import WebSocketProtocol

/// A message: text, or bytes.
public enum WebSocketMessage: Hashable, Sendable {
  /// A text.
  case text(String)
  /// Bytes.
  case binary(ByteBuffer)

  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.readableBytes
    }
  }
}

/// The messages that arrive on a WebSocket, each whole; the sequence ends with the connection.
///
/// For one reader. A slow reader makes the peer wait: at most `WebSocketConfiguration.inboundBufferBytes` and one
/// message are kept. `WebSocketClient.connect` returns how the connection ended.
public struct WebSocketInbound: AsyncSequence, Sendable {
  /// A message.
  public typealias Element = WebSocketMessage
  /// Nothing is thrown.
  public typealias Failure = Never

  let connection: AsyncConnection
  var maximum = Int.max

  /// The messages with a limit: a longer one closes the connection with 1009, and the sequence ends.
  ///
  /// - Parameter maxSize: The longest message in bytes; `WebSocketConfiguration.maximumMessageBytes` also applies.
  /// - Returns: The sequence of the same connection.
  public func messages(maxSize: Int) -> WebSocketInbound {
    WebSocketInbound(connection: connection, maximum: Swift.min(maximum, maxSize))
  }

  /// Reads the messages one by one.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connection, maximum: maximum) }

  /// Reads the messages one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let connection: AsyncConnection
    let maximum: Int

    /// The next message; nil when the connection is closed, or the task cancelled.
    public mutating func next() async -> WebSocketMessage? {
      guard let message = await connection.inbound.next() else { return nil }
      guard message.size <= maximum else {
        connection.close(.messageTooBig, reason: "message of more than \(maximum) bytes")
        return nil
      }
      return message
    }

    /// The next message; nil when the connection is closed, or the task cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> WebSocketMessage? { await next() }
  }
}

/// The writing side of a WebSocket.
public struct WebSocketOutbound: Sendable {
  let connection: AsyncConnection

  /// Writes a message; waits while the network accepts no more. A message that crosses the peer's close frame is lost,
  /// as on any connection.
  ///
  /// - Throws: `WebSocketError.closed` if the connection is closed or closing; `CancellationError`, and then nothing
  ///   was written.
  public func write(_ message: WebSocketMessage) async throws {
    switch message {
    case .text(let text): try await connection.write(.text(ByteBuffer(string: text)))
    case .binary(let bytes): try await connection.write(.binary(bytes))
    }
  }

  /// Sends a ping, without waiting for the pong.
  ///
  /// - Parameter payload: Up to 125 bytes; the rest is cut.
  /// - Throws: `WebSocketError.closed`, `CancellationError`.
  public func ping(_ payload: ByteBuffer = ByteBuffer()) async throws { try await connection.write(.ping(payload)) }

  /// Begins the closing handshake. Later arrivals are ignored, and nothing more can be written.
  ///
  /// - Parameters:
  ///   - code: The close code; 1000 for a normal end.
  ///   - reason: The reason in words; up to 123 bytes, the rest is cut.
  public func close(_ code: CloseCode = CloseCode(1000), reason: String = "") {
    connection.close(code, reason: reason)
  }
}

/// The properties of a connection other than its messages.
public struct WebSocketContext: Sendable {
  /// The address of the peer; nil if the system does not know it.
  public let remoteAddress: SocketAddress?
  /// The subprotocol that both ends agreed on.
  public let subprotocol: String?
  /// Path and query of the request.
  public let path: String
}

/// One WebSocket for tasks: a bounded queue of arrivals, and waiting writes.
// Unchecked, since all variables are used on the event loop only.
final class AsyncConnection: WebSocketOwner, @unchecked Sendable {
  let loop: any EventLoop
  let inbound: InboundQueue<WebSocketMessage>
  /// The promise that succeeds with the socket when the handshake is done, and fails otherwise.
  let opened: EventLoopPromise<Void>
  let closed: EventLoopPromise<WebSocketClosure>
  private var socket: WebSocketHandler?
  private var isOver = false
  private var isDiscarding = false
  private var writers = CircularBuffer<Writer>()
  private let handover = NIOLockedValueBox(Handover())

  /// A write that waits until the channel accepts more; without a promise no task waits for it.
  private struct Writer {
    var ticket: WriteTicket?
    var message: Incoming
    var promise: EventLoopPromise<Void>?
  }

  /// The messages that tasks give to the loop without waiting, while the channel accepts more: waiting and a packet for
  /// each cost more than a small message.
  private struct Handover {
    static let maximum = 1 << 16
    var isWritable = false
    var isClosed = false
    var messages: [Incoming] = []
    var bytes = 0
  }

  init(on loop: any EventLoop, inboundBytes: Int) {
    self.loop = loop
    inbound = InboundQueue(limit: inboundBytes)
    opened = loop.makePromise()
    closed = loop.makePromise()
    inbound.onRoom { [weak self] in
      guard let self else { return }
      self.loop.execute { self.socket?.resume() }
    }
  }

  /// Sets the socket, once, on the loop.
  func use(_ socket: WebSocketHandler) { if !isOver { self.socket = socket } }

  func opened(_ socket: WebSocketHandler) {
    self.socket = socket
    handover.withLockedValue { $0.isWritable = socket.isWritable }
    opened.succeed()
  }

  func received(_ incoming: Incoming, on socket: WebSocketHandler) {
    guard !isDiscarding else { return }
    switch incoming {
    case .text(let text): add(.text(String(buffer: text)), socket)
    case .binary(let bytes): add(.binary(bytes), socket)
    case .ping, .pong, .close: break
    }
  }

  private func add(_ message: WebSocketMessage, _ socket: WebSocketHandler) {
    if inbound.add(message, size: message.size) { socket.pause() }
  }

  func becameWritable(_ socket: WebSocketHandler) {
    while socket.isWritable, let writer = writers.popFirst() { write(writer.message, writer.promise) }
    handover.withLockedValue { $0.isWritable = socket.isWritable && writers.isEmpty }
  }

  func ended(_ end: SocketEnd, of socket: WebSocketHandler) {
    isOver = true
    handover.withLockedValue { $0.isClosed = true }
    self.socket = nil
    switch end {
    case .failed(let error):
      opened.fail(error)
      closed.succeed(.broken(error.description))
    case .refused(let refusal, let address, let location):
      opened.fail(WebSocketError(refusal, by: address, location: location))
      closed.succeed(.broken("refused"))
    case .closed(let closure):
      opened.fail(CancellationError())
      closed.succeed(closure)
    }
    inbound.finish()
    while let writer = writers.popFirst() { writer.promise?.fail(Self.isClosed) }
  }

  private static let isClosed = WebSocketError(
    .closed, "the WebSocket is closed; nothing can be written any more, the closure says why.")

  private func write(_ message: Incoming, _ promise: EventLoopPromise<Void>?) {
    if socket?.send(message) == true { promise?.succeed() } else { promise?.fail(Self.isClosed) }
  }
}

// Requests of tasks, on any thread.
extension AsyncConnection {
  /// The facts of the connection; on the loop.
  func context(path: String) -> WebSocketContext {
    WebSocketContext(remoteAddress: socket?.remoteAddress, subprotocol: socket?.subprotocol, path: path)
  }

  func write(_ message: Incoming) async throws {
    try Task.checkCancellation()
    let size = message.size
    let index = handover.withLockedValue { state -> Int? in
      guard state.isWritable, !state.isClosed, state.bytes < Handover.maximum else { return nil }
      state.bytes += size
      state.messages.append(message)
      return state.messages.count
    }
    if let index {
      if index == 1 { loop.execute { self.takeOver() } }
      return
    }
    let promise = loop.makePromise(of: Void.self)
    let ticket = WriteTicket()
    try await withTaskCancellationHandler {
      loop.execute { self.queue(message, promise, ticket) }
      try await promise.futureResult.get()
    } onCancel: {
      loop.execute { self.cancel(ticket) }
    }
  }

  private func takeOver() {
    let messages = handover.withLockedValue { state in
      defer { (state.messages, state.bytes) = ([], 0) }
      return state.messages
    }
    let write = { for message in messages { self.queue(message, nil, nil) } }
    if let socket { socket.burst(write) } else { write() }
    let isWritable = (socket?.isWritable ?? false) && writers.isEmpty
    handover.withLockedValue { $0.isWritable = isWritable }
  }

  private func queue(_ message: Incoming, _ promise: EventLoopPromise<Void>?, _ ticket: WriteTicket?) {
    if let ticket, ticket.isCancelled {
      promise?.fail(CancellationError())
      return
    }
    if let socket, socket.phase == .open, !socket.isWritable || !writers.isEmpty {
      writers.append(Writer(ticket: ticket, message: message, promise: promise))
    } else {
      write(message, promise)
    }
  }

  private func cancel(_ ticket: WriteTicket) {
    ticket.isCancelled = true
    guard let index = writers.firstIndex(where: { $0.ticket === ticket }) else { return }
    writers.remove(at: index).promise?.fail(CancellationError())
  }

  func close(_ code: CloseCode, reason: String = "") {
    handover.withLockedValue { $0.isClosed = true }
    loop.execute {
      self.isDiscarding = true
      self.inbound.finish()
      self.socket?.close(code, reason: reason)
      self.socket?.resume()
      while let writer = self.writers.popFirst() { writer.promise?.fail(Self.isClosed) }
    }
  }

  /// Drops the connection at once.
  func abort() {
    handover.withLockedValue { $0.isClosed = true }
    loop.execute {
      self.isDiscarding = true
      self.socket?.abort()
      self.socket?.resume()
    }
  }
}

extension Incoming {
  fileprivate var size: Int {
    switch self {
    case .text(let payload), .binary(let payload), .ping(let payload), .pong(let payload): payload.readableBytes
    case .close: 0
    }
  }
}

/// The identity of a waiting write.
// Unchecked, since it is used on the event loop only.
private final class WriteTicket: @unchecked Sendable {
  var isCancelled = false
}

/// A queue of unread arrivals from an event loop to one reader. When full it reports that, so that its writer stops; or
/// it drops the oldest and reports their number.
final class InboundQueue<Element: Sendable>: Sendable {
  private struct State {
    var held = CircularBuffer<(element: Element, size: Int)>()
    var bytes = 0
    var lost = 0
    var isFull = false
    var isFinished = false
    var reader: CheckedContinuation<Element?, Never>?
    var hasRoom: (@Sendable () -> Void)?
  }

  private let state = NIOLockedValueBox(State())
  private let limit: Int
  private let loss: (@Sendable (Int) -> Element)?

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - limit: The number of bytes from which on it is full.
  ///   - loss: The element in place of a number of dropped ones; nil drops none.
  init(limit: Int, loss: (@Sendable (Int) -> Element)? = nil) { (self.limit, self.loss) = (limit, loss) }

  /// Sets the action to run when reading has made room again. It must not use the queue.
  func onRoom(_ action: @escaping @Sendable () -> Void) { state.withLockedValue { $0.hasRoom = action } }

  /// Adds an element.
  ///
  /// - Returns: Whether it is full now, so that no more should be added before there is room.
  @discardableResult
  func add(_ element: Element, size: Int) -> Bool {
    let (reader, isFull) = state.withLockedValue { state -> (CheckedContinuation<Element?, Never>?, Bool) in
      guard !state.isFinished else { return (nil, false) }
      if let reader = state.reader {
        state.reader = nil
        return (reader, false)
      }
      state.held.append((element, size))
      state.bytes += size
      if loss != nil {
        while state.bytes > limit, state.held.count > 1, let oldest = state.held.popFirst() {
          state.bytes -= oldest.size
          state.lost += 1
        }
      }
      state.isFull = state.bytes >= limit
      return (nil, state.isFull)
    }
    reader?.resume(returning: element)
    return isFull
  }

  /// Ends the queue; the elements in it can still be read.
  func finish() {
    let reader = state.withLockedValue { state in
      state.isFinished = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// The next element; nil at the end, and when the task is cancelled.
  func next() async -> Element? {
    // An available element is taken without the cost of a continuation.
    if let element = state.withLockedValue(ready) { return element }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        if let element = state.withLockedValue({ state in take(&state, reader) }) { reader.resume(returning: element) }
      }
    } onCancel: {
      let reader = state.withLockedValue { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }

  private func ready(_ state: inout State) -> Element? {
    if state.lost > 0, let loss {
      defer { state.lost = 0 }
      return loss(state.lost)
    }
    guard let (element, size) = state.held.popFirst() else { return nil }
    state.bytes -= size
    if state.isFull, state.bytes <= limit / 2 {
      state.isFull = false
      state.hasRoom?()
    }
    return element
  }

  /// The element for the reader, or nil at the end; no value if the reader has to wait.
  private func take(_ state: inout State, _ reader: CheckedContinuation<Element?, Never>) -> Element?? {
    if let element = ready(&state) { return element }
    // A second reader would wait for ever.
    if state.isFinished || state.reader != nil || Task.isCancelled { return .some(nil) }
    state.reader = reader
    return nil
  }
}
