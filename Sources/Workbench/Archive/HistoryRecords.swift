// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
package import Foundation
internal import Reporting
package import Scenarios

/// A run as the history records it: its scenario, its outcome, and the parts of `run.json` that a listing needs.
@dynamicMemberLookup
package struct RecordedRun: Hashable, Sendable, Identifiable {
  package struct Findings: Hashable, Sendable {
    package let measurements: [Scenarios.Measurement]
    package let thresholds: [EvaluatedThreshold]
    /// The scenario as resolved; `nil` if its text was not available.
    package let scenario: String?
  }

  package let id: Int64
  package let slug: String
  package let name: String
  package let kind: String
  /// The digest of the scenario as resolved, 8 hexadecimal digits, which two scenarios may share.
  package let digest: String
  /// The row of its text; `nil` if that was not available.
  let scenario: Int64?
  package let verdict: Verdict
  /// Its folder, as a path for this process. A later run of the same scenario may have replaced the run in it.
  package let folder: String
  fileprivate let record: RunRecord

  package subscript<Value>(dynamicMember path: KeyPath<RunRecord, Value>) -> Value { record[keyPath: path] }
}

extension RecordedRun {
  init(_ document: ResultDocument, _ record: RunRecord, folder: String) {
    var record = record
    record.assay = document.version
    self.init(
      id: 0, slug: document.slug, name: document.name, kind: document.kind, digest: document.digest, scenario: nil,
      verdict: document.verdict, folder: folder, record: record)
  }
}

private typealias Column = (name: String, value: any SQLiteValue)

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
    try write { database in try self.record(document, record, folder: folder, in: database) }
  }

  @discardableResult
  private func record(
    _ document: ResultDocument, _ record: RunRecord, folder: String, in database: SQLiteConnection
  ) throws -> Int64 {
    let text = RunFolder(folder).text(.scenario)
    let scenario = try text.map { try Self.scenario($0, in: database) }
    let run = try Self.run(document, record, folder: stored(folder), scenario: scenario, in: database)
    try Self.findings(of: document, run: run, in: database)
    return run
  }

  /// A folder as stored: relative to the history's folder if it is below that, so that both can be moved together.
  private func stored(_ folder: String) -> String {
    let (location, home) = (URL(fileURLWithPath: FilePath.literal(folder)).standardizedFileURL.path, home)
    return location.hasPrefix(home + "/") ? String(location.dropFirst(home.count + 1)) : location
  }

  private static func opened(_ folder: String, beside path: String) -> String {
    guard !folder.hasPrefix("/") else { return folder }
    let prefix = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return prefix.isEmpty ? (path.hasPrefix("/") ? "/" : "") + folder : prefix + "/" + folder
  }

  private var home: String {
    URL(fileURLWithPath: FilePath.literal(path)).standardizedFileURL.deletingLastPathComponent().path
  }

  private static func scenario(_ text: String, in database: SQLiteConnection) throws -> Int64 {
    let known: Int64? = try database.first("SELECT id FROM scenarios WHERE text = ?", text)
    if let known { return known }
    try database.run("INSERT INTO scenarios (text) VALUES (?)", text)
    return database.lastInsertedID
  }

  private static func run(
    _ document: ResultDocument, _ record: RunRecord, folder: String, scenario: Int64?, in database: SQLiteConnection
  ) throws -> Int64 {
    let (machine, started) = (record.machine, RunRecord.text(of: record.started))
    let columns: [Column] = [
      ("folder", folder), ("started", started), ("process", record.process), ("slug", document.slug),
      ("name", document.name), ("kind", document.kind), ("digest", document.digest),
      ("verdict", document.verdict.rawValue),
      ("status", record.status.rawValue), ("seconds", record.wallSeconds), ("version", document.version),
      ("gsl", record.gsl), ("host", machine.host), ("system", machine.system),
      ("architecture", machine.architecture), ("cores", machine.cores), ("workers", record.workers),
      ("command", record.command), ("scenario", scenario), ("revision", record.build.commit),
      ("changed", record.build.commit == nil ? Bool?.none : record.build.isChanged), ("binary", record.build.binary),
      ("timed", record.isTimed),
    ]
    let known: Int64? = try database.first(
      "SELECT id FROM runs WHERE folder = ? AND started = ? AND process = ?", folder, started, record.process)
    if let known { try database.run("DELETE FROM runs WHERE id = ?", known) }
    try insert(into: "runs", [("id", known)] + columns, in: database)
    return database.lastInsertedID
  }

  private static func findings(of document: ResultDocument, run: Int64, in database: SQLiteConnection) throws {
    for (position, measurement) in document.measurements.enumerated() {
      let columns = try MeasurementRow.columns(of: measurement)
      try insert(into: "measurements", [("run", run), ("position", position)] + columns, in: database)
    }
    for (position, threshold) in document.thresholds.enumerated() {
      try insert(
        into: "thresholds",
        [
          ("run", run), ("position", position), ("text", threshold.text), ("measurement", threshold.measurement),
          ("source", threshold.source), ("line", threshold.line), ("verdict", threshold.verdict.rawValue),
          ("found", threshold.found), ("advice", threshold.advice),
          ("error_probability", threshold.errorProbability), ("basis", threshold.basis),
        ], in: database)
    }
  }

  private static func insert(into table: String, _ columns: [Column], in database: SQLiteConnection) throws {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try database.run("INSERT INTO \(table) (\(names)) VALUES (\(marks))", values: columns.map(\.value))
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
      let runs = try database.run(
        "\(Self.selection) WHERE slug = ? OR ? IS NULL ORDER BY started DESC, id DESC LIMIT ?", slug, slug, last ?? -1
      ).map(run)
      if runs.isEmpty { throw HistoryProblem.empty }
      return runs
    }
  }

  /// The run that the user names: its number; `latest`; a scenario, or the name of a run's folder, for the latest of
  /// it; and a name with `~1` for the one before, `~2` for the one before that. A scenario whose name ends like that
  /// comes first.
  package func run(named name: String) throws(ArchiveError) -> RecordedRun {
    try read { database in
      if let id = Int64(name) {
        let row = try database.run("\(Self.selection) WHERE id = ?", id).first
        if let row { return try run(row) }
      }
      let known = try Self.slugs(database)
      guard !known.isEmpty else { throw HistoryProblem.empty }
      if let row = try Self.rows(of: name, in: database).first { return try run(row) }
      let tilde = name.lastIndex(of: "~")
      let base = String(name[..<(tilde ?? name.endIndex)])
      let back = tilde.flatMap { Int(name[name.index(after: $0)...]) }
      let rows = try tilde == nil ? [] : Self.rows(of: base, in: database)
      guard let back, back >= 0, !rows.isEmpty else {
        let nearest = Spelling.nearest(to: base, among: known + ["latest"])
        throw HistoryProblem.noSuchRun(name, nearest: nearest, known: known)
      }
      guard back < rows.count else { throw HistoryProblem.noEarlierRun(name, runs: rows.count) }
      return try run(rows[back])
    }
  }

  /// The runs of binaries built from a commit, the newest first, of one scenario if `slug` names it.
  ///
  /// - Throws: `ArchiveError` that lists the commits with runs, if this one has none.
  package func runs(
    at build: RunRecord.Build, named name: String, of slug: String? = nil
  ) throws(ArchiveError) -> [RecordedRun] {
    let all = try runs(of: slug).filter { $0.build.commit != nil }
    let runs = all.filter { $0.build.commit == build.commit && $0.build.isChanged == build.isChanged }
    guard runs.isEmpty else { return runs }
    var known: [String] = []
    for text in all.map(\.build.commitText) where !known.contains(text) { known.append(text) }
    throw .history(path: path, .noRunAtCommit(name, commit: build.commitText, scenario: slug, known: known))
  }

  package func findings(of run: RecordedRun) throws(ArchiveError) -> RecordedRun.Findings {
    try read { database in
      let measurements = try database.run("SELECT * FROM measurements WHERE run = ? ORDER BY position", run.id)
      let thresholds = try database.run("SELECT * FROM thresholds WHERE run = ? ORDER BY position", run.id)
      let scenario: String? = try database.first(
        "SELECT text FROM scenarios JOIN runs ON scenario = scenarios.id WHERE runs.id = ?", run.id)
      return try RecordedRun.Findings(
        measurements: measurements.map(MeasurementRow.measurement), thresholds: thresholds.map(Self.threshold),
        scenario: scenario)
    }
  }

  static let selection = "SELECT * FROM runs"

  private static func slugs(_ database: SQLiteConnection) throws -> [String] {
    try database.run("SELECT DISTINCT slug FROM runs ORDER BY slug").map { try $0.value("slug") }
  }

  /// The rows of a name without `~`, the newest first.
  private static func rows(of name: String, in database: SQLiteConnection) throws -> [SQLiteRow] {
    let order = "ORDER BY started DESC, id DESC"
    if name == "latest" { return try database.run("\(Self.selection) \(order)") }
    let named = try database.run("\(Self.selection) WHERE slug = ? \(order)", name)
    return try named.isEmpty ? database.run("\(Self.selection) WHERE slug || '-' || digest = ? \(order)", name) : named
  }

  func run(_ row: SQLiteRow) throws -> RecordedRun {
    try RecordedRun(
      id: row.value("id"), slug: row.value("slug"), name: row.value("name"), kind: row.value("kind"),
      digest: row.value("digest"), scenario: row.value("scenario"),
      verdict: Verdict(rawValue: row.value("verdict")) ?? .undecided,
      folder: Self.opened(row.value("folder"), beside: path),
      record: RunRecord(
        status: RunRecord.Status(rawValue: row.value("status")) ?? .incomplete,
        started: Date(row.value("started"), strategy: .iso8601), wallSeconds: row.value("seconds"),
        assay: row.value("version"), gsl: row.value("gsl"), command: row.value("command"),
        workers: row.value("workers"), process: row.value("process"),
        machine: RunRecord.Machine(
          host: row.value("host"), system: row.value("system"), architecture: row.value("architecture"),
          cores: row.value("cores")),
        build: RunRecord.Build(
          commit: row.value("revision"), isChanged: row.value("changed") ?? false, binary: row.value("binary")),
        isTimed: row.value("timed")))
  }

  private static func threshold(_ row: SQLiteRow) throws -> EvaluatedThreshold {
    try EvaluatedThreshold(
      text: row.value("text"), measurement: row.value("measurement"), source: row.value("source"),
      line: row.value("line"), verdict: Verdict(rawValue: row.value("verdict")) ?? .undecided,
      found: row.value("found"), advice: row.value("advice"), errorProbability: row.value("error_probability"),
      basis: row.value("basis"))
  }
}

/// A measurement as columns of the history's table, without `run` and `position`: the members of its JSON, those of
/// several kinds in one column.
private enum MeasurementRow {
  private static let figures: [(member: String, column: String)] = [
    ("value", "value"), ("mean", "value"), ("standardDeviation", "deviation"), ("count", "count"),
    ("successes", "count"), ("undecided", "undecided"), ("low", "low"), ("min", "low"), ("high", "high"),
    ("max", "high"), ("confidence", "confidence"), ("samples", "samples"), ("trials", "samples"),
  ]

  static func columns(of measurement: Scenarios.Measurement) throws -> [Column] {
    let (measure, json) = (measurement.measure, JSONField(measurement.json, file: "history"))
    let kind = try json.required("kind").string()
    let confidence = try json.member("confidence")?.figure()
    return [
      ("name", measure.name), ("label", measure.label), ("meaning", measure.meaning), ("unit", measure.unit),
      ("kind", kind), ("kind_confidence", confidence), ("divisor", measurement.bonferroniDivisor),
      ("evidence", measurement.evidence.map { JSONValue.object([$0.json]).text }),
    ]
      + (try figures.compactMap { member, column in
        try json.member(member).map { figure -> Column in
          if case .integer(let count) = figure.value { (column, count) } else { (column, try figure.figure()) }
        }
      })
  }

  /// Reads a measurement from every member that its kind may have.
  static func measurement(of row: SQLiteRow) throws -> Scenarios.Measurement {
    let texts = try ["name", "label", "meaning", "unit", "kind"].compactMap { column in
      try (row.value(column) as String?).map { JSONMember(column, .string($0)) }
    }
    let numbers = try (figures + [("divisor", "divisor")]).compactMap { member, column -> JSONMember? in
      let value: SQLiteStored = try row.value(column)
      switch value {
      case .integer(let count): return JSONMember(member, .integer(Int(count)))
      case .real(let figure): return JSONMember(member, .figure(figure))
      // SQLite stores NaN as NULL; an unknown range has no ends.
      default: return ["min", "max"].contains(member) ? nil : JSONMember(member, .null)
      }
    }
    var evidence: [JSONMember] = []
    if let text: String = try row.value("evidence"), case .object(let members) = try JSONValue(parsing: text) {
      evidence = members
    }
    return try Scenarios.Measurement(json: JSONField(.object(texts + numbers + evidence), file: "history"))
  }
}

extension SQLiteStored: SQLiteValue {
  var stored: SQLiteStored { self }
  init(_ stored: SQLiteStored) { self = stored }
}

package struct MeasurementTrend: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package let run: RecordedRun
    package let measurement: Scenarios.Measurement
    /// True if the scenario differs from that of the point before, so that the two are different experiments.
    package let isNewExperiment: Bool
  }

  package let measure: Measure
  package let points: [Point]

  package var changes: Int { points.count(where: \.isNewExperiment) }
}

extension MeasurementTrend {
  /// The measurements of runs, the oldest first; `nil` if there are none.
  init?(_ found: [(run: RecordedRun, measurement: Scenarios.Measurement)]) {
    guard let latest = found.last else { return nil }
    measure = latest.measurement.measure
    points = found.enumerated().map { location, one in
      let before = location > 0 ? found[location - 1].run : one.run
      let isNew = before.digest != one.run.digest || before.scenario != one.run.scenario
      return Point(run: one.run, measurement: one.measurement, isNewExperiment: isNew)
    }
  }
}

extension History {
  /// The trends of a scenario's measures: for the full name `ev[6d]` that measure, for a name alone each of its labels,
  /// without a name every measure.
  package func trends(
    of name: String? = nil, in slug: String, last: Int? = nil
  ) throws(ArchiveError) -> [MeasurementTrend] {
    let runs = Dictionary(try runs(of: slug).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let trends = try read { database in
      let known = try database.run(
        """
        SELECT DISTINCT m.name, m.label FROM measurements AS m JOIN runs ON runs.id = m.run WHERE slug = ?
        ORDER BY m.name, m.label
        """, slug
      ).map { row in try Measure(row.value("name"), of: row.value("label"), meaning: "", kind: .exact) }
      let exact = known.filter { $0.fullName == name }
      let wanted = exact.isEmpty ? known.filter { name == nil || $0.name == name } : exact
      if wanted.isEmpty, let name {
        throw HistoryProblem.noSuchMeasurement(
          name, scenario: slug, nearest: Spelling.nearest(to: name, among: known.flatMap { [$0.name, $0.fullName] }),
          known: known.map(\.name).reduce(into: []) { if $0.last != $1 { $0.append($1) } })
      }
      return try wanted.compactMap { one in
        let rows = try database.run(
          """
          SELECT m.* FROM measurements AS m JOIN runs ON runs.id = m.run
          WHERE slug = ? AND m.name = ? AND m.label IS ? ORDER BY started DESC, runs.id DESC LIMIT ?
          """, slug, one.name, one.label, last ?? -1
        ).map { row in (run: runs[try row.value("run")], measurement: try MeasurementRow.measurement(of: row)) }
        return MeasurementTrend(rows.reversed().compactMap { run, found in run.map { ($0, found) } })
      }
    }
    guard !trends.isEmpty else { throw .history(path: path, .empty) }
    return trends
  }
}

package struct Rebuilding: Hashable, Sendable {
  /// A run; a folder may have two: the complete one, and a later one that was ended early.
  package struct Run: Hashable, Sendable {
    package let folder: String
    package let started: Date
  }

  package struct PassedOver: Hashable, Sendable {
    package let folder: String
    package let cause: String
    /// True if the folder is damaged, so that a run may be missing from the history.
    package let isDamaged: Bool
  }

  package internal(set) var added: [Run] = []
  package internal(set) var known: [Run] = []
  package internal(set) var passedOver: [PassedOver] = []
}

extension History {
  /// The default folder of all runs: `runs`, next to the history.
  package static func defaultRuns(beside history: String) -> String { opened("runs", beside: history) }

  /// Returns true if the history has a run that did not come to its end.
  package func isKnown(_ run: UnfinishedRun) throws(ArchiveError) -> Bool {
    try read { try isKnown(run.record, folder: run.folder, in: $0) }
  }

  /// Records the runs of folders that are not in the history yet, all or none. Its other runs stay unchanged.
  ///
  /// A folder holds the latest run of a scenario and the latest complete one, so earlier runs do not come back.
  ///
  /// - Throws: `ArchiveError` if there is no such folder, and the errors of the history.
  package func rebuild(from root: String) throws(ArchiveError) -> Rebuilding {
    try Self.checkRuns(in: root)
    RunFolder.removeLeftovers(in: root)
    let stored = try RunFolder.all(in: root)
    let runs = stored.flatMap(Self.runs).sorted { $0.record.started < $1.record.started }
    return try write { database in
      var rebuilding = Rebuilding()
      for (folder, document, record) in runs {
        let run = Rebuilding.Run(folder: folder, started: record.started)
        if try isKnown(record, folder: folder, in: database) {
          rebuilding.known.append(run)
        } else {
          try self.record(document, record, folder: folder, in: database)
          rebuilding.added.append(run)
        }
      }
      for one in stored where Self.runs(in: one).isEmpty {
        rebuilding.passedOver.append(
          Rebuilding.PassedOver(folder: one.folder.path, cause: one.summary, isDamaged: one.problem != nil))
      }
      return rebuilding
    }
  }

  /// Checks that there is a folder to rebuild from.
  ///
  /// - Throws: `ArchiveError.noRunFolders`.
  package static func checkRuns(in root: String) throws(ArchiveError) {
    guard FileManager.default.fileExists(atPath: root) else { throw .noRunFolders(path: root) }
  }

  private typealias Found = (folder: String, document: ResultDocument, record: RunRecord)

  /// The runs in a folder: the complete run, and a later one that was ended early; a shard is none.
  private static func runs(in stored: StoredRun) -> [Found] {
    var runs: [Found] = []
    if let document = stored.document, let record = stored.completed, record.part == nil {
      runs.append((stored.folder.path, document, record))
    }
    if let document = stored.partial, let record = stored.latest, record.status == .interrupted, record.part == nil {
      runs.append((stored.folder.path, document, record))
    }
    return runs
  }

  private func isKnown(_ record: RunRecord, folder: String, in database: SQLiteConnection) throws -> Bool {
    try database.first(
      "SELECT EXISTS (SELECT 1 FROM runs WHERE folder = ? AND started = ? AND process = ?)", stored(folder),
      RunRecord.text(of: record.started), record.process) ?? false
  }
}
