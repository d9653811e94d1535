// SPDX-License-Identifier: Apache-2.0

/// Decodes a club's feed strictly: a JSON array of activities, as the service sends its pages, or one activity a line.
///
/// - Lengths are rounded to the decimetre, ties up; times are whole seconds (`6021.0` is, `6021.5` is refused); `-0` is
///   zero. No digit passes through a binary fraction.
/// - `sport_type` is the sport; a feed that has only `type` is read, too. `workout_type`, `average_speed`,
///   `start_date` and the athlete's `id`, which becomes the member's token, may be missing or null.
/// - Keys that nobody reads are checked as JSON and passed over; a key that is read must not come twice.
/// - An empty array is a page without activities; no bytes at all are an error. `FeedLimits` bounds everything.
public struct FeedDecoder: Sendable {
  /// The name of the feed in errors.
  public let source: String

  /// A decoder; `source` is a file's name, or what a person would call the page.
  public init(source: String) {
    self.source = source
  }

  /// The activities of one page or file, in their order.
  ///
  /// - Throws: `ClubError.badFeed` with the place of the first thing that is wrong, or `ClubError.serviceRefused` for
  ///   an error object of the service.
  public func activities(in body: some Sequence<UInt8>) throws(ClubError) -> [Activity] {
    var collector = FeedCollector(source: source)
    collector.consume(Array(body).span)
    return try collector.finish()
  }

  /// The activities of one page or file that can be read, and what is wrong with the others: a bad line is skipped, and
  /// so is a bad activity of an array as long as it is JSON. Of the problems there are the first `FeedLimits.problems`.
  public func lenient(_ body: some Sequence<UInt8>) -> (activities: [Activity], problems: [ClubError]) {
    var collector = FeedCollector(source: source, isLenient: true)
    collector.consume(Array(body).span)
    return collector.finishLeniently()
  }
}

/// Decodes a feed that arrives in chunks, cut anywhere, as `FeedDecoder` does.
package struct FeedCollector: Sendable {
  private let source: String
  private var splitter: FeedSplitter<ActivityList>

  package init(source: String, isLenient: Bool = false) {
    self.source = source
    splitter = FeedSplitter(sink: ActivityList(), isLenient: isLenient)
  }

  /// Whether the rest of the feed is not read any more, because of something wrong.
  package var hasStopped: Bool { splitter.hasStopped }

  package mutating func consume(_ bytes: Span<UInt8>) { splitter.consume(bytes) }

  /// Ends the feed, and throws its first problem: an empty feed is one.
  package consuming func finish() throws(ClubError) -> [Activity] {
    let (activities, problems) = finishLeniently()
    if let first = problems.first { throw first }
    return activities
  }

  /// Ends the feed: nothing is thrown, and the first `FeedLimits.problems` problems are in the list.
  package consuming func finishLeniently() -> (activities: [Activity], problems: [ClubError]) {
    splitter.finish()
    let problems =
      splitter.log.isEmpty
      ? [FeedLog.emptiness(of: source)] : FeedLog.errors([splitter.log], source: source)
    return (splitter.sink.activities, problems)
  }
}

private struct ActivityList: FeedSink {
  private(set) var activities: [Activity] = []

  mutating func take(_ item: Span<UInt8>, ending: FeedEnding) throws(FeedFault) {
    activities.append(try ActivityParser.parse(item, ending: ending).activity(in: item))
  }
}

/// How much of anything a feed may carry: far more than the service sends, little enough to keep memory small. Texts
/// are measured as they are written in the feed, escapes included.
public enum FeedLimits {
  /// Bytes of an activity, from brace to brace, and of a line: one MiB.
  public static let activityBytes = 1_048_576
  /// Bytes of a first name, and of a last name.
  public static let nameBytes = 500
  /// Bytes of a title.
  public static let titleBytes = 5000
  /// Bytes of the word for a sport, and of an athlete's token.
  public static let wordBytes = 100
  /// How deep objects and arrays may nest in an activity, which is the first level itself.
  public static let depth = 64
  /// Bytes of all members' names together where a feed is tallied, 32 at least for each: a million members.
  public static let memberBytes = 33_554_432
  /// How many problems of a lenient reading are kept; the others are counted.
  public static let problems = 1000
}
