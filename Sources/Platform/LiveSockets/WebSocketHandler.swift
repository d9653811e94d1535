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
  /// Whether `received` is given pings, which are then the owner's to answer; otherwise they are answered at once.
  var answersPings: Bool { get }
  /// The handshake is done.
  func opened(_ socket: WebSocketHandler)
  /// A message or control frame arrived, other than a close frame.
  func received(_ incoming: Incoming, on socket: WebSocketHandler)
  /// The peer broke the protocol. Where the owner does not drop the socket, it is closed by the code for that.
  func violated(_ violation: ProtocolViolation, on socket: WebSocketHandler)
  /// So much of what was written has been sent that more may be written.
  func becameWritable(_ socket: WebSocketHandler)
  /// The socket is gone.
  func ended(_ end: SocketEnd, of socket: WebSocketHandler)
}

extension WebSocketOwner {
  package var answersPings: Bool { false }
  package func opened(_ socket: WebSocketHandler) {}
  package func received(_ incoming: Incoming, on socket: WebSocketHandler) {}
  package func violated(_ violation: ProtocolViolation, on socket: WebSocketHandler) {}
  package func becameWritable(_ socket: WebSocketHandler) {}
  package func ended(_ end: SocketEnd, of socket: WebSocketHandler) {}
}

package enum SocketEnd {
  /// It could not be opened.
  case failed(WebSocketError)
  /// The server answered the handshake with something else than 101; `location` is its field as it is.
  case refused(Refusal, by: String, location: String?)
  /// It was open, or was dropped by us before.
  case closed(WebSocketClosure)
}

/// How a WebSocket that was open was closed.
public struct WebSocketClosure: Hashable, Sendable {
  /// Who began.
  public enum Origin: Hashable, Sendable {
    /// This side sent the first close frame, or dropped the connection.
    case local
    /// The peer sent the first close frame.
    case remote
    /// Nobody did: the connection broke.
    case network
  }

  /// Who began.
  public let origin: Origin
  /// The code of the first close frame; 1005 for a frame without one, 1006 where there was no close frame.
  public let code: CloseCode
  /// The reason in the close frame, or what went wrong with the connection; often empty.
  public let reason: String

  /// An end.
  public init(_ origin: Origin, _ code: CloseCode, reason: String = "") {
    (self.origin, self.code, self.reason) = (origin, code, reason)
  }

  static func broken(_ reason: String) -> WebSocketClosure {
    WebSocketClosure(.network, CloseCode(1006), reason: reason)
  }
}

/// The answer of a server to an opening request.
package enum HandshakeAnswer {
  /// 101, and the connection is this owner's.
  case accept(any WebSocketOwner)
  /// That status, with these header fields, and the connection is closed.
  case refuse(status: UInt16, headers: [(name: String, value: String)] = [])
  /// Nothing, until the time for the handshake is over.
  case stall
  case reset
}

/// One WebSocket on one channel, of either role: the opening handshake, frames, and the closing handshake.
///
/// Confined to the channel's event loop. The channel does not read by itself: the handler asks for more when what
/// arrived has been taken, so that a paused reader lets the peer wait. Time limits are not cancelled but forgotten, as
/// `TimeLimits` has them.
package final class WebSocketHandler: ChannelInboundHandler {
  package typealias InboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// Where the connection is.
  package enum Phase: Hashable, Sendable {
    /// Not connected, or the handshake is not done.
    case opening
    /// Messages go both ways.
    case open
    /// We sent a close frame, and wait for the peer's.
    case closing
    /// Nothing is said any more: the end of the stream is awaited, so that no reset overtakes our last words.
    case draining
    /// The channel is closed. What arrived before may not have been read yet.
    case gone
  }

  /// How the opening handshake is done.
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
  /// The bytes that arrived and were not read yet.
  private var arrived = ByteBuffer()
  /// The bytes to be written with the next flush.
  private var outgoing = ByteBuffer()
  private var final: SocketEnd?
  /// The ping that is answered when the channel takes more: of several, the last (RFC 6455, section 5.5.3).
  private var unansweredPing: ByteBuffer?
  private var isPaused = false
  private var isStarted = false
  /// Whether the channel is handing over what it read.
  private var isInBurst = false
  private var isProcessing = false
  private var isReadPending = false
  /// Whether anything arrived since the last look of `keepAlive`.
  private var wasHeard = true
  private var requests: OpeningRequest.Reader
  private var responses: OpeningResponse.Reader
  /// The subprotocol that both ends agreed on.
  package private(set) var subprotocol: String?
  /// The channels of a connection under way.
  private var dialed: [any Channel] = []
  private var isAborted = false
  /// How many bytes go to the channel at a time while it hands over what it read.
  private static let burstBytes = 64 << 10

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

// What an owner asks of its socket.
extension WebSocketHandler {
  /// The loop that the socket is confined to; nil before it is connected.
  package var eventLoop: (any EventLoop)? { context?.eventLoop }

  /// Whether more may be written without filling the memory.
  package var isWritable: Bool { context?.channel.isWritable ?? false }

  /// The address of the peer; nil where the system does not say.
  var remoteAddress: SocketAddress? { context?.channel.remoteAddress }

  /// Sends a pong of up to 125 bytes. Where the channel takes no more, it goes out later, and of several the last.
  package func pong(_ payload: ByteBuffer) {
    if isWritable { send(.pong(payload)) } else { unansweredPing = payload }
  }

  /// Sends a close frame and waits for the answer; what arrives until then is left.
  package func close(_ code: CloseCode?, reason: String = "") {
    guard phase == .open else { return }
    send(.close(code, reason: reason))
    // A write can find the connection broken, and then it is gone already.
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
    // A socket that lingers for no time is closed by a reset.
    _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    let closer = tls.flatMap { try? context.pipeline.syncOperations.context(handler: $0) } ?? context
    closer.close(promise: nil)
  }

  /// Closes the socket without waiting for the peer, after what was written has gone to the kernel.
  package func finish() {
    flush()
    context?.close(promise: nil)
  }

  /// Reads no more until `resume`: the peer has to wait.
  package func pause() { isPaused = true }

  /// Reads on.
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
    context.writeAndFlush(wrapOutboundOut(outgoing), promise: promise)
    // The channel has mostly let go of the memory by now, and it is used again.
    if outgoing.capacity > Self.burstBytes { outgoing = ByteBuffer() } else { outgoing.clear() }
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
    wasHeard = true
    guard phase != .draining else { return }
    isInBurst = true
    if arrived.readableBytes == 0 { arrived = bytes } else { arrived.writeBuffer(&bytes) }
    process()
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

  /// Takes what arrived, up to where more is needed or the owner pauses.
  private func process() {
    guard !isProcessing else { return }
    isProcessing = true
    var goesOn = true
    while goesOn, !isPaused, !isAborted, arrived.readableBytes > 0 {
      switch phase {
      case .opening: goesOn = shakeHands()
      case .open, .closing: goesOn = readMessage()
      // The peer may have said good-bye before it went.
      case .gone: goesOn = codec != nil && readMessage()
      case .draining: goesOn = false
      }
    }
    isProcessing = false
    // What is left there is the beginning of something whose end will not come.
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

  /// Answers what breaks the protocol by the code for it, and closes.
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

  /// Waits for the peer's end of the stream, after ending ours where we close first: a socket that is closed while
  /// something arrives resets the connection, and the peer may lose our close frame.
  private func drain(closesFirst: Bool) {
    flush()
    // A write can find the connection broken, and then it is gone already.
    guard phase != .gone else { return }
    phase = .draining
    isPaused = false
    guard closesFirst, let context else { return }
    // The secure layer awaits the peer's good-bye itself.
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
    // Many servers end a secure connection by closing the socket. The closing handshake has told what there is to know.
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

  /// Reads on in the opening handshake.
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

  /// Pings a peer that has been silent for that long, and drops one that does not answer for as long again.
  private func keepAlive(every interval: Duration) {
    wasHeard = false
    after(interval) { socket in
      guard socket.phase == .open else { return }
      if socket.wasHeard || socket.isPaused { return socket.keepAlive(every: interval) }
      socket.send(.ping(ByteBuffer()))
      socket.after(interval) { socket in
        guard socket.phase == .open else { return }
        if socket.wasHeard { return socket.keepAlive(every: interval) }
        socket.final = .closed(.broken("the peer did not answer a ping"))
        socket.abort()
      }
    }
  }
}

// Connecting.
extension WebSocketHandler {
  /// Opens a WebSocket to an address; what comes of it is reported to the owner.
  ///
  /// To be called on the loop. Names are looked up on another thread, and where a host has several addresses they are
  /// tried at short intervals (RFC 8305).
  static func dial(
    _ address: WebSocketAddress, on loop: any EventLoop, configuration: WebSocketConfiguration, tls: ClientTLS?,
    owner: any WebSocketOwner
  ) -> WebSocketHandler {
    var problem: WebSocketError?
    var request: OpeningRequest?
    do throws(InvalidField) {
      var fields = HTTPFields()
      for header in configuration.headers { try fields.append(header.name, header.value) }
      // Boxed, since the thread sanitizer faults at the address of a generator without a size.
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
      // An address of digits has no place in the handshake (RFC 6066, section 3); the certificate is checked for it.
      return try NIOSSLClientHandler(context: tls.context, serverHostname: address.isIPAddress ? nil : address.host)
    } catch {
      throw WebSocketError(
        .badAddress, "\(address): '\(address.host)' cannot be the name of a secure server (\(error)).")
    }
  }

  /// One of the channels that may become the connection.
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
