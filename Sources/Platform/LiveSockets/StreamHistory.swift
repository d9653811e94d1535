// SPDX-License-Identifier: Apache-2.0
package import LiveCore
internal import NIOConcurrencyHelpers
package import NIOCore
internal import WebSocketProtocol

/// The server's side of the stream protocol: a stream of numbered messages, of which the last are kept for clients that
/// reconnect.
///
/// It outlives the server that publishes it, so that a restarted server loses nothing. Each reader has its place in the
/// stream and gets messages as fast as it can receive: a slow one costs no memory, and gets a gap for messages that are
/// not kept any more.
package final class StreamHistory: Sendable {
  private struct State {
    var end: StreamPosition
    var kept = CircularBuffer<ByteBuffer>()
    var readers: [ObjectIdentifier: NIOLoopBound<StreamReader>] = [:]
  }

  private let state: NIOLockedValueBox<State>
  private let limit: Int

  /// An empty stream.
  ///
  /// - Parameters:
  ///   - epoch: The number of the stream's life: a new one after its messages are lost.
  ///   - limit: The number of messages to keep.
  package init(epoch: UInt32 = 1, limit: Int = 1_000) {
    state = NIOLockedValueBox(State(end: StreamPosition(epoch: epoch, offset: 0)))
    self.limit = max(0, limit)
  }

  /// The place of the last message.
  package var end: StreamPosition { state.withLockedValue { $0.end } }

  /// Appends a message to the stream and sends it to all readers that can receive it.
  ///
  /// - Returns: Its place.
  @discardableResult
  package func publish(_ payload: ByteBuffer) -> StreamPosition {
    state.withLockedValue { state in
      state.end = StreamPosition(epoch: state.end.epoch, offset: state.end.offset + 1)
      state.kept.append(payload)
      if state.kept.count > max(1, limit) { state.kept.removeFirst() }
      for reader in state.readers.values { reader.eventLoop.execute { reader.value.send() } }
      return state.end
    }
  }

  /// An event of a connection that reads the stream.
  package enum Event: Sendable {
    /// It resumes the stream after a position.
    case resumed(StreamPosition)
    /// A message of the client arrived, for the first time or again.
    case took(MessageNumber)
    case ended
  }

  /// The owner of a connection that reads this stream; create it on the connection's loop, on which `report` is called.
  package func reader(_ report: @escaping (Event) -> Void = { _ in }) -> any WebSocketOwner {
    StreamReader(self, report)
  }

  /// Begins to send to a reader.
  ///
  /// - Returns: The place after which it begins: the requested one if all later messages are kept, else the one before
  ///   the first kept message.
  fileprivate func begin(_ reader: StreamReader, after wish: StreamPosition?, on loop: any EventLoop) -> StreamPosition
  {
    state.withLockedValue { state in
      state.readers[ObjectIdentifier(reader)] = NIOLoopBound(reader, eventLoop: loop)
      guard let wish else { return state.end }
      let first = StreamPosition(
        epoch: state.end.epoch, offset: state.end.offset - UInt64(min(state.kept.count, limit)))
      guard wish.epoch == state.end.epoch, wish.offset <= state.end.offset else { return first }
      return StreamPosition(epoch: wish.epoch, offset: max(wish.offset, first.offset))
    }
  }

  fileprivate func end(_ reader: StreamReader) {
    _ = state.withLockedValue { $0.readers.removeValue(forKey: ObjectIdentifier(reader)) }
  }

  /// The message after a place, or the first kept one.
  fileprivate func next(after position: StreamPosition) -> (StreamPosition, ByteBuffer)? {
    state.withLockedValue { state in
      let behind = state.end.offset > position.offset ? state.end.offset - position.offset : 0
      let count = Int(min(behind, UInt64(state.kept.count)))
      guard count > 0 else { return nil }
      let message = state.kept[state.kept.index(state.kept.endIndex, offsetBy: -count)]
      return (StreamPosition(epoch: state.end.epoch, offset: state.end.offset - UInt64(count) + 1), message)
    }
  }
}

/// One connection that reads a stream.
private final class StreamReader: WebSocketOwner {
  private let history: StreamHistory
  private let report: (StreamHistory.Event) -> Void
  private var socket: WebSocketHandler?
  /// The last place that was sent; nil before the client has named its place.
  private var sent: StreamPosition?

  init(_ history: StreamHistory, _ report: @escaping (StreamHistory.Event) -> Void) {
    (self.history, self.report) = (history, report)
  }

  func opened(_ socket: WebSocketHandler) { self.socket = socket }

  func received(_ incoming: Incoming, on socket: WebSocketHandler) {
    switch incoming {
    case .text(let text):
      switch StreamMessage(text) {
      case .resume(let wish): resume(after: wish, on: socket)
      case .send(let number, _):
        report(.took(number))
        say(.acknowledged(through: number), on: socket)
      case .resumed, .message, .acknowledged, nil:
        socket.close(CloseCode(1007), reason: "expected 'resume PLACE' or 'send NUMBER TEXT'")
      }
    case .binary: socket.close(CloseCode(1003), reason: "the stream protocol is text")
    case .ping, .pong, .close: break
    }
  }

  private func resume(after wish: StreamPosition?, on socket: WebSocketHandler) {
    guard sent == nil, let loop = socket.eventLoop else {
      return socket.close(CloseCode(1002), reason: "the stream is resumed already")
    }
    report(.resumed(history.end))
    let start = history.begin(self, after: wish, on: loop)
    sent = start
    say(.resumed(after: start), on: socket)
    send()
  }

  /// Sends messages as long as the peer can receive.
  func send() {
    while let socket, socket.isWritable, let position = sent, let (next, payload) = history.next(after: position) {
      sent = next
      say(.message(next, payload), on: socket)
    }
  }

  func becameWritable(_ socket: WebSocketHandler) { send() }

  func ended(_ end: SocketEnd, of socket: WebSocketHandler) {
    self.socket = nil
    report(.ended)
    history.end(self)
  }

  private func say(_ message: StreamMessage, on socket: WebSocketHandler) {
    var text = ByteBuffer()
    message.write(into: &text)
    socket.send(.text(text))
  }
}
