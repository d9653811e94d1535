// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Testing

@Suite("Text for Markdown")
struct MarkdownTextTests {
  @Test("is displayed literally, whatever characters it contains")
  func plain() {
    #expect(
      MarkdownText.plain("a_b *c* <b>&amp; [x](y) `d`\nnext")
        == #"a\_b \*c\* &lt;b&gt;&amp;amp; \[x\](y) \`d\` next"#)
  }

  @Test("as code is enclosed by more backticks than it contains", arguments: ["plain", "a`b", "``", "`a", "a\nb"])
  func code(text: String) throws {
    let code = MarkdownText.code(text)
    let fence = String(code.prefix { $0 == "`" })
    let inner = code.dropFirst(fence.count).dropLast(fence.count)
    #expect(code.hasSuffix(fence) && !inner.contains(fence))
    #expect(inner.trimmingCharacters(in: .whitespaces) == text.replacing("\n", with: " "))
    #expect(!inner.hasPrefix("`") && !inner.hasSuffix("`"))
  }

  @Test("as a block is not ended by its content")
  func block() {
    #expect(MarkdownText.block("a\n````\nb") == "`````text\na\n````\nb\n`````\n")
    #expect(MarkdownText.block("a\n") == "```text\na\n```\n")
  }
}
