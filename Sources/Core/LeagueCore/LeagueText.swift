// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text on one line: white space at both ends is removed, and every run of control characters, line ends and
  /// bidirectional formatting characters becomes one space.
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

  /// The embeddings, overrides and isolates of Unicode Standard Annex 9, which can make a text look like another.
  private static let turns: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]

  /// The text as a JSON string on one line, so that it cannot end its quotation; text beyond a number of characters is
  /// cut off.
  func quoted(upTo maximum: Int) -> String {
    let line = singleLine
    let shown = line.prefix(maximum).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(shown)\(line.count > maximum ? "…" : "")\""
  }

  /// The text in quotes on one line, for errors.
  var excerpt: String {
    let line = singleLine
    return "\"\(line.prefix(60))\(line.count > 60 ? "…" : "")\""
  }

  /// The text without white space at both ends.
  var trimmed: String {
    // Scalars are compared, because a space with a combining accent is one `Character` that is not white space.
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    return String(
      String.UnicodeScalarView(unicodeScalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed()))
  }

  /// The text without white space at both ends; `nil` if nothing is left.
  var filled: String? {
    let rest = trimmed
    return rest.isEmpty ? nil : rest
  }
}
