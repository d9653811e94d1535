// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Pages

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A picture of a figure")
struct FigurePictureTests {
  /// Figures of every style and hundreds of random ones.
  static let figures = Gallery.all + (1...300).map { Gallery.random(seed: $0) }

  private func figure(
    title: String = "", x: Figure.Axis = Figure.Axis("x"), y: Figure.Axis = Figure.Axis("y"), _ series: [Figure.Series]
  ) -> Figure {
    Figure(id: "f", title: title, alternative: "", x: x, y: y, series: series)
  }

  @Test("labels never overlap, and none leaves the picture")
  func labels() throws {
    for figure in Self.figures {
      for heading in [true, false] {
        let layout = try FigureLayout(figure, heading: heading)
        let picture = Box(left: 0, top: 0, right: FigureLayout.width, bottom: layout.height)
        for (index, label) in layout.labels.enumerated() {
          #expect(picture.holds(label.box), "\(figure.id): \(label)")
          for other in layout.labels[..<index] {
            #expect(!label.box.meets(other.box), "\(figure.id): \(label.lines) \(other.lines)")
          }
        }
      }
    }
  }

  @Test("everything named is labelled")
  func named() throws {
    func letters(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    for figure in Self.figures {
      let labels = try FigureLayout(figure, heading: false).labels.map { letters($0.lines.joined()) }
      for series in figure.series where !series.name.isEmpty {
        let start = letters(series.name).prefix(8)
        #expect(labels.contains { $0.hasPrefix(start) }, "\(figure.id): \(series.name) in \(labels)")
      }
    }
  }

  @Test("equal figures are equal bytes")
  func deterministic() throws {
    for figure in Self.figures {
      let (one, other) = (try FigurePicture(figure), try FigurePicture(figure))
      #expect(one.file == other.file && one.inline == other.inline)
    }
  }

  @Test("the file is well-formed, has a title and a description, and scales", arguments: Gallery.all)
  func accessible(figure: Figure) throws {
    let svg = try FigurePicture(figure).file
    let outline = try SVGOutline(svg)
    #expect(outline.elements.first == "svg")
    #expect(svg.contains(#"role="img""#) && !svg.contains("aria-"), "a title names it; SVG knows no ARIA references")
    #expect(svg.contains("<title>\(HTML.escaped(figure.title))</title>"))
    #expect(svg.contains("<desc>\(HTML.escaped(figure.description))"))
    #expect(svg.contains(#"width="100%""#) && svg.contains(#"viewBox="0 0 480 "#))
    #expect(outline.ids == ["figure-\(figure.id)"])
  }

  @Test("colours are variables with the light colour as the default", arguments: Gallery.all)
  func themed(figure: Figure) throws {
    let svg = try FigurePicture(figure).file
    let known = Set(Palette.Role.allCases.flatMap { [Palette.light[$0].hexadecimal, Palette.dark[$0].hexadecimal] })
    for match in svg.matches(of: /#[0-9a-f]{6}/) { #expect(known.contains(String(match.output))) }
    #expect(svg.contains("@media (prefers-color-scheme: dark) { svg:root.assay-figure {"))
  }

  @Test("labels are 11 pixels high on a phone of 390, where a picture is 336 wide")
  func size() {
    #expect(Label.size * 336 / FigureLayout.width >= 11)
  }

  @Test("a picture has no title if the page has a caption")
  func heading() throws {
    let picture = try FigurePicture(Gallery.single)
    #expect(picture.file.contains(">One run so far</text>") && !picture.inline.contains(">One run so far</text>"))
    #expect(picture.inline.contains("aria-label=\"One run so far\""))
  }

  @Test("every drawn point refers to its row in the data table", arguments: Gallery.all)
  func rows(figure: Figure) throws {
    let groups = try FigurePicture(figure).inline.matches(of: /data-points="([^"]*)"/)
    let rows = groups.flatMap {
      $0.1.split(separator: " ").compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
    }
    let straight = figure.series.filter(\.isStraight).count
    #expect(Set(rows).isSubset(of: Set(figure.dataTable.table.rows.indices)))
    let beyond = figure.series.flatMap(\.points).count { $0.x > figure.x.end ?? .infinity || $0.y.isNaN && !$0.x.isNaN }
    #expect(Set(rows).count >= figure.dataTable.table.rows.count - straight - beyond)
  }

  @Test("names that are too long for the side of the plot stand in the key, whole, and long titles have more lines")
  func longNames() throws {
    let names = [
      "policy=none", "policy=isolate-early-and-thoroughly", "policy=isolate-everybody-late-but-very-thoroughly",
    ]
    let title = "People whom an infected person infects among those who can still be infected, people a day"
    let lines = names.map { Figure.Series($0, style: .line, points: [Figure.Point(0, 1), Figure.Point(1, 2)]) }
    let layout = try FigureLayout(figure(x: Figure.Axis(title), lines), heading: true)
    let texts = layout.labels.map { $0.lines.joined().replacing(" ", with: "") }
    #expect((names + [title]).allSatisfy { texts.contains($0.replacing(" ", with: "")) }, "\(texts)")
    #expect(layout.samples.count == names.count)
  }

  @Test("a point without finite coordinates is left out and interrupts its line")
  func gaps() throws {
    let points = [
      Figure.Point(0, 1), Figure.Point(1, 2), Figure.Point(2, .nan), Figure.Point(3, .infinity), Figure.Point(4, 5),
      Figure.Point(5, 6),
    ]
    let layout = try FigureLayout(figure([Figure.Series("s", style: .line, points: points)]), heading: true)
    #expect(layout.series[0].stretches == [[0, 1], [4, 5]])
  }

  @Test("an interval without finite ends runs to the edge of the plot")
  func endlessInterval() throws {
    let points = [
      Figure.Point(0, 1, interval: -Double.infinity...2), Figure.Point(1, 2, interval: 0...Double.infinity),
    ]
    let figure = figure([Figure.Series("s", style: .line, points: points)])
    let box = try FigureLayout(figure, heading: true).panels[0].box
    let band = try #require(try FigurePicture(figure).file.firstMatch(of: /d="M([^"]*)Z"/)?.1)
    #expect(band.split(separator: "L").first.map { $0.hasSuffix(",\(HTML.number(box.bottom))") } == true)
    #expect(band.contains(",\(HTML.number(box.top))"))
  }

  @Test("a straight line runs across every plot at its height, or upwards at its place")
  func straight() throws {
    for figure in [Gallery.clouds, Gallery.profiles] {
      let layout = try FigureLayout(figure, heading: false)
      for (panel, line) in layout.panels.flatMap({ panel in layout.straights.map { (panel, $0) } }) {
        let ends = layout.ends(of: line, in: panel.box)
        let isDown = abs(ends[0].x - ends[1].x) < 0.001
        #expect(isDown == layout.isTurned)
        let length = isDown ? abs(ends[0].y - ends[1].y) - panel.box.height : ends[1].x - ends[0].x - panel.box.width
        #expect(abs(length) < 0.001)
      }
    }
  }

  @Test("bars begin at 0, on a logarithmic axis a decade below the least value", arguments: [true, false])
  func feet(isLogarithmic: Bool) throws {
    let bars = Figure.Series("b", style: .bars, points: [Figure.Point(0, 0.002), Figure.Point(1, 0.5)])
    let axis = Figure.Axis("y", scale: isLogarithmic ? .logarithmic : .linear)
    let layout = try FigureLayout(
      figure(x: Figure.Axis("x", scale: .names(["a", "b"])), y: axis, [bars]), heading: true)
    #expect(abs(layout.y.range.lowerBound - (isLogarithmic ? 0.001 : 0)) < 1e-12)
  }

  @Test("a bar of 0 is not drawn on a logarithmic axis, but its interval is")
  func emptyBar() throws {
    let bars = Figure.Series(
      "", style: .bars, points: [Figure.Point(0, 0, interval: 0...0.001), Figure.Point(1, 0.5, interval: 0.4...0.6)])
    let svg = try FigurePicture(
      figure(x: Figure.Axis("x", scale: .names(["a", "b"])), y: Figure.Axis("y", scale: .logarithmic), [bars])
    ).file
    #expect(svg.matches(of: /<rect x=/).count == 1)
    #expect(svg.firstMatch(of: /<path d="(M[^"]*)" stroke-width="1.8"/)?.1.count { $0 == "M" } == 2)
  }

  @Test("bars of several series stand side by side without touching the next place")
  func sideBySide() throws {
    let layout = try FigureLayout(Gallery.twoBars, heading: false)
    #expect(layout.isTurned, "so the sides of its bars are above and below them")
    let top = layout.panels[0].box.top
    let bars = try FigurePicture(Gallery.twoBars).inline
      .matches(of: /<rect x="[0-9.]+" y="([0-9.]+)" width="[0-9.]+" height="([0-9.]+)" fill-opacity/)
      .compactMap { match in
        Double(match.1).flatMap { above in Double(match.2).map { (above: above, below: above + $0) } }
      }.filter { $0.above > top }.sorted { $0.above < $1.above }
    #expect(bars.count == 16)
    for (bar, next) in zip(bars, bars.dropFirst()) { #expect(bar.below <= next.above + 0.11) }
  }

  @Test("a series without points is labelled so")
  func noData() throws {
    #expect(try FigurePicture(Gallery.single).file.contains(">without data (no data)</text>"))
  }

  @Test("dots of several series, and more than six lines, are small multiples with one scale")
  func multiples() throws {
    let clouds = try FigureLayout(Gallery.clouds, heading: false)
    #expect(clouds.panels.count == 4)
    #expect(Set(clouds.panels.map { $0.box.left }).count == 1 && Set(clouds.panels.map { $0.box.width }).count == 1)
    for (panel, next) in zip(clouds.panels, clouds.panels.dropFirst()) { #expect(panel.box.bottom < next.box.top) }
    for count in [6, 7] {
      let lines = (0..<count).map { position in
        Figure.Series(
          "line \(position)", style: .line, points: [Figure.Point(0, Double(position)), Figure.Point(1, 3)])
      }
      #expect(try FigureLayout(figure(lines), heading: false).panels.count == (count == 6 ? 1 : 7))
    }
  }

  @Test("lines with bands that would hide each other are small multiples, those with narrow bands are not")
  func bands() throws {
    func lines(width: Double) -> [Figure.Series] {
      (0..<3).map { position in
        Figure.Series(
          "line \(position)", style: .line,
          points: (0..<9).map { x in
            let y = Double(x * (position + 1))
            return Figure.Point(Double(x), y, interval: (y - width)...(y + width))
          })
      }
    }
    #expect(try FigureLayout(figure(lines(width: 9)), heading: false).panels.count == 3)
    #expect(try FigureLayout(figure(lines(width: 0.5)), heading: false).panels.count == 1)
  }

  @Test("an axis that ends before all points names the lines that continue, and their ends")
  func cutOff() throws {
    let layout = try FigureLayout(Gallery.cutOff, heading: false)
    #expect(layout.x.range.upperBound == 60)
    #expect(layout.series.map { $0.beyond?.count } == [nil, 24, 54])
    let labels = layout.labels.map { $0.lines.joined(separator: " ") }
    #expect(
      labels.contains("quick") && labels.contains("slow, continues to 300 →")
        && labels.contains("slowest, continues to 600 →"))
  }

  @Test("lines that all continue to the same place are described once, below the axis")
  func commonEnd() throws {
    let alike = Gallery.cutOff.series.filter { $0.name == "slow" }
    let twin = Figure.Series("twin", style: .line, points: alike.flatMap(\.points))
    let layout = try FigureLayout(figure(x: Gallery.cutOff.x, alike + [twin]), heading: false)
    let labels = layout.labels.map { $0.lines.joined(separator: " ") }
    #expect(["slow", "twin", "every line continues to 300 →"].allSatisfy(labels.contains))
  }

  @Test("a threshold beyond the end of the axis extends it")
  func threshold() throws {
    let moment = Figure.Series.moment("threshold back <= 90s", at: 90)
    let figure = figure(x: Gallery.cutOff.x, Gallery.cutOff.series + [moment])
    let layout = try FigureLayout(figure, heading: false)
    #expect(layout.x.range.contains(90) && !layout.x.range.contains(100))
  }

  @Test("markers of runs stand on their ticks in every series")
  func onTicks() throws {
    let layout = try FigureLayout(Gallery.digests, heading: false)
    let marks = FigureMarks(layout)
    let box = layout.panels[0].box
    for one in layout.series {
      for index in one.source.points.indices {
        let tick = layout.spot(layout.x.share(of: one.source.points[index].x), 0, in: box)
        #expect(abs(marks.spot(index, of: one, in: box).x - tick.x) < 0.001)
      }
    }
    let shared = try FigureLayout(Gallery.actions, heading: false)
    let positions = shared.series.map { FigureMarks(shared).spot(0, of: $0, in: box).x }
    #expect(positions[0] + 3 < positions[1], "what shares a name stands side by side")
  }

  @Test(
    "any text names a figure's file, in lower-case letters, digits and hyphens",
    arguments: [("ev-6d", "ev-6d"), ("reliability-EMOS", "reliability-emos"), ("../a b", "a-b"), ("é", "figure")])
  func identifier(id: String, name: String) {
    let axis = Figure.Axis("x")
    #expect(Figure(id: id, title: "", alternative: "", x: axis, y: axis, series: []).id == name)
  }

  @Test(
    "no name is left out because its neighbours are as long as it",
    arguments: [
      (["insurance", "hard-16-v-10-HS", "hard-12-v-3-HS"], Figure.Series.Style.points),
      (["Lina C.", "Theo C.", "Ines E.", "Laura A.", "Tom B.", "Mia F."], .bars),
    ])
  func longNames(names: [String], style: Figure.Series.Style) throws {
    let points = names.indices.map { Figure.Point(Double($0), 1) }
    let layout = try FigureLayout(
      Figure(
        id: "names", title: "", alternative: "", x: Figure.Axis("name", scale: .names(names)), y: Figure.Axis("value"),
        series: [Figure.Series("s", style: style, points: points)]), heading: false)
    #expect(Set(names).isSubset(of: layout.labels.flatMap(\.lines)))
  }

  @Test("names that do not fit side by side are stacked, the first at the top")
  func turned() throws {
    let layout = try FigureLayout(Gallery.profiles, heading: false)
    #expect(layout.isTurned)
    let names = layout.labels.filter { ["lift between floors", "server restart"].contains($0.lines[0]) }
    #expect(names.count == 2 && names[0].y < names[1].y)
    #expect(try !FigureLayout(Gallery.digests, heading: false).isTurned)
  }

  @Test("a heat map has a labelled cell for each value, darker for greater values")
  func heatMap() throws {
    let svg = try FigurePicture(Gallery.heat).inline
    let cells = svg.matches(of: /<rect [^>]*fill-opacity="([0-9.]+)"/).compactMap { Double($0.1) }.prefix(12)
    #expect(zip(cells, cells.dropFirst()).allSatisfy { $0 < $1 } && cells.count == 12)
    #expect(svg.contains(">17.3</text>") && svg.contains(">wait, min: 0 to 17.3</text>"))
    #expect(
      Gallery.heat.dataTable.table.csv.hasPrefix("arrivals a minute,counters,\"wait, min\"\n0.5,1,0\n0.7,1,0.142857"))
  }
}

@Suite("A figure that cannot be drawn is refused")
struct FigureRefusalTests {
  private func refusal(
    x: Figure.Axis.Scale = .linear, y: Figure.Axis.Scale = .linear, _ style: Figure.Series.Style,
    _ points: [Figure.Point]
  ) -> FigureError? {
    let figure = Figure(
      id: "f", title: "", alternative: "", x: Figure.Axis("rounds", scale: x), y: Figure.Axis("share", scale: y),
      series: [Figure.Series("s", style: style, points: points)])
    do {
      _ = try FigurePicture(figure)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "nothing to draw",
    arguments: [
      [], [Figure.Point(.nan, 1), Figure.Point(.nan, 2)], [Figure.Point(1, .infinity)], [Figure.Point(1, 1e305)],
    ])
  func nothing(points: [Figure.Point]) {
    #expect(refusal(.line, points) == .nothingToDraw(figure: "f"))
  }

  @Test("zero and negative values on a logarithmic axis, with the axis and the value")
  func notPositive() {
    for (error, axis) in [
      (refusal(x: .logarithmic, .line, [Figure.Point(-2, 1)]), "rounds"),
      (refusal(y: .logarithmic, .points, [Figure.Point(1, -2)]), "share"),
      (refusal(y: .logarithmic, .bars, [Figure.Point(1, -2)]), "share"),
    ] {
      #expect(
        error.map { "\($0)" }
          == "figure 'f': series 's': found -2.0 on the axis '\(axis)', expected more than 0 on a logarithmic axis.")
    }
  }

  @Test("a place without a name", arguments: [-1, 0.5, 2])
  func noSuchName(position: Double) throws {
    let error = try #require(refusal(x: .names(["a", "b"]), .points, [Figure.Point(position, 1)]))
    #expect(
      "\(error)".hasPrefix("figure 'f': series 's': found \(position) on the axis 'rounds', expected a whole number"))
  }
}

/// The elements, ids and texts of an SVG document, read by an XML parser.
private final class SVGOutline: NSObject, XMLParserDelegate {
  private(set) var elements: [String] = []
  private(set) var ids: [String] = []
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
  }

  func parser(_: XMLParser, foundCharacters text: String) {
    if elements.last == "text" { texts[texts.count - 1] += text }
  }
}

@Suite("Numbers along an axis")
struct AxisPlanTests {
  private func demand(_ values: ClosedRange<Double>, bars: Bool = false, room: Double = 0) -> AxisPlan.Demand {
    AxisPlan.Demand(values: values, hasBars: bars, room: room, fits: Self.fits)
  }

  /// Returns true if the labels stand apart on an axis of 560 units.
  private static func fits(_ plan: AxisPlan) -> Bool {
    let ticks = plan.ticks.filter { !$0.label.isEmpty }
    return zip(ticks, ticks.dropFirst()).allSatisfy { one, next in
      let room = 560 * (plan.share(of: next.position) - plan.share(of: one.position))
      return room >= (Label.width(of: one.label) + Label.width(of: next.label)) / 2 + 9
    }
  }

  private func labels(_ plan: AxisPlan) -> [String] { plan.ticks.map(\.label).filter { !$0.isEmpty } }

  @Test("even steps with the same decimals and a true minus sign")
  func even() {
    #expect(labels(AxisPlan.linear(demand(-0.2...0.3))) == ["−0.2", "−0.1", "0", "0.1", "0.2", "0.3"])
    #expect(labels(AxisPlan.linear(demand(0...14))) == ["0", "2", "4", "6", "8", "10", "12", "14"])
  }

  @Test("large numbers by their unit, tiny ones by a power of ten")
  func units() {
    #expect(labels(AxisPlan.linear(demand(0...2_000_000)))[1] == "0.5M")
    #expect(labels(AxisPlan.linear(demand(0...50_000))).last == "50k")
    #expect(labels(AxisPlan.linear(demand(0...4e-9))).last == "4.0e-9", "as 3.5e-9 before it")
    #expect(labels(AxisPlan.linear(demand(0...8e-9))).last == "8e-9")
    #expect(labels(AxisPlan.linear(demand(0...3e16))).last == "3.0e16")
  }

  @Test("powers of ten on a logarithmic axis, in plain style between")
  func decades() {
    #expect(
      labels(AxisPlan.logarithmic(demand(0.001...10_000_000)))
        == ["0.001", "0.01", "0.1", "1", "10", "100", "1000", "10k", "100k", "1M", "10M"])
    #expect(labels(AxisPlan.logarithmic(demand(1...1_000))) == ["1", "10", "100", "1000"])
    #expect(labels(AxisPlan.logarithmic(demand(2...40))) == ["2", "5", "10", "20"])
    #expect(labels(AxisPlan.logarithmic(demand(1e-9...1e-7))) == ["1e-9", "1e-8", "1e-7"])
  }

  @Test(
    "equal values get room on both sides, whatever their size", arguments: [0, 1, -3, 1e-12, 12_345_678, 1e15, -1e200])
  func equal(value: Double) {
    let plan = AxisPlan.linear(demand(value...value, room: 0.05))
    #expect(plan.range.lowerBound < value && value < plan.range.upperBound)
    #expect(plan.ticks.count >= 2)
  }

  @Test("an axis of whole numbers labels no fractions")
  func whole() {
    for range in [1.0...1, 1...3, 0...14, 7...200] {
      let demand = AxisPlan.Demand(values: range, hasBars: false, room: 0.02, minStep: 1) { _ in true }
      let plan = AxisPlan.linear(demand)
      #expect(plan.ticks.count >= 2)
      #expect(plan.ticks.allSatisfy { $0.position == $0.position.rounded() })
    }
  }

  @Test("labels never overlap, and always differ")
  func apart() {
    let ranges: [ClosedRange<Double>] = [
      0...1, -1e-7...3e-7, 0.123456...0.123457, 999_999...1_000_001, -1e14...1e14, 0...1e9, 3...7.5, 1e299...1.1e299,
      123_456_789.001...123_456_789.002,
    ]
    for range in ranges {
      let plan = AxisPlan.linear(demand(range, room: 0.06))
      let labels = plan.ticks.map(\.label)
      #expect(labels.count >= 2, "\(range)")
      #expect(Set(labels).count == labels.count, "\(range): \(labels)")
      #expect(labels.count == 2 || Self.fits(plan), "\(labels)")
    }
  }

  @Test("a larger value never lies before a smaller one", arguments: [false, true])
  func monotone(isLogarithmic: Bool) {
    let demand = demand(0.002...7_000, room: 0.02)
    let plan = isLogarithmic ? AxisPlan.logarithmic(demand) : .linear(demand)
    let shares = stride(from: 0.002, through: 7_000, by: 13.7).map(plan.share)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
    #expect(shares.allSatisfy { (0...1).contains($0) })
    #expect(plan.share(of: plan.range.lowerBound) == 0 && plan.share(of: plan.range.upperBound) == 1)
  }
}

@Suite("Many points are thinned out honestly or refused")
struct DrawnSeriesTests {
  private func figure(_ style: Figure.Series.Style, _ points: [Figure.Point]) -> Figure {
    Figure(
      id: "many", title: "", alternative: "All.", x: Figure.Axis("x"), y: Figure.Axis("y"),
      series: [Figure.Series("waves", style: style, points: points)])
  }

  /// A flat line of 100,000 points with one high and one low among them.
  private var points: [Figure.Point] {
    (0..<100_000).map { index in
      let value = index == 31_415 ? 7.0 : index == 92_653 ? -5 : 0
      return Figure.Point(Double(index), value, interval: (value - 1)...(value + 1))
    }
  }

  @Test("a line keeps its first, its last, its lowest and its highest point")
  func thinned() throws {
    let series = try DrawnSeries.all(of: figure(.line, points), until: .infinity)[0]
    #expect(series.thinnedFrom == 100_000)
    #expect(series.points.count <= DrawnSeries.maxPoints)
    #expect(series.points.map(\.x).min() == 0)
    #expect(series.points.map(\.x).max() == 99_999)
    #expect(series.points.contains { $0.x == 31_415 && $0.y == 7 && $0.interval == 6...8 })
    #expect(series.points.contains { $0.x == 92_653 && $0.y == -5 })
    #expect(series.points.map(\.x) == series.points.map(\.x).sorted())
  }

  @Test("as many points as can be drawn are all drawn")
  func few() throws {
    let series = try DrawnSeries.all(of: figure(.line, Array(points.prefix(DrawnSeries.maxPoints))), until: .infinity)[
      0]
    #expect(series.thinnedFrom == nil)
    #expect(series.points.count == DrawnSeries.maxPoints)
  }

  @Test("bars and points are refused", arguments: [Figure.Series.Style.bars, .points])
  func refused(style: Figure.Series.Style) {
    #expect(throws: FigureError.tooManyPoints(figure: "many", series: "waves", found: 100_000, maximum: 2_000)) {
      try DrawnSeries.all(of: figure(style, points), until: .infinity)
    }
  }

  @Test("a line that turns back cannot be thinned out and is refused")
  func backwards() {
    #expect(throws: FigureError.tooManyPoints(figure: "many", series: "waves", found: 100_000, maximum: 2_000)) {
      try DrawnSeries.all(of: figure(.line, points.reversed()), until: .infinity)
    }
  }

  @Test("a thinned-out line is labelled so")
  func remark() throws {
    #expect(
      try FigurePicture(figure(.line, points)).file.contains("Of the 100,000 points of waves those are drawn that"))
  }
}

/// A figure of every style, as labs make them.
enum Gallery {
  static let all = [convergence, actions, payoffs, twoBars, trend, single, clouds, digests, cutOff, heat, profiles]

  /// Lines with bands that narrow, against exact values, over a logarithmic axis.
  static let convergence = Figure(
    id: "convergence", title: "The estimate of the best action's EV narrows as hands are played",
    alternative: "Three lines with bands that narrow around 0.0123.",
    x: Figure.Axis("hands played", scale: .logarithmic), y: Figure.Axis("EV, bets"),
    series: [
      narrowing("hit", to: 0.0123), narrowing("stand", to: 0.06), narrowing("double", to: -0.03),
      Figure.Series("exact EV of hit", style: .reference, points: [Figure.Point(1_000, 0.0123)]),
    ])

  private static func narrowing(_ name: String, to exact: Double) -> Figure.Series {
    let points = (0..<25).map { step -> Figure.Point in
      let hands: Double = pow(10, 3 + Double(step) / 4)
      let error: Double = 3.3 / hands.squareRoot()
      let value: Double = exact + error * 0.7 * sin(Double(step) * 1.7 + exact * 100)
      return Figure.Point(hands, value, interval: (value - error)...(value + error))
    }
    return Figure.Series(name, style: .line, points: points)
  }

  /// Points with error bars over names.
  static let actions = Figure(
    id: "actions", title: "Hard 16 against 10: simulated and exact", alternative: "Four actions with intervals.",
    x: Figure.Axis("action", scale: .names(["stand", "hit", "double", "surrender"])), y: Figure.Axis("EV, bets"),
    series: [
      Figure.Series(
        "simulated, with 99.9% intervals", style: .points,
        points: zip([-0.54, -0.54, -1.05, -0.5], [0.04, 0.03, 0.08, 0]).enumerated().map { index, value in
          Figure.Point(Double(index), value.0, interval: (value.0 - value.1)...(value.0 + value.1))
        }),
      Figure.Series(
        "exact", style: .points,
        points: [-0.5404, -0.5398, -1.0796, -0.5].enumerated().map { Figure.Point(Double($0), $1) }),
    ])

  /// Bars on a logarithmic axis over thirty names, with exact values.
  static let payoffs: Figure = {
    let payoffs = (0..<30).map { Double($0) / 2 - 7.5 }
    let shares = payoffs.map { payoff in 0.4 * exp(-abs(payoff) * 1.7) }
    return Figure(
      id: "payoffs", title: "What a round pays, basic chart, six decks, dealer stands on soft 17, double after split",
      alternative: "Thirty payoffs and their shares on a logarithmic axis.",
      x: Figure.Axis("payoff, bets", scale: .names(payoffs.map { "\($0)" })),
      y: Figure.Axis("share of rounds", scale: .logarithmic),
      series: [
        Figure.Series(
          "simulated", style: .bars,
          points: shares.enumerated().map { index, share in
            Figure.Point(Double(index), share, interval: max(0, share - 2e-6)...(share + 2e-6))
          }),
        Figure.Series("exact", style: .points, points: shares.enumerated().map { Figure.Point(Double($0), $1) }),
      ])
  }()

  /// Several bars side by side, below zero too.
  static let twoBars = Figure(
    id: "two-bars", title: "What the rules are worth", alternative: "Bars for three decks, side by side.",
    x: Figure.Axis("", scale: .names(["stands on soft 17", "double after split", "late surrender", "resplit aces"])),
    y: Figure.Axis("EV against the default game, %"),
    series: ["one deck", "two decks", "six decks", "eight decks"].enumerated().map { position, name in
      Figure.Series(
        name, style: .bars,
        points: [0.2, 0.14, 0.07, -0.08].enumerated().map { index, value in
          Figure.Point(Double(index), value * (1 + Double(position) / 3) - 0.02)
        })
    })

  /// Six lines of many points, one with a gap.
  static let trend = Figure(
    id: "trend", title: "Six series", alternative: "Six waves.", x: Figure.Axis("week"),
    y: Figure.Axis("rank correlation"),
    series: (0..<6).map { position in
      Figure.Series(
        "series \(position + 1)", style: .line,
        points: (0..<120).map { step -> Figure.Point in
          let height: Double = sin(Double(step) / 15 + Double(position)) + Double(position) / 3
          return Figure.Point(Double(step), position == 2 && (40..<60).contains(step) ? .nan : height)
        })
    })

  /// A single point.
  static let single = Figure(
    id: "single", title: "One run so far", alternative: "A single run.", x: Figure.Axis("run"),
    y: Figure.Axis("rounds per second"),
    series: [
      Figure.Series("speed", style: .line, points: [Figure.Point(1, 12_345_678, interval: 12_000_000...12_600_000)]),
      Figure.Series("without data", style: .points, points: []),
    ])

  /// Clouds of four series over the same places.
  static let clouds = Figure(
    id: "clouds", title: "Four clouds", alternative: "Four clouds.", x: Figure.Axis("cell"),
    y: Figure.Axis("deviation"),
    series: ["stand", "hit", "double", "split"].enumerated().map { position, name in
      Figure.Series(
        name, style: .points, points: (0..<90).map { Figure.Point(Double($0), sin(Double($0 * (position + 3))) / 2) })
    } + [.level("end of the interval", at: 1), .level("", at: -1)])

  /// Runs of one scenario with two digests, each at its own place.
  static let digests = Figure(
    id: "digests", title: "From run to run", alternative: "Five runs.",
    x: Figure.Axis("commit", scale: .names(["0a1b2c3d", "1a1b2c3d+", "2a1b2c3d", "run 4", "run 5"])),
    y: Figure.Axis("share, %"),
    series: [
      Figure.Series("scenario 11111111", style: .points, points: (0..<3).map { Figure.Point(Double($0), 50) }),
      Figure.Series("scenario 22222222", style: .points, points: (3..<5).map { Figure.Point(Double($0), 60) }),
    ])

  /// Lines of a minute, two of which go on for ten.
  static let cutOff = Figure(
    id: "cut-off", title: "Clients that are back", alternative: "Three rising lines.",
    x: Figure.Axis("seconds after the return", until: 60), y: Figure.Axis("back, %"),
    series: [("quick", 60), ("slow", 300), ("slowest", 600)].map { name, last in
      Figure.Series(
        name, style: .line,
        points: stride(from: 0, through: last, by: 10).map { Figure.Point(Double($0), 100 * Double($0) / Double(last)) }
      )
    })

  /// A number over two parameters.
  static let heat = Figure(
    id: "heat", title: "How long customers wait", alternative: "Twelve cells.",
    x: Figure.Axis("arrivals a minute", scale: .names(["0.5", "0.7", "0.8", "0.9"])),
    y: Figure.Axis("counters", scale: .names(["1", "2", "3"])),
    series: [
      Figure.Series(
        "wait, min", style: .cells,
        points: (0..<12).map { Figure.Point(column: $0 % 4, row: $0 / 4, value: Double($0 * $0) / 7) })
    ])

  /// Names that are too long to stand side by side.
  static let profiles = Figure(
    id: "profiles", title: "Share of outages with the client back in time", alternative: "Dots with intervals.",
    x: Figure.Axis(
      "profile", scale: .names(["lift between floors", "bad Wi-Fi", "train in a tunnel", "server restart"])),
    y: Figure.Axis("back in time, %"),
    series: [
      Figure.Series(
        "", style: .points,
        points: [99.5, 80, 95, 70].enumerated().map { Figure.Point(Double($0), $1, interval: ($1 - 3)...($1 + 0.4)) }),
      .level("threshold reconnect.success >= 0.9", at: 90),
    ])

  /// A figure of random series, names and scales; the same for the same seed.
  static func random(seed: Int) -> Figure {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    func draw(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    func name() -> String {
      (0...draw(4)).map { _ in ["jitter", "a", "hard 16 v 10:", "mmmm-wwww", "stand", "99.9%"][draw(6)] }
        .joined(separator: " ")
    }
    let names = (0...draw(12)).map { _ in name() }
    let isNamed = draw(3) == 0
    let (isFirstLog, isSecondLog) = (draw(3) == 0, draw(3) == 0)
    let size = pow(10, Double(draw(14)) - 6)
    let styles: [Figure.Series.Style] = isNamed ? [.bars, .points, .line] : [.line, .points, .line, .reference]
    let series = (0...draw(8)).map { _ -> Figure.Series in
      let points = (0..<(isNamed ? names.count : 1 + draw(50))).map { position -> Figure.Point in
        let x = isNamed ? Double(position) : (Double(position) + 1) * (1 + Double(draw(100)) / 100)
        let y = size * (Double(draw(1_000)) + 1) / 300
        return Figure.Point(x, y, interval: draw(2) == 0 ? nil : (y / 2)...(y * 1.5))
      }
      return Figure.Series(name(), style: styles[draw(styles.count)], points: points)
    }
    let lines = (0..<draw(4)).map { position in
      position == 0 && !isNamed
        ? Figure.Series.moment(name(), at: Double(1 + draw(60)))
        : .level(name(), at: size * (Double(draw(1_000)) + 1) / 300)
    }
    return Figure(
      id: "random-\(seed)", title: name(), alternative: "Random.",
      x: Figure.Axis(
        name(), scale: isNamed ? .names(names) : isFirstLog ? .logarithmic : .linear, until: draw(4) == 0 ? 20 : nil),
      y: Figure.Axis(name(), scale: isSecondLog ? .logarithmic : .linear), series: series + lines)
  }
}
