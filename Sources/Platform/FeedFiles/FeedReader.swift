// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore
internal import Foundation

package enum FeedContent: Sendable {
  /// A page with its activities, and the number of bytes of its text.
  case page([Activity], bytes: Int)
  case tally(FeedTally)
}

/// Reads the files of a club's feed: pages as the service sends them and files of one activity a line, plain or
/// compressed.
///
/// Lines are read by several workers, whose number changes only the time. Memory depends on the members, whose names
/// are limited to `FeedLimits.memberBytes`, and on kept pages, which are limited by their text; it depends neither on
/// the number of lines nor on the compression of a file.
package struct FeedReader: Sendable {
  private let workers: Int
  private let isLenient: Bool
  private let filter: SportFilter
  private let chunk: Int
  private let standardInput: Int32

  /// The most bytes of decompressed text of a single page whose activities are kept, for findings about names.
  private static let mostKept = 8 << 20
  /// The most bytes of decompressed text of pages that are kept together: a few hundred pages of the service.
  package static let mostKeptTogether = 32 << 20

  /// A lenient reader skips and reports bad lines; pages are refused for a bad activity either way. A default chunk
  /// fits into a processor's cache until it is read.
  package init(
    workers: Int, isLenient: Bool = false, counting filter: SportFilter = .cycling, chunk: Int = 1 << 18,
    standardInput: Int32 = 0
  ) {
    (self.workers, self.isLenient, self.filter) = (max(1, workers), isLenient, filter)
    (self.chunk, self.standardInput) = (chunk, standardInput)
  }

  /// Reads a file; `-` is standard input. A large page is tallied, unless pages are read together: then each is kept,
  /// and `room` is the most bytes of its text. Throws `unreadable` and `damaged` for files, `badFeed` for the first bad
  /// activity unless lines are read leniently, and for a file without any readable activity.
  package func read(_ path: String, keepingUpTo room: Int? = nil) throws(FeedFileError) -> FeedContent {
    let streams: [FeedStream]
    do throws(FeedFileError) {
      var file = try FeedFile(path, standardInput: standardInput)
      var beginning = try file.nextChunk(chunk) ?? []
      switch FeedLayout(beginning: beginning.span) {
      case .array:
        if let activities = try page(of: &file, behind: &beginning, limit: room ?? Self.mostKept) {
          return .page(activities, bytes: beginning.count)
        }
        guard room == nil else { throw .tooMuchTogether(path) }
        streams = [try stream(of: file, behind: beginning, isLenient: false)]
      case .lines where workers > 1: streams = try lines(of: file, behind: beginning)
      case .lines, nil: streams = [try stream(of: file, behind: beginning, isLenient: isLenient)]
      }
    } catch {
      throw Self.canBeReadAgain(path) ? try located(error, in: path) : error
    }
    do throws(ClubError) {
      let tally = try FeedStream.finish(consume streams)
      if tally.activities == 0, let first = tally.problems.first { throw first }
      return .tally(tally)
    } catch {
      throw .badFeed(error)
    }
  }

  /// The activities of a page, whose text continues the text read before; nil as soon as it exceeds the limit.
  private func page(
    of file: inout FeedFile, behind text: inout [UInt8], limit: Int
  ) throws(FeedFileError) -> [Activity]? {
    var collector = FeedCollector(source: file.path)
    collector.consume(text.span)
    while !collector.hasStopped, text.count <= limit, let bytes = try file.nextChunk(chunk) {
      text += bytes
      collector.consume(bytes.span)
    }
    if text.count > limit, !collector.hasStopped { return nil }
    do { return try collector.finish() } catch { throw .badFeed(error) }
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

  /// Reads the lines of a file by several workers.
  private func lines(
    of file: consuming sending FeedFile, behind beginning: [UInt8]
  ) throws(FeedFileError) -> [FeedStream] {
    let path = file.path
    let queue = BlockQueue(
      file, beginning: beginning, size: chunk, longestLine: max(chunk, FeedLimits.activityBytes + 2))
    let streams = queue.share(among: workers) { queue in
      var stream = FeedStream(source: path, counting: filter, isLenient: isLenient)
      var block = LineBlock(size: chunk)
      while queue.next(into: &block) {
        stream.consume(block.bytes.span.extracting(first: block.count), part: block.number)
        // A worker with an earlier block finishes it, so the file's first bad line is among those found.
        if stream.hasStopped { queue.stop() }
      }
      return stream
    }
    // A bad line is before the part that could not be read.
    if let failure = queue.failure, !streams.contains(where: \.hasStopped) { throw failure }
    return streams
  }

  /// The error with the line where a compressed file is damaged: lines are counted only then, because it is rare.
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

  private static func canBeReadAgain(_ path: String) -> Bool {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG
  }
}
