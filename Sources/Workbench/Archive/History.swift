// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
internal import Reporting
internal import Synchronization

/// The history of all runs: a SQLite database that several processes may use at once. `HistorySchema` describes its
/// tables, `HistoryOpening` how it is found and made.
///
/// The latest run of each scenario is in a folder too, from which `rebuild` reads it; earlier runs are only in the
/// history. A statement waits for other processes for up to 30 seconds.
package final class History: Sendable {
  package static let usualPath = "Results/history.sqlite"

  /// The purpose for which a command opens the history.
  package enum Purpose: Sendable {
    /// To read: nothing in the history's folder is changed, and it may be read-only.
    case reading
    /// To remove runs from an existing history.
    case pruning
    /// To add runs. A missing history is created.
    case recording
    /// Like `recording`, but a damaged history is renamed and a new one is created.
    case rebuilding
  }

  package let path: String
  private let opening: HistoryOpening
  private let connection: Mutex<SQLiteConnection>

  /// Opens the history. A statement waits up to the given time for other processes; remarks are for the user, for
  /// example that a damaged file was renamed.
  package static func open(
    _ path: String = usualPath, for purpose: Purpose = .recording, patienceMilliseconds: Int32 = 30_000,
    remark: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(ArchiveError) -> History {
    let opening = HistoryOpening(
      path: path, purpose: purpose, patienceMilliseconds: patienceMilliseconds, remark: remark)
    do {
      return History(opening, try opening.connection())
    } catch {
      throw problem(error, path: path)
    }
  }

  init(_ opening: HistoryOpening, _ connection: sending SQLiteConnection) {
    (path, self.opening) = (opening.path, opening)
    self.connection = Mutex(connection)
  }

  func read<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) throws(ArchiveError) -> Value {
    try transaction(.read, body)
  }

  /// Changes the file that now is at the path, even if it was removed or replaced since it was opened.
  func write<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) throws(ArchiveError) -> Value {
    try transaction(.write, body)
  }

  private func transaction<Value: Sendable>(
    _ kind: SQLiteConnection.Transaction, _ body: @Sendable (SQLiteConnection) throws -> Value
  ) throws(ArchiveError) -> Value {
    do {
      return try connection.withLock { connection in
        if kind == .write, connection.hasMoved {
          opening.remark(
            "the history '\(path)' was removed or replaced while it was in use: the file that is there from now on "
              + "gets what is recorded, and 'assay results rebuild' adds the runs that have folders.")
          connection = try opening.connection()
        }
        return try connection.transaction(kind) { try body(connection) }
      }
    } catch {
      throw Self.problem(error, path: path)
    }
  }

  private static func problem(_ error: any Error, path: String) -> ArchiveError {
    switch error {
    case let error as ArchiveError: error
    case let problem as HistoryProblem: .history(path: path, problem)
    case let error as SQLiteError where error.isReadOnly: .history(path: path, .isReadOnly(cause: "it is read-only"))
    case let error as SQLiteError where error.isBusy:
      .history(path: path, .isInUse(path))
    case let error as SQLiteError where error.isDamaged: .history(path: path, .isDamaged(cause: error.description))
    case let error as ReportingError: .history(path: path, .isDamaged(cause: error.description))
    default: .history(path: path, .refused(cause: "SQLite says: \(error)"))
    }
  }
}

/// The tables of the history, `Results/history.sqlite`.
///
/// A SQLite database whose `application_id` is `0x41534159` ("ASAY"). Its journal is SQLite's rollback journal, so that
/// reading creates no file next to it and works on a read-only medium; earlier versions used a write-ahead log.
/// Deleting a run deletes its rows in all tables. Version 1:
///
/// - `scenarios`: every scenario text that was run, once. `id`; `text`, the `scenario.yaml` as resolved.
/// - `runs`: a row for each run. `id`, counted up and never used again; `slug`, the scenario's file without folder and
///   ending; `name`, its name for people; `kind`; `digest`, 8 hexadecimal digits; `verdict`, of all thresholds:
///   `holds`, `fails` or `undecided`; `status`: `complete`, `interrupted`, `incomplete` or `failed`; `started`, the
///   second in UTC as `run.json` writes it, `2026-11-21T12:00:00Z`; `process`, its number; `seconds` by the wall clock;
///   `version` of Assay; `gsl`, its version; `host`, `system`, `architecture` and `cores` of the machine; `workers`
///   that shared the work; `folder` of the run, relative to the history's own where it lies below that, else absolute;
///   `command`; `scenario`, a row of `scenarios`, or NULL if its text was not available. Since version 2 also
///   `revision`, the hash of the commit that the binary is built from; `changed`, 1 if the sources had further changes,
///   or 0; `binary`, its SHA-256; each is NULL if unknown. A process that begins in a folder at one second is one run.
/// - `measurements`: all data for an interval at any confidence. `run`; `position`, from 0; `name`, `label`, `meaning`,
///   `unit` and `nature` of the measure, with `nature_confidence` for an interval; `form` of the value: `exact`,
///   `count`, `proportion`, `mean` or `interval`; then the figures of the form: `value` (NULL for NaN), `count` (also
///   of successes), `undecided`, `deviation`, `low` and `high` (of a mean, the range of each observation, if known),
///   `confidence`, `samples` (also trials).
/// - `thresholds`: `run`, `position`, `text`, `measurement`, `source`, `line`, `verdict`, `found`, `remedy`,
///   `error_probability`, each as in `result.json`; `line` is 0 if it was read from there.
///
/// The file's `user_version` counts the steps that made its tables. A step is never changed once it has been released;
/// later versions of Assay append others.
enum HistorySchema {
  static let applicationID = 0x4153_4159

  static let steps = [version1, version2, version3, version4, version5]

  /// The number of steps that a file has taken. Until 0.1.0 a library counted them and left `user_version` at 0: its
  /// files have taken the first.
  static func version(of database: SQLiteConnection) throws -> Int {
    try max(database.userVersion(), database.applicationID() == applicationID ? 1 : 0)
  }

  /// The SQL that creates the tables and indices of a database; empty if it cannot be computed.
  static let definitions: Set<String> = {
    guard let database = try? SQLiteConnection(), (try? prepare(database)) != nil else { return [] }
    return (try? definitions(of: database)) ?? []
  }()

  static func definitions(of database: SQLiteConnection) throws -> Set<String> {
    Set(try database.run("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").map { try $0.value("sql") })
  }

  /// Takes the steps that a file lacks, all or none.
  static func prepare(_ database: SQLiteConnection) throws {
    // A write-ahead log stays if an earlier version has the file open.
    if try database.first("PRAGMA journal_mode") == "wal" { try? database.runAll("PRAGMA journal_mode = DELETE") }
    try database.runAll("PRAGMA foreign_keys = ON")
    guard try version(of: database) < steps.count else { return }
    try database.transaction(.write) {
      for step in try steps.dropFirst(version(of: database)) { try database.runAll(step) }
      try database.runAll("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }

  /// The column of a verdict keeps its former name: another one would need a step of the schema and a copy of every
  /// history, although only this file reads it.
  private static let version1 = """
    CREATE TABLE scenarios (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      slug TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      digest TEXT NOT NULL,
      judgement TEXT NOT NULL CHECK (judgement IN ('holds', 'fails', 'undecided')),
      status TEXT NOT NULL CHECK (status IN ('complete', 'interrupted', 'incomplete', 'failed')),
      started TEXT NOT NULL,
      process INTEGER NOT NULL,
      seconds REAL,
      version TEXT NOT NULL,
      gsl TEXT NOT NULL,
      host TEXT NOT NULL,
      system TEXT NOT NULL,
      architecture TEXT NOT NULL,
      cores INTEGER NOT NULL,
      workers INTEGER NOT NULL,
      folder TEXT NOT NULL,
      command TEXT NOT NULL,
      scenario INTEGER REFERENCES scenarios (id),
      UNIQUE (folder, started, process)
    ) STRICT;
    CREATE INDEX runs_in_time ON runs (started);
    CREATE INDEX runs_of_slug ON runs (slug, started);
    CREATE INDEX runs_of_scenario ON runs (scenario);

    CREATE TABLE measurements (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      label TEXT,
      meaning TEXT NOT NULL,
      unit TEXT NOT NULL,
      nature TEXT NOT NULL CHECK (nature IN ('exact', 'count', 'proportion', 'mean', 'interval')),
      nature_confidence REAL,
      form TEXT NOT NULL CHECK (form IN ('exact', 'count', 'proportion', 'mean', 'interval')),
      value REAL,
      count INTEGER,
      undecided INTEGER,
      deviation REAL,
      low REAL,
      high REAL,
      confidence REAL,
      samples INTEGER,
      PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX measurements_by_name ON measurements (name, label, run);

    CREATE TABLE thresholds (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      text TEXT NOT NULL,
      measurement TEXT NOT NULL,
      source TEXT NOT NULL,
      line INTEGER NOT NULL,
      judgement TEXT NOT NULL CHECK (judgement IN ('holds', 'fails', 'undecided')),
      found TEXT NOT NULL,
      remedy TEXT NOT NULL,
      error_probability REAL NOT NULL,
      PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;
    """

  private static let version2 = """
    ALTER TABLE runs ADD COLUMN revision TEXT;
    ALTER TABLE runs ADD COLUMN changed INTEGER;
    ALTER TABLE runs ADD COLUMN binary TEXT;
    CREATE INDEX runs_of_revision ON runs (revision, started);
    """

  private static let version3 = "ALTER TABLE runs ADD COLUMN timed INTEGER;"

  private static let version4 = "ALTER TABLE measurements ADD COLUMN sharing INTEGER;"

  private static let version5 = """
    ALTER TABLE measurements ADD COLUMN evidence TEXT;
    ALTER TABLE thresholds ADD COLUMN basis TEXT;
    """
}
