// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LiveCore
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("Scratch")
struct ScratchStoryTests {
  @Test("scratch")
  func scratch() throws {
    var settings = CheckSettings()
    settings.explains = false
    var lines = ""
    defer { try? lines.write(toFile: "/tmp/h/h7.scratch", atomically: true, encoding: .utf8) }
    for variant in LiveSubjects.all {
      for property in LiveProperties.all(of: variant).prefix(3) {
      settings.cases = property.id == "live.3" ? 50 : variant.name == "production" ? 100_000 : 3000
      let report = try property.check(settings)
      lines += [variant.name, property.id, report.counterexample.map { "\($0.casesUntilFound): \($0.arguments) -- \($0.failure.message)" } ?? "none \(report.passed) \(report.outcome) \(report.ending)"].joined(separator: " ") + "\n"
      }
    }
  }
}
