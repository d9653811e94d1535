// SPDX-License-Identifier: GPL-3.0-or-later

/// A picture of data: its content, not its drawing.
public struct Figure: Hashable, Sendable {
  /// An axis: its quantity, its scale and its end.
  public struct Axis: Hashable, Sendable {
    /// The placing of values along an axis.
    public enum Scale: Hashable, Sendable {
      case linear
      case logarithmic
      /// Named places, in order from 0; points use their index.
      case names([String])
    }

    /// The quantity, with the unit: `EV, bets`.
    package let title: String
    package let scale: Scale
    /// The largest end of a horizontal axis, even if points lie beyond.
    package let end: Double?

    /// An axis; the title has the unit: `EV, bets`.
    ///
    /// A horizontal axis ends at `end` even if points lie beyond, so that a few stragglers do not compress the rest;
    /// the picture notes which series continue and how far.
    public init(_ title: String, scale: Scale = .linear, until end: Double? = nil) {
      (self.title, self.scale, self.end) = (title, scale, end)
    }
  }

  /// A point, with an interval if there is one; of a heat map, a cell with its value.
  public struct Point: Hashable, Sendable {
    package let x: Double
    package let y: Double
    /// The interval of the value; `nil` if it is exact.
    package let interval: ClosedRange<Double>?
    /// The value that a cell of a heat map shows; `nil` for other points.
    package let shade: Double?

    /// A point; the interval contains the value.
    public init(_ x: Double, _ y: Double, interval: ClosedRange<Double>? = nil) {
      (self.x, self.y, self.interval, shade) = (x, y, interval, nil)
    }

    /// A cell of a heat map, in a column and a row of two axes of names; the interval contains the value.
    public init(column: Int, row: Int, value: Double, interval: ClosedRange<Double>? = nil) {
      (x, y, shade) = (Double(column), Double(row), value)
      self.interval = interval
    }

    /// NaN, the coordinate that a straight line's point lacks, equals NaN.
    public static func == (one: Self, other: Self) -> Bool {
      func same(_ a: Double, _ b: Double) -> Bool { a == b || a.isNaN && b.isNaN }
      return same(one.x, other.x) && same(one.y, other.y) && one.interval == other.interval
        && same(one.shade ?? 0, other.shade ?? 0)
    }
  }

  /// Points that belong together.
  public struct Series: Hashable, Sendable {
    /// The drawing of a series.
    public enum Style: Hashable, Sendable {
      /// A line, with a band behind it where points have intervals.
      case line
      /// Dots, with error bars where points have intervals.
      case points
      /// Bars from 0.
      case bars
      /// A thin line for comparison, such as the exact value; of a single point without one coordinate, a straight line
      /// across the plot. Between names, a broad bar from the beginning of something to its end.
      case reference
      /// The cells of a heat map over two axes of names, shaded from the least value to the greatest; the name explains
      /// the value. It shows one number over two parameters. `ReportGrid` is for cells with a text and a table of
      /// details, on a page only; a heat map is a figure, and so can be a file and a PNG, too.
      case cells
    }

    /// The label; empty for a series without one.
    package let name: String
    package let style: Style
    /// The points, in the order in which they are joined.
    public let points: [Point]

    /// A series; an empty name gives it no label.
    public init(_ name: String, style: Style, points: [Point]) {
      (self.name, self.style, self.points) = (name, style, points)
    }

    /// A straight line across the plot at a height, such as a capacity.
    public static func level(_ name: String, at y: Double) -> Series {
      Series(name, style: .reference, points: [Point(.nan, y)])
    }

    /// A vertical straight line, such as the moment of an event.
    public static func moment(_ name: String, at x: Double) -> Series {
      Series(name, style: .reference, points: [Point(x, .nan)])
    }

    /// True if it is a straight line across the plot.
    package var isStraight: Bool {
      style == .reference && points.count == 1 && points.allSatisfy { $0.x.isNaN != $0.y.isNaN }
    }
  }

  /// A measure that an axis shows: a threshold on it is a straight line across the plot.
  public struct Subject: Hashable, Sendable {
    /// The axis along which the figure shows the measure.
    public enum Direction: Hashable, Sendable {
      case across, upwards
    }

    /// The measure's name, without a label.
    package let measure: String
    /// The label that is shown; `nil` for all of them.
    let label: String?
    /// The axis of its values.
    let direction: Direction
    /// The factor from the measure's unit to the axis's: 100 if the axis is in percent.
    let scale: Double

    /// A measure, the axis that shows it, and the factor of its numbers.
    public init(
      _ measure: String, of label: String? = nil, along direction: Direction = .upwards, scale: Double = 1
    ) {
      (self.measure, self.label, self.direction, self.scale) = (measure, label, direction, scale)
    }
  }

  /// The name of its file, without an ending: lower-case letters, digits and hyphens.
  package let id: String
  /// The heading above it.
  package let title: String
  /// The content of the picture, in a sentence or two, for those who do not see it.
  package let alternative: String
  package let x: Axis
  package let y: Axis
  package private(set) var series: [Series]
  /// The measures that thresholds may bound here.
  package private(set) var subjects: [Subject] = []

  /// A figure; `id` names its file, with hyphens in place of anything but lower-case letters and digits; `alternative`
  /// describes it to those who do not see it.
  public init(id: String, title: String, alternative: String, x: Axis, y: Axis, series: [Series]) {
    let words = String(id.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
      .split(separator: "-")
    self.id = words.isEmpty ? "figure" : words.joined(separator: "-")
    (self.title, self.alternative, self.x, self.y, self.series) = (title, alternative, x, y, series)
  }

  /// The figure with the measures that thresholds may bound in it.
  public func showing(_ subjects: [Subject]) -> Figure {
    var figure = self
    figure.subjects = subjects
    return figure
  }

  /// Returns true if it shows a measure, given its name or its full name. A figure of a single label begins with the
  /// full name.
  package func shows(_ measure: String) -> Bool {
    let name = String(measure.prefix { $0 != "[" })
    let isOfLabel = title.hasPrefix(name + "[") && measure != name
    return subjects.contains { $0.measure == name } && (!isOfLabel || title.hasPrefix(measure + " "))
  }

  /// The content of the picture, with the straight lines across it.
  package var description: String {
    let lines = series.filter { $0.isStraight && !$0.name.isEmpty }.map(\.name)
    return alternative + (lines.isEmpty ? "" : " Straight lines mark: \(lines.joined(separator: "; ")).")
  }
}

extension Figure {
  /// The most that a line may stretch a linear axis, in multiples of the data's length; beyond that the rest would be
  /// unreadable.
  private static let farthest = 8.0

  /// The figure with a line for every number to which a threshold bounds one of its measures.
  package func marked(by thresholds: [Threshold]) -> Figure {
    var marked = self
    var lines: [Series] = []
    for line in thresholds.flatMap(self.lines) where !(series + lines).contains(where: { $0.name == line.name }) {
      lines.append(line)
    }
    marked.series += lines
    return marked
  }

  private func lines(of threshold: Threshold) -> [Series] {
    let shown = subjects.filter { subject in
      subject.measure == threshold.name
        && (threshold.label == nil || subject.label == threshold.label
          || subject.label == nil && !hasPlaces(beside: subject.direction))
    }
    return shown.flatMap { subject in
      threshold.condition.numbers.compactMap { number -> Series? in
        let index = number.value * subject.scale
        let isUpwards = subject.direction == .upwards
        guard fits(index, on: isUpwards ? y : x, of: isUpwards ? values(\.y) : values(\.x)) else { return nil }
        let bound: String =
          switch threshold.condition {
          case .compared(let comparator, let number): "\(comparator.rawValue) \(number.text)"
          case .within(let low, _): (number == low ? ">= " : "<= ") + number.text
          case .relative: ""
          }
        let name = "threshold \(threshold.fullName) \(bound)"
        return isUpwards ? .level(name, at: index) : .moment(name, at: index)
      }
    }
  }

  /// Returns true if the labels of the measure have places of their own: a line across all would be one label's bound.
  private func hasPlaces(beside direction: Subject.Direction) -> Bool {
    if case .names(let names) = (direction == .upwards ? x : y).scale { names.count > 1 } else { false }
  }

  private func values(_ coordinate: (Point) -> Double) -> [Double] {
    series.flatMap(\.points).map(coordinate).filter(\.isFinite)
  }

  private func fits(_ value: Double, on axis: Axis, of values: [Double]) -> Bool {
    guard value.isFinite, let low = values.min(), let high = values.max() else { return false }
    return switch axis.scale {
    case .names: false
    case .logarithmic: value > 0
    case .linear: high == low || max(low - value, value - high) <= Self.farthest * (high - low)
    }
  }
}
