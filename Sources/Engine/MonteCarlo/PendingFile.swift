// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A file that is written under a temporary name next to its path, and removed unless it is kept. Keeping it replaces
/// an existing file and preserves the permissions. A symbolic link is never followed.
package struct PendingFile: ~Copyable {
  /// The file to write to.
  package let descriptor: Int32
  private let path: String
  private let temporary: String
  private var isOpen = true

  /// Creates the temporary file: `.result.json.4711.partial` for the process 4711. Names that exist are skipped.
  package init(for path: String) throws(POSIXError) {
    var status = stat()
    let isThere = unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let url = URL(fileURLWithPath: path)
    let stem = "\(url.deletingLastPathComponent().path)/.\(url.lastPathComponent)."
    var (file, name) = (Int32(-1), "")
    for attempt in 0..<100 where file < 0 && (attempt == 0 || errno == EEXIST) {
      name = stem + (attempt == 0 ? "" : "\(attempt).") + "\(getpid()).partial"
      file = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isThere ? 0o600 : 0o644)
    }
    guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    (self.path, descriptor, temporary) = (path, file, name)
    if isThere {
      // If the group cannot be kept, the file's new group gets no permissions.
      let isKept = fchown(descriptor, status.st_uid, status.st_gid) == 0
      fchmod(descriptor, status.st_mode & (isKept ? 0o777 : 0o707))
    }
  }

  deinit {
    guard isOpen else { return }
    close(descriptor)
    _ = unsafe unlink(temporary)
  }

  /// Renames the file to its path and returns the error number, 0 for success; nothing is left behind after an error.
  package mutating func keep() -> Int32 {
    isOpen = false
    // Without this, a power failure after the renaming could leave a file without its content. File systems that do not
    // support it return EINVAL.
    var code = fsync(descriptor) != 0 && errno != EINVAL ? errno : 0
    // Some file systems report a full disk only here.
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, unsafe rename(temporary, path) != 0 { code = errno }
    if code != 0 { _ = unsafe unlink(temporary) } else { Self.synchroniseFolder(of: path) }
    return code
  }

  /// Writes bytes by system calls and returns the error number, 0 for success: Foundation's errors do not distinguish a
  /// full disk from a file that is too large.
  package static func write(_ data: Data, into file: Int32) -> Int32 {
    var rest = data[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
      if written >= 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return errno }
    }
    return 0
  }

  /// Synchronises the folder, so that the file's name survives a power failure.
  static func synchroniseFolder(of path: String) {
    let folder = unsafe open(
      URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}
