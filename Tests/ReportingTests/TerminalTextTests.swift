// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A text is broken into lines of a width")
struct TerminalLinesTests {
  @Test("between words, and within a word only if it is wider than a line")
  func lines() {
    #expect(TerminalText.lines(of: "one two three", width: 7) == ["one two", "three"])
    #expect(TerminalText.lines(of: "one two three", width: 100) == ["one two three"])
    #expect(TerminalText.lines(of: "a 123456789 b", width: 4) == ["a", "1234", "5678", "9 b"])
    #expect(TerminalText.lines(of: "one\ntwo three", width: 5) == ["one", "two", "three"])
    #expect(TerminalText.lines(of: "日本語", width: 4) == ["日本", "語"])
    #expect(TerminalText.lines(of: "", width: 4) == [""])
  }

  @Test("folding takes time linear in the length")
  func long() {
    let text = String(repeating: "x", count: 100_000)
    #expect(TerminalText.lines(of: text, width: 80).map(\.count) == Array(repeating: 80, count: 1250))
    #expect(TerminalText.foldedCommand(text, width: 80).split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}

@Suite("Text as terminals show it")
struct TerminalTextTests {
  @Test(
    "the columns that a text takes",
    arguments: [
      ("", 0), ("Sarah M.", 8), ("Zoë", 3), ("Zoe\u{308}", 3), ("🥇", 2), ("👩‍👧", 2), ("🇩🇪 Uli", 6), ("❤️", 2), ("❤", 1),
      ("李 明", 5), ("ｶ", 1), ("한", 2), ("█▌", 2), ("↑ 12%", 5), ("\u{200B}", 0),
    ])
  func columns(text: String, columns: Int) {
    #expect(TerminalText.columns(of: text) == columns)
  }

  @Test("control characters, line ends and direction marks are shown as their code points")
  func harmless() {
    #expect(TerminalText.harmless("Zoë 李 👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿") == "Zoë 李 👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿")
    #expect(
      TerminalText.harmless("a\u{1B}[2Jb\r\n\t\u{7}\u{9B}\u{7F}\u{202E}c\u{2028}")
        == #"a\u{1B}[2Jb\r\n\t\u{7}\u{9B}\u{7F}\u{202E}c\u{2028}"#)
    #expect(TerminalText.harmless("a\nb\u{1B}", keepingLineEnds: true) == "a\nb\\u{1B}")
  }

  @Test(
    "no line is a command to a build server",
    arguments: [
      ("::error::x", #"\u{3A}:error::x"#),
      ("a\n \u{A0}::warning file=x::y\nb", "a\n \u{A0}\\u{3A}:warning file=x::y\nb"),
      ("::\u{301}", "\\u{3A}:\u{301}"), ("a ##[error]b", #"a \u{23}#[error]b"#), ("a::b: c # d", "a::b: c # d"),
      ("## Title\n\n[x]", "## Title\n\n[x]"),
    ])
  func commands(text: String, shown: String) {
    #expect(TerminalText.withoutCommands(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test("a table stays aligned with wide characters, and shows escape sequences")
  func aligned() {
    let table = Table(["who"], numbers: ["km"], rows: [["🥇 Ann", "1"], ["\u{1B}[1mUli\u{1B}[0m", "12"]])
    #expect(
      table.text() == """
        who                    km
        ---------------------  --
        🥇 Ann                  1
        \\u{1B}[1mUli\\u{1B}[0m  12

        """)
  }
}
