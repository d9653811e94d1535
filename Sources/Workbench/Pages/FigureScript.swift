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
/// - A reference with a single point runs across the whole plot; upwards where the point has no height.
/// - On a logarithmic axis bars begin at a power of ten below the least value, and a bar of exactly 0 is not there;
///   every other value of 0 or less is refused.
/// - A named series without points stays in the key, marked as having no data.
struct FigureScript {
  let figure: Figure
  let series: [DrawnSeries]
  let x: AxisPlan
  let y: AxisPlan
  let layout: FigureLayout
  /// From the middle of the bars of one place to those of the next, by their logarithms where the axis is logarithmic.
  let barPitch: Double

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

  func text(for medium: FigureMedium) -> String {
    let lines = [prologue(medium), axes(medium), marks(medium), key(medium), blocks, [plot(medium)]]
    return lines.flatMap(\.self).joined(separator: "\n") + "\n"
  }

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
      across ? one.points.map(\.x).filter(\.isFinite) : heights(one, isLogarithmic)
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
      case .png:
        "pngcairo noenhanced size \(size(FigureMedium.pixels)) \(font) fontscale 1.5 "
          + "linewidth \(FigureMedium.pixels) pointscale 2.6 background '\(medium.colour(.surface))'"
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

  func number(_ value: Double) -> String { NumberFormat.shortest(value) }

  func across(_ place: Int) -> String {
    NumberFormat.fixed(Double(place) / Double(FigureLayout.width), decimals: 6)
  }

  func down(_ place: Int) -> String {
    NumberFormat.fixed(1 - Double(place) / Double(layout.height), decimals: 6)
  }
}

extension FigureScript {
  /// A part of the drawing: which series it belongs to, its data and how gnuplot draws them.
  struct Part {
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

  var blocks: [String] {
    parts.enumerated().flatMap { index, part in ["$part\(index) << EOD"] + part.rows + ["EOD"] }
  }

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
    if series.style == .reference, series.points.count == 1, let point = series.points.first {
      stretches = [
        point.y.isNaN
          ? [y.range.lowerBound, y.range.upperBound].map { Figure.Point(point.x, $0) }
          : [x.range.lowerBound, x.range.upperBound].map { Figure.Point($0, point.y) }
      ]
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

/// What tells series apart without colour: in grey print, and for those who take one colour for another. Lines and dots
/// have marks of their own; lines have dashes too; references have no marks, thinner lines and shorter dashes.
extension FigureScript {
  /// Marks along the line of a series of many points, about an eighth of the axis apart and at other places than those
  /// of other series; none where no other series could be meant.
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

  private static let signs = 8
  private static let marks = [7, 9, 5, 13, 11, 15, 6, 8, 4, 12, 10, 14]
  private static let dashes = ["solid", "(10,5)", "(2,4)", "(10,4,2,4)", "(18,5)", "(10,4,2,4,2,4)"]
  private static let thinDashes = ["(5,3)", "(1,2)", "(5,2,1,2)", "(16,3)", "(16,3,1,3)", "(5,2,1,2,1,2)"]
}

extension FigureScript {
  /// The key below the plot: for every named series what it looks like, and its name.
  ///
  /// It is made of arrows, rectangles and labels at places of our own, for gnuplot's key leaves out entries that it
  /// finds no room for.
  func key(_ medium: FigureMedium) -> [String] {
    let named = series.filter { !$0.name.isEmpty }
    return named.enumerated().flatMap { index, series in
      let x = FigureLayout.edge + index % layout.keyColumns * layout.keyPitch
      let y = layout.key + 13 + index / layout.keyColumns * FigureLayout.line
      let name = FigureText.quoted(Self.keyName(series))
      return samples(of: series, x, y, medium) + [
        "set label \(name) at \(place(x + 52, y)) left textcolor rgb '\(medium.colour(.ink))'"
      ]
    }
  }

  private func samples(of series: DrawnSeries, _ x: Int, _ y: Int, _ medium: FigureMedium) -> [String] {
    let line = "set arrow from \(place(x, y)) to \(place(x + 42, y)) nohead \(lineLooks(series, medium))"
    let point = "set label '' at \(place(x + 21, y)) point \(pointLooks(series, medium, size: 1))"
    switch series.style {
    case .line: return series.points.count <= Self.mostMarked || isSigned(series) ? [line, point] : [line]
    case .reference: return [line]
    case .points: return [point]
    case .bars:
      return ["set object rectangle from \(place(x, y - 7)) to \(place(x + 42, y + 7)) \(barLooks(series, medium))"]
    }
  }

  private func place(_ x: Int, _ y: Int) -> String { "screen \(across(x)), screen \(down(y))" }
}

/// How a drawing names its colours: a picture has the light ones, an SVG has codes that stand for roles.
enum FigureMedium: Hashable {
  case svg, png

  /// How many pixels a picture has for a unit of the SVG.
  static let pixels = 2

  func colour(_ role: Palette.Role) -> String {
    switch self {
    case .svg: Colour(UInt32(Self.number(of: role))).hexadecimal
    case .png: Palette.light[role].hexadecimal
    }
  }

  /// How large a usual point is in gnuplot's measure, which is larger in SVG.
  var pointSize: Double { self == .svg ? 0.65 : 1 }

  /// The role that a colour of the SVG stands for: `rgb(  0,   0,   7)` and `rgb(0,0,7)` alike.
  static func role(ofCode code: String) -> Palette.Role? {
    let channels = code.split { !$0.isNumber }.compactMap { Int($0) }
    guard code.hasPrefix("rgb("), channels.count == 3, channels[0] == 0, channels[1] == 0 else { return nil }
    return Palette.Role.allCases.first { number(of: $0) == channels[2] }
  }

  private static func number(of role: Palette.Role) -> Int {
    (Palette.Role.allCases.firstIndex(of: role) ?? 0) + 1
  }
}
