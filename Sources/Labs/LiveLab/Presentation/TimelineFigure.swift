// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
internal import Scenarios

/// A timeline as a figure of a report: what the client said as steps, and the truth and the faults as bars above them,
/// around the session's worst outage.
struct TimelineFigure {
  private let timeline: Timeline
  private let lanes: TimelineLanes
  /// What is shown.
  private let from: Instant
  private let to: Instant
  /// The outage around which it is shown; nil where all is.
  private let outage: Outage?

  /// The phases from below to above: the better, the higher.
  private static let order: [LiveStatus.Phase] = [
    .closed, .disconnected, .suspended, .waiting, .connecting, .connected,
  ]

  init(_ timeline: Timeline) {
    (self.timeline, lanes) = (timeline, TimelineLanes(timeline))
    let end = timeline.end
    let shown = Self.worst(of: timeline)
    outage = shown
    guard let shown else {
      (from, to) = (.zero, end)
      return
    }
    let over = min(end, shown.ended)
    let margin = max(.seconds(5), Interval(nanoseconds: (over - shown.began).nanoseconds / 10))
    from = shown.began - .zero > margin ? shown.began + (.zero - margin) : .zero
    to = min(end, over + margin)
  }

  /// The outage that lasted longest of those that began after the session; the first that never ended before all.
  private static func worst(of timeline: Timeline) -> Outage? {
    let end = timeline.end
    return timeline.outages.filter { $0.began > .zero }.max {
      min(end, $0.ended) - $0.began < min(end, $1.ended) - $1.began
    }
  }

  func figure(id: String) -> Figure {
    let seen = lanes.phases.filter { $0.to >= from && $0.from <= to }
    let names = Self.order.map { TimelineWords.text(of: $0) }.filter { name in seen.contains { $0.name == name } }
    let said = seen.flatMap { band in
      let y = Double(names.firstIndex(of: band.name) ?? 0)
      return [Figure.Point(seconds(band.from), y), Figure.Point(seconds(band.to), y)]
    }
    let top = Double(names.count)
    let what =
      outage.map { "the outage that began after \(NumberFormat.fixed(($0.began - .zero).seconds, decimals: 1)) s" }
      ?? "the whole session"
    return Figure(
      id: id, title: "One session: \(timeline.title)",
      alternative: "What the client says it is over time, as steps, and above it when it was connected and current in "
        + "truth and when faults lasted; shown is \(what). \(timeline.summary)",
      x: Figure.Axis("seconds since the session began"),
      y: Figure.Axis("client and truth", scale: .names(names + ["served in truth", "faults"])),
      // The client's line stands between the two references: drawn side by side in the key their dashes would be alike.
      series: [
        Figure.Series("the truth", style: .reference, points: bars(lanes.served, at: top)),
        Figure.Series("the client says", style: .line, points: said),
        Figure.Series("a fault lasts", style: .reference, points: bars(lanes.faults, at: top + 1)),
      ])
  }

  /// What is shown of some bands, as one line that is broken between them.
  private func bars(_ bands: [TimelineLanes.Band], at y: Double) -> [Figure.Point] {
    let least = Interval(nanoseconds: (to - from).nanoseconds / 100)
    return bands.filter { $0.to >= from && $0.from <= to }.flatMap { band in
      // What lasts for a moment only can still be seen.
      let end = max(band.to, min(to, band.from + least))
      return [
        Figure.Point(seconds(band.from), y), Figure.Point(seconds(end), y), Figure.Point(seconds(end), .nan),
      ]
    }
  }

  /// Seconds since the session's beginning, of a moment within what is shown.
  private func seconds(_ moment: Instant) -> Double { (min(to, max(from, moment)) - .zero).seconds }
}
