// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Files that appear in a folder whole or not at all, by the system's own calls: what is staged is on the disk before
/// it gets its name.
enum CacheFolder {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - bytes: Its content.
  ///   - partial: Where it is staged; no other writer may use the same.
  ///   - file: Its name.
  ///   - folder: The folder; it is made where there is none.
  /// - Throws: `ClubError.unusableCache`, with nothing left behind.
  static func write(_ bytes: [UInt8], staged partial: String, as file: String, in folder: String) throws(ClubError) {
    do {
      // For its owner alone: what members do is theirs.
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .unusableCache(path: folder, cause: cause(of: error))
    }
    let staged = "\(folder)/\(partial)"
    var code = stage(bytes, at: staged)
    if code == 0, unsafe Foundation.rename(staged, "\(folder)/\(file)") != 0 { code = errno }
    guard code == 0 else {
      _ = unsafe unlink(staged)
      throw .unusableCache(path: "\(folder)/\(file)", cause: message(of: code))
    }
    synchronise(folder)
  }

  /// A file's content; nil where there is no such file, which another process may have removed just now.
  static func read(_ path: String) throws(ClubError) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .unusableCache(path: path, cause: message(of: errno))
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Foundation.read(file, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw .unusableCache(path: path, cause: message(of: errno))
      }
    }
  }

  /// The names of the files in a folder, in no order; none where there is no folder yet.
  static func names(in folder: String) throws(ClubError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      if unsafe access(folder, F_OK) != 0, errno == ENOENT { return [] }
      throw .unusableCache(path: folder, cause: cause(of: error))
    }
  }

  /// Gives a file another name in its folder; false where that fails.
  static func rename(_ path: String, to other: String) -> Bool { unsafe Foundation.rename(path, other) == 0 }

  /// Removes a file; false where that fails.
  static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

  /// A text that no other writer has.
  static func uniqueText() -> String { UUID().uuidString }

  private static func stage(_ bytes: [UInt8], at path: String) -> Int32 {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return errno }
    var code: Int32 = 0
    var rest = bytes[...]
    while !rest.isEmpty, code == 0 {
      let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { code = errno }
    }
    if code == 0, fsync(file) != 0 { code = errno }
    // Some file systems tell only here that there was no room.
    return close(file) == 0 || code != 0 ? code : errno
  }

  /// Has a folder's new names outlive a loss of power. Not every file system can: the file is whole either way.
  private static func synchronise(_ folder: String) {
    let handle = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard handle >= 0 else { return }
    _ = fsync(handle)
    close(handle)
  }

  private static func message(of code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  private static func cause(of error: any Error) -> String {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return message(of: Int32(error.code)) }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map(cause) ?? error.localizedDescription
  }
}
