// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("A report")
struct CheckReportTests {
  private let property = Property(
    "test.week", "Nobody scores in many weeks", arguments: ["points", "weeks"], Gen.integers(in: 0...500),
    Gen.integers(in: 1...52)
  ) { points, weeks in
    label("late", when: weeks > 40)
    classify("hundreds", by: points / 100)
    cover("early", weeks < 27, atLeast: 0.4)
    note("\(points) points")
    try claim(points < 300, "too many")
  }

  private func environment() -> CheckEnvironment {
    var environment = CheckEnvironment()
    environment.clock = nil
    return environment
  }

  @Test("shows the counterexample first, and how to see it again")
  func falsified() throws {
    let report = try property.check(in: environment())
    let counterexample = try #require(report.counterexample)
    let lines = report.text(for: property, replay: "assay properties replay abc").split(separator: "\n").map(
      String.init)
    #expect(lines[0] == "test.week  Nobody scores in many weeks")
    #expect(lines[1].hasPrefix("false, found in \(counterexample.casesUntilFound) case"))
    #expect(lines[2] == "  points: 300")
    #expect(lines[3] == "  weeks: 1")
    #expect(lines[4] == "  failure: too many")
    #expect(lines[5].hasPrefix("  at PropertyTestingTests/CheckReportTests.swift:"))
    #expect(lines[6] == "  note: 300 points")
    #expect(lines[7] == "  weeks can be anything")
    let runs = "\(counterexample.evaluations) runs to shrink it, \(counterexample.explainEvaluations) to explain it"
    #expect(lines[8] == "  \(runs)")
    #expect(lines[9] == "  replay: assay properties replay abc")
  }

  @Test("of a property that holds shows what was tested")
  func held() throws {
    let property = Property("test.coin", "Coins land", Gen.booleans(), Gen.integers(in: 0...1)) { isHeads, number in
      try assume(number == 0 || isHeads)
      label("heads", when: isHeads)
      label("all")
      classify("side", by: isHeads ? "head" : "tail")
      cover("tails", !isHeads, atLeast: 0.1)
      target(isHeads ? 2.5 : 0, "luck")
    }
    var settings = CheckSettings()
    settings.cases = 1000
    let report = try property.check(settings, in: environment())
    #expect(
      report.text(for: property) == """
        test.coin  Coins land
        holds in 1000 cases (discarded: \(report.discarded) by an assumption)
          tails \(share(report, "tail")) (at least 10% claimed: holds at 99.9% after \
        \(report.coverage[0].decidedAfter ?? 0) cases)
          highest luck: 2.5
          labels
            all    100.0%
            heads   \(share(report, "head"))
          side
            head   \(share(report, "head"))
            tail   \(share(report, "tail"))
        """)
  }

  private func share(_ report: CheckReport, _ side: String) -> String {
    let count = report.tables[0].rows.first { $0.name == side }?.count ?? 0
    return "\(count / 10).\(count % 10)%"
  }

  @Test("sums up the rows of a table that are too many to show")
  func manyRows() throws {
    let report = try search(Gen.integers(in: 0...999)) { classify("number", by: $0 % 50) }
    let lines = report.text().split(separator: "\n")
    #expect(lines.count == 23)
    #expect(lines.last?.hasPrefix("    … and ") == true)
  }

  @Test("has the same names for programs, whatever the outcome")
  func plain() throws {
    let falsified = try property.check(in: environment())
    let held = try search(Gen.booleans()) { _ in }
    guard case .record(let one) = falsified.plain(for: property, replay: "abc"),
      case .record(let other) = held.plain()
    else {
      Issue.record("a report is no record")
      return
    }
    #expect(one.map(\.name) == other.map(\.name))
    #expect(one.first == PlainValue.Member("property", .text("test.week")))
    #expect(one.last == PlainValue.Member("replay", .text("abc")))
    #expect(one[2].value == .text("falsified"))
    #expect(other[2].value == .text("held"))
    let counterexample = try #require(one.first { $0.name == "counterexample" }?.value)
    guard case .record(let members) = counterexample else {
      Issue.record("a counterexample is no record")
      return
    }
    #expect(
      members[0].value
        == .list([
          ["name": .text("points"), "value": .text("300")], ["name": .text("weeks"), "value": .text("1")],
        ]))
  }

  @Test("writes shares with the decimals they need")
  func percent() {
    #expect(Percentage.text(1, of: 3) == "33.3%")
    #expect(Percentage.text(2, of: 3) == "66.7%")
    #expect(Percentage.text(0, of: 0) == "0.0%")
    #expect(Percentage.text(0.999) == "99.9%")
    #expect(Percentage.text(0.1) == "10%")
    #expect(Percentage.text(0.999999) == "99.9999%")
  }
}
