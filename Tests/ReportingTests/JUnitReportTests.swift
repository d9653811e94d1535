// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A JUnit report")
struct JUnitReportTests {
  private func report(_ cases: [JUnitReport.Case], name: String = "suite", seconds: Double = 6) -> JUnitReport {
    let noon = Date(timeIntervalSince1970: 1_790_000_000)
    return JUnitReport(name: name, cases: cases, .init(began: noon, host: "anvil", seconds: seconds))
  }

  @Test("counts failures and errors separately, with their texts, valid by both schemas of JUnit")
  func document() {
    let report = report([
      .init(name: "one", group: "core", outcome: .passed, seconds: 1.25),
      .init(
        name: "two", group: "core", outcome: .failed(message: "a < b", details: "line 1\nline 2"), output: "said"),
      .init(name: "three", group: "core", outcome: .undecided(message: "\"x\" & y", details: "")),
    ])
    #expect(
      report.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="suite" package="assay" id="0" tests="3" failures="1" errors="1" time="6.000" \
        timestamp="2026-09-21T14:13:20" hostname="anvil">
            <properties/>
            <testcase classname="core" name="one" time="1.250"/>
            <testcase classname="core" name="two" time="2.375">
              <failure message="a &lt; b" type="failed">line 1
        line 2</failure>
            </testcase>
            <testcase classname="core" name="three" time="2.375">
              <error message="&quot;x&quot; &amp; y" type="undecided"></error>
            </testcase>
            <system-out>two
        said
        </system-out>
            <system-err></system-err>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("numbers several suites")
  func several() {
    let text = JUnitReport.text(of: [report([]), report([], name: "other")])
    #expect(text.contains(#"<testsuite name="suite" package="assay" id="0" tests="0""#))
    #expect(text.contains(#"<testsuite name="other" package="assay" id="1" tests="0""#))
  }

  @Test("gives no case a negative time if the others took longer than the suite")
  func times() {
    let text = report(
      [
        .init(name: "a", group: "g", outcome: .passed, seconds: 3),
        .init(name: "b", group: "g", outcome: .passed),
      ], seconds: 2.5
    ).text
    #expect(text.contains(#"name="a" time="3.000""#) && text.contains(#"name="b" time="0.000""#))
  }

  @Test("replaces characters that XML forbids, and can be parsed")
  func wellFormed() {
    let nasty = "\u{0}\u{1}\u{FFFE}\u{1B}\u{9B}\u{202E}\r\n::error::x##[error]]>&<>\"'\u{1F600}"
    let report = report(
      [.init(name: nasty, group: nasty, outcome: .failed(message: nasty, details: nasty), output: nasty)], name: nasty)
    #expect(!report.text.unicodeScalars.contains { $0.value < 9 || [0x1B, 0x9B, 0x202E, 0xFFFE].contains($0.value) })
    #expect(!report.text.contains("::error") && !report.text.contains("##["))
    #expect(XMLParser(data: Data(report.text.utf8)).parse())
  }
}
