// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The text of a feed's file, chunk by chunk: a plain file, one compressed by gzip, or standard input.
struct FeedFile: ~Copyable {
  private let descriptor: Descriptor
  private let inflater: Inflater?
  /// The first bytes of a plain file, read to detect its type.
  private var beginning: ArraySlice<UInt8>

  /// The name of the file for people: the given path, `-` for standard input.
  var path: String { descriptor.path }

  /// Opens a file before its first byte of text; `-` is standard input. A file that begins like gzip is inflated,
  /// whatever its name, with all its members. Throws `unreadable` for a file that is missing, a directory, not
  /// readable, empty, or compressed in another way.
  init(_ path: String, standardInput: Int32 = 0, inputSize: Int = 1 << 16) throws(FeedFileError) {
    let descriptor =
      try path == "-" ? Descriptor(number: standardInput, path: path, isOwned: false) : Descriptor(opening: path)
    if descriptor.isDirectory { throw .directory(descriptor.path) }
    let first = try Self.firstBytes(of: descriptor)
    if first.isEmpty {
      throw .unreadable(path: descriptor.path, found: "an empty file", expected: FeedFileError.feed)
    }
    if let kind = Self.foreign.first(where: { first.starts(with: $0.mark) }) {
      throw .unreadable(
        path: descriptor.path, found: kind.name,
        expected: kind.expected)
    }
    if first.starts(with: [0x1F, 0x8B]) {
      inflater = try Inflater(beginning: first, inputSize: inputSize, path: descriptor.path)
      beginning = []
    } else {
      inflater = nil
      beginning = first[...]
    }
    self.descriptor = descriptor
  }

  /// The files that people mistake for a feed, by their first bytes.
  private static let foreign: [(mark: [UInt8], name: String, expected: String)] = [
    (Array("PK\u{3}\u{4}".utf8), "a zip archive", "its content unpacked: of Strava's export, activities.csv"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a file compressed by zstd", plain),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "a file compressed by xz", plain),
    (Array("BZh".utf8), "a file compressed by bzip2", plain),
    (Array("%PDF".utf8), "a PDF", plain),
    (Array("SQLite format 3".utf8), "an SQLite database", plain),
    ([0xFF, 0xFE], "text in UTF-16", plain),
    ([0xFE, 0xFF], "text in UTF-16", plain),
  ]

  private static let plain = "\(FeedFileError.feed) in UTF-8, plain or compressed by gzip"

  /// The first bytes, enough to detect the type of the file; fewer if it is shorter.
  private static func firstBytes(of descriptor: borrowing Descriptor) throws(FeedFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    var count = 0
    // A pipe may deliver single bytes.
    while count < bytes.count {
      let start = count
      let more = try unsafe bytes.write(from: start) { rest throws(FeedFileError) in
        try unsafe descriptor.read(into: rest)
      }
      if more == 0 { break }
      count += more
    }
    return Array(bytes[..<count])
  }

  /// The next text, at least one byte; nil at the end. Throws `damaged` with the place, or `unreadable`.
  mutating func nextChunk(_ size: Int) throws(FeedFileError) -> [UInt8]? {
    if !beginning.isEmpty {
      defer { beginning = [] }
      return Array(beginning)
    }
    var chunk = [UInt8](repeating: 0, count: size)
    let count = try unsafe chunk.write(from: 0) { rest throws(FeedFileError) in
      guard let inflater else { return try unsafe descriptor.read(into: rest) }
      return try unsafe inflater.read(into: rest, from: descriptor)
    }
    if count == 0 { return nil }
    chunk.removeLast(size - count)
    return chunk
  }
}

extension [UInt8] {
  /// Lets `body` write bytes from an index on and return their number.
  mutating func write(
    from start: Int, _ body: (UnsafeMutableRawBufferPointer) throws(FeedFileError) -> Int
  ) throws(FeedFileError) -> Int {
    try unsafe withUnsafeMutableBufferPointer { bytes throws(FeedFileError) in
      try unsafe body(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[start...]))
    }
  }
}

/// An open file descriptor, closed at the end of its life.
struct Descriptor: ~Copyable {
  let number: Int32
  let path: String
  private let isOwned: Bool

  init(opening path: String) throws(FeedFileError) {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw Self.error(path, errno) }
    self.init(number: number, path: path, isOwned: true)
  }

  init(number: Int32, path: String, isOwned: Bool) {
    (self.number, self.path, self.isOwned) = (number, path, isOwned)
  }

  deinit {
    if isOwned { _ = close(number) }
  }

  /// True if it is a directory, which opens but has nothing to read.
  var isDirectory: Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads the next bytes, as many as are available at once; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedFileError) -> Int {
    while true {
      let count = unsafe Foundation.read(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw Self.error(path, errno) }
    }
  }

  private static func error(_ path: String, _ code: Int32) -> FeedFileError {
    switch code {
    case ENOENT: return .unreadable(path: path, found: "no file of that name", expected: FeedFileError.feed)
    case EISDIR: return .directory(path)
    case EACCES:
      return .unreadable(path: path, found: "no permission to read it", expected: "a file that you may read")
    default:
      let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
      return .unreadable(
        path: path, found: "the system's error '\(reason.lowercased())'", expected: FeedFileError.feed)
    }
  }
}

extension FeedFileError {
  static func directory(_ path: String) -> FeedFileError {
    .unreadable(path: path, found: "a directory", expected: "a file in it")
  }

  /// The expected content of every file.
  static let feed = "a file of activities"
}

/// An error in a file that should contain a feed.
package enum FeedFileError: Error, Hashable, Sendable {
  /// The file cannot be read; with the content found and the one expected.
  case unreadable(path: String, found: String, expected: String)
  /// A compressed file is damaged or cut off after `behind` bytes of text, in a line; nil if lines were not counted.
  case damaged(path: String, line: Int?, behind: Int, found: String)
}

extension FeedFileError: CustomStringConvertible {
  /// One sentence: the file, the content found, and the one expected.
  package var description: String {
    switch self {
    case .unreadable(let path, let found, let expected): "\(path): found \(found), expected \(expected)."
    case .damaged(let path, let line, let behind, let found):
      "\(path)\(line.map { ":\($0)" } ?? ""): found \(found) behind \(behind) bytes of text, "
        + "expected a whole gzip file; fetch it again."
    }
  }
}
