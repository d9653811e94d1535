// SPDX-License-Identifier: GPL-3.0-or-later
internal import Mustache

/// How templates write what comes from data: escaped for HTML, scalar by scalar.
///
/// A quotation mark and an accent that combines with it are one character of Swift, yet two for a browser; the accent
/// must not carry the mark past the escaping. Control characters, which HTML forbids, become the pictures that Unicode
/// has of them, so they are seen instead of lost.
struct PageText: MustacheContentType {
  /// What templates call it: every template begins with `{{% CONTENT_TYPE: PAGE}}`.
  static let name = "PAGE"

  func escapeText(_ text: String) -> String {
    var escaped = ""
    escaped.unicodeScalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(Self.shown(scalar))
      }
    }
    return escaped
  }

  /// The scalar itself, or what stands for one that a page may not hold.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09, 0x0A: scalar
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0xFDD0...0xFDEF: "\u{FFFD}"
    // What turns the direction of the text around it, beyond its own end.
    case 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar
    }
  }
}
