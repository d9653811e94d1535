// SPDX-License-Identifier: GPL-3.0-or-later

/// The text of a feed's file, chunk by chunk: a plain file, one compressed by gzip, or standard input.
///
/// ```swift
/// var file = try FeedFile.open("week.ndjson.gz")
/// while let chunk = try file.nextChunk() { count += chunk.count }
/// ```
package struct FeedFile: ~Copyable {
  /// How many bytes are read at once where nothing else is said: 1 MiB.
  package static let standardChunk = 1 << 20

  private let descriptor: Descriptor
  private let inflater: Inflater?
  /// The first bytes of a plain file, read to find out what it is.
  private var beginning: ArraySlice<UInt8>

  /// What a person calls the file: the path as it was given, `-` for standard input.
  package var path: String { descriptor.path }

  /// Opens a file. What begins as gzip does is inflated, whatever the name; several members follow one another.
  ///
  /// - Parameter path: The file; `-` is standard input.
  /// - Returns: The file, before its first byte of text.
  /// - Throws: `unreadable` for what is missing, a directory, not to be read, empty, or compressed in another way.
  package static func open(_ path: String) throws(FeedFileError) -> FeedFile {
    try open(path, standardInput: 0, inputSize: 1 << 16)
  }

  /// Opens a file as `open(_:)` does.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - standardInput: What `-` reads.
  ///   - inputSize: How many compressed bytes are read at once, above 0.
  /// - Returns: The file, before its first byte of text.
  /// - Throws: What `open(_:)` throws.
  static func open(_ path: String, standardInput: Int32, inputSize: Int) throws(FeedFileError) -> FeedFile {
    let isInput = path == "-"
    return try FeedFile(
      isInput ? Descriptor(borrowing: standardInput, path: path) : Descriptor(opening: path), inputSize: inputSize)
  }

  private init(_ descriptor: consuming Descriptor, inputSize: Int) throws(FeedFileError) {
    if descriptor.isDirectory { throw .directory(descriptor.path) }
    let first = try Self.firstBytes(of: descriptor)
    if first.isEmpty {
      throw .unreadable(path: descriptor.path, found: "an empty file", expected: FeedFileError.feed)
    }
    if let kind = Self.foreign.first(where: { first.starts(with: $0.mark) }) {
      throw .unreadable(
        path: descriptor.path, found: kind.name,
        expected: "\(FeedFileError.feed) in UTF-8, plain or compressed by gzip")
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

  /// What people mistake for a feed, by its first bytes.
  private static let foreign: [(mark: [UInt8], name: String)] = [
    (Array("PK\u{3}\u{4}".utf8), "a zip archive"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a file compressed by zstd"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "a file compressed by xz"),
    (Array("BZh".utf8), "a file compressed by bzip2"),
    (Array("%PDF".utf8), "a PDF"),
    (Array("SQLite format 3".utf8), "an SQLite database"),
    ([0xFF, 0xFE], "text in UTF-16"),
    ([0xFE, 0xFF], "text in UTF-16"),
  ]

  /// The first bytes, as many as tell what the file is; fewer where it ends before.
  private static func firstBytes(of descriptor: borrowing Descriptor) throws(FeedFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    var count = 0
    // A pipe may hand over single bytes.
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

  /// The text that comes next.
  ///
  /// - Parameter size: How many bytes at most, above 0.
  /// - Returns: At least one byte; nil at the end.
  /// - Throws: `damaged` with the place, `unreadable`.
  package mutating func nextChunk(_ size: Int = standardChunk) throws(FeedFileError) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: size)
    let count = try fill(&chunk, from: 0)
    if count == 0 { return nil }
    chunk.removeLast(size - count)
    return chunk
  }

  /// Fills an array with text as far as there is any.
  ///
  /// - Parameters:
  ///   - bytes: Where to; its size does not change.
  ///   - start: The place of the first byte written.
  /// - Returns: The place behind the last byte written: less than the array's size only at the end of the text.
  /// - Throws: `damaged` with the place, `unreadable`.
  mutating func fill(_ bytes: inout [UInt8], from start: Int) throws(FeedFileError) -> Int {
    var end = start
    while end < bytes.count {
      let place = end
      let more: Int
      if !beginning.isEmpty {
        more = min(beginning.count, bytes.count - place)
        bytes.replaceSubrange(place..<(place + more), with: beginning.prefix(more))
        beginning = beginning.dropFirst(more)
      } else {
        more = try unsafe bytes.write(from: place) { rest throws(FeedFileError) in
          guard let inflater else { return try unsafe descriptor.read(into: rest) }
          return try unsafe inflater.read(into: rest, from: descriptor)
        }
      }
      if more == 0 { break }
      end += more
    }
    return end
  }
}

extension [UInt8] {
  /// Has bytes written in place.
  ///
  /// - Parameters:
  ///   - start: The place of the first byte to be written, below `count`.
  ///   - body: Writes into the bytes from there to the end and says how many it wrote.
  /// - Returns: What `body` says.
  /// - Throws: What `body` throws.
  mutating func write(
    from start: Int, _ body: (UnsafeMutableRawBufferPointer) throws(FeedFileError) -> Int
  ) throws(FeedFileError) -> Int {
    try unsafe withUnsafeMutableBufferPointer { bytes throws(FeedFileError) in
      try unsafe body(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[start...]))
    }
  }
}
