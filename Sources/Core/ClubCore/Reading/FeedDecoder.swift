// SPDX-License-Identifier: Apache-2.0

/// Decodes a club's feed strictly: a JSON array of activities, as in the service's pages, or one activity a line.
///
/// - Lengths are rounded to decimetres, ties up; times are integer seconds (`6021.0` is accepted, `6021.5` is refused);
///   `-0` is zero. Numbers are never converted to binary fractions.
/// - `sport_type` is the sport; a feed with only `type` is accepted, too. `workout_type`, `average_speed`, `start_date`
///   and the athlete's `id`, which becomes the member's token, may be missing or null.
/// - Other keys are checked as JSON and ignored; a known key must not be repeated.
/// - An empty array is a page without activities; an empty feed is an error. `FeedLimits` bounds all sizes.
public struct FeedDecoder: Sendable {
  /// The name of the feed in errors.
  public let source: String

  /// A decoder; `source` is a file's name, or a description of the page.
  public init(source: String) {
    self.source = source
  }

  /// The activities of one page or file, in their order.
  ///
  /// - Throws: `ClubError.badFeed` with the place of the first error, or `ClubError.serviceRefused` for an error object
  ///   of the service.
  public func activities(in body: some Sequence<UInt8>) throws(ClubError) -> [Activity] {
    var collector = FeedCollector(source: source)
    collector.consume(Array(body).span)
    return try collector.finish()
  }

  /// The valid activities of one page or file, and the first `FeedLimits.problems` errors of the others: an invalid
  /// line is skipped, and so is an invalid activity of an array if it is valid JSON.
  public func lenient(_ body: some Sequence<UInt8>) -> (activities: [Activity], problems: [ClubError]) {
    var collector = FeedCollector(source: source, isLenient: true)
    collector.consume(Array(body).span)
    return collector.finishLeniently()
  }
}

/// Decodes a feed that arrives in arbitrary chunks, as `FeedDecoder` does.
package struct FeedCollector: Sendable {
  private let source: String
  private var splitter: FeedSplitter<ActivityList>

  package init(source: String, isLenient: Bool = false) {
    self.source = source
    splitter = FeedSplitter(sink: ActivityList(), isLenient: isLenient)
  }

  /// Whether an error stopped the reading of the feed.
  package var hasStopped: Bool { splitter.hasStopped }

  package mutating func consume(_ bytes: Span<UInt8>) { splitter.consume(bytes) }

  /// Ends the feed and throws its first error, also for an empty feed.
  package consuming func finish() throws(ClubError) -> [Activity] {
    let (activities, problems) = finishLeniently()
    if let first = problems.first { throw first }
    return activities
  }

  /// Ends the feed and returns its activities with the first `FeedLimits.problems` errors.
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

/// The size limits of a feed: far above the sizes that the service sends, and small enough to bound memory. Texts are
/// measured as written in the feed, including escapes.
public enum FeedLimits {
  /// Bytes of an activity between its braces, and of a line: one MiB.
  public static let activityBytes = 1_048_576
  /// Bytes of a first name, and of a last name.
  public static let nameBytes = 500
  /// Bytes of a title.
  public static let titleBytes = 5000
  /// Bytes of the name of a sport, and of an athlete's token.
  public static let wordBytes = 100
  /// The nesting depth of objects and arrays in an activity, which is the first level.
  public static let depth = 64
  /// Total bytes of all members' names in a tally, at least 32 for each: a million members.
  public static let memberBytes = 33_554_432
  /// The number of errors that a lenient reading keeps; others are counted.
  public static let problems = 1000
}
