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
/// For one reader. Who reads slowly makes the peer wait: no more than `WebSocketConfiguration.inboundBufferBytes` and
/// one message are kept. How the connection ended is what `WebSocketClient.connect` returns.
public struct WebSocketInbound: AsyncSequence, Sendable {
  /// A message.
  public typealias Element = WebSocketMessage
  /// Nothing is thrown.
  public typealias Failure = Never

  let connection: AsyncConnection
  var maximum = Int.max

  /// The same messages, but one longer than that closes the connection with 1009, and the sequence ends.
  ///
  /// - Parameter maxSize: The longest message in bytes; `WebSocketConfiguration.maximumMessageBytes` holds as well.
  /// - Returns: The sequence, of the same connection.
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

  /// Writes a message; waits while the network takes no more. One that the peer's close crosses on its way is lost, as
  /// on any connection.
  ///
  /// - Throws: `WebSocketError.closed` when the connection is closed or closing; `CancellationError`, and then nothing
  ///   was written.
  public func write(_ message: WebSocketMessage) async throws {
    switch message {
    case .text(let text): try await connection.write(.text(ByteBuffer(string: text)))
    case .binary(let bytes): try await connection.write(.binary(bytes))
    }
  }

  /// Sends a ping, whose pong nobody need wait for.
  ///
  /// - Parameter payload: Up to 125 bytes; the rest is cut.
  /// - Throws: `WebSocketError.closed`, `CancellationError`.
  public func ping(_ payload: ByteBuffer = ByteBuffer()) async throws { try await connection.write(.ping(payload)) }

  /// Begins the closing handshake. What arrives from now on is left, and nothing more can be written.
  ///
  /// - Parameters:
  ///   - code: Why: 1000 for done.
  ///   - reason: In words; up to 123 bytes, the rest is cut.
  public func close(_ code: CloseCode = CloseCode(1000), reason: String = "") {
    connection.close(code, reason: reason)
  }
}

/// The facts of a connection besides its messages.
public struct WebSocketContext: Sendable {
  /// The address of the peer; nil where the system does not say.
  public let remoteAddress: SocketAddress?
  /// The subprotocol that both ends agreed on.
  public let subprotocol: String?
  /// Path and query of the request.
  public let path: String
}

/// One WebSocket as tasks see it: a bounded queue of what arrived, and writes that wait.
// Unchecked, since all but its constants is touched on the event loop alone.
final class AsyncConnection: WebSocketOwner, @unchecked Sendable {
  let loop: any EventLoop
  let inbound: InboundQueue<WebSocketMessage>
  /// Succeeds with the socket when the handshake is done, and fails where it is not.
  let opened: EventLoopPromise<Void>
  let closed: EventLoopPromise<WebSocketClosure>
  private var socket: WebSocketHandler?
  private var isOver = false
  private var isDiscarding = false
  private var writers = CircularBuffer<Writer>()
  private let handover = NIOLockedValueBox(Handover())

  /// A write that waits until the channel takes more; nobody waits for it where it has no promise.
  private struct Writer {
    var ticket: WriteTicket?
    var message: Incoming
    var promise: EventLoopPromise<Void>?
  }

  /// The packets that tasks hand to the loop without waiting for it, while the channel takes more: waiting, and a
  /// packet for each, cost more than a small message.
  private struct Handover {
    static let most = 1 << 16
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

  /// The socket, once: on the loop.
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
    case .refused(let refusal, let address, _):
      opened.fail(WebSocketError(refusal, by: address))
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

// What tasks ask for, on whatever thread.
extension AsyncConnection {
  /// The facts of the connection; on the loop.
  func context(path: String) -> WebSocketContext {
    WebSocketContext(remoteAddress: socket?.remoteAddress, subprotocol: socket?.subprotocol, path: path)
  }

  func write(_ message: Incoming) async throws {
    try Task.checkCancellation()
    let size = message.size
    let place = handover.withLockedValue { state -> Int? in
      guard state.isWritable, !state.isClosed, state.bytes < Handover.most else { return nil }
      state.bytes += size
      state.messages.append(message)
      return state.messages.count
    }
    if let place {
      if place == 1 { loop.execute { self.takeOver() } }
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
    guard let place = writers.firstIndex(where: { $0.ticket === ticket }) else { return }
    writers.remove(at: place).promise?.fail(CancellationError())
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

/// By what a write that waits is known.
// Unchecked, since it is touched on the event loop alone.
private final class WriteTicket: @unchecked Sendable {
  var isCancelled = false
}

/// The arrivals that were not read yet: from an event loop to one reader. It reports when it is full, and who fills it
/// stops; or it drops the oldest and says how many.
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
  ///   - limit: How many bytes are many.
  ///   - loss: What is read in place of so many that were dropped; nil drops none.
  init(limit: Int, loss: (@Sendable (Int) -> Element)? = nil) { (self.limit, self.loss) = (limit, loss) }

  /// Sets the action for when a reader has taken so much that there is room again. It must not use the queue.
  func onRoom(_ action: @escaping @Sendable () -> Void) { state.withLockedValue { $0.hasRoom = action } }

  /// Adds an element.
  ///
  /// - Returns: Whether it is full now, so that nothing more should come before there is room.
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

  /// Nothing more comes; what is there can still be read.
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
    // What is there is taken without the cost of being able to wait.
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

  /// The element that the reader gets now, nil for the end; nothing where it has to wait.
  private func take(_ state: inout State, _ reader: CheckedContinuation<Element?, Never>) -> Element?? {
    if let element = ready(&state) { return element }
    // A second reader would wait for ever.
    if state.isFinished || state.reader != nil || Task.isCancelled { return .some(nil) }
    state.reader = reader
    return nil
  }
}
