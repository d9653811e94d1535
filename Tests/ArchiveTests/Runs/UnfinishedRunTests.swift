// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A run that does not come to its end")
struct UnfinishedRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  /// Runs the scenario in a process of its own, which is killed while it goes on.
  private func runKilled() async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = place.url.path as String] in
      try Workplace(path).run(Workplace.yaml, .init(during: { kill(getpid(), SIGKILL) }))
    }
  }

  @Test("leaves a folder that says so when it is killed, and how to run it again")
  func killed() async throws {
    defer { place.remove() }
    await runKilled()
    let stored = StoredRun(try place.folder)
    #expect(stored.condition == .killed)
    #expect(stored.document == nil)
    #expect(try #require(stored.latest).ended == nil)
    #expect(stored.summary.hasSuffix("To run it again: assay run Scenarios/count.yaml."))
    let page = try place.read(.report)
    #expect(page.contains("This run has not come to its end."))
    #expect(page.contains("assay run Scenarios/count.yaml"))
    #expect(try place.read(.scenario).contains("kind: counting"))
    try place.run()
    #expect(try StoredRun(place.folder).condition == .complete)
    #expect(try place.contents().keys.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("leaves the earlier complete result, and says which run that is of, however often it is killed")
  func killedAgain() async throws {
    defer { place.remove() }
    let good = try place.run()
    let before = try place.contents()
    for _ in 1...2 {
      await runKilled()
      let after = try place.contents()
      for name in ["result.json", "report.html", "junit.xml", "counts.csv", "scenario.yaml"] {
        #expect(after[name] == before[name], "\(name)")
      }
      #expect(after["partial-report.html"]?.contains("This run has not come to its end.") == true)
      let stored = StoredRun(try place.folder)
      #expect(stored.condition == .killed)
      #expect(stored.completed == good.record)
      #expect(stored.document?.judgement == .holds)
      #expect(stored.summary.hasSuffix("The earlier complete result is kept."))
    }
    try place.run()
    #expect(try place.contents().keys.sorted() == before.keys.sorted())
  }

  @Test("writes partial.json when it is interrupted, and undecides what needs all its samples")
  func interrupted() throws {
    defer { place.remove() }
    let run = try place.run(Workplace.yaml, .init(endsAfter: 5_000))
    #expect(run.record.status == .interrupted)
    let contents = try place.contents()
    #expect(contents.keys.sorted() == ["junit.xml", "partial.json", "report.html", "run.json", "scenario.yaml"])
    let partial = try ResultDocument(contentsOf: "\(run.folder)/partial.json")
    #expect(!partial.isComplete)
    #expect(contents["partial.json"]?.contains("This is not the result") == true)
    #expect(contents["report.html"]?.contains("This is not the result") == true)
    #expect(partial.thresholds.map(\.judgement) == [.holds, .undecided, .holds])
    #expect(partial.thresholds[1].found.contains("which an early end voids"))
    #expect(partial.thresholds[1].remedy == "a run that is not interrupted")
    #expect(try StoredRun(place.folder).condition == .interrupted)
  }

  @Test("leaves a count open as far as an interruption does")
  func interruptedCount() throws {
    defer { place.remove() }
    let yaml = "{name: Ones, kind: counting, thresholds: [ones <= 10, ones <= 6000, ones <= 10000]}"
    let run = try place.run(yaml, .init(endsAfter: 5_000))
    #expect(run.document.thresholds.map(\.judgement) == [.fails, .undecided, .holds])
  }

  @Test("keeps an earlier complete result when it is interrupted; the next complete one clears up")
  func interruptedAgain() throws {
    defer { place.remove() }
    let good = try place.run()
    let before = try place.contents()
    let run = try place.run(Workplace.yaml, .init(endsAfter: 100))
    #expect(run.report.hasSuffix("/partial-report.html"))
    let after = try place.contents()
    for name in before.keys where name != "run.json" { #expect(after[name] == before[name], "\(name)") }
    #expect(
      Set(after.keys).subtracting(before.keys) == ["partial.json", "partial-report.html", "partial-junit.xml"])
    #expect(try StoredRun(place.folder).completed == good.record)
    try place.run()
    #expect(try place.contents().keys.sorted() == before.keys.sorted())
  }

  @Test("says what it failed with, and keeps an earlier complete result")
  func failed() throws {
    defer { place.remove() }
    struct Trouble: Error, CustomStringConvertible { let description = "the moon is <full>" }
    #expect(throws: Trouble.self) { try place.run(Workplace.yaml, .init(during: { throw Trouble() })) }
    #expect(try StoredRun(place.folder).condition == .failed)
    #expect(try #require(StoredRun(try place.folder).latest).error == "the moon is <full>")
    #expect(try place.read(.report).contains("This run ended with an error: the moon is &lt;full&gt;"))
    #expect(try place.read(.junit).contains("<error message=\"the moon is &lt;full&gt;\">"))
    try place.run()
    let result = try place.read(.result)
    #expect(throws: Trouble.self) { try place.run(Workplace.yaml, .init(during: { throw Trouble() })) }
    #expect(try place.read(.result) == result)
    #expect(try place.read(.junit).contains("errors=\"0\""))
    #expect(try place.read(.partialJUnit).contains("the moon"))
  }
}
