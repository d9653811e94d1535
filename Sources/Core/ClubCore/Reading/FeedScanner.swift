// SPDX-License-Identifier: Apache-2.0
internal import CoreDates
internal import CoreJSON

/// Scans the bytes of one activity, strictly by the grammar of JSON (RFC 8259). It is not recursive, so no nesting
/// exhausts the stack.
package struct FeedScanner {
  var position = 0
  let ending: FeedEnding
  /// The current field, for errors.
  var field = FeedField.whole

  /// The byte at the position; behind the end zero, which JSON never allows.
  func byte(_ bytes: Span<UInt8>) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  /// An error at an offset, in the current field.
  func fault(_ bytes: Span<UInt8>, at offset: Int, expected: String) -> FeedFault {
    FeedFault(offset: offset, field: field.spelling(in: bytes), found: found(bytes, at: offset), expected: expected)
  }

  /// The next key of an object whose brace has been read; `isFirst` for the first one. `nil` at the object's end, which
  /// is consumed.
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

  /// The text whose opening quote is at the position.
  mutating func text(_ bytes: Span<UInt8>) throws(FeedFault) -> TextRange {
    position += 1
    var text = TextRange(start: position)
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        text.end = position
        position += 1
        return text
      case UInt8(ascii: "\\"):
        guard let escape = EscapedScalar(bytes, at: position, before: bytes.count) else {
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

  /// The number of bytes of the multi-byte character at a position; 0 for invalid UTF-8.
  ///
  /// Source: The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
  package static func lengthOfScalar(_ bytes: Span<UInt8>, at position: Int) -> Int {
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

  /// The number that begins at the position.
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

  private mutating func digits(_ bytes: Span<UInt8>) throws(FeedFault) {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    guard position > start else { throw fault(bytes, at: position, expected: "a digit") }
  }
}

extension FeedScanner {
  /// Skips a JSON value of any kind and checks it; `depth` objects and arrays are open around it.
  mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) throws(FeedFault) {
    // One bit for each open level, set for objects: there are at most `FeedLimits.depth` levels.
    var objects: UInt64 = 0
    var open = 0
    while true {
      skipSpace(bytes)
      switch byte(bytes) {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth + open < FeedLimits.depth else {
          throw fault(bytes, at: position, expected: "at most \(FeedLimits.depth) levels of objects and arrays")
        }
        let isObject = byte(bytes) == UInt8(ascii: "{")
        objects = objects << 1 | (isObject ? 1 : 0)
        open += 1
        position += 1
        if try enters(bytes, isObject: isObject) { continue }
        objects >>= 1
        open -= 1
      case UInt8(ascii: "\""): _ = try text(bytes)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(bytes)
      default: try literal(bytes)
      }
      while open > 0, try !continues(bytes, isObject: objects & 1 == 1) {
        objects >>= 1
        open -= 1
      }
      if open == 0 { return }
    }
  }

  /// Whether an object or array whose bracket has been read has a value; an object's first key is consumed.
  private mutating func enters(_ bytes: Span<UInt8>, isObject: Bool) throws(FeedFault) -> Bool {
    if isObject { return try key(bytes, isFirst: true) != nil }
    skipSpace(bytes)
    guard byte(bytes) == UInt8(ascii: "]") else { return true }
    position += 1
    return false
  }

  /// Whether an object or array has another value behind the one just read; the comma and an object's key are consumed.
  private mutating func continues(_ bytes: Span<UInt8>, isObject: Bool) throws(FeedFault) -> Bool {
    if isObject { return try key(bytes, isFirst: false) != nil }
    skipSpace(bytes)
    switch byte(bytes) {
    case UInt8(ascii: ","): position += 1
    case UInt8(ascii: "]"):
      position += 1
      return false
    default: throw fault(bytes, at: position, expected: "',' or ']'")
    }
    return true
  }

  /// Skips `true`, `false` or `null`.
  private mutating func literal(_ bytes: Span<UInt8>) throws(FeedFault) {
    for word in ["true", "false", "null"] where matches(bytes, word) {
      position += word.utf8.count
      return
    }
    throw fault(bytes, at: position, expected: "a value of JSON")
  }

  mutating func skipNull(_ bytes: Span<UInt8>) -> Bool {
    guard matches(bytes, "null") else { return false }
    position += 4
    return true
  }

  private func matches(_ bytes: Span<UInt8>, _ word: String) -> Bool {
    var index = position
    for byte in word.utf8 {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// The value at an offset, for errors: its spelling, shortened, or its kind.
  func found(_ bytes: Span<UInt8>, at offset: Int) -> String {
    guard offset < bytes.count else { return ending.rawValue }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "an array"
    case UInt8(ascii: "\""): return Self.quoted(bytes, from: offset)
    case 0x80... where Self.lengthOfScalar(bytes, at: offset) == 0: return Self.spelling(of: bytes[offset])
    default: return Self.excerpt(bytes, from: offset, to: Self.wordEnd(bytes, from: offset))
    }
  }

  static func spelling(of byte: UInt8) -> String {
    (0x20..<0x7F).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte 0x" + String(byte, radix: 16, uppercase: true)
  }

  /// The end of the number or word that begins at an offset; it has at least one byte.
  private static func wordEnd(_ bytes: Span<UInt8>, from offset: Int) -> Int {
    var index = offset
    repeat { index += 1 } while index < bytes.count && !isSpace(bytes[index]) && !isStructure(bytes[index])
    return index
  }

  private static func isStructure(_ byte: UInt8) -> Bool { ",:]}[{\"".utf8.contains(byte) }

  private static func quoted(_ bytes: Span<UInt8>, from offset: Int) -> String {
    var index = offset + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return excerpt(bytes, from: offset, to: min(index + 1, bytes.count))
  }

  /// Some bytes for display: at most 40, without control characters.
  static func excerpt(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> String {
    var shown = (start..<min(end, start + 40)).map { bytes[$0] }
    // A truncated character is left out.
    if end > start + 40 { while let last = shown.last, last & 0xC0 == 0x80 { shown.removeLast() } }
    if end > start + 40, let last = shown.last, last >= 0xC0 { shown.removeLast() }
    var result = ""
    for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{FEFF}"
      result += isControl ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(Character(scalar))
    }
    return end > start + 40 ? "\(result)… (\(end - start) bytes)" : result
  }
}

/// An error in the bytes of an activity, before its place in the feed is known.
package struct FeedFault: Error, Hashable {
  /// The offset in bytes from the activity's first byte.
  var offset = 0
  /// The part of the activity; empty for the whole.
  var field = ""
  var found: String
  /// The value that was expected; `nil` if `found` is the service's own error message.
  var expected: String?

  func error(at place: FeedPlace) -> ClubError {
    guard let expected else { return .serviceRefused(place, message: found) }
    return .badFeed(place, field: field, found: found, expected: expected)
  }
}

/// The kind of end that follows the last byte of a scanner.
package enum FeedEnding: String {
  case line = "the end of the line"
  case feed = "the end of the feed"
}

/// The position of a text in a feed, between its quotes.
package struct TextRange {
  package fileprivate(set) var start = 0
  package fileprivate(set) var end = 0
  /// Whether it is ASCII without escapes, so that its bytes are its characters.
  package fileprivate(set) var isPlain = true

  var count: Int { end - start }

  /// The text's bytes, with escapes resolved.
  package func bytes(in bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var position = start
    while position < end {
      if bytes[position] == UInt8(ascii: "\\"), let escape = EscapedScalar(bytes, at: position, before: end) {
        result.append(contentsOf: Array(String(Character(escape.scalar)).utf8))
        position += escape.length
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }

  package func string(in bytes: Span<UInt8>) -> String { String(decoding: self.bytes(in: bytes), as: UTF8.self) }
}

/// A JSON number in its bytes, read exactly: its digits are never converted to binary fractions.
struct DecimalRange {
  var start = 0
  var end = 0
  var isNegative = false
  /// The end of the digits before the point.
  var wholeEnd = 0
  /// The end of all digits, including the point.
  var digitsEnd = 0
  /// The power of ten after `e`, within 10^7 of 0: the bytes of an activity cannot compensate for more.
  var exponent = 0

  /// Whether it is written as an integer, without a point and an exponent.
  var isPlainInteger: Bool { wholeEnd == end }

  /// The number times a power of ten, truncated to an integer.
  struct Scaled {
    /// The integer part, without the sign.
    var whole = 0
    /// The first digit after the integer part.
    var next: UInt8 = 0
    /// Whether only zeros were truncated.
    var isExact = true
  }

  /// The number times a power of ten, without its sign; `nil` beyond a limit.
  func scaled(in bytes: Span<UInt8>, byTenTo power: Int, upTo limit: Int) -> Scaled? {
    var result = Scaled()
    var left = wholeEnd - (isNegative ? start + 1 : start) + exponent + power
    for index in (isNegative ? start + 1 : start)..<digitsEnd where bytes[index] != UInt8(ascii: ".") {
      let digit = bytes[index] - UInt8(ascii: "0")
      if left > 0 {
        result.whole = result.whole * 10 + Int(digit)
        guard result.whole <= limit else { return nil }
      } else {
        if left == 0 { result.next = digit }
        result.isExact = result.isExact && digit == 0
      }
      left -= 1
    }
    while left > 0, result.whole > 0 {
      result.whole *= 10
      guard result.whole <= limit else { return nil }
      left -= 1
    }
    return result
  }
}

/// Times in the format of the feed: `2025-10-19T15:24:36Z`, by ISO 8601, in integer seconds of UTC.
package enum FeedMoment {
  /// The seconds since 1970-01-01T00:00:00Z; `nil` for any other text, and outside the years 1 to 9999.
  package static func seconds(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    guard end - start == 20 else { return nil }
    for (place, mark) in zip(0..., "dddd-dd-ddTdd:dd:ddZ".utf8) {
      let byte = bytes[start + place]
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard mark == UInt8(ascii: "d") ? isDigit : byte == mark else { return nil }
    }
    func pair(_ place: Int) -> Int {
      Int(bytes[start + place] - UInt8(ascii: "0")) * 10 + Int(bytes[start + place + 1] - UInt8(ascii: "0"))
    }
    let date = CivilDate(year: pair(0) * 100 + pair(2), month: pair(5), dayOfMonth: pair(8))
    let (hour, minute, second) = (pair(11), pair(14), pair(17))
    guard date.year > 0, date.exists, hour < 24, minute < 60, second < 60 else { return nil }
    return date.day * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// A time in this format, rounded down to the second; `nil` outside the years 1 to 9999.
  static func text(of moment: Moment) -> String? {
    let date = CivilDate(day: moment.seconds.floorDivided(by: 86_400))
    guard (1...9999).contains(date.year) else { return nil }
    let second = moment.seconds - date.day * 86_400
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
    return "\(date)T\(clock.joined(separator: ":"))Z"
  }
}
