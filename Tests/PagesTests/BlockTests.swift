// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@testable import Pages

@Suite("Blocks of a report")
struct BlockTests {
  static func html(_ blocks: [ReportBlock]) -> String {
    ReportPage(
      title: "T", judgement: nil, thresholds: [], sections: [ReportSection(id: "s", title: "S", blocks: blocks)],
      scenario: "", command: "", facts: []
    ).html { _ in nil }
  }

  static func table(_ rows: [[String]], columns: [Table.Column]) -> ReportTable {
    var table = Table(columns)
    for row in rows { table.add(row) }
    return ReportTable(caption: "C", table)
  }

  @Test("a table heads its columns and rows, and numbers lean to the right")
  func table() {
    let html = Self.html([
      .table(Self.table([["a", "1"]], columns: [Table.Column("Name"), Table.Column("Count", .right)]))
    ])
    #expect(html.contains("<caption><span>C</span></caption>"))
    #expect(html.contains("<tr><th scope=\"col\">Name<th scope=\"col\" class=\"n\">Count</thead>"))
    #expect(html.contains("<tr><th scope=\"row\">a<td class=\"n\">1\n"))
  }

  @Test("what has no text heads nothing, and a table without rows says so")
  func emptyParts() {
    let columns = [Table.Column(""), Table.Column("Count", .right)]
    let html = Self.html([.table(Self.table([["", "1"]], columns: columns)), .table(Self.table([], columns: columns))])
    #expect(html.contains("<tr><td><th scope=\"col\" class=\"n\">Count</thead>"))
    #expect(html.contains("<tr><td><td class=\"n\">1\n"))
    #expect(html.contains("<tr><td colspan=\"2\">There are no rows."))
  }

  @Test("details with a table too long for paper stay closed there", arguments: [(40, false), (41, true)])
  func longDetails(rows: Int, isLong: Bool) {
    let table = Self.table((0..<rows).map { ["\($0)"] }, columns: [Table.Column("x")])
    let html = Self.html([.details(summary: "More", [.part(title: "P", judgement: nil, [.table(table)])])])
    #expect(html.contains("<details class=\"long\">") == isLong)
    #expect(html.contains("<details>") != isLong)
  }

  @Test("parts go down to the sixth level of headings and no further")
  func levels() {
    let deep = (0..<6).reduce(ReportBlock.paragraph("x")) { .part(title: "P\($1)", judgement: nil, [$0]) }
    let html = Self.html([deep])
    #expect(html.contains("<h3>P5</h3>") && html.contains("<h6>P2</h6>") && html.contains("<h6>P0</h6>"))
    #expect(!html.contains("<h7"))
  }

  @Test("a judgement is a word and a sign", arguments: Judgement.allCases)
  func judgement(judgement: Judgement) {
    let html = Self.html([.part(title: "P", judgement: judgement, [])])
    #expect(html.contains("<use href=\"#sign-\(judgement.rawValue)\"/></svg> \(Verdict.word(for: judgement))</span>"))
  }

  @Test("the numbers of a grid's cells stand in the order of the cells, and equal colours share a class")
  func grid() {
    let html = Self.html([.grid(Samples.grid({ $0 }, rows: 3))])
    let names = html.matches(of: /aria-label="(row \d+ against \d+)/).map { String($0.1) }
    let captions = html.matches(of: /<span>R(ow \d+ against \d+): what/).map { "r" + String($0.1) }
    #expect(names.count == 30)
    #expect(names == captions)
    #expect(html.contains(".k4 {") && !html.contains(".k5 {"))
    #expect(html.contains("<i>≈</i>"))
  }

  @Test("a command wraps, a text of several lines keeps them")
  func code() {
    #expect(Self.html([.code("assay run x", label: "L")]).contains(" class=\"wraps\"><code>assay run x</code></pre>"))
    #expect(Self.html([.code("a\n  b", label: "L")]).contains("tabindex=\"0\"><code>a\n  b</code></pre>"))
  }

  @Test("the style and the script cannot end their own elements")
  func ownTexts() {
    #expect(!PageTemplates.style.contains("</") && !PageTemplates.script.contains("</"))
  }
}
