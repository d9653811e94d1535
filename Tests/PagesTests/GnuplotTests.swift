// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import TestSupport
import Testing

@testable import Pages

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("gnuplot draws")
struct GnuplotTests {
  private let gnuplot: Gnuplot

  init() throws {
    gnuplot = try #require(Gnuplot.find(environment: ProcessInfo.processInfo.environment))
  }

  @Test("it says its version")
  func version() {
    #expect(gnuplot.version.contains(/^gnuplot \d+\.\d+/))
  }

  @Test("equal figures are equal bytes, as SVG and as PNG", arguments: Gallery.all)
  func deterministic(figure: Figure) throws {
    #expect(try gnuplot.svg(figure) == gnuplot.svg(figure))
    #expect(try gnuplot.png(figure) == gnuplot.png(figure))
  }

  @Test("every figure is well-formed, has a title and a description, and scales", arguments: Gallery.all)
  func accessible(figure: Figure) throws {
    let svg = try gnuplot.svg(figure)
    let outline = try SVGOutline(svg)
    #expect(outline.elements.first == "svg")
    #expect(svg.contains(#"role="img""#) && !svg.contains("aria-"), "a title names it; SVG knows no ARIA references")
    #expect(svg.contains("<title>\(FigureText.escaped(figure.title))</title>"))
    #expect(svg.contains(#"width="100%""#))
    #expect(svg.contains("<desc>\(FigureText.escaped(figure.description))"))
    #expect(outline.ids.count == Set(outline.ids).count)
    #expect(outline.ids.allSatisfy { $0.hasPrefix("figure-\(figure.id)") })
    #expect(outline.references.isSubset(of: outline.ids))
  }

  @Test("no colour is fixed: each is a role with the light one to fall back on", arguments: Gallery.all)
  func themed(figure: Figure) throws {
    let svg = try gnuplot.svg(figure)
    let known = Set(Palette.Role.allCases.flatMap { [Palette.light[$0].hexadecimal, Palette.dark[$0].hexadecimal] })
    #expect(!svg.contains("rgb("))
    #expect(!svg.contains("black") && !svg.contains("white"))
    for match in svg.matches(of: /#[0-9a-f]{6}/) { #expect(known.contains(String(match.output))) }
    #expect(svg.contains("@media (prefers-color-scheme: dark) { svg:root.assay-figure {"))
  }

  @Test("in the key as in the plot, references have each its own dashes")
  func references() throws {
    let references = (0..<6).map { place in
      Figure.Series("reference \(place)", style: .reference, points: [Figure.Point(0, Double(place))])
    }
    let figure = Figure(
      id: "references", title: "", alternative: "", x: Figure.Axis("x"), y: Figure.Axis("y"),
      series: [Figure.Series("line", style: .line, points: (0..<9).map { Figure.Point(Double($0), 2.5) })] + references)
    let svg = try gnuplot.svg(figure)
    let dashes = svg.split(separator: "\n").filter { $0.contains("stroke-reference") }.compactMap {
      $0.firstMatch(of: /stroke-dasharray="([^"]*)"/)?.1
    }
    #expect(dashes.count == 12 && Set(dashes).count == 6, "\(dashes)")
  }

  @Test("nothing tells when or by which version it was drawn")
  func noNoise() throws {
    #expect(try !gnuplot.svg(Gallery.actions).lowercased().contains("gnuplot"))
  }

  @Test("a PNG has two pixels for a unit")
  func pixels() throws {
    let header = try Array(gnuplot.png(Gallery.single).prefix(24))
    #expect(Array(header.prefix(8)) == PictureConverter.signature)
    #expect(header[18...19].reduce(0) { $0 * 256 + Int($1) } == 2 * FigureLayout.width)
  }

  @Test("a page that has the title in a caption does without it in the picture")
  func heading() throws {
    let title = "<text transform="
    let with = try gnuplot.svg(Gallery.single)
    let without = try gnuplot.picture(of: Gallery.single, heading: false).file
    #expect(with.components(separatedBy: title).count == without.components(separatedBy: title).count + 1)
    #expect(without.contains("<title>One run so far</title>"))
  }

  @Test("a line that was thinned out says so")
  func thinned() throws {
    let points = (0..<100_000).map { Figure.Point(Double($0), Double($0 % 977)) }
    let figure = Figure(
      id: "many", title: "", alternative: "All.", x: Figure.Axis("x"), y: Figure.Axis("y"),
      series: [Figure.Series("waves", style: .line, points: points)])
    #expect(try gnuplot.svg(figure).contains("Of the 100,000 points of waves those are drawn that differ"))
  }
}

@Suite("No text of a figure becomes a command or markup")
struct HostileFigureTests {
  static let texts = [
    "`touch hostile`", "'; system 'touch hostile'; '", "\"; system \"touch hostile\"", "a\nsystem 'touch hostile'",
    "a\r\n!touch hostile", "EOD\n!touch hostile", "\\", "'", "''", "%s%n%d%c 50%", "{/Symbol a}_b^c&{d}@e ~f{g}",
    "<script>alert(1)</script>", "]]><!--", "&amp;&#0;", "\u{0}\u{1}\u{1B}[31m\u{202E}\u{2028}\u{FFFF}", "$part0", "@x",
    "", " ", String(repeating: "long ", count: 200), "日本語 ärger 👩‍👩‍👧", "# comment", "a, b; c",
    "'\u{301}; system 'touch hostile'; '\u{301}", "<\u{301}script>", "%\u{301}s%\u{301}n", "\u{301}accent", "&\u{301}",
  ]

  @Test("wherever it stands", arguments: texts)
  func hostile(text: String) throws {
    let gnuplot = try #require(Gnuplot.find(environment: ProcessInfo.processInfo.environment))
    let figure = Figure(
      id: "hostile", title: text, alternative: text,
      x: Figure.Axis(text, scale: .names([text, "b", text])), y: Figure.Axis(text),
      series: [
        Figure.Series(text, style: .bars, points: [Figure.Point(0, 1), Figure.Point(2, 2)]),
        Figure.Series(text + "2", style: .points, points: [Figure.Point(1, 1)]),
      ])
    let outline = try SVGOutline(gnuplot.svg(figure))
    let allowed: Set<String> = [
      "svg", "title", "desc", "style", "defs", "rect", "circle", "use", "g", "path", "polygon", "text",
    ]
    #expect(Set(outline.elements).isSubset(of: allowed))
    let shown = String(FigureText.quoted(text).unicodeScalars.dropFirst().dropLast()).split(separator: " ")
      .joined(separator: " ")
    if (1...40).contains(shown.count) {
      let drawn = outline.texts.map { $0.split(separator: " ").joined(separator: " ") }
      #expect(drawn.contains { $0.hasPrefix(String(shown.prefix(17))) }, "\(outline.texts)")
    }
    #expect(try gnuplot.png(figure).starts(with: PictureConverter.signature))
  }

  @Test("the script holds each text between single quotes on one line", arguments: texts)
  func quoted(text: String) {
    // Scalars, for an accent makes one character of a quote before it.
    let quoted = FigureText.quoted(text).unicodeScalars
    #expect(quoted.first == "'" && quoted.last == "'")
    #expect(!quoted.dropFirst().dropLast().contains("'"))
    #expect(!quoted.contains { Character($0).isNewline })
  }
}

/// The elements, ids and references of an SVG document, read by an XML parser.
private final class SVGOutline: NSObject, XMLParserDelegate {
  private(set) var elements: [String] = []
  private(set) var ids: [String] = []
  private(set) var references: Set<String> = []
  private(set) var texts: [String] = []

  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  func parser(
    _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
    attributes: [String: String]
  ) {
    elements.append(name)
    if name == "text" { texts.append("") }
    if let id = attributes["id"] { ids.append(id) }
    for value in attributes.values {
      if value.hasPrefix("#figure-") { references.insert(String(value.dropFirst())) }
      if value.hasPrefix("url(#") { references.insert(String(value.dropFirst(5).dropLast())) }
    }
  }

  func parser(_: XMLParser, foundCharacters text: String) {
    if elements.last == "text" { texts[texts.count - 1] += text }
  }
}

@Suite("Programs on the path")
struct ExternalProgramTests {
  /// Runs a test with a program of that name on a path of its own.
  private func with(_ script: String, named name: String, _ body: (_ environment: [String: String], URL) throws -> Void)
    throws
  {
    let (programs, work) = (try TemporaryFolder(), try TemporaryFolder())
    let file = try programs.write("#!/bin/sh\n\(script)\n", as: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    try body(["PATH": programs.path], work.url)
  }

  @Test("where there is none, nothing is found")
  func missing() {
    #expect(Gnuplot.find(environment: [:]) == nil)
    #expect(Gnuplot.find(environment: ["PATH": "/nowhere:/etc"]) == nil)
    #expect(PictureConverter.find(environment: ["PATH": "/nowhere"]) == nil)
  }

  @Test("one that is not gnuplot is not taken for it")
  func impostor() throws {
    try with("echo 'frobnicate 1.0'", named: "gnuplot") { environment, _ in
      #expect(Gnuplot.find(environment: environment) == nil)
    }
    try with("exit 3", named: "gnuplot") { environment, _ in #expect(Gnuplot.find(environment: environment) == nil) }
  }

  @Test("what it complains of stands in the error")
  func complaint() throws {
    let script = "case $1 in --version) echo 'gnuplot 9.9';; *) echo '  ^\n line 3: no memory' >&2; exit 1;; esac"
    try with(script, named: "gnuplot") { environment, _ in
      let gnuplot = try #require(Gnuplot.find(environment: environment))
      #expect(gnuplot.version == "gnuplot 9.9")
      #expect(throws: FigureError.failed(program: "gnuplot", figure: "single", problem: "line 3: no memory")) {
        try gnuplot.png(Gallery.single)
      }
    }
  }

  @Test("a drawing that is cut off is an error, not half a picture")
  func cutOff() throws {
    let script = "case $1 in --version) echo 'gnuplot 9.9';; *) echo '<svg><g id=\"gnuplot_canvas\">';; esac"
    try with(script, named: "gnuplot") { environment, _ in
      let gnuplot = try #require(Gnuplot.find(environment: environment))
      #expect(throws: FigureError.self) { try gnuplot.svg(Gallery.single) }
    }
  }

  @Test("one that does not end is ended")
  func endless() throws {
    try with("exec tail -f /dev/null", named: "gnuplot") { environment, folder in
      var program = try #require(ExternalProgram.find("gnuplot", environment: environment, patience: 0.2))
      program.workspace = folder
      #expect(throws: FigureError.timedOut(program: "gnuplot", figure: "f", seconds: 0.2)) {
        try program.run([], input: Data(), figure: "f")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("much passes in and out, and the folder it worked in is gone afterwards")
  func large() throws {
    try with("cat; echo some >&2", named: "copier") { environment, folder in
      var program = try #require(ExternalProgram.find("copier", environment: environment, patience: 60))
      program.workspace = folder
      let input = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
      let outcome = try program.run([], input: input, figure: "f")
      #expect(outcome.status == 0)
      #expect(outcome.output == input)
      #expect(outcome.errors == "some\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("arguments pass as they are, for there is no shell between")
  func arguments() throws {
    try with("printf '%s|' \"$@\"", named: "echoer") { environment, _ in
      let program = try #require(ExternalProgram.find("echoer", environment: environment, patience: 60))
      let outcome = try program.run(["a b", "$HOME", "`id`", ";"], input: Data(), figure: "f")
      #expect(String(decoding: outcome.output, as: UTF8.self) == "a b|$HOME|`id`|;|")
    }
  }

  @Test("a folder that cannot be written to is named")
  func noFolder() throws {
    try with("cat", named: "copier") { environment, folder in
      var program = try #require(ExternalProgram.find("copier", environment: environment, patience: 60))
      program.workspace = folder.appendingPathComponent("missing")
      #expect {
        try program.run([], input: Data(), figure: "f")
      } throws: { error in
        "\(error)".contains("missing' not writable")
      }
    }
  }

  @Test("a converter's output counts as a picture only when it is one")
  func converter() throws {
    let script = "case $1 in --version) echo 'rsvg-convert version 2.54.7';; *) echo 'no picture';; esac"
    try with(script, named: "rsvg-convert") { environment, _ in
      let converter = try #require(PictureConverter.find(environment: environment))
      #expect(converter.version == "rsvg-convert version 2.54.7")
      #expect(throws: FigureError.failed(program: "rsvg-convert", figure: "card", problem: "it ended with status 0")) {
        try converter.png(of: "<svg/>", name: "card")
      }
    }
  }
}
