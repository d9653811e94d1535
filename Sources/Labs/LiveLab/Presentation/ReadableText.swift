// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// Sentences and shares as people read them on a terminal.
enum ReadableText {
  /// How many columns a line of sentences takes at the most.
  static let width = 110

  /// A text in lines of a width, broken between words; a word that is longer stands alone.
  ///
  /// - Parameters:
  ///   - text: Without line ends.
  ///   - width: How many columns a line takes at the most.
  ///   - mark: What stands before the first line, such as a hyphen; the others are indented as far.
  /// - Returns: The lines, with a line end behind each but the last.
  static func wrapped(_ text: String, to width: Int = width, mark: String = "") -> String {
    let indent = String(repeating: " ", count: mark.count)
    var (lines, line) = ([String](), mark)
    for word in text.split(separator: " ") {
      let isFirst = line == (lines.isEmpty ? mark : indent)
      if !isFirst, TerminalText.columns(of: line) + 1 + TerminalText.columns(of: String(word)) > width {
        lines.append(line)
        line = indent + word
      } else {
        line += (isFirst ? "" : " ") + word
      }
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// A share in per cent, rounded away from what it must not claim: downwards for the least that something is, upwards
  /// for the most.
  ///
  /// - Parameters:
  ///   - share: From 0 to 1.
  ///   - decimals: How many digits stand behind the point; none for exactly nothing and exactly all.
  ///   - rule: Downwards or upwards.
  /// - Returns: `99.998%`.
  static func percent(_ share: Double, decimals: Int, rounded rule: FloatingPointRoundingRule) -> String {
    guard share > 0, share < 1 else { return NumberFormat.fixed(share * 100, decimals: 0) + "%" }
    let scale = pow(10, Double(decimals))
    // A product is a hair off the decimal that it stands for: 0.29 times 100 is less than 29.
    let exact = share * 100 * scale
    let nearest = exact.rounded()
    let value = abs(exact - nearest) < 1e-7 ? nearest : exact.rounded(rule)
    return NumberFormat.fixed(value / scale, decimals: decimals) + "%"
  }
}
