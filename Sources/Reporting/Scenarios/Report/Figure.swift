// SPDX-License-Identifier: GPL-3.0-or-later

/// A picture of data: what to draw, not how.
public struct Figure: Hashable, Sendable {
  /// An axis.
  public struct Axis: Hashable, Sendable {
    /// How values are spaced.
    public enum Scale: Hashable, Sendable {
      case linear
      case logarithmic
      /// Named places, in order from 0; points use their index.
      case names([String])
    }

    /// What it shows, with the unit: `EV, bets`.
    public let title: String
    /// How values are spaced.
    public let scale: Scale

    /// An axis.
    public init(_ title: String, scale: Scale = .linear) {
      (self.title, self.scale) = (title, scale)
    }
  }

  /// A point, with an interval where there is one.
  public struct Point: Hashable, Sendable {
    /// Where, on the horizontal axis.
    public let x: Double
    /// Where, on the vertical axis.
    public let y: Double
    /// What the value is known to lie in; `nil` where it is exact.
    public let interval: ClosedRange<Double>?

    /// A point.
    public init(_ x: Double, _ y: Double, interval: ClosedRange<Double>? = nil) {
      (self.x, self.y, self.interval) = (x, y, interval)
    }
  }

  /// Points that belong together.
  public struct Series: Hashable, Sendable {
    /// How they are drawn.
    public enum Style: Hashable, Sendable {
      /// A line, with a band behind it where points have intervals.
      case line
      /// Dots, with error bars where points have intervals.
      case points
      /// Bars from 0.
      case bars
      /// A thin line for comparison, such as the exact value.
      case reference
    }

    /// What they are, for the key; empty for a series the key leaves out.
    public let name: String
    /// How they are drawn.
    public let style: Style
    /// The points, in the order of the line.
    public let points: [Point]

    /// Points that belong together.
    public init(_ name: String, style: Style, points: [Point]) {
      (self.name, self.style, self.points) = (name, style, points)
    }
  }

  /// The name of its file, without an ending: lower-case letters, digits and hyphens.
  public let id: String
  /// The heading above it.
  public let title: String
  /// What it shows, in a sentence or two, for those who do not see it.
  public let alternative: String
  /// The horizontal axis.
  public let x: Axis
  /// The vertical axis.
  public let y: Axis
  /// What is drawn.
  public let series: [Series]

  /// A picture of data.
  public init(id: String, title: String, alternative: String, x: Axis, y: Axis, series: [Series]) {
    (self.id, self.title, self.alternative, self.x, self.y, self.series) = (id, title, alternative, x, y, series)
  }
}
