// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A value of a JSON document with its place, so that an error can give the line and a corrected value can replace the
/// bytes of the old one.
struct TokenJSON: Sendable {
  indirect enum Value: Sendable {
    case null, bool(Bool), number(Double), string(String), array([TokenJSON])
    /// The members in the document's order, with distinct names.
    case object([(name: String, value: TokenJSON)])
  }

  let value: Value
  /// The index among the documents that a set was read from.
  let document: Int
  /// The line of the first byte, from 1.
  let line: Int
  /// The bytes of the value in its document.
  let bytes: Range<Int>

  subscript(name: String) -> TokenJSON? { members.first { $0.name == name }?.value }

  var members: [(name: String, value: TokenJSON)] {
    if case .object(let members) = value { members } else { [] }
  }
  var elements: [TokenJSON] { if case .array(let elements) = value { elements } else { [] } }
  var string: String? { if case .string(let text) = value { text } else { nil } }
  var number: Double? { if case .number(let number) = value { number } else { nil } }
  var isObject: Bool { if case .object = value { true } else { false } }

  /// The value for an error: the text of a string, or the kind of value.
  var found: String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .string(let text): "'\(text.prefix(60))'"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value merged with another: members of the same name are merged if both are objects, else replaced.
  func merged(with other: TokenJSON) -> TokenJSON {
    guard case .object(var joined) = value, case .object(let more) = other.value else { return other }
    // A token is replaced as a whole.
    if self["$value"] != nil || other["$value"] != nil || self["$ref"] != nil || other["$ref"] != nil { return other }
    var places = Dictionary(uniqueKeysWithValues: joined.enumerated().map { ($1.name, $0) })
    for (name, value) in more {
      if let place = places[name] {
        joined[place].value = joined[place].value.merged(with: value)
      } else {
        places[name] = joined.count
        joined.append((name, value))
      }
    }
    return TokenJSON(value: .object(joined), document: other.document, line: other.line, bytes: other.bytes)
  }
}

/// Reads JSON by RFC 8259, at most 100 levels deep; refuses a repeated name in an object.
struct TokenJSONReader {
  private let bytes: [UInt8]
  private let source: String
  private let document: Int
  private var place = 0
  private var line = 1
  private var depth = 0

  /// - Throws: `ContrastError` with the file, the line and the expected value.
  static func read(_ text: String, source: String, document: Int = 0) throws(ContrastError) -> TokenJSON {
    var reader = TokenJSONReader(Array(text.utf8), source, document)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.place == reader.bytes.count else { throw reader.error("the end of the file") }
    return value
  }

  private init(_ bytes: [UInt8], _ source: String, _ document: Int) {
    (self.bytes, self.source, self.document) = (bytes, source, document)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func error(_ expected: String, found: String? = nil) -> ContrastError {
    let rest = bytes[min(place, bytes.count)...].prefix(20).prefix { $0 != 0x0A }
    let here =
      rest.isEmpty
      ? (next == nil ? "the end of the file" : "the end of a line") : "'\(String(decoding: rest, as: UTF8.self))'"
    return ContrastError(file: source, line: line, path: "", found: found ?? here, expected: expected)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      place += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func value() throws(ContrastError) -> TokenJSON {
    skipSpace()
    let (start, first) = (place, line)
    let value: TokenJSON.Value
    switch next {
    case UInt8(ascii: "{"): value = try object()
    case UInt8(ascii: "["): value = try array()
    case UInt8(ascii: "\""): value = .string(try string())
    case UInt8(ascii: "t"): value = try word("true", .bool(true))
    case UInt8(ascii: "f"): value = try word("false", .bool(false))
    case UInt8(ascii: "n"): value = try word("null", .null)
    default: value = try number()
    }
    return TokenJSON(value: value, document: document, line: first, bytes: start..<place)
  }

  private mutating func nested<Content>(_ read: (inout Self) throws(ContrastError) -> Content) throws(ContrastError)
    -> Content
  {
    place += 1
    depth += 1
    guard depth <= 100 else { throw error("at most 100 levels") }
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func object() throws(ContrastError) -> TokenJSON.Value {
    try nested { (reader) throws(ContrastError) in
      var (members, names) = ([(name: String, value: TokenJSON)](), Set<String>())
      if reader.take(UInt8(ascii: "}")) { return .object([]) }
      repeat {
        reader.skipSpace()
        guard reader.next == UInt8(ascii: "\"") else { throw reader.error("a name in quotation marks") }
        let name = try reader.string()
        guard names.insert(name).inserted else {
          throw reader.error("each name once in an object", found: "'\(name)' again")
        }
        guard reader.take(UInt8(ascii: ":")) else { throw reader.error("':'") }
        members.append((name, try reader.value()))
      } while reader.take(UInt8(ascii: ","))
      guard reader.take(UInt8(ascii: "}")) else { throw reader.error("',' or '}'") }
      return .object(members)
    }
  }

  private mutating func array() throws(ContrastError) -> TokenJSON.Value {
    try nested { (reader) throws(ContrastError) in
      var elements: [TokenJSON] = []
      if reader.take(UInt8(ascii: "]")) { return .array([]) }
      repeat { elements.append(try reader.value()) } while reader.take(UInt8(ascii: ","))
      guard reader.take(UInt8(ascii: "]")) else { throw reader.error("',' or ']'") }
      return .array(elements)
    }
  }

  private mutating func word(_ word: String, _ value: TokenJSON.Value) throws(ContrastError) -> TokenJSON.Value {
    guard bytes[place...].starts(with: word.utf8) else { throw error("a value") }
    place += word.utf8.count
    return value
  }

  private mutating func number() throws(ContrastError) -> TokenJSON.Value {
    let start = place
    while let byte = next, "+-.eE0123456789".utf8.contains(byte) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    let digits = text.drop { $0 == "-" }
    guard let value = Double(text), value.isFinite, digits.first?.isNumber == true, text.last != ".",
      digits.first != "0" || digits.dropFirst().first?.isNumber != true
    else {
      place = start
      throw error("a value")
    }
    return .number(value)
  }

  private mutating func string() throws(ContrastError) -> String {
    let start = place
    place += 1
    var isPlain = true
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("'\"' before the end of the line") }
      if byte == UInt8(ascii: "\\") { (isPlain, place) = (false, place + 1) }
      place += 1
    }
    guard next != nil else { throw error("'\"'") }
    place += 1
    if isPlain { return String(decoding: bytes[start + 1..<place - 1], as: UTF8.self) }
    guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<place])) else {
      place = start
      throw error("a text with the escapes of JSON, surrogates in pairs")
    }
    return text
  }
}

/// An error in tokens, pairs or a colour.
public struct ContrastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file; empty for a value from the command line.
  public let file: String
  /// The line, from 1; 0 if unknown.
  public let line: Int
  /// The token or member, names joined by points; may be empty.
  public let path: String
  /// The value that was found.
  public let found: String
  /// The value that was expected, and how to correct it.
  public let expected: String

  init(file: String, line: Int, path: String, found: String, expected: String) {
    (self.file, self.line, self.path, self.found, self.expected) = (file, line, path, found, expected)
  }

  /// One sentence: the place, what was found, and what was expected.
  public var description: String {
    let place = file.isEmpty ? "" : line > 0 ? "\(file):\(line): " : "\(file): "
    return "\(place)\(path.isEmpty ? "" : "\(path): ")found \(found), expected \(expected)."
  }
}
