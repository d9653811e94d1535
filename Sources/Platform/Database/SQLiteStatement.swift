// SPDX-License-Identifier: GPL-3.0-or-later
internal import CSQLite

/// A statement that is compiled once and run with any number of values.
@safe
package final class SQLiteStatement {
  private let connection: OpaquePointer
  private let handle: OpaquePointer
  private let columns: [String]

  init(_ sql: String, _ connection: OpaquePointer) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, handle: connection) }
    guard let handle = unsafe prepared else { throw SQLiteError(code: SQLITE_MISUSE, "no statement in '\(sql)'") }
    unsafe (self.connection, self.handle) = (connection, handle)
    columns = (0..<(unsafe sqlite3_column_count(handle))).map { column in
      unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  deinit { unsafe sqlite3_finalize(handle) }

  @discardableResult
  package func run(_ values: [any SQLiteValue]) throws(SQLiteError) -> [SQLiteRow] {
    try bind(values)
    var rows: [SQLiteRow] = []
    while let row = try next() { rows.append(row) }
    return rows
  }

  /// Binds the values to the question marks, in order, and resets the statement.
  private func bind(_ values: [any SQLiteValue]) throws(SQLiteError) {
    unsafe sqlite3_reset(handle)
    let marks = Int(unsafe sqlite3_bind_parameter_count(handle))
    guard marks == values.count else {
      throw SQLiteError(code: SQLITE_RANGE, "\(values.count) values for \(marks) question marks")
    }
    for (value, position) in zip(values, Int32(1)...) {
      let code = bind(value.stored, at: position)
      guard code == SQLITE_OK else { throw unsafe SQLiteError(code: code, handle: connection) }
    }
  }

  private func bind(_ value: SQLiteStored, at position: Int32) -> Int32 {
    // SQLite copies the bytes before the call returns.
    let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return switch value {
    case .null: unsafe sqlite3_bind_null(handle, position)
    case .integer(let number): unsafe sqlite3_bind_int64(handle, position, number)
    case .real(let number): unsafe sqlite3_bind_double(handle, position, number)
    case .text(let text):
      unsafe sqlite3_bind_text64(handle, position, text, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
    case .blob([]): unsafe sqlite3_bind_zeroblob(handle, position, 0)
    case .blob(let bytes): unsafe sqlite3_bind_blob64(handle, position, bytes, UInt64(bytes.count), copied)
    }
  }

  /// The next row; `nil` after the last, when the statement has released its locks.
  private func next() throws(SQLiteError) -> SQLiteRow? {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return SQLiteRow(columns: columns, values: columns.indices.map { stored(Int32($0)) })
    case SQLITE_DONE:
      unsafe sqlite3_reset(handle)
      return nil
    case let code:
      let error = unsafe SQLiteError(code: code, handle: connection)
      unsafe sqlite3_reset(handle)
      throw error
    }
  }

  private func stored(_ column: Int32) -> SQLiteStored {
    let count = { Int(unsafe sqlite3_column_bytes(self.handle, column)) }
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let bytes = unsafe UnsafeBufferPointer(start: sqlite3_column_text(handle, column), count: count())
      return .text(unsafe String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = unsafe UnsafeRawBufferPointer(start: sqlite3_column_blob(handle, column), count: count())
      return .blob(unsafe [UInt8](bytes))
    default: return .null
    }
  }
}

/// A row, independent of its statement.
package struct SQLiteRow: Hashable, Sendable {
  let columns: [String]
  let values: [SQLiteStored]

  /// The value of a column; an optional takes `NULL`.
  package func value<Value: SQLiteValue>(_ column: String) throws(SQLiteError) -> Value {
    guard let position = columns.firstIndex(of: column) else {
      throw SQLiteError(code: SQLITE_RANGE, "found no column '\(column)', expected one of \(columns)")
    }
    return try value(at: position)
  }

  package func value<Value: SQLiteValue>(at position: Int) throws(SQLiteError) -> Value {
    guard let value = Value(values[position]) else {
      throw SQLiteError(
        code: SQLITE_MISMATCH, "column '\(columns[position])': found \(values[position]), expected \(Value.self)")
    }
    return value
  }
}

package enum SQLiteStored: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A value of a column. NaN is stored as `NULL`.
package protocol SQLiteValue {
  var stored: SQLiteStored { get }
  /// Converts a stored value; `nil` if it is of another type or does not fit.
  init?(_ stored: SQLiteStored)
}

extension String: SQLiteValue {
  package var stored: SQLiteStored { .text(self) }

  package init?(_ stored: SQLiteStored) {
    guard case .text(let text) = stored else { return nil }
    self = text
  }
}

extension SQLiteValue where Self: FixedWidthInteger {
  package var stored: SQLiteStored { .integer(Int64(self)) }

  package init?(_ stored: SQLiteStored) {
    guard case .integer(let number) = stored else { return nil }
    self.init(exactly: number)
  }
}

extension Int64: SQLiteValue {}
extension Int: SQLiteValue {}

extension Bool: SQLiteValue {
  package var stored: SQLiteStored { .integer(self ? 1 : 0) }

  package init?(_ stored: SQLiteStored) {
    guard case .integer(let number) = stored else { return nil }
    self = number != 0
  }
}

extension Double: SQLiteValue {
  package var stored: SQLiteStored { .real(self) }

  package init?(_ stored: SQLiteStored) {
    switch stored {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    case .null, .text, .blob: return nil
    }
  }
}

extension [UInt8]: SQLiteValue {
  package var stored: SQLiteStored { .blob(self) }

  package init?(_ stored: SQLiteStored) {
    guard case .blob(let bytes) = stored else { return nil }
    self = bytes
  }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
  package var stored: SQLiteStored { map(\.stored) ?? .null }

  package init?(_ stored: SQLiteStored) {
    guard stored != .null else {
      self = .none
      return
    }
    guard let value = Wrapped(stored) else { return nil }
    self = value
  }
}
