// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

/// Reads a club's activities from JSON: pages, which are arrays of activities, and activities behind one another, such
/// as one a line. It also reads `activities.csv` of Strava's export, in any language.
///
/// - Lengths are rounded to decimetres, ties up; times are integer seconds (`6021.0` is accepted, `6021.5` is refused);
///   `-0` is zero. Numbers are never converted to binary fractions.
/// - `sport_type` is the sport; an activity with only `type` is accepted, too. `workout_type`, `id`, `start_date`,
///   `start_date_local`, `utc_offset` and the athlete's `id`, which becomes the member's token, may be missing or null.
///   An activity with a date needs neither a title nor the athlete's names.
/// - Other keys are checked as JSON and ignored; no key may be repeated.
/// - An empty array is a page without activities; an empty feed is an error. `FeedLimits` bounds all sizes.
public struct FeedDecoder: Sendable {
  /// The name of the feed in errors.
  public let source: String

  /// A decoder; `source` is a file's name, or a description of the page.
  public init(source: String) {
    self.source = source
  }

  /// The activities of one page or file, in their order. Every activity must be complete and have a name.
  ///
  /// - Throws: `ClubError.badFeed` with the place of the first error, or `ClubError.serviceRefused` for an error object
  ///   of the service.
  public func activities(in body: some Sequence<UInt8>) throws(ClubError) -> [Activity] {
    let reading = read(body)
    if let first = reading.problems.first { throw first }
    for entry in reading.entries where !entry.isNamed { throw ActivityReader.noName.error(at: entry.location) }
    return reading.entries.map(\.activity)
  }

  /// The valid activities of one page or file with a name, and the first `FeedLimits.problems` errors of the others. A
  /// broken line is skipped; behind broken JSON in an array nothing is read.
  public func lenient(_ body: some Sequence<UInt8>) -> (activities: [Activity], problems: [ClubError]) {
    let reading = read(body)
    return (reading.entries.filter(\.isNamed).map(\.activity), reading.problems)
  }

  /// Everything that one page or file has.
  public func read(_ body: some Sequence<UInt8>) -> FeedReading {
    let bytes = Array(body)
    guard bytes.count <= FeedLimits.documentBytes else { return FeedReading(failure: tooLarge) }
    if let kind = ForeignDocument(bytes) { return FeedReading(failure: error(kind, line: 1)) }
    if StravaExport.isTable(bytes) { return table(bytes) }
    var run = FeedRun(source: source, bytes: bytes)
    run.readAll()
    return run.reading
  }

  private func table(_ bytes: [UInt8]) -> FeedReading {
    var reading = FeedReading()
    do throws(ClubError) {
      try StravaExport(bytes, source: source).read(into: &reading)
    } catch {
      reading.failure = error
    }
    return reading
  }

  private func error(_ kind: ForeignDocument, line: Int) -> ClubError {
    .badFeed(FeedLocation(source: source, line: line), field: "", found: kind.found, expected: kind.expected)
  }

  private var tooLarge: ClubError {
    .badValue(
      field: source, found: "more than \(FeedLimits.documentBytes >> 20) MiB of text",
      expected: "at most that in one file, decompressed")
  }
}

/// The contents of a page or file of activities.
public struct FeedReading: Sendable {
  /// The activities, in their order.
  public internal(set) var entries: [FeedEntry] = []
  /// The errors of skipped elements, at most `FeedLimits.problems`.
  public internal(set) var skipped: [ClubError] = []
  /// The number of skipped elements.
  public internal(set) var skippedCount = 0
  /// The errors of activities that lack a value and count nevertheless: without a climb, or with the elapsed time in
  /// place of the moving time. At most `FeedLimits.problems`.
  public internal(set) var incomplete: [ClubError] = []
  /// The number of such activities.
  public internal(set) var incompleteCount = 0
  /// The error at which reading ended: a document of another kind, or broken JSON in an array. It is also the error of
  /// an empty feed.
  public internal(set) var failure: ClubError?

  /// All errors in their order, at most `FeedLimits.problems`.
  public var problems: [ClubError] {
    let all = (skipped + incomplete).enumerated().sorted { left, right in
      (left.element.line, left.offset) < (right.element.line, right.offset)
    }
    return Array((all.map(\.element) + [failure].compactMap(\.self)).prefix(FeedLimits.problems))
  }

  mutating func addSkipped(_ error: ClubError) {
    skippedCount += 1
    if skipped.count < FeedLimits.problems { skipped.append(error) }
  }

  mutating func addIncomplete(_ error: ClubError) {
    incompleteCount += 1
    if incomplete.count < FeedLimits.problems { incomplete.append(error) }
  }
}

/// An activity with its place, and with what only some services send.
public struct FeedEntry: Hashable, Sendable {
  /// The activity; its member has no name if the feed has none.
  public var activity: Activity
  /// The service's id of the activity.
  public var id: String?
  /// The start in local time where the activity began, as if that clock showed UTC.
  public var localStart: Moment?
  /// Where it was read.
  public let location: FeedLocation
  /// The number of the array that it was in, from 1; `nil` outside of arrays.
  public let page: Int?

  /// An activity that was read somewhere.
  public init(
    _ activity: Activity, id: String? = nil, localStart: Moment? = nil, location: FeedLocation, page: Int? = nil
  ) {
    (self.activity, self.id, self.localStart, self.location, self.page) = (activity, id, localStart, location, page)
  }

  /// True if its week is known.
  public var isDated: Bool { localStart != nil || activity.start != nil }

  /// True if the feed names its member.
  public var isNamed: Bool { !activity.member.name.description.isEmpty }

  /// The week in which it began: by the local clock if the feed has its reading, else by a calendar.
  public func week(by calendar: WeekCalendar) -> Week? {
    if let localStart { return WeekCalendar.utc.week(of: localStart) }
    return activity.start.map(calendar.week)
  }
}

/// The limits of a feed: far above the sizes that services send, and small enough to bound memory.
public enum FeedLimits {
  /// Bytes of a document: 256 MiB.
  public static let documentBytes = 268_435_456
  /// Bytes of a first name, and of a last name.
  public static let nameBytes = 500
  /// Bytes of a title.
  public static let titleBytes = 5000
  /// Bytes of the name of a sport, of an id, and of an athlete's token.
  public static let wordBytes = 100
  /// The nesting depth of objects and arrays in an activity, which is the first level.
  public static let depth = 64
  /// The number of errors that are kept; others are counted.
  public static let problems = 1000
}

/// The reading of one document.
private struct FeedRun {
  let source: String
  let bytes: [UInt8]
  var reading = FeedReading()
  private var values: JSONValues
  private let reader: ActivityReader

  init(source: String, bytes: [UInt8]) {
    (self.source, self.bytes, reader) = (source, bytes, ActivityReader(bytes: bytes))
    values = JSONValues(parsing: bytes, deepest: FeedLimits.depth, isForgiving: true)
  }

  mutating func readAll() {
    while reading.failure == nil {
      do throws(JSONFault) {
        guard let node = try values.next() else { break }
        take(node)
      } catch {
        take(error)
      }
    }
    if reading.entries.isEmpty, reading.skippedCount == 0, reading.failure == nil, values.arrays == 0 {
      reading.failure = .badFeed(
        FeedLocation(source: source, line: 1), field: "", found: "an empty feed", expected: ActivityReader.feed)
    }
  }

  private mutating func take(_ node: JSONNode) {
    let location = FeedLocation(source: source, line: node.line, activity: values.element)
    if reading.entries.isEmpty, let problem = ForeignObject.problem(node, at: location) {
      reading.failure = problem
      return
    }
    do throws(FeedFault) {
      let (entry, missing) = try reader.entry(
        node, location: location, page: values.element == nil ? nil : values.arrays)
      reading.entries.append(entry)
      if let missing { reading.addIncomplete(missing.error(at: self.location(of: missing))) }
    } catch {
      reading.addSkipped(error.error(at: self.location(of: error)))
    }
  }

  private func location(of fault: FeedFault) -> FeedLocation {
    FeedLocation(source: source, line: fault.line, activity: values.element)
  }

  private mutating func take(_ fault: JSONFault) {
    let begun = values.line
    var problem = FeedFault(fault, in: bytes)
    if fault.line > begun, values.element == nil, beginsObject(lineOf: fault.bytes.upperBound) {
      // The next line is a value, so that the one before it was cut off.
      (problem.line, problem.found) = (begun, "the end of the line")
    }
    if values.skipLine(after: fault) {
      reading.addSkipped(problem.error(at: location(of: problem)))
    } else {
      problem.expected = "\(problem.expected ?? "JSON"); the rest of the feed has not been read"
      reading.failure = problem.error(at: location(of: problem))
    }
  }

  private func beginsObject(lineOf location: Int) -> Bool {
    let start = bytes[..<min(location, bytes.count)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return start < bytes.count && bytes[start] == UInt8(ascii: "{")
  }
}

extension ClubError {
  /// The line of an error in a feed; `Int.max` for others.
  fileprivate var line: Int {
    switch self {
    case .badFeed(let location, _, _, _): location.line
    case .serviceRefused(let location, _): location.line
    default: .max
    }
  }
}
