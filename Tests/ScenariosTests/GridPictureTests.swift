// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@Suite("A grid is drawn as a well-formed picture, the same bytes each time")
struct GridPictureTests {
  private func svg(rows: Int = 2, notes: [String] = ["a < b & \"c\""]) -> String {
    let detail = ReportTable(caption: "", Table(["action"]))
    let cell = ReportGrid.Cell(text: "Dh", name: "", colour: Colour(0x2F7FC1), mark: "~", detail: detail)
    let grid = (0..<rows).map { ReportGrid.Row(title: "\($0)", cells: [cell, cell, cell]) }
    return ReportGrid(
      id: "card", caption: "", columnsTitle: "Upcard", columns: ["2", "3", "A"],
      groups: [ReportGrid.Group(title: "Hard", rows: grid), ReportGrid.Group(title: "Soft", rows: grid)],
      legend: [
        ReportGrid.LegendEntry(text: "D", meaning: "double", colour: Colour(0x2F7FC1)),
        ReportGrid.LegendEntry(text: "~", meaning: "as good", colour: nil),
      ]
    ).svg(
      title: "Card & Co", subtitles: ["one"], tips: Array(repeating: "9 v <2>", count: rows * 6), notes: notes)
  }

  @Test("it is valid XML for any texts")
  func wellFormed() {
    #expect(svg().contains("a &lt; b &amp; &quot;c&quot;"))
    #expect(svg().contains("<title>9 v &lt;2&gt;</title>"))
    #expect(svg().components(separatedBy: "<g>").count == svg().components(separatedBy: "</g>").count)
    #expect(svg().hasPrefix("<svg xmlns=") && svg().hasSuffix("</svg>\n"))
  }

  @Test("a mark with a combining accent is escaped, and characters that XML forbids are replaced")
  func hostileTexts() {
    let hostile = svg(notes: ["a <\u{301} b", "c \u{1} d"])
    #expect(
      hostile.unicodeScalars.filter { $0 == "<" }.count
        == svg(notes: ["a", "b"]).unicodeScalars.filter { $0 == "<" }.count)
    #expect(hostile.contains("c \u{FFFD} d"))
  }

  @Test("equal cards are equal bytes, different ones are not")
  func deterministic() {
    #expect(svg() == svg())
    #expect(svg(rows: 3) != svg(rows: 2))
  }

  @Test("every cell has its letter, its fallback and its mark")
  func cells() {
    let svg = svg(rows: 4)
    #expect(svg.components(separatedBy: #"D<tspan font-size="12">h</tspan>"#).count - 1 == 24)
    #expect(svg.components(separatedBy: ">~</text>").count - 1 == 25)
  }

  @Test("nothing lies outside the picture")
  func inside() throws {
    let svg = svg(rows: 9, notes: ["one", "two", "three"])
    let height = try #require(svg.firstMatch(of: /height="(\d+)"/).flatMap { Int($0.1) })
    let lowest = svg.matches(of: /<text x="\d+" y="(\d+)"/).compactMap { Int($0.1) }.max()
    #expect(try #require(lowest) < height)
  }
}
