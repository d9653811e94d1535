// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The file with the vault's key: 32 random bytes that only the owner can read.
package struct KeyFile: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The vault of the key. A missing key is created, unless values are sealed with a lost one.
  ///
  /// - Throws: `LeagueConnectionError`: `badKey` for a file that others can read, that belongs to another user, that is
  ///   a symbolic link, or that contains no key.
  package func vault(mayCreate: Bool) throws -> CredentialVault {
    let read = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    var descriptor = unsafe open(path, read)
    if descriptor < 0, errno == ENOENT {
      guard mayCreate else {
        throw bad("no file", cure: "put it back, or remove the leagues and connect them again")
      }
      try create()
      descriptor = unsafe open(path, read)
    }
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? bad("a symbolic link", cure: "put the file itself there") : bad(Self.cause, cure: "make it readable")
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw bad(Self.cause, cure: "make it readable") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw bad("no regular file", cure: "remove it") }
    guard status.st_uid == geteuid() else {
      throw bad("a file of user \(status.st_uid)", cure: "use a key of your own")
    }
    guard status.st_mode & 0o777 == 0o600 else {
      throw bad(
        "mode \(String(status.st_mode & 0o777, radix: 8))",
        cure: "somebody may have read it: if nobody has, 'chmod 600' it, else remove it and the leagues")
    }
    var key = [UInt8](repeating: 0, count: CredentialVault.keyBytes + 1)
    let count = unsafe key.withUnsafeMutableBytes { unsafe Foundation.read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0, let vault = CredentialVault(key: Array(key.prefix(count))) else {
      throw bad(
        count > CredentialVault.keyBytes ? "more bytes" : "\(max(0, count)) bytes",
        cure: "put the right file back, or remove it and the leagues")
    }
    return vault
  }

  /// Creates the file in one step: it exists with its whole key, or not at all. A file that another process creates at
  /// the same time stays.
  private func create() throws {
    let new = "\(path).\(UUID().uuidString)"
    let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw bad(Self.cause, cure: "make its folder writable") }
    defer {
      close(descriptor)
      unsafe unlink(new)
    }
    let key = try RandomBytes.take(CredentialVault.keyBytes)
    // A umask can only have removed permissions.
    guard fchmod(descriptor, 0o600) == 0, unsafe write(descriptor, key, key.count) == key.count,
      fsync(descriptor) == 0, unsafe link(new, path) == 0 || errno == EEXIST
    else { throw bad(Self.cause, cure: "make space in its folder") }
  }

  private static var cause: String { unsafe String(cString: strerror(errno)) }

  private func bad(_ found: String, cure: String) -> LeagueConnectionError {
    .badKey(
      path: path, found: found, expected: "\(CredentialVault.keyBytes) bytes in a file of yours of mode 600", cure: cure
    )
  }
}
