// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
package import NIOCore
internal import NIOPosix
internal import Reporting
internal import WebSocketProtocol

/// The control of a proxy by HTTP, on loopback only: lists faults, adds one or ends some during a run.
///
/// A fault is written as in schedules, without its time: `latency for=30s added=200ms way=down`. Without `for` it holds
/// until it is ended. Requests of web pages, which have an `Origin` or another host, are refused, since any page opened
/// on this machine could send them.
package struct ProxyControl: Sendable {
  private let channel: any Channel
  package let address: SocketAddress

  /// Listens on a port of 127.0.0.1; 0 chooses a free one.
  ///
  /// - Throws: The error of binding the port, an `IOError` if it is in use.
  package init(port: Int, of proxy: FaultProxy, group: any EventLoopGroup) async throws {
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ControlHandler(proxy))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
    self.address = address
  }

  package func stop() async { try? await channel.close() }
}

/// A request to the control, with its answer.
struct ControlRequest: Sendable {
  let method: Substring
  let path: Substring
  let body: String

  static let longestHead = 8_192
  static let longestBody = 4_096

  /// Reads a whole request; `nil` if more bytes are needed, with the state in `reader` and `head`.
  ///
  /// - Throws: `Answer`, a refusal.
  init?(
    _ buffer: inout ByteBuffer, _ reader: inout HTTPHeadReader, _ head: inout HTTPHead?
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
    guard head.fields["Origin"].isEmpty, head.fields["Host"].allSatisfy(Self.isHere) else {
      throw Answer(403, "expected a request to this machine that no web page sent")
    }
    let lengths = head.fields["Content-Length"]
    guard head.fields["Transfer-Encoding"].isEmpty, lengths.count <= 1, let length = Int(lengths.first ?? "0"),
      length >= 0
    else { throw .bad("expected one Content-Length, and no Transfer-Encoding") }
    guard length <= Self.longestBody else {
      throw Answer(413, "expected a body of at most \(Self.longestBody) bytes, found \(length)")
    }
    guard let body = buffer.readString(length: length) else { return nil }
    (method, path, self.body) = (words[0], words[1], body)
  }

  private static func isHere(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
  }

  struct Answer: Error {
    let response: OpeningResponse

    init(_ status: UInt16, _ content: JSONValue) {
      response = .closing(status, [("Content-Type", "application/json")], body: content.text)
    }

    /// A refusal with a sentence that explains it.
    init(_ status: UInt16, _ sentence: String) {
      self.init(status, ["error": .string(sentence + "."), "status": .integer(Int(status))])
    }

    static func bad(_ sentence: String) -> Answer { Answer(400, sentence) }
  }

  func answer(by proxy: FaultProxy) async throws -> Answer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard parts.first == "faults", parts.count <= 2 else {
      return Answer(404, "expected GET, POST or DELETE /faults, or DELETE /faults/KIND")
    }
    switch (method, parts.count) {
    case ("GET", 1):
      return Answer(200, ["faults": .array(try await proxy.counts.map(\.json))])
    case ("POST", 1):
      do throws(LiveLabError) {
        let timed = try TimedFault(reading: body)
        try FaultProxy.check(timed)
        guard let count = try? await proxy.add(timed) else {
          return .bad("expected at most \(FaultProxy.mostAdded) faults that are added to a run")
        }
        return Answer(200, count.json)
      } catch {
        return .bad(String("\(error)".dropLast()))
      }
    case ("DELETE", _):
      let kind = parts.count == 2 ? Fault.Kind(name: String(parts.last ?? "")) : nil
      guard parts.count == 1 || kind != nil else {
        return Answer(404, "expected the kind of a fault after /faults/, such as black-hole")
      }
      let ended = try await proxy.end(kind)
      guard !ended.isEmpty || kind == nil else { return Answer(404, "no fault of this kind holds") }
      return Answer(200, ["ended": .array(ended.map { .string($0.withoutMoment) })])
    default: return Answer(405, "expected GET, POST or DELETE for /faults, and DELETE for /faults/KIND")
    }
  }
}

extension FaultProxy.Count {
  fileprivate var json: JSONValue {
    [
      "kind": .string(fault.fault.kind.name), "fault": .string(fault.withoutMoment),
      "at": .string(TimelineClock.text(of: fault.at)), "holds": .bool(holds),
      "tookEffect": .integer(Int(clamping: times)),
    ]
  }
}

/// Reads one request of a connection, and closes it after the answer.
private final class ControlHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let proxy: FaultProxy
  private var buffer = ByteBuffer()
  private var reader = HTTPHeadReader(limit: ControlRequest.longestHead)
  private var head: HTTPHead?
  private var isAnswered = false

  init(_ proxy: FaultProxy) { self.proxy = proxy }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    context.eventLoop.scheduleTask(in: .seconds(10)) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isAnswered else { return }
    var part = unwrapInboundIn(data)
    buffer.writeBuffer(&part)
    let (channel, proxy) = (context.channel, proxy)
    let request: ControlRequest?
    do throws(ControlRequest.Answer) {
      request = try ControlRequest(&buffer, &reader, &head)
    } catch {
      isAnswered = true
      return Self.end(channel, with: error)
    }
    guard let request else { return }
    isAnswered = true
    channel.eventLoop.makeFutureWithTask { try await request.answer(by: proxy) }
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
