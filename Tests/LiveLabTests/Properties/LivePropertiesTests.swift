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
    let message = try counterexample(of: name, by: "live.1", cases: 500).failure.message
    let pattern = /^(.*); assay live timeline --schedule '(.*)' --seed (\d+) --subject (\S+)$/
    let (_, breach, schedule, seed, client) = try #require(message.wholeMatch(of: pattern)).output
    #expect(client == name)
    let timeline = try Timeline(
      of: SimulatedClient(LiveVariant.named(String(client))), under: FaultSchedule(reading: String(schedule)),
      seed: try #require(UInt32(seed)), generator: SessionRandom.defaultName, title: name)
    let shown = try #require(timeline.breach)
    #expect("\(shown)" == breach)
  }

  @Test("is that of the case itself where whole herds are looked at, since one session shows nothing broken")
  func herds() throws {
    let subject = try #require(LiveProperties.catalogue.mutant("live-knows-no-jitter"))
    let byToken = subject.properties.filter(\.isShownByToken).map(\.id)
    #expect(byToken == ["live.3", "live.12"])
    let message = try counterexample(of: subject.name, by: "live.3", cases: 50).failure.message
    #expect(message == "spread-returns: 32 of 32 clients return within 0.25 s")
  }

  @Test(
    "stands beside values that people read, not beside those of a debugger",
    arguments: [("live-takes-acks-for-all", "live.9"), ("live-forgets-epochs", "live.10")])
  func readable(name: String, id: String) throws {
    let example = try counterexample(of: name, by: id, cases: 500)
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

@Suite("The simple schedules to which counterexamples shrink")
struct SimpleSchedulesTests {
  /// The first breach of a client in a session.
  private static func breach<Subject: ClientUnderTest>(
    of type: Subject.Type, in schedule: FaultSchedule, seed: UInt32
  ) throws -> Breach? {
    try checked(type, schedule, seeds: seed...seed).breach
  }

  @Test("are nothing, then one fault of every kind, then two, each once")
  func order() {
    let all = SimpleSchedules.all
    let counts = all.map(\.faults.count)
    #expect(counts == counts.sorted() && Set(counts) == [0, 1, 2] && counts.count { $0 == 0 } == 1)
    #expect(Set(SimpleSchedules.singles.flatMap { $0.faults.map(\.fault.kind) }) == Set(Fault.Kind.simulated))
    #expect(Set(all).count == all.count)
  }

  @Test("break no invariant of the client that ships", arguments: 1...5 as ClosedRange<UInt32>)
  func shipping(seed: UInt32) throws {
    for schedule in SimpleSchedules.all {
      let breach = try Self.breach(of: LiveConnection.self, in: schedule, seed: seed)
      #expect(breach == nil, "\(LiveReplay.command(schedule, seed: seed, subject: "production"))")
    }
  }
}

@Suite("The simple stories to which counterexamples shrink")
struct SimpleStoriesTests {
  private static func breach<Subject: ClientUnderTest>(of type: Subject.Type, in told: LimitedStory) -> Breach? {
    StoryRun<Subject>(told.story, told.limits.settings).breach
  }

  @Test("are a start alone, then one event of every sort, then two, then three, each once")
  func order() {
    let counts = SimpleStories.all.map(\.story.steps.count)
    #expect(counts == counts.sorted() && Set(counts) == [0, 1, 2, 3])
    let ones = Set(SimpleStories.all.filter { $0.story.steps.count == 1 }.flatMap { $0.story.steps.map(\.event) })
    #expect(ones == Set(LiveStory.allEvents))
    #expect(Set(SimpleStories.all.map(\.description)).count == SimpleStories.all.count)
  }

  @Test("break no invariant of the client that ships")
  func shipping() {
    for told in SimpleStories.all {
      #expect(Self.breach(of: LiveConnection.self, in: told) == nil, "\(told)")
    }
  }
}
