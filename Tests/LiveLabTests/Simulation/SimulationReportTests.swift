// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite struct SimulationReportTests {
  private func report(_ names: [String], subject: String = "production") throws -> SimulationReport {
    let trial = try SimulationTrial(names, subject: subject, sessions: 300 * names.count, seed: 2)
    return SimulationReport(try trial.run(workers: 2))
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

  @Test("the document has success with intervals, causes, times and invariants")
  func section() throws {
    let document = try report(["lift"]).document
    let titles = document.sections[0].blocks.compactMap { block in
      if case .part(let title, _, _) = block { title } else { nil }
    }
    #expect(
      titles == [
        "Back in time, by profile", "Back in time, by what began the outage",
        "How long it took, from when an attempt could succeed", "Invariants", "One session",
      ])
    #expect(document.text().contains("invariants was broken"))
  }

  @Test("the title names what the client waits by: its policy, or the replaced design's own jitter")
  func title() throws {
    func title(_ subject: String, _ policy: String?) throws -> String {
      let named = policy.flatMap { NamedPolicy(catalogued: $0) } ?? SimulatedClient.recommendedPolicy
      return try SimulatedClient(LiveVariant.named(subject), policy: named).title
    }
    #expect(try title("production", nil) == "production, full-jitter")
    #expect(try title("live-never-resets", "grpc") == "live-never-resets, grpc")
    #expect(try title("live-replaced-design", nil) == "live-replaced-design, its own jitter of 10%")
    #expect(
      try title("live-replaced-design", "grpc")
        == "live-replaced-design, base, cap and attempts of grpc, its own jitter of 10%")
  }

  @Test("a failure shows times by the clock of the timeline that its command shows")
  func clock() throws {
    let report = try report(["tunnel"], subject: "live-replaced-design")
    let failure = try #require(report.result.findings[0].tally.failures.notBack.first)
    guard case .notBack(let outage, _) = failure.what else { return #expect(Bool(false)) }
    let text = try #require(report.failures.first { $0.what.contains("session \(failure.session):") }?.what)
    let limit = TimelineClock.text(of: report.result.findings[0].profile.limit)
    #expect(text.contains("where \(limit) are allowed"))
    let took = outage.timeToReturn.map { "back \(TimelineClock.text(of: $0)) after" } ?? "not back before the end"
    #expect(text.contains(took))
  }

  /// Which session a report shows.
  private func shown(_ report: SimulationReport) throws -> SimulationReport.ShownSession {
    let shown = try #require(report.shownSession)
    #expect(shown.blocks.contains(.code(shown.command, label: "Shown by")))
    return shown
  }

  @Test("the session that is shown is the one with the longest return of the first, where none failed")
  func slowest() throws {
    let report = try report(["lift"])
    let shown = try shown(report)
    #expect(shown.why.hasPrefix("No session failed; of the first 20 of lift"))
    let longest = try #require(shown.timeline.outages.compactMap(\.timeToReturn).max())
    let own = try #require(report.result.findings[0].percentile(0.5, alpha: 0.01))
    #expect(longest > own.time)
    let seed = try #require(
      try (0..<20).map { try report.result.trial.seed(ofSession: $0) }.first { shown.command.contains("--seed \($0) ") }
    )
    let again = try Timeline(
      of: SimulatedClient(), under: OutageProfile.named("lift").schedule(seed: seed), seed: seed,
      generator: SessionRandom.defaultName, title: shown.timeline.title)
    #expect(again == shown.timeline)
  }

  @Test("the session that is shown is the first in which an invariant was broken, if there is one")
  func firstBroken() throws {
    let report = try report(["lift", "tunnel"], subject: "live-replaced-design")
    let first = try #require(report.result.findings.lazy.compactMap(\.tally.failures.breaches.first).first)
    let shown = try shown(report)
    #expect(shown.why == "The first session in which an invariant was broken.")
    #expect(shown.timeline.breach != nil && shown.command.contains("--seed \(first.seed) "))
  }

  @Test("a broken client's report names the invariants by their sentences and the commands that show them")
  func broken() throws {
    let report = try report(["tunnel"], subject: "live-replaced-design")
    #expect(!report.breaches.rows.isEmpty && report.result.brokenSessions > 0)
    let failure = try #require(report.result.findings.first?.tally.failures.all.first)
    let command =
      "assay live timeline --seed \(failure.seed) tunnel --subject live-replaced-design --policy full-jitter"
    #expect(report.document.text().contains(command) && report.data.text.contains(command))
    #expect(
      report.failures.allSatisfy { $0.command.hasSuffix("tunnel --subject live-replaced-design --policy full-jitter") })
    #expect(report.document.text().contains("The first failures, and how to reproduce them"))
  }

  @Test("times read as they are")
  func almostAll() {
    #expect(TimelineClock.seconds(.forever) == "never")
    #expect(TimelineClock.seconds(.milliseconds(844)) == "0.84 s")
    #expect(TimelineClock.seconds(.milliseconds(999_499)) == "999 s")
    #expect(TimelineClock.seconds(.milliseconds(999_500)) == "1,000 s")
  }

  private func report(ofOwn faults: [FaultPattern]) throws -> SimulationReport {
    let own = OutageProfile(
      name: "own", meaning: "own", limit: .seconds(9), always: [],
      variants: [OutageVariant(times: Spread(1), gap: Spread(0), faults)])
    let trial = try SimulationTrial([own], sessions: 4, end: .decided, seed: 2)
    return SimulationReport(try trial.run(workers: 1))
  }

  @Test("a profile whose faults cut no connection off is said not to be evaluated, without a table of nothing")
  func unhurt() throws {
    let report = try report(ofOwn: [FaultPattern(.captivePortal, lasting: .seconds(5, 5))])
    #expect(report.remarks == ["Nothing is evaluated in own: its faults cut no connection off."])
    #expect(report.causes.rows.isEmpty && report.document.text().contains("Nothing is evaluated in own"))
    #expect(!report.document.text().contains("Back in time, by what began the outage"))
  }

  @Test("an interrupted trial says which profiles it knows nothing of, and has no empty table")
  func interrupted() throws {
    let trial = try SimulationTrial(["lift", "tunnel", "night"], sessions: 900, end: .decided, seed: 2)
    let whole = try trial.run(workers: 1)
    let report = SimulationReport(
      SimulationResult(trial: trial, findings: Array(whole.findings.prefix(1)), isComplete: false))
    #expect(report.origin[0].hasSuffix("this is what is known so far; nothing is known of tunnel, night."))
    #expect(SimulationReport(whole).origin[0].hasSuffix("seed 2."))
  }

  @Test("outages that no fault began are explained where there are any")
  func noFault() throws {
    let trial = try SimulationTrial(["stadium"], sessions: 400, seed: 2)
    let report = SimulationReport(try trial.run(workers: 2))
    #expect(report.document.text().contains("No-fault: nothing that cuts"))
    #expect(!(try self.report(["lift"]).document.text().contains("No-fault")))
  }
}
