// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import MonteCarlo
import Reporting
import Scenarios
import Testing

@Suite("The report of a simulation")
struct SimulationReportTests {
  private func report(_ profiles: String, subject: String = "production", sessions: Int = 300) throws -> Outcome {
    try Outcome(
      "live.simulate",
      "profiles: [\(profiles)]\nsubject: \(subject)\nsessions: \(sessions)\nend: all\nrandom: {seed: 2}")
  }

  @Test("survival curves fall, lie inside their bands at times above zero, and come four to a figure")
  func survival() throws {
    let figures = try report("lift, tunnel, commute, stadium, night", sessions: 1_500).figures.filter {
      $0.id.hasPrefix("live-survival")
    }
    #expect(figures.map(\.series.count) == [4, 1])
    for series in figures.flatMap(\.series) {
      #expect(series.points.count > 10)
      #expect(series.points.allSatisfy { $0.x > 0 && $0.interval?.contains($0.y) == true })
      #expect(zip(series.points, series.points.dropFirst()).allSatisfy { $0.y >= $1.y && $0.x <= $1.x })
    }
  }

  @Test("has success with intervals, causes, times, invariants and the session with the longest return")
  func parts() throws {
    let report = try report("lift")
    let titles = report.blocks.compactMap { if case .part(let title, _, _) = $0 { title } else { nil } }
    #expect(
      titles == [
        "Back in time, by profile", "Back in time, by cause of the outage",
        "The time to return, from when an attempt could succeed", "Invariants", "One session",
      ])
    #expect(report.text.contains("None of 25 invariants was broken") && !report.text.contains("No-fault"))
    let shown = try #require(report.text.firstMatch(of: #/(?s)No session failed; of the first 20 of lift.*/#)).output
    let seed = try #require(shown.firstMatch(of: #/assay live timeline --seed (\d+) lift --policy full-jitter\n/#)?.1)
    let session = try Outcome("live.timeline", "profile: lift\nrandom: {seed: \(seed)}")
    let outages = try #require(session.tables.first { $0.columns.contains { $0.title == "because of" } }?.rows)
    #expect(!outages.isEmpty)
    for outage in outages { #expect(shown.contains(outage[1]) && shown.contains(outage[5]), "\(outage)") }
    let returns = outages.compactMap { Double($0[5]) }
    #expect(try #require(returns.max()) > #require(report["reconnect.median[lift]"]).estimate)
  }

  @Test(
    "names the client and its policy",
    arguments: [
      ("", "production, full-jitter"),
      ("subject: live-never-resets\npolicy: grpc", "live-never-resets, grpc"),
    ])
  func title(yaml: String, title: String) throws {
    let report = try Outcome("live.simulate", "profiles: [lift]\nsessions: 2\n\(yaml)")
    #expect(report.text.contains("The client: \(title)."))
  }

  @Test("of a broken client it names each broken invariant, and gives commands that show the first failures")
  func broken() throws {
    let report = try report("lift, tunnel", subject: "live-sends-no-pings", sessions: 600)
    #expect(report.text.contains("half-open-noticed") && report.text.contains("Invariants were broken in"))
    #expect(report.text.contains("The first failures, and how to reproduce them"))
    #expect(report.text.contains("The first session in which an invariant was broken."))
    let pattern = #/assay live timeline --seed (\d+) (\w+) --subject live-sends-no-pings --policy full-jitter/#
    let commands = Set(report.text.matches(of: pattern).map { String($0.output.0) })
    #expect(!commands.isEmpty && commands.allSatisfy(report.data.contains))
    // The moment in the text is that of the timeline which the command shows.
    let lines = report.text.split(separator: "\n")
    let index = try #require(lines.firstIndex { $0.contains("it could have been, where 42 s are allowed; cut off at") })
    let moment = try #require(lines[index].firstMatch(of: #/cut off at (\S+) by \S+, \d+ attempts?$/#)?.1)
    let seed = try #require(lines[index + 2].firstMatch(of: #/--seed (\d+) tunnel/#)?.1)
    let session = try Outcome(
      "live.timeline", "profile: tunnel\nsubject: live-sends-no-pings\nrandom: {seed: \(seed)}")
    #expect(session.text.contains(" \(moment) "))
  }

  @Test("times of seconds have three digits or so")
  func seconds() {
    #expect(TimelineClock.seconds(.forever) == "never")
    #expect(TimelineClock.seconds(.milliseconds(844)) == "0.84 s")
    #expect(TimelineClock.seconds(.milliseconds(999_499)) == "999 s")
    #expect(TimelineClock.seconds(.milliseconds(999_500)) == "1,000 s")
  }

  @Test("of a profile whose faults cut no connection off it says that nothing is evaluated, and has no empty table")
  func unhurt() throws {
    let report = try report("{name: own, limit: 9s, faults: [{kind: captive-portal, for: 5s}]}", sessions: 4)
    #expect(report.text.contains("Nothing is evaluated in own: its faults cut no connection."))
    #expect(!report.text.contains("Back in time, by cause of the outage"))
  }

  @Test("after an interruption it has results of every profile, and counts of which the rest is unknown")
  func interrupted() throws {
    let report = try Outcome(
      "live.simulate", "profiles: [lift, tunnel, night]\nsessions: 900",
      on: RunContext(workers: 1, maxSamples: 128))
    #expect(!report.result.isComplete)
    #expect(report.text.contains("128 of 900 sessions: the run ended before."))
    #expect(report.values("reconnect.outages").count == 3)
    #expect(report["invariants.broken"]?.value == .count(0, undecided: 772))
  }

  @Test("outages that no fault began are explained where there are any")
  func noFault() throws {
    #expect(try report("stadium", sessions: 400).text.contains("No-fault: no fault that cuts"))
  }
}
