// SPDX-License-Identifier: GPL-3.0-or-later
import Pages
import Reporting
import Scenarios
import Testing

/// Pages as people meet them, filled by a closure, so that the same page can be made of tame and of hostile texts.
enum Samples {
  /// Texts that would break out of a page that trusted them.
  static let hostileTexts = [
    "<script>alert(1)</script>", "\" onmouseover=\"alert(1)", "' onfocus='alert(1)", "</style><b>", "</title><h1>",
    "\"\u{301} onclick=alert(1) \"", "<\u{301}img src=x>", "-->", "]]>", "{{title}}", "{{{script}}}", "&lt;&amp;&#60;",
    "a\u{0}b\u{1B}[31mc\u{7F}\u{85}", "\u{202E}drawkcab", "👩🏽‍🔬 e\u{301}é 漢字", "</textarea></pre></code>",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  ]

  /// A page with every kind of block, each text given by the closure.
  static func everything(_ text: (String) -> String) -> ReportPage {
    let table = table(text, rows: 3)
    return ReportPage(
      title: text("Every kind of block"), verdict: .fails, notice: text("Somebody asked for an early end."),
      thresholds: thresholds(text),
      sections: [
        ReportSection(
          id: text("blocks"), title: text("Blocks"),
          blocks: [
            .paragraph(text("A paragraph.")), .list([text("A point."), text("Another point.")]), .table(table),
            .figure(figure(text)), .grid(grid(text, rows: 2)), .code(text("assay run x"), label: text("A command")),
            .details(summary: text("More"), [.paragraph(text("Behind the line.")), .table(table)]),
            .part(
              title: text("A part"), verdict: .undecided,
              [.part(title: text("A part of a part"), verdict: nil, [.paragraph(text("Deep."))])]),
          ]),
        ReportSection(id: text("blocks"), title: text("The same name again"), blocks: [.figure(figure(text))]),
      ],
      scenario: text("name: x\nkind: y\n"), command: text("assay run Scenarios/x.yaml"),
      facts: [ReportPage.Fact(text("Seed"), text("1"))])
  }

  static func thresholds(_ text: (String) -> String) -> [EvaluatedThreshold] {
    [
      EvaluatedThreshold(
        text: text("chart.mismatches == 0"), measurement: "chart.mismatches", source: text("the published chart"),
        line: 12, verdict: .holds, found: text("0"), errorProbability: 0),
      EvaluatedThreshold(
        text: text("ev[6d] in -0.0041..-0.0040 at 0.999"), measurement: "ev[6d]", source: "", line: 13,
        verdict: .undecided, found: text("-0.00403 (-0.00415 to -0.00391, 120,000,000 rounds)"),
        advice: text("about 310,000,000 more rounds"), errorProbability: 0.001),
      EvaluatedThreshold(
        text: text("aggregator.doubleCounts == 0"), measurement: "aggregator.doubleCounts",
        source: text("the operators' agreement"), line: 14, verdict: .fails, found: text("3"), errorProbability: 0),
    ]
  }

  static func table(_ text: (String) -> String, rows: Int) -> ReportTable {
    let table = Table(
      [
        Table.Column(text("Action")), Table.Column(text("EV, bets"), .right), Table.Column("Verdict", .centre),
        Table.Column("Samples", .right),
      ], rows: (0..<rows).map { [text("double"), "+0.3\($0)12", text("clear"), NumberFormat.grouped($0 * 1_234_567)] })
    return ReportTable(caption: text("What each action is worth"), table)
  }

  static func figure(_ text: (String) -> String) -> Figure {
    let points = (1...24).map { step in
      let y = -0.004 + 0.01 / Double(step * step)
      return Figure.Point(Double(step * 5_000_000), y, interval: (y - 0.02 / Double(step))...(y + 0.02 / Double(step)))
    }
    return Figure(
      id: "convergence", title: text("How the estimate converged"),
      alternative: text("The estimate settles within 20 million rounds and stays within its interval."),
      x: Figure.Axis(text("rounds")), y: Figure.Axis(text("EV, bets")),
      series: [
        Figure.Series(text("estimate"), style: .line, points: points),
        Figure.Series(
          text("exact"), style: .reference,
          points: [Figure.Point(5_000_000, -0.00403), Figure.Point(120_000_000, -0.00403)]),
      ])
  }

  /// A strategy card's worth of cells: ten columns, and three groups of rows.
  static func grid(_ text: (String) -> String, rows: Int) -> ReportGrid {
    let kinds: [(String, String, Colour)] = [
      ("H", "hit", Colour(0xCFE8DC)), ("S", "stand", Colour(0xF4D35E)), ("Dh", "double, else hit", Colour(0x1F6FB2)),
      ("P", "split", Colour(0xD98BB9)), ("Rh", "surrender, else hit", Colour(0x8C2D04)),
    ]
    func cell(_ row: Int, _ column: Int) -> ReportGrid.Cell {
      let kind = kinds[(row * 7 + column * 3 + row * column) % kinds.count]
      let detail = Table(
        ["Action"], numbers: ["EV", "from", "to", "samples"],
        rows: ["stand", "hit", "double", "split", "surrender"].enumerated().map { rank, action in
          let value = Double((row * 31 + column * 17 + rank * 13) % 200) / 100 - 1
          return [
            text(action), NumberFormat.signed(value, decimals: 5), NumberFormat.signed(value - 0.0004, decimals: 5),
            NumberFormat.signed(value + 0.0004, decimals: 5), NumberFormat.grouped(1_000_000 + row * 1000 + column),
          ]
        })
      let label = "row \(row) against \(column)"
      return ReportGrid.Cell(
        text: kind.0, name: text("\(label): \(kind.1)"), colour: kind.2, mark: (row + column) % 9 == 4 ? "≈" : "",
        detail: ReportTable(caption: text("Row \(row) against \(column): what each action is worth"), detail))
    }
    let all = (0..<rows).map { row in
      ReportGrid.Row(title: text("A,\(row)"), cells: (0..<10).map { cell(row, $0) })
    }
    let third = max(1, (rows + 1) / 2)
    return ReportGrid(
      id: text("card"), caption: text("What to do with each hand against each upcard of the dealer."),
      columnsTitle: text("Dealer's upcard"), columns: ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"],
      groups: [
        ReportGrid.Group(title: text("Hard totals"), rows: Array(all.prefix(third))),
        ReportGrid.Group(title: text("Soft totals and pairs"), rows: Array(all.dropFirst(third))),
      ],
      legend: kinds.map { ReportGrid.LegendEntry(text: $0.0, meaning: text($0.1), colour: $0.2) }
        + [ReportGrid.LegendEntry(text: "≈", meaning: text("too close to call"), colour: nil)])
  }
}
