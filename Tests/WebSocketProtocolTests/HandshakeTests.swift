// SPDX-License-Identifier: Apache-2.0
internal import LiveCore
internal import NIOCore
internal import TestSupport
internal import Testing
internal import WebSocketProtocol

/// The request of RFC 6455, section 1.3, line by line.
private let exampleLines = [
  "GET /chat HTTP/1.1", "Host: server.example.com", "Upgrade: websocket", "Connection: Upgrade",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Origin: http://example.com",
  "Sec-WebSocket-Protocol: chat, superchat",
  "Sec-WebSocket-Version: 13",
]

/// The lines of a head, of which some may be replaced by others: by their beginnings.
private func head(_ lines: [String], _ replacements: [String: String] = [:]) -> ByteBuffer {
  let changed = lines.map { line in replacements.first { line.hasPrefix($0.key) }?.value ?? line }
  return ByteBuffer(string: changed.filter { $0 != "-" }.joined(separator: "\r\n") + "\r\n\r\n")
}

@Suite("Opening handshake: the accept key")
struct AcceptKeyTests {
  @Test(
    "answers the example of RFC 6455, section 1.3, and keys of every padding length",
    arguments: [
      ("dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
      (String(repeating: "a", count: 0), "Kfh9QIsMVZcl6xEPYxPHzW8SZ8w="),
      (String(repeating: "a", count: 19), "yzaGyu0mcUukN7CdsSwa30tnCpc="),
      (String(repeating: "a", count: 20), "dUYRM7bOMwDmbriNIPr11x+r3E0="),
      (String(repeating: "a", count: 27), "NCEiOv6lMC9mC8oEZnneqRdJ4DU="),
      (String(repeating: "a", count: 28), "xMWmCBqYJY4uXzUs8PNU1t+Pzro="),
      (String(repeating: "a", count: 83), "JM5KfcY+04u0quK7uTyka1S7/6k="),
      (String(repeating: "a", count: 84), "ulKRXZrQnbZPxNi6BcFGPe3Py5Q="),
    ])
  func answers(key: String, answer: String) { #expect(AcceptKey.answer(to: key) == answer) }
}

@Suite("Opening request, read by a server")
struct OpeningRequestTests {
  private func read(_ bytes: ByteBuffer, limit: Int = HTTPHeadReader.defaultLimit) -> Result<
    OpeningRequest?, OpeningRequest.Rejection
  > {
    var (reader, bytes) = (OpeningRequest.Reader(limit: limit), bytes)
    return Result { () throws(OpeningRequest.Rejection) in try reader.read(from: &bytes) }
  }

  private func status(_ bytes: ByteBuffer) -> UInt16? {
    switch read(bytes) {
    case .success(let request): request == nil ? nil : 101
    case .failure(let rejection): rejection.status
    }
  }

  @Test("the example of RFC 6455 is read byte by byte, and the bytes behind it stay in the buffer")
  func example() throws {
    var (all, buffer, reader) = (head(exampleLines), ByteBuffer(), OpeningRequest.Reader())
    all.writeString("next")
    var request: OpeningRequest?
    while request == nil, let byte = all.readSlice(length: 1) {
      buffer.writeImmutableBuffer(byte)
      request = try reader.read(from: &buffer)
    }
    let read = try #require(request)
    #expect(buffer.readableBytes == 0)
    #expect(all.readableBytes == 4)
    #expect(read.host == "server.example.com")
    #expect(read.path == "/chat")
    #expect(read.key == "dGhlIHNhbXBsZSBub25jZQ==")
    #expect(read.subprotocols == ["chat", "superchat"])
    #expect(read.extensions.isEmpty)
    #expect(read.fields.all.map(\.name) == ["Origin"])
    #expect(read.fields["origin"] == ["http://example.com"])
  }

  @Test(
    "a request with allowed variations is accepted",
    arguments: [
      ["Upgrade": "upgrade: foo/2, WebSocket"], ["Connection": "Connection: keep-alive, Upgrade"],
      ["GET": "GET /?a=b HTTP/1.1"],
      ["GET": "GET http://server.example.com/chat HTTP/1.1"], ["Host": "Host: [::1]:8080"],
      ["Host": "Host:\t127.0.0.1:9000 "],
      ["Sec-WebSocket-Protocol": "-"], ["Origin": "Content-Length: 0"], ["Origin": "X-Empty:"],
      ["Origin": "X-Word: Ümläut"],
      ["Origin": "Sec-WebSocket-Extensions: a; b=\"c\", d"],
      ["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol: a\r\nSec-WebSocket-Protocol: b"],
      ["Connection": "Connection: keep-alive\r\nConnection: upgrade"],
    ])
  func allowed(replacements: [String: String]) { #expect(status(head(exampleLines, replacements)) == 101) }

  @Test(
    "a bad request is refused with its status",
    arguments: [
      (["GET": "POST /chat HTTP/1.1"], 405), (["GET": "GET /chat HTTP/1.0"], 505), (["GET": "GET /chat HTTP/2"], 505),
      (["GET": "GET /chat"], 400), (["GET": "GET  /chat HTTP/1.1"], 400), (["GET": "GET /a b HTTP/1.1"], 400),
      (["GET": "GET chat HTTP/1.1"], 400), (["GET": "GET /chat#top HTTP/1.1"], 400),
      (["GET": "GET /chät HTTP/1.1"], 400),
      (["GET": "G(T /chat HTTP/1.1"], 400), (["GET": "GET ftp://a/chat HTTP/1.1"], 400),
      (["GET": " GET /chat HTTP/1.1"], 400),
      (["GET": "\r\nGET /chat HTTP/1.1"], 400), (["GET": "GET /chat HTTP/1.1\r"], 400),
      (["GET": "GET /ch\u{0}at HTTP/1.1"], 400),
      (["Host": "-"], 400), (["Host": "Host: a\r\nHost: a"], 400), (["Host": "Host:"], 400),
      (["Host": "Host: a b"], 400),
      (["Host": "Host: a/b"], 400), (["Host": "Host: u@a"], 400), (["Host": "Host: a:0"], 400),
      (["Host": "Host : a"], 400),
      (["Host": "Host: a\r\n b"], 400), (["Host": "Host: a\n"], 400), (["Host": "Host: a\rX: y"], 400),
      (["Host": "Host: a\u{7F}"], 400), (["Host": "Host"], 400), (["Host": ": a"], 400),
      (["Upgrade": "-"], 426), (["Upgrade": "Upgrade: h2c"], 426), (["Upgrade": "Upgrade: websockets"], 426),
      (["Connection": "Connection: close"], 400), (["Connection": "-"], 400),
      (["Sec-WebSocket-Version": "Sec-WebSocket-Version: 8"], 426), (["Sec-WebSocket-Version": "-"], 426),
      (["Sec-WebSocket-Version": "Sec-WebSocket-Version: 13, 8"], 426),
      (["Sec-WebSocket-Version": "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 13"], 400),
      (["Sec-WebSocket-Key": "-"], 400), (["Sec-WebSocket-Key": "Sec-WebSocket-Key: short=="], 400),
      (["Sec-WebSocket-Key": "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZR=="], 400),
      (["Sec-WebSocket-Key": "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j!Q=="], 400),
      (
        [
          "Sec-WebSocket-Key":
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        ], 400
      ),
      (["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol: a, a"], 400),
      (["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol: a b"], 400),
      (["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol:"], 400),
      (["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol: a,,b"], 400),
      (["Origin": "Sec-WebSocket-Extensions: a; =b"], 400), (["Origin": "Sec-WebSocket-Extensions: a; b=\"c d\""], 400),
      (["Origin": "Sec-WebSocket-Extensions: a;"], 400),
      (["Origin": "Content-Length: 3"], 400), (["Origin": "Transfer-Encoding: chunked"], 400),
      (["Origin": "Content-Length: 0\r\nContent-Length: 4"], 400),
    ] as [([String: String], UInt16)])
  func refused(replacements: [String: String], expected: UInt16) {
    #expect(status(head(exampleLines, replacements)) == expected)
  }

  @Test("a head beyond the limit and bytes that are not HTTP are refused early")
  func bounds() {
    let endless = ByteBuffer(string: "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 481))
    #expect(throws: OpeningRequest.Rejection.self) { try read(endless, limit: 500).get() }
    #expect(
      read(endless, limit: 500) == read(ByteBuffer(string: String(buffer: endless) + "\r\n\r\n"), limit: 500))
    #expect(status(ByteBuffer(bytes: [0x16, 0x03, 0x01])) == 400)
    #expect(status(ByteBuffer(string: "GET / HTTP/1.1\n")) == 400)
    // A head of exactly the limit is read.
    let example = head(exampleLines)
    for (limit, isGood) in [(example.readableBytes, true), (example.readableBytes - 1, false)] {
      let result = read(example, limit: limit)
      #expect(((try? result.get()) != nil) == isGood)
    }
  }

  @Test("the answer to another version names the supported one")
  func upgradeRequired() throws {
    guard
      case .failure(let rejection) = read(head(exampleLines, ["Sec-WebSocket-Version": "Sec-WebSocket-Version: 12"]))
    else {
      Issue.record("version 12 is taken")
      return
    }
    var bytes = ByteBuffer()
    OpeningResponse(rejecting: rejection).write(into: &bytes)
    #expect(
      String(buffer: bytes)
        == """
        HTTP/1.1 426 Upgrade Required\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Connection: close, Upgrade\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: 46\r
        \r
        this server speaks version 13 of the protocol

        """)
  }

  @Test("mutated requests never trap, and read the same however they are cut")
  func fuzz() {
    var generator = SplitMix64(seed: 12)
    var counts: [UInt16: Int] = [:]
    for _ in 0..<3_000 {
      var bytes = head(exampleLines)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        bytes.setInteger(
          UInt8.random(in: 0...255, using: &generator), at: Int.random(in: 0..<bytes.readableBytes, using: &generator))
      }
      let whole = status(bytes)
      var (reader, buffer, cut) = (OpeningRequest.Reader(), ByteBuffer(), UInt16?.none)
      while cut == nil,
        var piece = bytes.readSlice(length: min(bytes.readableBytes, Int.random(in: 1...40, using: &generator))),
        piece.readableBytes > 0
      {
        buffer.writeBuffer(&piece)
        do throws(OpeningRequest.Rejection) { cut = try reader.read(from: &buffer) == nil ? nil : 101 } catch {
          cut = error.status
        }
      }
      #expect(whole == cut)
      counts[whole ?? 0, default: 0] += 1
    }
    #expect(counts[101, default: 0] > 100 && counts[400, default: 0] > 500)
  }
}

@Suite("Opening response, read by a client")
struct OpeningResponseTests {
  private static let address = try? WebSocketAddress(parsing: "wss://server.example.com/chat")
  private static let lines = [
    "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "Sec-WebSocket-Protocol: chat",
  ]

  private func request(compresses: Bool = false) throws -> OpeningRequest {
    var generator = SplitMix64(seed: 1)
    let address = try #require(Self.address)
    var request = try OpeningRequest(
      to: address, subprotocols: ["chat", "superchat"], compresses: compresses, using: &generator)
    request.key = "dGhlIHNhbXBsZSBub25jZQ=="
    return request
  }

  private func outcome(_ bytes: ByteBuffer, compresses: Bool = false) throws -> OpeningResponse.Outcome? {
    var (reader, bytes) = (OpeningResponse.Reader(), bytes)
    do {
      return try reader.read(from: &bytes)?.check(
        against: try request(compresses: compresses), from: try #require(Self.address), now: 0)
    } catch let error as HandshakeFailure {
      return .notWebSocket(error)
    }
  }

  @Test(
    "client and server of this module agree", arguments: [false, true], [false, true])
  func bothEnds(isOffered: Bool, isWanted: Bool) throws {
    var (fields, generator) = (HTTPFields(), SplitMix64(seed: 7))
    try fields.append("Authorization", "Bearer 17")
    let address = try WebSocketAddress(parsing: "ws://127.0.0.1:9000/live?match=17")
    let request = try OpeningRequest(
      to: address, subprotocols: ["b", "a"], compresses: isOffered, fields: fields, using: &generator)
    var wire = ByteBuffer()
    request.write(into: &wire)
    var requests = OpeningRequest.Reader()
    let read = try #require(try requests.read(from: &wire))
    #expect(read.host == "127.0.0.1:9000")
    #expect(read.path == "/live?match=17")
    #expect(read.fields["authorization"] == ["Bearer 17"])
    let agreement = read.agreement(subprotocols: ["a", "c"], compresses: isWanted)
    #expect(agreement.subprotocol == "a")
    #expect((agreement.compression != nil) == (isOffered && isWanted))
    OpeningResponse(accepting: read, agreement).write(into: &wire)
    wire.writeString("frames")
    var responses = OpeningResponse.Reader()
    let answer = try #require(try responses.read(from: &wire))
    #expect(answer.check(against: request, from: address, now: 0) == .accepted(agreement))
    #expect(String(buffer: wire) == "frames")
  }

  @Test(
    "an answer with allowed variations is accepted",
    arguments: [
      [:], ["Sec-WebSocket-Protocol": "-"], ["Upgrade": "upgrade: WebSocket"],
      ["Connection": "Connection: keep-alive, upgrade"],
      ["HTTP": "HTTP/1.1 101 "], ["HTTP": "HTTP/1.1 101"],
      ["HTTP": "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 101 Yes"],
    ])
  func good(replacements: [String: String]) throws {
    guard case .accepted = try outcome(head(Self.lines, replacements)) else {
      Issue.record("\(String(describing: try outcome(head(Self.lines, replacements))))")
      return
    }
  }

  @Test(
    "a bad answer is refused with a reason",
    arguments: [
      ["HTTP": "HTTP/1.0 101 Switching Protocols"], ["HTTP": "HTTP/2 101"], ["HTTP": "SSH-2.0-OpenSSH_9.2"],
      ["HTTP": "HTTP/1.1 1010 x"],
      ["HTTP": "HTTP/1.1 099 x"], ["HTTP": "HTTP/1.1  101 x"], ["Upgrade": "-"], ["Upgrade": "Upgrade: h2c"],
      ["Upgrade": "Upgrade: websocket\r\nUpgrade: h2c"], ["Connection": "-"], ["Connection": "Connection: close"],
      ["Sec-WebSocket-Accept": "-"], ["Sec-WebSocket-Accept": "Sec-WebSocket-Accept: S3PPLMBITXAQ9KYGZZHZRBK+XOO="],
      [
        "Sec-WebSocket-Accept":
          "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
      ],
      ["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol: other"],
      ["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol: chat, superchat"],
      ["Sec-WebSocket-Protocol": "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: chat"],
      ["Sec-WebSocket-Protocol": "Sec-WebSocket-Extensions: permessage-deflate"],
      ["Sec-WebSocket-Protocol": "Sec-WebSocket-Extensions: ;"],
      ["Upgrade": "Upgrade: websocket\n"], ["Upgrade": "Upgrade: websocket\r\n folded"],
    ])
  func bad(replacements: [String: String]) throws {
    guard case .notWebSocket(let failure) = try outcome(head(Self.lines, replacements)) else {
      Issue.record("\(String(describing: try outcome(head(Self.lines, replacements))))")
      return
    }
    #expect(!failure.description.isEmpty)
  }

  @Test(
    "the server may choose an offered extension once",
    arguments: [
      ("permessage-deflate", true), ("permessage-deflate, permessage-deflate", false),
      ("permessage-deflate, other", false),
      ("permessage-deflate; client_max_window_bits", false), ("x-webkit-deflate-frame", false),
    ])
  func extensions(answer: String, isGood: Bool) throws {
    let bytes = head(Self.lines, ["Sec-WebSocket-Protocol": "Sec-WebSocket-Extensions: " + answer])
    let outcome = try outcome(bytes, compresses: true)
    #expect((outcome == .accepted(Agreement(compression: Compression()))) == isGood)
  }

  @Test("any other status is a refusal with its Retry-After and Location")
  func refusals() throws {
    let busy = ByteBuffer(string: "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 3\r\n\r\nno!")
    #expect(try outcome(busy) == .refused(Refusal(status: 503, retryAfter: .seconds(7)), location: nil))
    let moved = ByteBuffer(string: "HTTP/1.0 302 Found\r\nLocation: ws://other.example/x\r\n\r\n")
    #expect(try outcome(moved) == .refused(Refusal(status: 302, redirect: .plain), location: "ws://other.example/x"))
    let dated = ByteBuffer(
      string:
        "HTTP/1.1 429 Slow down\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        + "Date: Sun, 06 Nov 1994 08:49:30 GMT\r\n\r\n"
    )
    #expect(
      try outcome(dated) == .refused(Refusal(status: 429, retryAfter: .seconds(7), namesMoment: true), location: nil))
  }

  @Test("an answer beyond the limit is refused, and so are endless interim answers")
  func bounds() {
    for line in [
      "X: " + String(repeating: "a", count: 400), String(repeating: "\r\nHTTP/1.1 100 Continue\r\n", count: 30),
    ] {
      var (reader, bytes) = (OpeningResponse.Reader(limit: 200), ByteBuffer())
      bytes.writeString("HTTP/1.1 100 Continue\r\n" + line)
      #expect(throws: HandshakeFailure.self) { try reader.read(from: &bytes) }
    }
  }

  @Test(
    "a header field that would be misread is refused",
    arguments: [
      ("", "x"), ("a b", "x"), ("a:", "x"), ("a\r\nb", "x"), ("ä", "x"), ("a", "x\r\nb: c"), ("a", "x\u{0}"),
      ("a", " x"), ("a", "x\n"), ("a", "\u{7F}"),
    ])
  func fields(name: String, value: String) {
    var fields = HTTPFields()
    #expect(throws: InvalidField.self) { try fields.append(name, value) }
    #expect(fields.all.isEmpty)
  }

  @Test("fields of the handshake itself and bad subprotocols are refused")
  func ownFields() throws {
    var generator = SplitMix64(seed: 1)
    let address = try #require(Self.address)
    for name in ["host", "Upgrade", "connection", "SEC-WEBSOCKET-KEY", "Sec-WebSocket-Protocol", "Content-Length"] {
      var fields = HTTPFields()
      try fields.append(name, "x")
      #expect(throws: InvalidField.self) { try OpeningRequest(to: address, fields: fields, using: &generator) }
    }
    for subprotocols in [[""], ["a b"], ["a", "a"], ["a,b"]] {
      #expect(throws: InvalidField.self) {
        try OpeningRequest(to: address, subprotocols: subprotocols, using: &generator)
      }
    }
  }
}
