// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import Reporting
internal import Scenarios

extension ResultsReport {
  /// A run with what it found.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - findings: what it found.
  ///   - confidence: of each interval by itself.
  /// - Returns: the report.
  static func show(_ run: RecordedRun, _ findings: RecordedRun.Findings, confidence: Double) -> ResultsReport {
    let isThere = FileManager.default.fileExists(atPath: run.folder)
    var about = Table([Table.Column("about the run"), Table.Column("")])
    for (name, value) in [
      ("scenario", "\(run.name) (\(run.slug), \(run.kind), digest \(run.digest))"), ("judgement", run.outcomeText),
      ("started", run.startedText + " UTC"), ("seconds", run.secondsText),
      ("Assay", "\(run.version), with GSL \(run.gsl)"),
      (
        "machine",
        "\(run.machine.host): \(run.machine.system), \(run.machine.architecture), \(run.machine.cores) cores, "
          + "\(run.workers) workers"
      ),
      ("folder", run.folder + (isThere ? "" : " (gone)")), ("command", run.command),
    ] {
      about.add([name, value])
    }
    let text = findings.scenario.map { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    let scenario = text.map { Part.lines("Scenario as resolved", $0.last == "" ? $0.dropLast() : $0, language: "yaml") }
    return ResultsReport(
      title: run.heading.prefix(1).uppercased() + run.heading.dropFirst(),
      parts: [
        .table("", about), .table("Thresholds", thresholds(findings.thresholds)),
        .table(
          "Measurements, each with an interval at \(NumberFormat.shortest(confidence)) or at its own confidence",
          measurements(findings.measurements, confidence: confidence)),
      ] + [scenario].compactMap(\.self),
      csv: csv(findings.measurements, confidence: confidence),
      json: [
        "run": run.json, "confidence": .number(confidence),
        "thresholds": .array(findings.thresholds.map(json)),
        "measurements": .array(findings.measurements.map { json($0, confidence: confidence) }),
        "scenario": findings.scenario.map { .string($0) } ?? .null,
      ])
  }

  private static func thresholds(_ thresholds: [JudgedThreshold]) -> Table {
    var table = Table([
      Table.Column("threshold"), Table.Column("judgement"), Table.Column("found"), Table.Column("what would decide it"),
    ])
    for one in thresholds { table.add([one.text, one.judgement.rawValue, one.found, one.remedy]) }
    return table
  }

  private static func measurements(_ measurements: [Scenarios.Measurement], confidence: Double) -> Table {
    var table = Table([
      Table.Column("measurement"), Table.Column("value", .right), Table.Column("interval"), Table.Column("unit"),
      Table.Column("samples", .right), Table.Column("meaning"),
    ])
    for one in measurements {
      let text = FigureText(one.estimate, in: one.knownRange(at: confidence))
      table.add([
        one.measure.fullName, text.value, text.range, one.measure.unit,
        one.samples.map(NumberFormat.grouped) ?? "", one.measure.meaning,
      ])
    }
    return table
  }

  private static func csv(_ measurements: [Scenarios.Measurement], confidence: Double) -> Table {
    var csv = Table(["measurement", "value", "low", "high", "confidence", "samples", "unit"].map { Table.Column($0) })
    for one in measurements {
      let range = one.knownRange(at: confidence)
      csv.add([
        one.measure.fullName, one.estimate.digits, range.lowerBound.digits, range.upperBound.digits,
        one.ownConfidence(confidence).digits, one.samples.map { "\($0)" } ?? "", one.measure.unit,
      ])
    }
    return csv
  }

  private static func json(_ threshold: JudgedThreshold) -> JSONValue {
    [
      "threshold": .string(threshold.text), "measurement": .string(threshold.measurement),
      "judgement": .string(threshold.judgement.rawValue), "found": .string(threshold.found),
      "remedy": .string(threshold.remedy), "source": .string(threshold.source),
      "errorProbability": .number(threshold.errorProbability),
    ]
  }

  static func json(_ measurement: Scenarios.Measurement, confidence: Double) -> JSONValue {
    let range = measurement.knownRange(at: confidence)
    return [
      "measurement": .string(measurement.measure.fullName), "value": .number(measurement.estimate),
      "low": .number(range.lowerBound), "high": .number(range.upperBound),
      "confidence": .number(measurement.ownConfidence(confidence)),
      "samples": measurement.samples.map { .integer($0) } ?? .null, "unit": .string(measurement.measure.unit),
    ]
  }
}

extension Scenarios.Measurement {
  /// What it is known to lie in: at the confidence, or at its own where it brought an interval along.
  func knownRange(at confidence: Double) -> ClosedRange<Double> { interval(at: ownConfidence(confidence)) }

  /// The confidence of `knownRange(at:)`: 1 for what is computed or counted.
  func ownConfidence(_ confidence: Double) -> Double {
    switch value {
    case .exact, .count: 1
    case .proportion, .mean: confidence
    case .interval(_, _, _, let own, _): own
    }
  }
}
