// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import ClubLab
import Reporting
import Scenarios
import Testing

@Suite("A member's insights, written")
struct InsightsReportTests {
  private static let week = Week(number: 2968)

  private static func ride(_ first: String, _ decimetres: Int, _ seconds: Int) throws -> Activity {
    Activity(
      member: MemberIdentity(name: AthleteName(first: first, last: "Brown")),
      distance: try #require(Length(decimetres: decimetres)), movingTime: seconds, elapsedTime: seconds,
      elevation: try #require(Length(decimetres: 1000)))
  }

  private static func insights(names: NameStyle = .short) throws -> Insights {
    let weeks = try (0..<4).map { age in
      let rides = try [
        ride("Tom", 300_000 - age * 40_000, 3600), ride("Tom", 120_000, 1800), ride("Ann", 500_000, 6000),
        ride("Uli", 450_000, 6000), ride("Zoë", 430_000, 6000),
      ]
      return (week.advanced(by: -age), WeekTally(rides))
    }
    let member = MemberIdentity(name: AthleteName(first: "Tom", last: "Brown"))
    return Insights(history: ClubHistory(weeks), week: week, member: member, names: names)
  }

  @Test(
    "text has a list item for each insight, after the origin and before the remarks", arguments: InsightMode.allCases)
  func text(mode: InsightMode) throws {
    let insights = try Self.insights()
    let text = InsightsReport(insights, mode, origin: ["From week.json."], remarks: ["Ignored: x"])
      .document.text(width: 1000)
    #expect(text.hasPrefix("Tom B.'s week 2026-W47") && text.contains("\n\nFrom week.json.\n\n"))
    #expect(text.contains(insights.insights(mode).map { "  - \($0.sentence)\n" }.joined()))
    #expect(text.hasSuffix("\n\nIgnored: x\n"))
  }

  @Test(
    "JSON has the kind, the sentence and the numbers of every insight, in kilometres", arguments: InsightMode.allCases)
  func json(mode: InsightMode) throws {
    let subject = try Self.insights()
    let (json, expected) = (InsightsReport(subject, mode).json, subject.insights(mode))
    guard case .object(let members) = json,
      case .array(let insights)? = members.first(where: { $0.key == "insights" })?.value
    else { throw Missing() }
    #expect(insights.count == expected.count)
    for (written, insight) in zip(insights, expected) {
      guard case .object(let parts) = written else { throw Missing() }
      #expect(parts.prefix(2).map(\.key) == ["kind", "sentence"])
      #expect(parts[1].value == .string(insight.sentence))
      if case .amount(.distance, _, _) = insight.kind { #expect(parts.contains(JSONMember("value", .number(42)))) }
    }
  }

  @Test("CSV has a line for each number, with the values of lists joined")
  func csv() throws {
    let csv = try #require(InsightsReport(try Self.insights(), .top).document.csv)
    #expect(csv.hasPrefix("insight,kind,quantity,value\n1,"))
    #expect(csv.contains(",ranks,ranks,2026-W44 4; 2026-W45 4; 2026-W46 4; 2026-W47 4\n"))
    #expect(csv.contains(",gap,to,Ann B.\n") && csv.contains(",gap,mine,42\n") && csv.contains(",gap,theirs,50\n"))
  }

  @Test("the full name is shown where it was asked for")
  func names() throws {
    let text = InsightsReport(try Self.insights(names: .full), .mine).document.text()
    #expect(text.hasPrefix("Tom Brown's week 2026-W47\n"))
  }

  private struct Missing: Error {}
}
