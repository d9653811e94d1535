// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// Where moments stand on a picture: even within the stretches in which something happens, and quiet hours between
/// them folded to a mark of one width.
struct TimelineAxis: Hashable, Sendable {
  /// A stretch that is drawn evenly.
  struct Stretch: Hashable, Sendable {
    let from: Instant
    let to: Instant
    /// Where it begins.
    let x: Double
    /// How wide it is.
    let width: Double
  }

  /// What is left out between two stretches.
  struct Fold: Hashable, Sendable {
    let length: Interval
    /// Its middle.
    let x: Double
  }

  /// The stretches, in order; at least one.
  let stretches: [Stretch]
  /// The folds between them.
  let folds: [Fold]
  /// How many units a second takes within a stretch.
  let scale: Double

  /// How wide a fold is.
  static let foldWidth = 44.0
  /// How much of a quiet time is left on either side of its fold.
  static let margin = Interval.seconds(4)
  /// How much may be drawn evenly before shorter silences are folded, too.
  private static let mostEven = Interval.seconds(240)
  private static let thresholds: [Int64] = [600, 300, 120, 60, 40, 25]

  /// An axis on which the notable moments are apart.
  ///
  /// - Parameters:
  ///   - moments: When something happens; in any order.
  ///   - end: When the session ends; it begins at zero.
  ///   - left: Where the axis begins.
  ///   - width: How wide it is.
  init(moments: some Sequence<Instant>, end: Instant, left: Double, width: Double) {
    let sorted = Set(moments.filter { $0 > .zero && $0 < end }).sorted()
    let bounds = [Instant.zero] + sorted + [max(end, Instant.zero + .milliseconds(1))]
    var spans: [(from: Instant, to: Instant)] = []
    for threshold in Self.thresholds {
      spans = Self.spans(bounds, folding: .seconds(threshold))
      let even = spans.reduce(Interval.zero) { $0 + ($1.to - $1.from) }
      if even <= Self.mostEven { break }
    }
    let even = spans.reduce(0) { $0 + ($1.to - $1.from).seconds }
    let room = width - Self.foldWidth * Double(spans.count - 1)
    // Where there are more folds than room, stretches keep a width that can be seen and the picture grows.
    let scale = max(room, Self.leastWidth * Double(spans.count)) / even
    var (x, stretches, folds): (Double, [Stretch], [Fold]) = (left, [], [])
    for (index, span) in spans.enumerated() {
      if index > 0 {
        folds.append(Fold(length: span.from - spans[index - 1].to, x: x + Self.foldWidth / 2))
        x += Self.foldWidth
      }
      let width = (span.to - span.from).seconds * scale
      stretches.append(Stretch(from: span.from, to: span.to, x: x, width: width))
      x += width
    }
    (self.stretches, self.folds, self.scale) = (stretches, folds, scale)
  }

  private static let leastWidth = 24.0

  /// Where the axis ends.
  var right: Double { stretches.last.map { $0.x + $0.width } ?? 0 }

  /// Where a moment stands; one that is folded away stands in the middle of its fold.
  func x(of moment: Instant) -> Double {
    for (index, stretch) in stretches.enumerated() where moment <= stretch.to {
      if moment >= stretch.from { return stretch.x + (moment - stretch.from).seconds * scale }
      return index == 0 ? stretch.x : stretch.x - Self.foldWidth / 2
    }
    return right
  }

  /// Whether a moment is folded away.
  func isFolded(_ moment: Instant) -> Bool {
    !stretches.contains { $0.from <= moment && moment <= $0.to }
  }

  /// The moments that are written below: whole seconds, minutes or hours that stand apart, and where a stretch is too
  /// short to have one, its beginning.
  func ticks(apart least: Double) -> [Instant] {
    let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400]
    let step = (steps.first { Double($0) * scale >= least } ?? 86_400) * 1_000_000_000
    var (ticks, last): ([Instant], Double) = ([], -.infinity)
    for stretch in stretches {
      let first = (stretch.from.nanoseconds + step - 1) / step * step
      var moments = Array(stride(from: first, through: stretch.to.nanoseconds, by: Int64.Stride(step)))
      if moments.isEmpty {
        let second = (stretch.from.nanoseconds + 999_999_999) / 1_000_000_000 * 1_000_000_000
        moments = [second <= stretch.to.nanoseconds ? second : stretch.from.nanoseconds]
      }
      for moment in moments.map(Instant.init(nanoseconds:)) where x(of: moment) >= last + least {
        ticks.append(moment)
        last = x(of: moment)
      }
    }
    return ticks
  }

  /// The stretches that are left where silences of that length are folded.
  private static func spans(_ bounds: [Instant], folding threshold: Interval) -> [(from: Instant, to: Instant)] {
    var (spans, from): ([(from: Instant, to: Instant)], Instant) = ([], bounds.first ?? .zero)
    for (earlier, later) in zip(bounds, bounds.dropFirst()) where later - earlier > threshold {
      spans.append((from, earlier + margin))
      from = later + (Interval.zero - margin)
    }
    spans.append((from, bounds.last ?? .zero))
    return spans
  }
}
