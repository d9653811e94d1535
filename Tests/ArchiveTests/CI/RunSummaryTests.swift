// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("A summary of runs")
struct RunSummaryTests {
  private let holding = Accounts.run([Accounts.threshold("a == 0", .holds), Accounts.threshold("b == 0", .holds)])
  private let failing = Accounts.run([Accounts.threshold("a == 0", .fails), Accounts.threshold("b == 0", .undecided)])

  @Test("ends in one line of verdict")
  func verdict() {
    #expect(RunSummary([holding], wanted: 1).verdict == "HOLDS: all 2 thresholds, 1 scenario.")
    #expect(
      RunSummary([holding, failing], wanted: 2).verdict
        == "FAILS: 1 of 4 thresholds fails (one), 1 of 4 thresholds undecided (one), 2 scenarios.")
    let undecided = Accounts.run([Accounts.threshold("b == 0", .undecided)])
    #expect(RunSummary([undecided], wanted: 1).verdict.hasPrefix("UNDECIDED: 1 of 1 thresholds undecided (one)"))
    #expect(RunSummary([Accounts.run([])], wanted: 1).verdict == "HOLDS: nothing was asked, 1 scenario.")
  }

  @Test("does not say that something holds which was not run to its end")
  func incomplete() {
    #expect(
      RunSummary([holding], wanted: 3).verdict == "INCOMPLETE: all 2 thresholds, 3 scenarios, 2 not run.")
    let early = Accounts.run([Accounts.threshold("a == 0", .holds)], isComplete: false)
    #expect(RunSummary([early], wanted: 1).verdict == "INCOMPLETE: 1 threshold, 1 scenario, 1 ended early.")
    #expect(RunSummary([failing], wanted: 2).verdict.hasPrefix("FAILS: "))
  }

  @Test("shows a run on a terminal: the result, the thresholds, where it all lies")
  func text() {
    let run = Accounts.run(
      [Accounts.threshold("a >= 1 at 0.9", .undecided, remedy: "about 9 more samples")], remarks: ["A remark."])
    #expect(
      RunSummary.text(of: run) == """
        undecided: A scenario

        A text.

        judgement  threshold      found                to decide it
        ---------  -------------  -------------------  --------------------
        undecided  a >= 1 at 0.9  0.93 | 0.91 to 0.95  about 9 more samples

        note: A remark.
        folder: Results/runs/one-0123abcd
        report: Results/runs/one-0123abcd/report.html

        """)
  }

  @Test("as Markdown has a table for each run, what failed in full, and what runs it again")
  func markdown() {
    let run = Accounts.run(
      [Accounts.threshold("a == 0", .fails, source: "Appendix <9>")], name: "One *and* `two`",
      cases: [Accounts.failingProperty])
    let markdown = RunSummary([run], wanted: 1).markdown
    #expect(markdown.hasPrefix("## Assay: FAILS: 1 of 1 thresholds fails (one), 1 scenario.\n"))
    #expect(markdown.contains(#"### One \*and\* \`two\`: fails"#))
    #expect(markdown.contains("`Scenarios/one.yaml`, counting, digest 0123abcd, 1.2 s\n"))
    #expect(markdown.contains("| judgement | threshold | found | source |\n| :-- | :-- | :-- | :-- |\n"))
    #expect(markdown.contains(#"| fails | a == 0 | 0.93 \| 0.91 to 0.95 | Appendix &lt;9&gt; |"#))
    #expect(markdown.contains("```text\nseed 7\nassay properties replay abc\n```\n"))
    #expect(markdown.contains("Run again: `assay run Scenarios/one.yaml`\n"))
  }

  @Test("as CSV has a line for each threshold, as JSON the whole results, as JUnit every case")
  func formats() throws {
    let summary = RunSummary([holding, failing], wanted: 2)
    let csv = try #require(summary.rendered(as: .csv))
    #expect(csv.split(separator: "\n").count == 5)
    #expect(csv.contains("Scenarios/one.yaml,counting,0123abcd,a == 0,share,fails,0.93 | 0.91 to 0.95,,,0.01\n"))
    let text = try #require(summary.rendered(as: .json))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(json["judgement"] as? String == "fails" && json["complete"] as? Bool == true)
    let runs = try #require(json["runs"] as? [[String: Any]])
    #expect(runs.compactMap { ($0["result"] as? [String: Any])?["judgement"] as? String } == ["holds", "fails"])
    let cases = RunSummary([Accounts.run([], cases: [Accounts.failingProperty])], wanted: 1).rendered(as: .junit)
    #expect(cases?.contains(#"tests="1" failures="1""#) == true)
    #expect(summary.rendered(as: .svg) == nil)
  }
}
