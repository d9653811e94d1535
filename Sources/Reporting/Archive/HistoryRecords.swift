// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
internal import GRDB
internal import Reporting
package import Scenarios

/// A run as the history records it.
package struct RecordedRun: Hashable, Sendable, Identifiable {
  package struct Findings: Hashable, Sendable {
    package let measurements: [Scenarios.Measurement]
    package let thresholds: [EvaluatedThreshold]
    /// The scenario as resolved; `nil` where its text was not to be had.
    package let scenario: String?
  }

  package let id: Int64
  package let slug: String
  package let name: String
  package let kind: String
  /// The digest of the scenario as resolved, 8 hexadecimal digits.
  package let digest: String
  package let verdict: Verdict
  package let status: RunRecord.Status
  /// When it began, to the second.
  package let started: Date
  package let process: Int
  /// Seconds on the wall; `nil` where it did not come to an end.
  package let seconds: Double?
  package let version: String
  package let gsl: String
  package let machine: RunRecord.Machine
  package let workers: Int
  /// Its folder, as the process can open it. A later run of the same scenario may have taken it over.
  package let folder: String
  package let command: String
}

extension RecordedRun {
  init(_ document: ResultDocument, _ record: RunRecord, folder: String) {
    self.init(
      id: 0, slug: document.slug, name: document.name, kind: document.kind, digest: document.digest,
      verdict: document.verdict, status: record.status, started: record.started, process: record.process,
      seconds: record.wallSeconds, version: document.version, gsl: record.gsl, machine: record.machine,
      workers: record.workers, folder: folder, command: record.command)
  }
}

private typealias Column = (name: String, value: (any DatabaseValueConvertible)?)

extension History {
  @discardableResult
  package func record(_ run: FinishedRun) throws(ArchiveError) -> Int64 {
    try record(run.document, run.record, folder: run.folder)
  }

  /// Records a run. The same run recorded again, by folder, start and process, replaces the earlier record.
  @discardableResult
  package func record(
    _ document: ResultDocument, _ record: RunRecord, folder: String
  ) throws(ArchiveError) -> Int64 {
    let text = try? TextFile.read(folder + "/scenario.yaml")
    return try write { database in
      let scenario = try text.map { try Self.scenario($0, in: database) }
      let run = try Self.run(document, record, folder: stored(folder), scenario: scenario, in: database)
      try Self.findings(of: document, run: run, in: database)
      return run
    }
  }

  /// A folder as the history keeps it: below the history's own folder relative to it, so that both can move together.
  private func stored(_ folder: String) -> String {
    let (place, home) = (URL(fileURLWithPath: folder).standardizedFileURL.path, home)
    return place.hasPrefix(home + "/") ? String(place.dropFirst(home.count + 1)) : place
  }

  private func opened(_ folder: String) -> String {
    guard !folder.hasPrefix("/") else { return folder }
    let prefix = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return prefix.isEmpty ? (path.hasPrefix("/") ? "/" : "") + folder : prefix + "/" + folder
  }

  private var home: String { URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path }

  private static func scenario(_ text: String, in database: Database) throws -> Int64 {
    try database.execute(sql: "INSERT INTO scenarios (text) VALUES (?) ON CONFLICT DO NOTHING", arguments: [text])
    guard let id = try Int64.fetchOne(database, sql: "SELECT id FROM scenarios WHERE text = ?", arguments: [text])
    else { throw DatabaseError(resultCode: .SQLITE_ERROR, message: "a scenario was not kept") }
    return id
  }

  private static func run(
    _ document: ResultDocument, _ record: RunRecord, folder: String, scenario: Int64?, in database: Database
  ) throws -> Int64 {
    let (machine, started) = (record.machine, RunRecord.text(of: record.started))
    let columns: [Column] = [
      ("folder", folder), ("started", started), ("process", record.process), ("slug", document.slug),
      ("name", document.name), ("kind", document.kind), ("digest", document.digest),
      ("judgement", document.verdict.rawValue),
      ("status", record.status.rawValue), ("seconds", record.wallSeconds), ("version", document.version),
      ("gsl", record.gsl), ("host", machine.host), ("system", machine.system),
      ("architecture", machine.architecture), ("cores", machine.cores), ("workers", record.workers),
      ("command", record.command), ("scenario", scenario),
    ]
    let known = try Int64.fetchOne(
      database, sql: "SELECT id FROM runs WHERE folder = ? AND started = ? AND process = ?",
      arguments: [folder, started, record.process])
    if let known {
      try database.execute(sql: "DELETE FROM runs WHERE id = ?", arguments: [known])
    }
    try insert(into: "runs", [("id", known)] + columns, in: database)
    return database.lastInsertedRowID
  }

  private static func findings(of document: ResultDocument, run: Int64, in database: Database) throws {
    for (position, measurement) in document.measurements.enumerated() {
      let columns = MeasurementRow.columns(of: measurement)
      try insert(into: "measurements", [("run", run), ("position", position)] + columns, in: database)
    }
    for (position, threshold) in document.thresholds.enumerated() {
      try insert(
        into: "thresholds",
        [
          ("run", run), ("position", position), ("text", threshold.text), ("measurement", threshold.measurement),
          ("source", threshold.source), ("line", threshold.line), ("judgement", threshold.verdict.rawValue),
          ("found", threshold.found), ("remedy", threshold.remedy),
          ("error_probability", threshold.errorProbability),
        ], in: database)
    }
  }

  private static func insert(into table: String, _ columns: [Column], in database: Database) throws {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try database.cachedStatement(sql: "INSERT INTO \(table) (\(names)) VALUES (\(marks))")
    try statement.execute(arguments: StatementArguments(columns.map(\.value)))
  }
}

extension History {
  package func runs(of slug: String? = nil, last: Int? = nil) throws(ArchiveError) -> [RecordedRun] {
    try read { database in
      if let slug {
        let known = try Self.slugs(database)
        guard known.contains(slug) else {
          let nearest = Spelling.nearest(to: slug, among: known)
          throw known.isEmpty ? HistoryProblem.empty : .noSuchScenario(slug, nearest: nearest, known: known)
        }
      }
      let runs = try Row.fetchAll(
        database,
        sql: "SELECT * FROM runs WHERE slug = ? OR ? IS NULL ORDER BY started DESC, id DESC LIMIT ?",
        arguments: [slug, slug, last ?? -1]
      ).map(run)
      if runs.isEmpty { throw HistoryProblem.empty }
      return runs
    }
  }

  /// The run that a person names: its number; `latest`; a scenario, or the name of a run's folder, for the latest of
  /// it; and `~1` behind a name for the one before, `~2` for the one before that.
  package func run(named name: String) throws(ArchiveError) -> RecordedRun {
    try read { database in
      if let id = Int64(name) {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM runs WHERE id = ?", arguments: [id])
        if let row { return try run(row) }
      }
      let parts = name.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
      let known = try Self.slugs(database)
      guard !known.isEmpty else { throw HistoryProblem.empty }
      let back = parts.count == 2 ? Int(parts[1]) : 0
      let rows = try Self.rows(of: String(parts.first ?? ""), in: database)
      guard let back, back >= 0, !rows.isEmpty else {
        let nearest = Spelling.nearest(to: String(parts.first ?? ""), among: known + ["latest"])
        throw HistoryProblem.noSuchRun(name, nearest: nearest, known: known)
      }
      guard back < rows.count else { throw HistoryProblem.noEarlierRun(name, runs: rows.count) }
      return try run(rows[back])
    }
  }

  package func findings(of run: RecordedRun) throws(ArchiveError) -> RecordedRun.Findings {
    try read { database in
      let measurements = try Row.fetchAll(
        database, sql: "SELECT * FROM measurements WHERE run = ? ORDER BY position", arguments: [run.id])
      let thresholds = try Row.fetchAll(
        database, sql: "SELECT * FROM thresholds WHERE run = ? ORDER BY position", arguments: [run.id])
      let scenario = try String.fetchOne(
        database, sql: "SELECT text FROM scenarios JOIN runs ON scenario = scenarios.id WHERE runs.id = ?",
        arguments: [run.id])
      return try RecordedRun.Findings(
        measurements: measurements.map(MeasurementRow.measurement), thresholds: thresholds.map(Self.threshold),
        scenario: scenario)
    }
  }

  private static func slugs(_ database: Database) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT DISTINCT slug FROM runs ORDER BY slug")
  }

  /// The rows that a name without `~` stands for, the newest first.
  private static func rows(of name: String, in database: Database) throws -> [Row] {
    let order = "ORDER BY started DESC, id DESC"
    if name == "latest" { return try Row.fetchAll(database, sql: "SELECT * FROM runs \(order)") }
    let named = try Row.fetchAll(database, sql: "SELECT * FROM runs WHERE slug = ? \(order)", arguments: [name])
    if !named.isEmpty { return named }
    return try Row.fetchAll(
      database, sql: "SELECT * FROM runs WHERE slug || '-' || digest = ? \(order)", arguments: [name])
  }

  func run(_ row: Row) throws -> RecordedRun {
    func text(_ column: String) throws -> String { try row.decode(String.self, forColumn: column) }
    func whole(_ column: String) throws -> Int { try row.decode(Int.self, forColumn: column) }
    return try RecordedRun(
      id: row.decode(Int64.self, forColumn: "id"), slug: text("slug"), name: text("name"), kind: text("kind"),
      digest: text("digest"), verdict: Verdict(rawValue: text("judgement")) ?? .undecided,
      status: RunRecord.Status(rawValue: text("status")) ?? .incomplete,
      started: Date(text("started"), strategy: .iso8601), process: whole("process"),
      seconds: row.decode(Double?.self, forColumn: "seconds"), version: text("version"), gsl: text("gsl"),
      machine: RunRecord.Machine(
        host: text("host"), system: text("system"), architecture: text("architecture"), cores: whole("cores")),
      workers: whole("workers"), folder: opened(text("folder")), command: text("command"))
  }

  private static func threshold(_ row: Row) throws -> EvaluatedThreshold {
    func text(_ column: String) throws -> String { try row.decode(String.self, forColumn: column) }
    return try EvaluatedThreshold(
      text: text("text"), measurement: text("measurement"), source: text("source"),
      line: row.decode(Int.self, forColumn: "line"),
      verdict: Verdict(rawValue: text("judgement")) ?? .undecided, found: text("found"), remedy: text("remedy"),
      errorProbability: row.decode(Double.self, forColumn: "error_probability"))
  }
}

/// A measurement as columns of the history's table, without `run` and `position`.
private enum MeasurementRow {
  static func columns(of measurement: Scenarios.Measurement) -> [Column] {
    let measure = measurement.measure
    return [("name", measure.name), ("label", measure.label), ("meaning", measure.meaning), ("unit", measure.unit)]
      + nature(measure.nature) + figures(measurement.value)
  }

  private static func nature(_ nature: Measure.Nature) -> [Column] {
    switch nature {
    case .exact: [("nature", "exact")]
    case .count: [("nature", "count")]
    case .proportion: [("nature", "proportion")]
    case .mean: [("nature", "mean")]
    case .interval(let confidence): [("nature", "interval"), ("nature_confidence", confidence)]
    }
  }

  private static func figures(_ value: Scenarios.Measurement.Value) -> [Column] {
    switch value {
    case .exact(let value): [("form", "exact"), ("value", value)]
    case .count(let count, let undecided): [("form", "count"), ("count", count), ("undecided", undecided)]
    case .proportion(let successes, let trials): [("form", "proportion"), ("count", successes), ("samples", trials)]
    case .mean(let mean, let deviation, let samples):
      [("form", "mean"), ("value", mean), ("deviation", deviation), ("samples", samples)]
    case .interval(let value, let low, let high, let confidence, let samples):
      [
        ("form", "interval"), ("value", value), ("low", low), ("high", high), ("confidence", confidence),
        ("samples", samples),
      ]
    }
  }

  static func measurement(of row: Row) throws -> Scenarios.Measurement {
    // SQLite keeps what is no number as nothing.
    func number(_ column: String) throws -> Double { try row.decode(Double?.self, forColumn: column) ?? .nan }
    func whole(_ column: String) throws -> Int { try row.decode(Int.self, forColumn: column) }
    func text(_ column: String) throws -> String { try row.decode(String.self, forColumn: column) }
    let value: Scenarios.Measurement.Value =
      switch try text("form") {
      case "count": try .count(whole("count"), undecided: whole("undecided"))
      case "proportion": try .proportion(successes: whole("count"), trials: whole("samples"))
      case "mean": try .mean(number("value"), standardDeviation: number("deviation"), samples: whole("samples"))
      case "interval":
        try .interval(
          number("value"), low: number("low"), high: number("high"), confidence: number("confidence"),
          samples: whole("samples"))
      default: try .exact(number("value"))
      }
    let nature: Measure.Nature =
      switch try text("nature") {
      case "count": .count
      case "proportion": .proportion
      case "mean": .mean
      case "interval": .interval(confidence: try number("nature_confidence"))
      default: .exact
      }
    let measure = Measure(
      try text("name"), of: try row.decode(String?.self, forColumn: "label"), meaning: try text("meaning"),
      unit: try text("unit"), nature: nature)
    return Scenarios.Measurement(measure, value)
  }
}

package struct MeasurementTrend: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package let run: RecordedRun
    package let measurement: Scenarios.Measurement
    /// Whether the scenario differs from that of the point before: then the two are not the same experiment.
    package let isNewExperiment: Bool
  }

  package let measure: Measure
  package let points: [Point]

  package var changes: Int { points.count(where: \.isNewExperiment) }
}

extension History {
  /// The name is the full one, `ev[6d]`; the label may be left out where there is only one.
  package func trend(
    of name: String, in slug: String, last: Int? = nil
  ) throws(ArchiveError) -> MeasurementTrend {
    let runs = Dictionary(try runs(of: slug).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let rows = try read { database in
      let known = try Row.fetchAll(
        database,
        sql: """
          SELECT DISTINCT m.name, m.label FROM measurements AS m JOIN runs ON runs.id = m.run WHERE slug = ?
          ORDER BY m.name, m.label
          """, arguments: [slug]
      ).map { row in
        Measure(
          try row.decode(String.self, forColumn: "name"), of: try row.decode(String?.self, forColumn: "label"),
          meaning: "", nature: .exact)
      }
      let named = known.filter { $0.name == name }
      guard let found = known.first(where: { $0.fullName == name }) ?? (named.count == 1 ? named.first : nil) else {
        let names = known.map(\.fullName)
        throw HistoryProblem.noSuchMeasurement(
          name, scenario: slug, nearest: named.isEmpty ? Spelling.nearest(to: name, among: names) : nil,
          known: named.isEmpty ? names : named.map(\.fullName))
      }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT m.* FROM measurements AS m JOIN runs ON runs.id = m.run
          WHERE slug = ? AND m.name = ? AND m.label IS ? ORDER BY started DESC, runs.id DESC LIMIT ?
          """, arguments: [slug, found.name, found.label, last ?? -1]
      ).map { row in (run: try row.decode(Int64.self, forColumn: "run"), found: try MeasurementRow.measurement(of: row))
      }
    }
    var points: [MeasurementTrend.Point] = []
    for row in rows.reversed() {
      guard let run = runs[row.run] else { continue }
      let isNew = points.last.map { $0.run.digest != run.digest } ?? false
      points.append(MeasurementTrend.Point(run: run, measurement: row.found, isNewExperiment: isNew))
    }
    guard let latest = points.last else { throw .history(path: path, .empty) }
    return MeasurementTrend(measure: latest.measurement.measure, points: points)
  }
}

package struct Rebuilding: Hashable, Sendable {
  package struct PassedOver: Hashable, Sendable {
    package let folder: String
    package let cause: String
  }

  package internal(set) var added: [String] = []
  package internal(set) var known: [String] = []
  package internal(set) var passedOver: [PassedOver] = []
}

extension History {
  /// Records the runs that lie in folders and are not in the history yet. What is in it stays as it is.
  ///
  /// A folder holds the latest run of a scenario and the latest complete one, so earlier runs do not come back.
  package func rebuild(from root: String) throws(ArchiveError) -> Rebuilding {
    var rebuilding = Rebuilding()
    let stored = try RunFolder.all(in: root)
    let runs = stored.flatMap(Self.runs).sorted { $0.record.started < $1.record.started }
    for (folder, document, record) in runs {
      if try isKnown(record, folder: folder) {
        rebuilding.known.append(folder)
      } else {
        try self.record(document, record, folder: folder)
        rebuilding.added.append(folder)
      }
    }
    for one in stored where Self.runs(in: one).isEmpty {
      rebuilding.passedOver.append(Rebuilding.PassedOver(folder: one.folder.path, cause: one.summary))
    }
    return rebuilding
  }

  private typealias Found = (folder: String, document: ResultDocument, record: RunRecord)

  /// What a folder holds: the complete run, and a later one that was ended early.
  private static func runs(in stored: StoredRun) -> [Found] {
    var runs: [Found] = []
    if let document = stored.document, let record = stored.completed {
      runs.append((stored.folder.path, document, record))
    }
    if let document = stored.partial, let record = stored.latest, record.status == .interrupted {
      runs.append((stored.folder.path, document, record))
    }
    return runs
  }

  private func isKnown(_ record: RunRecord, folder: String) throws(ArchiveError) -> Bool {
    let place = stored(folder)
    return try read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE folder = ? AND started = ? AND process = ?)",
        arguments: [place, RunRecord.text(of: record.started), record.process]) ?? false
    }
  }
}
