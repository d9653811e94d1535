// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text on one line: white space at its ends is gone, and every run of control characters, line ends and marks
  /// that turn the writing direction within is one space.
  package var singleLine: String {
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator,
        .format where Self.turns.contains { $0.contains(scalar.value) }:
        if line.last != " " { line.append(" ") }
      default: line.append(scalar)
      }
    }
    return String(line).trimmed
  }

  /// The embeddings, overrides and isolates of Unicode Standard Annex 9, by which a text can look like another.
  private static let turns: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]

  /// The text as a string of JSON on one line, so that nothing in it passes for what stands around it; behind so many
  /// characters it is cut off.
  func quoted(upTo most: Int) -> String {
    let line = singleLine
    let shown = line.prefix(most).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(shown)\(line.count > most ? "…" : "")\""
  }

  /// The text in quotes on one line, for errors.
  var excerpt: String {
    let line = singleLine
    return "\"\(line.prefix(60))\(line.count > 60 ? "…" : "")\""
  }

  /// The text without white space at its ends.
  var trimmed: String {
    // By scalars: an accent behind a space is one character with it, and is none of the white space.
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    return String(
      String.UnicodeScalarView(unicodeScalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed()))
  }

  /// The text without white space at its ends, unless nothing is left.
  var filled: String? {
    let rest = trimmed
    return rest.isEmpty ? nil : rest
  }
}
