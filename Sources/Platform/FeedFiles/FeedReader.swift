// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore
internal import Foundation

/// Reads the files of a club's feed: pages as the service sends them and files of one activity a line, plain or
/// compressed, in any mixture.
///
/// ```swift
/// let week = try FeedReader(isLenient: true).tally(of: ["page-1.json", "page-2.json", "older.ndjson.gz"])
/// ```
///
/// Lines are read by several workers; their number changes nothing but the time that it takes. Memory depends on the
/// members, not on the files.
package struct FeedReader: Sendable {
  /// How many threads read lines.
  package let workers: Int
  /// Whether bad activities are skipped and reported rather than refused.
  package let isLenient: Bool
  /// Which activities count.
  package let filter: SportFilter
  private let chunk: Int
  private let standardInput: Int32

  /// A reader with one worker for every processor where nothing is said. Leniency skips and reports bad activities;
  /// what makes a whole file unreadable is refused either way.
  package init(workers: Int? = nil, isLenient: Bool = false, counting filter: SportFilter = .cycling) {
    self.init(
      workers: workers ?? ProcessInfo.processInfo.activeProcessorCount, isLenient: isLenient, counting: filter,
      chunk: Self.standardChunk, standardInput: 0)
  }

  init(workers: Int, isLenient: Bool, counting filter: SportFilter, chunk: Int, standardInput: Int32 = 0) {
    (self.workers, self.isLenient, self.filter) = (max(1, workers), isLenient, filter)
    (self.chunk, self.standardInput) = (chunk, standardInput)
  }

  /// How many bytes are read at once: few enough to stay in a processor's cache until they are read.
  private static let standardChunk = 1 << 18

  /// The sums of the files, read in their order; `-` is standard input. Throws `unreadable` and `damaged` for files,
  /// `badFeed` for the first bad activity unless the reading is lenient, and for a file of nothing but white space.
  package func tally(of paths: [String]) throws(FeedFileError) -> FeedTally {
    // The first is not merged into an empty sum: that would copy every member.
    guard let first = paths.first else { return FeedTally() }
    var sum = try tally(of: first)
    for path in paths.dropFirst() { sum.merge(try tally(of: path)) }
    return sum
  }

  /// The activities of the files, all of them, whatever counts. Throws what `tally(of:)` throws.
  package func activities(of paths: [String]) throws(FeedFileError) -> FeedActivities {
    var sum = FeedActivities()
    for path in paths { sum.merge(try activities(of: path)) }
    return sum
  }

  private func open(_ path: String) throws(FeedFileError) -> FeedFile {
    try FeedFile.open(path, standardInput: standardInput, inputSize: 1 << 16)
  }

  // MARK: one file

  private func tally(of path: String) throws(FeedFileError) -> FeedTally {
    let streams = try mendingLine(of: path) { () throws(FeedFileError) in
      var file = try open(path)
      let beginning = try file.nextChunk(chunk) ?? []
      if workers > 1, FeedLayout(beginning: beginning.span) == .lines {
        return try readLines(of: file, behind: beginning)
      }
      var stream = FeedStream(source: path, counting: filter, isLenient: isLenient)
      stream.consume(beginning.span)
      var bytes = [UInt8](repeating: 0, count: chunk)
      while !stream.hasStopped {
        let count = try file.fill(&bytes, from: 0)
        if count == 0 { break }
        stream.consume(bytes.span.extracting(first: count))
      }
      return [stream]
    }
    do { return try FeedStream.finish(consume streams) } catch { throw .badFeed(error) }
  }

  /// Has several workers read the lines of a file.
  private func readLines(
    of file: consuming sending FeedFile, behind beginning: [UInt8]
  ) throws(FeedFileError) -> [FeedStream] {
    let path = file.path
    let queue = BlockQueue(
      file, beginning: beginning, size: chunk, longestLine: max(chunk, FeedLimits.activityBytes + 2))
    let streams = queue.share(among: workers) { [filter, isLenient] queue in
      var stream = FeedStream(source: path, counting: filter, isLenient: isLenient)
      var block = LineBlock(size: queue.size)
      while queue.next(into: &block) {
        stream.consume(block.bytes.span.extracting(first: block.count), part: block.number)
        // Whoever has an earlier block in hand finishes it, so the file's first bad line is among those found.
        if stream.hasStopped { queue.stop() }
      }
      return stream
    }
    // A bad line stands before whatever could not be read.
    if let failure = queue.failure, !streams.contains(where: \.hasStopped) { throw failure }
    return streams
  }

  private func activities(of path: String) throws(FeedFileError) -> FeedActivities {
    let collector = try mendingLine(of: path) { () throws(FeedFileError) in
      var file = try open(path)
      var collector = FeedCollector(source: path, isLenient: isLenient)
      while !collector.hasStopped, let bytes = try file.nextChunk(chunk) { collector.consume(bytes.span) }
      return collector
    }
    do {
      let (activities, problems) = try collector.finish()
      return FeedActivities(activities: activities, problems: problems)
    } catch {
      throw .badFeed(error)
    }
  }

  /// Names the line where a compressed file is damaged: lines are counted again, because it happens so seldom.
  private func mendingLine<Result: Sendable>(
    of path: String, _ body: () throws(FeedFileError) -> Result
  ) throws(FeedFileError) -> Result {
    do throws(FeedFileError) {
      return try body()
    } catch {
      guard case .damaged(_, _, let behind, let found) = error, path != "-" else { throw error }
      var file = try open(path)
      var (line, left) = (1, behind)
      while left > 0, let bytes = try file.nextChunk(min(left, chunk)) {
        line += bytes.count { $0 == 0x0A }
        left -= bytes.count
      }
      throw .damaged(path: path, line: line, behind: behind, found: found)
    }
  }
}

/// The activities of some files.
package struct FeedActivities: Sendable {
  /// The activities in the files' order.
  package internal(set) var activities: [Activity] = []
  /// The first `FeedLimits.problems` problems in the files' order; none unless the reading was lenient.
  package internal(set) var problems: [ClubError] = []

  mutating func merge(_ other: FeedActivities) {
    activities += other.activities
    problems = Array((problems + other.problems).prefix(FeedLimits.problems))
  }
}
