// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import GRDB
internal import Reporting

/// Opening a history: look without touching, set aside what is damaged, and only then write.
struct HistoryOpening {
  let path: String
  let isNew: Bool
  let now: Date

  /// What a look at the file found.
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
      let pool = try DatabasePool(path: path, configuration: Self.configuration)
      try HistorySchema.migrator.migrate(pool)
      _ = consume lock
      return History(path: path, pool: pool, remarks: remarks)
    } catch {
      throw History.problem(error, path: path)
    }
  }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    return configuration
  }

  /// Checks that the file could be written, and makes its folder where it is wanted.
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
      var configuration = Self.configuration
      configuration.readonly = true
      return try DatabaseQueue(path: path, configuration: configuration).read(examined)
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      return .damaged(error.message ?? "no SQLite database")
    } catch {
      throw History.problem(error, path: path)
    }
  }

  private func examined(_ database: Database) throws -> Finding {
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    let mark = try Int32.fetchOne(database, sql: "PRAGMA application_id")
    guard tables == 0 || mark == HistorySchema.applicationID else {
      throw HistoryProblem.Thrown(problem: .isForeign)
    }
    let check = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "ok"
    guard check == "ok" else { return .damaged(check.replacing("\n", with: " ")) }
    let migrator = HistorySchema.migrator
    if try migrator.hasBeenSuperseded(database) {
      let unknown = try migrator.appliedIdentifiers(database).subtracting(migrator.migrations).sorted()
      throw HistoryProblem.Thrown(problem: .isNewer(steps: unknown))
    }
    return .usable
  }

  /// Renames the file and what SQLite keeps beside it, to names that are not taken.
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
