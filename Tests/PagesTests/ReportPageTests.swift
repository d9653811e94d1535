// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Pages

@Suite("A report's page")
struct ReportPageTests {
  static func html(_ text: (String) -> String = { $0 }) -> String {
    Samples.everything(text).html(drawing: Samples.drawing)
  }

  @Test("no text of the data changes what a browser builds", arguments: Samples.hostileTexts)
  func hostileTexts(hostile: String) {
    let built = HTMLOutline(Self.html { _ in hostile }).tags
    let expected = HTMLOutline(Self.html { _ in "word" }).tags
    #expect(built.count == expected.count)
    let difference = zip(built, expected).first { $0 != $1 }
    #expect(difference == nil)
  }

  @Test("equal pages are equal bytes")
  func deterministic() {
    #expect(Self.html() == Self.html())
  }

  @Test("names that links lead to are unique, and every link leads to one")
  func anchors() {
    let values = HTMLOutline(Self.html()).values
    let names = values.filter { $0.attribute == "id" }.map(\.value)
    #expect(Set(names).count == names.count)
    let links = values.filter { $0.attribute == "href" && $0.value.hasPrefix("#") }.map { String($0.value.dropFirst()) }
    #expect(links.contains("blocks") && links.contains("blocks-2") && links.contains("thresholds"))
    #expect(Set(links).subtracting(names) == [])
  }

  @Test("a section cannot take the name of a part of the page")
  func reservedAnchors() {
    var anchors = Anchors(reserved: ReportPage.ownAnchors)
    #expect(anchors.name(for: "facts") == "facts-2")
    #expect(anchors.name(for: "Ein Titel: 1 < 2") == "ein-titel-1-2")
    #expect(anchors.name(for: "\"><b>") == "b")
    #expect(anchors.name(for: "漢字") == "part")
    let html = Self.html()
    for name in ReportPage.ownAnchors { #expect(html.contains("id=\"\(name)\""), "\(name)") }
  }

  @Test("headings go down one level at a time from a single first one")
  func headings() {
    let levels = HTMLOutline(Self.html()).tags.compactMap { tag in
      tag.hasPrefix("h") ? Int(tag.dropFirst().prefix(1)) : nil
    }
    #expect(levels.first == 1)
    #expect(levels.count { $0 == 1 } == 1)
    #expect(levels.contains(4))
    for (level, next) in zip(levels, levels.dropFirst()) { #expect(next <= level + 1) }
  }

  @Test("nothing on the page comes from anywhere else")
  func selfContained() {
    for (_, attribute, value) in HTMLOutline(Self.html()).values where ["href", "src", "action"].contains(attribute) {
      #expect(value.hasPrefix("#") || value == "data:,")
    }
    #expect(!PageTemplates.style.contains("url(") && !PageTemplates.style.contains("@import"))
    #expect(!PageTemplates.script.contains("innerHTML") && !PageTemplates.script.contains("fetch("))
  }

  @Test("a figure that cannot be drawn, or whose drawing is not one, shows its data", arguments: [nil, "<b>no</b>"])
  func figureWithoutDrawing(svg: String?) {
    let html = Samples.everything { $0 }.html { _ in svg }
    #expect(!html.contains("<desc") && !html.contains("<b>"))
    #expect(html.contains("It is not drawn here; these are its data."))
    #expect(html.contains("5,000,000"))
  }

  @Test("a table without remedies or sources has no columns for them")
  func emptyColumns() {
    let html = ReportPage(
      title: "x", judgement: .holds, thresholds: VerdictTests.thresholds([.holds]), sections: [], scenario: "",
      command: "", facts: []
    ).html { _ in nil }
    #expect(!html.contains("What would decide it") && !html.contains("Who demands it"))
    #expect(!html.contains("id=\"again\"") && !html.contains("id=\"facts\""))
    #expect(html.contains("<title>x: holds</title>"))
  }

  @Test("a card of 330 cells with five rows behind each stays below a megabyte and tells them all")
  func sizeOfACard() {
    let grid = Samples.grid({ $0 }, rows: 33)
    let html = ReportPage(
      title: "Card", judgement: .holds, thresholds: [],
      sections: [ReportSection(id: "card", title: "Card", blocks: [.grid(grid)])], scenario: "", command: "", facts: []
    ).html { _ in nil }
    #expect(html.utf8.count < 1_000_000)
    let cells = grid.groups.flatMap(\.rows).flatMap(\.cells)
    #expect(cells.count == 330)
    for cell in cells {
      #expect(html.contains("aria-label=\"\(cell.name)\""))
      #expect(html.contains("<caption><span>\(cell.detail.caption)</span></caption>"))
    }
  }

  @Test("the data of a figure has a row for each point, with its interval and the names of places")
  func figureData() {
    let figure = Figure(
      id: "f", title: "F", alternative: "", x: Figure.Axis("rules", scale: .names(["6d", "8d"])),
      y: Figure.Axis("EV"),
      series: [
        Figure.Series("a", style: .points, points: [Figure.Point(1, 0.1 + 0.2, interval: -0.5...1_234_567)]),
        Figure.Series("", style: .reference, points: [Figure.Point(7, 1e-9)]),
      ])
    #expect(
      figure.dataTable.table.csv
        == "Series,rules,EV,from,to\na,8d,0.3,-0.5,\"1,234,567\"\n–,7,1e-09,,\n")
  }

  /// With `ASSAY_SAMPLE_PAGES=FOLDER` the sample pages are left there, for `scripts/browse`.
  @Test("pages of every verdict are made, and left to look at where somebody asks for them", arguments: SamplePages.all)
  func samples(sample: SamplePages) throws {
    let gnuplot = Gnuplot.find(environment: ProcessInfo.processInfo.environment)
    let html = sample.page.html { figure in
      gnuplot.flatMap { try? $0.svg(figure, heading: false) } ?? Samples.drawing(of: figure)
    }
    #expect(html.contains(">\(Verdict.word(for: sample.page.judgement))</strong>"))
    if let folder = ProcessInfo.processInfo.environment["ASSAY_SAMPLE_PAGES"] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(html.utf8).write(to: URL(filePath: "\(folder)/\(sample.name).html"))
    }
  }
}
