// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import Reporting
internal import Scenarios

extension ResultsReport {
  /// A measurement, run by run.
  ///
  /// - Parameters:
  ///   - trend: the runs.
  ///   - scenario: what they ran.
  ///   - confidence: of each interval by itself.
  /// - Returns: the report.
  static func trend(_ trend: MeasurementTrend, of scenario: String, confidence: Double) -> ResultsReport {
    let spark = Sparkline.text(trend.points.map(\.measurement.estimate))
    let values = trend.points.map(\.measurement.estimate).filter(\.isFinite)
    let span =
      values.isEmpty
      ? "" : ", from \(NumberFormat.shortest(values.min() ?? 0)) to \(NumberFormat.shortest(values.max() ?? 0))"
    var parts: [Part] = [
      .paragraph("\(trend.measure.meaning)\(trend.measure.unit.isEmpty ? "" : ", in \(trend.measure.unit)")."),
      .paragraph("\(spark)  (the oldest first\(span))"),
    ]
    if trend.changes > 0 {
      parts.append(
        .paragraph(
          "The scenario changed \(trend.changes == 1 ? "once" : "\(trend.changes) times") in between, where the table "
            + "says so: figures on both sides are not of the same experiment."))
    }
    parts.append(
      .table(
        "Runs, each with an interval at \(NumberFormat.shortest(confidence)) or at its own confidence",
        table(trend, confidence)))
    return ResultsReport(
      title: "\(trend.measure.fullName) of \(scenario) in \(trend.points.count) "
        + (trend.points.count == 1 ? "run" : "runs"), parts: parts, csv: csv(trend, confidence),
      json: [
        "scenario": .string(scenario), "measurement": .string(trend.measure.fullName),
        "meaning": .string(trend.measure.meaning), "unit": .string(trend.measure.unit),
        "points": .array(trend.points.map { json($0, confidence) }),
      ])
  }

  private static func table(_ trend: MeasurementTrend, _ confidence: Double) -> Table {
    var table = Table([
      Table.Column("run", .right), Table.Column("started (UTC)"), Table.Column("version"), Table.Column("digest"),
      Table.Column("value", .right), Table.Column("interval"), Table.Column("samples", .right),
      Table.Column("seconds", .right), Table.Column(""),
    ])
    for point in trend.points {
      let (run, measurement) = (point.run, point.measurement)
      let text = FigureText(measurement.estimate, in: measurement.knownRange(at: confidence))
      table.add([
        "\(run.id)", run.startedText, run.version, run.digest, text.value, text.range,
        measurement.samples.map(NumberFormat.grouped) ?? "", run.secondsText,
        point.isNewExperiment ? "another scenario from here" : "",
      ])
    }
    return table
  }

  private static func csv(_ trend: MeasurementTrend, _ confidence: Double) -> Table {
    let names = ["run", "started", "version", "digest", "value", "low", "high", "confidence", "samples", "seconds"]
    var csv = Table(names.map { Table.Column($0) })
    for point in trend.points {
      let range = point.measurement.knownRange(at: confidence)
      csv.add([
        "\(point.run.id)", RunRecord.text(of: point.run.started), point.run.version, point.run.digest,
        point.measurement.estimate.digits, range.lowerBound.digits, range.upperBound.digits,
        point.measurement.ownConfidence(confidence).digits, point.measurement.samples.map { "\($0)" } ?? "",
        point.run.seconds?.digits ?? "",
      ])
    }
    return csv
  }

  private static func json(_ point: MeasurementTrend.Point, _ confidence: Double) -> JSONValue {
    [
      "run": .integer(Int(point.run.id)), "started": .string(RunRecord.text(of: point.run.started)),
      "version": .string(point.run.version), "digest": .string(point.run.digest),
      "newExperiment": .bool(point.isNewExperiment),
      "found": ResultsReport.json(point.measurement, confidence: confidence),
      "seconds": point.run.seconds.map { .number($0) } ?? .null,
    ]
  }
}

extension MeasurementTrend {
  /// The trend as a picture: a place for each run, and a series for each experiment.
  func figure(of scenario: String, confidence: Double) -> Figure {
    var series: [(digest: String, points: [Figure.Point])] = []
    for (place, point) in points.enumerated() {
      let range = point.measurement.knownRange(at: confidence)
      let isKnown = range.lowerBound.isFinite && range.upperBound.isFinite && range.lowerBound < range.upperBound
      if series.isEmpty || point.isNewExperiment { series.append((point.run.digest, [])) }
      series[series.count - 1].points.append(
        Figure.Point(Double(place), point.measurement.estimate, interval: isKnown ? range : nil))
    }
    let name = measure.fullName
    return Figure(
      id: "trend", title: "\(name) of \(scenario)",
      alternative: "\(name) in \(points.count) runs of \(scenario), the oldest first, with intervals at "
        + "\(NumberFormat.shortest(confidence)) where there are any.",
      x: Figure.Axis("run", scale: .names(points.map { "\($0.run.id)" })),
      y: Figure.Axis(measure.unit.isEmpty ? name : "\(name), \(measure.unit)"),
      series: series.map { Figure.Series("scenario \($0.digest)", style: .points, points: $0.points) })
  }
}
