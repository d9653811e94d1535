// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting
package import Scenarios

extension SimulateReport {
  /// The trial as a section of a report: success by profile and by fault, times as survival curves and percentiles,
  /// invariants, what shows the first failures, and one session event by event.
  package var reportSections: [ReportSection] {
    var blocks: [ReportBlock] = [
      .list(origin),
      .part(
        title: "Back in time, by profile", judgement: nil,
        (successFigure.map { [.figure($0)] } ?? [])
          + [table("How often the client was connected and current again within the profile's limit", success)]),
    ]
    if !causes.rows.isEmpty {
      blocks.append(
        .part(
          title: "Back in time, by what began the outage", judgement: nil,
          [table("The same by fault, with the median time", causes)] + (causesNote.map { [.paragraph($0)] } ?? [])))
    }
    blocks.append(
      .part(
        title: "How long it took", judgement: nil,
        survivalFigures.map(ReportBlock.figure) + [
          table("Time from when an attempt could succeed until the client was connected and current again", times),
          .paragraph(timesNote),
        ]))
    blocks.append(.part(title: "Invariants", judgement: nil, [.list([invariants] + remarks)] + broken))
    if !failures.isEmpty {
      blocks.append(
        .part(
          title: "The first failures, and what shows them", judgement: nil,
          failures.flatMap { [.paragraph($0.what), .code($0.command, label: "Command that shows the session")] }))
    }
    if let session = ShownSession(result) {
      blocks.append(.part(title: "One session", judgement: nil, session.blocks))
    }
    blocks.append(
      .part(
        title: "The outages", judgement: nil,
        [
          table("The limit of each profile, from when an attempt could succeed", limits),
          table("What a session of each profile draws; of a range it draws evenly", drawn),
        ]))
    return [ReportSection(id: "live-simulate", title: heading, blocks: blocks)]
  }

  private var broken: [ReportBlock] {
    result.brokenSessions > 0 ? [table("Sessions in which an invariant was broken", breaches)] : []
  }

  private func table(_ caption: String, _ table: Table) -> ReportBlock {
    .table(ReportTable(caption: caption, table))
  }

  /// Success by profile, with intervals.
  var successFigure: Figure? {
    let found = result.findings.compactMap { finding in finding.success.map { (finding.profile.name, $0) } }
    guard !found.isEmpty else { return nil }
    let points = found.enumerated().map { index, item in
      Figure.Point(
        Double(index), item.1.share * 100,
        interval: (item.1.interval.lowerBound * 100)...(item.1.interval.upperBound * 100))
    }
    let least = found.min { $0.1.share < $1.1.share }
    let worst = least.map { " The least is \(percent($0.1.share, decimals: 2)), of \($0.0)." } ?? ""
    return Figure(
      id: "live-success", title: "Share of outages with the client back in time",
      alternative: "Dots with intervals, one for each profile: the share of outages from which the client was back "
        + "within the limit; the line is the target of \(percent(result.trial.target)).\(worst)",
      x: Figure.Axis("profile", scale: .names(found.map(\.0))), y: Figure.Axis("back in time, %"),
      series: [
        Figure.Series("", style: .points, points: points),
        // A line from a place to itself is none.
        Figure.Series(
          "target", style: found.count > 1 ? .reference : .points,
          points: Set([0, found.count - 1]).sorted().map { Figure.Point(Double($0), result.trial.target * 100) }),
      ])
  }

  /// Survival curves, a few to a figure.
  var survivalFigures: [Figure] {
    let most = 4
    let shown = result.findings.filter { $0.tally.returns.count > 0 }
    return stride(from: 0, to: shown.count, by: most).map { first in
      let some = shown[first..<min(shown.count, first + most)]
      let medians = some.compactMap { finding in
        finding.percentile(0.5, confidence: 0.99).map { "\(finding.profile.name) \(time($0.time))" }
      }
      return Figure(
        id: "live-survival-\(first / most + 1)",
        title: "Still away" + (shown.count > most ? ": " + some.map(\.profile.name).joined(separator: ", ") : ""),
        alternative: "Falling lines with bands, one for each profile: the share of outages that were not over so long "
          + "after an attempt could have succeeded, and at each time what it lies in at "
          + "\(percent(1 - result.trial.alpha)). A line begins below 100% where some were over at "
          + "once, as those that the open connection outlived. Medians: \(medians.joined(separator: ", ")).",
        x: Figure.Axis("seconds since an attempt could succeed", scale: .logarithmic),
        y: Figure.Axis("still away, %"),
        series: some.map { finding in
          Figure.Series(
            finding.profile.name, style: .line,
            points: curve(of: finding, most: 120).map { point in
              Figure.Point(
                max(point.seconds, 0.01), point.away * 100,
                interval: (point.interval.lowerBound * 100)...(point.interval.upperBound * 100))
            })
        })
    }
  }

  /// A point of a survival curve.
  typealias CurvePoint = (seconds: Double, away: Double, interval: ClosedRange<Double>)

  /// The survival curve at so many times at the most: each where it has fallen by another part, and the last.
  func curve(of finding: ProfileFinding, most: Int) -> [CurvePoint] {
    let survival = finding.tally.returns.survival
    var points: [CurvePoint] = []
    var (last, lastSeconds) = (2.0, 0.0)
    for (index, point) in survival.enumerated() {
      let (away, seconds) = (point.away.share ?? 0, max(0.001, point.time.seconds))
      let isFar = last - away >= 2 / Double(most) || seconds >= lastSeconds * 1.15
      guard isFar || index == survival.count - 1 else { continue }
      points.append(
        (point.time.seconds, away, point.away.interval(confidence: 1 - result.trial.alpha, looks: finding.looks)))
      (last, lastSeconds) = (away, seconds)
    }
    return points
  }
}
