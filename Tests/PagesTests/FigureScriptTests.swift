// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
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

  @Test("a straight line runs across the plot at its height, or upwards at its place, on a logarithmic axis too")
  func straight() throws {
    let curve = line([Figure.Point(1, 5), Figure.Point(10, 500)])
    let script = try FigureScript(
      Figure(
        id: "f", title: "", alternative: "", x: Figure.Axis("x"), y: Figure.Axis("y", scale: .logarithmic),
        series: [curve, .level("capacity", at: 2_000), .moment("return", at: -3)]))
    #expect(script.y.range.contains(2_000) && script.x.range.contains(-3))
    let (level, moment) = (
      try #require(script.parts.first { $0.series == 1 }), try #require(script.parts.first { $0.series == 2 })
    )
    #expect(level.rows == [script.x.range.lowerBound, script.x.range.upperBound].map { "\(script.number($0)) 2000" })
    #expect(moment.rows == [script.y.range.lowerBound, script.y.range.upperBound].map { "-3 \(script.number($0))" })
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

@Suite("Numbers along an axis")
struct AxisPlanTests {
  private func demand(_ values: ClosedRange<Double>, bars: Bool = false, room: Double = 0) -> AxisPlan.Demand {
    AxisPlan.Demand(values: values, hasBars: bars, room: room) { FigureLayout.fitsAcross($0, $1) }
  }

  private func labels(_ plan: AxisPlan?) -> [String] { plan?.ticks.map(\.label).filter { !$0.isEmpty } ?? [] }

  @Test("even steps with the same decimals and a true minus sign")
  func even() {
    #expect(labels(AxisPlan.linear(demand(-0.2...0.3))) == ["−0.2", "−0.1", "0", "0.1", "0.2", "0.3"])
    #expect(labels(AxisPlan.linear(demand(0...14))) == ["0", "2", "4", "6", "8", "10", "12", "14"])
  }

  @Test("large numbers by their unit, tiny ones by a power of ten")
  func units() {
    #expect(labels(AxisPlan.linear(demand(0...2_000_000)))[1] == "0.5M")
    #expect(labels(AxisPlan.linear(demand(0...50_000))).last == "50k")
    #expect(labels(AxisPlan.linear(demand(0...4e-9))).last == "4e-9")
    #expect(labels(AxisPlan.linear(demand(0...3e16))).last == "3.0e16")
  }

  @Test("powers of ten on a logarithmic axis, in plain style between")
  func decades() {
    #expect(
      labels(AxisPlan.logarithmic(demand(0.001...10_000_000)))
        == ["0.01", "1", "100", "10k", "1M"])
    #expect(labels(AxisPlan.logarithmic(demand(1...1_000))) == ["1", "10", "100", "1000"])
    #expect(labels(AxisPlan.logarithmic(demand(2...40))) == ["2", "5", "10", "20"])
    #expect(labels(AxisPlan.logarithmic(demand(1e-9...1e-7))) == ["1e-9", "1e-8", "1e-7"])
  }

  @Test(
    "equal values get room on both sides, whatever their size", arguments: [0, 1, -3, 1e-12, 12_345_678, 1e15, -1e200])
  func equal(value: Double) throws {
    let plan = try #require(AxisPlan.linear(demand(value...value, room: 0.05)))
    #expect(plan.range.lowerBound < value && value < plan.range.upperBound)
    #expect(plan.ticks.count >= 2)
  }

  @Test("where only whole numbers mean anything, no other is labelled")
  func whole() throws {
    for range in [1.0...1, 1...3, 0...14, 7...200] {
      let demand = AxisPlan.Demand(values: range, hasBars: false, room: 0.02, leastStep: 1) { _, _ in true }
      let plan = try #require(AxisPlan.linear(demand))
      #expect(plan.ticks.count >= 2)
      #expect(plan.ticks.allSatisfy { $0.place == $0.place.rounded() })
    }
  }

  @Test("labels never run into one another, and always differ")
  func apart() throws {
    let ranges: [ClosedRange<Double>] = [
      0...1, -1e-7...3e-7, 0.123456...0.123457, 999_999...1_000_001, -1e14...1e14, 0...1e9, 3...7.5, 1e299...1.1e299,
      123_456_789.001...123_456_789.002,
    ]
    for range in ranges {
      let labels = try #require(AxisPlan.linear(demand(range, room: 0.06))).ticks.map(\.label)
      #expect(labels.count >= 2, "\(range)")
      #expect(Set(labels).count == labels.count, "\(range): \(labels)")
      #expect(labels.count == 2 || FigureLayout.fitsAcross(labels.count, labels.map(\.count).max() ?? 0), "\(labels)")
    }
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
    let series = try DrawnSeries.all(of: figure(.line, points))[0]
    #expect(series.thinnedFrom == 100_000)
    #expect(series.points.count <= DrawnSeries.mostPoints)
    #expect(series.points.map(\.x).min() == 0)
    #expect(series.points.map(\.x).max() == 99_999)
    #expect(series.points.contains { $0.x == 31_415 && $0.y == 7 && $0.interval == 6...8 })
    #expect(series.points.contains { $0.x == 92_653 && $0.y == -5 })
    #expect(series.points.map(\.x) == series.points.map(\.x).sorted())
  }

  @Test("as many points as can be drawn are all drawn")
  func few() throws {
    let series = try DrawnSeries.all(of: figure(.line, Array(points.prefix(DrawnSeries.mostPoints))))[0]
    #expect(series.thinnedFrom == nil)
    #expect(series.points.count == DrawnSeries.mostPoints)
  }

  @Test("bars and points are refused", arguments: [Figure.Series.Style.bars, .points])
  func refused(style: Figure.Series.Style) {
    #expect(throws: FigureError.tooManyPoints(figure: "many", series: "waves", found: 100_000, most: 2_000)) {
      try DrawnSeries.all(of: figure(style, points))
    }
  }

  @Test("a line that turns back is refused, for columns would lose its way")
  func backwards() {
    #expect(throws: FigureError.tooManyPoints(figure: "many", series: "waves", found: 100_000, most: 2_000)) {
      try DrawnSeries.all(of: figure(.line, points.reversed()))
    }
  }
}

/// A figure of every style, as labs make them.
enum Gallery {
  static let all = [convergence, actions, payoffs, twoBars, trend, single]

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
    y: Figure.Axis("EV against the usual game, %"),
    series: ["one deck", "two decks", "six decks", "eight decks"].enumerated().map { place, name in
      Figure.Series(
        name, style: .bars,
        points: [0.2, 0.14, 0.07, -0.08].enumerated().map { index, value in
          Figure.Point(Double(index), value * (1 + Double(place) / 3) - 0.02)
        })
    })

  /// Six lines of many points, one with a gap.
  static let trend = Figure(
    id: "trend", title: "Six series", alternative: "Six waves.", x: Figure.Axis("week"),
    y: Figure.Axis("rank correlation"),
    series: (0..<6).map { place in
      Figure.Series(
        "series \(place + 1)", style: .line,
        points: (0..<120).map { step -> Figure.Point in
          let height: Double = sin(Double(step) / 15 + Double(place)) + Double(place) / 3
          return Figure.Point(Double(step), place == 2 && (40..<60).contains(step) ? .nan : height)
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
}
