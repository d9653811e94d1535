// SPDX-License-Identifier: Apache-2.0
package import LiveCore
package import NIOCore

/// The answer to an opening request, as written by a server or read by a client.
package struct OpeningResponse: Hashable, Sendable {
  package var status: UInt16
  package var fields: HTTPFields
  /// A text for people about a refusal, which clients ignore.
  package var body = ""

  /// The answer that opens the connection.
  package init(accepting request: OpeningRequest, _ agreement: Agreement) {
    status = 101
    fields = HTTPFields()
    fields.appendUnchecked("Upgrade", "websocket")
    fields.appendUnchecked("Connection", "Upgrade")
    fields.appendUnchecked("Sec-WebSocket-Accept", AcceptKey.answer(to: request.key))
    if let name = agreement.subprotocol { fields.appendUnchecked("Sec-WebSocket-Protocol", name) }
    if let compression = agreement.compression {
      fields.appendUnchecked("Sec-WebSocket-Extensions", compression.field.description)
    }
  }

  /// The answer that refuses a connection. The writer closes it.
  package init(rejecting rejection: OpeningRequest.Rejection) {
    status = rejection.status
    body = rejection.reason + "\n"
    fields = rejection.fields
    fields.appendUnchecked("Connection", rejection.fields["Upgrade"].isEmpty ? "close" : "close, Upgrade")
    fields.appendUnchecked("Content-Type", "text/plain; charset=utf-8")
    fields.appendUnchecked("Content-Length", String(body.utf8.count))
  }

  /// Any other answer, with a status and fields.
  package init(status: UInt16, fields: HTTPFields = HTTPFields()) { (self.status, self.fields) = (status, fields) }

  package func write(into buffer: inout ByteBuffer) {
    buffer.writeString("HTTP/1.1 \(status) \(Self.phrase(status))\r\n")
    fields.write(into: &buffer)
    buffer.writeString("\r\n")
    buffer.writeString(body)
  }

  private static func phrase(_ status: UInt16) -> String {
    switch status {
    case 101: "Switching Protocols"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    // RFC 9112, section 4: it may be empty.
    default: ""
    }
  }

  /// Reads answers, as a client does.
  package struct Reader {
    private var head: HTTPHeadReader

    /// A reader of heads of at most `limit` bytes.
    package init(limit: Int = HTTPHeadReader.defaultLimit) { head = HTTPHeadReader(limit: limit) }

    /// Takes the answer from the buffer, and nothing after it; nil if more bytes are needed. Call it again with the
    /// rest of the buffer and later bytes. Interim answers, such as 103, are skipped.
    ///
    /// - Throws: `HandshakeFailure` for bytes that are no HTTP/1.1, as soon as they arrive.
    package mutating func read(from buffer: inout ByteBuffer) throws(HandshakeFailure) -> OpeningResponse? {
      while let head = try readHead(from: &buffer) {
        let status = try OpeningResponse.status(startLine: head.startLine)
        if status == 101 || status >= 200 { return OpeningResponse(status: status, fields: head.fields) }
      }
      return nil
    }

    private mutating func readHead(from buffer: inout ByteBuffer) throws(HandshakeFailure) -> HTTPHead? {
      do throws(HTTPHeadError) {
        return try head.read(from: &buffer)
      } catch {
        switch error {
        case .malformed(let found): throw HandshakeFailure("the answer is no HTTP: \(found)")
        case .tooLong(let limit): throw HandshakeFailure("the head of the answer has more than \(limit) bytes")
        }
      }
    }
  }

  private static func status(startLine: String) throws(HandshakeFailure) -> UInt16 {
    let parts = startLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0", parts[1].utf8.count == 3,
      parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let status = UInt16(parts[1]), status >= 100
    else { throw HandshakeFailure("the answer is no HTTP: it begins with '\(startLine.printable)'") }
    guard status != 101 || parts[0] == "HTTP/1.1" else { throw HandshakeFailure("the answer has HTTP/1.0") }
    return status
  }

  /// The meaning of an answer for a client.
  package enum Outcome: Hashable, Sendable {
    case accepted(Agreement)
    /// Another status than 101; with the field `Location`, unchanged.
    case refused(Refusal, location: String?)
    /// A 101 that does not fit the request.
    case notWebSocket(HandshakeFailure)
  }

  /// Checks the answer by RFC 6455, section 4.1, to a request that went to `address`, at `now` in seconds since 1970 on
  /// the device's clock.
  package func check(against request: OpeningRequest, from address: WebSocketAddress, now: Int64) -> Outcome {
    guard status == 101 else {
      let location = fields["Location"].first
      let refusal = Refusal(
        status: status, retryAfter: fields["Retry-After"].first, date: fields["Date"].first, location: location,
        from: address.description, now: now)
      return .refused(refusal, location: location)
    }
    do {
      return .accepted(try agreement(on: request))
    } catch {
      return .notWebSocket(error)
    }
  }

  private func agreement(on request: OpeningRequest) throws(HandshakeFailure) -> Agreement {
    guard let upgrade = fields["Upgrade"].first, HTTPFields.isSame(upgrade, "websocket"), fields["Upgrade"].count == 1
    else { throw HandshakeFailure("the answer 101 does not upgrade to websocket") }
    guard fields.contains(token: "upgrade", in: "Connection") else {
      throw HandshakeFailure("the answer 101 has no Connection: Upgrade")
    }
    let expected = AcceptKey.answer(to: request.key)
    guard fields["Sec-WebSocket-Accept"] == [expected] else {
      let found = fields["Sec-WebSocket-Accept"].first.map { "'\($0.printable)'" } ?? "none"
      throw HandshakeFailure("the answer's Sec-WebSocket-Accept is \(found), expected '\(expected)'")
    }
    var agreement = Agreement()
    let names = fields["Sec-WebSocket-Protocol"]
    if let name = names.first {
      guard names.count == 1, request.subprotocols.contains(name) else {
        throw HandshakeFailure("the server chose the subprotocol '\(name.printable)', which was not asked for")
      }
      agreement.subprotocol = name
    }
    guard let extensions = ExtensionField.parse(fields["Sec-WebSocket-Extensions"]) else {
      throw HandshakeFailure("the answer's Sec-WebSocket-Extensions is no list of extensions")
    }
    if let first = extensions.first {
      guard !request.extensions.isEmpty, first.name == Compression.name, extensions.count == 1 else {
        let found = extensions.map(\.description).joined(separator: ", ").printable
        throw HandshakeFailure("the server chose the extensions '\(found)', which were not asked for")
      }
      agreement.compression = try Compression(answer: first)
    }
    return agreement
  }
}

/// The reason why an answer to an opening request is not that of a WebSocket server.
package struct HandshakeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One short sentence.
  package let description: String

  package init(_ description: String) { self.description = description }
}
