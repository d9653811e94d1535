// SPDX-License-Identifier: GPL-3.0-or-later

/// Comma-separated values as RFC 4180 has them, with plain line feeds.
public enum CSV {
  /// One line of fields, quoted where they must be, with its line end.
  public static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  private static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
