// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Whether and how a stream shows colours: on a terminal only, and not where `NO_COLOR` or `TERM=dumb` asks for none.
package struct TerminalStyle: Hashable, Sendable {
  /// Whether colours are shown.
  package let isColoured: Bool

  /// A style without or with colours, whatever the stream.
  package init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// The style of a stream.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the stream is a terminal; see `isTerminal(_:)`.
  ///   - environment: the process's variables; any `NO_COLOR` that is not empty turns colours off (no-color.org).
  package init(isTerminal: Bool, environment: [String: String]) {
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isColoured = isTerminal && !refused && environment["TERM"] != "dumb"
  }

  /// Whether a file descriptor is a terminal: 1 for the output, 2 for errors.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The text on a background of that colour, in the ink that is read best on it.
  package func painted(_ text: String, on colour: Colour) -> String {
    guard isColoured else { return text }
    let ink = colour.bestInk
    return "\u{1B}[38;2;\(ink.red);\(ink.green);\(ink.blue);48;2;\(colour.red);\(colour.green);\(colour.blue)m"
      + text + "\u{1B}[0m"
  }

  /// The text in that colour.
  package func inked(_ text: String, in colour: Colour) -> String {
    isColoured ? "\u{1B}[38;2;\(colour.red);\(colour.green);\(colour.blue)m\(text)\u{1B}[0m" : text
  }

  /// The text in bold.
  package func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// The text in a fainter ink.
  package func faint(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
