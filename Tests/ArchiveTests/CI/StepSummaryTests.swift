// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@testable import Archive

@Suite("The summary of a step")
struct StepSummaryTests {
  private let path = NSTemporaryDirectory() + "assay-summary-\(UUID().uuidString).md"

  private var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }

  @Test("is added to, and nothing that stands there is lost")
  func append() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try StepSummary(path).append("one\n")
    try StepSummary(path).append("two\n")
    #expect(text == "one\ntwo\n")
  }

  @Test("begins on a line of its own where a program before it ended within one")
  func lineEnd() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("unfinished".utf8).write(to: URL(fileURLWithPath: path))
    try StepSummary(path).append("## Heading\n")
    #expect(text == "unfinished\n## Heading\n")
  }

  @Test(
    "that cannot be written is an error with the path and what it was set to", arguments: ["/", "/no/such/folder/x"])
  func unwritable(path: String) {
    let error = #expect(throws: ArchiveError.self) { try StepSummary(path).append("x") }
    #expect(error.map { "\($0)" }?.contains("cannot write '\(path)'") == true)
    #expect(error.map { "\($0)" }?.contains("GITHUB_STEP_SUMMARY") == true)
  }
}
