// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("The command that a failing case prints")
struct LiveReplayTests {
  @Test(
    "shows a session in which the same invariant breaks at the same step",
    arguments: ["live-sends-no-pings", "live-leaks-the-lock", "live-hides-gaps"])
  func shows(name: String) throws {
    let failure = try counterexample(of: name, by: "live.1", cases: 500).failure
    let pattern = /^assay live timeline --schedule '(.*)' --seed (\d+) --subject (\S+)$/
    let (_, schedule, seed, client) = try #require(failure.command?.wholeMatch(of: pattern)).output
    #expect(client == name)
    let shown = try Outcome(
      "live.timeline", "schedule: '\(schedule)'\nrandom: {seed: \(seed)}\nsubject: \(client)")
    #expect(shown.text.contains("Broken: \(failure.message). "))
  }

  @Test("is the token of the case where many clients are compared, since one session shows no breach")
  func herds() throws {
    let subject = try #require(LiveProperties.catalogue.mutant("live-knows-no-jitter"))
    #expect(subject.properties.filter(\.isShownByToken).map(\.id) == ["live.3", "live.12"])
    let message = try counterexample(of: subject.name, by: "live.3", cases: 50).failure.message
    #expect(message == "spread-returns: 32 of 32 clients return within 0.25 s")
  }

  @Test(
    "follows values in plain words, not in the debugger's",
    arguments: [("live-takes-acks-for-all", "live.9"), ("live-forgets-epochs", "live.10")])
  func readable(name: String, id: String) throws {
    let example = try counterexample(of: name, by: id, cases: 500)
    for text in example.arguments + [example.failure.message] {
      #expect(!text.contains("(") && !text.contains("\n"), "\(text)")
    }
  }
}

@Suite("The simple cases to which counterexamples shrink")
struct SimpleCasesTests {
  @Test("schedules with no fault come first, then one fault of every kind, then pairs; none comes twice")
  func schedules() {
    let counts = SimpleSchedules.all.map(\.faults.count)
    #expect(counts == counts.sorted() && Set(counts) == [0, 1, 2])
    #expect(Set(SimpleSchedules.singles.flatMap { $0.faults.map(\.fault.kind) }) == Set(Fault.Kind.simulated))
    #expect(Set(SimpleSchedules.all).count == counts.count)
  }

  @Test("stories of a start alone come first, then one event of every sort, then two and three; none comes twice")
  func stories() {
    let all = SimpleStories.all.map(\.story.steps)
    #expect(all.map(\.count) == all.map(\.count).sorted() && Set(all.map(\.count)) == [0, 1, 2, 3])
    #expect(Set(all.filter { $0.count == 1 }.flatMap { $0.map(\.event) }) == Set(LiveStory.allEvents))
    #expect(Set(SimpleStories.all.map(\.description)).count == all.count)
  }
}
