// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
internal import GRDB
internal import Reporting

/// Every run, remembered: a SQLite database that several processes may use at once. `HistorySchema` says what is in it.
///
/// Two processes that open it together take turns while it is set up, by a lock on its folder; from then on SQLite's
/// own locks hold, and a writer waits for another for up to 30 seconds.
package final class History: Sendable {
  /// Where the history lies where nobody says otherwise.
  package static let usualPath = "Results/history.sqlite"

  /// The file.
  package let path: String
  /// What a person should know of how it was opened: for example that a damaged file was set aside.
  package let remarks: [String]
  let pool: DatabasePool

  /// Opens the history.
  ///
  /// A file that is damaged, or no SQLite database, is renamed to `<path>.damaged-<UTC time>`, together with what
  /// SQLite keeps beside it, and a new history is begun; `remarks` says so.
  ///
  /// - Parameters:
  ///   - path: the file; it and its folder are made where there is none.
  ///   - isNew: whether it may be made; where it may not, a missing file is an error.
  ///   - now: the time that a damaged file is named after.
  /// - Returns: the history, of this version's schema.
  /// - Throws: `ArchiveError.history` where the file is a folder, read-only, of a newer version or of something else.
  package static func open(
    _ path: String = usualPath, mayBeNew isNew: Bool = true, now: Date = Date()
  ) throws(ArchiveError) -> History {
    try HistoryOpening(path: path, isNew: isNew, now: now).history()
  }

  init(path: String, pool: DatabasePool, remarks: [String]) {
    (self.path, self.pool, self.remarks) = (path, pool, remarks)
  }

  /// Reads, at one moment of the history.
  func read<Value>(_ body: (Database) throws -> Value) throws(ArchiveError) -> Value {
    try reported { try pool.read(body) }
  }

  /// Writes all of it or nothing.
  func write<Value>(_ body: (Database) throws -> Value) throws(ArchiveError) -> Value {
    try reported { try pool.write(body) }
  }

  private func reported<Value>(_ body: () throws -> Value) throws(ArchiveError) -> Value {
    do {
      return try body()
    } catch {
      throw Self.problem(error, path: path)
    }
  }

  /// What a thrown error means to a person.
  static func problem(_ error: any Error, path: String) -> ArchiveError {
    switch error {
    case let error as ArchiveError: error
    case let problem as HistoryProblem.Thrown: .history(path: path, problem.problem)
    case let error as DatabaseError where [.SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode):
      .history(path: path, .isReadOnly(cause: "it is read-only"))
    case let error as DatabaseError: .history(path: path, .refused(cause: error.message ?? "\(error.resultCode)"))
    default: .history(path: path, .refused(cause: "\(error)"))
    }
  }
}

extension HistoryProblem {
  /// A problem found inside a transaction, which it undoes.
  struct Thrown: Error {
    let problem: HistoryProblem
  }
}
