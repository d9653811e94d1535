// SPDX-License-Identifier: GPL-3.0-or-later

extension JSONValue {
  /// How many arrays and objects may lie in one another.
  static let deepestNesting = 128

  /// Reads a JSON text, strictly by RFC 8259: one value, no comments, no trailing commas, each key once.
  ///
  /// Whole numbers without a point or an exponent come back as `.integer`, those from 2^63 to 2^64-1 as `.unsigned`,
  /// so that seeds keep their 64 bits; every other number comes back as `.number`.
  ///
  /// - Parameters:
  ///   - text: the whole text.
  ///   - file: the name that errors give it.
  /// - Throws: `ReportingError.notJSON` with line and column.
  package init(parsing text: String, file: String = "JSON") throws(ReportingError) {
    var parser = JSONParser(text: text, file: file)
    self = try parser.document()
  }
}

/// Reads JSON byte by byte; knows where it is for the errors.
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

  /// Parts with commas between them, from the opening bracket to the closing one.
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
    while let byte = next, [0x20, 0x0a, 0x0d, 0x09].contains(byte) { position += 1 }
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
