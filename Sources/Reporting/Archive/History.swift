// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
package import Foundation
internal import Reporting
internal import Synchronization

/// Every run, remembered: a SQLite database that several processes may use at once. `HistorySchema` says what is in it.
///
/// Two processes that open it together take turns while it is set up, by a lock on its folder; from then on SQLite's
/// own locks hold, and a writer waits for another for up to 30 seconds.
package final class History: Sendable {
  package static let usualPath = "Results/history.sqlite"

  package let path: String
  /// What a person should know of how it was opened: for example that a damaged file was set aside.
  package let remarks: [String]
  private let connection: Mutex<SQLiteConnection>

  /// Opens the history.
  ///
  /// A file that is damaged, or no SQLite database, is renamed to `<path>.damaged-<UTC time>`, together with what
  /// SQLite keeps next to it, and a new history is begun; `remarks` says so.
  package static func open(
    _ path: String = usualPath, mayBeNew isNew: Bool = true, now: Date = Date()
  ) throws(ArchiveError) -> History {
    try HistoryOpening(path: path, isNew: isNew, now: now).history()
  }

  fileprivate init(path: String, connection: sending SQLiteConnection, remarks: [String]) {
    (self.path, self.remarks) = (path, remarks)
    self.connection = Mutex(connection)
  }

  func read<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) throws(ArchiveError) -> Value {
    try transaction(.read, body)
  }

  func write<Value: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Value) throws(ArchiveError) -> Value {
    try transaction(.write, body)
  }

  private func transaction<Value: Sendable>(
    _ kind: SQLiteConnection.Transaction, _ body: @Sendable (SQLiteConnection) throws -> Value
  ) throws(ArchiveError) -> Value {
    do {
      return try connection.withLock { connection in
        try connection.transaction(kind) { try body(connection) }
      }
    } catch {
      throw Self.problem(error, path: path)
    }
  }

  fileprivate static func problem(_ error: any Error, path: String) -> ArchiveError {
    switch error {
    case let error as ArchiveError: error
    case let problem as HistoryProblem: .history(path: path, problem)
    case let error as SQLiteError where error.isReadOnly: .history(path: path, .isReadOnly(cause: "it is read-only"))
    default: .history(path: path, .refused(cause: "\(error)"))
    }
  }
}

/// Opening a history: look without touching, set aside what is damaged, and only then write.
private struct HistoryOpening {
  let path: String
  let isNew: Bool
  let now: Date

  private enum Finding {
    case absent, usable
    case damaged(String)
  }

  func history() throws(ArchiveError) -> History {
    try checkPlace()
    guard let lock = OpeningLock(folder) else {
      throw .history(path: path, .refused(cause: "the folder '\(folder)' cannot be locked"))
    }
    var remarks: [String] = []
    if case .damaged(let cause) = try looked() {
      let aside = try setAside()
      remarks.append(
        "the history '\(path)' was damaged (\(cause)): it is kept as '\(aside)', and a new one is begun; "
          + "'assay results rebuild' reads the runs that still have their folders into it.")
    }
    do {
      let connection = try connected(.readWrite)
      try HistorySchema.prepare(connection)
      _ = consume lock
      return History(path: path, connection: connection, remarks: remarks)
    } catch {
      throw History.problem(error, path: path)
    }
  }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  private func connected(_ access: SQLiteConnection.Access) throws(SQLiteError) -> sending SQLiteConnection {
    try SQLiteConnection(path, access, patienceMilliseconds: 30_000)
  }

  private func checkPlace() throws(ArchiveError) {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists && isFolder.boolValue { throw .history(path: path, .isFolder) }
    guard exists || isNew else { throw .history(path: path, .missing) }
    do {
      if !exists { try AtomicFile.makeFolder(folder) }
      try AtomicFile.checkWritable(path)
    } catch {
      guard case .unwritable(_, let cause, _) = error else { return }
      throw .history(path: path, .isReadOnly(cause: cause))
    }
    let permissions = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    guard (permissions ?? 0o222) & 0o222 != 0 else { throw .history(path: path, .isReadOnly(cause: "it is read-only")) }
  }

  /// Looks at the file by a connection that cannot write.
  private func looked() throws(ArchiveError) -> Finding {
    guard let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int, size > 0 else {
      return .absent
    }
    do {
      let connection = try connected(.readOnly)
      return try connection.transaction(.read) { try examined(connection) }
    } catch let error as SQLiteError where error.isDamaged {
      return .damaged(error.description)
    } catch {
      throw History.problem(error, path: path)
    }
  }

  private func examined(_ database: SQLiteConnection) throws -> Finding {
    let tables = try database.first("SELECT count(*) FROM sqlite_master") ?? 0
    guard try tables == 0 || database.applicationID() == HistorySchema.applicationID else {
      throw HistoryProblem.isForeign
    }
    let check = try database.first("PRAGMA quick_check(1)") ?? "ok"
    guard check == "ok" else { return .damaged(check.replacing("\n", with: " ")) }
    let version = try database.userVersion()
    guard version <= HistorySchema.steps.count else { throw HistoryProblem.isNewer(schema: version) }
    return .usable
  }

  /// Renames the file and what SQLite keeps next to it, to names that are not taken.
  private func setAside() throws(ArchiveError) -> String {
    let manager = FileManager.default
    let time = now.formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    let names = [""] + (2...99).map { "-\($0)" }
    let free = names.map { "\(path).damaged-\(time)\($0)" }.first { !manager.fileExists(atPath: $0) }
    guard let free else {
      throw .history(path: path, .refused(cause: "it is damaged, and so were too many before it"))
    }
    do {
      for part in ["-wal", "-shm", ""] where manager.fileExists(atPath: path + part) {
        try manager.moveItem(atPath: path + part, toPath: free + part)
      }
    } catch {
      throw .history(path: path, .isReadOnly(cause: "it is damaged and cannot be renamed"))
    }
    return free
  }
}

/// A folder, locked for one process at a time until the value goes away; nothing is left behind in it.
private struct OpeningLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock, which others hold for moments only; `nil` where the system refuses, as some network file
  /// systems do.
  init?(_ folder: String) {
    descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        return nil
      }
    }
  }

  deinit { close(descriptor) }
}

/// The tables of the history, `Results/history.sqlite`.
///
/// A SQLite database in WAL mode whose `application_id` is `0x41534159` ("ASAY"). Deleting a run deletes what belongs
/// to it. Version 1:
///
/// - `scenarios`: every scenario text that was run, once. `id`; `text`, the `scenario.yaml` as resolved.
/// - `runs`: a row a run. `id`, counted up and never used again; `slug`, the scenario's file without folder and ending;
///   `name`, what people call it; `kind`; `digest`, 8 hexadecimal digits; `verdict`, of all thresholds: `holds`,
///   `fails` or `undecided`; `status`: `complete`, `interrupted`, `incomplete` or `failed`; `started`, the second in
///   UTC as `run.json` writes it, `2026-11-21T12:00:00Z`; `process`, its number; `seconds` on the wall; `version` of
///   Assay; `gsl`, its version; `host`, `system`, `architecture` and `cores` of the machine; `workers` that shared the
///   work; `folder` of the run, relative to the history's own where it lies below that, else absolute; `command`;
///   `scenario`, a row of `scenarios`, or nothing where its text was not to be had. Since version 2 also `revision`,
///   the hash of the commit that the binary is built from; `changed`, 1 where the sources had changes besides, or 0;
///   `binary`, its SHA-256; each is nothing where it is not known. A process that begins in a folder at one second
///   is one run.
/// - `measurements`: all that is needed to state an interval at any confidence. `run`; `position`, from 0; `name`,
///   `label`, `meaning`, `unit` and `nature` of the measure, with `nature_confidence` where an interval was promised;
///   `form` of the value: `exact`, `count`, `proportion`, `mean` or `interval`; then what the form has: `value`
///   (nothing where it is no number), `count` (also of successes), `undecided`, `deviation`, `low`, `high`,
///   `confidence`, `samples` (also trials).
/// - `thresholds`: `run`, `position`, `text`, `measurement`, `source`, `line`, `verdict`, `found`, `remedy`,
///   `error_probability`, each as `result.json` has it; `line` is 0 where it was read from there.
///
/// The file's `user_version` counts the steps that made its tables. A step is never changed once it has been released;
/// later versions of Assay add others behind it.
enum HistorySchema {
  static let applicationID = 0x4153_4159

  static let steps = [version1, version2]

  /// How many steps a file has taken. A library counted them until 0.1.0, and left `user_version` at 0: its files have
  /// taken the first.
  static func version(of database: SQLiteConnection) throws -> Int {
    try max(database.userVersion(), database.applicationID() == applicationID ? 1 : 0)
  }

  /// Takes the steps that a file lacks.
  static func prepare(_ database: SQLiteConnection) throws {
    try database.runAll("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
    guard try version(of: database) < steps.count else { return }
    try database.transaction(.write) {
      for step in try steps.dropFirst(version(of: database)) { try database.runAll(step) }
      try database.runAll("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }

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
}
