// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import TestSupport
import Testing

import Archive

@Suite("An annotation")
struct GitHubAnnotationTests {
  @Test("is always one line, and its text cannot end a property or the message")
  func hostile() {
    let text = "100%, a::b\r\n::error::%0A"
    let annotation = GitHubAnnotation(.warning, file: "a,b:c%.yaml", line: 2, title: text, message: text)
    #expect(
      annotation.command
        == "::warning file=a%2Cb%3Ac%25.yaml,line=2,title=100%25%2C a%3A%3Ab%0D%0A%3A%3Aerror%3A%3A%250A"
        + "::100%25, a::b%0D%0A::error::%250A")
    #expect(annotation.command.allSatisfy { !$0.isNewline })
  }

  @Test("without a file names no line")
  func nowhere() {
    #expect(GitHubAnnotation(.notice, line: 4, title: "T", message: "m").command == "::notice title=T::m")
  }

  @Test(
    "names files from the root of the repository",
    arguments: [
      ("Scenarios/x.yaml", "/work/repo", "/work/repo", "Scenarios/x.yaml"),
      ("x.yaml", "/work/repo/Scenarios", "/work/repo", "Scenarios/x.yaml"),
      ("../x.yaml", "/work/repo/Scenarios", "/work/repo/", "x.yaml"),
      ("/work/repo/a/x.yaml", "/tmp", "/work/repo", "a/x.yaml"),
      ("/work/repository/x.yaml", "/tmp", "/work/repo", "/work/repository/x.yaml"),
      ("x.yaml", "/work/repo", "", "x.yaml"),
    ])
  func location(file: String, folder: String, workspace: String, location: String) {
    #expect(GitHubAnnotation.location(of: file, in: folder, workspace: workspace) == location)
  }

  @Test("of a run: failed thresholds are errors, undecided ones warnings, remarks notices; errors come first")
  func run() {
    let run = Accounts.run(
      [
        Accounts.threshold("share >= 0.9 at 0.99", .undecided, line: 5, advice: "about 400 more samples"),
        Accounts.threshold("share >= 0.99 at 0.99", .fails, line: 6, source: "the contract"),
        Accounts.threshold("share <= 1 at 0.99", .holds),
      ], remarks: ["A remark."])
    let annotations = GitHubAnnotation.all(of: run, in: "/work/repo")
    #expect(annotations.map(\.level) == [.error, .warning, .notice])
    #expect(annotations.map(\.line) == [6, 5, nil])
    #expect(annotations.allSatisfy { $0.file == "Scenarios/one.yaml" })
    #expect(
      annotations.first?.message == """
        share: found 0.93 | 0.91 to 0.95
        Source: the contract
        Scenario: A scenario
        Run again: assay run Scenarios/one.yaml
        """)
    #expect(annotations.dropFirst().first?.message.contains("To decide it: about 400 more samples") == true)
  }

  @Test("of a run: a failing property is annotated at its declaration, with its seed and replay command")
  func property() throws {
    let failing = Accounts.run([Accounts.threshold("x == 0", .fails)], cases: [Accounts.failingProperty])
    let annotation = try #require(GitHubAnnotation.all(of: failing, in: "/work/repo").last)
    #expect(annotation.level == .error)
    #expect(annotation.title == "Fails: league.rank: ranks, in order")
    #expect(annotation.file == "/work/repo/Sources/LeagueProperties.swift" && annotation.line == 12)
    #expect(annotation.message.contains("seed 7\nassay properties replay abc"))
    let elsewhere = try #require(GitHubAnnotation.all(of: failing, in: "/work/rep").last)
    #expect(elsewhere.file == "Scenarios/one.yaml" && elsewhere.line == nil)
    let allowed = Accounts.run([Accounts.threshold("x <= 1", .holds)], cases: [Accounts.failingProperty])
    #expect(GitHubAnnotation.all(of: allowed, in: "/work/repo").map(\.level) == [.warning])
  }

  @Test("of a run that holds: there are none")
  func holds() {
    #expect(GitHubAnnotation.all(of: Accounts.run([Accounts.threshold("x == 0", .holds)]), in: "/work/repo").isEmpty)
  }
}

@Suite("A summary of runs")
struct RunSummaryTests {
  private let holding = Accounts.run([Accounts.threshold("a == 0", .holds), Accounts.threshold("b == 0", .holds)])
  private let failing = Accounts.run([Accounts.threshold("a == 0", .fails), Accounts.threshold("b == 0", .undecided)])

  @Test("ends with one line for the verdict")
  func verdict() {
    #expect(RunSummary([holding], wanted: 1).headline == "HOLDS: all 2 thresholds, 1 scenario.")
    #expect(
      RunSummary([holding, failing], wanted: 2).headline
        == "FAILS: 1 of 4 thresholds fails (one), 1 of 4 thresholds undecided (one), 2 scenarios.")
    let undecided = Accounts.run([Accounts.threshold("b == 0", .undecided)])
    #expect(RunSummary([undecided], wanted: 1).headline.hasPrefix("UNDECIDED: 1 of 1 thresholds undecided (one)"))
    #expect(RunSummary([Accounts.run([])], wanted: 1).headline == "COMPLETE: no thresholds, 1 scenario.")
  }

  @Test("never states that an incomplete run holds")
  func incomplete() {
    #expect(
      RunSummary([holding], wanted: 3).headline == "INCOMPLETE: all 2 thresholds, 3 scenarios, 2 not run.")
    let early = Accounts.run([Accounts.threshold("a == 0", .holds)], isComplete: false)
    #expect(RunSummary([early], wanted: 1).headline == "INCOMPLETE: 1 threshold, 1 scenario, 1 ended early.")
    #expect(RunSummary([failing], wanted: 2).headline.hasPrefix("FAILS: "))
  }

  @Test("shows a run on a terminal: the verdict, the thresholds, the folder, and the report on request")
  func text() {
    let run = Accounts.run(
      [Accounts.threshold("a >= 1 at 0.9", .undecided, advice: "about 9 more samples")], remarks: ["A remark."])
    #expect(
      run.text() == """
        undecided: A scenario

        verdict    threshold      found                to decide it
        ---------  -------------  -------------------  --------------------
        undecided  a >= 1 at 0.9  0.93 | 0.91 to 0.95  about 9 more samples

        note: A remark.
        folder: Results/runs/one-0123abcd
        report: Results/runs/one-0123abcd/report.html

        """)
    #expect(run.text(withReport: true).contains("\nA text.\n"))
    let failing = Accounts.run([], cases: [Accounts.failingProperty])
    #expect(failing.text().contains("\nfails: \(Accounts.failingProperty.name)\n"), "what failed is shown in any case")
  }

  @Test("as Markdown has a table for each run, failures in full, and the commands that reproduce them")
  func markdown() {
    let run = Accounts.run(
      [Accounts.threshold("a == 0", .fails, source: "Appendix <9>")], name: "One *and* `two`",
      cases: [Accounts.failingProperty])
    let markdown = RunSummary([run], wanted: 1).markdown
    #expect(markdown.hasPrefix("## Assay: FAILS: 1 of 1 thresholds fails (one), 1 scenario.\n"))
    #expect(markdown.contains(#"### One \*and\* \`two\`: fails"#))
    #expect(markdown.contains("`Scenarios/one.yaml`, counting, digest 0123abcd, 1.2 s\n"))
    #expect(markdown.contains("| verdict | threshold | found | source |\n| :-- | :-- | :-- | :-- |\n"))
    #expect(markdown.contains(#"| fails | a == 0 | 0.93 \| 0.91 to 0.95 | Appendix &lt;9&gt; |"#))
    #expect(markdown.contains("```text\nseed 7\nassay properties replay abc\n```\n"))
    #expect(markdown.contains("Run again: `assay run Scenarios/one.yaml`\n"))
  }

  @Test("as CSV has a line for each threshold, as JSON all results, as JUnit every case")
  func formats() throws {
    let summary = RunSummary([holding, failing], wanted: 2)
    let csv = try #require(summary.rendered(as: .csv))
    #expect(csv.split(separator: "\n").count == 5)
    #expect(csv.contains("Scenarios/one.yaml,counting,0123abcd,a == 0,share,,fails,0.93 | 0.91 to 0.95,,0.01\n"))
    let text = try #require(summary.rendered(as: .json))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(json["verdict"] as? String == "fails" && json["complete"] as? Bool == true)
    let runs = try #require(json["runs"] as? [[String: Any]])
    #expect(runs.compactMap { ($0["result"] as? [String: Any])?["verdict"] as? String } == ["holds", "fails"])
    let cases = RunSummary([Accounts.run([], cases: [Accounts.failingProperty])], wanted: 1).rendered(as: .junit)
    #expect(cases?.contains(#"tests="1" failures="1""#) == true)
    #expect(summary.rendered(as: .svg) == nil)
  }
}

@Suite("The summary of a step")
struct StepSummaryTests {
  @Test("begins on a new line even if the file did not end with one")
  func lineEnd() throws {
    let folder = try TemporaryFolder(["s.md": "unfinished"])
    try StepSummary(folder.path("s.md")).append("## Heading\n")
    #expect(try TextFile.read(folder.path("s.md")) == "unfinished\n## Heading\n")
  }

  @Test(
    "that cannot be written is an error with the path and what it was set to", arguments: ["/", "/no/such/folder/x"])
  func unwritable(path: String) {
    let error = #expect(throws: ArchiveError.self) { try StepSummary(path).append("x") }
    #expect(error.map { "\($0)" }?.contains("cannot write '\(path)'") == true)
    #expect(error.map { "\($0)" }?.contains("GITHUB_STEP_SUMMARY") == true)
  }
}
