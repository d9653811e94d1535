// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import MonteCarlo
import Reporting
import Testing

@testable import LiveLab

@Suite struct SimulationTrialTests {
  private func trial(
    _ names: [String], subject: String = "production", sessions: Int = 600, endsWhenDecided: Bool = false
  ) throws -> SimulationTrial {
    try SimulationTrial(
      profiles: names.map { try OutageProfile.named($0) }, client: SimulatedClient(LiveSubjects.named(subject)),
      sessions: sessions, endsWhenDecided: endsWhenDecided, seed: 3)
  }

  @Test(
    "the report and the data are the same bytes at 1, 2 and 7 workers",
    arguments: ["production", "live-replaced-design"])
  func workers(subject: String) throws {
    let trial = try trial(["lift", "commute"], subject: subject, sessions: 900)
    let reports = try [1, 2, 7].map { SimulateReport(try trial.run(workers: $0)) }
    for report in reports.dropFirst() {
      #expect(report.json.text == reports[0].json.text)
      #expect(report.text == reports[0].text)
      #expect(report.csv + report.timesCSV == reports[0].csv + reports[0].timesCSV)
    }
    #expect(reports[0].result.isComplete)
    #expect(reports[0].result.sessions == 900)
  }

  @Test(
    "the client that ships is back in time in every profile, and breaks no invariant", arguments: OutageProfile.names)
  func production(profile: String) throws {
    let result = try trial([profile], sessions: 3_000, endsWhenDecided: true).run(workers: 2)
    let finding = try #require(result.finding(of: profile))
    #expect(finding.verdict == .reached, "\(SimulateReport(result).text)")
    #expect(finding.tally.brokenSessions == 0, "\(SimulateReport(result).text)")
  }

  @Test("the design it replaces is found out: invariants are broken, with commands that show them")
  func replaced() throws {
    let result = try trial(["tunnel"], subject: "live-replaced-design", sessions: 200).run(workers: 2)
    #expect(result.holds == false)
    #expect(result.brokenSessions > 0)
    let report = SimulateReport(result)
    let failure = try #require(result.findings.first?.tally.failures.all.first)
    let command = "assay live timeline --seed \(failure.seed) tunnel --subject live-replaced-design"
    #expect(report.text.contains(command))
    #expect(report.json.text.contains(command))
  }

  @Test("clear cases end early, and say on which side of the target they are")
  func early() throws {
    let result = try trial(["lift"], sessions: 100_000, endsWhenDecided: true).run(workers: 2)
    let finding = try #require(result.finding(of: "lift"))
    #expect(result.isComplete)
    #expect(finding.verdict == .reached)
    #expect(finding.tally.sessions < 20_000)
    #expect(try #require(finding.success).interval.lowerBound >= 0.95)
  }

  @Test("a session is the same by itself as among others: its seed is all there is to it")
  func replay() throws {
    let trial = try trial(["commute"])
    let profile = trial.profiles[0]
    func play(_ sessions: [Int]) throws -> ProfileTally {
      var player = try SimulatedSessions<LiveConnection>(
        profile, settings: trial.client.settings, generator: trial.generator)
      var tally = ProfileTally()
      for session in sessions {
        tally = ProfileTally()
        try player.play(session: session, seed: trial.seed(ofSession: session), into: &tally)
      }
      return tally
    }
    #expect(try play([17]) == play([3, 99, 17]))
  }

  @Test("an interruption gives what is known, marked as a part")
  func interrupted() throws {
    let interrupt = Interrupt()
    let result = try trial(["lift", "tunnel"], sessions: 20_000).run(
      workers: 2, interrupt: interrupt, progress: { _ in interrupt.raise() })
    #expect(!result.isComplete)
    #expect(result.holds == nil)
    #expect((1...10_000).contains(result.sessions))
    #expect(SimulateReport(result).text.contains("Interrupted"))
  }

  @Test("sessions are shared evenly among the profiles, the first ones having what is left over")
  func shares() throws {
    let trial = try trial(["lift", "tunnel", "night"], sessions: 11)
    #expect((0..<3).map(trial.sessions(ofProfile:)) == [4, 4, 3])
  }

  @Test("numbers out of range, profiles given twice and policies that there are not are refused")
  func refusals() throws {
    #expect(throws: LiveLabError.self) { try trial([]) }
    #expect(throws: LiveLabError.self) { try trial(["lift", "lift"]) }
    #expect(throws: LiveLabError.self) { try trial(["lift"], sessions: 1) }
    let error = #expect(throws: LiveLabError.self) { try SimulatedClient(policy: "ful-jitter") }
    #expect(error?.description.contains("did you mean 'full-jitter'?") == true)
  }

  @Test("a profile in which no client can succeed is told, not failed")
  func hopeless() throws {
    let profile = OutageProfile(
      name: "cellar", meaning: "Down for good.", limit: .seconds(20),
      courses: [OutageCourse([FaultPattern(.blackHole, lasting: .forever)])])
    let error = #expect(throws: LiveLabError.self) {
      try SimulationTrial(profiles: [profile], client: SimulatedClient())
    }
    #expect(error?.description.contains("no client can succeed") == true)
  }

  @Test("a failure under a profile of one's own is shown by its schedule, which reads back as the same")
  func ownProfile() throws {
    var profile = try OutageProfile.named("lift")
    profile.name = "my lift"
    let command = try SimulatedClient().command(seed: 5, profile: profile)
    var random = try SessionRandom(seed: 5)
    #expect(command == "assay live timeline --seed 5 --schedule '\(profile.schedule(using: &random))'")
  }
}
