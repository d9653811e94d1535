// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import Reporting
internal import Scenarios

/// The report of a command about stored results: a document for people, and JSON for programs.
struct ResultsReport {
  let document: Document
  let json: JSONValue

  /// `rows` are the objects for the rows of CSV.
  init(_ title: String, _ blocks: [ReportBlock], rows: [JSONValue], json: JSONValue) {
    document = Document(id: "results", title: title, blocks, data: Table(records: rows))
    self.json = json
  }

  /// The runs of a history, below incomplete runs that it does not have.
  static func list(of runs: [RecordedRun], _ unfinished: [UnfinishedRun] = [], in history: String) -> ResultsReport {
    let table = Table(
      columns: ["run", "started (UTC)", "scenario", "digest", "verdict", "seconds", "version", "commit", "host"],
      numbers: ["run", "seconds"],
      rows: unfinished.map { run in
        [
          "", RecordedRun.text(of: run.record.started), run.slug, run.digest, run.state, "", run.record.assay,
          run.record.build.commitText, run.record.machine.host,
        ]
      }
        + runs.map { run in
          [
            "\(run.id)", run.startedText, run.slug, run.digest, run.outcomeText, run.secondsText, run.assay,
            run.build.commitText, run.machine.host,
          ]
        })
    let rows = runs.map(\.json)
    let stopped = unfinished.first { $0.state != "running" }
    let hint = stopped.map {
      "To continue an incomplete run: assay resume \(ShellLine.text([$0.slug]))"
    }
    return ResultsReport(
      "\(NumberFormat.counted(runs.count, "run")) in \(history)"
        + (unfinished.isEmpty ? "" : ", and \(unfinished.count) incomplete"),
      [.table(table)] + [hint.map { .paragraph($0) }].compactMap(\.self), rows: rows,
      json: [
        "history": .string(history), "runs": .array(rows),
        "unfinished": .array(
          unfinished.map { run in
            [
              "scenario": .string(run.slug), "digest": .string(run.digest), "state": .string(run.state),
              "started": .string(RunRecord.text(of: run.record.started)), "folder": .string(run.folder),
              "command": .string(run.record.command),
            ]
          }),
      ])
  }

  /// A run with its measurements; the confidence is that of each interval alone.
  static func show(_ run: RecordedRun, _ findings: RecordedRun.Findings, confidence: Double) -> ResultsReport {
    let isThere = FileManager.default.fileExists(atPath: run.folder)
    let machine = run.machine
    let about = Table(
      columns: ["about the run", ""],
      rows: [
        ["scenario", "\(run.name) (\(run.slug), \(run.kind), digest \(run.digest))"], ["verdict", run.outcomeText],
        ["started", run.startedText + " UTC"], ["seconds", run.secondsText],
        ["Assay", "\(run.assay), with GSL \(run.gsl)"], ["commit", run.buildText],
        ["binary", run.build.binary.map { "SHA-256 \($0)" } ?? "not known"],
        [
          "machine",
          "\(machine.host): \(machine.system), \(machine.architecture), "
            + "\(NumberFormat.counted(machine.cores, "core")), "
            + NumberFormat.counted(run.workers, "worker"),
        ],
        ["folder", run.folder + (isThere ? "" : " (gone)")], ["command", run.command],
      ])
    let thresholds = Table(
      columns: ["threshold", "verdict", "found", "what would decide it"],
      rows: findings.thresholds.map { [$0.text, $0.verdict.rawValue, $0.found, $0.advice] })
    let table = Table(
      columns: ["measurement", "value", "interval", "unit", "samples"], numbers: ["value", "samples"],
      rows: findings.measurements.map { one in
        let text = FigureText(one.estimate, in: one.knownRange(at: confidence))
        return [
          one.measure.fullName, text.value, text.range, one.measure.unit, one.samples.map(NumberFormat.grouped) ?? "",
        ]
      })
    var meanings: [[String]] = []
    for measure in findings.measurements.map(\.measure) where !meanings.contains([measure.name, measure.meaning]) {
      meanings.append([measure.name, measure.meaning])
    }
    let rows = findings.measurements.map { json($0, confidence: confidence) }
    let scenario = findings.scenario.map { text in
      ReportBlock.code(text.hasSuffix("\n") ? String(text.dropLast()) : text, label: "Scenario as resolved")
    }
    return ResultsReport(
      run.heading.prefix(1).uppercased() + run.heading.dropFirst(),
      [
        .table(about), .part("Thresholds", [.table(thresholds)]),
        .part(
          "Measurements, each with an interval at \(NumberFormat.shortest(confidence)) or at its own confidence",
          [.table(table), .table(Table(columns: ["measure", "meaning"], rows: meanings))]),
      ] + [scenario].compactMap(\.self),
      rows: rows,
      json: [
        "run": run.json, "confidence": .number(confidence), "thresholds": .array(findings.thresholds.map(json)),
        "measurements": .array(rows),
        "scenario": findings.scenario.map { .string($0) } ?? .null,
      ])
  }

  /// A measurement, run by run; the confidence is that of each interval alone.
  static func trend(_ trend: MeasurementTrend, of scenario: String, confidence: Double) -> ResultsReport {
    let (measure, values) = (trend.measure, trend.points.map(\.measurement.estimate).filter(\.isFinite))
    let span =
      values.isEmpty
      ? "" : ", from \(NumberFormat.shortest(values.min() ?? 0)) to \(NumberFormat.shortest(values.max() ?? 0))"
    let meaning = measure.meaning.prefix(1).uppercased() + measure.meaning.dropFirst()
    let spark = Sparkline.text(trend.points.map(\.measurement.estimate))
    let table = Table(
      columns: ["run", "started (UTC)", "version", "commit", "digest", "value", "interval", "samples", "seconds"],
      numbers: ["run", "value", "samples", "seconds"],
      rows: trend.points.map { point in
        let (run, found) = (point.run, point.measurement)
        let text = FigureText(found.estimate, in: found.knownRange(at: confidence))
        return [
          "\(run.id)", run.startedText, run.assay, run.build.commitText,
          run.digest + (point.isNewExperiment ? ", changed" : ""), text.value, text.range,
          found.samples.map(NumberFormat.grouped) ?? "", run.secondsText,
        ]
      })
    let rows = trend.points.map { json($0, confidence) }
    let times = trend.changes == 1 ? "once" : "\(trend.changes) times"
    let changes: [ReportBlock] =
      trend.changes == 0
      ? []
      : [
        .paragraph(
          "The scenario changed \(times) in between, where the digest says so: figures on both sides are not of the "
            + "same experiment.")
      ]
    return ResultsReport(
      "\(measure.fullName) of \(scenario) in \(NumberFormat.counted(trend.points.count, "run"))",
      [
        .paragraph(meaning + (measure.unit.isEmpty ? "." : ", in \(measure.unit).")),
        .paragraph("\(spark) (the oldest first\(span))"),
      ] + changes + [
        .part(
          "Runs, each with an interval at \(NumberFormat.shortest(confidence)) or at its own confidence",
          [.table(table)]),
        .figure(trend.figure(id: "trend", confidence: confidence)),
      ],
      rows: rows,
      json: [
        "scenario": .string(scenario), "measurement": .string(measure.fullName), "meaning": .string(measure.meaning),
        "unit": .string(measure.unit), "points": .array(rows),
      ])
  }

  /// Several measurements, a line each; the confidence is that of each interval alone.
  static func trends(_ trends: [MeasurementTrend], of scenario: String, confidence: Double) -> ResultsReport {
    let table = Table(
      columns: ["measure", "runs", "from run to run", "latest", "interval", "unit"], numbers: ["runs", "latest"],
      rows: trends.map { trend in
        let points = trend.points.map(\.measurement)
        let text = points.last.map { FigureText($0.estimate, in: $0.knownRange(at: confidence)) }
        return [
          trend.measure.fullName, "\(points.count)", Sparkline.text(points.suffix(maxInSparkline).map(\.estimate)),
          text?.value ?? "", text?.range ?? "", trend.measure.unit,
        ]
      })
    let rows = trends.map { trend -> JSONValue in
      [
        "measurement": .string(trend.measure.fullName), "meaning": .string(trend.measure.meaning),
        "unit": .string(trend.measure.unit), "points": .array(trend.points.map { json($0, confidence) }),
      ]
    }
    let longest = trends.max { $0.points.count < $1.points.count }
    return ResultsReport(
      "\(NumberFormat.counted(trends.count, "measure")) of \(scenario) in "
        + NumberFormat.counted(longest?.points.count ?? 0, "run"),
      [
        .table(table),
        .paragraph(
          "Each is followed alone by its name: assay results trend "
            + ShellLine.text([scenario, trends.first?.measure.fullName ?? ""])),
      ], rows: trends.flatMap { trend in trend.points.map { json($0, confidence) } },
      json: ["scenario": .string(scenario), "measurements": .array(rows)])
  }

  /// The number of latest runs in the sparkline of a measure.
  private static let maxInSparkline = 12

  /// The runs that pruning removed, or would remove in a rehearsal.
  static func pruning(_ pruning: Pruning, isRehearsal: Bool) -> ResultsReport {
    let runs = Table(
      columns: ["run", "started (UTC)", "scenario", "digest"], numbers: ["run"],
      rows: pruning.runs.map { ["\($0.id)", $0.startedText, $0.slug, $0.digest] })
    let folders = Table(
      columns: ["folder", "result"],
      rows: pruning.folders.map { folder in
        [folder.path, folder.obstacle.map { "stays: \($0)" } ?? (isRehearsal ? "would go" : "removed")]
      })
    let rows = pruning.folders.map { folder -> JSONValue in
      [
        "path": .string(folder.path), "removed": .bool(folder.obstacle == nil),
        "cause": folder.obstacle.map { .string($0.description) } ?? .null,
      ]
    }
    return ResultsReport(
      "\(extent(of: pruning)) \(isRehearsal ? "would be " : "")removed",
      [runs, folders].filter { !$0.rows.isEmpty }.map { .table($0) }, rows: rows,
      json: [
        "rehearsal": .bool(isRehearsal), "runs": .array(pruning.runs.map(\.json)), "folders": .array(rows),
      ])
  }

  /// `12 runs and 9 folders`.
  static func extent(of pruning: Pruning) -> String {
    let gone = pruning.folders.count { $0.obstacle == nil }
    return "\(NumberFormat.counted(pruning.runs.count, "run")) and \(NumberFormat.counted(gone, "folder"))"
  }

  /// The runs that were read from folders.
  static func rebuilding(_ rebuilding: Rebuilding, from root: String) -> ResultsReport {
    let outcomes =
      rebuilding.added.map { ($0.folder, RecordedRun.text(of: $0.started), "added", "") }
      + rebuilding.known.map { ($0.folder, RecordedRun.text(of: $0.started), "known already", "") }
      + rebuilding.passedOver.map { ($0.folder, "", "passed over", $0.cause) }
    let table = Table(
      columns: ["folder", "run that began (UTC)", "result"],
      rows: outcomes.map { folder, began, outcome, cause in
        [folder, began, cause.isEmpty ? outcome : "\(outcome): \(cause)"]
      })
    return ResultsReport(
      "\(NumberFormat.counted(rebuilding.added.count, "run")) added from \(root)",
      [table.rows.isEmpty ? .paragraph("There is no folder of a run.") : .table(table)],
      rows: outcomes.map {
        ["folder": .string($0), "began": .string($1), "outcome": .string($2), "cause": .string($3)]
      },
      json: [
        "added": .array(rebuilding.added.map { .string($0.folder) }),
        "known": .array(rebuilding.known.map { .string($0.folder) }),
        "passedOver": .array(
          rebuilding.passedOver.map { ["folder": .string($0.folder), "cause": .string($0.cause)] }),
      ])
  }

  private static func json(_ threshold: EvaluatedThreshold) -> JSONValue {
    [
      "threshold": .string(threshold.text), "measurement": .string(threshold.measurement),
      "verdict": .string(threshold.verdict.rawValue), "found": .string(threshold.found),
      "advice": .string(threshold.advice), "source": .string(threshold.source),
      "errorProbability": .number(threshold.errorProbability),
    ]
  }

  private static func json(_ measurement: Scenarios.Measurement, confidence: Double) -> JSONValue {
    let range = measurement.knownRange(at: confidence)
    return [
      "measurement": .string(measurement.measure.fullName), "value": .number(measurement.estimate),
      "low": .number(range.lowerBound), "high": .number(range.upperBound),
      "confidence": .number(measurement.ownConfidence(confidence)),
      "samples": measurement.samples.map { .integer($0) } ?? .null, "unit": .string(measurement.measure.unit),
    ]
  }

  private static func json(_ point: MeasurementTrend.Point, _ confidence: Double) -> JSONValue {
    [
      "run": .integer(Int(point.run.id)), "started": .string(RunRecord.text(of: point.run.started)),
      "version": .string(point.run.assay), "build": point.run.build.json, "digest": .string(point.run.digest),
      "newExperiment": .bool(point.isNewExperiment), "found": json(point.measurement, confidence: confidence),
      "seconds": point.run.wallSeconds.map { .number($0) } ?? .null,
    ]
  }
}

extension RecordedRun {
  /// The commit in full for people.
  fileprivate var buildText: String {
    self.build.commit.map { $0 + (self.build.isChanged ? ", with changes that are not in it" : "") } ?? "not known"
  }

  /// The verdict, and the status unless it is complete.
  fileprivate var outcomeText: String {
    self.status == .complete ? verdict.rawValue : "\(verdict.rawValue), \(self.status.rawValue)"
  }

  /// `run 12, quick, 2026-11-21 12:00:00 UTC`.
  var heading: String { "run \(id), \(slug), \(startedText) UTC" }

  /// The run without its measurements.
  var json: JSONValue {
    [
      "id": .integer(Int(id)), "slug": .string(slug), "name": .string(name), "kind": .string(kind),
      "digest": .string(digest), "verdict": .string(verdict.rawValue), "status": .string(self.status.rawValue),
      "started": .string(RunRecord.text(of: self.started)), "seconds": self.wallSeconds.map { .number($0) } ?? .null,
      "version": .string(self.assay), "gsl": .string(self.gsl), "build": self.build.json,
      "machine": self.machine.json, "workers": .integer(self.workers), "folder": .string(folder),
      "command": .string(self.command),
    ]
  }
}
