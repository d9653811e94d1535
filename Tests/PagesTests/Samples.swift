// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@testable import Pages

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
        remedy: text("about 310,000,000 more rounds"), errorProbability: 0.001),
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

  /// A strategy card's worth of cells: ten columns, and three groups of so many rows altogether.
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
      let place = "row \(row) against \(column)"
      return ReportGrid.Cell(
        text: kind.0, name: text("\(place): \(kind.1)"), colour: kind.2, mark: (row + column) % 9 == 4 ? "≈" : "",
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

  /// A drawing such as gnuplot makes: a prolog, names of its own, and references to them.
  static func picture(of figure: Figure) throws -> FigurePicture {
    let path = (figure.series.first?.points ?? []).enumerated().map { index, point in
      "\(60 + index * 22),\(180 - Int(point.y * 9_000))"
    }
    return try FigurePicture(
      figure: figure, script: FigureScript(figure, heading: false),
      drawn: """
        <?xml version="1.0" encoding="utf-8" standalone="no"?>
        <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
        <svg width="640" height="320" viewBox="0 0 640 320" xmlns="http://www.w3.org/2000/svg"
         xmlns:xlink="http://www.w3.org/1999/xlink">
        <g id="gnuplot_canvas"><defs><circle id='dot' r='3'/></defs>
        <path d="M50,10 V280 H630" fill="none" stroke="rgb(0, 0, 7)"/>
        <g id="gnuplot_plot_1"><polyline points="\(path.joined(separator: " "))" fill="none"
          stroke="rgb(0, 0, 18)" stroke-width="2"/><use xlink:href='#dot' x="60" y="90" color="rgb(0,0,19)"/></g>
        <g fill="rgb(0, 0, 7)" text-anchor="middle"><text>rounds &amp; more</text></g>
        </g>
        </svg>
        """)
  }

  /// The pictures of the figures that stand in a page's sections, as gnuplot draws them where it is installed.
  static func pictures(of page: ReportPage, by gnuplot: Gnuplot?) throws -> [Figure: FigurePicture] {
    var pictures: [Figure: FigurePicture] = [:]
    for case .figure(let figure) in page.sections.flatMap(\.blocks) {
      pictures[figure] = try gnuplot?.picture(of: figure, heading: false) ?? picture(of: figure)
    }
    return pictures
  }
}

/// Whole pages to look at, one for each verdict.
struct SamplePages: CustomTestStringConvertible {
  let name: String
  let page: ReportPage

  var testDescription: String { name }

  static let all = [
    SamplePages(name: "card", page: card), SamplePages(name: "everything", page: Samples.everything { $0 }),
    SamplePages(name: "hostile", page: hostile), SamplePages(name: "properties", page: properties),
    SamplePages(name: "incomplete", page: incomplete),
  ]

  private static let facts = [
    ReportPage.Fact("Seed", "1"), ReportPage.Fact("Digest", "3fa91c07"),
    ReportPage.Fact("Started", "2026-11-21 12:31:12 UTC"), ReportPage.Fact("Took", "1 min 12 s on the wall"),
    ReportPage.Fact("Workers", "8"), ReportPage.Fact("Machine", "bench-4, Debian 12, x86_64, 8 cores"),
    ReportPage.Fact("Versions", "Assay \(Version.current), GSL 2.7.1"),
  ]

  private static let scenario = """
    name: Six decks against the published chart
    kind: blackjack.chart
    rules: [6d]
    method: certify
    confidence: 0.999
    rounds: 120000000
    seed: 1
    thresholds:
      - threshold: chart.mismatches == 0
        source: the published chart
      - ev[6d] in -0.0041..-0.0040 at 0.999

    """

  private static let card = ReportPage(
    title: "Six decks against the published chart", verdict: .undecided,
    thresholds: [
      Samples.thresholds { $0 }[0], Samples.thresholds { $0 }[1],
    ],
    sections: [
      ReportSection(
        id: "card", title: "Strategy card",
        blocks: [
          .paragraph("Six decks, the dealer stands on soft 17, double after split, no surrender."),
          .grid(Samples.grid({ $0 }, rows: 33)),
        ]),
      ReportSection(
        id: "margins", title: "Margins, from closest to clearest",
        blocks: [
          .table(Samples.table({ $0 }, rows: 12)),
          .details(
            summary: "All cells",
            [
              .table(Samples.table({ $0 }, rows: 60))
            ]),
        ]),
      ReportSection(id: "convergence", title: "Convergence", blocks: [.figure(Samples.figure { $0 })]),
    ],
    scenario: scenario, command: "scripts/assay run Scenarios/blackjack-chart-6d.yaml --seed 1", facts: facts)

  private static let hostile: ReportPage = {
    var next = 0
    return Samples.everything { _ in
      next += 1
      return Samples.hostileTexts[next % Samples.hostileTexts.count]
    }
  }()

  private static let properties = ReportPage(
    title: "Properties of the league, with one that is broken on purpose", verdict: .fails,
    thresholds: Array(Samples.thresholds { $0 }.reversed()),
    sections: [
      ReportSection(
        id: "properties", title: "Properties",
        blocks: [
          .part(
            title: "Points of a season never depend on the order of its games", verdict: .holds,
            [
              .paragraph("1,000 cases, none discarded; 41 % have a draw, 12 % have a walkover."),
              .details(summary: "Labels and coverage", [.table(Samples.table({ $0 }, rows: 4))]),
            ]),
          .part(
            title: "A better score never lowers a team's place", verdict: .fails,
            [
              .paragraph("Counterexample after 37 cases, shrunk in 112 steps:"),
              .code(
                "season:\n  games: 1\n  home: A   // any team will do\n  away: B\n  score: 0 : 0\n"
                  + "place(A) was 1, became 2",
                label: "The shrunk counterexample"),
              .list(["It does not matter which teams play.", "It does not matter when."]),
              .code(
                "scripts/assay properties run league.places --replay 7Hq2Zs0vT1xYp9KdLw3Ee8RrUu5MmNn",
                label: "The command that replays it"),
            ]),
          .part(title: "Two teams of equal records share a place", verdict: .undecided, [.paragraph("Interrupted.")]),
        ]),
      ReportSection(
        id: "broken", title: "Broken subjects and what caught them",
        blocks: [.table(Samples.table({ $0 }, rows: 5)), .figure(Samples.figure { $0 })]),
    ],
    scenario: scenario, command: "scripts/assay run Scenarios/league.yaml", facts: facts)

  private static let incomplete = ReportPage(
    title: "Six decks", verdict: nil,
    notice: "The run was interrupted after 31,000,000 of 120,000,000 rounds; what is shown is what was known then.",
    thresholds: [], sections: [], scenario: scenario, command: "scripts/assay run Scenarios/6d.yaml", facts: facts)
}
