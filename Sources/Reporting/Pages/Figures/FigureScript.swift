// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

/// A figure as a script for gnuplot.
///
/// Data stand in blocks and are numbers only; texts stand between single quotes, where gnuplot runs nothing, and are
/// drawn as they are. What is drawn:
/// - A point without finite coordinates is left out and interrupts its line; an interval without finite ends runs to
///   the edge of the plot.
/// - A line of more than `DrawnSeries.mostPoints` points is thinned out; other styles are refused beyond that.
/// - A reference with a single point runs across the whole plot.
/// - On a logarithmic axis bars begin at a power of ten below the least value, and a bar of exactly 0 is not there;
///   every other value of 0 or less is refused.
/// - A named series without points stays in the key, marked as having no data.
struct FigureScript {
  /// What is drawn.
  let figure: Figure
  /// The series with their looks.
  let series: [DrawnSeries]
  /// The horizontal axis.
  let x: AxisPlan
  /// The vertical axis.
  let y: AxisPlan
  /// Where everything stands.
  let layout: FigureLayout
  /// From the middle of the bars of one place to those of the next, by their logarithms where the axis is logarithmic.
  let barPitch: Double

  /// Checks a figure and decides how it is drawn.
  ///
  /// - Parameters:
  ///   - figure: what to draw.
  ///   - heading: whether its title is drawn.
  /// - Throws: `FigureError` saying what cannot be drawn.
  init(_ figure: Figure, heading: Bool = true) throws(FigureError) {
    guard !figure.id.isEmpty, figure.id.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-".contains($0) }) else {
      throw .badIdentifier(figure.id)
    }
    self.figure = figure
    series = try DrawnSeries.all(of: figure)
    x = try Self.axis(figure.x, of: figure, across: true, series)
    y = try Self.axis(figure.y, of: figure, across: false, series)
    barPitch = Self.barPitch(series, on: x)
    layout = FigureLayout(
      figure, x: x, y: y, key: series.filter { !$0.name.isEmpty }.map(Self.keyName), heading: heading)
  }

  /// The whole script.
  func text(for medium: FigureMedium) -> String {
    let lines = [prologue(medium), axes(medium), marks(medium), key(medium), blocks, [plot(medium)]]
    return lines.flatMap(\.self).joined(separator: "\n") + "\n"
  }

  /// What the key calls a series.
  static func keyName(_ series: DrawnSeries) -> String {
    let missing = series.stretches.isEmpty ? " (no data)" : ""
    return FigureText.shortened(FigureText.plain(series.name), to: 52 - missing.count) + missing
  }

  private static func axis(
    _ axis: Figure.Axis, of figure: Figure, across: Bool, _ series: [DrawnSeries]
  ) throws(FigureError) -> AxisPlan {
    if case .names(let names) = axis.scale { return .names(names.map { FigureText.shortened($0, to: 24) }) }
    let isLogarithmic = axis.scale == .logarithmic
    let values: [Double] = series.flatMap { one -> [Double] in
      across ? one.points.map(\.x) : heights(one, isLogarithmic)
    }
    guard let low = values.min(), let high = values.max() else { throw .nothingToDraw(figure: figure.id) }
    let hasBars = series.contains { $0.style == .bars }
    let room = across && !hasBars ? 0.02 : 0.06
    let isWhole = across && values.allSatisfy { $0 == $0.rounded() }
    let demand = AxisPlan.Demand(
      values: low...high, hasBars: hasBars && !across, room: room, leastStep: isWhole ? 1 : 0
    ) { count, longest in
      across ? FigureLayout.fitsAcross(count, longest) : FigureLayout.fitsDown(count)
    }
    if isLogarithmic { return .logarithmic(demand) }
    guard let plan = AxisPlan.linear(demand) else {
      throw .tooWide(figure: figure.id, axis: axis.title, lowest: low, highest: high)
    }
    return plan
  }

  /// The least distance between bars, and no more than an eighth of the axis.
  private static func barPitch(_ series: [DrawnSeries], on axis: AxisPlan) -> Double {
    let value: (Double) -> Double = { axis.isLogarithmic ? log10($0) : $0 }
    let places = Set(series.filter { $0.style == .bars }.flatMap { $0.points.map { value($0.x) } }).sorted()
    let length = value(axis.range.upperBound) - value(axis.range.lowerBound)
    let least = zip(places.dropFirst(), places).map { $0 - $1 }.min() ?? length
    return min(least, max(length / 8, axis.isNamed ? 1 : 0))
  }

  /// Every height that the vertical axis must reach: values and the finite ends of intervals that it can show.
  private static func heights(_ series: DrawnSeries, _ isLogarithmic: Bool) -> [Double] {
    let heights = series.points.flatMap { point -> [Double] in
      guard let interval = point.interval, series.style != .reference else { return [point.y] }
      return [point.y, interval.lowerBound, interval.upperBound]
    }
    return heights.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
  }
}

extension FigureScript {
  private func prologue(_ medium: FigureMedium) -> [String] {
    let size: (Int) -> String = { "\(FigureLayout.width * $0),\(layout.height * $0)" }
    let font = "font 'DejaVu Sans,\(FigureLayout.textSize)'"
    let terminal =
      switch medium {
      case .svg: "svg noenhanced size \(size(1)) \(font)"
      case .png(let scale):
        "pngcairo noenhanced size \(size(scale)) \(font) fontscale \(number(Double(scale) * 0.75)) linewidth \(scale) "
          + "pointscale \(number(Double(scale) * 1.3)) background '\(medium.colour(.surface))'"
      }
    return [
      "set encoding utf8", "set terminal \(terminal)", "set errorbars 0.7", "unset key",
      "set lmargin at screen \(across(layout.left))", "set rmargin at screen \(across(layout.right))",
      "set tmargin at screen \(down(layout.top))", "set bmargin at screen \(down(layout.bottom))",
    ]
  }

  private func axes(_ medium: FigureMedium) -> [String] {
    let ink = "textcolor rgb '\(medium.colour(.ink))'"
    let turned = layout.isUpright ? " rotate by 90 right" : ""
    var lines = [
      "set border 3 back linewidth 1 linecolor rgb '\(medium.colour(.quiet))'",
      "set grid ytics noxtics linetype 1 linewidth 1 linecolor rgb '\(medium.colour(.grid))'",
      "set xtics out nomirror scale 0.5 offset 0,0.4 \(ink) font ',\(layout.markSize)'\(turned) "
        + "(\(ticks(x, stride: layout.nameStride, areShown: layout.nameLines.isEmpty)))",
      "set ytics out nomirror scale 0.5 offset 0.7,0 \(ink) (\(ticks(y, stride: 1)))",
      "set xrange [\(number(x.range.lowerBound)):\(number(x.range.upperBound))] noextend",
      "set yrange [\(number(y.range.lowerBound)):\(number(y.range.upperBound))] noextend",
    ]
    if x.isLogarithmic { lines.append("set logscale x 10") }
    if y.isLogarithmic { lines.append("set logscale y 10") }
    if !y.isLogarithmic, y.range.lowerBound < 0, y.range.upperBound > 0 {
      lines.append("set xzeroaxis linetype 1 linewidth 1 linecolor rgb '\(medium.colour(.quiet))'")
    }
    return lines
  }

  /// The texts around the plot, each at a place of its own.
  private func marks(_ medium: FigureMedium) -> [String] {
    let ink = "textcolor rgb '\(medium.colour(.ink))'"
    let quiet = "textcolor rgb '\(medium.colour(.quiet))'"
    var lines = layout.heading.enumerated().map { index, line in
      "set label \(FigureText.quoted(line)) at screen \(across(14)), screen \(down(30 + index * 26)) left "
        + "font 'DejaVu Sans:Bold,\(layout.headingSize)' \(ink)"
    }
    if !figure.y.title.isEmpty {
      let title = FigureText.quoted(FigureText.shortened(figure.y.title, to: 58))
      lines.append("set label \(title) at screen \(across(14)), screen \(down(layout.top - 22)) left \(quiet)")
    }
    if !figure.x.title.isEmpty {
      let title = FigureText.quoted(FigureText.shortened(figure.x.title, to: 58))
      let middle = (layout.left + layout.right) / 2
      lines.append("set label \(title) at screen \(across(middle)), screen \(down(layout.titleBelow)) center \(quiet)")
    }
    lines += brokenNames(ink)
    return lines
  }

  /// Names of two lines, under their places.
  private func brokenNames(_ ink: String) -> [String] {
    zip(layout.nameLines, x.ticks).flatMap { lines, tick in
      lines.enumerated().map { index, line in
        "set label \(FigureText.quoted(line)) at first \(number(tick.place)), "
          + "screen \(down(layout.bottom + 22 + index * 22)) center \(ink)"
      }
    }
  }

  private func ticks(_ axis: AxisPlan, stride: Int, areShown: Bool = true) -> String {
    axis.ticks.enumerated().map { index, tick in
      let label = areShown && index.isMultiple(of: stride) ? tick.label : ""
      return "\(FigureText.quotedLabel(label)) \(number(tick.place)) \(tick.label.isEmpty ? 1 : 0)"
    }.joined(separator: ", ")
  }

  /// A number as gnuplot reads it.
  func number(_ value: Double) -> String { NumberFormat.shortest(value) }

  /// A place between the left edge, 0, and the right one, 1.
  func across(_ place: Int) -> String {
    NumberFormat.fixed(Double(place) / Double(FigureLayout.width), decimals: 6)
  }

  /// A place between the upper edge, 1, and the lower one, 0.
  func down(_ place: Int) -> String {
    NumberFormat.fixed(1 - Double(place) / Double(layout.height), decimals: 6)
  }
}
