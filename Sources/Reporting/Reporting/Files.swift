// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation

/// Files that are written whole or not at all: into a temporary file beside the target, then renamed over it.
package enum AtomicFile {
  /// Writes a text as UTF-8.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure; nothing is left behind then.
  package static func write(_ text: String, to path: String) throws(ReportingError) {
    try write(Data(text.utf8), to: path)
  }

  /// Writes bytes.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure; nothing is left behind then.
  package static func write(_ data: Data, to path: String) throws(ReportingError) {
    let temporary = try create(beside: path, holding: data)
    guard unsafe rename(temporary, path) == 0 else {
      let cause = SystemCause.message(of: errno)
      _ = unsafe unlink(temporary)
      throw unwritable(path, cause)
    }
  }

  /// Makes a folder, and those above it, where there is none yet.
  ///
  /// - Throws: `ReportingError.unwritable` naming the path and the cause.
  package static func makeFolder(_ path: String) throws(ReportingError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw unwritable(path, SystemCause.message(of: error))
    }
    try checkWritable(path + "/probe")
  }

  /// Finds out whether a file could be written, before the work whose result it is to hold.
  ///
  /// - Throws: `ReportingError.unwritable` where the folder is missing, read-only or no folder, or the path is a
  ///   folder.
  package static func checkWritable(_ path: String) throws(ReportingError) {
    let temporary = try create(beside: path, holding: Data())
    _ = unsafe unlink(temporary)
  }

  private static func create(beside path: String, holding data: Data) throws(ReportingError) -> String {
    let folder = try folder(of: path)
    let name = URL(fileURLWithPath: path).lastPathComponent
    let temporary = "\(folder)/.\(name).\(getpid()).partial"
    let code = write(data, anew: temporary)
    guard code == 0 else {
      _ = unsafe unlink(temporary)
      throw unwritable(path, SystemCause.message(of: code))
    }
    return temporary
  }

  /// Writes bytes by the system's own calls: Foundation's errors do not tell a full disk from a file that is too large.
  private static func write(_ data: Data, anew path: String) -> Int32 {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return errno }
    var code: Int32 = 0
    var rest = data[...]
    while !rest.isEmpty, code == 0 {
      let written = unsafe rest.withUnsafeBytes { bytes in unsafe Foundation.write(file, bytes.baseAddress, bytes.count)
      }
      if written >= 0 { rest = rest.dropFirst(written) } else if errno != EINTR { code = errno }
    }
    // Without this, a power cut behind the renaming could leave a file without its content. A probe has none, and
    // file systems that cannot promise it say so by EINVAL.
    if code == 0, !data.isEmpty, fsync(file) != 0, errno != EINVAL { code = errno }
    // Some file systems tell only here that there was no room.
    return close(file) == 0 || code != 0 ? code : errno
  }

  /// The folder of a path, checked to be one that lets itself be written.
  private static func folder(of path: String) throws(ReportingError) -> String {
    guard !path.isEmpty else {
      throw .unwritable(path: path, cause: "the path is empty", cure: "name a file, for example chart.csv")
    }
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    if unsafe manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw .unwritable(path: path, cause: "it is a folder", cure: "name a file in it, for example \(path)/chart.csv")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard unsafe manager.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw .unwritable(
        path: path, cause: "the folder '\(folder)' does not exist", cure: "create it or choose another")
    }
    guard isFolder.boolValue else {
      throw .unwritable(path: path, cause: "'\(folder)' is not a folder", cure: "choose another place")
    }
    // A superuser may write anywhere; a folder that nobody is meant to write to is left alone all the same.
    let permissions = (try? manager.attributesOfItem(atPath: folder))?[.posixPermissions] as? Int ?? 0o222
    guard permissions & 0o222 != 0, unsafe access(folder, W_OK) == 0 else {
      throw .unwritable(
        path: path, cause: "the folder '\(folder)' is read-only", cure: "make it writable or choose another")
    }
    return folder
  }

  private static func unwritable(_ path: String, _ cause: String) -> ReportingError {
    .unwritable(path: path, cause: cause, cure: "choose another place")
  }
}

/// Text files, read whole.
package enum TextFile {
  /// The content of a UTF-8 file.
  ///
  /// - Throws: `ReportingError.unreadable` naming the path, the cause and the cure.
  package static func read(_ path: String) throws(ReportingError) -> String {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists && isFolder.boolValue {
      throw .unreadable(path: path, cause: "it is a folder", cure: "name a file in it")
    }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      let cause = exists ? SystemCause.message(of: error) : "no such file"
      throw .unreadable(path: path, cause: cause, cure: exists ? "check its permissions" : "check the name")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw .unreadable(path: path, cause: "it is not UTF-8 text", cure: "save it as UTF-8")
    }
    return text
  }
}

/// The reason that the system gives for a refusal, in a person's words.
package enum SystemCause {
  /// The message of the POSIX error behind any thrown one, in lower case.
  package static func message(of error: any Error) -> String {
    if let posix = code(of: error) { return message(of: posix) }
    return (error as NSError).localizedDescription
  }

  /// The number of the POSIX error behind any thrown one; nil where there is none.
  package static func code(of error: any Error) -> Int32? { posixError(behind: error as NSError) }

  /// The message of an error number.
  package static func message(of code: Int32) -> String {
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  private static func posixError(behind error: NSError) -> Int32? {
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    // What lies behind need not be an NSError itself: it often is a POSIXError.
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { posixError(behind: $0 as NSError) }
  }
}

/// A short name for a text, that two different texts seldom share. It protects against mistakes, not against intent.
package enum Fingerprint {
  /// The 64-bit FNV-1a hash of the text's UTF-8 bytes.
  ///
  /// Source: Fowler, Noll, Vo and Eastlake, "The FNV Non-Cryptographic Hash Algorithm", RFC 9923.
  package static func fnv1a(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Eight hexadecimal digits: the hash folded to 32 bits, its upper half and its lower half combined by exclusive or,
  /// as the authors of the hash recommend for shorter ones.
  package static func short(_ text: String) -> String {
    let hash = fnv1a(text)
    let digits = String(UInt32(truncatingIfNeeded: hash >> 32) ^ UInt32(truncatingIfNeeded: hash), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
