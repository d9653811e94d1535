// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A table prints as text, Markdown and CSV")
struct TableTests {
  private var table: Table {
    var table = Table([Table.Column("name"), Table.Column("value", .right), Table.Column("mark", .centre)])
    table.add(["a|b", "1.5", "x"])
    table.add(["say \"hi\", all", "-12"])
    return table
  }

  @Test("text is aligned, and nothing trails a line")
  func text() {
    #expect(
      table.text == """
        name           value  mark
        -------------  -----  ----
        a|b              1.5   x
        say "hi", all    -12

        """)
  }

  @Test("Markdown escapes the bars and carries the alignment")
  func markdown() {
    #expect(
      table.markdown == """
        | name | value | mark |
        | :-- | --: | :-: |
        | a\\|b | 1.5 | x |
        | say "hi", all | -12 |  |

        """)
  }

  @Test("CSV quotes what RFC 4180 says must be quoted, and only that")
  func csv() {
    #expect(table.csv == "name,value,mark\na|b,1.5,x\n\"say \"\"hi\"\", all\",-12,\n")
    #expect(CSV.line(["two\nlines", "cr\r", "", " plain "]) == "\"two\nlines\",\"cr\r\",, plain \n")
  }
}
