// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios

/// The positions of all parts of a figure, in units of its SVG.
///
/// From the top: heading, title of the vertical axis, key of series that are not labelled at an end, panels, ticks,
/// title of the horizontal axis. Lines are labelled at their ends, straight lines where the label hides least. Small
/// multiples replace one plot if series would hide each other: dots of several series, more than six lines, broad
/// bands. If names do not fit side by side, they are placed below one another, and the axes are exchanged.
struct FigureLayout {
  static let width = 480.0
  static let maxLines = 6
  private static let edge = 8.0
  private static let plotHeight = 240.0
  private static let panelHeight = 84.0
  /// The widest label to the right of the plot.
  private static let sideWidth = 126.0

  /// A plot: one, or one for each series.
  struct Panel {
    let series: [DrawnSeries]
    let box: Box
  }

  /// A straight line across every panel.
  struct Straight {
    let name: String
    let x: Double
    let y: Double
  }

  /// The sample in the key before a label: the mark of a series or a straight line.
  struct Sample {
    let series: DrawnSeries?
    let spot: Spot
  }

  let figure: Figure
  let series: [DrawnSeries]
  let straights: [Straight]
  /// True if the horizontal axis is drawn upwards.
  let isTurned: Bool
  private(set) var x: AxisPlan
  private(set) var y: AxisPlan
  private(set) var panels: [Panel] = []
  private(set) var labels: [Label] = []
  /// Thin lines from the end of a series to its label.
  private(set) var leaders: [(from: Spot, to: Spot, role: Palette.Role)] = []
  private(set) var samples: [Sample] = []
  private(set) var height = FigureLayout.edge
  /// The right end of the key's last row; `nil` outside a key.
  private var keyEnd: Double?

  var isMap: Bool { series.contains { $0.style == .cells } }
  var horizontal: AxisPlan { isTurned ? y : x }
  var vertical: AxisPlan { isTurned ? x : y }

  init(_ figure: Figure, heading: Bool) throws(FigureError) {
    self.figure = figure
    straights = figure.series.filter(\.isStraight).flatMap { series in
      series.points.map { Straight(name: series.name, x: $0.x, y: $0.y) }
    }.filter { line in
      line.x.isNaN
        ? line.y.isFinite && (figure.y.scale != .logarithmic || line.y > 0)
        : line.x.isFinite && (figure.x.scale != .logarithmic || line.x > 0)
    }
    let moments = straights.map(\.x).filter(\.isFinite)
    let positions = figure.series.filter { $0.style != .reference }.flatMap(\.points).map(\.x).filter(\.isFinite)
    let end = figure.x.end.map { max($0, moments.max() ?? $0) } ?? .infinity
    let isCut = positions.contains { $0 <= end } && positions.contains { $0 > end }
    series = try DrawnSeries.all(of: figure, until: isCut ? end : .infinity)
    guard series.contains(where: { !$0.stretches.isEmpty }) || !straights.isEmpty else {
      throw .nothingToDraw(figure: figure.id)
    }
    let isNamed: Bool = if case .names = figure.x.scale { true } else { false }
    x = Self.plan(figure.x, moments + series.flatMap { $0.points.map(\.x) }, isUp: false, isCut: isCut, series)
    y = Self.plan(figure.y, straights.map(\.y) + series.flatMap(Self.heights), isUp: true, isCut: false, series)
    let names = isNamed ? x.ticks.map { Label.width(of: $0.label) + 12 } : []
    // Words below bars are a list and need all labels; runs and numbers are ordered, so some labels suffice.
    let isList = series.contains { $0.style == .bars } && x.ticks.contains { Double($0.label) == nil }
    let widest = names.max() ?? 0
    isTurned = (isList || widest > 110) && widest * Double(names.count) > 390 && !y.isNamed
    position(heading: heading, isCut: isCut)
  }

  /// A plan of an axis, with as many ticks as `fits` allows.
  private static func plan(
    _ axis: Figure.Axis, _ values: [Double], isUp: Bool, isCut: Bool, _ series: [DrawnSeries],
    fits: @escaping (AxisPlan) -> Bool = { _ in true }
  ) -> AxisPlan {
    if case .names(let names) = axis.scale { return .names(names.map { Label.shortened($0, to: 190) }) }
    let finite = values.filter { $0.isFinite && (axis.scale != .logarithmic || $0 > 0) }
    let (low, high) = (finite.min() ?? 1, finite.max() ?? 1)
    let hasBars = series.contains { $0.style == .bars }
    let isWhole = !isUp && finite.allSatisfy { $0 == $0.rounded() }
    let demand = AxisPlan.Demand(
      values: low...high, hasBars: hasBars && isUp, room: isUp || hasBars ? 0.06 : 0.02, isCut: isCut,
      minStep: isWhole ? 1 : 0, fits: fits)
    return axis.scale == .logarithmic ? .logarithmic(demand) : .linear(demand)
  }

  /// Every height that the vertical axis must reach: values and the finite ends of intervals.
  private static func heights(_ series: DrawnSeries) -> [Double] {
    series.points.flatMap { point -> [Double] in
      guard let interval = point.interval, series.isColoured, point.shade == nil else { return [point.y] }
      return [point.y, interval.lowerBound, interval.upperBound].filter { abs($0) < 1e300 }
    }
  }

  /// The place of a point, by its positions along the axes, from 0 to 1.
  func spot(_ x: Double, _ y: Double, in box: Box) -> Spot {
    let (across, up) = isTurned ? (y, 1 - x) : (x, y)
    return Spot(x: box.left + across * box.width, y: box.bottom - up * box.height)
  }

  /// The ends of a straight line in a panel.
  func ends(of line: Straight, in box: Box) -> [Spot] {
    [0, 1].map { end in
      line.x.isNaN ? spot(end, y.share(of: line.y), in: box) : spot(x.share(of: line.x), end, in: box)
    }
  }
}

extension FigureLayout {
  private mutating func position(heading: Bool, isCut: Bool) {
    let room = Self.width - 2 * Self.edge
    if heading {
      add(Label.lines(figure.title, width: room / 1.2, count: 3), at: Self.edge, role: .ink, isHeading: true)
    }
    let titles = isTurned ? (figure.y.title, figure.x.title) : (figure.x.title, figure.y.title)
    add(Label.lines(titles.1, width: room, count: 3), at: Self.edge, role: .quiet)
    let groups = grouped
    let wished = groups.count > 1 ? [] : groups[0].filter(isLabelledAtEnd)
    // Names that are too long for the side are all in the key, which has the whole width.
    let ended = wished.contains { sideLabel(of: $0).contains { $0.hasSuffix("…") } } ? [] : wished
    let keyed = series.filter { one in
      !one.source.name.isEmpty && !isRow(one) && !ended.contains { $0.firstRow == one.firstRow }
        && (groups.count == 1 || !one.isColoured)
    }
    for one in keyed where !isMap { addToKey(text(of: one), one) }
    finishKey()
    height += 6

    let sides = ended.map(sideLabel)
    let lines = sides.reduce(0) { $0 + Double($1.count) * Label.line + 2 }
    let rows = Double(vertical.ticks.count)
    let minimum =
      vertical.isNamed
      ? rows * (isMap && rows > 12 ? 22 : isMap ? 32 : 27) : groups.count > 1 ? Self.panelHeight : Self.plotHeight
    let tall = max(minimum, lines)
    // Every name has its own row and needs only the height of its text.
    let gap = vertical.isNamed ? 2.0 : groups.count > 1 ? 4 : 12
    planAxis(isUp: true, isCut: isCut) { plan in
      let positions = plan.ticks.filter { !$0.label.isEmpty }.map { plan.share(of: $0.position) * tall }
      return zip(positions, positions.dropFirst()).allSatisfy { abs($1 - $0) >= Label.line + gap }
    }
    let left = Self.edge + (vertical.ticks.map { Label.width(of: $0.label) }.max() ?? 0) + 9
    let side = sides.flatMap(\.self).map { Label.width(of: $0) }.max()
    let right = Self.width - (side.map { $0 + 18 } ?? 14)
    planAxis(isUp: false, isCut: isCut) { plan in
      let boxes = plan.ticks.filter { !$0.label.isEmpty }.map { tick in
        Label(lines: [tick.label], x: left + plan.share(of: tick.position) * (right - left), y: 0, side: .middle).box
      }
      return boxes.allSatisfy { 1 < $0.left && $0.right < Self.width - 1 }
        && zip(boxes, boxes.dropFirst()).allSatisfy { $0.right + 9 <= $1.left }
    }
    for group in groups {
      if groups.count > 1 {
        let name = group.first(where: \.isColoured)
        let text = Label.lines(name.map(text) ?? "", width: Self.width - Self.edge - left, count: 3)
        add(text, at: left, role: name?.role ?? .ink)
      }
      let box = Box(left: left, top: height + 2, right: right, bottom: height + 2 + tall)
      panels.append(Panel(series: group, box: box))
      height = box.bottom + (groups.count > 1 ? 8 : 0)
    }
    labelEnds(of: ended, with: sides)
    labelTicks()
    labelCells()
    height += 30
    let middle = (left + right) / 2
    let title = Label.lines(titles.0, width: 2 * min(middle, Self.width - middle) - 8, count: 3)
    add(title, at: middle, .middle, role: .quiet)
    labelStraights()
    if let (count, farthest) = series.first(where: { $0.source.name.isEmpty })?.beyond {
      let text = "\(NumberFormat.counted(count, "point")) beyond, up to \(figure.x.text(farthest)) →"
      add([text], at: Self.width - Self.edge, .end, role: .quiet)
    } else if let commonEnd {
      add(["every line continues to \(figure.x.text(commonEnd)) →"], at: Self.width - Self.edge, .end, role: .quiet)
    }
    height += Self.edge
  }

  /// Adds a text below the existing parts.
  private mutating func add(
    _ lines: [String], at x: Double, _ side: Label.Side = .start, role: Palette.Role, isHeading: Bool = false
  ) {
    guard let text = lines.first, !text.isEmpty else { return }
    let middle = height + Double(lines.count) * (isHeading ? Label.headingLine : Label.line) / 2
    labels.append(Label(lines: lines, x: x, y: middle, side: side, role: role, isHeading: isHeading))
    height = 2 * middle - height + 3
  }

  /// The series of every panel.
  private var grouped: [[DrawnSeries]] {
    let coloured = series.filter(\.isColoured)
    let lines = coloured.filter { $0.style == .line }
    let isNumeric = !x.isNamed && !y.isNamed
    let bands = lines.map { line in
      let widths = line.points.map { point in
        point.interval.map { min(1, y.share(of: $0.upperBound)) - max(0, y.share(of: $0.lowerBound)) } ?? 0
      }.filter(\.isFinite)
      return widths.isEmpty ? 0 : widths.reduce(0, +) / Double(widths.count)
    }
    let isHidden =
      isNumeric && coloured.count > 1 && coloured.contains { $0.style == .points }
      || lines.count > Self.maxLines || lines.count > 2 && bands.reduce(0, +) > 0.5
    guard isHidden, !coloured.contains(where: { $0.style == .bars }) else { return [series] }
    let shared = series.filter { !$0.isColoured }
    return coloured.map { [$0] + shared }
  }

  private func isLabelledAtEnd(_ one: DrawnSeries) -> Bool {
    (one.style == .line || one.style == .reference) && !one.source.name.isEmpty && !one.stretches.isEmpty && !isRow(one)
  }

  /// Returns true if a series lies in one row of names, whose name labels it.
  private func isRow(_ one: DrawnSeries) -> Bool { y.isNamed && Set(one.points.map(\.y)).count == 1 && !isMap }

  /// The label to the right of the plot.
  private func sideLabel(of one: DrawnSeries) -> [String] {
    Label.lines(text(of: one), width: Self.sideWidth, count: 3)
  }

  /// The common end of several lines beyond the end of the axis, noted once below the axis instead of at each line.
  private var commonEnd: Double? {
    let ends = series.filter(\.isColoured).map { $0.beyond?.farthest }
    return ends.count > 1 && Set(ends).count == 1 ? ends[0] : nil
  }

  /// The label of a series, with its end if that is beyond the end of the axis.
  private func text(of one: DrawnSeries) -> String {
    let beyond = commonEnd == nil ? one.beyond : nil
    let end = beyond.map { ", continues to \(figure.x.text($0.farthest)) →" } ?? ""
    return one.source.name + (one.stretches.isEmpty ? " (no data)" : "") + end
  }

  /// Plans the upward or the horizontal axis with as many labels as fit.
  private mutating func planAxis(isUp: Bool, isCut: Bool, fits: @escaping (AxisPlan) -> Bool) {
    func spaced(_ plan: AxisPlan) -> AxisPlan {
      var spaced = plan
      for stride in 1...max(1, plan.ticks.count) {
        spaced.ticks = plan.ticks.enumerated().map { index, tick in
          AxisPlan.Tick(position: tick.position, label: index.isMultiple(of: stride) ? tick.label : "")
        }
        if fits(spaced) { return spaced }
      }
      spaced.ticks = plan.ticks.map { AxisPlan.Tick(position: $0.position, label: "") }
      return spaced
    }
    if isUp != isTurned {
      let values = straights.map(\.y) + series.flatMap(Self.heights)
      y = spaced(Self.plan(figure.y, values, isUp: true, isCut: false, series, fits: fits))
    } else {
      let values = straights.map(\.x) + series.flatMap { $0.points.map(\.x) }
      x = spaced(Self.plan(figure.x, values, isUp: false, isCut: isCut, series, fits: fits))
    }
  }
}

extension FigureLayout {
  /// Adds an entry to the key, in a row from the left; one that does not fit begins another row.
  private mutating func addToKey(_ name: String, _ one: DrawnSeries?) {
    let lines = Label.lines(name, width: Self.width - 2 * Self.edge - 30, count: 3)
    let width = lines.map { Label.width(of: $0) }.max() ?? 0
    var start = Self.edge
    if let end = keyEnd {
      start = end + 18
      if start + 30 + width > Self.width - Self.edge {
        start = Self.edge
        height += 22
      }
    }
    keyEnd = start + 30 + width
    samples.append(Sample(series: one, spot: Spot(x: start, y: height + 10)))
    labels.append(Label(lines: lines, x: start + 30, y: height + 10 + Double(lines.count - 1) * Label.line / 2))
    height += Double(lines.count - 1) * Label.line
  }

  private mutating func endKey(_ room: Double) {
    if keyEnd != nil { height += room }
    keyEnd = nil
  }

  private mutating func finishKey() {
    endKey(24)
    guard let cells = series.first(where: { $0.style == .cells }) else { return }
    let values = cells.points.compactMap(\.shade).filter(\.isFinite)
    let range = values.min().flatMap { low in values.max().map { ": \(Self.short(low)) to \(Self.short($0))" } } ?? ""
    let text = Label.shortened(cells.source.name, to: 330 - Label.width(of: range)) + range
    labels.append(Label(lines: [text], x: Self.edge, y: height + 10))
    samples.append(Sample(series: cells, spot: Spot(x: Self.edge + Label.width(of: text) + 10, y: height + 10)))
    height += 26
  }

  /// Labels lines to the right of the plot, in the order of their ends.
  private mutating func labelEnds(of ended: [DrawnSeries], with sides: [[String]]) {
    let box = panels[0].box
    let ends = zip(ended, sides).compactMap {
      one, lines -> (one: DrawnSeries, lines: [String], end: Spot, mean: Double)? in
      let spots = one.points.map { spot(x.share(of: $0.x), y.share(of: $0.y), in: box) }
      guard let last = spots.max(by: { $0.x < $1.x }) else { return nil }
      return (one, lines, last, spots.reduce(0) { $0 + $1.y } / Double(spots.count))
    }.sorted { ($0.end.y.rounded(), $0.mean) < ($1.end.y.rounded(), $1.mean) }
    let wishes = ends.map { (y: $0.end.y, height: Double($0.lines.count) * Label.line + 2) }
    let middles = Label.stacked(wishes, in: (box.top - 6)...(box.bottom + 6))
    for (end, middle) in zip(ends, middles) {
      labels.append(
        Label(lines: end.lines, x: box.right + 13, y: middle, role: end.one.isColoured ? end.one.role : .quiet))
      if abs(middle - end.end.y) > 4 || end.end.x < box.right - 12 {
        leaders.append((end.end, Spot(x: box.right + 10, y: middle), end.one.role))
      }
    }
  }

  private mutating func labelTicks() {
    for panel in panels {
      for tick in vertical.ticks where !tick.label.isEmpty {
        let share = vertical.share(of: tick.position)
        let position = isTurned ? spot(share, 0, in: panel.box) : spot(0, share, in: panel.box)
        labels.append(Label(lines: [tick.label], x: panel.box.left - 7, y: position.y, side: .end))
      }
    }
    guard let last = panels.last else { return }
    for tick in horizontal.ticks where !tick.label.isEmpty {
      let share = horizontal.share(of: tick.position)
      let position = isTurned ? spot(0, share, in: last.box) : spot(share, 0, in: last.box)
      labels.append(Label(lines: [tick.label], x: position.x, y: last.box.bottom + 19, side: .middle))
    }
  }

  /// Labels the cells of a heat map with their values, if all fit.
  private mutating func labelCells() {
    guard isMap, let box = panels.first?.box else { return }
    let cells = series.flatMap(\.points).compactMap { point in
      point.shade.map { value in
        let middle = spot(x.share(of: point.x), y.share(of: point.y), in: box)
        return Label(lines: [Self.short(value)], x: middle.x, y: middle.y, side: .middle)
      }
    }
    let room = box.width / Double(max(1, x.ticks.count)) - 4
    if cells.allSatisfy({ $0.box.width <= room }) { labels += cells }
  }

  /// A value in three digits.
  static func short(_ value: Double) -> String {
    NumberFormat.shortest(Double(String(format: "%.3g", value)) ?? value)
  }

  /// Labels straight lines along themselves in the first panel, where the label hides least; in the key below if there
  /// is no room.
  private mutating func labelStraights() {
    guard let panel = panels.first else { return }
    let box = panel.box
    let obstacles = panel.series.flatMap { one in
      one.stretches.flatMap { stretch -> [Spot] in
        let spots = stretch.map { index in
          spot(x.share(of: one.source.points[index].x), y.share(of: one.source.points[index].y), in: box)
        }
        let between = zip(spots, spots.dropFirst()).flatMap { from, to in
          [0.25, 0.5, 0.75].map { Spot(x: from.x + $0 * (to.x - from.x), y: from.y + $0 * (to.y - from.y)) }
        }
        return spots + (one.style == .points || one.style == .bars ? [] : between)
      }
    }
    let crossing = straights.flatMap { line in
      let ends = ends(of: line, in: box)
      return (1..<20).map { step in
        let share = Double(step) / 20
        return Spot(
          x: ends[0].x + share * (ends[1].x - ends[0].x), y: ends[0].y + share * (ends[1].y - ends[0].y))
      }
    }
    var taken: [Box] = []
    for line in straights where !line.name.isEmpty {
      let ends = ends(of: line, in: box)
      let lines = Label.lines(line.name, width: min(236, box.width - 12), count: 3)
      let half = Double(lines.count) * Label.line / 2
      func label(_ x: Double, _ y: Double, _ side: Label.Side) -> Label {
        Label(lines: lines, x: x, y: y, side: side, role: .quiet, hasGround: true)
      }
      let (from, to) = (ends[0], ends[1])
      let candidates =
        abs(from.x - to.x) < 0.01
        ? [box.top + half + 2, box.bottom - half - 3, (box.top + box.bottom) / 2].flatMap { y in
          [label(from.x + 5, y, .start), label(from.x - 5, y, .end)]
        }
        : [from.y - half - 2, from.y + half + 2].flatMap { y in
          [
            label(box.right - 4, y, .end), label(box.left + 5, y, .start),
            label((box.left + box.right) / 2, y, .middle),
          ]
        }
      let maximum = panels.count > 1 ? 6 : Int.max
      if !lines.contains(where: { $0.hasSuffix("…") }),
        let best = Label.best(candidates, in: box, apartFrom: taken, hiding: obstacles + crossing, maximum: maximum)
      {
        labels.append(best)
        taken.append(best.box)
      } else {
        addToKey(line.name, nil)
      }
    }
    endKey(22)
  }
}
