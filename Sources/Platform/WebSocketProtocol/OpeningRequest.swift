// SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// The first request of a client (RFC 6455, section 4.1), as written by a client or read by a server.
package struct OpeningRequest: Hashable, Sendable {
  /// The server's name in the request: a host, and a port unless it is the scheme's.
  package var host: String
  /// Path and query.
  package var path: String
  /// 16 random bytes in base64.
  package var key: String
  /// The subprotocols that the client supports, the best first.
  package var subprotocols: [String]
  /// The extensions that the client offers, the best first.
  package var extensions: [ExtensionField]
  /// All other fields.
  package var fields: HTTPFields
}

extension OpeningRequest {
  /// The request of a client.
  ///
  /// - Throws: `InvalidField` for a field that the handshake itself sets, or a subprotocol that is no token or given
  ///   twice.
  package init(
    to address: WebSocketAddress, subprotocols: [String] = [], compresses: Bool = false,
    fields: HTTPFields = HTTPFields(), using generator: inout some RandomNumberGenerator
  ) throws(InvalidField) {
    try Self.check(subprotocols: subprotocols)
    if let field = fields.all.first(where: { Self.isOwn($0.name) }) {
      throw InvalidField("the header field '\(field.name)' is set by the handshake itself")
    }
    let random: [UInt64] = [generator.next(), generator.next()]
    let bytes = random.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    self.init(
      host: address.authority, path: address.path, key: Base64.encode(bytes), subprotocols: subprotocols,
      extensions: compresses ? [Compression.offer] : [], fields: fields)
  }

  /// Throws for a subprotocol that is no token or given twice.
  package static func check(subprotocols: [String]) throws(InvalidField) {
    for (index, name) in subprotocols.enumerated() {
      guard !name.isEmpty, name.utf8.allSatisfy(HTTPFields.isTokenByte), !subprotocols[..<index].contains(name) else {
        throw InvalidField("a subprotocol has to be a name without blanks, given once, found '\(name.printable)'")
      }
    }
  }

  package func write(into buffer: inout ByteBuffer) {
    buffer.writeString("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
    buffer.writeString("Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n")
    if !subprotocols.isEmpty {
      buffer.writeString("Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))\r\n")
    }
    if !extensions.isEmpty {
      let list = extensions.map(\.description).joined(separator: ", ")
      buffer.writeString("Sec-WebSocket-Extensions: \(list)\r\n")
    }
    fields.write(into: &buffer)
    buffer.writeString("\r\n")
  }

  /// Reads requests, as a server does.
  package struct Reader {
    private var head: HTTPHeadReader

    /// A reader of heads of at most `limit` bytes.
    package init(limit: Int = HTTPHeadReader.defaultLimit) { head = HTTPHeadReader(limit: limit) }

    /// Takes the request from the buffer, and nothing after it; nil if more bytes are needed. Call it again with the
    /// rest of the buffer and later bytes.
    ///
    /// - Throws: `Rejection`, with the status to answer; bad bytes are refused as soon as they arrive.
    package mutating func read(from buffer: inout ByteBuffer) throws(Rejection) -> OpeningRequest? {
      let whole: HTTPHead?
      do throws(HTTPHeadError) {
        whole = try head.read(from: &buffer)
      } catch {
        switch error {
        case .malformed(let found): throw Rejection(400, "malformed request: \(found)")
        case .tooLong(let limit): throw Rejection(431, "request head of more than \(limit) bytes")
        }
      }
      return try whole.map { head throws(Rejection) in try OpeningRequest(head) }
    }
  }

  /// The reason why a server does not open a connection.
  package struct Rejection: Error, Hashable, Sendable {
    package let status: UInt16
    /// One short sentence.
    package let reason: String
    /// Fields of the answer.
    package var fields = HTTPFields()

    package init(_ status: UInt16, _ reason: String, fields: HTTPFields = HTTPFields()) {
      (self.status, self.reason, self.fields) = (status, reason, fields)
    }

    init(_ status: UInt16, _ reason: String, _ field: (name: String, value: String)...) {
      self.init(status, reason)
      for (name, value) in field { fields.appendUnchecked(name, value) }
    }
  }

  /// The agreement of a server: the client's first subprotocol that it supports, and compression if it compresses.
  package func agreement(subprotocols supported: [String], compresses: Bool) -> Agreement {
    Agreement(
      subprotocol: subprotocols.first { supported.contains($0) },
      compression: compresses ? Compression(accepting: extensions) : nil)
  }

  /// Checks a request by RFC 6455, section 4.2.1.
  private init(_ head: HTTPHead) throws(Rejection) {
    let path = try Self.path(startLine: head.startLine)
    let fields = head.fields
    let host = try Self.single("Host", of: fields)
    guard WebSocketAddress.isAuthority(host) else { throw Rejection(400, "no host in the field Host") }
    guard fields["Transfer-Encoding"].isEmpty, fields["Content-Length"].allSatisfy({ $0 == "0" }) else {
      throw Rejection(400, "an opening request has no body")
    }
    guard fields.contains(token: "websocket", in: "Upgrade") else {
      throw Rejection(
        426, "this is a WebSocket server", ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"))
    }
    guard fields.contains(token: "upgrade", in: "Connection") else {
      throw Rejection(400, "the field Connection has no token Upgrade")
    }
    let versions = fields["Sec-WebSocket-Version"]
    guard versions.count <= 1 else { throw Rejection(400, "the field Sec-WebSocket-Version comes twice") }
    guard versions.first == "13" else {
      throw Rejection(
        426, "this server speaks version 13 of the protocol", ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"))
    }
    let key = try Self.single("Sec-WebSocket-Key", of: fields)
    guard Base64.isOf16Bytes(key) else { throw Rejection(400, "Sec-WebSocket-Key is not 16 bytes in base64") }
    guard let subprotocols = Self.tokens(fields["Sec-WebSocket-Protocol"]) else {
      throw Rejection(400, "Sec-WebSocket-Protocol is no list of different names")
    }
    guard let extensions = ExtensionField.parse(fields["Sec-WebSocket-Extensions"]) else {
      throw Rejection(400, "Sec-WebSocket-Extensions is no list of extensions")
    }
    var others = HTTPFields()
    for field in fields.all where !Self.isOwn(field.name) { others.appendUnchecked(field.name, field.value) }
    self.init(
      host: host, path: path, key: key, subprotocols: subprotocols, extensions: extensions, fields: others)
  }

  private static func path(startLine: String) throws(Rejection) -> String {
    let parts = startLine.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].hasPrefix("HTTP/"), parts[0].utf8.allSatisfy(HTTPFields.isTokenByte),
      parts[1].utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") })
    else { throw Rejection(400, "malformed request line") }
    guard parts[2] == "HTTP/1.1" else { throw Rejection(505, "this server speaks HTTP/1.1") }
    guard parts[0] == "GET" else { throw Rejection(405, "the method has to be GET", ("Allow", "GET")) }
    let target = parts[1]
    if target.hasPrefix("/") { return String(target) }
    // An absolute address, as in a request to a proxy.
    guard let address = try? WebSocketAddress(parsing: String(target), alsoHTTP: true) else {
      throw Rejection(400, "the target of the request is neither a path nor an address")
    }
    return address.path
  }

  private static func single(_ name: String, of fields: HTTPFields) throws(Rejection) -> String {
    let values = fields[name]
    guard let value = values.first, values.count == 1 else {
      throw Rejection(400, "the field \(name) \(values.isEmpty ? "is missing" : "comes twice")")
    }
    return value
  }

  private static func tokens(_ values: [String]) -> [String]? {
    var tokens: [String] = []
    for value in values {
      var reader = FieldReader(value)
      repeat {
        guard let token = reader.token(), !tokens.contains(token) else { return nil }
        tokens.append(token)
      } while reader.take(",")
      guard reader.isAtEnd else { return nil }
    }
    return tokens
  }

  private static func isOwn(_ name: String) -> Bool {
    [
      "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",
      "Sec-WebSocket-Extensions", "Sec-WebSocket-Accept", "Content-Length", "Transfer-Encoding",
    ].contains { HTTPFields.isSame($0, name) }
  }
}

/// The agreement of both ends.
package struct Agreement: Hashable, Sendable {
  package var subprotocol: String?
  package var compression: Compression?

  package init(subprotocol: String? = nil, compression: Compression? = nil) {
    (self.subprotocol, self.compression) = (subprotocol, compression)
  }
}

extension HTTPFields {
  func write(into buffer: inout ByteBuffer) {
    for field in all { buffer.writeString("\(field.name): \(field.value)\r\n") }
  }
}
