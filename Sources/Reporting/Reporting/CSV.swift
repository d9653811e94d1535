// SPDX-License-Identifier: GPL-3.0-or-later

/// Comma-separated values as RFC 4180 has them, with plain line feeds.
package enum CSV {
  /// One line of fields, quoted where they must be, with its line end.
  package static func line(_ fields: [String]) -> String {
    var line = ""
    for (place, text) in fields.enumerated() {
      if place > 0 { line += "," }
      line += field(text)
    }
    return line + "\n"
  }

  private static func field(_ text: String) -> String {
    // Nearly every field is plain, and to see that in its bytes is fast.
    let isPlain = text.utf8.allSatisfy { byte in
      (0x20...0x7E).contains(byte) && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
    }
    guard !isPlain, text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
