// SPDX-License-Identifier: GPL-3.0-or-later
internal import GRDB

/// The SQLite that keeps the history.
package enum SQLiteLibrary {
  /// Its version, for example `3.40.1`.
  ///
  /// - Returns: `nil` where it does not even open a database in memory.
  package static func version() -> String? {
    try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }
}
