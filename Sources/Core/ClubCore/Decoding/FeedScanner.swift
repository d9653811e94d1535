// SPDX-License-Identifier: Apache-2.0

/// Walks through the bytes of one activity, strictly by the grammar of JSON (RFC 8259). It never calls itself, so no
/// nesting exhausts the stack.
struct FeedScanner {
  /// The next byte.
  var position = 0
  /// Behind the last byte.
  let end: Int
  /// What lies behind the last byte.
  let ending: FeedEnding
  /// What is being read, for errors.
  var field = FeedField.whole

  init(_ bytes: Span<UInt8>, ending: FeedEnding) {
    (end, self.ending) = (bytes.count, ending)
  }

  /// The byte at the position; zero, which is no part of JSON, behind the end.
  func byte(_ bytes: Span<UInt8>) -> UInt8 { position < end ? bytes[position] : 0 }

  mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < end, Self.isSpace(bytes[position]) { position += 1 }
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  /// What is wrong at a place; the field is what is being read.
  func fault(_ bytes: Span<UInt8>, at offset: Int, expected: String) -> FeedFault {
    FeedFault(
      offset: offset, field: field.spelling(in: bytes), found: found(bytes, at: offset), expected: expected)
  }

  /// The next key of an object whose brace has been read, the first or a later one; nil at the object's end, which is
  /// passed.
  mutating func key(_ bytes: Span<UInt8>, isFirst: Bool) throws(FeedFault) -> TextRange? {
    skipSpace(bytes)
    if byte(bytes) == UInt8(ascii: "}") {
      position += 1
      return nil
    }
    if !isFirst {
      guard byte(bytes) == UInt8(ascii: ",") else { throw fault(bytes, at: position, expected: "',' or '}'") }
      position += 1
      skipSpace(bytes)
    }
    guard byte(bytes) == UInt8(ascii: "\"") else { throw fault(bytes, at: position, expected: "a key in quotes") }
    let key = try text(bytes)
    skipSpace(bytes)
    guard byte(bytes) == UInt8(ascii: ":") else { throw fault(bytes, at: position, expected: "':' behind the key") }
    position += 1
    skipSpace(bytes)
    return key
  }

  /// A text whose opening quote stands at the position.
  mutating func text(_ bytes: Span<UInt8>) throws(FeedFault) -> TextRange {
    position += 1
    var text = TextRange(start: position)
    while position < end {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        text.end = position
        position += 1
        return text
      case UInt8(ascii: "\\"):
        guard let escape = EscapedScalar(bytes, at: position, before: end) else {
          throw fault(bytes, at: position, expected: "an escape of JSON")
        }
        text.isPlain = false
        position += escape.length
      case ..<0x20:
        throw fault(bytes, at: position, expected: "no control character in a text")
      case 0x80...:
        let length = Self.lengthOfScalar(bytes, at: position)
        guard length > 0 else { throw fault(bytes, at: position, expected: "UTF-8") }
        text.isPlain = false
        position += length
      default:
        position += 1
      }
    }
    throw fault(bytes, at: position, expected: "the closing quote")
  }

  /// How many bytes the character of several bytes takes that begins at a place; zero for what is no UTF-8.
  ///
  /// Source: The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
  static func lengthOfScalar(_ bytes: Span<UInt8>, at position: Int) -> Int {
    let first = bytes[position]
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch first {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0x80...0xBF)
      }
    guard length > 0, position + length <= bytes.count, second.contains(bytes[position + 1]) else { return 0 }
    for index in position + 2..<max(position + 2, position + length) where bytes[index] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// A number that begins at the position.
  mutating func number(_ bytes: Span<UInt8>) throws(FeedFault) -> DecimalRange {
    var number = DecimalRange(start: position)
    if byte(bytes) == UInt8(ascii: "-") {
      number.isNegative = true
      position += 1
    }
    let whole = position
    try digits(bytes)
    guard position == whole + 1 || bytes[whole] != UInt8(ascii: "0") else {
      throw fault(bytes, at: number.start, expected: "a number without leading zeros")
    }
    number.wholeEnd = position
    if byte(bytes) == UInt8(ascii: ".") {
      position += 1
      try digits(bytes)
    }
    number.digitsEnd = position
    if byte(bytes) | 0x20 == UInt8(ascii: "e") { number.exponent = try exponent(bytes) }
    number.end = position
    return number
  }

  private mutating func exponent(_ bytes: Span<UInt8>) throws(FeedFault) -> Int {
    position += 1
    let isNegative = byte(bytes) == UInt8(ascii: "-")
    if isNegative || byte(bytes) == UInt8(ascii: "+") { position += 1 }
    let start = position
    try digits(bytes)
    var exponent = 0
    for index in start..<position { exponent = min(exponent * 10 + Int(bytes[index] - UInt8(ascii: "0")), 10_000_000) }
    return isNegative ? -exponent : exponent
  }

  /// One digit or more.
  private mutating func digits(_ bytes: Span<UInt8>) throws(FeedFault) {
    let start = position
    while position < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    guard position > start else { throw fault(bytes, at: position, expected: "a digit") }
  }
}
