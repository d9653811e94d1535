// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Scenarios
import Testing

@testable import Pages

@Suite("Drawings inside a page")
struct InlineDrawingTests {
  private static func inlined(_ svg: String, prefix: String = "f") -> String? {
    InlineDrawing(svg, prefix: prefix, title: "Title <1>", description: "Says \"all\".")?.text
  }

  @Test("a drawing gets a role, a title and a description, and leaves its prolog and size behind")
  func describes() throws {
    let svg = try #require(
      Self.inlined("<?xml version='1.0'?>\n<!-- x -->\n<svg width=\"64\" height=\"32\"><g/></svg>\n"))
    #expect(
      svg == "<svg viewBox=\"0 0 64 32\" role=\"img\" aria-labelledby=\"f-title\" aria-describedby=\"f-desc\">"
        + "<title id=\"f-title\">Title &lt;1&gt;</title><desc id=\"f-desc\">Says &quot;all&quot;.</desc><g/></svg>")
  }

  @Test("its own names are made unique, and what refers to them follows")
  func renames() throws {
    let svg = try #require(
      Self.inlined(
        "<svg viewBox='0 0 1 1'><defs><path id='a' d='M0,0'/></defs><use xlink:href='#a'/>"
          + "<g clip-path=\"url(#a)\" style='fill:url(#a);stroke:url(#b)'/></svg>", prefix: "two"))
    #expect(svg.contains("<path id=\"two-a\" d=\"M0,0\"/>"))
    #expect(svg.contains("<use href=\"#two-a\"/>"))
    #expect(svg.contains("clip-path=\"url(#two-a)\" style=\"fill:url(#two-a);stroke:url(#two-b)\""))
  }

  @Test("its own title gives way, its own description stays, its own classes keep the page's colours")
  func keepsItsOwn() throws {
    let svg = try #require(
      Self.inlined(
        """
        <svg id="x" class="assay-figure" viewBox="0 0 1 1" role="img" aria-labelledby="y">
        <title id="y">Old</title><desc>All of it, &amp; more.</desc>
        <style>
        .assay-figure .stroke-ink { stroke: var(--ink, #14181d); }
        svg:root.assay-figure { max-width: 60rem; --ink: #14181d; }
        @media (prefers-color-scheme: dark) { svg:root.assay-figure { --ink: #e8eaed; } }
        </style>
        <g class="stroke-ink"><title>a curve</title></g></svg>
        """))
    #expect(!svg.contains("Old") && !svg.contains("svg:root") && !svg.contains("aria-labelledby=\"y\""))
    #expect(svg.contains("<desc id=\"f-desc\">All of it, &amp; more.</desc>"))
    #expect(svg.contains("<style>\n.assay-figure .stroke-ink { stroke: var(--ink, #14181d); }\n</style>"))
    #expect(svg.contains("<g class=\"stroke-ink\"><title>a curve</title></g>"))
  }

  @Test(
    "what is more than drawing refuses the whole",
    arguments: [
      "<svg viewBox='0 0 1 1'><script>alert(1)</script></svg>",
      "<svg viewBox='0 0 1 1'><style>body{display:none}</style></svg>",
      "<svg viewBox='0 0 1 1'><style>.assay-figure .a { fill: url(x); }</style></svg>",
      "<svg viewBox='0 0 1 1'><style>svg:root.assay-figure { } * { color: red; }</style></svg>",
      "<svg viewBox='0 0 1 1'><g><style>.assay-figure .a { fill: var(--ink); }</style></g></svg>",
      "<svg viewBox='0 0 1 1'><title><b></b></title></svg>",
      "<svg viewBox='0 0 1 1'><foreignObject/></svg>",
      "<svg viewBox='0 0 1 1'><image href='https://example.org/x.png'/></svg>",
      "<svg viewBox='0 0 1 1'><use href='https://example.org/x.svg#a'/></svg>",
      "<svg viewBox='0 0 1 1'><g onclick='alert(1)'/></svg>",
      "<svg viewBox='0 0 1 1'><g fill='url(https://example.org/x)'/></svg>",
      "<svg viewBox='0 0 1 1'><g fill='URL(x)'/></svg>",
      "<svg viewBox='0 0 1 1'><g style='fill:u\\72l(x)'/></svg>",
      "<svg viewBox='0 0 1 1'><text><![CDATA[<b>]]></text></svg>",
      "<svg viewBox='0 0 1 1'></svg><b></b>", "<svg viewBox='0 0 1 1'><g></svg>", "<svg viewBox='0 0 1 1'>",
      "<svg viewBox='0 0 1 1'><g a=<b>/></svg>", "<svg viewBox='0 0 1 1'><g", "<svg/>", "<g></g>", "nothing", "",
    ])
  func refuses(svg: String) {
    #expect(Self.inlined(svg) == nil)
  }

  @Test("what gnuplot draws is fit for a page, twice on the same one", arguments: ["F", "<b>\"&\u{301}"])
  func gnuplot(text: String) throws {
    let gnuplot = try #require(Gnuplot.find(environment: ProcessInfo.processInfo.environment))
    let figure = Samples.figure { $0 == "convergence" ? $0 : text }
    let svg = try gnuplot.svg(figure, heading: false)
    let page = ReportPage(
      title: "", judgement: nil, thresholds: [],
      sections: [ReportSection(id: "s", title: "S", blocks: [.figure(figure), .figure(figure)])], scenario: "",
      command: "", facts: []
    ).html { _ in svg }
    #expect(page.matches(of: /<svg viewBox="[0-9 ]+"/).count >= 2 && !page.contains("It is not drawn here"))
    let names = HTMLOutline(page).values.filter { $0.attribute == "id" }.map(\.value)
    #expect(Set(names).count == names.count)
  }

  @Test("a quotation mark inside the other kind of quotes stays inside its attribute")
  func quotes() throws {
    let svg = try #require(Self.inlined("<svg viewBox='0 0 1 1'><text font-family='\"A\" onload=\"x'>a</text></svg>"))
    #expect(svg.contains("font-family=\"&quot;A&quot; onload=&quot;x\""))
  }
}
