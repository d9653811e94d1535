// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// An open file of the system's, closed when it is done with.
struct Descriptor: ~Copyable {
  /// The system's number.
  let number: Int32
  /// What a person calls the file.
  let path: String
  private let isOwned: Bool

  /// Opens a file for reading.
  ///
  /// - Parameter path: Where it is.
  /// - Throws: `unreadable` for a path where there is nothing, and for one that may not be read.
  init(opening path: String) throws(FeedFileError) {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw Self.error(path, errno) }
    self.init(number: number, path: path, isOwned: true)
  }

  /// A file that somebody else opened and will close.
  init(borrowing number: Int32, path: String) {
    self.init(number: number, path: path, isOwned: false)
  }

  private init(number: Int32, path: String, isOwned: Bool) {
    (self.number, self.path, self.isOwned) = (number, path, isOwned)
  }

  deinit {
    if isOwned { _ = close(number) }
  }

  /// Whether it is a directory, which opens but has nothing to read.
  var isDirectory: Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads what comes next, as much as there is at once.
  ///
  /// - Parameter buffer: Where to; not empty.
  /// - Returns: How many bytes were read; 0 at the end.
  /// - Throws: `unreadable` with the system's reason.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedFileError) -> Int {
    while true {
      let count = unsafe Foundation.read(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw Self.error(path, errno) }
    }
  }

  private static func error(_ path: String, _ code: Int32) -> FeedFileError {
    switch code {
    case ENOENT: return .unreadable(path: path, found: "nothing of that name", expected: FeedFileError.feed)
    case EISDIR: return .directory(path)
    case EACCES:
      return .unreadable(path: path, found: "no permission to read it", expected: "a file that you may read")
    default:
      let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
      return .unreadable(
        path: path, found: "the system's refusal '\(reason.lowercased())'", expected: FeedFileError.feed)
    }
  }
}

extension FeedFileError {
  /// A directory where a file should be.
  static func directory(_ path: String) -> FeedFileError {
    .unreadable(path: path, found: "a directory", expected: "a file in it")
  }
}
