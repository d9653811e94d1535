// SPDX-License-Identifier: GPL-3.0-or-later

/// A command as a line to paste: a shell reads the same words from it, and it has no control characters.
public enum ShellLine {
  /// The words in one line, quoted where a shell would change them.
  public static func text(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    if word.unicodeScalars.contains(where: isHidden) { return "$'" + word.unicodeScalars.map(escaped).joined() + "'" }
    let isPlain = word.first.map { $0 != "=" } ?? false
    return isPlain && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./,=+:@%".contains($0) }
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// A character escaped for use between `$'` and `'`, as bash, zsh and ksh read it.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
    guard isHidden(scalar) else { return String(scalar) }
    return UTF8.encode(scalar).map { bytes in
      bytes.map { "\\x" + NumberFormat.hexadecimal($0, digits: 2) }.joined()
    } ?? ""
  }
}
