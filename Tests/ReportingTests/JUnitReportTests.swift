// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@testable import Reporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A JUnit report")
struct JUnitReportTests {
  @Test("counts failures and errors apart, and holds what was said")
  func document() {
    let report = JUnitReport(
      name: "suite",
      cases: [
        .init(name: "one", group: "core", outcome: .passed),
        .init(
          name: "two", group: "core", outcome: .failed(message: "a < b", details: "line 1\nline 2"), output: "said"),
        .init(name: "three", group: "core", outcome: .broken(message: "\"x\" & y", details: "")),
      ])
    #expect(
      report.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="suite" tests="3" failures="1" errors="1">
            <testcase classname="core" name="one"/>
            <testcase classname="core" name="two">
              <failure message="a &lt; b">line 1
        line 2</failure>
              <system-out>said</system-out>
            </testcase>
            <testcase classname="core" name="three">
              <error message="&quot;x&quot; &amp; y"></error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("has a mark in place of what no XML may hold, and is read by a parser")
  func wellFormed() {
    let nasty = "\u{0}\u{1}\u{FFFE}\r\n]]>&<>\"'\u{1F600}"
    let report = JUnitReport(
      name: nasty, cases: [.init(name: nasty, group: nasty, outcome: .failed(message: nasty, details: nasty))])
    #expect(!report.text.unicodeScalars.contains { $0.value < 9 || $0.value == 0xFFFE })
    #expect(XMLParser(data: Data(report.text.utf8)).parse())
  }
}
