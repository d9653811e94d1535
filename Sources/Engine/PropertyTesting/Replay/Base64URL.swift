// SPDX-License-Identifier: GPL-3.0-or-later

/// Bytes as letters, digits, `-` and `_`, without padding: RFC 4648, section 5.
///
/// A text that no bytes encode to is refused, so that every sequence of bytes has one text.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let values: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt32($0)) })

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for _ in 0...group.count {
        text.append(alphabet[Int(word >> 18 & 63)])
        word <<= 6
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (word, bits): (UInt32, UInt32) = (0, 0)
    for letter in text {
      guard let value = values[letter] else { return nil }
      word = word << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
        word &= (1 << bits) - 1
      }
    }
    return bits < 6 && word == 0 ? bytes : nil
  }
}
