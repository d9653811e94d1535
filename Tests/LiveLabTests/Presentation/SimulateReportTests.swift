// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite struct SimulateReportTests {
  private func report(_ names: [String], subject: String = "production", rare: Int = 0) throws -> SimulateReport {
    let trial = try SimulationTrial(
      profiles: names.map { try OutageProfile.named($0) }, client: SimulatedClient(LiveSubjects.named(subject)),
      sessions: 300 * names.count, endsWhenDecided: false, tiltedSessions: rare, seed: 2)
    return SimulateReport(try trial.run(workers: 2))
  }

  @Test("survival curves fall, inside their bands, at times that a logarithmic axis can show, four to a figure")
  func survival() throws {
    let figures = try report(["lift", "tunnel", "commute", "stadium", "night"]).survivalFigures
    #expect(figures.map(\.series.count) == [4, 1])
    for series in figures.flatMap(\.series) {
      #expect(series.points.count > 10)
      #expect(series.points.allSatisfy { $0.x > 0 && $0.interval?.contains($0.y) == true })
      #expect(zip(series.points, series.points.dropFirst()).allSatisfy { $0.y >= $1.y && $0.x <= $1.x })
    }
  }

  @Test("the section has success with intervals, causes, times, rare failures and invariants")
  func section() throws {
    let sections = try report(["lift"], rare: 200).reportSections
    let titles = sections[0].blocks.compactMap { block in
      if case .part(let title, _, _) = block { title } else { nil }
    }
    #expect(
      titles == [
        "Back in time, by profile", "Back in time, by what began the outage", "How long it took",
        "Failures that are rare", "Invariants",
      ])
  }

  @Test("a broken client's report tells the invariants by their sentences and the commands that show them")
  func broken() throws {
    let report = try report(["tunnel"], subject: "live-replaced-design")
    #expect(!report.breaches.rows.isEmpty)
    #expect(report.failures.allSatisfy { $0.command.hasSuffix("tunnel --subject live-replaced-design") })
    #expect(report.rendered(as: .markdown)?.contains("## The first failures, and what shows them") == true)
    #expect(report.rendered(as: .svg) == nil)
  }

  @Test("a share that misses one of millions does not read as all")
  func almostAll() throws {
    let report = try report(["lift"])
    #expect(report.share(1, 10, 10) == "100%")
    #expect(report.share(0.99927, 99_927, 100_000) == "99.927%")
    #expect(report.share(1 - 1e-7, 9_999_999, 10_000_000) == "all but 1")
    #expect(report.time(.forever) == "never")
    #expect(report.time(.milliseconds(844)) == "0.84 s")
  }

  @Test("the table of success has a line for each profile and each cause, all of them numbers")
  func csv() throws {
    let lines = try report(["lift", "tunnel"]).csv.split(whereSeparator: \.isNewline)
    #expect(lines[0] == "profile,cause,sessions,outages,back,share,low,high")
    #expect(lines[1].hasPrefix("lift,,300,"))
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      #expect(cells.count == 8 && cells.dropFirst(2).allSatisfy { Double($0) != nil })
    }
  }
}
