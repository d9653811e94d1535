// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Scenarios

/// What tells series apart without colour: in grey print, and for those who take one colour for another. Lines and dots
/// have marks of their own; lines have dashes too; references have no marks, thinner lines and shorter dashes.
extension FigureScript {
  /// Marks along the line of a series of many points; none where no other series could be meant.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - index: Its place in the figure.
  /// - Returns: Points of the series about an eighth of the axis apart, at other places than those of other series.
  func signs(of series: DrawnSeries, _ index: Int) -> [Figure.Point] {
    guard isSigned(series) else { return [] }
    let places: (Double) -> Double = { x.isLogarithmic ? log10($0) : $0 }
    let (low, high) = (places(x.range.lowerBound), places(x.range.upperBound))
    let signed = self.series.indices.filter { isSigned(self.series[$0]) }
    let rank = signed.firstIndex(of: index) ?? 0
    let shift = (Double(rank) + 0.5) / Double(signed.count)
    let candidates = series.stretches.filter { $0.count > 1 }.flatMap(\.self)
    let pitch = (high - low) / Double(Self.signs)
    return (0..<Self.signs).compactMap { number in
      let wanted = low + (Double(number) + shift) * pitch
      let nearest = candidates.min { abs(places($0.x) - wanted) < abs(places($1.x) - wanted) }
      return nearest.flatMap { abs(places($0.x) - wanted) <= pitch / 4 ? $0 : nil }
    }
  }

  /// Whether some points of its line are marked: it has too many to mark all, and is not alone.
  func isSigned(_ series: DrawnSeries) -> Bool {
    series.style == .line && series.points.count > Self.mostMarked
      && self.series.filter { $0.style == .line || $0.style == .points }.count > 1
  }

  func lineLooks(_ series: DrawnSeries, _ medium: FigureMedium) -> String {
    // gnuplot joins lines of one colour and one width into one path with the dashes of the first: lines of one colour
    // that have other dashes are a hair wider.
    let width = series.style == .reference ? 150 + series.place : 225 + series.place / Self.marks.count
    return "linewidth \(number(Double(width) / 100)) dashtype \(dash(series)) "
      + "linecolor rgb '\(medium.colour(series.role))'"
  }

  func pointLooks(_ series: DrawnSeries, _ medium: FigureMedium, size: Double) -> String {
    "pointtype \(mark(series)) pointsize \(number(size * medium.pointSize)) "
      + "linecolor rgb '\(medium.colour(series.role))'"
  }

  func barLooks(_ series: DrawnSeries, _ medium: FigureMedium) -> String {
    // The first is full; the next have lines that lean one way, the other way, cross, and lean steeply.
    let fills = ["solid 0.75", "pattern 4", "pattern 5", "pattern 1", "pattern 6", "pattern 7"]
    let colour = "rgb '\(medium.colour(series.role))'"
    return "fillstyle \(series.place % fills.count == 0 ? "transparent " : "")\(fills[series.place % fills.count]) "
      + "border linecolor \(colour) linewidth 1.25 fillcolor \(colour)"
  }

  /// Circle, triangle, square, diamond, upturned triangle, pentagon: gnuplot's numbers of the filled ones, and then of
  /// the open ones.
  private func mark(_ series: DrawnSeries) -> Int { Self.marks[series.place % Self.marks.count] }

  /// Once all marks are used they come again with other dashes.
  private func dash(_ series: DrawnSeries) -> String {
    if series.style == .reference { return Self.thinDashes[series.place % Self.thinDashes.count] }
    return Self.dashes[(series.place + series.place / Self.marks.count) % Self.dashes.count]
  }

  /// How many marks a line has at the most.
  private static let signs = 8
  private static let marks = [7, 9, 5, 13, 11, 15, 6, 8, 4, 12, 10, 14]
  private static let dashes = ["solid", "(10,5)", "(2,4)", "(10,4,2,4)", "(18,5)", "(10,4,2,4,2,4)"]
  private static let thinDashes = ["(5,3)", "(1,2)", "(5,2,1,2)", "(16,3)", "(16,3,1,3)", "(5,2,1,2,1,2)"]
}
