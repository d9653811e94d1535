// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Testing

@Suite("A table prints as text, Markdown and CSV")
struct TableTests {
  private var table: Table {
    Table(
      [Table.Column("name"), Table.Column("value", .right), Table.Column("mark", .centre)],
      rows: [["a|b", "1.5", "x"], ["say \"hi\", all", "-12"]])
  }

  @Test("text is aligned, without trailing spaces")
  func text() {
    #expect(
      table.text() == """
        name           value  mark
        -------------  -----  ----
        a|b              1.5   x
        say "hi", all    -12

        """)
  }

  private var sentences: Table {
    Table(
      ["name"], numbers: ["cases passed"], ["what is claimed"],
      rows: [
        ["live.5", "1,000", "There are as many waits as the policy has attempts"], ["live.12", "7", "None"],
      ])
  }

  @Test("if it is too wide, headings and texts are wrapped, numbers never")
  func wrapped() {
    #expect(
      sentences.text(width: 36) == """
        name         cases  what is claimed
                    passed
        -------  ---------  ----------------
        live.5       1,000  There are as
                            many waits as
                            the policy has
                            attempts
        live.12          7  None

        """)
  }

  @Test("if wrapping does not suffice, empty columns are omitted, and constant ones listed below")
  func repetition() {
    let table = Table(
      ["name"], numbers: ["value"], ["version", "remark"],
      rows: [["reconnect.median[lift]", "1", "0.1.0", ""], ["wins", "2", "0.1.0", ""]])
    #expect(
      table.text(width: 30) == """
        name                    value
        ----------------------  -----
        reconnect.median[lift]      1
        wins                        2

        In every row: version 0.1.0.

        """)
  }

  @Test("if nothing suffices, each row becomes a record without its empty cells")
  func records() {
    var table = sentences
    table.add(["live.13", "", "x"])
    #expect(
      table.text(width: 30) == """
        name: live.5
        cases passed: 1,000
        what is claimed: There are
          as many waits as the policy
          has attempts

        name: live.12
        cases passed: 7
        what is claimed: None

        name: live.13
        what is claimed: x

        """)
  }

  @Test("no line is wider than requested, for any cells", arguments: [1, 7, 20, 33, 60, 79])
  func width(width: Int) {
    var table = sentences
    table.add(["a token of \(String(repeating: "x", count: 90))", "12", "日本語 \(String(repeating: "語", count: 50))"])
    let lines = table.text(width: width).split(separator: "\n").map { TerminalText.columns(of: String($0)) }
    // A character that takes two columns does not fit in one, nor does the margin of a record.
    #expect(lines.allSatisfy { $0 <= max(4, width) }, "\(lines)")
  }

  @Test("rows of JSON have its names as columns, joined for nested objects, without nested lists")
  func json() {
    let records: [JSONValue] = [
      [
        "policy": "a,b", "success": ["share": .fixed(0.5, decimals: 3), "low": .null], "clients": 1000, "steps": .null,
      ],
      [
        "policy": "grpc", "success": .null, "last": .bool(true), "steps": .array(["up", 2]), "list": .array([["a": 1]]),
      ],
    ]
    #expect(
      Table(records: records).csv == """
        policy,successShare,successLow,clients,steps,last
        "a,b",0.500,,1000,,
        grpc,,,,up; 2,true

        """)
    #expect(
      Table(records: records, without: ["success", "steps", "last"]).csv == "policy,clients\n\"a,b\",1000\ngrpc,\n")
    #expect(Table(records: []).csv.isEmpty)
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

  @Test("Markdown shows names of people unchanged, whatever they mean in Markdown or HTML")
  func names() {
    // After a public report about names with symbols in leagues (issue 49).
    let names = ["<script>alert(1)</script>", #"¯\_(ツ)_/¯"#, "*Ann* & `co`"]
    #expect(
      Table(["team"], rows: names.map { [$0] }).markdown == #"""
        | team |
        | :-- |
        | &lt;script&gt;alert(1)&lt;/script&gt; |
        | ¯\\\_(ツ)\_/¯ |
        | \*Ann\* &amp; \`co\` |

        """#)
  }

  @Test("CSV quotes exactly the cells that RFC 4180 requires")
  func csv() {
    #expect(table.csv == "name,value,mark\na|b,1.5,x\n\"say \"\"hi\"\", all\",-12,\n")
    #expect(CSV.line(["two\nlines", "cr\r", "", " plain "]) == "\"two\nlines\",\"cr\r\",, plain \n")
  }

  @Test(
    "a text in CSV is no formula to a spreadsheet",
    arguments: [
      ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
      ("-2+3", "'-2+3"), ("-", "-"), ("--", "'--"), ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""), ("＝1", "'＝1"),
      ("-nan(A1)", "'-nan(A1)"), ("-1; =1", "'-1; =1"),
    ])
  func formulas(text: String, cell: String) {
    let table = Table([text, "plain"], rows: [[text, "a=1"]])
    #expect(table.csv == "\(cell),plain\n\(cell),a=1\n")
    #expect(!table.markdown.contains("'\(text)"))
  }

  @Test(
    "signed numbers in CSV are written unquoted and unescaped",
    arguments: ["-1.5", "+3", "-1e-05", "-0", "-1.5; 2; -3", "1-1", ""])
  func numbers(text: String) {
    let table = Table(["number", "next"], rows: [[text, "x"]])
    #expect(table.csv == "number,next\n\(text),x\n")
  }
}
