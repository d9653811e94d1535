// SPDX-License-Identifier: GPL-3.0-or-later

extension JSONValue {
  /// The deepest nesting of arrays and objects that is read.
  static let deepestNesting = 128

  /// Reads a JSON text, strictly by RFC 8259: one value, no comments, no trailing commas, each key once.
  ///
  /// Whole numbers without a point or an exponent come back as `.integer`, those from 2^63 to 2^64-1 as `.unsigned`,
  /// so that seeds keep their 64 bits; every other number comes back as `.number`.
  ///
  /// - Throws: `ReportingError.notJSON` with line and column.
  package init(parsing text: String, file: String = "JSON") throws(ReportingError) {
    var parser = JSONParser(text: text, file: file)
    self = try parser.document()
  }
}

/// A reader of JSON, byte by byte, with the position for errors.
struct JSONParser {
  let bytes: [UInt8]
  let file: String
  var position = 0

  init(text: String, file: String) {
    (bytes, self.file) = (Array(text.utf8), file)
  }

  /// The byte to read next; `nil` at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func document() throws(ReportingError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard next == nil else { throw problem("found more after the end of the value") }
    return value
  }

  private mutating func value(depth: Int) throws(ReportingError) -> JSONValue {
    skipSpace()
    guard depth <= JSONValue.deepestNesting else {
      throw problem("nested more than \(JSONValue.deepestNesting) deep")
    }
    switch next {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: return try word()
    }
  }

  private mutating func members(depth: Int) throws(ReportingError) -> [JSONMember] {
    var members: [JSONMember] = []
    var keys: Set<[UInt8]> = []
    try list(closedBy: "}") { parser throws(ReportingError) in
      parser.skipSpace()
      guard parser.next == UInt8(ascii: "\"") else { throw parser.problem("expected a key in quotation marks") }
      let start = parser.position
      let key = try parser.string()
      guard keys.insert(Array(key.utf8)).inserted else {
        throw parser.problem("the key '\(key)' stands here a second time", at: start)
      }
      parser.skipSpace()
      guard parser.skip(":") else { throw parser.problem("expected ':' after the key '\(key)'") }
      members.append(JSONMember(key, try parser.value(depth: depth + 1)))
    }
    return members
  }

  private mutating func elements(depth: Int) throws(ReportingError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try list(closedBy: "]") { parser throws(ReportingError) in
      elements.append(try parser.value(depth: depth + 1))
    }
    return elements
  }

  /// Reads comma-separated parts, from the opening bracket to the closing one.
  private mutating func list(
    closedBy close: Unicode.Scalar, part: (inout JSONParser) throws(ReportingError) -> Void
  ) throws(ReportingError) {
    position += 1
    skipSpace()
    if skip(close) { return }
    while true {
      try part(&self)
      skipSpace()
      if skip(close) { return }
      guard skip(",") else { throw problem("expected ',' or '\(close)'") }
    }
  }

  private mutating func word() throws(ReportingError) -> JSONValue {
    for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
    where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw problem(next == nil ? "the text ends where a value is expected" : "expected a value")
  }

  private mutating func number() throws(ReportingError) -> JSONValue {
    let start = position
    let isNegative = skip("-")
    let whole = position
    let digits = skipDigits()
    guard digits > 0, digits == 1 || bytes[whole] != UInt8(ascii: "0") else {
      throw problem("expected a number without leading zeros", at: start)
    }
    var isWhole = true
    if skip(".") {
      isWhole = false
      guard skipDigits() > 0 else { throw problem("expected digits behind the point") }
    }
    if skip("e") || skip("E") {
      isWhole = false
      if !skip("+") { _ = skip("-") }
      guard skipDigits() > 0 else { throw problem("expected the digits of the exponent") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, !(isNegative && text == "-0") {
      if let value = Int(text) { return .integer(value) }
      if let value = UInt64(text) { return .unsigned(value) }
    }
    guard let value = Double(text), value.isFinite else {
      throw problem("the number \(text) is out of range", at: start)
    }
    return .number(value)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  /// The error at a byte, the next one unless another is given; columns count characters.
  func problem(_ problem: String, at byte: Int? = nil) -> ReportingError {
    let before = bytes[..<min(byte ?? position, bytes.count)]
    let line = before.count { $0 == 0x0a } + 1
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return .notJSON(file: file, line: line, column: column, problem: problem)
  }
}

extension JSONParser {
  /// The text between quotation marks, escapes resolved.
  mutating func string() throws(ReportingError) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        content += try escape()
      case 0..<0x20:
        throw problem("a control character in a text, expected an escape such as \\n")
      default:
        content.append(byte)
        position += 1
      }
    }
    throw problem("the text that begins here has no end", at: start)
  }

  private mutating func escape() throws(ReportingError) -> [UInt8] {
    let start = position
    position += 1
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
      UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c,
      UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09,
    ]
    if skip("u") { return try unicode(from: start) }
    guard let byte = next.flatMap({ plain[$0] }) else {
      throw problem("an unknown escape, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", at: start)
    }
    position += 1
    return [byte]
  }

  /// The character of one escape, or of the two that stand for a character beyond 16 bits.
  private mutating func unicode(from start: Int) throws(ReportingError) -> [UInt8] {
    var code = try hexadecimal(from: start)
    if (0xd800..<0xdc00).contains(code) {
      guard skip("\\"), skip("u") else { throw problem("half of a surrogate pair", at: start) }
      let low = try hexadecimal(from: start)
      guard (0xdc00..<0xe000).contains(low) else { throw problem("half of a surrogate pair", at: start) }
      code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw problem("half of a surrogate pair", at: start) }
    return Array(String(scalar).utf8)
  }

  private mutating func hexadecimal(from start: Int) throws(ReportingError) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, text.allSatisfy(\.isHexDigit), let code = UInt32(text, radix: 16) else {
      throw problem("expected four hexadecimal digits after \\u", at: start)
    }
    position += 4
    return code
  }
}

/// A value of a JSON document with its place, for errors that name it.
///
/// Members that are not read are ignored, so that documents of a later version can be read as far as they agree.
package struct JSONField: Sendable {
  package let file: String
  /// The field's full name, for example `thresholds[2].line`.
  package let path: String
  package let value: JSONValue

  package init(_ value: JSONValue, file: String) { self.init(value, file: file, path: "") }

  private init(_ value: JSONValue, file: String, path: String) {
    (self.value, self.file, self.path) = (value, file, path)
  }

  /// The error that this value is not what is expected.
  package func bad(expected: String) -> ReportingError {
    .badMember(file: file, field: path.isEmpty ? "document" : path, found: found, expected: expected)
  }

  /// The member of an object; `nil` if it is missing.
  ///
  /// - Throws: `ReportingError.badMember` if the value is no object.
  package func member(_ key: String) throws(ReportingError) -> JSONField? {
    guard case .object(let members) = value else { throw bad(expected: "an object") }
    return members.first { $0.key == key }.map {
      JSONField($0.value, file: file, path: path(of: key))
    }
  }

  /// The member of an object that must be there.
  ///
  /// - Throws: `ReportingError.badMember` if it is missing, or the value is no object.
  package func required(_ key: String) throws(ReportingError) -> JSONField {
    guard let member = try member(key) else {
      throw .badMember(file: file, field: path(of: key), found: "nothing", expected: "a value")
    }
    return member
  }

  /// The member of an object; `nil` if it is missing or `null`.
  ///
  /// - Throws: `ReportingError.badMember` if the value is no object.
  package func optional(_ key: String) throws(ReportingError) -> JSONField? {
    guard let member = try member(key), member.value != .null else { return nil }
    return member
  }

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// The elements of an array.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func elements() throws(ReportingError) -> [JSONField] {
    guard case .array(let values) = value else { throw bad(expected: "an array") }
    return values.enumerated().map { JSONField($1, file: file, path: "\(path)[\($0 + 1)]") }
  }

  /// A text.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func string() throws(ReportingError) -> String {
    guard case .string(let text) = value else { throw bad(expected: "a text") }
    return text
  }

  /// `true` or `false`.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func bool() throws(ReportingError) -> Bool {
    guard case .bool(let flag) = value else { throw bad(expected: "true or false") }
    return flag
  }

  /// A whole number in a range.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func integer(in range: ClosedRange<Int> = Int.min...Int.max) throws(ReportingError) -> Int {
    guard case .integer(let number) = value, range.contains(number) else {
      let (low, high) = (range.lowerBound, range.upperBound)
      let bounds = low == .min ? "" : high == .max ? " from \(low) on" : " from \(low) to \(high)"
      throw bad(expected: "a whole number\(bounds)")
    }
    return number
  }

  /// A finite number in a range.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func number(in range: ClosedRange<Double>) throws(ReportingError) -> Double {
    guard let number, number.isFinite, range.contains(number) else {
      let (low, high) = (NumberFormat.shortest(range.lowerBound), NumberFormat.shortest(range.upperBound))
      throw bad(expected: "a number from \(low) " + (range.upperBound == .infinity ? "on" : "to \(high)"))
    }
    return number
  }

  /// A number as `JSONValue.figure` writes it, infinities and NaN included, that is not below `least`.
  ///
  /// - Throws: `ReportingError.badMember`.
  package func figure(from least: Double = -.infinity) throws(ReportingError) -> Double {
    let figure: Double? =
      switch value {
      case .null: .nan
      case .string("Infinity"): .infinity
      case .string("-Infinity"): -.infinity
      default: number
      }
    guard let figure, !(figure < least) else {
      let bound = least > -.infinity ? " from \(NumberFormat.shortest(least)) on" : ", '-Infinity'"
      throw bad(expected: "a number\(bound), 'Infinity' or null")
    }
    return figure
  }

  private var number: Double? {
    switch value {
    case .number(let number), .fixed(let number, _): number
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    default: nil
    }
  }

  private var found: String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .number(let number), .fixed(let number, _): NumberFormat.shortest(number)
    case .string(let text): "'\(text)'"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
