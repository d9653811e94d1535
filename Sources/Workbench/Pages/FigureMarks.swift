// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

/// The marks of the data: bands, bars, cells, lines, intervals and dots, in this order within a series.
struct FigureMarks {
  /// The most points of a line that are marked one by one.
  private static let maxMarked = 30
  /// The most points of a panel with full intervals; of more, they are thin translucent lines.
  private static let maxWhiskers = 40
  /// The opacity of a heat map's greatest cell; its text is ink, and a higher opacity would be too dark for it.
  static let deepest = 0.5
  private static let dashes = ["", "9 5", "2 4", "9 4 2 4", "16 4", "9 4 2 4 2 4"]

  let layout: FigureLayout
  /// The series with a point at each place of an axis of names, whose points are side by side.
  private let rowsAtName: [Double: [Int]]
  /// The distance between the middles of neighbouring places of bars, as a share of the axis.
  private let barPitch: Double

  init(_ layout: FigureLayout) {
    self.layout = layout
    let bars = layout.series.filter { $0.style == .bars }
    let dots = layout.series.filter { $0.style == .points }
    var rowsAtName: [Double: [Int]] = [:]
    if layout.x.isNamed {
      for one in bars.isEmpty ? dots : [] {
        for point in one.points { rowsAtName[point.x, default: []].append(one.firstRow) }
      }
    }
    self.rowsAtName = rowsAtName
    let positions = Set(bars.flatMap { $0.points.map { layout.x.share(of: $0.x) } }).sorted()
    let named = layout.x.isNamed ? 1 / Double(max(1, layout.x.ticks.count)) : 1.0 / 8
    barPitch = min(zip(positions.dropFirst(), positions).map { $0 - $1 }.min() ?? named, named)
  }

  /// The place of a point: bars are side by side, and so are points that share a name.
  func spot(_ index: Int, of one: DrawnSeries, in box: Box) -> Spot {
    let point = one.source.points[index]
    var across = layout.x.share(of: point.x)
    if one.style == .bars {
      let sides = barSides(across, one)
      across = (sides.0 + sides.1) / 2
    } else if one.style == .points, let group = rowsAtName[point.x], group.count > 1 {
      let rank = Double(group.firstIndex(of: one.firstRow) ?? 0) - Double(group.count - 1) / 2
      across += rank * 0.6 / Double(group.count) / Double(layout.x.ticks.count)
    }
    return layout.spot(across, height(point.y), in: box)
  }

  func html(of one: DrawnSeries, in panel: FigureLayout.Panel) -> HTML {
    let box = panel.box
    let lines = one.stretches.map { $0.map { spot($0, of: one, in: box) } }
    let count = lines.reduce(0) { $0 + $1.count }
    switch one.style {
    case .line:
      let alone = lines.filter { $0.count == 1 }.flatMap(\.self)
      return """
        \(bands(of: one, in: box))\(polylines(lines, one, dash: lone(one, in: panel) ? "" : Self.dash(one)))\
        \(dots(count <= Self.maxMarked && !layout.y.isNamed ? lines.flatMap(\.self) : alone, one, width: 5.5))
        """
    case .points:
      return """
        \(whiskers(of: one, in: box, areMany: count > Self.maxWhiskers))\
        \(dots(lines.flatMap(\.self), one, width: count > 400 ? 3 : count > 60 ? 4 : 7))
        """
    case .bars: return "\(bars(of: one, in: box))\(whiskers(of: one, in: box, areMany: false))"
    case .reference where layout.y.isNamed:
      return polylines(lines, one, dash: "", width: 11, opacity: 0.6)
    case .reference: return polylines(lines, one, dash: "6 4", width: 1.5)
    case .cells: return cells(of: one, in: box)
    }
  }

  func html(of line: FigureLayout.Straight, in box: Box) -> HTML {
    straight(layout.ends(of: line, in: box))
  }

  private func straight(_ ends: [Spot]) -> HTML {
    let path = Self.path(ends)
    return "<path d=\"\(path)\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"\(paint: .init(stroke: .reference))/>\n"
  }

  /// The sample of a series, or of a straight line if there is none, in the key.
  func html(of sample: FigureLayout.Sample) -> HTML {
    let (x, y) = (sample.spot.x, sample.spot.y)
    let line = [Spot(x: x, y: y), Spot(x: x + 24, y: y)]
    guard let one = sample.series else {
      return straight(line)
    }
    switch one.style {
    case .bars: return bar(Box(left: x, top: y - 7, right: x + 24, bottom: y + 7), one)
    case .points: return dots([Spot(x: x + 12, y: y)], one, width: 7)
    case .line: return polylines([line], one, dash: Self.dash(one))
    case .reference: return polylines([line], one, dash: "6 4", width: 1.5)
    case .cells:
      let steps = (0..<5).map { step -> HTML in
        let left = x + Double(step) * 20
        return cell(Box(left: left, top: y - 8, right: left + 20, bottom: y + 8), one, shade: Double(step) / 4)
      }
      return "\(steps)"
    }
  }

  /// Returns true if a line is the only one of its panel, so that it needs no dashes.
  private func lone(_ one: DrawnSeries, in panel: FigureLayout.Panel) -> Bool {
    panel.series.count { $0.style == .line } == 1
  }

  private static func dash(_ one: DrawnSeries) -> String { dashes[one.position % dashes.count] }

  /// The height of a value, limited to the plot.
  private func height(_ value: Double) -> Double {
    let share = layout.y.isLogarithmic && value <= 0 ? 0 : layout.y.share(of: value)
    return min(max(share, 0), 1)
  }

  private func barSides(_ position: Double, _ one: DrawnSeries) -> (Double, Double) {
    let count = Double(layout.series.count { $0.style == .bars })
    let left = position - barPitch * 0.4 + barPitch * 0.8 * Double(one.position) / count
    return (left, left + barPitch * 0.8 / count)
  }
}

extension FigureMarks {
  private func bands(of one: DrawnSeries, in box: Box) -> HTML {
    let points = one.source.points
    let bands = one.stretches.flatMap { $0.split { points[$0].interval == nil } }.filter { $0.count > 1 }
    let drawn = bands.map { band -> HTML in
      func edge(_ end: (ClosedRange<Double>) -> Double) -> [Spot] {
        band.map { index in
          layout.spot(
            layout.x.share(of: points[index].x), height(points[index].interval.map(end) ?? points[index].y), in: box)
        }
      }
      let outline = edge(\.lowerBound) + edge(\.upperBound).reversed()
      return "<path d=\"\(Self.path(outline))Z\" fill-opacity=\"0.18\"\(paint: .init(fill: one.role))/>\n"
    }
    return "\(drawn)"
  }

  /// The intervals: all of points and bars, and those of a line that no band shows.
  private func whiskers(of one: DrawnSeries, in box: Box, areMany: Bool) -> HTML {
    let path = one.stretches.joined().compactMap { index -> String? in
      guard let interval = one.source.points[index].interval else { return nil }
      let middle = spot(index, of: one, in: box)
      let ends = [interval.lowerBound, interval.upperBound].map { layout.spot(0, height($0), in: box) }
      return Self.path(
        ends.map { layout.isTurned ? Spot(x: $0.x, y: middle.y) : Spot(x: middle.x, y: $0.y) })
    }.joined()
    guard !path.isEmpty else { return "" }
    let role: Palette.Role = one.style == .bars ? .ink : one.role
    return """
      <path d="\(path)" stroke-width="\(areMany ? 1 : 1.8)" stroke-opacity="\(areMany ? 0.4 : 1)"\
      \(paint: .init(stroke: role))/>

      """
  }

  /// The dots: paths of no length, drawn by their round ends. Those of a second series are rings.
  private func dots(_ spots: [Spot], _ one: DrawnSeries, width: Double) -> HTML {
    guard !spots.isEmpty else { return "" }
    let path = spots.map { "M\(HTML.number($0.x)),\(HTML.number($0.y))h0" }.joined()
    func layer(_ width: Double, _ role: Palette.Role) -> HTML {
      "<path d=\"\(path)\" stroke-linecap=\"round\" stroke-width=\"\(width)\"\(paint: .init(stroke: role))/>\n"
    }
    let isRing = one.style == .points && one.position > 0 && width > 6
    return isRing ? "\(layer(width + 1, one.role), layer(width - 3, .surface))" : layer(width, one.role)
  }

  private func polylines(
    _ lines: [[Spot]], _ one: DrawnSeries, dash: String, width: Double = 2.4, opacity: Double = 1
  ) -> HTML {
    let path = lines.filter { $0.count > 1 }.map(Self.path).joined()
    guard !path.isEmpty else { return "" }
    return """
      <path d="\(path)" stroke-width="\(width)" stroke-linejoin="round"\
      \(" stroke-dasharray=\"\(dash)\"", if: !dash.isEmpty)\
      \(" stroke-opacity=\"\(opacity)\"", if: opacity < 1)\(paint: .init(stroke: one.role))/>

      """
  }

  private func bars(of one: DrawnSeries, in box: Box) -> HTML {
    let foot = layout.y.isLogarithmic ? 0 : height(0)
    let bars = one.points.filter { $0.y != 0 }.map { point -> HTML in
      let sides = barSides(layout.x.share(of: point.x), one)
      let (from, to) = (layout.spot(sides.0, foot, in: box), layout.spot(sides.1, height(point.y), in: box))
      return bar(
        Box(left: min(from.x, to.x), top: min(from.y, to.y), right: max(from.x, to.x), bottom: max(from.y, to.y)), one)
    }
    return "\(bars)"
  }

  /// A bar: full for the first series, lighter and with an edge for the others.
  private func bar(_ box: Box, _ one: DrawnSeries) -> HTML {
    let opacity = [0.85, 0.2, 0.5, 0.05][one.position % 4]
    return """
      <rect\(box) fill-opacity="\(opacity)" stroke-width="1.2"\(paint: .init(fill: one.role, stroke: one.role))/>

      """
  }

  private func cells(of one: DrawnSeries, in box: Box) -> HTML {
    let values = one.points.compactMap(\.shade).filter(\.isFinite)
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    let (width, height) = (1 / Double(layout.x.ticks.count), 1 / Double(layout.y.ticks.count))
    let cells = one.points.map { point -> HTML in
      let (x, y) = (layout.x.share(of: point.x), layout.y.share(of: point.y))
      let (from, to) = (
        layout.spot(x - width / 2, y + height / 2, in: box), layout.spot(x + width / 2, y - height / 2, in: box)
      )
      guard let shade = point.shade, shade.isFinite else { return "" }
      return cell(
        Box(left: from.x, top: from.y, right: to.x, bottom: to.y), one,
        shade: high > low ? (shade - low) / (high - low) : 0.5)
    }
    return "\(cells)"
  }

  private func cell(_ box: Box, _ one: DrawnSeries, shade: Double) -> HTML {
    let opacity = HTML.number(0.03 + (Self.deepest - 0.03) * shade, decimals: 3)
    return """
      <rect\(box) fill-opacity="\(opacity)" stroke-width="1"\(paint: .init(fill: one.role, stroke: .surface))/>

      """
  }

  static func path(_ spots: [Spot]) -> String {
    spots.enumerated().map { "\($0 == 0 ? "M" : "L")\(HTML.number($1.x)),\(HTML.number($1.y))" }.joined()
  }
}
