// SPDX-License-Identifier: GPL-3.0-or-later

/// A piece of a file's text that begins and ends with whole lines; its storage serves one piece after the other.
struct LineBlock: Sendable {
  /// Storage, of which the first `count` bytes are text.
  var bytes: [UInt8]
  /// How many bytes of text there are.
  var count = 0
  /// The block's place in the file, from 0.
  var number = 0

  init(size: Int) {
    bytes = Array(repeating: 0, count: size)
  }
}

/// Cuts a file's text at its line ends, into blocks of about one size.
struct LineBlocks: ~Copyable {
  private var file: FeedFile
  private let size: Int
  private let longestLine: Int
  /// What was read behind the last block's last line end.
  private var rest: [UInt8] = []
  private var handedOut = 0
  private var isStopped = false

  /// A file's blocks.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - beginning: Text of the file that was read before.
  ///   - size: How many bytes a block has at most, unless a line is longer; above 0.
  ///   - longestLine: How many bytes of a line are kept, its end counted; at least 2. What is longer is cut to that.
  init(_ file: consuming FeedFile, beginning: [UInt8] = [], size: Int, longestLine: Int) {
    self.file = file
    rest = beginning
    (self.size, self.longestLine) = (size, longestLine)
  }

  /// Reads the next block. A line end stands behind every line but the file's last one.
  ///
  /// - Parameter block: Where to.
  /// - Returns: Whether there was one.
  /// - Throws: `damaged`, `unreadable`.
  mutating func next(into block: inout LineBlock) throws(FeedFileError) -> Bool {
    if isStopped { return false }
    take(&block)
    while true {
      let start = block.count
      block.count = try file.fill(&block.bytes, from: start)
      let isEnd = block.count < block.bytes.count
      if isEnd { break }
      if let end = block.bytes[..<block.count].lastIndex(of: 0x0A) {
        rest.append(contentsOf: block.bytes[(end + 1)..<block.count])
        block.count = end + 1
        break
      }
      if block.count >= longestLine {
        try cutLine(&block)
        break
      }
      block.bytes.append(contentsOf: repeatElement(0, count: min(block.count, longestLine - block.count)))
    }
    handedOut += 1
    return block.count > 0
  }

  /// Hands out no more blocks.
  mutating func stop() { isStopped = true }

  /// Begins a block with what is left of the last one.
  private mutating func take(_ block: inout LineBlock) {
    let room = max(size, rest.count + 1)
    if block.bytes.count > room { block.bytes.removeLast(block.bytes.count - room) }
    if block.bytes.count < room {
      block.bytes.append(contentsOf: repeatElement(0, count: room - block.bytes.count))
    }
    block.bytes.replaceSubrange(..<rest.count, with: rest)
    (block.count, block.number) = (rest.count, handedOut)
    rest.removeAll(keepingCapacity: true)
  }

  /// Reads on to the end of a line without keeping it.
  private mutating func cutLine(_ block: inout LineBlock) throws(FeedFileError) {
    block.count = longestLine
    // Whoever passes over blank lines must not take this one for blank, whatever has been cut off.
    block.bytes[0] = UInt8(ascii: "?")
    while let chunk = try file.nextChunk(size) {
      guard let end = chunk.firstIndex(of: 0x0A) else { continue }
      rest = Array(chunk[(end + 1)...])
      block.bytes[longestLine - 1] = 0x0A
      return
    }
  }
}
