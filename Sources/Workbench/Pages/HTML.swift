// SPDX-License-Identifier: GPL-3.0-or-later

/// A piece of HTML: literals of the source are verbatim, and interpolated values are escaped.
///
/// So no text of the data can become a tag or leave an attribute. Only `init(verbatim:)` does not escape: for the
/// style, the script and the pictures, which the program makes.
struct HTML: ExpressibleByStringInterpolation {
  let text: String

  init(verbatim text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ data: String) { text += HTML.escaped(data) }

    mutating func appendInterpolation(_ count: Int) { text += String(count) }

    mutating func appendInterpolation(_ parts: HTML...) { for part in parts { text += part.text } }

    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }

    /// The markup of a value, if there is one.
    mutating func appendInterpolation<Value>(_ value: Value?, _ html: (Value) -> HTML) {
      if let value { text += html(value).text }
    }

    mutating func appendInterpolation(_ html: HTML, if isThere: Bool) { if isThere { text += html.text } }

    /// The attribute `class`; nothing for an empty name.
    mutating func appendInterpolation(class name: String) {
      if !name.isEmpty { text += " class=\"\(HTML.escaped(name))\"" }
    }
  }

  /// A text escaped for HTML, scalar by scalar.
  ///
  /// A quotation mark and an accent that combines with it are one character of Swift, but two for a browser; the mark
  /// must be escaped in spite of the accent. Control characters, which HTML forbids, become their Unicode pictures, so
  /// they stay visible.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.unicodeScalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(shown(scalar))
      }
    }
    return escaped
  }

  /// The scalar itself, or a replacement for one that a page must not contain.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09, 0x0A: scalar
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0xFDD0...0xFDEF: "\u{FFFD}"
    // Characters that change the direction of the surrounding text.
    case 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar
    }
  }
}
