// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("The command that a failing case prints")
struct LiveReplayTests {
  @Test(
    "shows the session in which the same invariant breaks at the same step",
    arguments: [
      "live-replaced-design", "live-sends-no-pings", "live-resets-on-open", "live-never-suspends",
      "live-leaks-the-lock", "live-waits-for-the-kernel", "live-closes-politely", "live-doubles-itself",
      "live-keeps-connect-timeouts", "live-returns-from-the-dead", "live-hides-gaps", "live-listens-again",
    ])
  func shows(name: String) throws {
    let subject = try #require(LiveProperties.catalogue.subject(name))
    let property = try #require(subject.properties.first { $0.id == "live.1" })
    var settings = CheckSettings()
    (settings.cases, settings.explains) = (500, false)
    let message = try #require(try property.check(settings).counterexample).failure.message
    let pattern = /^(.*); assay live timeline --schedule '(.*)' --seed (\d+) --subject (\S+)$/
    let (_, breach, schedule, seed, client) = try #require(message.wholeMatch(of: pattern)).output
    #expect(client == name)
    let session = TimelineSession(
      client: try LiveSubjects.named(String(client)), schedule: try FaultSchedule(reading: String(schedule)),
      seed: try #require(UInt32(seed)))
    let shown = try #require(try session.timeline(title: name).breach)
    #expect("\(shown)" == breach)
  }

  @Test("names no subject for the client that ships")
  func production() throws {
    let schedule = try FaultSchedule(reading: "live/1 for=15m; 1m reset")
    #expect(
      LiveReplay.command(schedule, seed: 3, subject: "production")
        == "assay live timeline --schedule 'live/1 for=15m; 1m reset' --seed 3")
  }
}
