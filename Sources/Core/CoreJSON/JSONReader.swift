// SPDX-License-Identifier: Apache-2.0

extension JSONNode {
  /// Reads a JSON document strictly by RFC 8259: one value, with or without a byte order mark, and each name once in an
  /// object, compared as Swift compares strings.
  ///
  /// - Parameters:
  ///   - bytes: The document in UTF-8.
  ///   - document: The `document` of every node.
  ///   - deepest: The deepest nesting of arrays and objects. The reader is recursive.
  ///   - isForgiving: Whether a comma before a closing bracket is accepted, and an invalid text or number becomes
  ///     `.malformed`, for documents of which few values are used.
  /// - Throws: `JSONFault`.
  package init(
    parsing bytes: [UInt8], document: Int = 0, deepest: Int, isForgiving: Bool = false
  ) throws(JSONFault) {
    var reader = JSONReader(bytes: bytes, document: document, deepest: deepest, isForgiving: isForgiving)
    self = try reader.root()
  }
}

/// Reads the values of a text one after the other, as NDJSON, jq and documents appended to one file have them; with
/// `opensArrays` also the elements of each array at its top. Memory depends on the largest value.
package struct JSONValues {
  private enum Place { case outside, firstElement, behindElement }

  private let opensArrays: Bool
  private var reader: JSONReader
  private var state = Place.outside
  /// The start of the last value, and its line.
  private var start = (index: 0, line: 1)
  /// The line of the last value, from 1.
  package var line: Int { start.line }
  /// The number of arrays at the top that have begun.
  package private(set) var arrays = 0
  /// The number of the last value in its array, from 1; `nil` outside of arrays.
  package private(set) var element: Int?

  /// The values of a text, each read as by `JSONNode.init(parsing:)`; an array that is opened is no level of nesting.
  package init(parsing bytes: [UInt8], deepest: Int, isForgiving: Bool = false, opensArrays: Bool = true) {
    self.opensArrays = opensArrays
    reader = JSONReader(bytes: bytes, document: 0, deepest: deepest, isForgiving: isForgiving)
  }

  /// The next value; `nil` at the end.
  ///
  /// - Throws: `JSONFault`. The reading continues after `skipLine(after:)`.
  package mutating func next() throws(JSONFault) -> JSONNode? {
    while true {
      reader.skipSpace()
      (start.index, start.line) = (reader.index, reader.line)
      switch state {
      case .outside:
        element = nil
        guard reader.next != nil else { return nil }
        guard opensArrays, reader.skip("[") else { return try reader.value() }
        (state, element, arrays) = (.firstElement, 0, arrays + 1)
      case .firstElement:
        guard reader.skip("]") else { return try nextElement() }
        state = .outside
      case .behindElement:
        if reader.skip("]") {
          state = .outside
        } else if reader.skip(",") {
          if !reader.isForgiving || !reader.takes("]") { return try nextElement() }
          state = .outside
        } else {
          throw reader.fault(.noSeparator(before: "]"), from: reader.index)
        }
      }
    }
  }

  private mutating func nextElement() throws(JSONFault) -> JSONNode {
    (state, element) = (.behindElement, (element ?? 0) + 1)
    return try reader.value()
  }

  /// Skips the line where the last value began; if the fault is in a later line, also the lines up to one that begins
  /// an object or an array. Returns whether the reading continues: an array cannot be continued.
  package mutating func skipLine(after fault: JSONFault) -> Bool {
    guard state == .outside else { return false }
    var (index, line) = start
    repeat {
      guard let end = reader.bytes[index...].firstIndex(of: 0x0A) else {
        index = reader.bytes.count
        break
      }
      (index, line) = (end + 1, line + 1)
    } while fault.line > start.line && index < reader.bytes.count && !"{[".utf8.contains(reader.bytes[index])
    reader.move(to: index, line: line)
    return true
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  let document: Int
  let deepest: Int
  let isForgiving: Bool
  fileprivate private(set) var index = 0
  /// The line of the next byte, from 1.
  fileprivate private(set) var line = 1
  private var depth = 0

  init(bytes: [UInt8], document: Int, deepest: Int, isForgiving: Bool) {
    (self.bytes, self.document, self.deepest, self.isForgiving) = (bytes, document, deepest, isForgiving)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  mutating func root() throws(JSONFault) -> JSONNode {
    let value = try value()
    skipSpace()
    guard next == nil else { throw fault(.trailing, from: index) }
    return value
  }

  fileprivate var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  fileprivate func fault(_ kind: JSONFault.Kind, from start: Int) -> JSONFault {
    let end = min(index, bytes.count)
    return JSONFault(kind: kind, bytes: start..<end, line: line)
  }

  fileprivate mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      if byte == 0x0A { line += 1 }
      index += 1
    }
  }

  fileprivate mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  /// Skips white space, and the sign if it is next.
  fileprivate mutating func takes(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    return skip(sign)
  }

  fileprivate mutating func value() throws(JSONFault) -> JSONNode {
    skipSpace()
    let (start, line) = (index, line)
    let value: JSONNode.Value
    switch next {
    case UInt8(ascii: "{"): value = .object(try members())
    case UInt8(ascii: "["):
      var elements: [JSONNode] = []
      try list(closedBy: "]") { reader throws(JSONFault) in elements.append(try reader.value()) }
      value = .array(elements)
    case UInt8(ascii: "\""): value = try forgivenText().map(JSONNode.Value.string) ?? .malformed
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      value = try forgivenNumber().map(JSONNode.Value.number) ?? .malformed
    case UInt8(ascii: "t"): value = try word("true", .bool(true))
    case UInt8(ascii: "f"): value = try word("false", .bool(false))
    case UInt8(ascii: "n"): value = try word("null", .null)
    default: throw fault(.noValue, from: index)
    }
    return JSONNode(value: value, document: document, line: line, bytes: start..<index)
  }

  /// Continues at another place, at the beginning of a line.
  fileprivate mutating func move(to index: Int, line: Int) { (self.index, self.line, depth) = (index, line, 0) }

  private mutating func members() throws(JSONFault) -> [(name: String, value: JSONNode)] {
    var (members, names) = ([(name: String, value: JSONNode)](), Set<String>())
    // Few names are compared faster than hashed.
    let few = 12
    try list(closedBy: "}") { reader throws(JSONFault) in
      reader.skipSpace()
      let start = reader.index
      guard reader.next == UInt8(ascii: "\""), let name = try reader.forgivenText() else {
        throw reader.fault(.noName, from: start)
      }
      if members.count == few { names = Set(members.map(\.name)) }
      let isNew = members.count < few ? !members.contains { $0.name == name } : names.insert(name).inserted
      guard isNew else { throw reader.fault(.repeated(name), from: start) }
      guard reader.takes(":") else { throw reader.fault(.noColon(after: name), from: reader.index) }
      members.append((name, try reader.value()))
    }
    return members
  }

  /// Reads comma-separated parts, from the opening bracket to the closing one.
  private mutating func list(
    closedBy close: Unicode.Scalar, _ part: (inout JSONReader) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    (index, depth) = (index + 1, depth + 1)
    guard depth <= deepest else { throw fault(.tooDeep, from: index - 1) }
    defer { depth -= 1 }
    if takes(close) { return }
    repeat {
      try part(&self)
      if takes(close) { return }
      guard skip(",") else { throw fault(.noSeparator(before: close), from: index) }
    } while !isForgiving || !takes(close)
  }

  private mutating func word(_ word: String, _ value: JSONNode.Value) throws(JSONFault) -> JSONNode.Value {
    guard bytes[index...].starts(with: word.utf8) else { throw fault(.noValue, from: index) }
    index += word.utf8.count
    return value
  }

  /// Reads the text whose opening quote is at the current place.
  private mutating func text() throws(JSONFault) -> String {
    let start = index
    index += 1
    // The bytes before `plain`, with escapes resolved; empty without an escape.
    var (content, plain) = ([UInt8](), index)
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw fault(.controlCharacter, from: start) }
      guard byte == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let escape = EscapedScalar(bytes.span, at: index, before: bytes.count) else {
        throw fault(.badText, from: start)
      }
      content += bytes[plain..<index]
      content += String(escape.scalar).utf8
      index += escape.length
      plain = index
    }
    guard next != nil else { throw fault(.openText, from: start) }
    let rest = bytes[plain..<index]
    index += 1
    guard let text = String(validating: content.isEmpty ? rest : content + rest, as: UTF8.self) else {
      throw fault(.badText, from: start)
    }
    return text
  }

  /// Reads a text; `nil` for an invalid one that is forgiven and skipped up to its closing quote.
  private mutating func forgivenText() throws(JSONFault) -> String? {
    let start = index
    do throws(JSONFault) {
      return try text()
    } catch {
      guard isForgiving else { throw error }
      index = start + 1
      while let byte = next, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
      index = min(index, bytes.count)
      line += bytes[start..<index].count { $0 == UInt8(ascii: "\n") }
      guard next != nil else { throw fault(.openText, from: start) }
      index += 1
      return nil
    }
  }

  private mutating func number() throws(JSONFault) -> Double {
    let start = index
    _ = skip("-")
    let startsWithZero = next == UInt8(ascii: "0")
    guard case let digits = skipDigits(), digits == 1 || digits > 1 && !startsWithZero else {
      index = start
      throw fault(.number(expected: "a number without leading zeros"), from: start)
    }
    if skip("."), skipDigits() == 0 { throw fault(.number(expected: "digits behind the point"), from: start) }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      guard skipDigits() > 0 else { throw fault(.number(expected: "the digits of the exponent"), from: start) }
    }
    guard let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)), number.isFinite else {
      throw fault(.numberOutOfRange, from: start)
    }
    return number
  }

  private mutating func skipDigits() -> Int {
    let start = index
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    return index - start
  }

  /// Reads a number; `nil` for an invalid one that is forgiven and skipped up to white space or a sign of JSON.
  private mutating func forgivenNumber() throws(JSONFault) -> Double? {
    guard isForgiving else { return try number() }
    let number = try? number()
    let end = index
    while let byte = next, byte > 0x20, !",:]}[{\"".utf8.contains(byte) { index += 1 }
    return index == end ? number : nil
  }
}
