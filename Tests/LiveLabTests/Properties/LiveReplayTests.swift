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
    let timeline = try Timeline(
      of: SimulatedClient(LiveSubjects.named(String(client))), under: FaultSchedule(reading: String(schedule)),
      seed: try #require(UInt32(seed)), generator: SessionRandom.defaultName, title: name)
    let shown = try #require(timeline.breach)
    #expect("\(shown)" == breach)
  }

  @Test("is that of the case itself where whole herds are looked at, since one session shows nothing broken")
  func herds() throws {
    let subject = try #require(LiveProperties.catalogue.subject("live-knows-no-jitter"))
    let byToken = subject.properties.filter(\.isShownByToken).map(\.id)
    #expect(byToken == ["live.3", "live.12"])
    let property = try #require(subject.properties.first { $0.id == "live.3" })
    var settings = CheckSettings()
    (settings.cases, settings.explains) = (50, false)
    let message = try #require(try property.check(settings).counterexample).failure.message
    #expect(message == "spread-returns: 32 of 32 clients return within 0.25 s")
  }

  @Test(
    "stands beside values that people read, not beside those of a debugger",
    arguments: [("live-takes-acks-for-all", "live.9"), ("live-forgets-epochs", "live.10")])
  func readable(name: String, id: String) throws {
    let subject = try #require(LiveProperties.catalogue.subject(name))
    let property = try #require(subject.properties.first { $0.id == id })
    var settings = CheckSettings()
    (settings.cases, settings.explains) = (500, false)
    let example = try #require(try property.check(settings).counterexample)
    for text in example.arguments + [example.failure.message] {
      #expect(!text.contains("(") && !text.contains("\n"), "\(text)")
    }
  }

  @Test("names no subject for the client that ships")
  func production() throws {
    let schedule = try FaultSchedule(reading: "live/1 for=15m; 1m reset")
    #expect(
      LiveReplay.command(schedule, seed: 3, subject: "production")
        == "assay live timeline --schedule 'live/1 for=15m; 1m reset' --seed 3")
  }
}
