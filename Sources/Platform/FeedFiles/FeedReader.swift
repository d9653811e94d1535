// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore
internal import Foundation

/// What a file of a feed holds.
package enum FeedContent: Sendable {
  /// A page, whose activities are kept.
  case page([Activity])
  case tally(FeedTally)
}

/// Reads the files of a club's feed: pages as the service sends them and files of one activity a line, plain or
/// compressed.
///
/// Lines are read by several workers; their number changes nothing but the time that it takes. Memory depends on the
/// members, not on the lines.
package struct FeedReader: Sendable {
  private let workers: Int
  private let isLenient: Bool
  private let filter: SportFilter
  private let chunk: Int
  private let standardInput: Int32

  /// Bytes of a page that is kept although it stands alone, for what single activities say about names.
  private static let mostKept = 8 << 20

  /// A lenient reader skips and reports bad lines; pages are refused for a bad activity either way. By default a chunk
  /// has few enough bytes to stay in a processor's cache until they are read.
  package init(
    workers: Int, isLenient: Bool = false, counting filter: SportFilter = .cycling, chunk: Int = 1 << 18,
    standardInput: Int32 = 0
  ) {
    (self.workers, self.isLenient, self.filter) = (max(1, workers), isLenient, filter)
    (self.chunk, self.standardInput) = (chunk, standardInput)
  }

  /// Reads a file; `-` is standard input. Pages are tallied where they are large, unless `keepsPage`. Throws
  /// `unreadable` and `damaged` for files, `badFeed` for the first bad activity unless lines are read leniently, and
  /// for a file of which nothing could be read.
  package func read(_ path: String, keepsPage: Bool = false) throws(FeedFileError) -> FeedContent {
    let size = Self.size(of: path)
    let streams: [FeedStream]
    do throws(FeedFileError) {
      var file = try FeedFile(path, standardInput: standardInput)
      let beginning = try file.nextChunk(chunk) ?? []
      switch FeedLayout(beginning: beginning.span) {
      case .array where keepsPage || size ?? 0 <= Self.mostKept: return .page(try page(of: file, behind: beginning))
      case .lines where workers > 1: streams = try lines(of: file, behind: beginning)
      case let layout: streams = [try stream(of: file, behind: beginning, isLenient: isLenient && layout != .array)]
      }
    } catch {
      throw size == nil ? error : try located(error, in: path)
    }
    do throws(ClubError) {
      let tally = try FeedStream.finish(consume streams)
      if tally.activities == 0, let first = tally.problems.first { throw first }
      return .tally(tally)
    } catch {
      throw .badFeed(error)
    }
  }

  private func page(of file: consuming FeedFile, behind beginning: [UInt8]) throws(FeedFileError) -> [Activity] {
    var collector = FeedCollector(source: file.path)
    collector.consume(beginning.span)
    while !collector.hasStopped, let bytes = try file.nextChunk(chunk) { collector.consume(bytes.span) }
    do { return try collector.finish().activities } catch { throw .badFeed(error) }
  }

  private func stream(
    of file: consuming FeedFile, behind beginning: [UInt8], isLenient: Bool
  ) throws(FeedFileError) -> FeedStream {
    var stream = FeedStream(source: file.path, counting: filter, isLenient: isLenient)
    stream.consume(beginning.span)
    var bytes = [UInt8](repeating: 0, count: chunk)
    while !stream.hasStopped {
      let count = try file.fill(&bytes, from: 0)
      if count == 0 { break }
      stream.consume(bytes.span.extracting(first: count))
    }
    return stream
  }

  /// Has several workers read the lines of a file.
  private func lines(
    of file: consuming sending FeedFile, behind beginning: [UInt8]
  ) throws(FeedFileError) -> [FeedStream] {
    let path = file.path
    let queue = BlockQueue(
      file, beginning: beginning, size: chunk, longestLine: max(chunk, FeedLimits.activityBytes + 2))
    let streams = queue.share(among: workers) { queue in
      var stream = FeedStream(source: path, counting: filter, isLenient: isLenient)
      var block = LineBlock(size: queue.size)
      while queue.next(into: &block) {
        stream.consume(block.bytes.span.extracting(first: block.count), part: block.number)
        // A worker with an earlier block in hand finishes it, so the file's first bad line is among those found.
        if stream.hasStopped { queue.stop() }
      }
      return stream
    }
    // A bad line stands before whatever could not be read.
    if let failure = queue.failure, !streams.contains(where: \.hasStopped) { throw failure }
    return streams
  }

  /// The error with the line where a compressed file is damaged: lines are counted again, because it happens so seldom.
  private func located(_ error: FeedFileError, in path: String) throws(FeedFileError) -> FeedFileError {
    guard case .damaged(_, _, let behind, let found) = error else { return error }
    var file = try FeedFile(path)
    var (line, left) = (1, behind)
    while left > 0, let bytes = try file.nextChunk(min(left, chunk)) {
      line += bytes.count { $0 == 0x0A }
      left -= bytes.count
    }
    return .damaged(path: path, line: line, behind: behind, found: found)
  }

  /// How many bytes a file has that can be read twice; nil for others.
  private static func size(of path: String) -> Int? {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
