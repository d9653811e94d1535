// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import LiveLab
package import NIOCore
internal import NIOPosix
internal import Reporting
internal import WebSocketProtocol

/// The control of proxies by HTTP: lists faults, adds one or ends some during a run, or does what toxiproxy does.
///
/// A fault is written as in schedules, without its time: `latency for=30s added=200ms way=down`. Without `for` it holds
/// until it is ended. Requests of web pages, which have an `Origin` or another host, are refused, since any page opened
/// on this machine could send them.
package struct ProxyControl: Sendable {
  package enum API: String, Sendable, CaseIterable { case faults, toxiproxy }

  /// The kinds of faults that toxiproxy's toxics are.
  package static let toxics = Toxic.faults

  private let channel: any Channel
  package let address: SocketAddress

  /// Listens on an address; port 0 chooses a free one. `isPublic` allows requests by any name of this machine.
  ///
  /// - Throws: The error of binding the port, an `IOError` if it is in use.
  package init(
    at address: SocketAddress, _ api: API = .faults, of proxies: ProxySet, isPublic: Bool = false,
    group: any EventLoopGroup
  ) async throws {
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = ControlHandler(isPublic: isPublic) { request in
            try await proxies.inTurn { proxies in
              switch api {
              case .faults: try await proxies.faults(request)
              case .toxiproxy: try await proxies.toxiproxy(request)
              }
            }
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .bind(to: address).get()
    guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
    self.address = address
  }

  package func stop() async { try? await channel.close() }
}

/// A request to the control, with its answer.
struct ControlRequest: Sendable {
  let method: String
  /// The parts of the path between slashes.
  let path: [String]
  let query: Substring?
  let body: String

  static let longestHead = 8_192
  static let longestBody = 1 << 20

  /// Reads a whole request; `nil` if more bytes are needed, with the state in `reader` and `head`.
  ///
  /// - Throws: `Answer`, a refusal.
  init?(
    _ buffer: inout ByteBuffer, _ reader: inout HTTPHeadReader, _ head: inout HTTPHead?, isPublic: Bool
  ) throws(Answer) {
    if head == nil {
      do throws(HTTPHeadError) { head = try reader.read(from: &buffer) } catch {
        switch error {
        case .malformed(let found): throw .bad("expected a request of HTTP/1.1, found \(found)")
        case .tooLong(let limit): throw Answer(431, "expected a head of at most \(limit) bytes")
        }
      }
    }
    guard let head else { return nil }
    let words = head.startLine.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
      throw .bad("expected a request of HTTP/1.1, found '\(Spelling.excerpt(head.startLine))'")
    }
    guard head.fields["Origin"].isEmpty, isPublic || head.fields["Host"].allSatisfy(Self.isHere) else {
      throw Answer(403, "expected a request to this machine that no web page sent")
    }
    let lengths = head.fields["Content-Length"]
    let codings = head.fields["Transfer-Encoding"]
    if codings.isEmpty {
      guard lengths.count <= 1, let length = Int(lengths.first ?? "0"), length >= 0 else {
        throw .bad("expected one Content-Length, or the Transfer-Encoding chunked")
      }
      try Self.checkLength(length)
      guard let body = buffer.readString(length: length) else { return nil }
      self.body = body
    } else {
      guard lengths.isEmpty, codings.map({ $0.lowercased() }) == ["chunked"] else {
        throw .bad("expected one Content-Length, or the Transfer-Encoding chunked")
      }
      guard let body = try Self.chunks(of: buffer) else { return nil }
      self.body = body
    }
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    method = String(words[0])
    query = target.count > 1 ? target[1] : nil
    path = target[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(Self.decoded)
  }

  private static func checkLength(_ length: Int) throws(Answer) {
    if length > longestBody { throw Answer(413, "expected a body of at most \(longestBody) bytes, found \(length)") }
  }

  /// The body of a message in chunks (RFC 9112, section 7.1); nil if more bytes are needed.
  private static func chunks(of buffer: ByteBuffer) throws(Answer) -> String? {
    var body = ByteBuffer()
    var rest = buffer.readableBytesView
    while true {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        try checkLength(body.readableBytes + rest.count)
        return nil
      }
      let line = String(decoding: rest[..<end], as: UTF8.self)
      guard let size = Int(line.prefix(while: \.isHexDigit), radix: 16), size >= 0 else {
        throw .bad("expected the length of a chunk, found '\(Spelling.excerpt(line))'")
      }
      try checkLength(size)
      try checkLength(body.readableBytes + size)
      rest = rest[rest.index(after: end)...]
      // Behind each chunk, the empty last one too, is the end of a line; trailers are not used.
      guard rest.count >= size + 2 || size == 0 && rest.count >= 1 else { return nil }
      if size == 0 { return String(buffer: body) }
      body.writeBytes(rest.prefix(size))
      rest = rest.dropFirst(size + 2)
    }
  }

  /// A part of a path without percent-encoding.
  private static func decoded(_ part: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(part).utf8
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The body as JSON; an empty one is an empty object.
  var json: JSONField {
    get throws(ReportingError) {
      JSONField(body.isEmpty ? [:] : try JSONValue(parsing: body, file: "the body"), file: "the body")
    }
  }

  private static func isHere(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
  }

  struct Answer: Error {
    let status: UInt16
    let content: JSONValue?

    init(_ status: UInt16, _ content: JSONValue) { (self.status, self.content) = (status, content) }

    private init() { (status, content) = (204, nil) }

    static let empty = Answer()

    var members: [JSONMember] { if case .object(let members)? = content { members } else { [] } }

    var response: OpeningResponse {
      guard let content else {
        var fields = HTTPFields()
        try? fields.append("Connection", "close")
        return OpeningResponse(status: status, fields: fields)
      }
      return .closing(status, [("Content-Type", "application/json")], body: content.text)
    }

    /// A refusal with a sentence that explains it.
    init(_ status: UInt16, _ sentence: String) {
      self.init(status, ["error": .string(sentence + "."), "status": .integer(Int(status))])
    }

    static func bad(_ sentence: String) -> Answer { Answer(400, sentence) }
  }

}

extension ProxySet {
  typealias Answer = ControlRequest.Answer

  /// Answers a request for `/faults`.
  func faults(_ request: ControlRequest) async throws -> Answer {
    let path = request.path
    guard path.first == "faults", path.count <= 2 else {
      return Answer(404, "expected GET, POST or DELETE /faults, or DELETE /faults/KIND")
    }
    do throws(LiveLabError) {
      switch (request.method, path.count) {
      case ("GET", 1): return Answer(200, ["faults": .array(try await listed { try await $0.counts })])
      case ("POST", 1):
        let timed = try TimedFault(reading: request.body)
        try FaultProxy.check(timed)
        let listed = try await listed(timed.proxy) { try await $0.add(timed).map { [$0] } ?? [] }
        guard let first = listed.first else {
          return .bad("expected at most \(FaultProxy.maxAdded) faults that are added to a run")
        }
        return Answer(200, listed.count == 1 ? first : ["faults": .array(listed)])
      case ("DELETE", _):
        let kind = path.count == 2 ? Fault.Kind(name: path[1]) : nil
        guard path.count == 1 || kind != nil else {
          return Answer(404, "expected the kind of a fault after /faults/, such as black-hole")
        }
        let proxy = request.query.map { String($0.hasPrefix("proxy=") ? $0.dropFirst(6) : $0) }
        var ended: [JSONValue] = []
        for member in try chosen(proxy) {
          ended += ((try? await member.proxy.end(kind)) ?? []).map { .string(text(of: $0, by: member)) }
        }
        guard !ended.isEmpty || kind == nil else { return Answer(404, "no fault of this kind holds") }
        return Answer(200, ["ended": .array(ended)])
      default: return Answer(405, "expected GET, POST or DELETE for /faults, and DELETE for /faults/KIND")
      }
    } catch {
      return .bad(String("\(error)".dropLast()))
    }
  }

  /// The proxy of that name, or all.
  private func chosen(_ name: String?) throws(LiveLabError) -> [Member] {
    guard let name else { return members }
    guard let member = members.first(where: { $0.name == name }) else {
      throw .badValue(
        field: "proxy", found: name, expected: "one of the proxies, \(members.map(\.name).joined(separator: ", "))")
    }
    return [member]
  }

  private func listed(
    _ name: String? = nil, _ counts: (FaultProxy) async throws -> [FaultProxy.Count]
  ) async throws(LiveLabError) -> [JSONValue] {
    var all: [JSONValue] = []
    for member in try chosen(name) {
      all += ((try? await counts(member.proxy)) ?? []).map { count in
        let by = members.count > 1 ? [JSONMember("proxy", .string(member.name))] : []
        return .object(by + count.members)
      }
    }
    return all
  }

  private func text(of timed: TimedFault, by member: Member) -> String {
    var timed = timed
    if members.count > 1 { timed.proxy = member.name }
    return timed.withoutMoment
  }
}

extension FaultProxy.Count {
  fileprivate var members: [JSONMember] {
    [
      JSONMember("kind", .string(fault.fault.kind.name)), JSONMember("fault", .string(fault.withoutMoment)),
      JSONMember("at", .string(TimelineClock.text(of: fault.at))), JSONMember("holds", .bool(holds)),
      JSONMember("tookEffect", .integer(Int(clamping: times))),
    ]
  }
}

/// Reads one request of a connection, and closes it after the answer.
private final class ControlHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let isPublic: Bool
  private let answer: @Sendable (ControlRequest) async throws -> ControlRequest.Answer
  private var buffer = ByteBuffer()
  private var reader = HTTPHeadReader(limit: ControlRequest.longestHead)
  private var head: HTTPHead?
  private var isAnswered = false
  /// Closes a connection whose request does not arrive; the answer may take longer.
  private var requestLimit: Scheduled<Void>?

  init(isPublic: Bool, answer: @escaping @Sendable (ControlRequest) async throws -> ControlRequest.Answer) {
    (self.isPublic, self.answer) = (isPublic, answer)
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    requestLimit = context.eventLoop.scheduleTask(in: .seconds(60)) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isAnswered else { return }
    var part = unwrapInboundIn(data)
    buffer.writeBuffer(&part)
    let (channel, answer) = (context.channel, answer)
    let request: ControlRequest?
    do throws(ControlRequest.Answer) {
      request = try ControlRequest(&buffer, &reader, &head, isPublic: isPublic)
    } catch {
      isAnswered = true
      return Self.end(channel, with: error)
    }
    guard let request else { return }
    isAnswered = true
    requestLimit?.cancel()
    channel.eventLoop.makeFutureWithTask { try await answer(request) }
      .recover { _ in .bad("expected a running proxy, and it has ended") }
      .whenSuccess { Self.end(channel, with: $0) }
  }

  private static func end(_ channel: any Channel, with answer: ControlRequest.Answer) {
    var bytes = ByteBuffer()
    answer.response.write(into: &bytes)
    channel.writeAndFlush(bytes).whenComplete { _ in channel.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
