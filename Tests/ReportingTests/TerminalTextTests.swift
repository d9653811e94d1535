// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A text is broken into lines of a width")
struct TerminalLinesTests {
  @Test("between words, and within a word only where it is wider than a line")
  func lines() {
    #expect(TerminalText.lines(of: "one two three", width: 7) == ["one two", "three"])
    #expect(TerminalText.lines(of: "one two three", width: 100) == ["one two three"])
    #expect(TerminalText.lines(of: "a 123456789 b", width: 4) == ["a", "1234", "5678", "9 b"])
    #expect(TerminalText.lines(of: "one\ntwo three", width: 5) == ["one", "two", "three"])
    #expect(TerminalText.lines(of: "日本語", width: 4) == ["日本", "語"])
    #expect(TerminalText.lines(of: "", width: 4) == [""])
  }

  @Test("a command in lines is the same command to a shell", arguments: [8, 12, 30, 200])
  func command(width: Int) {
    let command = "assay properties replay live.5:1:BAEBAAMCAAABCAAACQgACf_IAQEBAgEBBAAB --mutant as-first-sketched"
    let folded = TerminalText.foldedCommand(command, width: width)
    #expect(folded.split(separator: "\n").allSatisfy { $0.count <= width })
    #expect(folded.replacing("\\\n", with: "") == command)
  }
}

@Suite("Text as terminals show it")
struct TerminalTextTests {
  @Test(
    "the columns that a text takes",
    arguments: [
      ("", 0), ("Sarah M.", 8), ("Zoë", 3), ("Zoe\u{308}", 3), ("🥇", 2), ("👩‍👧", 2), ("🇩🇪 Uli", 6), ("❤️", 2), ("❤", 1),
      ("李 明", 5), ("ｶ", 1), ("한", 2), ("█▌", 2), ("↑ 12%", 5), ("\u{200B}", 0),
      ("\u{1B}[38;2;1;2;3mred\u{1B}[0m", 3), ("\u{1B}[1m[x]\u{1B}[0m", 3),
    ])
  func columns(text: String, columns: Int) {
    #expect(TerminalText.columns(of: text) == columns)
  }

  @Test("what moves a cursor or turns the writing direction becomes a replacement character")
  func harmless() {
    #expect(TerminalText.harmless("Zoë 李 👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿") == "Zoë 李 👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿")
    #expect(TerminalText.harmless("a\u{1B}[2Jb\r\n\u{7}\u{202E}c\u{2028}") == "a�[2Jb����c�")
  }

  @Test("a table stays aligned with wide characters and with colours")
  func aligned() {
    var table = Table([Table.Column("who"), Table.Column("km", .right)])
    table.add(["🥇 Ann", "1"])
    table.add(["\u{1B}[1mUli\u{1B}[0m", "12"])
    #expect(
      table.text() == """
        who     km
        ------  --
        🥇 Ann   1
        \u{1B}[1mUli\u{1B}[0m     12

        """)
  }
}
