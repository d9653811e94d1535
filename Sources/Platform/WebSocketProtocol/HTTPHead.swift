// SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// The fields of a request or an answer, in their order (RFC 9110, section 5).
package struct HTTPFields: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var all: [Field] = []

  package init() {}

  /// Appends a field.
  ///
  /// - Throws: `InvalidField` if the name is no token, or the value has line ends, control characters, or blanks at an
  ///   end, which could be read as other fields.
  package mutating func append(_ name: String, _ value: String) throws(InvalidField) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
      throw InvalidField("the name of a header field has to be letters, digits and -, found '\(name.printable)'")
    }
    guard value.utf8.allSatisfy(Self.isValueByte), value.withoutBlanks.utf8.count == value.utf8.count else {
      throw InvalidField(
        "the header field '\(name)' may have no control characters and no blanks at its ends, found "
          + "'\(value.printable)'")
    }
    appendUnchecked(name, value)
  }

  mutating func appendUnchecked(_ name: String, _ value: String) { all.append(Field(name: name, value: value)) }

  /// The values of all fields of a name, in upper or lower case.
  package subscript(name: String) -> [String] {
    all.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// Returns true if one of the fields of a name is a list with this token, in upper or lower case.
  func contains(token: String, in name: String) -> Bool {
    self[name].contains { value in
      value.utf8.split(separator: UInt8(ascii: ",")).contains {
        Self.isSame(String(Substring($0)).withoutBlanks, token)
      }
    }
  }

  static func isSame(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }
}

/// A header field or a subprotocol that cannot be sent.
package struct InvalidField: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// A start line and fields.
package struct HTTPHead: Hashable {
  package var startLine: String
  package var fields: HTTPFields
}

/// The reason why bytes are no head of HTTP/1.1.
package enum HTTPHeadError: Error, Hashable {
  case malformed(String)
  case tooLong(limit: Int)
}

/// Reads a head (RFC 9112, sections 2 to 5) as its bytes arrive, each of them once. Strict: a line ends with CR LF, no
/// field continues in the next line, and there are no control characters.
package struct HTTPHeadReader {
  /// The default limit of a head in bytes.
  package static let defaultLimit = 16 << 10

  private let limit: Int
  private var scanned = 0
  private var lineLength = 0
  private var previous: UInt8 = 0

  package init(limit: Int) { self.limit = limit }

  /// Takes the head from the buffer, and nothing after it; nil if more bytes are needed.
  package mutating func read(from buffer: inout ByteBuffer) throws(HTTPHeadError) -> HTTPHead? {
    guard let length = try endOfHead(buffer) else { return nil }
    let text = buffer.readString(length: length) ?? ""
    self = HTTPHeadReader(limit: limit - length)
    return try Self.parse(text)
  }

  private mutating func endOfHead(_ buffer: ByteBuffer) throws(HTTPHeadError) -> Int? {
    let bytes = buffer.readableBytesUInt8Span
    while scanned < bytes.count {
      let byte = bytes[scanned]
      scanned += 1
      switch byte {
      case 0x0A:
        guard previous == 0x0D else { throw .malformed("a line that does not end with CR LF") }
        if lineLength == 0 { return scanned }
        lineLength = 0
      case _ where previous == 0x0D: throw .malformed("CR without LF")
      case 0x0D: break
      case 0x09, 0x20...0x7E, 0x80...: lineLength += 1
      default: throw .malformed("the control character \(byte)")
      }
      previous = byte
      guard scanned < limit else { throw .tooLong(limit: limit) }
    }
    return nil
  }

  private static func parse(_ text: String) throws(HTTPHeadError) -> HTTPHead {
    var lines = text.utf8.split(separator: 0x0A).map { $0.dropLast() }
    guard !lines.isEmpty, !lines[0].isEmpty else { throw .malformed("no start line") }
    var head = HTTPHead(startLine: String(Substring(lines.removeFirst())), fields: HTTPFields())
    // The last line is the empty one.
    for line in lines.dropLast() {
      let name = line.prefix(while: HTTPFields.isTokenByte)
      guard !name.isEmpty, line[name.endIndex...].first == UInt8(ascii: ":") else {
        throw .malformed("'\(String(Substring(line)).printable)' instead of a header field")
      }
      head.fields.appendUnchecked(
        String(Substring(name)), String(Substring(line[name.endIndex...].dropFirst())).withoutBlanks)
    }
    return head
  }
}

extension String {
  /// The text without blanks of HTTP at either end.
  var withoutBlanks: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var bytes = Substring(self).utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(Substring(bytes))
  }

  /// The text for an error message: without control characters, and not too long.
  package var printable: String {
    let shown = unicodeScalars.prefix(80).map { scalar in
      scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return shown.joined() + (unicodeScalars.count > 80 ? "…" : "")
  }
}
