// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Testing

@Suite("A strategy card is a well-formed picture, the same bytes each time")
struct StrategyCardTests {
  private func card(rows: Int = 2, notes: [String] = ["a < b & \"c\""]) -> StrategyCard {
    let mark = StrategyCard.Mark(sign: "~", meaning: "as good")
    let cell = StrategyCard.Cell(letter: "D", suffix: "h", colour: Colour(0x2F7FC1), mark: mark, detail: "9 v <2>")
    let grid = (0..<rows).map { StrategyCard.Row(label: "\($0)", cells: [cell, cell, cell]) }
    return StrategyCard(
      title: "Card & Co", subtitles: ["one"], columnsTitle: "upcard", columns: ["2", "3", "A"],
      stacks: [[StrategyCard.Section(title: "Hard", rows: grid)], [StrategyCard.Section(title: "Soft", rows: grid)]],
      categories: [StrategyCard.Category(letter: "D", meaning: "double", colour: Colour(0x2F7FC1))], marks: [mark],
      notes: notes)
  }

  @Test("it is XML, whatever the texts hold")
  func wellFormed() {
    let svg = card().svg
    #expect(svg.contains("a &lt; b &amp; &quot;c&quot;"))
    #expect(svg.contains("<title>9 v &lt;2&gt;</title>"))
    #expect(svg.components(separatedBy: "<g>").count == svg.components(separatedBy: "</g>").count)
    #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
  }

  @Test("a mark with an accent behind it is escaped, and what XML cannot hold is replaced")
  func hostileTexts() {
    let svg = card(notes: ["a <\u{301} b", "c \u{1} d"]).svg
    #expect(
      svg.unicodeScalars.filter { $0 == "<" }.count
        == card(notes: ["a", "b"]).svg.unicodeScalars.filter { $0 == "<" }.count)
    #expect(svg.contains("c \u{FFFD} d"))
  }

  @Test("equal cards are equal bytes, and a cell more is a picture more")
  func deterministic() {
    #expect(card().svg == card().svg)
    #expect(card(rows: 3).svg != card(rows: 2).svg)
  }

  @Test("every cell carries its letter, its fallback and its mark")
  func cells() {
    let svg = card(rows: 4).svg
    #expect(svg.components(separatedBy: #"D<tspan font-size="12">h</tspan>"#).count - 1 == 24)
    #expect(svg.components(separatedBy: ">~</text>").count - 1 == 25)
  }

  @Test("nothing stands outside the picture")
  func inside() throws {
    let svg = card(rows: 9, notes: ["one", "two", "three"]).svg
    let height = try #require(svg.firstMatch(of: /height="(\d+)"/).flatMap { Int($0.1) })
    let lowest = svg.matches(of: /<text x="\d+" y="(\d+)"/).compactMap { Int($0.1) }.max()
    #expect(try #require(lowest) < height)
  }
}
