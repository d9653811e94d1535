// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
internal import Scenarios
internal import Synchronization

/// The folder of a scenario's runs, `<slug>-<digest>`: the latest result and the record of its run.
struct RunFolder: Hashable, Sendable {
  enum Name: String, CaseIterable, Hashable, Sendable {
    case scenario = "scenario.yaml"
    case result = "result.json"
    case run = "run.json"
    case report = "report.html"
    case junit = "junit.xml"
    case partial = "partial.json"
    /// Files of a run that is not complete, next to those of an earlier complete one.
    case partialReport = "partial-report.html"
    case partialJUnit = "partial-junit.xml"
    case figures
    /// The finished work of a run that is not complete.
    case checkpoint
  }

  let path: String

  /// A folder by its path, in which a leading `~` is an ordinary name.
  init(_ path: String) { self.path = FilePath.literal(path) }

  /// The folder of a scenario's runs, or of a shard of them. If the folder belongs to another scenario with the same
  /// digest, it is the first of `<slug>-<digest>-2`, `-3` and so on that does not.
  init(of scenario: Scenario, in root: String, shard: Shard? = nil) {
    let (text, digest) = (scenario.resolved, scenario.digest)
    let division = shard.map { "-shard-\($0.number)-of-\($0.count)" } ?? ""
    var (name, count) = ("\(scenario.slug)-\(digest)", 1)
    func isTaken() -> Bool {
      let there = RunFolder("\(root)/\(name)\(division)").text(.scenario)
      return there.map { $0 != text && Fingerprint.short($0) == digest } ?? false
    }
    while isTaken() {
      count += 1
      name = "\(scenario.slug)-\(digest)-\(count)"
    }
    self.init("\(root)/\(name)\(division)")
  }

  func path(_ name: Name) -> String { path(name.rawValue) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Returns true if there is a regular file; a pipe would make a reader wait for ever.
  func has(_ name: Name) -> Bool { FileKind(behind: path(name)) == .file }

  /// The text of a file; `nil` if there is none that can be read.
  func text(_ name: Name) -> String? { has(name) ? try? TextFile.read(path(name)) : nil }

  /// The folder in which the files of a run are written before they are renamed, and the lock of the writing process.
  static let (stage, lock) = (".new", ".lock")

  /// Refuses anything but real folders and files for the folder and its parts: a symbolic link would make the run write
  /// elsewhere, and pipes and devices must not be replaced.
  ///
  /// - Parameter names: files and folders of the run, relative to its folder; they may be missing.
  /// - Throws: `ArchiveError.file` naming the obstacle and how to fix it.
  func checkOwn(_ names: [String]) throws(ArchiveError) {
    try Self.check(path, is: .folder)
    for name in names {
      let folders = [Self.stage, Name.figures.rawValue]
      for above in folders where name.hasPrefix(above + "/") { try Self.check(path(above), is: .folder) }
      try Self.check(path(name), is: folders.contains(name) ? .folder : .file)
    }
  }

  private static func check(_ path: String, is expected: FileKind) throws(ArchiveError) {
    let found = FileKind(at: path)
    guard found == .nothing || found == expected else {
      throw .file(
        .unwritable(
          path: path, cause: "found \(found.rawValue), expected \(expected.rawValue) of the run",
          cure: "move it away, or choose another folder with --runs"))
    }
  }

  /// The runs below a folder, by name. Damaged ones and those of another version do not hide the others.
  static func all(in root: String) throws(ArchiveError) -> [StoredRun] {
    let kind = FileKind(behind: root)
    if kind == .nothing { return [] }
    guard kind == .folder else { throw .notAFolder(path: root) }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: root)
    } catch {
      let cause = SystemCause.message(of: error)
      throw .file(.unreadable(path: root, cause: cause, cure: "check its permissions"))
    }
    return names.sorted().filter { !isBeingRemoved($0) }.map { RunFolder("\(root)/\($0)") }
      .filter { folder in [Name.run, .result, .partial].contains { folder.has($0) } }
      .map(StoredRun.init)
  }
}

extension RunFolder {
  /// The content of a file; `nil` if it is missing or damaged.
  ///
  /// - Throws: `ArchiveError.newerSchema`.
  func intact<Value>(
    _ name: Name, _ read: (String) throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> Value? {
    guard has(name) else { return nil }
    do {
      return try read(path(name))
    } catch {
      if case .newerSchema = error { throw error }
      return nil
    }
  }

  /// A free name for a file that makes room for another, such as `result.earlier.json`.
  func freeName(_ name: Name, _ word: String) -> String {
    let file = URL(fileURLWithPath: name.rawValue)
    let (stem, ending) = (file.deletingPathExtension().lastPathComponent, file.pathExtension)
    var count = 1
    while true {
      let free = "\(stem).\(word)\(count == 1 ? "" : "-\(count)").\(ending)"
      if FileKind(at: path(free)) == .nothing { return free }
      count += 1
    }
  }

  func keep(_ name: Name, as other: String) {
    // On file systems without hard links the file is renamed instead.
    if unsafe link(path(name), path(other)) != 0 { _ = unsafe rename(path(name), path(other)) }
  }

  static func isFree(_ name: String) -> Bool { isPlain(name) && Name(rawValue: name) == nil }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
  }

  /// Removes a file that a run wrote. Names come from files that anybody may have changed, so files elsewhere are never
  /// removed.
  func removeOwn(_ name: String) {
    if Self.isOwn(name), (try? checkOwn([name])) != nil { _ = unsafe unlink(path(name)) }
  }

  /// Returns true if a run may have written a file of that name.
  static func isOwn(_ name: String) -> Bool {
    let figures = Name.figures.rawValue + "/"
    return isPlain(name.hasPrefix(figures) ? String(name.dropFirst(figures.count)) : name)
  }

  func removeTemporaryFiles() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where AtomicFile.isTemporary(name) && FileKind(at: path(name)) == .file {
      _ = unsafe unlink(path(name))
    }
  }
}

/// The exclusive right of one run to write into its folder.
///
/// It is a lock of the open file `.lock`, so the system releases it when the process ends in any way.
final class FolderLock: Sendable {
  struct Holder: Hashable {
    /// The number of the process; `nil` if it has not written it yet.
    let process: Int?
    let since: String?
  }

  /// The commands for locks of open files, by Linux's numbers: the C library's header hides their names from Swift.
  private enum Command: Int32 {
    case ask = 36
    case take = 37
  }

  private let path: String
  private let descriptor: Mutex<Int32?>

  init(of folder: RunFolder) throws(ArchiveError) {
    path = Self.path(in: folder)
    let path = path
    try folder.checkOwn([RunFolder.lock])
    try ArchiveError.about(try AtomicFile.checkWritable(path))
    while true {
      let file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw Self.refused(path) }
      guard Self.lock(file, .take) == F_UNLCK else {
        close(file)
        let holder = Self.written(in: path)
        throw .inUse(folder: folder.path, process: holder.process, since: holder.since)
      }
      // The previous holder may have removed the file since it was opened: then this lock has no effect.
      if Self.isSame(file, path) {
        Self.sign(file)
        descriptor = Mutex(file)
        return
      }
      close(file)
    }
  }

  deinit { release() }

  func release() {
    descriptor.withLock { file in
      guard let open = file else { return }
      if Self.isSame(open, path) { _ = unsafe unlink(path) }
      close(open)
      file = nil
    }
  }

  /// True if the folder is still the one that was locked.
  var isInPlace: Bool {
    descriptor.withLock { $0.map { Self.isSame($0, path) } ?? false }
  }

  /// The holder of a folder's lock, without taking it; `nil` if there is none.
  static func holder(of folder: RunFolder) -> Holder? {
    let path = path(in: folder)
    guard FileKind(at: path) == .file else { return nil }
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return lock(file, .ask) == F_UNLCK ? nil : written(in: path)
  }

  private static func path(in folder: RunFolder) -> String { folder.path(RunFolder.lock) }

  /// Takes or queries a lock of the whole file: `F_UNLCK` if nobody else has one.
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

  /// Returns true if an open file is the one that has the name now.
  static func isSame(_ file: Int32, _ path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard unsafe fstat(file, &opened) == 0, unsafe lstat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Writes the holder into the file; the lock is valid even if that fails.
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
