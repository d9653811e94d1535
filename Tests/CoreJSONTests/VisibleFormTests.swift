// SPDX-License-Identifier: GPL-3.0-or-later
import CoreJSON
import Testing

@Suite("Names are compared by what is seen")
struct VisibleFormTests {
  @Test(
    "invisible characters, kinds of spaces and normal forms do not matter",
    arguments: [
      "Keen Badgers\u{200B}", "\u{FEFF}Keen\u{A0}Badgers", "Keen\u{2009} \tBadgers ", "Ke\u{AD}en Badgers\u{FE0F}",
      "\u{202A}Keen Badgers\u{202C}", "Keen\u{3000}Badgers\r\n",
    ])
  func alike(text: String) { #expect(text.visibleForm == "Keen Badgers") }

  @Test("what is seen stays: accents, joined emoji, and the regions of flags")
  func different() {
    #expect("Jose\u{301}".visibleForm == "Jos\u{E9}")
    let family = "\u{1F468}\u{200D}\u{1F469}"
    #expect(family.visibleForm == family && family.visibleForm != "\u{1F468}\u{1F469}".visibleForm)
    let flag = { (letters: String) in
      "\u{1F3F4}"
        + String(String.UnicodeScalarView(letters.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xE0000) }))
    }
    #expect(flag("gbeng").visibleForm != flag("gbsct").visibleForm)
    #expect("".visibleForm.isEmpty && "\u{200B} ".visibleForm.isEmpty)
  }
}

@Suite("Several JSON documents in one text")
struct JSONDocumentsTests {
  private func all(_ text: String, opensArrays: Bool = false) throws -> [JSONNode] {
    var values = JSONValues(parsing: Array(text.utf8), deepest: 8, opensArrays: opensArrays)
    var nodes: [JSONNode] = []
    while let node = try values.next() { nodes.append(node) }
    return nodes
  }

  @Test("documents one after another are read, with or without white space between them, and keep their lines")
  func several() throws {
    #expect(try all("[1]").map(\.elements.count) == [1])
    let nodes = try all("\u{FEFF}{\"a\":\n1}\n[2]{}\n\n\"text\" ")
    #expect(nodes.map(\.line) == [1, 3, 3, 5] && nodes[3].string == "text")
    let list = JSONNode(listing: nodes)
    #expect(list.elements.count == 4 && list.line == 1 && list.bytes.upperBound == nodes[3].bytes.upperBound)
  }

  @Test("an array at the top is a document, or its elements are, as the reader of the text asks")
  func arrays() throws {
    let text = "[1, [2]]\n[]\n{\"a\": 3}"
    #expect(try all(text).map(\.elements.count) == [2, 0, 0])
    let opened = try all(text, opensArrays: true)
    #expect(opened.map(\.number) == [1, nil, nil] && opened.map(\.line) == [1, 1, 3])
    #expect(try all("").isEmpty && all("[] \n", opensArrays: true).isEmpty)
  }

  @Test("a document that breaks off, or what is none, is an error", arguments: ["[1] [", "[1] x", "[1],[2]"])
  func broken(text: String) { #expect(throws: JSONFault.self) { try all(text) } }
}
