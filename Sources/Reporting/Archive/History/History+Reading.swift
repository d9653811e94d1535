// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import GRDB
internal import Reporting
internal import Scenarios

extension History {
  /// The runs, the newest first.
  ///
  /// - Parameters:
  ///   - slug: only those of this scenario; all where it is `nil`.
  ///   - last: at most so many; all where it is `nil`.
  /// - Returns: at least one run.
  /// - Throws: `ArchiveError.history`: where the history is empty, or the scenario was never run.
  package func runs(of slug: String? = nil, last: Int? = nil) throws(ArchiveError) -> [RecordedRun] {
    try read { database in
      if let slug {
        let known = try Self.slugs(database)
        guard known.contains(slug) else {
          let nearest = Spelling.nearest(to: slug, among: known)
          throw HistoryProblem.Thrown(
            problem: known.isEmpty ? .empty : .noSuchScenario(slug, nearest: nearest, known: known))
        }
      }
      let runs = try Row.fetchAll(
        database,
        sql: "SELECT * FROM runs WHERE slug = ? OR ? IS NULL ORDER BY started DESC, id DESC LIMIT ?",
        arguments: [slug, slug, last ?? -1]
      ).map(run)
      if runs.isEmpty { throw HistoryProblem.Thrown(problem: .empty) }
      return runs
    }
  }

  /// The run that a person names.
  ///
  /// - Parameter name: its number; `latest`; a scenario, or the name of a run's folder, for the latest of it; and `~1`
  ///   behind a name for the one before, `~2` for the one before that.
  /// - Returns: the run.
  /// - Throws: `ArchiveError.history` with the nearest name.
  package func run(named name: String) throws(ArchiveError) -> RecordedRun {
    try read { database in
      if let id = Int64(name) {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM runs WHERE id = ?", arguments: [id])
        if let row { return try run(row) }
      }
      let parts = name.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
      let known = try Self.slugs(database)
      guard !known.isEmpty else { throw HistoryProblem.Thrown(problem: .empty) }
      let back = parts.count == 2 ? Int(parts[1]) : 0
      let rows = try Self.rows(of: String(parts.first ?? ""), in: database)
      guard let back, back >= 0, !rows.isEmpty else {
        let nearest = Spelling.nearest(to: String(parts.first ?? ""), among: known + ["latest"])
        throw HistoryProblem.Thrown(problem: .noSuchRun(name, nearest: nearest, known: known))
      }
      guard back < rows.count else {
        throw HistoryProblem.Thrown(problem: .noEarlierRun(name, runs: rows.count))
      }
      return try run(rows[back])
    }
  }

  /// What a run found.
  ///
  /// - Parameter run: a run of this history.
  /// - Returns: its findings.
  /// - Throws: `ArchiveError.history`.
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

  /// Every scenario that has a run, by name.
  static func slugs(_ database: Database) throws -> [String] {
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

  /// A row as a run.
  func run(_ row: Row) throws -> RecordedRun {
    func text(_ column: String) throws -> String { try row.decode(String.self, forColumn: column) }
    func whole(_ column: String) throws -> Int { try row.decode(Int.self, forColumn: column) }
    return try RecordedRun(
      id: row.decode(Int64.self, forColumn: "id"), slug: text("slug"), name: text("name"), kind: text("kind"),
      digest: text("digest"), judgement: Judgement(rawValue: text("judgement")) ?? .undecided,
      status: RunRecord.Status(rawValue: text("status")) ?? .incomplete,
      started: Date(text("started"), strategy: .iso8601), process: whole("process"),
      seconds: row.decode(Double?.self, forColumn: "seconds"), version: text("version"), gsl: text("gsl"),
      machine: RunRecord.Machine(
        host: text("host"), system: text("system"), architecture: text("architecture"), cores: whole("cores")),
      workers: whole("workers"), folder: opened(text("folder")), command: text("command"))
  }

  private static func threshold(_ row: Row) throws -> JudgedThreshold {
    func text(_ column: String) throws -> String { try row.decode(String.self, forColumn: column) }
    return try JudgedThreshold(
      text: text("text"), measurement: text("measurement"), source: text("source"),
      line: row.decode(Int.self, forColumn: "line"),
      judgement: Judgement(rawValue: text("judgement")) ?? .undecided, found: text("found"), remedy: text("remedy"),
      errorProbability: row.decode(Double.self, forColumn: "error_probability"))
  }
}
