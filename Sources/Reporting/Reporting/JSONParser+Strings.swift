// SPDX-License-Identifier: GPL-3.0-or-later

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
