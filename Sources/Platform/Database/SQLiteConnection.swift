// SPDX-License-Identifier: GPL-3.0-or-later
internal import CSQLite

/// A connection to a SQLite database: statements with values, transactions, and the two numbers in a file's header.
///
/// One thread uses a connection at a time; several connections, also of several processes, may use one file.
@safe
package final class SQLiteConnection {
  package enum Access: Sendable {
    case readOnly
    /// For reading and writing; a missing file is created.
    case readWrite
  }

  package enum Transaction: String, Sendable {
    /// All reads see the state of the database at the first read.
    case read = "DEFERRED"
    /// Waits for other writers at its beginning, so that they cannot make it fail later.
    case write = "IMMEDIATE"
  }

  package static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }

  private let handle: OpaquePointer
  /// Compiled statements by their text, kept for reuse.
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens a file, or a database in memory; a statement waits up to the given time for locks of other connections.
  package init(
    _ path: String = ":memory:", _ access: Access = .readWrite, patienceMilliseconds: Int32 = 5000
  ) throws(SQLiteError) {
    let flags = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let error = unsafe SQLiteError(code: code, handle: opened)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe self.handle = handle
    unsafe sqlite3_busy_timeout(handle, patienceMilliseconds)
  }

  // Statements that still exist keep the connection open until they are released.
  deinit { unsafe sqlite3_close_v2(handle) }

  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try unsafe SQLiteStatement(sql, handle)
  }

  /// Runs a statement with values for its question marks, and returns its rows.
  @discardableResult
  package func run(_ sql: String, _ values: any SQLiteValue...) throws(SQLiteError) -> [SQLiteRow] {
    try run(sql, values: values)
  }

  /// Runs a statement, which is compiled only the first time.
  @discardableResult
  package func run(_ sql: String, values: [any SQLiteValue]) throws(SQLiteError) -> [SQLiteRow] {
    if let statement = statements[sql] { return try statement.run(values) }
    let statement = try prepare(sql)
    statements[sql] = statement
    return try statement.run(values)
  }

  /// Runs statements without values, separated by semicolons.
  package func runAll(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, handle: handle) }
  }

  /// The first column of the first row; `nil` if there is no row.
  package func first<Value: SQLiteValue>(_ sql: String, _ values: any SQLiteValue...) throws(SQLiteError) -> Value? {
    try run(sql, values: values).first?.value(at: 0)
  }

  /// Runs the body in a transaction, which is rolled back if the body throws.
  package func transaction<Result>(_ kind: Transaction, _ body: () throws -> Result) throws -> Result {
    try runAll("BEGIN \(kind.rawValue)")
    do {
      let result = try body()
      try runAll("COMMIT")
      return result
    } catch {
      // Some errors, of a full disk for example, have rolled it back already.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? runAll("ROLLBACK") }
      throw error
    }
  }

  /// True if its file was removed, renamed or replaced since it was opened.
  package var hasMoved: Bool {
    var answer: Int32 = 0
    return unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer) == SQLITE_OK && answer != 0
  }

  package var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// A number in the file's header that counts the versions of a schema; 0 at first. `PRAGMA user_version` sets it.
  package func userVersion() throws(SQLiteError) -> Int { try first("PRAGMA user_version") ?? 0 }

  /// A number in the file's header that names the application; 0 at first. `PRAGMA application_id` sets it.
  package func applicationID() throws(SQLiteError) -> Int { try first("PRAGMA application_id") ?? 0 }
}

package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The primary result code, `SQLITE_BUSY` for example.
  package let code: Int32
  package let description: String

  package var isReadOnly: Bool { [SQLITE_READONLY, SQLITE_PERM].contains(code) }
  /// True if the file is damaged, no database, or one without the tables and columns that a statement names.
  package var isDamaged: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(code) }
  package var isNoDatabase: Bool { code == SQLITE_NOTADB }
  package var isBusy: Bool { code == SQLITE_BUSY }

  init(code: Int32, _ description: String) { (self.code, self.description) = (code & 0xFF, description) }

  init(code: Int32, handle: OpaquePointer?) {
    let text = unsafe handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle)
    self.init(code: code, unsafe text.map { unsafe String(cString: $0) } ?? "result code \(code)")
  }
}
