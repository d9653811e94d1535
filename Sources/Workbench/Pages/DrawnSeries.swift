// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Scenarios

/// A series as it is drawn: its points checked, those without finite values left out, and its looks decided.
struct DrawnSeries: Hashable {
  /// The most points drawn of one series; a picture is only so many pixels wide.
  static let mostPoints = 2_000

  /// What the key calls it; empty where it is left out there.
  let name: String
  let style: Figure.Series.Style
  /// Its place among the series of its kind: references, bars, or lines and points; it decides dashes, marks and fills.
  let place: Int
  let role: Palette.Role
  /// Its points; a point that is left out ends a stretch, so that no line bridges it.
  let stretches: [[Figure.Point]]
  /// How many points there were where they were thinned out.
  let thinnedFrom: Int?

  var points: [Figure.Point] { stretches.flatMap(\.self) }

  /// The series of a figure.
  ///
  /// Points without finite coordinates are left out. A line of more than `mostPoints` points in ascending order of x
  /// is thinned out so that no extreme is lost (see `thinned`).
  static func all(of figure: Figure) throws(FigureError) -> [DrawnSeries] {
    var counts: [Int: Int] = [:]
    var coloured = 0
    var drawn: [DrawnSeries] = []
    for series in figure.series {
      let kind = series.style == .reference ? 0 : series.style == .bars ? 1 : 2
      let place = counts[kind, default: 0]
      counts[kind] = place + 1
      let role = kind == 0 ? .reference : Palette.series[coloured % Palette.series.count]
      if kind != 0 { coloured += 1 }
      var stretches = try stretches(of: series, in: figure)
      let count = stretches.map(\.count).reduce(0, +)
      if count > mostPoints { stretches = try thinned(stretches, series, figure, count) }
      drawn.append(
        DrawnSeries(
          name: series.name, style: series.style, place: place, role: role, stretches: stretches,
          thinnedFrom: count > mostPoints ? count : nil))
    }
    guard drawn.contains(where: { !$0.stretches.isEmpty }) else { throw .nothingToDraw(figure: figure.id) }
    return drawn
  }

  private static func stretches(
    of series: Figure.Series, in figure: Figure
  ) throws(FigureError) -> [[Figure.Point]] {
    var stretches: [[Figure.Point]] = [[]]
    for point in series.points {
      let isStraight = series.style == .reference && series.points.count == 1
      guard isStraight ? point.x.isFinite || point.y.isFinite : point.x.isFinite && point.y.isFinite else {
        stretches.append([])
        continue
      }
      try check(point, series, figure)
      stretches[stretches.count - 1].append(point)
    }
    return stretches.filter { !$0.isEmpty }
  }

  private static func check(
    _ point: Figure.Point, _ series: Figure.Series, _ figure: Figure
  ) throws(FigureError) {
    switch figure.x.scale {
    case .names where point.x.isNaN: break
    case .names(let names):
      guard point.x.rounded() == point.x, (0..<Double(names.count)).contains(point.x) else {
        throw .noSuchName(figure: figure.id, series: series.name, place: point.x, names: names.count)
      }
    case .logarithmic where point.x <= 0:
      throw .notPositive(figure: figure.id, series: series.name, axis: figure.x.title, value: point.x)
    case .linear, .logarithmic: break
    }
    // A bar of exactly 0 is no bar, on any axis; its interval can still be seen.
    let isAllowed = point.y > 0 || point.y.isNaN || (point.y == 0 && series.style == .bars)
    if figure.y.scale == .logarithmic && !isAllowed {
      throw .notPositive(figure: figure.id, series: series.name, axis: figure.y.title, value: point.y)
    }
  }

  /// Of every five-hundredth of the width the first, the lowest, the highest and the last point, in their order.
  ///
  /// Lowest and highest count with their intervals, so neither the line nor its band loses an extreme that could have
  /// been seen.
  private static func thinned(
    _ stretches: [[Figure.Point]], _ series: Figure.Series, _ figure: Figure, _ count: Int
  ) throws(FigureError) -> [[Figure.Point]] {
    let places = stretches.flatMap(\.self).map { figure.x.scale == .logarithmic ? log10($0.x) : $0.x }
    let isAscending = zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }
    let isLine = series.style == .line || series.style == .reference
    guard isLine, isAscending, stretches.count <= mostPoints / 4, let first = places.first, let last = places.last
    else {
      throw .tooManyPoints(figure: figure.id, series: series.name, found: count, most: mostPoints)
    }
    let width = max(last - first, .leastNormalMagnitude)
    return stretches.map { stretch in
      let columns = Dictionary(grouping: stretch.indices) { index in
        let place = figure.x.scale == .logarithmic ? log10(stretch[index].x) : stretch[index].x
        return Int((place - first) / width * 499)
      }
      return columns.values.flatMap { indices in extremes(of: indices, in: stretch) }.sorted().map { stretch[$0] }
    }
  }

  private static func extremes(of indices: [Int], in stretch: [Figure.Point]) -> Set<Int> {
    let lowest = indices.min { low(of: stretch[$0]) < low(of: stretch[$1]) }
    let highest = indices.max { high(of: stretch[$0]) < high(of: stretch[$1]) }
    return Set([indices.first, lowest, highest, indices.last].compactMap(\.self))
  }

  private static func low(of point: Figure.Point) -> Double { min(point.y, point.interval?.lowerBound ?? point.y) }
  private static func high(of point: Figure.Point) -> Double { max(point.y, point.interval?.upperBound ?? point.y) }
}
