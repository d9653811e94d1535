// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@testable import Pages

@Suite("A figure becomes a script")
struct FigureScriptTests {
  private func figure(
    id: String = "f", title: String = "", x: Figure.Axis = Figure.Axis("x"), y: Figure.Axis = Figure.Axis("y"),
    _ series: [Figure.Series]
  ) -> Figure {
    Figure(id: id, title: title, alternative: "", x: x, y: y, series: series)
  }

  private func line(_ points: [Figure.Point], name: String = "s") -> Figure.Series {
    Figure.Series(name, style: .line, points: points)
  }

  @Test("the same figure is the same script")
  func repeats() throws {
    for figure in Gallery.all {
      #expect(try FigureScript(figure).text(for: .svg) == FigureScript(figure).text(for: .svg))
    }
  }

  @Test("a point without finite coordinates is left out and interrupts its line")
  func gaps() throws {
    let points = [
      Figure.Point(0, 1), Figure.Point(1, 2), Figure.Point(2, .nan), Figure.Point(3, .infinity), Figure.Point(4, 5),
      Figure.Point(5, 6),
    ]
    let script = try FigureScript(figure([line(points)]))
    #expect(script.series[0].stretches.map { $0.map(\.x) } == [[0, 1], [4, 5]])
    #expect(script.blocks.joined(separator: "\n").contains("0 1\n1 2\n\n4 5\n5 6\n"))
  }

  @Test("an interval without finite ends runs to the edge of the plot")
  func endlessInterval() throws {
    let points = [
      Figure.Point(0, 1, interval: -Double.infinity...2), Figure.Point(1, 2, interval: 0...Double.infinity),
    ]
    let script = try FigureScript(figure([line(points)]))
    let band = try #require(script.parts.first)
    #expect(band.rows[0] == "0 \(script.number(script.y.range.lowerBound)) 2")
    #expect(band.rows[1] == "1 0 \(script.number(script.y.range.upperBound))")
  }

  @Test("a reference with one point runs across the whole plot")
  func reference() throws {
    let exact = Figure.Series("exact", style: .reference, points: [Figure.Point(2, 0.5)])
    let script = try FigureScript(figure([line([Figure.Point(0, 0), Figure.Point(10, 1)]), exact]))
    let rows = try #require(script.parts.first { $0.series == 1 }).rows
    let ends = [script.x.range.lowerBound, script.x.range.upperBound].map(script.number)
    #expect(rows == ends.map { "\($0) 0.5" })
  }

  @Test("bars begin at 0, and a decade below the least value where the axis is logarithmic", arguments: [true, false])
  func feet(isLogarithmic: Bool) throws {
    let bars = Figure.Series("b", style: .bars, points: [Figure.Point(0, 0.002), Figure.Point(1, 0.5)])
    let axis = Figure.Axis("y", scale: isLogarithmic ? .logarithmic : .linear)
    let script = try FigureScript(figure(x: Figure.Axis("x", scale: .names(["a", "b"])), y: axis, [bars]))
    #expect(abs(script.y.range.lowerBound - (isLogarithmic ? 0.001 : 0)) < 1e-12)
  }

  @Test("a bar of nothing is not drawn on a logarithmic axis, but its interval is")
  func emptyBar() throws {
    let bars = Figure.Series(
      "b", style: .bars, points: [Figure.Point(0, 0, interval: 0...0.001), Figure.Point(1, 0.5, interval: 0.4...0.6)])
    let script = try FigureScript(
      figure(
        x: Figure.Axis("x", scale: .names(["a", "b"])), y: Figure.Axis("y", scale: .logarithmic), [bars]))
    #expect(script.parts.map(\.rows.count) == [1, 2])
  }

  @Test("bars of several series stand side by side without touching the next place")
  func sideBySide() throws {
    let script = try FigureScript(Gallery.twoBars)
    let bars = script.parts.flatMap(\.rows).map { row in row.split(separator: " ").compactMap { Double($0) } }
    let sides = bars.map { (left: $0[2], right: $0[3]) }.sorted { $0.left < $1.left }
    #expect(sides.count == 16)
    for (left, right) in zip(sides, sides.dropFirst()) { #expect(left.right <= right.left + 1e-9) }
  }

  @Test("a named series without points stays in the key and says so")
  func noData() throws {
    let script = try FigureScript(Gallery.single).text(for: .svg)
    #expect(script.contains("set label 'without data (no data)' at"))
  }

  @Test("every named series is in the key, which has room of its own below the plot", arguments: Gallery.all)
  func key(figure: Figure) throws {
    let script = try FigureScript(figure)
    let layout = script.layout
    let rows = (figure.series.count + layout.keyColumns - 1) / layout.keyColumns
    #expect(script.key(.svg).filter { $0.contains("textcolor") }.count == figure.series.count)
    #expect(figure.x.title.isEmpty || layout.titleBelow < layout.key)
    #expect(layout.bottom < layout.key && layout.key + rows * FigureLayout.line <= layout.height)
    #expect(layout.keyColumns == 1 || layout.keyColumns * layout.keyPitch <= FigureLayout.width)
  }

  @Test("series are told apart by dash and mark as well as by colour")
  func looks() throws {
    let key = try FigureScript(Gallery.trend).key(.svg).filter { $0.contains("set arrow") }
    let dashes = key.compactMap { $0.split(separator: " ").drop { $0 != "dashtype" }.dropFirst().first }
    #expect(key.count == 6)
    #expect(Set(dashes).count == 6)
    let few = try FigureScript(Gallery.convergence).key(.svg)
    let marks = few.compactMap { $0.split(separator: " ").drop { $0 != "pointtype" }.dropFirst().first }
    #expect(Set(marks).count == 3)
  }

  /// What follows a word in a line of the key.
  private func looks(_ word: String, _ line: String) -> String? {
    line.split(separator: " ").drop { $0 != word }.dropFirst().first.map(String.init)
  }

  @Test("every series of many looks other than all others without its colour, references too")
  func grey() throws {
    let points = (0..<100).map { Figure.Point(Double($0), 1) }
    let styles: [Figure.Series.Style] =
      Array(repeating: .line, count: 9) + Array(repeating: .points, count: 3) + Array(repeating: .reference, count: 6)
    let series = styles.enumerated().map { Figure.Series("series \($0)", style: $1, points: points) }
    let script = try FigureScript(figure(series))
    let key = script.key(.svg)
    let dashes = key.filter { $0.contains("set arrow") }.compactMap { looks("dashtype", $0) }
    let marks = key.filter { $0.contains("pointtype") }.compactMap { looks("pointtype", $0) }
    #expect(dashes.count == 15 && marks.count == 12)
    #expect(Set(marks).count == 12, "lines and dots each have a mark of their own")
    #expect(Set(dashes.suffix(6)).count == 6, "references have none, but dashes of their own")
    #expect(Set(dashes.prefix(9)).isDisjoint(with: dashes.suffix(6)))
  }

  @Test("lines of many points have marks too where there are several, none at the place of another's")
  func signs() throws {
    let script = try FigureScript(Gallery.trend)
    let marked = script.parts.filter { $0.looks(.svg).contains("with points") }
    #expect(Set(marked.map(\.series)) == Set(0..<6))
    let places = marked.flatMap(\.rows).compactMap { $0.split(separator: " ").first }
    #expect(places.count >= 6 * 6 && Set(places).count == places.count)
    let points = try #require(Gallery.trend.series.first).points
    let alone = try FigureScript(figure([line(points)]))
    #expect(!alone.parts.contains { $0.looks(.svg).contains("with points") }, "a line alone needs none")
    let short = try FigureScript(
      figure([line(points), line(Array(points.prefix(31)), name: "t")]))
    let marks = short.parts.filter { $0.series == 1 && $0.looks(.svg).contains("with points") }.flatMap(\.rows)
    #expect((1...3).contains(marks.count), "only where the line is")
  }
}

@Suite("A figure that cannot be drawn is refused")
struct FigureRefusalTests {
  private func refusal(_ figure: Figure) -> FigureError? {
    do {
      _ = try FigureScript(figure)
      return nil
    } catch {
      return error
    }
  }

  private func figure(
    id: String = "f", x: Figure.Axis.Scale = .linear, y: Figure.Axis.Scale = .linear, _ style: Figure.Series.Style,
    _ points: [Figure.Point]
  ) -> Figure {
    Figure(
      id: id, title: "", alternative: "", x: Figure.Axis("rounds", scale: x), y: Figure.Axis("share", scale: y),
      series: [Figure.Series("s", style: style, points: points)])
  }

  @Test("nothing to draw", arguments: [[], [Figure.Point(.nan, 1)], [Figure.Point(1, .infinity)]])
  func nothing(points: [Figure.Point]) {
    #expect(refusal(figure(.line, points)) == .nothingToDraw(figure: "f"))
  }

  @Test("zero and below on a logarithmic axis, with the axis and the value")
  func notPositive() {
    #expect(
      refusal(figure(x: .logarithmic, .line, [Figure.Point(0, 1)]))
        == .notPositive(figure: "f", series: "s", axis: "rounds", value: 0))
    #expect(
      refusal(figure(y: .logarithmic, .points, [Figure.Point(1, -2)]))
        == .notPositive(figure: "f", series: "s", axis: "share", value: -2))
    #expect(
      refusal(figure(y: .logarithmic, .bars, [Figure.Point(1, -2)]))
        == .notPositive(figure: "f", series: "s", axis: "share", value: -2))
  }

  @Test("a place without a name", arguments: [-1, 0.5, 2])
  func noSuchName(place: Double) {
    #expect(
      refusal(figure(x: .names(["a", "b"]), .points, [Figure.Point(place, 1)]))
        == .noSuchName(figure: "f", series: "s", place: place, names: 2))
  }

  @Test("values further apart than numbers reach")
  func tooWide() {
    let points = [Figure.Point(0, -1e308), Figure.Point(1, 1e308)]
    #expect(refusal(figure(.line, points)) == .tooWide(figure: "f", axis: "share", lowest: -1e308, highest: 1e308))
  }

  @Test("an id that is no name for a file", arguments: ["", "A", "a/b", "a b", "../x", "é"])
  func identifier(id: String) {
    #expect(refusal(figure(id: id, .line, [Figure.Point(0, 1)])) == .badIdentifier(id))
  }

  @Test("every refusal says which figure, what was found and what was expected")
  func sentences() {
    let errors: [FigureError] = [
      .badIdentifier("f"), .nothingToDraw(figure: "f"),
      .notPositive(figure: "f", series: "s", axis: "a", value: 0),
      .noSuchName(figure: "f", series: "s", place: 3, names: 2),
      .tooWide(figure: "f", axis: "a", lowest: 0, highest: 1e308),
      .tooManyPoints(figure: "f", series: "s", found: 3_000, most: 2_000),
    ]
    for error in errors {
      #expect("\(error)".hasPrefix("figure 'f': "))
      #expect("\(error)".contains("found "))
      #expect("\(error)".contains("expected "))
    }
  }
}
