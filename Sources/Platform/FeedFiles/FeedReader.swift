// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// Reads the files of a club's activities, plain or compressed by gzip, each as a whole.
package struct FeedReader: Sendable {
  private let standardInput: Int32
  private let limit: Int

  /// A reader of files of at most `limit` bytes of text.
  package init(standardInput: Int32 = 0, limit: Int = FeedLimits.documentBytes) {
    (self.standardInput, self.limit) = (standardInput, limit)
  }

  /// Reads a file; `-` is standard input. Throws `unreadable` and `damaged` for files.
  package func read(_ path: String) throws(FeedFileError) -> FeedReading {
    FeedDecoder(source: path).read(try text(path))
  }

  /// The decompressed bytes of a file.
  package func text(_ path: String) throws(FeedFileError) -> [UInt8] {
    var file = try FeedFile(path, standardInput: standardInput)
    var text: [UInt8] = []
    do throws(FeedFileError) {
      while let chunk = try file.nextChunk(1 << 18) {
        text += chunk
        guard text.count <= limit else {
          throw .unreadable(
            path: path, found: "more than \(limit >> 20) MiB of text",
            expected: "at most that in one file, decompressed; split it")
        }
      }
    } catch {
      guard case .damaged(_, _, let behind, let found) = error else { throw error }
      let line = 1 + text.count { $0 == 0x0A }
      throw .damaged(path: path, line: line, behind: behind, found: found)
    }
    return text
  }
}
