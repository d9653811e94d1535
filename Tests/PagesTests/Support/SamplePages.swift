// SPDX-License-Identifier: GPL-3.0-or-later
import Pages
import Reporting
import Scenarios
import Testing

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
    kind: blackjack-chart
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
    title: "Six decks against the published chart", judgement: .undecided,
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
    title: "Properties of the league, with one that is broken on purpose", judgement: .fails,
    thresholds: Array(Samples.thresholds { $0 }.reversed()),
    sections: [
      ReportSection(
        id: "properties", title: "Properties",
        blocks: [
          .part(
            title: "Points of a season never depend on the order of its games", judgement: .holds,
            [
              .paragraph("1,000 cases, none discarded; 41 % have a draw, 12 % have a walkover."),
              .details(summary: "Labels and coverage", [.table(Samples.table({ $0 }, rows: 4))]),
            ]),
          .part(
            title: "A better score never lowers a team's place", judgement: .fails,
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
          .part(title: "Two teams of equal records share a place", judgement: .undecided, [.paragraph("Interrupted.")]),
        ]),
      ReportSection(
        id: "broken", title: "Broken subjects and what caught them",
        blocks: [.table(Samples.table({ $0 }, rows: 5)), .figure(Samples.figure { $0 })]),
    ],
    scenario: scenario, command: "scripts/assay run Scenarios/league.yaml", facts: facts)

  private static let incomplete = ReportPage(
    title: "Six decks", judgement: nil,
    notice: "The run was interrupted after 31,000,000 of 120,000,000 rounds; what is shown is what was known then.",
    thresholds: [], sections: [], scenario: scenario, command: "scripts/assay run Scenarios/6d.yaml", facts: facts)
}
