// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation

/// Files that are written whole or not at all: into a temporary file beside the target, then renamed over it.
package enum AtomicFile {
  /// Writes a text as UTF-8.
  ///
  /// - Parameters:
  ///   - text: the whole content.
  ///   - path: where to; an existing file is replaced in one step.
  /// - Throws: `ReportingError.unwritable` naming the path, the cause and the cure; nothing is left behind then.
  package static func write(_ text: String, to path: String) throws(ReportingError) {
    try write(Data(text.utf8), to: path)
  }

  /// Writes bytes.
  ///
  /// - Parameters:
  ///   - data: the whole content.
  ///   - path: where to; an existing file is replaced in one step.
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
  /// - Parameter path: the folder.
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
  /// - Parameter path: the file; it need not exist and is not touched.
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
  ///
  /// - Returns: the number of the system's error; 0 where all went well.
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
