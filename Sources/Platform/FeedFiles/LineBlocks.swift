// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Synchronization

/// A part of a file's text that consists of whole lines; its storage is reused for the next part.
struct LineBlock: Sendable {
  /// Storage, of which the first `count` bytes are text.
  var bytes: [UInt8]
  var count = 0
  /// The block's place in the file, from 0.
  var number = 0

  init(size: Int) {
    bytes = Array(repeating: 0, count: size)
  }
}

/// Divides a file's text at line ends into blocks of similar size.
struct LineBlocks: ~Copyable {
  private var file: FeedFile
  private let size: Int
  private let longestLine: Int
  /// The bytes that were read after the last block's last line end.
  private var rest: [UInt8] = []
  private var handedOut = 0
  private var isStopped = false

  /// The blocks of a file, after text that was read before. A block has at most `size` bytes, unless a line is longer;
  /// a line is cut to `longestLine` bytes, its end included.
  init(_ file: consuming FeedFile, beginning: [UInt8] = [], size: Int, longestLine: Int) {
    self.file = file
    rest = beginning
    (self.size, self.longestLine) = (size, longestLine)
  }

  /// Reads the next block. Every line except the file's last has a line end.
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

  mutating func stop() { isStopped = true }

  /// Begins a block with the rest of the last one.
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

  /// Skips to the end of a line.
  private mutating func cutLine(_ block: inout LineBlock) throws(FeedFileError) {
    block.count = longestLine
    // The line must not look blank, whatever has been cut off.
    block.bytes[0] = UInt8(ascii: "?")
    while let chunk = try file.nextChunk(size) {
      guard let end = chunk.firstIndex(of: 0x0A) else { continue }
      rest = Array(chunk[(end + 1)...])
      block.bytes[longestLine - 1] = 0x0A
      return
    }
  }
}

/// A file's blocks for several threads: each is returned once, in the file's order.
final class BlockQueue: Sendable {
  private struct State: ~Copyable {
    var blocks: LineBlocks
    var failure: FeedFileError?
  }

  private let state: Mutex<State>

  init(_ file: consuming sending FeedFile, beginning: [UInt8], size: Int, longestLine: Int) {
    state = Mutex(State(blocks: LineBlocks(file, beginning: beginning, size: size, longestLine: longestLine)))
  }

  /// Reads the next block; false at the end and after a failure.
  func next(into block: inout LineBlock) -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      do throws(FeedFileError) {
        return try state.blocks.next(into: &block)
      } catch {
        state.failure = error
        return false
      }
    }
  }

  func stop() { state.withLock { $0.blocks.stop() } }

  var failure: FeedFileError? { state.withLock { $0.failure } }

  /// Does the work on several threads, including the caller's, and waits for all. The results have no order.
  func share<Part: Sendable>(among workers: Int, _ work: @Sendable (BlockQueue) -> Part) -> [Part] {
    let parts = Mutex<[Part]>([])
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      let part = work(self)
      parts.withLock { $0.append(part) }
    }
    return parts.withLock { $0 }
  }
}
