// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
internal import Foundation
internal import LiveCore
public import ProfileCore

/// The waiting edits, in a SQLite file: each key is one transaction, so that an app that is killed at any instant finds
/// the text before the key or after it.
///
/// One thread uses a queue at a time.
public final class EditQueue {
  private let connection: SQLiteConnection
  /// The parts of a damaged file that could not be read, and its new path.
  public let losses: [String]

  /// A queue in a file, which is created if missing.
  ///
  /// A damaged file is moved to `PATH.damaged` (`.damaged-2` and so on), and its readable parts to a new one.
  ///
  /// - Throws: `EditQueueError` if the file cannot be opened or created.
  public init(_ path: String) throws(EditQueueError) {
    do {
      (connection, losses) = try Self.open(path)
    } catch let error as EditQueueError {
      throw error
    } catch {
      throw EditQueueError(path: path, cause: "\(error)")
    }
  }

  // With a rowid, so that a search by field reads no page with another field's text, which may be damaged.
  private static let tables = """
    CREATE TABLE IF NOT EXISTS edits (field TEXT PRIMARY KEY, text BLOB, base BLOB, version INTEGER, unsure BLOB,
      number INTEGER NOT NULL, earliest INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, field TEXT NOT NULL, text BLOB NOT NULL);
    """

  private static func open(_ path: String) throws -> (SQLiteConnection, [String]) {
    do {
      let connection = try prepared(path)
      if let verdict: String = try connection.first("PRAGMA integrity_check(1)"), verdict == "ok" {
        return (connection, try bad(in: connection).map { "\(path): \($0)" })
      }
    } catch let error as SQLiteError where error.isDamaged {}
    return try recovered(path)
  }

  private static func prepared(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path)
    try connection.runAll("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    try connection.runAll(tables)
    return connection
  }

  /// Moves a damaged file away, and copies each readable field.
  private static func recovered(_ path: String) throws -> (SQLiteConnection, [String]) {
    let files = FileManager.default
    var (aside, number) = ("\(path).damaged", 2)
    while files.fileExists(atPath: aside) {
      aside = "\(path).damaged-\(number)"
      number += 1
    }
    try files.moveItem(atPath: path, toPath: aside)
    for ending in ["-wal", "-shm"] where files.fileExists(atPath: path + ending) {
      try files.moveItem(atPath: path + ending, toPath: aside + ending)
    }
    let fresh = try prepared(path)
    var losses: [String] = []
    for field in ProfileField.allCases {
      do {
        if let record = try record(of: field, in: SQLiteConnection(aside)) { try write(record, of: field, to: fresh) }
      } catch {
        losses.append("\(field.rawValue): \(error); the damaged file is kept as \(aside)")
      }
    }
    return (fresh, losses)
  }

  private static func bad(in connection: SQLiteConnection) throws -> [String] {
    try connection.run("SELECT field FROM edits").compactMap { row in
      let name: String = try row.value("field")
      return ProfileField(rawValue: name) == nil
        ? "found field '\(excerpt(name))', expected one of \(ProfileField.allCases.map(\.rawValue)); it stays there"
        : nil
    }
  }

  private static func record(
    of field: ProfileField, in connection: SQLiteConnection
  ) throws -> FieldRecord<String>? {
    let rows = try connection.run(
      "SELECT text, base, version, unsure, number, earliest FROM edits WHERE field = ?", field.rawValue)
    guard let row = rows.first else { return nil }
    // Invalid UTF-8 becomes U+FFFD; the rest of the text stays.
    func text(_ column: String) throws -> String? {
      let bytes: [UInt8]? = try row.value(column)
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
    guard let typed = try text("text"), let base = try text("base") else { return nil }
    return FieldRecord(
      text: typed, base: base, version: try row.value("version"), unsure: try text("unsure"),
      nextSave: try row.value("number"), notBefore: Instant(nanoseconds: try row.value("earliest")))
  }

  private static func write(
    _ record: FieldRecord<String>, of field: ProfileField, to connection: SQLiteConnection
  ) throws(SQLiteError) {
    try connection.run(
      """
      INSERT OR REPLACE INTO edits (field, text, base, version, unsure, number, earliest)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      field.rawValue, Array(record.text.utf8), Array(record.base.utf8), record.version,
      record.unsure.map { Array($0.utf8) }, record.nextSave, record.notBefore.nanoseconds)
  }

  /// Carries out an editor's effects on the queue in one transaction. Call it before anything is sent.
  ///
  /// - Throws: `EditQueueError`; then nothing is written.
  public func apply(_ effects: FieldEffects<String>, of field: ProfileField) throws(EditQueueError) {
    guard effects.keep != nil || effects.store != nil || effects.forgets else { return }
    try about(field) {
      try connection.transaction(.write) {
        if let kept = effects.keep {
          try connection.run("INSERT INTO kept (field, text) VALUES (?, ?)", field.rawValue, Array(kept.utf8))
        }
        if let record = effects.store { try Self.write(record, of: field, to: connection) }
        if effects.forgets {
          try connection.run(
            "UPDATE edits SET text = NULL, base = NULL, version = NULL, unsure = NULL WHERE field = ?", field.rawValue)
        }
      }
    }
  }

  private func about<Value>(_ field: ProfileField, _ body: () throws -> Value) throws(EditQueueError) -> Value {
    do {
      return try body()
    } catch {
      throw EditQueueError(path: field.rawValue, cause: "\(error)")
    }
  }

  /// The record of a field; nil if no edit waits.
  ///
  /// - Throws: `EditQueueError` if the row cannot be read.
  public func record(of field: ProfileField) throws(EditQueueError) -> FieldRecord<String>? {
    try about(field) { try Self.record(of: field, in: connection) }
  }

  /// The number of the next save of a field, from 1.
  ///
  /// - Throws: `EditQueueError`.
  public func nextSave(of field: ProfileField) throws(EditQueueError) -> Int {
    try about(field) { try connection.first("SELECT number FROM edits WHERE field = ?", field.rawValue) ?? 1 }
  }

  /// The texts of a field that gave way to others, the oldest first.
  ///
  /// - Throws: `EditQueueError`.
  public func kept(of field: ProfileField) throws(EditQueueError) -> [String] {
    try about(field) {
      try connection.run("SELECT text FROM kept WHERE field = ? ORDER BY id", field.rawValue).map { row in
        String(decoding: try row.value("text") as [UInt8], as: UTF8.self)
      }
    }
  }
}

/// A queue that cannot be read or written.
public struct EditQueueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, or the field in it.
  public let path: String
  /// The error of SQLite or the system.
  public let cause: String

  /// The place, the cause and how to continue.
  public var description: String {
    "\(path): \(cause); free space or choose another file, the text stays on the screen."
  }
}

/// A text for an error, cut to 80 characters.
private func excerpt(_ text: String) -> String { text.count > 80 ? "\(text.prefix(79))…" : text }
