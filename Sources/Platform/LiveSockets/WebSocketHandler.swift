// SPDX-License-Identifier: Apache-2.0
public import LiveCore
package import NIOCore
internal import NIOPosix
internal import NIOSSL
package import WebSocketProtocol

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The events of one WebSocket, reported on its event loop. `ended` comes last, once.
package protocol WebSocketOwner: AnyObject {
  /// True if `received` gets pings, which the owner then answers; otherwise they are answered at once.
  var answersPings: Bool { get }
  /// The handshake is done.
  func opened(_ socket: WebSocketHandler)
  /// A message or control frame arrived, other than a close frame.
  func received(_ incoming: Incoming, on socket: WebSocketHandler)
  /// A part of a message arrived without its end, or left while more of it waits to be sent.
  func moved(_ socket: WebSocketHandler)
  /// The peer violated the protocol. Unless the owner drops the socket, it is closed with the code of the violation.
  func violated(_ violation: ProtocolViolation, on socket: WebSocketHandler)
  /// Enough bytes have been sent that more may be written.
  func becameWritable(_ socket: WebSocketHandler)
  /// The socket is gone.
  func ended(_ end: SocketEnd, of socket: WebSocketHandler)
}

extension WebSocketOwner {
  package var answersPings: Bool { false }
  package func opened(_ socket: WebSocketHandler) {}
  package func received(_ incoming: Incoming, on socket: WebSocketHandler) {}
  package func moved(_ socket: WebSocketHandler) {}
  package func violated(_ violation: ProtocolViolation, on socket: WebSocketHandler) {}
  package func becameWritable(_ socket: WebSocketHandler) {}
  package func ended(_ end: SocketEnd, of socket: WebSocketHandler) {}
}

package enum SocketEnd {
  /// It could not be opened.
  case failed(WebSocketError)
  /// The server answered the handshake with another status than 101; `location` is its header field, unchanged.
  case refused(Refusal, by: String, location: String?)
  /// It was open, or was dropped by us before.
  case closed(WebSocketClosure)
}

/// The closure of a WebSocket that was open.
public struct WebSocketClosure: Hashable, Sendable {
  /// The side that ended the connection.
  public enum Origin: Hashable, Sendable {
    /// This side sent the first close frame, or dropped the connection.
    case local
    /// The peer sent the first close frame.
    case remote
    /// Neither side: the connection broke.
    case network
  }

  /// The side that ended the connection.
  public let origin: Origin
  /// The code of the first close frame; 1005 for a frame without a code, 1006 without a close frame.
  public let code: CloseCode
  /// The reason in the close frame, or the error of the connection; often empty.
  public let reason: String

  /// A closure by its origin, code and reason.
  public init(_ origin: Origin, _ code: CloseCode, reason: String = "") {
    (self.origin, self.code, self.reason) = (origin, code, reason)
  }

  static func broken(_ reason: String) -> WebSocketClosure {
    WebSocketClosure(.network, CloseCode(1006), reason: reason)
  }
}

/// The answer of a server to an opening request.
package enum HandshakeAnswer {
  /// 101, and the connection gets this owner.
  case accept(any WebSocketOwner)
  /// A status with header fields, and the connection is closed.
  case refuse(status: UInt16, headers: [(name: String, value: String)] = [])
  /// No answer, until the time for the handshake is over.
  case stall
  case reset
}

/// One WebSocket on one channel, of either role: the opening handshake, frames, and the closing handshake.
///
/// Confined to the channel's event loop. The channel does not read by itself: the handler asks for more when the
/// arrived bytes have been processed, so that a paused reader makes the peer wait. Time limits are not cancelled but
/// ignored (see `TimeLimits`).
package final class WebSocketHandler: ChannelInboundHandler {
  package typealias InboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// The phase of the connection.
  package enum Phase: Hashable, Sendable {
    /// Not connected, or the handshake is not done.
    case opening
    /// Messages may be sent in both directions.
    case open
    /// We sent a close frame, and wait for the peer's.
    case closing
    /// No more frames are sent: the handler waits for the stream's end, so that no reset overtakes the close frame.
    case draining
    /// The channel is closed. Bytes that arrived before may still be unread.
    case gone
  }

  /// The state of the opening handshake, by role.
  enum Opening {
    case client(WebSocketAddress, OpeningRequest?)
    case server(decide: (OpeningRequest, WebSocketHandler) -> HandshakeAnswer)
  }

  package private(set) var phase = Phase.opening
  private let opening: Opening
  private let settings: WebSocketConfiguration
  private var owner: (any WebSocketOwner)?
  private var context: ChannelHandlerContext?
  private var tls: NIOSSLHandler?
  private var codec: Codec?
  /// The arrived bytes that were not read yet.
  private var arrived = ByteBuffer()
  /// The bytes to write with the next flush.
  private var outgoing = ByteBuffer()
  private var final: SocketEnd?
  /// The ping to answer when the channel accepts more: the last of several (RFC 6455, section 5.5.3).
  private var unansweredPing: ByteBuffer?
  private var isPaused = false
  private var isStarted = false
  /// True if the channel is delivering the bytes that it read.
  private var isInBurst = false
  private var isProcessing = false
  private var isReadPending = false
  /// True if anything arrived, or a part of a long message left, since the last check of `keepAlive`.
  private var isAlive = true
  private var requests: OpeningRequest.Reader
  private var responses: OpeningResponse.Reader
  /// The subprotocol that both ends agreed on.
  package private(set) var subprotocol: String?
  /// The channels of a connection that is being opened.
  private var dialed: [any Channel] = []
  private var isAborted = false
  /// The number of bytes written to the channel at a time while it delivers the bytes that it read.
  private static let burstBytes = 64 << 10
  /// The number of bytes written to the channel at a time, and kept unsent by the kernel.
  static let partBytes = 16 << 10

  /// The two directions, once the handshake is done.
  private struct Codec: ~Copyable {
    var reader: MessageReader
    var writer: MessageWriter
  }

  init(_ opening: Opening, _ settings: WebSocketConfiguration, owner: (any WebSocketOwner)?, tls: NIOSSLHandler? = nil)
  {
    (self.opening, self.settings, self.owner, self.tls) = (opening, settings, owner, tls)
    requests = OpeningRequest.Reader(limit: settings.maximumHandshakeBytes)
    responses = OpeningResponse.Reader(limit: settings.maximumHandshakeBytes)
  }

  private var role: Role {
    switch opening {
    case .client: .client
    case .server: .server
    }
  }
}

// Requests of the owner.
extension WebSocketHandler {
  /// The loop that the socket is confined to; nil before it is connected.
  package var eventLoop: (any EventLoop)? { context?.eventLoop }

  /// True if more may be written without exceeding the channel's buffer limit.
  package var isWritable: Bool { context?.channel.isWritable ?? false }

  /// The address of the peer; nil if the system does not know it.
  var remoteAddress: SocketAddress? { context?.channel.remoteAddress }

  /// Sends a pong of up to 125 bytes. If the channel accepts no more, the last of several pongs is sent later.
  package func pong(_ payload: ByteBuffer) {
    if isWritable { send(.pong(payload)) } else { unansweredPing = payload }
  }

  /// Sends a close frame and waits for the answer; messages that arrive until then are ignored.
  package func close(_ code: CloseCode?, reason: String = "") {
    guard phase == .open else { return }
    send(.close(code, reason: reason))
    // The write may have found the connection broken and closed it.
    guard phase == .open else { return }
    if final == nil { final = .closed(WebSocketClosure(.local, code ?? CloseCode(1005), reason: reason)) }
    phase = .closing
    unansweredPing = nil
    limitClosing()
    resume()
  }

  /// Drops the connection at once, by a reset.
  package func abort() {
    guard phase != .gone, !isAborted else { return }
    isAborted = true
    if final == nil { final = .closed(WebSocketClosure(.local, CloseCode(1006))) }
    outgoing.clear()
    for channel in dialed { channel.close(promise: nil) }
    guard let context else { return }
    // A linger time of 0 closes the socket by a reset.
    _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    let closer = tls.flatMap { try? context.pipeline.syncOperations.context(handler: $0) } ?? context
    closer.close(promise: nil)
  }

  /// Closes the socket without waiting for the peer, after the kernel has got all written bytes.
  package func finish() {
    flush()
    context?.close(promise: nil)
  }

  /// Stops reading until `resume`, so that the peer has to wait.
  package func pause() { isPaused = true }

  /// Continues reading.
  package func resume() {
    guard isPaused || phase != .open else { return }
    isPaused = false
    process()
    readMore()
  }
}

// Writing.
extension WebSocketHandler {
  /// Sends a message or a ping, of up to 125 bytes; nothing happens unless the socket is open.
  ///
  /// - Returns: Whether it was written.
  @discardableResult
  package func send(_ message: Incoming, whenWritten promise: EventLoopPromise<Void>? = nil) -> Bool {
    guard phase == .open else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return false
    }
    codec?.writer.write(message, into: &outgoing)
    if promise != nil || !isInBurst || outgoing.readableBytes >= Self.burstBytes { flush(promise) }
    return true
  }

  /// Sends the messages of the closure together.
  package func burst(_ work: () -> Void) {
    let wasInBurst = isInBurst
    isInBurst = true
    work()
    isInBurst = wasInBurst
    if !isInBurst { flush() }
  }

  private func flush(_ promise: EventLoopPromise<Void>? = nil) {
    guard outgoing.readableBytes > 0, let context else {
      promise?.succeed()
      return
    }
    // The owner may send more as soon as something is written.
    var bytes = ByteBuffer()
    swap(&bytes, &outgoing)
    // A long message goes in parts, so that it is seen to move.
    while bytes.readableBytes > Self.partBytes, let part = bytes.readSlice(length: Self.partBytes) {
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenSuccess {
        self.isAlive = true
        self.owner?.moved(self)
      }
      context.write(wrapOutboundOut(part), promise: written)
    }
    context.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    // The channel has usually released the memory by now, so it is reused.
    guard outgoing.capacity == 0, bytes.capacity <= Self.burstBytes else { return }
    bytes.clear()
    swap(&bytes, &outgoing)
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard context.channel.isWritable else { return }
    if let payload = unansweredPing {
      unansweredPing = nil
      pong(payload)
    }
    if phase == .open { owner?.becameWritable(self) }
  }
}

// Reading.
extension WebSocketHandler {
  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    isAlive = true
    guard phase != .draining else { return }
    isInBurst = true
    if arrived.readableBytes == 0 { arrived = bytes } else { arrived.writeBuffer(&bytes) }
    process()
    if phase == .open, arrived.readableBytes > 0 || (codec?.reader.bufferedBytes ?? 0) > 0 { owner?.moved(self) }
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    isInBurst = false
    isReadPending = false
    flush()
    readMore()
  }

  private func readMore() {
    guard let context, !isReadPending, !isPaused, phase != .gone else { return }
    isReadPending = true
    context.read()
  }

  /// Processes the arrived bytes until more are needed or the owner pauses.
  private func process() {
    guard !isProcessing else { return }
    isProcessing = true
    var goesOn = true
    while goesOn, !isPaused, !isAborted, arrived.readableBytes > 0 {
      switch phase {
      case .opening: goesOn = shakeHands()
      case .open, .closing: goesOn = readMessage()
      // The peer may have sent a close frame before the channel was closed.
      case .gone: goesOn = codec != nil && readMessage()
      case .draining: goesOn = false
      }
    }
    isProcessing = false
    // The rest is the beginning of a message whose end will not come.
    if phase == .draining || (phase == .gone && (!goesOn || isAborted)) { arrived.clear() }
    if arrived.readableBytes == 0 { reportEnd() }
  }

  /// Reads one message or control frame.
  ///
  /// - Returns: Whether there may be another.
  private func readMessage() -> Bool {
    do throws(ProtocolViolation) {
      guard let incoming = try codec?.reader.read(from: &arrived) else { return false }
      take(incoming)
    } catch {
      fail(error)
    }
    return true
  }

  private func take(_ incoming: Incoming) {
    switch incoming {
    case .close(let code, let reason): tookClose(code, reason)
    case .ping(let payload):
      guard phase == .open else { return }
      if owner?.answersPings == true { owner?.received(incoming, on: self) } else { pong(payload) }
    case .text, .binary, .pong:
      if phase == .open || phase == .gone { owner?.received(incoming, on: self) }
    }
  }

  /// Answers a violation of the protocol by its close code, and closes.
  private func fail(_ violation: ProtocolViolation) {
    arrived.clear()
    if phase == .open || phase == .gone {
      final = .closed(WebSocketClosure(.local, violation.code, reason: violation.reason))
      owner?.violated(violation, on: self)
    }
    guard phase != .gone, !isAborted else { return }
    send(.close(violation.code, reason: violation.reason))
    limitClosing()
    drain(closesFirst: true)
  }
}

// The end.
extension WebSocketHandler {
  private func tookClose(_ code: CloseCode?, _ reason: String) {
    arrived.clear()
    switch phase {
    case .open:
      final = .closed(WebSocketClosure(.remote, code ?? CloseCode(1005), reason: reason))
      unansweredPing = nil
      send(.close(code, reason: ""))
      limitClosing()
      drain(closesFirst: role == .server)
    case .closing: drain(closesFirst: role == .server)
    case .gone:
      final = .closed(WebSocketClosure(.remote, code ?? CloseCode(1005), reason: reason))
    case .opening, .draining: break
    }
  }

  /// Waits for the peer's end of the stream, after ending this side's if it closes first: closing a socket while bytes
  /// arrive resets the connection, and the peer may lose the close frame.
  private func drain(closesFirst: Bool) {
    flush()
    // The write may have found the connection broken and closed it.
    guard phase != .gone else { return }
    phase = .draining
    isPaused = false
    guard closesFirst, let context else { return }
    // The TLS handler waits for the peer's close_notify itself.
    context.close(mode: tls == nil ? .output : .all, promise: nil)
  }

  /// Drops the connection when the closing handshake takes too long.
  private func limitClosing() {
    after(settings.closeTimeout) { socket in
      guard socket.phase != .gone else { return }
      if socket.phase == .closing {
        socket.final = .closed(WebSocketClosure(.local, CloseCode(1006), reason: "the close frame was not answered"))
      }
      socket.abort()
    }
  }

  /// Reports the end when the channel is closed and everything that arrived before has been read.
  private func reportEnd() {
    guard phase == .gone, let owner else { return }
    self.owner = nil
    arrived = ByteBuffer()
    owner.ended(final ?? .closed(.broken("the connection ended without a close frame")), of: self)
  }

  private func after(_ delay: Duration, _ action: @escaping (WebSocketHandler) -> Void) {
    guard let context else { return }
    TimeLimits.on(context.eventLoop).set(TimeAmount(delay), for: self, action)
  }

  package func channelInactive(context: ChannelHandlerContext) {
    guard phase != .gone else { return }
    if phase == .opening, final == nil, case .client(let address, _) = opening {
      final = .failed(WebSocketError(opening: ChannelError.eof, to: address.description))
    }
    phase = .gone
    unansweredPing = nil
    outgoing = ByteBuffer()
    isReadPending = false
    if isAborted || codec == nil { arrived.clear() }
    process()
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Many servers end a TLS connection by closing the socket, which is harmless after the closing handshake.
    if case NIOSSLError.uncleanShutdown = error { return }
    if final == nil {
      switch (phase, opening) {
      case (.opening, .client(let address, _)):
        final = .failed(
          WebSocketError(opening: error, to: address.description, certificate: tls?.peerCertificate))
      default: final = .closed(.broken("\(error)"))
      }
    }
    context.close(promise: nil)
  }

  package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
}

// The opening handshake.
extension WebSocketHandler {
  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { start() }
  }

  package func channelActive(context: ChannelHandlerContext) { start() }

  private func start() {
    guard !isStarted else { return }
    isStarted = true
    // More in the kernel would hide how far a message has come; not every system has the option.
    _ = (context?.channel as? any SocketOptionProvider)?.unsafeSetSocketOption(
      level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT), value: CInt(Self.partBytes))
    after(settings.handshakeTimeout) { socket in
      guard socket.phase == .opening else { return }
      if case .client(let address, _) = socket.opening { socket.final = .failed(.timedOut(address.description)) }
      socket.abort()
    }
    if case .client(_, let request?) = opening {
      request.write(into: &outgoing)
      flush()
    }
    readMore()
  }

  /// Continues the opening handshake with the arrived bytes.
  ///
  /// - Returns: Whether there may be more to read.
  private func shakeHands() -> Bool {
    switch opening {
    case .client(let address, let request?): awaitAnswer(to: request, from: address)
    case .client(_, nil): false
    case .server(let decide): awaitRequest(decide)
    }
  }

  private func awaitAnswer(to request: OpeningRequest, from address: WebSocketAddress) -> Bool {
    do throws(HandshakeFailure) {
      guard let response = try responses.read(from: &arrived) else { return false }
      switch response.check(against: request, from: address, now: Int64(time(nil))) {
      case .accepted(let agreement):
        open(agreement)
        return true
      case .refused(let refusal, let location):
        end(.refused(refusal, by: address.description, location: location))
      case .notWebSocket(let failure): throw failure
      }
    } catch {
      end(.failed(.notWebSocket(address.description, error.description)))
    }
    return false
  }

  private func awaitRequest(_ decide: (OpeningRequest, WebSocketHandler) -> HandshakeAnswer) -> Bool {
    do throws(OpeningRequest.Rejection) {
      guard let request = try requests.read(from: &arrived) else { return false }
      switch decide(request, self) {
      case .accept(let owner):
        let agreement = request.agreement(subprotocols: settings.subprotocols, compresses: settings.compresses)
        self.owner = owner
        OpeningResponse(accepting: request, agreement).write(into: &outgoing)
        open(agreement)
        flush()
        return true
      case .refuse(let status, let headers):
        var fields = HTTPFields()
        for header in headers { try? fields.append(header.name, header.value) }
        throw OpeningRequest.Rejection(status, "refused", fields: fields)
      case .stall: pause()
      case .reset: abort()
      }
    } catch {
      OpeningResponse(rejecting: error).write(into: &outgoing)
      limitClosing()
      drain(closesFirst: true)
    }
    return false
  }

  private func open(_ agreement: Agreement) {
    subprotocol = agreement.subprotocol
    codec = Codec(
      reader: MessageReader(
        role: role, maxMessageBytes: settings.maximumMessageBytes, compression: agreement.compression),
      writer: MessageWriter(role: role, compression: agreement.compression))
    phase = .open
    if let interval = settings.keepAlive { keepAlive(every: interval) }
    owner?.opened(self)
  }

  private func end(_ end: SocketEnd) {
    final = end
    arrived.clear()
    context?.close(promise: nil)
  }

  /// Pings a peer that has been silent for the interval, and drops one that does not answer for another interval.
  private func keepAlive(every interval: Duration) {
    isAlive = false
    after(interval) { socket in
      guard socket.phase == .open else { return }
      if socket.isAlive || socket.isPaused { return socket.keepAlive(every: interval) }
      socket.send(.ping(ByteBuffer()))
      socket.after(interval) { socket in
        guard socket.phase == .open else { return }
        if socket.isAlive { return socket.keepAlive(every: interval) }
        socket.final = .closed(.broken("the peer did not answer a ping"))
        socket.abort()
      }
    }
  }
}

// Connecting.
extension WebSocketHandler {
  /// Opens a WebSocket to an address; the owner gets the result.
  ///
  /// Call it on the loop. Names are looked up on another thread, and several addresses of a host are tried at short
  /// intervals (RFC 8305).
  static func dial(
    _ address: WebSocketAddress, on loop: any EventLoop, configuration: WebSocketConfiguration, tls: ClientTLS?,
    owner: any WebSocketOwner
  ) -> WebSocketHandler {
    var problem: WebSocketError?
    var request: OpeningRequest?
    do throws(InvalidField) {
      var fields = HTTPFields()
      for header in configuration.headers { try fields.append(header.name, header.value) }
      // Boxed, since the thread sanitizer fails at the address of a zero-sized generator.
      var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
      request = try OpeningRequest(
        to: address, subprotocols: configuration.subprotocols, compresses: configuration.compresses, fields: fields,
        using: &generator)
    } catch {
      problem = WebSocketError(.badConfiguration, "\(address): \(error).")
    }
    let socket = WebSocketHandler(.client(address, request), configuration, owner: owner)
    do throws(WebSocketError) {
      if let problem { throw problem }
      if address.isSecure { socket.tls = try secureLayer(tls, for: address) }
      socket.dial(address, on: loop)
    } catch {
      loop.assumeIsolated().execute { socket.failed(error, at: address) }
    }
    return socket
  }

  private func dial(_ address: WebSocketAddress, on loop: any EventLoop) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    let bootstrap = ClientBootstrap(group: loop).channelOption(.autoRead, value: false)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .connectTimeout(TimeAmount(settings.handshakeTimeout))
      .channelInitializer { bound.value.began($0) }
    let connected =
      if let numeric = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) {
        bootstrap.connect(to: numeric)
      } else {
        bootstrap.connect(host: address.host, port: Int(address.port))
      }
    connected.assumeIsolated().whenComplete { result in
      self.dialed = []
      switch result {
      case .success(let channel): self.connected(channel, to: address)
      case .failure(let error): self.failed(error, at: address)
      }
    }
  }

  private static func secureLayer(
    _ tls: ClientTLS?, for address: WebSocketAddress
  ) throws(WebSocketError) -> NIOSSLHandler {
    guard let tls else { throw WebSocketError(.badConfiguration, "\(address): there are no trust roots for it.") }
    do {
      // An IP address is not allowed in the handshake (RFC 6066, section 3); the certificate is checked for it.
      return try NIOSSLClientHandler(context: tls.context, serverHostname: address.isIPAddress ? nil : address.host)
    } catch {
      throw WebSocketError(
        .badAddress, "\(address): '\(address.host)' cannot be the name of a secure server (\(error)).")
    }
  }

  /// Sets up one of the channels that may become the connection.
  private func began(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard !isAborted else { return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
    dialed.append(channel)
    return channel.eventLoop.makeSucceededVoidFuture()
  }

  private func connected(_ channel: any Channel, to address: WebSocketAddress) {
    guard !isAborted else {
      channel.close(promise: nil)
      return failed(ChannelError.ioOnClosedChannel, at: address)
    }
    do {
      let pipeline = channel.pipeline.syncOperations
      if let tls { try pipeline.addHandler(tls) }
      try pipeline.addHandler(self)
    } catch {
      channel.close(promise: nil)
      failed(error, at: address)
    }
  }

  private func failed(_ error: any Error, at address: WebSocketAddress) {
    if final == nil { final = .failed(WebSocketError(opening: error, to: address.description)) }
    phase = .gone
    reportEnd()
  }
}

extension TimeAmount {
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    self = .nanoseconds(isTooLong ? .max / 2 : min(.max / 2, whole + attoseconds / 1_000_000_000))
  }
}
