// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("Scratch")
struct ScratchStoryTests {
  @Test("scratch")
  func scratch() throws {
    var settings = CheckSettings()
    settings.cases = 3000
    settings.explains = false
    for variant in LiveSubjects.all {
      settings.cases = variant.name == "production" ? 300_000 : 3000
      let report = try run(variant.type, settings)
      print("XX", variant.name, report.counterexample.map { "\($0.casesUntilFound): \($0.arguments) -- \($0.failure.message)" } ?? "none \(report.passed)")
    }
  }
  func run<S: LiveSubject>(_ type: S.Type, _ settings: CheckSettings) throws -> CheckReport {
    try search(LiveStory.any(), settings: settings) { story in
      let run = StoryRun<S>(story, ConnectionSettings())
      if let breach = run.watch.breach { throw Failure("\(breach)", origin: breach.invariant.name) }
    }
  }
}
