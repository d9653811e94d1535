// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// Somebody else's text inside of Markdown.
enum MarkdownText {
  /// Takes the meaning from every mark in a text.
  ///
  /// - Parameter text: Anything; a bar is left to the table that it stands in.
  /// - Returns: The text such that Markdown shows it as it is: no emphasis, no link, no tag.
  static func escaped(_ text: String) -> String {
    TerminalText.harmless(text).map { character in
      switch character {
      case "\\", "`", "*", "_", "[", "]", "#", "~": "\\\(character)"
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      default: String(character)
      }
    }.joined()
  }
}
