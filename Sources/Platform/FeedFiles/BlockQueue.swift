// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Synchronization

/// A file's blocks for several threads: each is handed out once, in the file's order.
final class BlockQueue: Sendable {
  private struct State: ~Copyable {
    var blocks: LineBlocks
    var failure: FeedFileError?
  }

  private let state: Mutex<State>
  /// How many bytes a block has, as a rule.
  let size: Int

  /// The blocks of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - beginning: Text of the file that was read before.
  ///   - size: How many bytes a block has, as a rule; above 0.
  ///   - longestLine: How many bytes a line may have.
  init(_ file: consuming sending FeedFile, beginning: [UInt8], size: Int, longestLine: Int) {
    self.size = size
    state = Mutex(State(blocks: LineBlocks(file, beginning: beginning, size: size, longestLine: longestLine)))
  }

  /// Reads the next block.
  ///
  /// - Parameter block: Where to.
  /// - Returns: Whether there was one; there is none behind a failure.
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

  /// Hands out no more blocks.
  func stop() { state.withLock { $0.blocks.stop() } }

  /// What ended the reading before the file's end.
  var failure: FeedFileError? { state.withLock { $0.failure } }

  /// Does the same work on several threads, the caller's among them, and waits for all of them.
  ///
  /// - Parameters:
  ///   - workers: How many threads, above 0.
  ///   - work: Takes blocks until there are none.
  /// - Returns: What each thread's work came to, in no order.
  func share<Part: Sendable>(among workers: Int, _ work: @escaping @Sendable (BlockQueue) -> Part) -> [Part] {
    let parts = Parts<Part>()
    let others = DispatchGroup()
    for _ in 1..<max(1, workers) {
      others.enter()
      Thread.detachNewThread {
        parts.add(work(self))
        others.leave()
      }
    }
    parts.add(work(self))
    others.wait()
    return parts.all
  }
}

/// What came of each thread's work.
private final class Parts<Part: Sendable>: Sendable {
  private let parts = Mutex<[Part]>([])

  func add(_ part: Part) { parts.withLock { $0.append(part) } }

  var all: [Part] { parts.withLock { $0 } }
}
