// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Pages

@Suite("A report's page")
struct ReportPageTests {
  static func html(_ text: (String) -> String = { $0 }) throws -> String {
    let figure = Samples.figure(text)
    return Samples.everything(text).html(pictures: [figure: try FigurePicture(figure)])
  }

  @Test("texts of the data cannot change the structure of the page", arguments: Samples.hostileTexts)
  func hostileTexts(hostile: String) throws {
    // How much of a grid a figure has depends on how wide its texts are, so both pages have the same picture.
    let picture = try FigurePicture(Samples.figure { _ in "word" })
    func page(_ text: String) -> [String] {
      HTMLOutline(Samples.everything { _ in text }.html(pictures: [Samples.figure { _ in text }: picture])).tags
    }
    let (built, expected) = (page(hostile), page(Self.tame(hostile)))
    #expect(built.count == expected.count)
    let difference = zip(built, expected).first { $0 != $1 }
    #expect(difference == nil)
  }

  @Test("texts of a figure cannot change the picture", arguments: Samples.hostileTexts)
  func hostilePictures(hostile: String) throws {
    let built = try FigurePicture(Samples.figure { _ in hostile })
    let expected = try FigurePicture(Samples.figure { _ in Self.tame(hostile) })
    for (one, other) in [(built.inline, expected.inline), (built.file, expected.file)] {
      #expect(HTMLOutline(one).tags == HTMLOutline(other).tags)
    }
  }

  /// The text with letters of the same width for the signs that mean something to a browser, but the equals sign,
  /// behind which lines may break.
  private static func tame(_ text: String) -> String {
    let signs = text.unicodeScalars.map { sign -> Unicode.Scalar in
      guard "!\"#$%&'()*+,./:;<>?@[\\]^_`{|}~".unicodeScalars.contains(sign) else { return sign }
      let letters: [Unicode.Scalar] = ["a", "i", "m", "A"]
      return letters.first { Label.width(of: String($0)) == Label.width(of: String(sign)) } ?? sign
    }
    return String(String.UnicodeScalarView(signs))
  }

  @Test("equal pages are equal bytes")
  func deterministic() throws {
    #expect(try Self.html() == Self.html())
  }

  @Test("anchors are unique, and every link leads to one")
  func anchors() throws {
    let values = HTMLOutline(try Self.html()).values
    let names = values.filter { $0.attribute == "id" }.map(\.value)
    #expect(Set(names).count == names.count)
    let links = values.filter { $0.attribute == "href" && $0.value.hasPrefix("#") }.map { String($0.value.dropFirst()) }
    #expect(links.contains("blocks") && links.contains("blocks-2") && links.contains("thresholds"))
    #expect(Set(links).subtracting(names) == [])
  }

  @Test("a section cannot take the anchor of a part of the page")
  func reservedAnchors() throws {
    var anchors = Anchors(reserved: ReportPage.ownAnchors)
    #expect(anchors.name(for: "facts") == "facts-2")
    #expect(anchors.name(for: "Ein Titel: 1 < 2") == "ein-titel-1-2")
    #expect(anchors.name(for: "\"><b>") == "b")
    #expect(anchors.name(for: "漢字") == "part")
    let html = try Self.html()
    for name in ReportPage.ownAnchors { #expect(html.contains("id=\"\(name)\""), "\(name)") }
  }

  @Test("heading levels descend one at a time from a single first heading")
  func headings() throws {
    let levels = HTMLOutline(try Self.html()).tags.compactMap { tag in
      tag.hasPrefix("h") ? Int(tag.dropFirst().prefix(1)) : nil
    }
    #expect(levels.first == 1)
    #expect(levels.count { $0 == 1 } == 1)
    #expect(levels.contains(4))
    for (level, next) in zip(levels, levels.dropFirst()) { #expect(next <= level + 1) }
  }

  @Test("the page loads nothing from outside")
  func selfContained() throws {
    for (_, attribute, value) in HTMLOutline(try Self.html()).values
    where ["href", "src", "action"].contains(attribute) {
      #expect(value.hasPrefix("#") || value == "data:,")
    }
    #expect(!PageFile.style.contains("url(") && !PageFile.style.contains("@import"))
    #expect(!PageFile.script.contains("innerHTML") && !PageFile.script.contains("fetch("))
  }

  @Test("a figure that cannot be drawn shows its data")
  func figureWithoutPicture() {
    let html = Samples.everything { $0 }.html()
    #expect(!html.contains("<desc"))
    #expect(html.contains("It is not drawn here; these are its data."))
    #expect(html.contains("5,000,000"))
  }

  @Test("an embedded figure uses the page's colours and has no ids")
  func figureWithPicture() throws {
    let html = try Self.html()
    #expect(html.contains("<figure id=\"convergence\"") && html.contains("<figure id=\"convergence-2\""))
    #expect(html.contains(">rounds</text>") && !html.contains("svg:root"))
    #expect(html.contains(".assay-figure .stroke-series-1 { stroke: var(--series-1, #0072b2) }"))
  }

  @Test("the thresholds' table omits empty columns")
  func emptyColumns() {
    let html = ReportPage(
      title: "x", verdict: .holds, thresholds: VerdictTests.thresholds([.holds]), sections: [], scenario: "",
      command: "", facts: []
    ).html()
    #expect(!html.contains("What would decide it") && !html.contains(">Source<"))
    #expect(!html.contains("id=\"again\"") && !html.contains("id=\"facts\""))
    #expect(html.contains("<title>x: holds</title>"))
  }

  @Test("thresholds that fail come first, then those that are undecided")
  func worstFirst() throws {
    let html = try Self.html()
    let section = try #require(html.firstMatch(of: /(?s)<section id="thresholds">.*?<\/section>/)).output
    #expect(section.matches(of: /#sign-(\w+)/).map { String($0.1) } == ["fails", "undecided", "holds"])
  }

  @Test("tables and pictures have no superfluous ARIA attributes")
  func roles() throws {
    let values = HTMLOutline(try Self.html()).values
    for (tag, attribute, value) in values where attribute == "role" {
      #expect(!["table", "thead", "tbody", "tr", "th", "td"].contains(tag), "\(tag) \(value)")
    }
    #expect(!values.contains { ["aria-labelledby", "aria-describedby"].contains($0.attribute) })
  }

  @Test("a card of 330 cells with five rows of details each is complete and below a megabyte")
  func sizeOfACard() {
    let grid = Samples.grid({ $0 }, rows: 33)
    let html = ReportPage(
      title: "Card", verdict: .holds, thresholds: [],
      sections: [ReportSection(id: "card", title: "Card", blocks: [.grid(grid)])], scenario: "", command: "", facts: []
    ).html()
    #expect(html.utf8.count < 1_000_000)
    let cells = grid.groups.flatMap(\.rows).flatMap(\.cells)
    #expect(cells.count == 330)
    for cell in cells {
      #expect(html.contains("aria-label=\"\(cell.name)\""))
      #expect(html.contains("<caption><span>\(cell.detail.caption)</span></caption>"))
    }
  }

  @Test("the data of a figure has a row for each point, with its interval and place name")
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

  @Test("the top states the verdict in a word", arguments: [.holds, .fails, .undecided, nil] as [Verdict?])
  func verdict(verdict: Verdict?) {
    let thresholds = VerdictTests.thresholds(verdict.map { [$0] } ?? [])
    let html = ReportPage(
      title: "x", verdict: verdict, thresholds: thresholds, sections: [], scenario: "", command: "", facts: []
    ).html()
    #expect(html.contains(">\(VerdictBadge.word(for: verdict))</strong>"))
  }
}

@Suite("Blocks of a report")
struct BlockTests {
  static func html(_ blocks: [ReportBlock]) -> String {
    ReportPage(
      title: "T", verdict: nil, thresholds: [], sections: [ReportSection(id: "s", title: "S", blocks: blocks)],
      scenario: "", command: "", facts: []
    ).html()
  }

  static func table(_ rows: [[String]], columns: [Table.Column]) -> ReportTable {
    ReportTable(caption: "C", Table(columns, rows: rows))
  }

  @Test("a table has column and row headings, and right-aligned numbers")
  func table() {
    let html = Self.html([
      .table(Self.table([["a", "1"]], columns: [Table.Column("Name"), Table.Column("Count", .right)]))
    ])
    #expect(html.contains("<caption><span>C</span></caption>"))
    #expect(html.contains("<tr><th scope=\"col\">Name<th scope=\"col\" class=\"n\">Count</thead>"))
    #expect(html.contains("<tr><th scope=\"row\">a<td class=\"n\">1\n"))
  }

  @Test("a table without a caption is labelled by the title above it for screen readers")
  func unnamed() {
    let table = ReportBlock.table(ReportTable(caption: "", Table([Table.Column("Name")])))
    let html = Self.html([.part(title: "The teams", verdict: nil, [table])])
    #expect(html.contains("<caption><span class=\"sr\">The teams</span></caption>"))
    #expect(html.contains("aria-label=\"The teams\""))
  }

  @Test("an empty cell is not a heading, and a table without rows states that")
  func emptyParts() {
    let columns = [Table.Column(""), Table.Column("Count", .right)]
    let html = Self.html([.table(Self.table([["", "1"]], columns: columns)), .table(Self.table([], columns: columns))])
    #expect(html.contains("<tr><td><th scope=\"col\" class=\"n\">Count</thead>"))
    #expect(html.contains("<tr><td><td class=\"n\">1\n"))
    #expect(html.contains("<tr><td colspan=\"2\">There are no rows."))
  }

  @Test("details with a long table stay closed in print", arguments: [(40, false), (41, true)])
  func longDetails(rows: Int, isLong: Bool) {
    let table = Self.table((0..<rows).map { ["\($0)"] }, columns: [Table.Column("x")])
    let html = Self.html([.details(summary: "More", [.part(title: "P", verdict: nil, [.table(table)])])])
    #expect(html.contains("<details class=\"long\">") == isLong)
    #expect(html.contains("<details>") != isLong)
  }

  @Test("nested parts end at the sixth level of headings")
  func levels() {
    let deep = (0..<6).reduce(ReportBlock.paragraph("x")) { .part(title: "P\($1)", verdict: nil, [$0]) }
    let html = Self.html([deep])
    #expect(html.contains("<h3>P5</h3>") && html.contains("<h6>P2</h6>") && html.contains("<h6>P0</h6>"))
    #expect(!html.contains("<h7"))
  }

  @Test("a verdict is a word and a sign", arguments: Verdict.allCases.filter { $0 != .unasked })
  func verdict(verdict: Verdict) {
    let html = Self.html([.part(title: "P", verdict: verdict, [])])
    #expect(html.contains("<use href=\"#sign-\(verdict.rawValue)\"/></svg> \(VerdictBadge.word(for: verdict))</span>"))
  }

  @Test("a grid's cells are numbered in order, and equal colours share a class")
  func grid() {
    let html = Self.html([.grid(Samples.grid({ $0 }, rows: 3))])
    let names = html.matches(of: /aria-label="(row \d+ against \d+)/).map { String($0.1) }
    let captions = html.matches(of: /<span>R(ow \d+ against \d+): what/).map { "r" + String($0.1) }
    #expect(names.count == 30)
    #expect(names == captions)
    #expect(html.contains(".k4 {") && !html.contains(".k5 {"))
    #expect(html.contains("<i>≈</i>"))
  }

  @Test("a command is wrapped, a text of several lines is not")
  func code() {
    #expect(Self.html([.code("assay run x", label: "L")]).contains(" class=\"wraps\"><code>assay run x</code></pre>"))
    #expect(Self.html([.code("a\n  b", label: "L")]).contains("tabindex=\"0\"><code>a\n  b</code></pre>"))
  }

  @Test("texts within style and script cannot end these elements")
  func ownTexts() {
    #expect(!PageFile.style.contains("</") && !PageFile.script.contains("</"))
  }
}

@Suite("The top of a page")
struct VerdictTests {
  static func thresholds(_ verdicts: [Verdict], risk: Double = 0) -> [EvaluatedThreshold] {
    verdicts.map {
      EvaluatedThreshold(
        text: "x == 0", measurement: "x", source: "", line: 1, verdict: $0, found: "0", errorProbability: risk)
    }
  }

  @Test(
    "the sentence counts what holds, fails and is undecided",
    arguments: [
      ([.holds], "The threshold holds."),
      ([.holds, .holds], "All 2 thresholds hold."),
      ([.undecided], "The threshold is undecided."),
      ([.fails, .fails, .fails], "All 3 thresholds fail."),
      ([.holds, .fails], "Of 2 thresholds, 1 fails and 1 holds."),
      ([.undecided, .holds, .fails, .undecided], "Of 4 thresholds, 1 fails, 2 are undecided and 1 holds."),
    ] as [([Verdict], String)])
  func sentence(verdicts: [Verdict], expected: String) {
    let sentence = VerdictBadge(verdict: .all(verdicts), thresholds: Self.thresholds(verdicts)).sentence
    #expect(verdicts.contains(.fails) ? sentence.hasPrefix(expected + " ") : sentence == expected)
  }

  @Test("the sentence names at most three failures with found and required values")
  func failures() {
    let failing = EvaluatedThreshold(
      text: "p95 <= 5s at 0.99", measurement: "p95[tunnel]", source: "", line: 1, verdict: .fails, found: "16 s",
      errorProbability: 0)
    #expect(
      VerdictBadge(verdict: .fails, thresholds: [failing]).sentence
        == "The threshold fails. p95[tunnel] is 16 s, where <= 5s at 0.99 was asked.")
    let many = VerdictBadge(verdict: .fails, thresholds: Array(repeating: failing, count: 4)).sentence
    #expect(many.hasSuffix("was asked; and more.") && many.matches(of: /was asked/).count == 3)
  }

  @Test("without thresholds the top has no verdict, and one line below the findings states that there were none")
  func nothingAsked() throws {
    let page = ReportPage(
      title: "A storm", verdict: .unasked, thresholds: [],
      sections: [ReportSection(id: "advice", title: "Advice", blocks: [.paragraph("full-jitter is back first.")])],
      scenario: "", command: "", facts: []
    ).html()
    #expect(!page.contains("class=\"verdict") && page.contains("<title>A storm</title>"))
    #expect(page.components(separatedBy: "so the verdict is none").count == 2)
    let (finding, remark) = (page.range(of: "full-jitter is back"), page.range(of: "so the verdict is none"))
    #expect(try #require(finding).lowerBound < (try #require(remark)).lowerBound)
  }

  @Test("an incomplete run has no verdict, whatever its thresholds found")
  func incomplete() {
    let verdict = VerdictBadge(verdict: nil, thresholds: Self.thresholds([.holds]))
    #expect(verdict.sentence == "The run is not complete, so there is no verdict.")
    #expect(VerdictBadge.word(for: nil) == "incomplete")
  }

  @Test("the error probabilities are summed into one bound, never rounded down")
  func risk() {
    let risky = VerdictBadge(verdict: .holds, thresholds: Self.thresholds([.holds, .holds, .holds], risk: 0.001))
    #expect(risky.risk.contains("at most 0.003: the sum"))
    let exact = VerdictBadge(verdict: .holds, thresholds: Self.thresholds([.holds]))
    #expect(exact.risk.hasPrefix("These verdicts are about values that were computed, or counted in this run"))
    #expect(!exact.risk.contains("chance has no part"), "a simulated storm is counted, and drawn at random")
    #expect(VerdictBadge(verdict: .holds, thresholds: []).risk.isEmpty)
  }

  @Test(
    "a bound has two digits and lies above the number",
    arguments: [
      (0.01 + 0.02, "at most 0.03"), (0.010_01, "at most 0.011"), (0.5, "at most 0.5"), (0.123, "at most 0.13"),
      (0.000_012_3, "at most 0.000013"), (1e-12, "below 0.0000001"), (1.2, "not bounded by anything below 1"),
    ])
  func bound(probability: Double, expected: String) {
    #expect(VerdictBadge.bound(probability) == expected)
  }
}

@Suite("Texts of a page")
struct PageTextTests {
  @Test("characters with a meaning in HTML are escaped")
  func escapes() {
    #expect(HTML.escaped("<a href=\"x\" b='y'>&") == "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;")
  }

  @Test(
    "an accent that combines with a mark does not carry it past the escaping",
    arguments: ["<", ">", "&", "\"", "'"])
  func escapesBeforeAccents(mark: String) {
    let escaped = HTML.escaped(mark + "\u{301}")
    #expect(!escaped.unicodeScalars.dropLast().contains { "<>\"'".unicodeScalars.contains($0) })
    #expect(escaped.hasPrefix("&"))
    #expect(escaped.unicodeScalars.last == "\u{301}")
  }

  @Test("control characters become visible, line ends and tabs are kept")
  func showsControlCharacters() {
    #expect(HTML.escaped("a\u{0}\u{1B}\u{7F}\r\n\tb") == "a␀␛␡␍\n\tb")
    for code: UInt32 in [0x85, 0x9F, 0xFFFE, 0x1FFFF, 0xFDD0] {
      let text = Unicode.Scalar(code).map { String(Character($0)) } ?? ""
      #expect(HTML.escaped(text) == "\u{FFFD}")
    }
  }

  @Test("marks that change the text direction are removed, letters of every script are kept")
  func keepsLetters() {
    #expect(HTML.escaped("a\u{202E}b\u{2069}") == "a\u{FFFD}b\u{FFFD}")
    #expect(HTML.escaped("e\u{301} 漢字 שלום 👩🏽‍🔬") == "e\u{301} 漢字 שלום 👩🏽‍🔬")
  }

  @Test("interpolated texts are escaped, interpolated HTML is not")
  func interpolation() {
    let data = "<b class=\"x\">"
    let escaped = "&lt;b class=&quot;x&quot;&gt;"
    let part: HTML = "<i>\(data)</i>"
    #expect(
      ("<p title=\"\(data)\">\(part)\([part, part])\(3)" as HTML).text
        == "<p title=\"\(escaped)\">" + String(repeating: "<i>\(escaped)</i>", count: 3) + "3")
    #expect(("<p\(class: "")\(class: data)>" as HTML).text == "<p class=\"\(escaped)\">")
    #expect(
      ("\(data, { "<u>\($0)</u>" })\(nil as String?, { "<u>\($0)</u>" })\("<s>", if: false)" as HTML).text
        == "<u>\(escaped)</u>")
  }
}

/// The tags of a page in order, with the names of their attributes: what a browser builds of it, without the texts.
struct HTMLOutline {
  private(set) var tags: [String] = []
  private(set) var values: [(tag: String, attribute: String, value: String)] = []

  /// Reads byte by byte as a browser's tokeniser does, raw texts included.
  init(_ html: String) {
    let bytes = Array(html.utf8)
    var index = 0
    func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    func word() -> String {
      let start = index
      while index < bytes.count, !" \n\t/>=\"'".utf8.contains(bytes[index]) { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      guard bytes[index] == UInt8(ascii: "<"), isLetter(next) || next == 0x2F || next == 0x21 || next == 0x3F else {
        index += 1
        continue
      }
      index += 1
      let name = word() + (bytes[index] == 0x2F && bytes[index - 1] == 0x3C ? Self.end(&index, bytes) : "")
      var attributes: [String] = []
      while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
        if " \n\t/".utf8.contains(bytes[index]) {
          index += 1
          continue
        }
        let attribute = word()
        guard starts("=") else {
          attributes.append(attribute)
          if attribute.isEmpty { index += 1 }
          continue
        }
        index += 1
        var value = ""
        if starts("\"") || starts("'") {
          let quote = bytes[index]
          let start = index + 1
          index = bytes[start...].firstIndex(of: quote) ?? bytes.count
          value = String(decoding: bytes[start..<index], as: UTF8.self)
          index += 1
        } else {
          value = word()
        }
        attributes.append(attribute)
        values.append((name, attribute, value))
      }
      tags.append(([name] + attributes).joined(separator: " "))
      if ["script", "style", "title"].contains(name) {
        while index < bytes.count, !starts("</\(name)") { index += 1 }
      }
    }
  }

  private static func end(_ index: inout Int, _ bytes: [UInt8]) -> String {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
}
