// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Scenarios

extension FigureScript {
  /// A part of the drawing: which series it belongs to, its data and how gnuplot draws them.
  struct Part {
    /// The place of its series in the figure.
    let series: Int
    /// Lines of numbers; empty lines interrupt.
    let rows: [String]
    /// What follows the name of the data.
    let looks: (FigureMedium) -> String
  }

  /// The most points of a line that are marked one by one.
  static let mostMarked = 30

  /// The parts in the order they are drawn: bands, bars, references, lines, intervals, points.
  var parts: [Part] {
    [bands, bars, lines, whiskers, dots].flatMap { (layer: (DrawnSeries, Int) -> [Part]) -> [Part] in
      series.indices.filter { !series[$0].stretches.isEmpty }.flatMap { layer(series[$0], $0) }
    }
  }

  /// The data of every part.
  var blocks: [String] {
    parts.enumerated().flatMap { index, part in ["$part\(index) << EOD"] + part.rows + ["EOD"] }
  }

  /// The command that draws all parts.
  func plot(_ medium: FigureMedium) -> String {
    let drawn = parts.enumerated().map { index, part in "$part\(index) \(part.looks(medium)) notitle" }
    // Where every bar is one of nothing there is no part, and the axes still want a command.
    return "plot " + (drawn.isEmpty ? "NaN notitle" : drawn.joined(separator: ", \\\n  "))
  }

  private func bands(_ series: DrawnSeries, _ index: Int) -> [Part] {
    guard series.style == .line else { return [] }
    let rows = bandStretches(series).filter { $0.count > 1 }.map { stretch in
      stretch.map { point in row([point.x] + ends(point)) }
    }
    guard !rows.isEmpty else { return [] }
    return [
      Part(series: index, rows: Array(rows.joined(separator: [""]))) { medium in
        "using 1:2:3 with filledcurves fillstyle transparent solid 0.18 noborder fillcolor "
          + "rgb '\(medium.colour(series.role))'"
      }
    ]
  }

  private func bars(_ series: DrawnSeries, _ index: Int) -> [Part] {
    guard series.style == .bars else { return [] }
    let foot = y.isLogarithmic ? y.range.lowerBound : 0
    let rows = series.points.filter { $0.y != 0 }.map { point in
      let sides = barSides(point.x, series)
      return row([point.x, point.y, sides.left, sides.right, min(foot, point.y), max(foot, point.y)])
    }
    guard !rows.isEmpty else { return [] }
    return [
      Part(series: index, rows: rows) { medium in
        "using 1:2:3:4:5:6 with boxxyerror \(barLooks(series, medium))"
      }
    ]
  }

  private func lines(_ series: DrawnSeries, _ index: Int) -> [Part] {
    guard series.style == .line || series.style == .reference else { return [] }
    var stretches = series.stretches
    if series.style == .reference, series.points.count == 1 {
      let height = series.points[0].y
      stretches = [[x.range.lowerBound, x.range.upperBound].map { Figure.Point($0, height) }]
    }
    let rows = stretches.map { $0.map { row([$0.x, $0.y]) } }.joined(separator: [""])
    return [Part(series: index, rows: Array(rows)) { medium in "using 1:2 with lines \(lineLooks(series, medium))" }]
  }

  private func whiskers(_ series: DrawnSeries, _ index: Int) -> [Part] {
    let points =
      switch series.style {
      case .points, .bars: series.points.filter { $0.interval != nil }
      case .line: bandStretches(series).filter { $0.count == 1 }.flatMap(\.self)
      case .reference: [Figure.Point]()
      }
    guard !points.isEmpty else { return [] }
    let rows = points.map { point in
      let interval = ends(point)
      return row([place(point.x, series), interval[0], 0, interval[1] - interval[0]])
    }
    let role: Palette.Role = series.style == .bars ? .ink : series.role
    return [
      Part(series: index, rows: rows) { medium in
        "using 1:2:3:4 with vectors heads size screen 0.008,90 nofilled linewidth 1.5 "
          + "linecolor rgb '\(medium.colour(role))'"
      }
    ]
  }

  /// The points themselves; of a line those that no line reaches, and all where there are few enough to see them, or
  /// some that tell it from others.
  private func dots(_ series: DrawnSeries, _ index: Int) -> [Part] {
    let points =
      switch series.style {
      case .points: series.points
      case .line where series.points.count <= Self.mostMarked: series.points
      case .line: series.stretches.filter { $0.count == 1 }.flatMap(\.self) + signs(of: series, index)
      case .bars, .reference: [Figure.Point]()
      }
    guard !points.isEmpty else { return [] }
    let size = points.count > 400 ? 0.4 : points.count > 60 ? 0.7 : 1
    return [
      Part(series: index, rows: points.map { row([place($0.x, series), $0.y]) }) { medium in
        "using 1:2 with points \(pointLooks(series, medium, size: size))"
      }
    ]
  }

  /// Stretches of points that have intervals.
  private func bandStretches(_ series: DrawnSeries) -> [[Figure.Point]] {
    series.stretches.flatMap { $0.split { $0.interval == nil }.map(Array.init) }
  }

  /// The ends of a point's interval, no further than the plot reaches.
  private func ends(_ point: Figure.Point) -> [Double] {
    guard let interval = point.interval else { return [point.y, point.y] }
    return [interval.lowerBound, interval.upperBound].map { min(max($0, y.range.lowerBound), y.range.upperBound) }
  }

  private func row(_ values: [Double]) -> String { values.map(number).joined(separator: " ") }
}

extension FigureScript {
  /// Where a point is drawn: bars stand side by side, and so do points on an axis of names that has no bars.
  private func place(_ place: Double, _ series: DrawnSeries) -> Double {
    if series.style == .bars {
      let sides = barSides(place, series)
      return x.isLogarithmic ? (sides.left * sides.right).squareRoot() : (sides.left + sides.right) / 2
    }
    let rows = self.series.filter { $0.style == .points }
    guard x.isNamed, series.style == .points, rows.count > 1,
      !self.series.contains(where: { $0.style == .bars }), let index = rows.firstIndex(of: series)
    else { return place }
    return place + (Double(index) - Double(rows.count - 1) / 2) * 0.6 / Double(rows.count)
  }

  /// The sides of a bar: together the bars of a place take four fifths of the room to the next.
  private func barSides(_ place: Double, _ series: DrawnSeries) -> (left: Double, right: Double) {
    let count = Double(self.series.filter { $0.style == .bars }.count)
    let width = barPitch * 0.8
    let left = (x.isLogarithmic ? log10(place) : place) - width / 2 + width * Double(series.place) / count
    let right = left + width / count
    return x.isLogarithmic ? (pow(10, left), pow(10, right)) : (left, right)
  }
}
