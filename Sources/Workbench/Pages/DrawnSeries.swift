// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Scenarios

/// A series as drawn: its checked points, and the choice of those that are drawn.
struct DrawnSeries {
  /// The most points drawn of one series; more would fall on the same pixels.
  static let maxPoints = 2_000
  /// The largest value drawn; larger and infinite ones are left out, since the length of an axis must be finite.
  private static let largest = 1e300

  let source: Figure.Series
  /// Its place among the series of its kind: references, bars, or lines and points.
  let position: Int
  let role: Palette.Role
  /// The indices of the points; one that is left out ends a stretch, so that no line crosses the gap.
  let stretches: [[Int]]
  /// The number of points before thinning; `nil` if none was left out.
  let thinnedFrom: Int?
  /// The number of points beyond the end of the axis, and the farthest of them.
  let beyond: (count: Int, farthest: Double)?
  /// The row of its first point in the table of the figure's data.
  let firstRow: Int

  var style: Figure.Series.Style { source.style }
  var isColoured: Bool { style != .reference }
  var points: [Figure.Point] { stretches.joined().map { source.points[$0] } }

  /// The series of a figure; straight lines across the plot are left to the layout.
  ///
  /// Points without finite coordinates, and those beyond `end`, are left out. A line of more than `maxPoints` points
  /// in ascending order of x is thinned out so that no extreme is lost.
  static func all(of figure: Figure, until end: Double) throws(FigureError) -> [DrawnSeries] {
    var counts: [Int: Int] = [:]
    var drawn: [DrawnSeries] = []
    var row = 0
    for series in figure.series {
      defer { row += series.points.count }
      if series.isStraight { continue }
      let kind = series.style == .reference ? 0 : series.style == .bars ? 1 : 2
      let colour = drawn.count(where: \.isColoured) % Palette.series.count
      var stretches: [[Int]] = [[]]
      for (index, point) in series.points.enumerated() {
        if abs(point.x) < largest, abs(point.y) < largest, point.x <= end {
          try check(point, series, figure)
          stretches[stretches.count - 1].append(index)
        } else if stretches.last != [] {
          stretches.append([])
        }
      }
      let beyond = series.points.filter { $0.x > end && $0.x < largest && abs($0.y) < largest }.map(\.x)
      let count = stretches.reduce(0) { $0 + $1.count }
      let isThinned = count > maxPoints
      let shown = try isThinned ? thinned(stretches, series, figure, count) : stretches
      drawn.append(
        DrawnSeries(
          source: series, position: counts[kind, default: 0], role: kind == 0 ? .reference : Palette.series[colour],
          stretches: shown.filter { !$0.isEmpty }, thinnedFrom: isThinned ? count : nil,
          beyond: beyond.max().map { (beyond.count, $0) },
          firstRow: row))
      counts[kind, default: 0] += 1
    }
    return drawn
  }

  private static func check(
    _ point: Figure.Point, _ series: Figure.Series, _ figure: Figure
  ) throws(FigureError) {
    for (axis, value, isBar) in [(figure.x, point.x, false), (figure.y, point.y, series.style == .bars)] {
      switch axis.scale {
      case .names(let names):
        guard value.rounded() == value, (0..<Double(names.count)).contains(value) else {
          throw .noSuchPlace(
            figure: figure.id, series: series.name, axis: axis.title, value: value,
            expected: "a whole number from 0 to \(names.count - 1), for one of its names")
        }
      // A bar of exactly 0 is not drawn, on any axis, but its interval is.
      case .logarithmic where value < 0 || value == 0 && !isBar:
        throw .noSuchPlace(
          figure: figure.id, series: series.name, axis: axis.title, value: value,
          expected: "more than 0 on a logarithmic axis")
      case .linear, .logarithmic: break
      }
    }
  }

  /// The first, the lowest, the highest and the last point of every five-hundredth of the width, in their order.
  ///
  /// Lowest and highest include the intervals, so neither the line nor its band loses a visible extreme.
  private static func thinned(
    _ stretches: [[Int]], _ series: Figure.Series, _ figure: Figure, _ count: Int
  ) throws(FigureError) -> [[Int]] {
    func position(_ index: Int) -> Double {
      figure.x.scale == .logarithmic ? log10(series.points[index].x) : series.points[index].x
    }
    let positions = stretches.joined().map(position)
    let isAscending = zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 }
    guard series.style == .line || series.style == .reference, isAscending, stretches.count <= maxPoints / 4,
      let first = positions.first, let last = positions.last
    else { throw .tooManyPoints(figure: figure.id, series: series.name, found: count, maximum: maxPoints) }
    let width = max(last - first, .leastNormalMagnitude)
    func low(_ index: Int) -> Double {
      min(series.points[index].y, series.points[index].interval?.lowerBound ?? .infinity)
    }
    func high(_ index: Int) -> Double {
      max(series.points[index].y, series.points[index].interval?.upperBound ?? -.infinity)
    }
    return stretches.map { stretch in
      let columns = Dictionary(grouping: stretch) { Int((position($0) - first) / width * 499) }
      let kept = columns.values.flatMap { indices in
        [indices.first, indices.min { low($0) < low($1) }, indices.max { high($0) < high($1) }, indices.last]
      }
      return Set(kept.compactMap(\.self)).sorted()
    }
  }
}
