// SPDX-License-Identifier: GPL-3.0-or-later

enum ReadableText {
  /// A text as a Swift literal: in quotes, with everything escaped that cannot be seen or hides in its neighbour.
  static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "\0": literal += "\\0"
      default: literal += isVisible(scalar) ? String(scalar) : escape(scalar)
      }
    }
    return literal + "\""
  }

  /// A text without quotes, with everything but line ends escaped that cannot be seen.
  static func visible(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy({ $0 == "\n" || isVisible($0) }) { return text }
    return text.unicodeScalars.map { $0 == "\n" || isVisible($0) ? String($0) : escape($0) }.joined()
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  /// Whether a scalar shows by itself. Combining marks do not: "é" would look the same as one letter and as two.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20..<0x7f).contains(scalar.value) }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator, .nonspacingMark, .enclosingMark:
      false
    default: true
    }
  }
}

enum PlainText {
  /// The text with what cannot be seen, or changes how its neighbours are seen, written as `\u{...}`.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A property's id as one word that may name a folder: other bytes than letters, digits and `._-` as `%XX`.
  static func word(_ id: String) -> String {
    var result = ""
    for byte in id.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: byte == UInt8(ascii: ".") && !result.isEmpty
        }
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        result += (byte < 16 ? "%0" : "%") + hexadecimal(byte)
      }
    }
    return result
  }

  /// The id that `word` made the word of; nil where it made none like it.
  static func id(of word: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard let id = String(validating: bytes, as: UTF8.self), Self.word(id) == String(word) else { return nil }
    return id
  }

  private static func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }
}
