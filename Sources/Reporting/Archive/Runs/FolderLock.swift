// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Synchronization

/// The right to write into a run's folder, which one run has at a time.
///
/// It is a lock of the open file `.lock`, so the system gives it back when the process ends, however it ends.
final class FolderLock: Sendable {
  /// Who has the right.
  struct Holder: Hashable {
    /// The number of the process; `nil` where it has not said yet.
    let process: Int?
    /// When it began.
    let since: String?
  }

  /// The commands for locks of open files, by Linux's numbers: the C library's header hides their names from Swift.
  private enum Command: Int32 {
    case ask = 36
    case take = 37
  }

  private let path: String
  private let descriptor: Mutex<Int32?>

  /// Takes the right.
  ///
  /// - Parameter folder: a folder that exists.
  /// - Throws: `ArchiveError.inUse` where another run has it, `.file` where the system refuses.
  init(of folder: RunFolder) throws(ArchiveError) {
    path = Self.path(in: folder)
    let path = path
    try ArchiveError.about { () throws(ReportingError) in try AtomicFile.checkWritable(path) }
    while true {
      let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw Self.refused(path) }
      guard Self.lock(file, .take) == F_UNLCK else {
        close(file)
        let holder = Self.written(in: path)
        throw .inUse(folder: folder.path, process: holder.process, since: holder.since)
      }
      // Whoever had it before may have removed the file since it was opened: then this lock keeps nobody out.
      if Self.isSame(file, path) {
        Self.sign(file)
        descriptor = Mutex(file)
        return
      }
      close(file)
    }
  }

  deinit { release() }

  /// Gives the right back; nothing where it has been given back already.
  func release() {
    descriptor.withLock { file in
      guard let open = file else { return }
      if Self.isSame(open, path) { _ = unsafe unlink(path) }
      close(open)
      file = nil
    }
  }

  /// Whether the folder is still the one in which the right was taken.
  var isInPlace: Bool {
    descriptor.withLock { $0.map { Self.isSame($0, path) } ?? false }
  }

  /// Who has the right in a folder, without taking it; `nil` where nobody has.
  static func holder(of folder: RunFolder) -> Holder? {
    let path = path(in: folder)
    let file = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return lock(file, .ask) == F_UNLCK ? nil : written(in: path)
  }

  private static func path(in folder: RunFolder) -> String { folder.path(".lock") }

  /// Takes or asks for a lock of the whole file: `F_UNLCK` where nobody else has one.
  private static func lock(_ file: Int32, _ command: Command) -> Int32 {
    var region = Glibc.flock()
    region.l_type = Int16(F_WRLCK)
    region.l_whence = Int16(SEEK_SET)
    let answer = unsafe fcntl(file, command.rawValue, &region)
    return switch command {
    case .take: answer == 0 ? F_UNLCK : F_WRLCK
    case .ask: answer == 0 ? Int32(region.l_type) : F_UNLCK
    }
  }

  private static func isSame(_ file: Int32, _ path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard unsafe fstat(file, &opened) == 0, unsafe stat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Writes into the file who has it; where that fails the lock holds all the same.
  private static func sign(_ file: Int32) {
    let holder: JSONValue = [
      "process": .integer(Int(getpid())), "since": .string(RunRecord.text(of: Date())),
    ]
    let bytes = Array(holder.text.utf8)
    ftruncate(file, 0)
    _ = unsafe write(file, bytes, bytes.count)
  }

  private static func written(in path: String) -> Holder {
    let json = try? JSONField(JSONValue(parsing: TextFile.read(path), file: path), file: path)
    return Holder(process: try? json?.required("process").integer(), since: try? json?.required("since").string())
  }

  private static func refused(_ path: String) -> ArchiveError {
    .file(.unwritable(path: path, cause: SystemCause.message(of: errno), cure: "choose another place"))
  }
}
