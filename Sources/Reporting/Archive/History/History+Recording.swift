// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import GRDB
internal import Reporting
internal import Scenarios

extension History {
  /// Records a run that came to its end, or was ended early.
  ///
  /// - Parameter run: the run; its folder is written.
  /// - Returns: its number.
  /// - Throws: `ArchiveError.history`; nothing is recorded then, and the folder stays as it is.
  @discardableResult
  package func record(_ run: FinishedRun) throws(ArchiveError) -> Int64 {
    try record(run.document, run.record, folder: run.folder)
  }

  /// Records a run. The same run recorded again, by folder, beginning and process, replaces what was recorded of it.
  ///
  /// - Parameters:
  ///   - document: what it found.
  ///   - record: when, where and how fast it was.
  ///   - folder: its folder; `scenario.yaml` there is kept in the history as well.
  /// - Returns: the run's number.
  /// - Throws: `ArchiveError.history`; nothing is recorded then.
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
  func stored(_ folder: String) -> String {
    let (place, home) = (URL(fileURLWithPath: folder).standardizedFileURL.path, home)
    return place.hasPrefix(home + "/") ? String(place.dropFirst(home.count + 1)) : place
  }

  /// A folder as the process can open it.
  func opened(_ folder: String) -> String {
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
    let columns: [(name: String, value: (any DatabaseValueConvertible)?)] = [
      ("folder", folder), ("started", started), ("process", record.process), ("slug", document.slug),
      ("name", document.name),
      ("kind", document.kind), ("digest", document.digest), ("judgement", document.judgement.rawValue),
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
      let found = zip(MeasurementRow.columns, MeasurementRow.values(of: measurement)).map { (name: $0, value: $1) }
      try insert(into: "measurements", [("run", run), ("position", position)] + found, in: database)
    }
    for (position, threshold) in document.thresholds.enumerated() {
      try insert(
        into: "thresholds",
        [
          ("run", run), ("position", position), ("text", threshold.text), ("measurement", threshold.measurement),
          ("source", threshold.source), ("line", threshold.line), ("judgement", threshold.judgement.rawValue),
          ("found", threshold.found), ("remedy", threshold.remedy),
          ("error_probability", threshold.errorProbability),
        ], in: database)
    }
  }

  private static func insert(
    into table: String, _ columns: [(name: String, value: (any DatabaseValueConvertible)?)], in database: Database
  ) throws {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try database.cachedStatement(sql: "INSERT INTO \(table) (\(names)) VALUES (\(marks))")
    try statement.execute(arguments: StatementArguments(columns.map(\.value)))
  }
}
