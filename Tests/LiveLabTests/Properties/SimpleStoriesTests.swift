// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("The simple stories to which counterexamples shrink")
struct SimpleStoriesTests {
  private static func breach<Subject: LiveSubject>(of type: Subject.Type, in told: ToldStory) -> Breach? {
    StoryRun<Subject>(told.story, told.limits.settings).watch.breach
  }

  @Test("are a start alone, then one happening of every sort, then two, then three, each once")
  func order() {
    let counts = SimpleStories.all.map(\.story.steps.count)
    #expect(counts == counts.sorted() && Set(counts) == [0, 1, 2, 3])
    let ones = Set(SimpleStories.all.filter { $0.story.steps.count == 1 }.flatMap { $0.story.steps.map(\.happening) })
    #expect(ones == Set(LiveStory.allHappenings))
    #expect(Set(SimpleStories.all.map(\.description)).count == SimpleStories.all.count)
  }

  @Test("leave enough runs to shrink what none of them shows")
  func few() {
    #expect(max(SimpleStories.all.count, SimpleSchedules.all.count) < CheckSettings().shrinkLimit * 2 / 3)
  }

  @Test("break no invariant of the client that ships")
  func shipping() {
    for told in SimpleStories.all {
      #expect(Self.breach(of: LiveConnection.self, in: told) == nil, "\(told)")
    }
  }

  @Test(
    "of those that show a fault the first is shown, from whichever seed",
    arguments: [
      ("live-flushes-backwards", "seed 0: sends, sends, opens under 2 attempts, 2 messages, no stream"),
      ("live-queues-without-end", "seed 0: sends, sends under 1 attempts, 1 messages"),
      ("live-forgets-the-unacknowledged", "seed 0: opens, sends under 1 attempts, 1 messages, no stream"),
      ("live-sends-no-pings", "seed 0: opens under 1 attempts, 1 messages, no stream"),
      ("live-waits-for-the-kernel", "seed 0: a start alone under 1 attempts, 1 messages"),
      ("live-counts-twice", "seed 0: a start alone under 2 attempts, 2 messages"),
    ])
  func first(name: String, smallest: String) throws {
    let client = try LiveSubjects.named(name)
    #expect(SimpleStories.all.first { Self.breach(of: client.type, in: $0) != nil }?.description == smallest)
    let property = try #require(LiveProperties.all(of: client).first { $0.id == "live.2" })
    for seed in [0, 17, 4_711] as [UInt64] {
      var settings = CheckSettings()
      (settings.cases, settings.seed, settings.explains) = (1_000, seed, false)
      #expect(try #require(try property.check(settings).counterexample).arguments == [smallest])
    }
  }
}
