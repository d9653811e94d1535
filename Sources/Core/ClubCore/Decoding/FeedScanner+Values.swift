// SPDX-License-Identifier: Apache-2.0

extension FeedScanner {
  /// Passes over a value of any kind, all of which must be JSON; `depth` objects and arrays are open around it.
  mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) throws(FeedFault) {
    // One bit for each open level, set for objects: `FeedLimits.depth` of them are all that there can be.
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

  /// Whether an object or array whose bracket has been read has a value; an object's first key is passed.
  private mutating func enters(_ bytes: Span<UInt8>, isObject: Bool) throws(FeedFault) -> Bool {
    if isObject { return try key(bytes, isFirst: true) != nil }
    skipSpace(bytes)
    guard byte(bytes) == UInt8(ascii: "]") else { return true }
    position += 1
    return false
  }

  /// Whether an object or array has another value behind the one just read; the comma and an object's key are passed.
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

  /// Passes over `true`, `false` or `null`.
  private mutating func literal(_ bytes: Span<UInt8>) throws(FeedFault) {
    for word in ["true", "false", "null"] where matches(bytes, word) {
      position += word.utf8.count
      return
    }
    throw fault(bytes, at: position, expected: "a value of JSON")
  }

  /// Passes over `null`.
  ///
  /// - Returns: Whether it stood there.
  mutating func skipNull(_ bytes: Span<UInt8>) -> Bool {
    guard matches(bytes, "null") else { return false }
    position += 4
    return true
  }

  private func matches(_ bytes: Span<UInt8>, _ word: String) -> Bool {
    var index = position
    for byte in word.utf8 {
      guard index < end, bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// What stands at a place, for a person: a value's own spelling, shortened, or what kind of thing it is.
  func found(_ bytes: Span<UInt8>, at offset: Int) -> String {
    guard offset < end else { return ending.rawValue }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "an array"
    case UInt8(ascii: "\""): return Self.quoted(bytes, from: offset, to: end)
    case 0x80... where Self.lengthOfScalar(bytes, at: offset) == 0: return Self.spelling(of: bytes[offset])
    default: return Self.excerpt(bytes, from: offset, to: Self.wordEnd(bytes, from: offset))
    }
  }

  /// A single byte for a person.
  static func spelling(of byte: UInt8) -> String {
    (0x20..<0x7F).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte 0x" + String(byte, radix: 16, uppercase: true)
  }

  /// Where a number or word ends that begins at a place: it has one byte at least.
  private static func wordEnd(_ bytes: Span<UInt8>, from offset: Int) -> Int {
    var index = offset
    repeat { index += 1 } while index < bytes.count && !isSpace(bytes[index]) && !isStructure(bytes[index])
    return index
  }

  private static func isStructure(_ byte: UInt8) -> Bool { ",:]}[{\"".utf8.contains(byte) }

  /// A text with its quotes.
  private static func quoted(_ bytes: Span<UInt8>, from offset: Int, to end: Int) -> String {
    var index = offset + 1
    while index < end, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
    return excerpt(bytes, from: offset, to: min(index + 1, end))
  }

  /// Some bytes for a person: 40 at most, and no control character among them.
  static func excerpt(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> String {
    var shown: [UInt8] = []
    for index in start..<min(end, start + 40) { shown.append(bytes[index]) }
    // A character cut in two is left out.
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
