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
  package static let defaultPath = "Results/history.sqlite"

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
    _ path: String = defaultPath, for purpose: Purpose = .recording, patienceMilliseconds: Int32 = 30_000,
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
/// A SQLite database whose `application_id` is `0x41534159` ("ASAY") and whose `user_version` is the number of this
/// schema. Its journal is SQLite's rollback journal, so that reading creates no file next to it and works on a
/// read-only medium. Deleting a run deletes its rows in all tables.
///
/// - `scenarios`: every scenario text that was run, once. `id`; `text`, the `scenario.yaml` as resolved.
/// - `runs`: a row for each run. `id`, counted up and never used again; `slug`, the scenario's file without folder and
///   ending; `name`, its name for people; `kind`; `digest`, 8 hexadecimal digits; `verdict`, of all thresholds:
///   `holds`, `fails`, `undecided` or `none`; `status`: `complete`, `interrupted`, `incomplete` or `failed`; `started`,
///   the second in UTC as `run.json` writes it, `2026-11-21T12:00:00Z`; `process`, its number; `seconds` by the wall
///   clock; `version` of Assay; `gsl`, its version; `host`, `system`, `architecture` and `cores` of the machine;
///   `workers` that shared the work; `folder` of the run, relative to the history's own where it lies below that, else
///   absolute; `command`; `scenario`, a row of `scenarios`, or NULL if its text was not available; `revision`, the hash
///   of the commit that the binary is built from; `changed`, 1 if the sources had further changes, or 0; `binary`, its
///   SHA-256; each is NULL if unknown; `timed`, 1 if the result depends on the machine's speed. A process that begins
///   in a folder at one second is one run.
/// - `measurements`: all data for an interval at any confidence. `run`; `position`, from 0; `name`, `label`, `meaning`,
///   `unit` and `kind` of the measure, with `kind_confidence` for an interval; then the figures of the kind: `value`
///   (NULL for NaN), `count` (also of successes), `undecided`, `deviation`, `low` and `high` (of a mean, the range of
///   each observation, if known), `confidence`, `samples` (also trials); `divisor` of the error; `evidence`, as JSON.
/// - `thresholds`: `run`, `position`, `text`, `measurement`, `source`, `line`, `verdict`, `found`, `advice`,
///   `error_probability`, `basis`, each as in `result.json`; `line` is 0 if it was read from there.
enum HistorySchema {
  static let applicationID = 0x4153_4159
  static let number = 1

  /// The SQL that creates the tables and indices of a database; empty if it cannot be computed.
  static let definitions: Set<String> = {
    guard let database = try? SQLiteConnection(), (try? prepare(database)) != nil else { return [] }
    return (try? definitions(of: database)) ?? []
  }()

  static func definitions(of database: SQLiteConnection) throws -> Set<String> {
    Set(try database.run("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").map { try $0.value("sql") })
  }

  /// Creates the tables, all or none, where there are none.
  static func prepare(_ database: SQLiteConnection) throws {
    try database.runAll("PRAGMA foreign_keys = ON")
    try database.transaction(.write) {
      guard try definitions(of: database).isEmpty else { return }
      try database.runAll(tables + "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(number)")
    }
  }

  static let tables = """
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
      verdict TEXT NOT NULL CHECK (verdict IN ('holds', 'fails', 'undecided', 'none')),
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
      revision TEXT,
      changed INTEGER,
      binary TEXT,
      timed INTEGER NOT NULL,
      UNIQUE (folder, started, process)
    ) STRICT;
    CREATE INDEX runs_in_time ON runs (started);
    CREATE INDEX runs_of_slug ON runs (slug, started);
    CREATE INDEX runs_of_scenario ON runs (scenario);
    CREATE INDEX runs_of_revision ON runs (revision, started);

    CREATE TABLE measurements (
      run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      label TEXT,
      meaning TEXT NOT NULL,
      unit TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('exact', 'count', 'proportion', 'mean', 'interval')),
      kind_confidence REAL,
      value REAL,
      count INTEGER,
      undecided INTEGER,
      deviation REAL,
      low REAL,
      high REAL,
      confidence REAL,
      samples INTEGER,
      divisor INTEGER NOT NULL,
      evidence TEXT,
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
      verdict TEXT NOT NULL CHECK (verdict IN ('holds', 'fails', 'undecided')),
      found TEXT NOT NULL,
      advice TEXT NOT NULL,
      error_probability REAL NOT NULL,
      basis TEXT NOT NULL,
      PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;

    """
}
