// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
internal import Pages
internal import Reporting
package import Scenarios

/// The page of all runs of a history: the verdict, the runs and the trends of each scenario.
package struct RunsPage: Sendable {
  /// Scenarios with their runs, failing ones first; the runs from old to new.
  fileprivate let scenarios: [MeasurementSeries]
  private let path: String

  /// The runs of one scenario, the oldest first.
  fileprivate struct MeasurementSeries {
    let runs: [RunComparison.Side]

    var latest: RunComparison.Side { runs[runs.count - 1] }
  }

  /// Reads at most the newest `last` runs of each scenario.
  package init(of history: History, last: Int? = nil) throws(ArchiveError) {
    let bySlug = Dictionary(grouping: try history.runs(), by: \.slug)
    var courses: [MeasurementSeries] = []
    for slug in bySlug.keys.sorted() {
      var runs: [RunComparison.Side] = []
      for run in (bySlug[slug] ?? []).prefix(last ?? .max).reversed() {
        runs.append((run, try history.findings(of: run)))
      }
      if !runs.isEmpty { courses.append(MeasurementSeries(runs: runs)) }
    }
    scenarios = Verdict.worstFirst.flatMap { verdict in courses.filter { $0.latest.run.verdict == verdict } }
    path = history.path
  }

  /// The page; a trend that cannot be drawn, such as one of NaN, is a table.
  package var html: String {
    let sections = [latest] + scenarios.map(\.section)
    var page = ReportPage(
      title: "All runs", verdict: .all(scenarios.map(\.latest.run.verdict)), thresholds: [], sections: sections,
      scenario: "", command: "", facts: [ReportPage.Fact("History", path)])
    page.sentence = sentence
    var pictures: [Figure: FigurePicture] = [:]
    for figure in sections.figures { pictures[figure] = try? FigurePicture(figure) }
    return page.html(pictures: pictures)
  }

  private var sentence: String {
    let counts = Verdict.worstFirst.compactMap { verdict in
      let count = scenarios.count { $0.latest.run.verdict == verdict }
      return count == 0 ? nil : "\(NumberFormat.grouped(count)) \(verdict.rawValue)"
    }
    return "The latest runs of \(NumberFormat.counted(scenarios.count, "scenario")): "
      + counts.joined(separator: ", ") + "."
  }

  private var latest: ReportSection {
    let table = Table(
      columns: ["scenario", "verdict", "run", "commit", "started (UTC)", "seconds", "runs"],
      numbers: ["run", "seconds", "runs"],
      rows: scenarios.map { one in
        let run = one.latest.run
        return [
          run.name, run.verdict.rawValue, "\(run.id)", run.build.commitText, run.startedText, run.secondsText,
          NumberFormat.grouped(one.runs.count),
        ]
      })
    return ReportSection(
      id: "latest", title: "Latest runs",
      blocks: [.table(table, caption: "The latest run of each scenario")])
  }
}

extension RunsPage.MeasurementSeries {
  /// The most trends of a scenario that are drawn; the rest are in a table.
  private static let maxFigures = 24
  private static let confidence = 0.99

  fileprivate var section: ReportSection {
    let (run, findings) = latest
    var blocks: [ReportBlock] = []
    if !findings.thresholds.isEmpty {
      blocks.append(.table(Table(findings.thresholds), caption: "The thresholds in run \(run.id)"))
    }
    let thresholds = findings.thresholds.compactMap { try? Threshold($0.text) }
    // A measure that is the same in all runs, or has one run, has no trend; those with thresholds come first.
    let changed = trends.filter(\.hasChanged)
    let isBound = { (trend: MeasurementTrend) in thresholds.contains { $0.bounds(trend.measure) } }
    let drawn = (changed.filter(isBound) + changed.filter { !isBound($0) }).prefix(Self.maxFigures)
    let figures = drawn.enumerated().map { index, trend in
      ReportBlock.figure(
        trend.figure(id: "\(run.slug)-\(index + 1)", confidence: Self.confidence).marked(
          by: thresholds.map { $0.inUnit(trend.measure.unit) }))
    }
    if !figures.isEmpty { blocks.append(.part("From run to run", figures)) }
    let others = trends.filter { trend in !drawn.contains { $0.measure.fullName == trend.measure.fullName } }
    if !others.isEmpty {
      let noun = drawn.isEmpty ? "measure" : "more measure"
      let summary = "\(NumberFormat.counted(others.count, noun)) of the latest run"
      blocks.append(.details(summary: summary, [Self.table(of: others, in: run)]))
    }
    blocks.append(.details(summary: "All \(NumberFormat.grouped(runs.count)) runs", [table]))
    return ReportSection(id: run.slug, title: "\(run.name): \(run.verdict.rawValue)", blocks: blocks)
  }

  /// The trends of the latest run's measures.
  private var trends: [MeasurementTrend] {
    latest.findings.measurements.compactMap { measurement in
      MeasurementTrend(
        runs.compactMap { run, findings in
          findings.measurements.first { $0.measure.fullName == measurement.measure.fullName }.map { (run, $0) }
        })
    }
  }

  private static func table(of trends: [MeasurementTrend], in run: RecordedRun) -> ReportBlock {
    let table = Table(
      columns: ["measure", "value", "interval", "unit", "runs"], numbers: ["value", "runs"],
      rows: trends.compactMap { trend in
        guard let found = trend.points.last?.measurement else { return nil }
        let text = FigureText(found.estimate, in: found.knownRange(at: confidence))
        return [
          trend.measure.fullName, text.value, text.range, trend.measure.unit, NumberFormat.grouped(trend.points.count),
        ]
      })
    return .table(table, caption: "Measured in run \(run.id)")
  }

  private var table: ReportBlock {
    let table = Table(
      columns: ["run", "commit", "started (UTC)", "verdict", "seconds", "Assay", "scenario", "host"],
      numbers: ["run", "seconds"],
      rows: runs.reversed().map { run, _ in
        [
          "\(run.id)", run.build.commitText, run.startedText, run.verdict.rawValue, run.secondsText, run.assay,
          run.digest, run.machine.host,
        ]
      })
    return .table(table, caption: "The runs, the newest first")
  }
}

extension Threshold {
  fileprivate func bounds(_ measure: Measure) -> Bool {
    name == measure.name && (label == nil || label == measure.label)
  }
}

extension MeasurementTrend {
  fileprivate var hasChanged: Bool { Set(points.map(\.measurement.value)).count > 1 }

  /// The figure of a trend: each run at its place, and a series for each experiment.
  package func figure(id: String, confidence: Double) -> Figure {
    var series: [(digest: String, points: [Figure.Point])] = []
    for (location, point) in points.enumerated() {
      let range = point.measurement.knownRange(at: confidence)
      let isKnown = range.lowerBound.isFinite && range.upperBound.isFinite && range.lowerBound < range.upperBound
      if series.isEmpty || point.isNewExperiment { series.append((point.run.digest, [])) }
      series[series.count - 1].points.append(
        Figure.Point(Double(location), point.measurement.estimate, interval: isKnown ? range : nil))
    }
    let name = measure.fullName
    return Figure(
      id: id, title: name,
      alternative: "\(name) in \(NumberFormat.counted(points.count, "run")), the oldest first, with intervals "
        + "at \(NumberFormat.shortest(confidence)) where there are any.",
      x: Figure.Axis("commit or run", scale: .names(points.map(\.run.label))),
      y: Figure.Axis(measure.unit.isEmpty ? name : "\(name), \(measure.unit)"),
      series: series.map {
        Figure.Series(series.count == 1 ? "" : "scenario \($0.digest)", style: .points, points: $0.points)
      }
    ).showing([Figure.Subject(measure.name, of: measure.label)])
  }
}

extension RecordedRun {
  /// Its name in trends: its commit, or its number if the commit is unknown.
  package var label: String { self.build.commit == nil ? "run \(id)" : self.build.commitText }

  /// `2026-11-21 12:00:00`, in UTC.
  package var startedText: String { Self.text(of: self.started) }

  /// A time in UTC, as tables have it.
  package static func text(of time: Date) -> String {
    RunRecord.text(of: time).replacing("T", with: " ").replacing("Z", with: "")
  }

  /// The wall-clock time in seconds; empty if it did not end.
  package var secondsText: String { self.wallSeconds.map { NumberFormat.fixed($0, decimals: 2) } ?? "" }
}
