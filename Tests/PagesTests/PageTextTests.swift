// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Pages

@Suite("Texts of a page")
struct PageTextTests {
  @Test("what means something in HTML is escaped")
  func escapes() {
    #expect(PageText().escapeText("<a href=\"x\" b='y'>&") == "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;")
  }

  @Test(
    "an accent that combines with a mark does not carry it past the escaping",
    arguments: ["<", ">", "&", "\"", "'"])
  func escapesBeforeAccents(mark: String) {
    let escaped = PageText().escapeText(mark + "\u{301}")
    #expect(!escaped.unicodeScalars.dropLast().contains { "<>\"'".unicodeScalars.contains($0) })
    #expect(escaped.hasPrefix("&"))
    #expect(escaped.unicodeScalars.last == "\u{301}")
  }

  @Test("control characters become visible, line ends and tabs stay")
  func showsControlCharacters() {
    #expect(PageText().escapeText("a\u{0}\u{1B}\u{7F}\r\n\tb") == "a␀␛␡␍\n\tb")
    for code: UInt32 in [0x85, 0x9F, 0xFFFE, 0x1FFFF, 0xFDD0] {
      let text = Unicode.Scalar(code).map { String(Character($0)) } ?? ""
      #expect(PageText().escapeText(text) == "\u{FFFD}")
    }
  }

  @Test("marks that turn the direction of what follows are taken out, letters of every script stay")
  func keepsLetters() {
    #expect(PageText().escapeText("a\u{202E}b\u{2069}") == "a\u{FFFD}b\u{FFFD}")
    #expect(PageText().escapeText("e\u{301} 漢字 שלום 👩🏽‍🔬") == "e\u{301} 漢字 שלום 👩🏽‍🔬")
  }

  @Test("every template reads, and escapes by these rules", arguments: PageTemplates.sources.map(\.name))
  func templatesEscape(name: String) throws {
    _ = try PageTemplates.library.get()
    let source = try #require(PageTemplates.sources.first { $0.name == name })
    #expect(source.text.hasPrefix("{{% CONTENT_TYPE: PAGE}}\n"))
  }

  @Test("templates write unescaped only what the page itself makes")
  func unescapedNames() {
    let names = PageTemplates.sources.flatMap { source in
      source.text.matches(of: /\{\{\{\s*([^}\s]+)\s*\}\}\}|\{\{&\s*([^}\s]+)/).map {
        "\(source.name) \($0.1 ?? $0.2 ?? "")"
      }
    }
    #expect(
      Set(names) == ["page light", "page dark", "page style", "page colours", "page script", "figure ."])
  }

  @Test("a name that a template does not find is empty, and not looked for further out")
  func missingNames() {
    let values: TemplateValues = ["text": "out", "blocks": [["template": "paragraph"] as TemplateValues]]
    #expect(PageTemplates.render("part", values).contains("<p></p>"))
  }
}
