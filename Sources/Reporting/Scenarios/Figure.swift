// SPDX-License-Identifier: GPL-3.0-or-later

/// A picture of data: what to draw, not how.
package struct Figure: Hashable, Sendable {
  package struct Axis: Hashable, Sendable {
    /// How values are spaced.
    package enum Scale: Hashable, Sendable {
      case linear
      case logarithmic
      /// Named places, in order from 0; points use their index.
      case names([String])
    }

    /// What it shows, with the unit: `EV, bets`.
    package let title: String
    /// How values are spaced.
    package let scale: Scale

    package init(_ title: String, scale: Scale = .linear) {
      (self.title, self.scale) = (title, scale)
    }
  }

  /// A point, with an interval where there is one.
  package struct Point: Hashable, Sendable {
    /// Where, on the horizontal axis.
    package let x: Double
    /// Where, on the vertical axis.
    package let y: Double
    /// What the value is known to lie in; `nil` where it is exact.
    package let interval: ClosedRange<Double>?

    package init(_ x: Double, _ y: Double, interval: ClosedRange<Double>? = nil) {
      (self.x, self.y, self.interval) = (x, y, interval)
    }
  }

  /// Points that belong together.
  package struct Series: Hashable, Sendable {
    /// How they are drawn.
    package enum Style: Hashable, Sendable {
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
    package let name: String
    /// How they are drawn.
    package let style: Style
    /// The points, in the order of the line.
    package let points: [Point]

    package init(_ name: String, style: Style, points: [Point]) {
      (self.name, self.style, self.points) = (name, style, points)
    }
  }

  /// The name of its file, without an ending: lower-case letters, digits and hyphens.
  package let id: String
  /// The heading above it.
  package let title: String
  /// What it shows, in a sentence or two, for those who do not see it.
  package let alternative: String
  /// The horizontal axis.
  package let x: Axis
  /// The vertical axis.
  package let y: Axis
  /// What is drawn.
  package let series: [Series]

  package init(id: String, title: String, alternative: String, x: Axis, y: Axis, series: [Series]) {
    (self.id, self.title, self.alternative, self.x, self.y, self.series) = (id, title, alternative, x, y, series)
  }
}
