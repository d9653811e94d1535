// SPDX-License-Identifier: Apache-2.0

/// Reads a feed of any size into a tally, chunk by chunk, without making a value of every activity. It accepts and
/// refuses exactly what `FeedDecoder` does; its memory depends on the members, not on the feed.
///
/// One stream reads a whole feed by `consume(_:)`. Several may share a feed of lines: each reads some of its parts by
/// `consume(_:part:)`, and `finish(_:)` puts all together.
public struct FeedStream: Sendable {
  /// What errors call the feed.
  public let source: String
  private var splitter: FeedSplitter<TallySink>

  /// A stream.
  ///
  /// - Parameters:
  ///   - source: What errors call the feed.
  ///   - filter: Which activities count.
  ///   - isLenient: Whether bad activities are skipped and told rather than refused.
  public init(source: String, counting filter: SportFilter = .cycling, isLenient: Bool = false) {
    self.source = source
    splitter = FeedSplitter(sink: TallySink(filter: filter), isLenient: isLenient)
  }

  /// Whether the rest of the feed is not read any more, because of something wrong.
  public var hasStopped: Bool { splitter.phase == .stopped }

  /// Reads the next bytes of the feed.
  ///
  /// - Parameter bytes: Any number of them, cut anywhere.
  public mutating func consume(_ bytes: Span<UInt8>) { splitter.consume(bytes) }

  /// Reads one part of a feed of lines that several streams share.
  ///
  /// - Parameters:
  ///   - bytes: Whole lines; the last line of the feed alone may lack its end.
  ///   - part: The part's place in the feed. Parts are given to streams in ascending order, each to one stream.
  public mutating func consume(_ bytes: Span<UInt8>, part: Int) { splitter.consume(bytes, part: part) }

  /// Ends the feed.
  ///
  /// - Returns: What the feed comes to.
  /// - Throws: The first problem, unless the reading is lenient; an empty feed is a problem either way.
  public consuming func finish() throws(ClubError) -> FeedTally { try Self.finish([self]) }

  /// Ends a feed that several streams have shared.
  ///
  /// - Parameter streams: All streams of the feed, in any order; no stream at all has read nothing.
  /// - Returns: What the feed comes to.
  /// - Throws: The first problem of the feed, unless the reading is lenient; an empty feed is a problem either way.
  public static func finish(_ streams: consuming [FeedStream]) throws(ClubError) -> FeedTally {
    guard var first = streams.popLast() else { return FeedTally() }
    let (source, isLenient) = (first.source, first.splitter.isLenient)
    first.splitter.finish()
    // Taken out, not copied: a second owner would have every merge begin with a copy of the table.
    var sink = TallySink(filter: first.splitter.sink.sports.filter)
    swap(&sink, &first.splitter.sink)
    var logs = [first.splitter.log]
    // One after the other, so that their tables do not stand in memory together longer than they must.
    while var stream = streams.popLast() {
      stream.splitter.finish()
      logs.append(stream.splitter.log)
      sink.merge(stream.splitter.sink)
    }
    if logs.allSatisfy(\.isEmpty) { throw FeedLog.emptiness(of: source) }
    var result = FeedTally()
    (result.week, result.activities) = (sink.tally, sink.activities)
    result.problems = FeedLog.errors(logs, source: source)
    result.problemCount = logs.reduce(0) { $0 + $1.count }
    if !isLenient, let first = result.problems.first { throw first }
    return result
  }
}

/// What a feed comes to.
public struct FeedTally: Sendable {
  /// What the counted activities come to, member by member.
  public internal(set) var week = WeekTally()
  /// How many activities were read, counted or not.
  public internal(set) var activities = 0
  /// The first `FeedLimits.problems` problems in the feed's order; none unless the reading was lenient.
  public internal(set) var problems: [ClubError] = []
  /// How many problems there were: so many activities are missing, or more where an array broke off.
  public internal(set) var problemCount = 0

  /// Nothing read.
  public init() {}

  /// Adds what another feed comes to; its problems stand behind the own ones.
  public mutating func merge(_ other: FeedTally) {
    week.merge(other.week)
    activities += other.activities
    problems = Array((problems + other.problems).prefix(FeedLimits.problems))
    problemCount += other.problemCount
  }
}
