// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import NIOCore
internal import WebSocketProtocol

/// Inspects a connection that may be a WebSocket, at the server's side: the client's data as they arrive, the server's
/// as they are sent.
///
/// A stream that does not begin as an HTTP request, or continues as another protocol, is relayed unchanged. The head of
/// a request is held until it is complete, so that a fault can answer it in the server's place; frames are passed on as
/// they arrive.
final class WebSocketInspector {
  /// The faults that depend on the protocol of a stream.
  static let kinds: Set<Fault.Kind> = [
    .close, .garbage, .enormousFrame, .captivePortal, .refusal, .redirect, .shedding, .acceptThenClose, .latePongs,
    .noPongs, .restart, .busyCut, .wrongAcceptKey, .earlyGarbage,
  ]

  private enum Stage { case request, answer, frames, opaque }

  /// Data to insert between two frames of the server.
  private enum Insertion {
    case frame(ByteBuffer)
    case enormous(Int64)
    case close(CloseCode, later: Int64)
  }

  private unowned let relay: Relay
  private let core: ProxyCore
  private var stage = Stage.request
  /// The bytes of an incomplete head; the reader keeps how many of them it has read.
  private var head = ByteBuffer()
  private var unread = ByteBuffer()
  private var requests = OpeningRequest.Reader()
  private var answers = OpeningResponse.Reader()
  private var request: OpeningRequest?
  private var up = FrameCursor()
  private var down = FrameCursor()
  private var insertions: [Insertion] = []
  private var latePongs: [(due: Int64, frame: ByteBuffer)] = []
  // Their effects may end the connection, so the relay is kept alive until they return.
  private lazy var pongs = Alarm { [weak self] in if let self { withExtendedLifetime(relay) { self.sendLatePongs() } } }
  private lazy var tooLate = Alarm { [weak self] in if let self { withExtendedLifetime(relay) { self.relay.reset() } } }

  init(_ relay: Relay) { (self.relay, core) = (relay, relay.core) }

  /// True if it is a WebSocket with a finished handshake.
  var isOpen: Bool { stage == .frames }
  /// True if it may become one.
  var isOpening: Bool { stage == .request || stage == .answer }

  func stop() {
    core.timers.cancel(pongs)
    core.timers.cancel(tooLate)
    stage = .opaque
  }

}

// MARK: The handshake

extension WebSocketInspector {
  func clientSent(_ bytes: ByteBuffer) {
    switch stage {
    case .request: readRequest(bytes)
    case .frames:
      relay.forward(bytes)
      countMessages(bytes)
    case .answer, .opaque: relay.forward(bytes)
    }
  }

  private func readRequest(_ bytes: ByteBuffer) {
    if head.readableBytes == 0 {
      core.timers.set(tooLate, at: core.timers.now &+ core.plan.bounds.timeToRequest.nanoseconds)
    }
    head.writeImmutableBuffer(bytes)
    unread.writeImmutableBuffer(bytes)
    guard Self.mayBeHTTP(head) else { return becomeOpaque(relay.forward) }
    do throws(OpeningRequest.Rejection) {
      guard let request = try requests.read(from: &unread) else { return }
      if answer(request) { return }
      self.request = request
      stage = .answer
      forwardHead()
    } catch {
      // A request for something other than a WebSocket, or no request.
      if error.status != 400, error.status != 431, answer(nil) { return }
      becomeOpaque(relay.forward)
    }
  }

  private func forwardHead() {
    core.timers.cancel(tooLate)
    relay.forward(head)
    (head, unread) = (ByteBuffer(), ByteBuffer())
  }

  private func becomeOpaque(_ pass: (ByteBuffer) -> Void) {
    stop()
    let bytes = head
    (head, unread) = (ByteBuffer(), ByteBuffer())
    if bytes.readableBytes > 0 { pass(bytes) }
  }

  /// Returns true if bytes may be the beginning of a request: a method in capitals, and HTTP/1 at the end of the first
  /// line.
  private static func mayBeHTTP(_ bytes: ByteBuffer) -> Bool {
    let view = bytes.readableBytesView
    let method = view.prefix(while: { 0x41...0x5A ~= $0 })
    guard method.count <= 16, method.endIndex == view.endIndex || !method.isEmpty && view[method.endIndex] == 0x20
    else { return false }
    guard let end = view.firstIndex(of: 0x0A) else { return true }
    return String(decoding: view[..<end], as: UTF8.self).contains(" HTTP/1.")
  }

  /// Answers a request in the server's place if a fault requires it; nil is a request that is not for a WebSocket.
  private func answer(_ request: OpeningRequest?) -> Bool {
    let conditions = relay.conditions(.up)
    if let (kind, answer) = refusal(of: request, conditions) {
      core.note(kind)
      var bytes = ByteBuffer()
      answer.write(into: &bytes)
      relay.play(bytes)
      return true
    }
    guard let request, let fault = conditions.acceptThenClose, core.isLeft(.acceptThenClose), !fault.resumes else {
      return false
    }
    core.note(.acceptThenClose)
    var bytes = ByteBuffer()
    OpeningResponse(accepting: request, Agreement(subprotocol: request.subprotocols.first)).write(into: &bytes)
    relay.serverCloses(fault.code, later: fault.after, after: bytes)
    return true
  }

  private func refusal(
    of request: OpeningRequest?, _ conditions: Conditions
  ) -> (Fault.Kind, OpeningResponse)? {
    if conditions.isCaptive, core.isLeft(.captivePortal) {
      let page = "<html><body>Log in to use this network.</body></html>\n"
      return (.captivePortal, .closing(200, [("Content-Type", "text/html")], body: page))
    }
    if let refusal = conditions.refusal, core.isLeft(.refusal) {
      return (.refusal, .closing(refusal.status, Self.comingBack(after: refusal.retryAfter)))
    }
    if let redirect = conditions.redirect, core.isLeft(.redirect) {
      let address = "\(request?.host ?? "localhost")\(request?.path ?? "/")"
      let location =
        switch redirect {
        case .secure: "wss://\(address)"
        case .plain: "ws://\(address)"
        default: "mailto:nobody@localhost"
        }
      return (.redirect, .closing(307, [("Location", location)]))
    }
    if let shedding = conditions.shedding, core.isLeft(.shedding),
      relay.draws?.attempt.random.happens(shedding.share) ?? false
    {
      return (.shedding, .closing(503, Self.comingBack(after: shedding.retryAfter)))
    }
    return nil
  }

  private static func comingBack(after wait: Interval?) -> [(String, String)] {
    // Whole seconds, rounded up.
    wait.map { [("Retry-After", "\(($0.nanoseconds &+ 999_999_999) / 1_000_000_000)")] } ?? []
  }

  func serverSent(_ bytes: ByteBuffer) {
    switch stage {
    // A server that speaks first does not use HTTP.
    case .request:
      becomeOpaque(relay.forward)
      relay.down.carry(bytes)
    case .answer: readAnswer(bytes)
    case .frames: pass(bytes)
    case .opaque: relay.down.carry(bytes)
    }
  }

  /// Handles the end of the server's data.
  func serverEnded() {
    if stage == .answer { becomeOpaque { relay.down.carry($0) } }
    if stage == .frames, let rest = down.takePartial() { relay.down.carry(rest) }
  }

  private func readAnswer(_ bytes: ByteBuffer) {
    head.writeImmutableBuffer(bytes)
    unread.writeImmutableBuffer(bytes)
    guard let answer = try? answers.read(from: &unread) else {
      if head.readableBytes > HTTPHeadReader.defaultLimit { becomeOpaque { relay.down.carry($0) } }
      return
    }
    guard answer.status == 101, let request else { return becomeOpaque { relay.down.carry($0) } }
    let length = head.readableBytes - unread.readableBytes
    guard var text = head.readSlice(length: length) else { return }
    let rest = unread
    (head, unread) = (ByteBuffer(), ByteBuffer())
    stage = .frames
    changeAnswer(&text, to: request)
    relay.down.carry(text)
    if rest.readableBytes > 0 { pass(rest) }
  }

  private func changeAnswer(_ answer: inout ByteBuffer, to request: OpeningRequest) {
    let conditions = relay.conditions(.up)
    if conditions.hasWrongAcceptKey, core.isLeft(.wrongAcceptKey) {
      core.note(.wrongAcceptKey)
      let right = AcceptKey.answer(to: request.key)
      let wrong = AcceptKey.answer(to: request.key + "wrong")
      answer = ByteBuffer(string: String(buffer: answer).replacing(right, with: wrong))
    }
    if let count = conditions.earlyGarbage, core.isLeft(.earlyGarbage) {
      core.note(.earlyGarbage)
      // Reserved bits are set, so that no extension can read it as a frame.
      answer.writeInteger(UInt8(0xFF))
      for _ in 1..<max(1, Int(clamping: min(count, 1 << 20))) {
        answer.writeInteger(UInt8(truncatingIfNeeded: relay.draws?.attempt.random.word() ?? 0))
      }
    }
  }
}

// MARK: Frames

extension WebSocketInspector {
  /// Passes on frames of the server, without pongs that are dropped or delayed, and with insertions between frames.
  private func pass(_ bytes: ByteBuffer) {
    var out = ByteBuffer()
    var rest = down.begin(with: bytes)
    while let piece = down.next(&rest, catching: relay.conditions(.down).arePongsCaught) {
      switch piece {
      case .part(let bytes): out.writeImmutableBuffer(bytes)
      case .caught(let frame): keep(frame)
      case .end(let header):
        if header.isFinal, !header.opcode.isControl, messagePassed(.down) { return }
        if !insertions.isEmpty {
          carry(&out)
          insertAll()
          if !isOpen { return }
        }
      case .unreadable(let bytes):
        out.writeImmutableBuffer(bytes)
        carry(&out)
        return stop()
      }
    }
    carry(&out)
  }

  private func carry(_ bytes: inout ByteBuffer) {
    guard bytes.readableBytes > 0 else { return }
    let carried = bytes
    bytes = ByteBuffer()
    relay.down.carry(carried)
  }

  /// Counts a message; returns whether that ended the connection.
  private func messagePassed(_ way: Fault.Direction) -> Bool {
    if let cut = relay.conditions(way).busyCut, relay.pipe(way).isBusy(cut, bytes: 0, messages: 1) {
      core.note(.busyCut, way)
      relay.reset()
      return true
    }
    if way == .down, let fault = relay.conditions(.up).acceptThenClose, fault.resumes, core.isLeft(.acceptThenClose) {
      core.note(.acceptThenClose)
      insertions.append(.close(fault.code, later: fault.after))
    }
    return false
  }

  private func countMessages(_ bytes: ByteBuffer) {
    guard stage == .frames else { return }
    var rest = up.begin(with: bytes)
    while let piece = up.next(&rest, catching: false) {
      if case .end(let header) = piece, header.isFinal, !header.opcode.isControl, messagePassed(.up) { return }
    }
  }

  /// Applies a momentary fault of the server; returns whether it took effect.
  func process(_ fault: Fault) -> Bool {
    switch fault.kind {
    case .close: insert(.close(fault.closeCode, later: fault[1]))
    case .garbage: insert(.frame(Self.garbage(fault.closeCode)))
    case .enormousFrame: insert(.enormous(fault[0]))
    default: return false
    }
    return true
  }

  func closeAtBoundary(_ code: CloseCode) { insert(.close(code, later: 0)) }

  private func insert(_ insertion: Insertion) {
    insertions.append(insertion)
    if down.isBetweenFrames { insertAll() }
  }

  private func insertAll() {
    let all = insertions
    insertions = []
    for insertion in all where isOpen {
      switch insertion {
      case .frame(let bytes): relay.down.carry(bytes)
      case .enormous(let count):
        var header = ByteBuffer()
        FrameHeader(.binary, payloadLength: Int(clamping: count)).write(into: &header)
        relay.down.carry(header)
        relay.down.insertZeros(count)
      case .close(let code, let later): relay.serverCloses(code, later: later)
      }
    }
  }

  /// A frame that a client has to answer with that close code.
  private static func garbage(_ code: CloseCode) -> ByteBuffer {
    var bytes = ByteBuffer()
    switch code.value {
    // A text that is not UTF-8.
    case 1007: bytes.writeMultipleIntegers(UInt8(0x81), UInt8(2), UInt8(0xC3), UInt8(0x28))
    // The longest possible frame.
    case 1009: bytes.writeMultipleIntegers(UInt8(0x82), UInt8(127), UInt64(Int64.max))
    // Reserved bits and a reserved opcode.
    default: bytes.writeMultipleIntegers(UInt8(0xFB), UInt8(0))
    }
    return bytes
  }

  // MARK: Pongs

  private func keep(_ pong: ByteBuffer) {
    let conditions = relay.conditions(.down)
    if conditions.isWithoutPongs { return core.note(.noPongs, .down) }
    core.note(.latePongs, .down)
    latePongs.append((core.timers.now &+ conditions.pongDelay, pong))
    core.timers.set(pongs, at: latePongs[0].due)
  }

  private func sendLatePongs() {
    while let first = latePongs.first, first.due <= core.timers.now, isOpen {
      latePongs.removeFirst()
      insert(.frame(first.frame))
    }
    if let first = latePongs.first, isOpen { core.timers.set(pongs, at: first.due) }
  }

  /// Sends the delayed pongs, if no fault holds pongs back any more.
  func pongsAreFree() {
    guard !relay.conditions(.down).arePongsCaught else { return }
    for index in latePongs.indices { latePongs[index].due = 0 }
    sendLatePongs()
  }
}

extension OpeningResponse {
  /// An answer after which the connection is closed.
  static func closing(_ status: UInt16, _ fields: [(String, String)], body: String = "") -> OpeningResponse {
    var all = HTTPFields()
    for (name, value) in fields + [("Content-Length", "\(body.utf8.count)"), ("Connection", "close")] {
      try? all.append(name, value)
    }
    var response = OpeningResponse(status: status, fields: all)
    response.body = body
    return response
  }
}

extension Conditions {
  fileprivate var arePongsCaught: Bool { isWithoutPongs || pongDelay > 0 }
}

/// The position of a stream within its frames.
struct FrameCursor {
  enum Piece {
    /// Bytes of a frame: its header, or some of its payload.
    case part(ByteBuffer)
    /// The end of a frame whose parts came before.
    case end(FrameHeader)
    /// A complete pong that is caught.
    case caught(ByteBuffer)
    /// Bytes that are not a frame, with all bytes after them.
    case unreadable(ByteBuffer)
  }

  /// An incomplete header.
  private var partial = ByteBuffer()
  private var current: FrameHeader?
  private var left = 0
  private var caught: ByteBuffer?

  /// True if a frame may begin here.
  var isBetweenFrames: Bool { current == nil && partial.readableBytes == 0 }

  mutating func takePartial() -> ByteBuffer? {
    defer { partial = ByteBuffer() }
    return partial.readableBytes > 0 ? partial : nil
  }

  /// Prepends an incomplete header to the bytes that arrived.
  mutating func begin(with bytes: ByteBuffer) -> ByteBuffer {
    guard partial.readableBytes > 0 else { return bytes }
    var all = partial
    partial = ByteBuffer()
    all.writeImmutableBuffer(bytes)
    return all
  }

  /// The next piece; nil if more bytes are needed.
  mutating func next(_ bytes: inout ByteBuffer, catching catchesPongs: Bool) -> Piece? {
    while true {
      if let header = current {
        if left == 0 {
          current = nil
          guard let frame = caught else { return .end(header) }
          caught = nil
          return .caught(frame)
        }
        guard let part = bytes.readSlice(length: min(left, bytes.readableBytes)), part.readableBytes > 0 else {
          return nil
        }
        left -= part.readableBytes
        if caught == nil { return .part(part) }
        caught?.writeImmutableBuffer(part)
      } else {
        guard bytes.readableBytes > 0 else { return nil }
        let start = bytes
        do throws(ProtocolViolation) {
          guard let header = try FrameHeader.read(from: &bytes) else {
            partial = bytes
            return nil
          }
          (current, left) = (header, header.payloadLength)
        } catch {
          return .unreadable(start)
        }
        let header = start.getSlice(at: start.readerIndex, length: bytes.readerIndex - start.readerIndex)
        if catchesPongs, current?.opcode == .pong {
          caught = header
        } else if let header {
          return .part(header)
        }
      }
    }
  }
}
