// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
internal import Foundation
internal import Reporting

/// Finds the history, and creates it if there is none.
///
/// A file is examined before anything is changed, first by its header, then by a read-only connection. It is a history
/// if it has the `application_id` of one, or a table that only a history has. An unreadable file counts as one if its
/// bytes have the `application_id`, if it is too short for that number but begins like SQLite, or if it is at the usual
/// path. Any other file belongs to somebody else: it is refused and left unchanged. An empty file, or a database
/// without a table, was left by a killed process.
///
/// The tables are created in one transaction, so a kill leaves all of them or none. Only `results rebuild` renames a
/// damaged history, since earlier runs of a scenario are in that file alone.
struct HistoryOpening: Sendable {
  let path: String
  let purpose: History.Purpose
  let patienceMilliseconds: Int32
  let remark: @Sendable (String) -> Void

  /// The path of the file, with symbolic links resolved.
  private let file: String
  /// The size of some thousand runs, which are read in a moment.
  private static let maxBytesChecked = 16 << 20
  /// The files that SQLite keeps next to a database.
  private static let companions = ["-journal", "-wal", "-shm"]

  init(
    path: String, purpose: History.Purpose, patienceMilliseconds: Int32, remark: @escaping @Sendable (String) -> Void
  ) {
    (self.path, self.purpose, self.patienceMilliseconds) = (path, purpose, patienceMilliseconds)
    self.remark = remark
    file = URL(fileURLWithPath: FilePath.literal(path)).resolvingSymlinksInPath().path
  }

  private enum Finding: Equatable {
    case absent
    /// Begun, but empty.
    case unfinished
    case usable
    case damaged(String)
  }

  /// Opens the history, and creates a missing one for a command that adds runs.
  func connection() throws -> sending SQLiteConnection {
    var (finding, connection) = try looked()
    if purpose != .reading, finding != .absent || purpose != .pruning {
      connection = nil
      try checkPlace()
      if purpose == .rebuilding, case .damaged = finding { finding = try setAside() }
    }
    switch finding {
    case .damaged(let cause): throw HistoryProblem.isDamaged(cause: cause)
    case .absent, .unfinished: guard [.recording, .rebuilding].contains(purpose) else { throw HistoryProblem.missing }
    case .usable: if let connection { return connection }
    }
    let writer = try SQLiteConnection(file, .readWrite, patienceMilliseconds: patienceMilliseconds)
    try HistorySchema.prepare(writer)
    return writer
  }

  private func checkPlace() throws {
    let permissions = (try? FileManager.default.attributesOfItem(atPath: file))?[.posixPermissions] as? Int
    do {
      if permissions == nil { try AtomicFile.makeFolder(URL(fileURLWithPath: file).deletingLastPathComponent().path) }
      try AtomicFile.checkWritable(file)
    } catch {
      guard case .unwritable(_, let cause, _) = error else { throw ArchiveError.file(error) }
      throw HistoryProblem.isReadOnly(cause: cause)
    }
    guard (permissions ?? 0o222) & 0o222 != 0 else { throw HistoryProblem.isReadOnly(cause: "it is read-only") }
  }
}

extension HistoryOpening {
  /// The state of the file, with a connection that reads it if it is usable.
  private func looked() throws -> (finding: Finding, connection: SQLiteConnection?) {
    guard let header = try HistoryHeader(of: file) else { return (.absent, nil) }
    if header.size == 0 { return (.unfinished, nil) }
    let companions = Self.companions.filter { FileManager.default.fileExists(atPath: file + $0) }
    // A first transaction that was killed may have written everything except the beginning.
    guard header.isDatabase || companions.contains("-journal") else {
      guard header.isOurs || isDefaultPath else { throw HistoryProblem.isForeign }
      return (.damaged("file is not a database"), nil)
    }
    do {
      if header.isDatabase, !header.hasLog, !companions.contains("-wal") {
        let connection = try SQLiteConnection(file, .readOnly, patienceMilliseconds: patienceMilliseconds)
        do {
          return (try connection.transaction(.read) { try examined(connection, header) }, connection)
        } catch let error as SQLiteError where error.isReadOnly {
          // A killed process left a journal, which SQLite has to roll back before it reads.
        }
      }
      // A large database without the number is not a history whose first transaction was killed.
      guard header.isOurs || isDefaultPath || header.size <= 65_536 else { throw HistoryProblem.isForeign }
      let copy = try copied()
      return (try examined(copy, header), copy)
    } catch let error as SQLiteError where error.isDamaged {
      guard header.isOurs || isDefaultPath else { throw HistoryProblem.isForeign }
      return (.damaged(error.description), nil)
    }
  }

  private var isDefaultPath: Bool {
    URL(fileURLWithPath: path).standardizedFileURL == URL(fileURLWithPath: History.defaultPath).standardizedFileURL
  }

  private func examined(_ database: SQLiteConnection, _ header: HistoryHeader) throws -> Finding {
    let definitions = try HistorySchema.definitions(of: database)
    let number = try database.applicationID()
    let isNumbered = number == HistorySchema.applicationID
    if definitions.isEmpty, number == 0 { return .unfinished }
    guard isNumbered || !definitions.isDisjoint(with: HistorySchema.definitions) else { throw HistoryProblem.isForeign }
    guard isNumbered else { return .damaged("its application_id is \(number)") }
    guard header.isWritable else { return .damaged("its header names a form that nobody writes") }
    // A check reads everything, so a large history is not checked: damage is found when it is read.
    let isChecked = purpose == .rebuilding || header.size <= Self.maxBytesChecked
    let check = try isChecked ? database.first("PRAGMA integrity_check(1)") ?? "ok" : "ok"
    guard check == "ok" else { return .damaged(check.replacing("\n", with: " ")) }
    let schema = try database.userVersion()
    guard [0, HistorySchema.number].contains(schema) else { throw HistoryProblem.isOtherSchema(schema) }
    guard schema > 0, HistorySchema.definitions.isSubset(of: definitions) else {
      return .damaged("its tables are not as they were made")
    }
    guard isChecked else { return .usable }
    let time: String? = try database.first(
      "SELECT started FROM runs WHERE strftime('%Y-%m-%dT%H:%M:%SZ', started) IS NOT started LIMIT 1")
    return time.map { .damaged("a run began at '\($0)'") } ?? .usable
  }

  /// A copy in a temporary folder, in which SQLite may finish the work of a killed process. The folder is removed at
  /// the return; the copy lasts as long as its connection.
  private func copied() throws -> SQLiteConnection {
    let manager = FileManager.default
    let own = manager.temporaryDirectory.appendingPathComponent("assay-history-\(UUID().uuidString)").path
    defer { try? manager.removeItem(atPath: own) }
    for _ in 0..<10 {
      try? manager.removeItem(atPath: own)
      try manager.createDirectory(
        atPath: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let before = parts()
      // The journal first: it can still repair a database that another process rolls back meanwhile.
      for part in before.keys.sorted().reversed() where part != "-shm" {
        try? manager.copyItem(atPath: file + part, toPath: own + "/history" + part)
      }
      guard parts() == before else { continue }
      let copy = try SQLiteConnection(own + "/history", .readWrite)
      _ = try copy.applicationID()
      try copy.runAll("PRAGMA journal_mode = DELETE; PRAGMA journal_mode = MEMORY")
      return copy
    }
    throw HistoryProblem.isInUse(path)
  }

  /// The file and its companions at present, with their sizes and times.
  private func parts() -> [String: [Int]] {
    var parts: [String: [Int]] = [:]
    for part in [""] + Self.companions {
      var status = stat()
      guard unsafe stat(file + part, &status) == 0 else { continue }
      parts[part] = [Int(status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
    return parts
  }
}

extension HistoryOpening {
  /// Renames a damaged file and SQLite's companions of it to free names, one process at a time, and examines the file
  /// that is there afterwards.
  private func setAside() throws -> Finding {
    let damaged = unsafe open(file, O_RDONLY | O_CLOEXEC)
    defer { close(damaged) }
    let isLocked = damaged >= 0 && flock(damaged, LOCK_EX) == 0
    let finding = try looked().finding
    guard isLocked, FolderLock.isSame(damaged, file), case .damaged(let cause) = finding else { return finding }
    let taken = (1...).lazy.map { ".damaged-\($0)" }
    let ending = taken.first { !FileManager.default.fileExists(atPath: file + $0) } ?? ".damaged"
    // The database first: SQLite discards the journal of a missing database.
    for part in [""] + Self.companions where FileManager.default.fileExists(atPath: file + part) {
      guard unsafe rename(file + part, file + ending + part) == 0 else {
        throw HistoryProblem.isReadOnly(cause: "it is damaged and cannot be renamed")
      }
    }
    remark("the history '\(path)' was damaged (\(cause)); it is kept as '\(path)\(ending)'.")
    return try looked().finding
  }
}

/// The first bytes of a file, by SQLite's description of its format: `nil` if there is no file.
private struct HistoryHeader {
  let size: Int
  private let bytes: [UInt8]

  /// - Throws: `HistoryProblem` if it is no regular file.
  init?(of path: String) throws {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw HistoryProblem.refused(cause: SystemCause.message(of: errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw HistoryProblem.isFolder
    default: throw HistoryProblem.isForeign
    }
    size = status.st_size
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      bytes = [UInt8](try handle.read(upToCount: 100) ?? Data())
    } catch {
      throw HistoryProblem.refused(cause: SystemCause.message(of: error))
    }
  }

  var isDatabase: Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }
  /// True if the latest changes may be in a write-ahead log.
  var hasLog: Bool { bytes.count > 19 && bytes[19] == 2 }
  /// True if SQLite may write it: a database of a later write version is read-only.
  var isWritable: Bool { bytes.count > 18 && (1...2).contains(bytes[18]) }
  /// True if the bytes alone identify it as a history.
  var isOurs: Bool {
    guard bytes.count >= 72 else { return isDatabase }
    return bytes[68..<72].reduce(0) { $0 << 8 | Int($1) } == HistorySchema.applicationID
  }
}
