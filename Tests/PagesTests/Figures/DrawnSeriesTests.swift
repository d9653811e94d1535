// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@testable import Pages

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
