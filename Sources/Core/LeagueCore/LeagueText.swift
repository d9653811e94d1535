// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text on one line: white space at its ends is gone, and every run of control characters and line ends within
  /// is one space.
  package var singleLine: String {
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: if line.last != " " { line.append(" ") }
      default: line.append(scalar)
      }
    }
    return String(line).trimmed
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
