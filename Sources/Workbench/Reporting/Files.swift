// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
package import MonteCarlo

/// The kind of file at a path.
package enum FileKind: String, Hashable, Sendable {
  case nothing
  case file = "a file"
  case folder = "a folder"
  case link = "a symbolic link"
  case pipe = "a named pipe"
  case socket = "a socket"
  case device = "a device"

  /// The kind of file at the path itself: a symbolic link is not followed.
  package init(at path: String) {
    var status = stat()
    self = unsafe lstat(path, &status) == 0 ? FileKind(status) : .nothing
  }

  /// The kind of file that the path leads to, symbolic links followed.
  package init(behind path: String) {
    var status = stat()
    self = unsafe stat(path, &status) == 0 ? FileKind(status) : .nothing
  }

  private init(_ status: stat) {
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }
}

/// Paths as people write them.
package enum FilePath {
  /// The path with a leading `~` as an ordinary name: a shell has already expanded it where the home folder is meant,
  /// and Foundation would expand it in some calls and not in others.
  package static func literal(_ path: String) -> String { path.hasPrefix("~") ? "./" + path : path }
}

/// Programs that may be on this machine.
package enum InstalledProgram {
  /// The path of a program; `nil` if it is not on the search path.
  package static func path(of name: String, environment: [String: String]) -> String? {
    environment["PATH", default: ""].split(separator: ":").map { "\($0)/\(name)" }
      .first { FileKind(behind: $0) != .folder && FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end, without a shell; `nil` if it is not on the path or cannot be started.
  ///
  /// Its error output should be short, since it is read after the standard output.
  package static func run(
    _ name: String, _ arguments: [String], environment: [String: String]
  ) -> (status: Int32, output: Data, errors: String)? {
    guard let path = path(of: name, environment: environment) else { return nil }
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, errors)
    guard (try? process.run()) != nil else { return nil }
    let written = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, written, String(decoding: complaint, as: UTF8.self))
  }

  /// The output of a program; `nil` if it is missing or fails.
  package static func output(of name: String, _ arguments: [String], environment: [String: String]) -> String? {
    guard let run = run(name, arguments, environment: environment), run.status == 0 else { return nil }
    return String(decoding: run.output, as: UTF8.self)
  }
}

/// A file that a person names for a command to write.
///
/// An existing file is replaced whole and keeps its permissions. A symbolic link stays, and its target is written; a
/// device or a pipe is written to and stays; `-` is the standard output.
package struct OutputFile: Sendable {
  /// The target of writing, every symbolic link followed.
  private enum Place: Hashable, Sendable {
    case file(String)
    case stream(String)
    case descriptor(Int32)
  }

  /// The path as the user wrote it.
  package let path: String
  private let location: Place

  /// Finds the target and checks that it can be written, before the work that produces its content.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure.
  package init(_ path: String) throws(ReportingError) {
    self.path = path
    location = try Self.location(of: FilePath.literal(path))
    try naming { () throws(ReportingError) in
      switch location {
      case .file(let file): try AtomicFile.checkWritable(file)
      case .stream(let stream):
        guard unsafe access(stream, W_OK) == 0 else {
          throw AtomicFile.unwritable(path, SystemCause.message(of: errno))
        }
        if FileKind(at: stream) == .socket { throw AtomicFile.unwritable(path, "it is a socket") }
      case .descriptor(let number):
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0 else { throw AtomicFile.unwritable(path, SystemCause.message(of: errno)) }
        if flags & O_ACCMODE == O_RDONLY { throw AtomicFile.unwritable(path, "it is open for reading only") }
      }
    }
  }

  package var isStandardOutput: Bool { location == .descriptor(STDOUT_FILENO) }

  /// The file that a path leads to, every symbolic link followed, and also through an open file such as `/dev/stdin`.
  ///
  /// - Returns: its path, which is `nil` for a device and for an open file without a name; `nil` for a path that leads
  ///   nowhere.
  package static func target(of path: String) -> (path: String?, isStandardOutput: Bool)? {
    guard !path.isEmpty, let location = try? location(of: path == "-" ? path : FilePath.literal(path)) else {
      return nil
    }
    switch location {
    case .file(let file): return (file, false)
    case .stream(let stream): return (FileKind(at: stream) == .device ? nil : stream, false)
    case .descriptor(let number):
      let name = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
      return (name.flatMap { FileKind(at: $0) == .file ? $0 : nil }, number == STDOUT_FILENO)
    }
  }

  /// True if the target is written to and not replaced: a device, a pipe or an open file.
  package var isStream: Bool { if case .file = location { false } else { true } }

  /// True if the target exists and has a name: a file that writing would replace, a device or a pipe.
  package var isThere: Bool {
    switch location {
    case .file(let file): FileKind(at: file) != .nothing
    case .stream: true
    case .descriptor: false
    }
  }

  /// Returns true if both have the same target, however their paths are spelt.
  package func isSame(as other: OutputFile) -> Bool { location == other.location }

  package func write(_ data: Data) throws(ReportingError) {
    try naming { () throws(ReportingError) in
      switch location {
      case .file(let file): try AtomicFile.write(data, to: file)
      case .stream(let stream):
        let code = OutsideWait.during("the reader of '\(path)'") {
          let file = unsafe open(stream, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
          guard file >= 0 else { return errno }
          let code = PendingFile.write(data, into: file)
          return close(file) != 0 && code == 0 ? errno : code
        }
        guard code == 0 else { throw AtomicFile.unwritable(path, SystemCause.message(of: code)) }
      case .descriptor(let number):
        let code = OutsideWait.during("the reader of '\(path)'") { PendingFile.write(data, into: number) }
        guard code == 0 else { throw AtomicFile.unwritable(path, SystemCause.message(of: code)) }
      }
    }
  }

  /// Runs a body, with the path as the user wrote it in its errors.
  private func naming(_ body: () throws(ReportingError) -> Void) throws(ReportingError) {
    do {
      try body()
    } catch {
      guard case .unwritable(_, let cause, let cure) = error else { throw error }
      throw .unwritable(path: path, cause: cause, cure: cure)
    }
  }

  /// The most symbolic links of a path that are followed, as in Linux.
  private static let maxLinks = 40

  private static func location(of path: String) throws(ReportingError) -> Place {
    if path == "-" { return .descriptor(STDOUT_FILENO) }
    guard !path.isEmpty else { return .file(path) }
    var next = path
    for _ in 0...maxLinks {
      let url = URL(fileURLWithPath: next)
      // The check reports a missing folder.
      guard let folder = real(url.deletingLastPathComponent().path) else { return .file(next) }
      // /dev/stdout leads here, too. The open file may have no name, and is written from its offset on, not replaced.
      if folder == real("/proc/self/fd"), let number = Int32(url.lastPathComponent) { return .descriptor(number) }
      let location = (folder == "/" ? "" : folder) + "/" + url.lastPathComponent
      switch FileKind(at: location) {
      case .nothing, .file, .folder: return .file(location)
      case .pipe, .socket, .device: return .stream(location)
      case .link:
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: location) else {
          throw AtomicFile.unwritable(path, "the symbolic link '\(location)' cannot be read")
        }
        next = target.hasPrefix("/") ? target : folder + "/" + target
      }
    }
    throw AtomicFile.unwritable(path, "it leads through more than \(maxLinks) symbolic links")
  }

  /// The path without symbolic links; `nil` if nothing is there.
  private static func real(_ path: String) -> String? {
    guard let found = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}

/// Files that are written whole or not at all: into a temporary file next to the target, then renamed over it. A
/// symbolic link is never followed, neither to the target nor to the temporary file.
package enum AtomicFile {
  /// Writes a text as UTF-8.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure; nothing is left behind then.
  package static func write(_ text: String, to path: String) throws(ReportingError) {
    try write(Data(text.utf8), to: path)
  }

  /// Writes bytes. A replaced file keeps its permissions.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure; nothing is left behind then.
  package static func write(_ data: Data, to path: String) throws(ReportingError) {
    var file = try pending(path)
    var code = PendingFile.write(data, into: file.descriptor)
    if code == 0 { code = file.keep() }
    guard code == 0 else { throw unwritable(path, SystemCause.message(of: code)) }
  }

  /// A file to write in pieces.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure.
  package static func pending(_ path: String) throws(ReportingError) -> PendingFile {
    _ = try folder(of: path)
    do throws(POSIXError) {
      return try PendingFile(for: path)
    } catch {
      throw unwritable(path, SystemCause.message(of: error.code.rawValue))
    }
  }

  /// Creates a folder and its parents where they are missing.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path and the cause.
  package static func makeFolder(_ path: String) throws(ReportingError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw unwritable(path, SystemCause.message(of: error))
    }
    try checkFolder(path)
  }

  /// Checks that a file can be written, before the work that produces its content. No file appears.
  ///
  /// - Throws: `ReportingError.unwritable` if the folder is missing, read-only or no folder, or the path is a
  ///   folder or a read-only file.
  package static func checkWritable(_ path: String) throws(ReportingError) {
    let folder = try folder(of: path)
    if FileKind(at: path) == .file, !isWritable(path) {
      throw .unwritable(path: path, cause: "it is read-only", cure: "make it writable or choose another")
    }
    try makeNamelessFile(in: folder, for: path)
  }

  /// Checks that files can be written into a folder, as `checkWritable` does for one file.
  ///
  /// - Throws: `ReportingError.unwritable` if it is missing, read-only or no folder.
  package static func checkFolder(_ folder: String) throws(ReportingError) {
    try checkFolder(folder, for: folder)
    try makeNamelessFile(in: folder, for: folder)
  }

  private static func makeNamelessFile(in folder: String, for path: String) throws(ReportingError) {
    let file = unsafe open(folder, O_WRONLY | nameless | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
    } else if ![EOPNOTSUPP, EISDIR, EINVAL].contains(errno) {
      throw unwritable(path, SystemCause.message(of: errno))
    }
  }

  /// Returns true if a name is one of a temporary file, which a process that was killed may have left behind.
  package static func isTemporary(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].isEmpty, parts.last == "partial" else { return false }
    return !parts[parts.count - 2].isEmpty && parts[parts.count - 2].utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Linux's `O_TMPFILE`, which the C library's header hides from Swift: a file without a name, which disappears when
  /// it is closed.
  private static let nameless = 0o20_000_000 | O_DIRECTORY

  /// The folder of a path, checked to be writable.
  private static func folder(of path: String) throws(ReportingError) -> String {
    guard !path.isEmpty else {
      throw .unwritable(path: path, cause: "the path is empty", cure: "name a file, for example chart.csv")
    }
    if FileKind(behind: path) == .folder {
      throw .unwritable(path: path, cause: "it is a folder", cure: "name a file in it, for example \(path)/chart.csv")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try checkFolder(folder, for: path)
    return folder
  }

  private static func checkFolder(_ folder: String, for path: String) throws(ReportingError) {
    switch FileKind(behind: folder) {
    case .folder: break
    case .nothing:
      throw .unwritable(
        path: path, cause: "the folder '\(folder)' does not exist", cure: "create it or choose another")
    default: throw .unwritable(path: path, cause: "'\(folder)' is not a folder", cure: "choose another place")
    }
    guard isWritable(folder) else {
      throw .unwritable(
        path: path, cause: "the folder '\(folder)' is read-only", cure: "make it writable or choose another")
    }
  }

  /// Returns true if a file may be written; one without any write permission is refused to a superuser, too.
  private static func isWritable(_ path: String) -> Bool {
    let permissions = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int ?? 0o222
    return unsafe access(path, W_OK) == 0 && permissions & 0o222 != 0
  }

  fileprivate static func unwritable(_ path: String, _ cause: String) -> ReportingError {
    .unwritable(path: path, cause: cause, cure: "choose another place")
  }
}

/// Text files, read whole; those compressed by gzip are inflated.
public enum TextFile {
  /// The size limit of a file; scenarios, charts and results are far smaller.
  private static let maxBytes = 256 << 20

  /// The content of a UTF-8 file or pipe, plain or compressed by gzip; - is the standard input.
  ///
  /// - Throws: `ReportingError.unreadable` naming the path, the cause and the cure.
  public static func read(_ path: String) throws(ReportingError) -> String {
    let path = path == "-" ? "/dev/stdin" : path
    guard FileKind(behind: path) != .file else { return try content(of: path) }
    return try OutsideWait.during(path == "/dev/stdin" ? "the standard input" : "'\(path)'") {
      () throws(ReportingError) in try content(of: path)
    }
  }

  /// The name of a file for people.
  public static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  private static func content(of path: String) throws(ReportingError) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(path, errno) }
    defer { close(file) }
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = unsafe Foundation.read(file, &part, part.count), count != 0 {
      if count < 0 {
        guard errno == EINTR else { throw unreadable(path, errno) }
        continue
      }
      bytes += part[..<count]
      guard bytes.count <= maxBytes else { throw tooLarge(path) }
    }
    if Gzip.isCompressed(bytes) {
      do throws(Gzip.Fault) {
        bytes = try Gzip.inflated(bytes, maxBytes: maxBytes)
      } catch {
        guard case .damaged(let count) = error else { throw tooLarge(path) }
        throw .unreadable(
          path: path, cause: "its compressed data is damaged or ends early, after \(count) bytes of text",
          cure: "fetch it again, or unpack it by gunzip")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let line = firstInvalidLine(in: bytes)
      throw .unreadable(path: path, cause: "it is not UTF-8 text in line \(line)", cure: "save it as UTF-8")
    }
    return text
  }

  /// Writes a UTF-8 file; a replaced one keeps its permissions. A symbolic link's target is written, and a device or a
  /// pipe is written to.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure.
  public static func write(_ text: String, to path: String) throws(ReportingError) {
    try OutputFile(path).write(Data(text.utf8))
  }

  private static func tooLarge(_ path: String) -> ReportingError {
    .unreadable(path: path, cause: "it has more than \(maxBytes >> 20) MiB", cure: "name a smaller file")
  }

  private static func unreadable(_ path: String, _ code: Int32) -> ReportingError {
    switch code {
    case ENOENT: .unreadable(path: path, cause: "no such file", cure: "check the name")
    case EISDIR: .unreadable(path: path, cause: "it is a folder", cure: "name a file in it")
    default: .unreadable(path: path, cause: SystemCause.message(of: code), cure: "check its permissions")
    }
  }

  private static func firstInvalidLine(in bytes: [UInt8]) -> Int {
    var (decoder, rest, line) = (UTF8(), bytes.makeIterator(), 1)
    while case .scalarValue(let scalar) = decoder.decode(&rest) { line += scalar == "\n" ? 1 : 0 }
    return line
  }
}

/// The system's reason for an error, in plain words.
package enum SystemCause {
  /// The message of the POSIX error that underlies a thrown one, in lower case.
  package static func message(of error: any Error) -> String {
    if let posix = code(of: error) { return message(of: posix) }
    return (error as NSError).localizedDescription
  }

  /// The number of the POSIX error that underlies a thrown one; nil if there is none.
  package static func code(of error: any Error) -> Int32? {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    // The underlying error need not be an NSError: it often is a POSIXError.
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(code)
  }

  /// The message of an error number.
  package static func message(of code: Int32) -> String {
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// A short hash of a text, which different texts seldom share. It detects mistakes, not attacks.
package enum Fingerprint {
  /// Eight hexadecimal digits: the hash folded to 32 bits, its upper half and its lower half combined by exclusive or,
  /// as the authors of the hash recommend for shorter ones.
  package static func short(_ text: String) -> String {
    let hash = fnv1a(text.utf8)
    return NumberFormat.hexadecimal(UInt32(truncatingIfNeeded: hash >> 32 ^ hash), digits: 8)
  }
}
