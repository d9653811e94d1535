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

@Suite("Text for Markdown")
struct MarkdownTextTests {
  @Test("means itself, whatever marks are in it")
  func plain() {
    #expect(
      MarkdownText.plain("a_b *c* <b>&amp; [x](y) `d`\nnext")
        == #"a\_b \*c\* &lt;b&gt;&amp;amp; \[x\](y) \`d\` next"#)
  }

  @Test("as code stands behind more backticks than are in it", arguments: ["plain", "a`b", "``", "`a", "a\nb"])
  func code(text: String) throws {
    let code = MarkdownText.code(text)
    let fence = String(code.prefix { $0 == "`" })
    let inner = code.dropFirst(fence.count).dropLast(fence.count)
    #expect(code.hasSuffix(fence) && !inner.contains(fence))
    #expect(inner.trimmingCharacters(in: .whitespaces) == text.replacing("\n", with: " "))
    #expect(!inner.hasPrefix("`") && !inner.hasSuffix("`"))
  }

  @Test("as a block is not ended by what is in it")
  func block() {
    #expect(MarkdownText.block("a\n````\nb") == "`````text\na\n````\nb\n`````\n")
    #expect(MarkdownText.block("a\n") == "```text\na\n```\n")
  }
}
