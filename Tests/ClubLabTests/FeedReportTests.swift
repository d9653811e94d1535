// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import ClubLab

@Suite("The report of the judged feed")
struct FeedReportTests {
  /// Late uploads and deletions are what makes weeks unknowable; two weeks make a trend.
  private static let result = Result {
    let setting = try FeedSetting(
      club: ClubShape(members: 14, weeks: 2), service: ServiceShape(depth: 50),
      faults: FaultMix([FeedFault(.lateUploads, rate: 0.3), FeedFault(.deletions, rate: 0.3, size: 2)]),
      interval: 10_800, perPage: 30)
    let result = try FeedTrial(setting, seasons: 2, together: 3, seed: 5).run(workers: 2)
    return FeedReport(try #require(result))
  }

  private static let variants = ["none", "late uploads", "deletions", "all"]

  private func report() throws -> FeedReport { try Self.result.get() }

  private func blocks() throws -> [ReportBlock] {
    let section = try #require(try report().reportSections.first)
    return section.blocks.flatMap { block in
      if case .part(_, _, let blocks) = block { blocks } else { [block] }
    }
  }

  @Test("text and Markdown begin with what the numbers rest on and the table by fault, a row for each variant")
  func text() throws {
    for format in [ReportFormat.text, .markdown] {
      let text = try #require(try report().rendered(as: format))
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines[0].hasSuffix("The week ledger over 2 weeks of a club of 14"))
      #expect(text.contains("2 seasons under each variant of the faults, 3 under the last"))
      #expect(text.contains("the half-width of a 99% interval over seasons"))
      #expect(text.contains("A fetch every 10800 s of a listing of at most 50 activities, sorted by upload in pages"))
      #expect(text.contains("Drawn with mt19937, seed 5."))
      let rows = lines.filter { line in
        line.contains("±") && Self.variants.contains { line.drop { "| ".contains($0) }.hasPrefix($0) }
      }
      #expect(rows.count == 2 * Self.variants.count, "rides by fault, and requests by fault")
      let titles = ["Rides in their weeks", "What nobody could know, and why", "Requests against the budget"]
      let places = titles.compactMap { text.range(of: $0)?.lowerBound }
      #expect(places.count == titles.count && places == places.sorted())
    }
    #expect(try report().rendered(as: .svg) == nil)
  }

  @Test("what is unknowable has its reason, how much it is, and how much was guessed right")
  func unknowable() throws {
    let report = try report()
    let rows = report.unknown.rows
    #expect(Set(rows.map { $0[1] }).isSubset(of: Unknowable.allCases.map(\.rawValue)))
    #expect(rows.contains { $0[0] == "none" && $0[1] == Unknowable.backlog.rawValue })
    #expect(rows.contains { $0[0] == "deletions" && $0[1] == Unknowable.neverListed.rawValue })
    #expect(rows.contains { $0[0] == "late uploads" && $0[1] == Unknowable.late.rawValue })
    for row in rows {
      let (rides, guessed) = (try #require(Int(row[2])), try #require(Int(row[4])))
      #expect(rides > 0 && guessed <= rides)
      #expect(try #require(Double(row[3])) <= 100)
    }
    for finding in report.result.findings {
      let told = rows.filter { $0[0] == finding.variant.name }.compactMap { Int($0[2]) }.reduce(0, +)
      #expect(told == finding.counts.rides.unknowable.reduce(0, +))
    }
  }

  @Test("the section has a table by fault, the reasons, the requests and the last week, each with its caption")
  func tables() throws {
    let section = try #require(try report().reportSections.first)
    #expect(try report().reportSections.count == 1 && section.id == "club-feed")
    let titles = section.blocks.compactMap { if case .part(let title, _, _) = $0 { title } else { nil } }
    #expect(
      titles == [
        "Rides in their weeks", "What nobody could know, and why", "Requests against the budget",
        "The last week, as the ledger tells it",
      ])
    let tables = try blocks().compactMap { if case .table(let table) = $0 { table } else { nil } }
    #expect(tables.count == 4 && tables.allSatisfy { !$0.caption.isEmpty && !$0.table.rows.isEmpty })
    #expect(tables[0].table.rows.map { $0[0] } == Self.variants)
    #expect(tables[2].table.rows.map { $0[0] } == Self.variants)
    #expect(tables[3].caption.contains("the first season with all of the faults"))
  }

  @Test("figures show every variant with its interval, under names that files and links can have")
  func figures() throws {
    let figures = try blocks().compactMap { if case .figure(let figure) = $0 { figure } else { nil } }
    #expect(figures.map(\.id) == ["feed-right-week", "feed-requests"])
    for figure in figures {
      #expect(figure.id.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".contains($0) })
      #expect(figure.x.scale == .names(Self.variants))
      #expect(figure.alternative.contains("With all of the faults it is "))
      let points = figure.series.flatMap(\.points)
      #expect(points.map(\.x) == [0, 1, 2, 3])
      #expect(points.allSatisfy { $0.interval?.contains($0.y) == true })
    }
  }

  @Test("the leaderboard has medals, shares as bars, and a trend with its arrow for everybody")
  func leaderboard() throws {
    let rows = try report().leaderboard.rows
    #expect(rows.first?[0] == "🥇 1" && rows.count > 3 && rows.count <= 10)
    for row in rows {
      #expect(row[2].hasSuffix(" km") && row[4].hasSuffix("%"))
      #expect(["↑", "↓", "→", "new", "gone"].contains { row[5].hasPrefix($0) }, "\(row)")
    }
    #expect(rows.contains { $0[5].hasPrefix("↑ +") } && rows.contains { $0[5].hasPrefix("↓ -") })
    #expect(rows.contains { $0[4].contains("█") })
  }

  @Test("CSV has a line for each estimate with its interval and for each count, JSON the same by fault")
  func data() throws {
    let report = try report()
    let lines = try #require(report.rendered(as: .csv)).split(separator: "\n")
    #expect(lines.first == "faults,measure,value,low,high,seasons")
    let expected = report.result.findings.reduce(0) { $0 + $1.estimates.count + FeedMeasure.Count.allCases.count }
    #expect(lines.count == 1 + expected)
    for line in lines.dropFirst() {
      let numbers = line.split(separator: ",")[2...4].compactMap { Double($0) }
      #expect(numbers.count == 3 && numbers[1] <= numbers[0] && numbers[0] <= numbers[2], "\(line)")
    }
    let json = try #require(report.rendered(as: .json))
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let variants = try #require(document["variants"] as? [[String: Any]])
    #expect(variants.compactMap { $0["faults"] as? String } == Self.variants)
    for (variant, finding) in zip(variants, report.result.findings) {
      let rides = finding.counts.rides
      #expect(variant["rides"] as? Int == rides.knowable)
      #expect(variant["right"] as? Int == rides.knowable - rides.wrong - rides.lost)
      let reasons = try #require(variant["unknowable"] as? [[String: Any]])
      #expect(reasons.compactMap { $0["why"] as? String } == Unknowable.allCases.map(\.rawValue))
    }
  }
}
