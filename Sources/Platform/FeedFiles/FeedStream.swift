// SPDX-License-Identifier: GPL-3.0-or-later
public import ClubCore

/// Reads a feed of any size into a tally, chunk by chunk, without a value for each activity. It accepts and refuses
/// exactly the same feeds as `FeedDecoder`; its memory depends on the members, not on the feed's size.
///
/// One stream reads a whole feed by `consume(_:)`. Several may share a feed of lines: each reads some of its parts by
/// `consume(_:part:)`, and `finish(_:)` merges them.
public struct FeedStream: Sendable {
  package let source: String
  private var splitter: FeedSplitter<TallySink>

  public init(source: String, counting filter: SportFilter = .cycling, isLenient: Bool = false) {
    self.source = source
    splitter = FeedSplitter(sink: TallySink(filter: filter), isLenient: isLenient)
  }

  /// Whether reading has stopped because of a problem.
  package var hasStopped: Bool { splitter.hasStopped || splitter.sink.isOverfull }

  public mutating func consume(_ bytes: Span<UInt8>) {
    if !hasStopped { splitter.consume(bytes) }
  }

  /// Reads one part of a feed of lines that several streams share: whole lines, of which only the feed's last may lack
  /// its line end. Each stream gets its parts in ascending order.
  package mutating func consume(_ bytes: Span<UInt8>, part: Int) { splitter.consume(bytes, part: part) }

  /// Ends the feed. Throws the first problem unless the reading is lenient; an empty feed is a problem either way, and
  /// so are too many members.
  public consuming func finish() throws(ClubError) -> FeedTally { try Self.finish([self]) }

  /// Ends a feed that several streams, in any order, have shared. Throws like `finish()`.
  package static func finish(_ streams: consuming [FeedStream]) throws(ClubError) -> FeedTally {
    guard var first = streams.popLast() else { return FeedTally() }
    let (source, isLenient) = (first.source, first.splitter.isLenient)
    first.splitter.finish()
    // Moved, not copied: with a second owner every merge would begin with a copy of the table.
    var sink = TallySink(filter: first.splitter.sink.sports.filter)
    swap(&sink, &first.splitter.sink)
    var logs = [first.splitter.log]
    // One after the other, so that their tables are in memory together as briefly as possible.
    while var stream = streams.popLast() {
      stream.splitter.finish()
      logs.append(stream.splitter.log)
      sink.merge(stream.splitter.sink)
    }
    // Checked before any problem: the activity that was being read when the limit was exceeded does not count.
    guard !sink.isOverfull else {
      throw .badValue(
        field: source, found: "more than \(FeedLimits.memberBytes >> 20) MiB of members' names",
        expected: "at most that, about a million members; give the members' activities in several runs")
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

public struct FeedTally: Sendable {
  /// The sums of the counted activities, member by member.
  public fileprivate(set) var week = WeekTally()
  public fileprivate(set) var activities = 0
  /// The first `FeedLimits.problems` problems in the feed's order; none unless the reading was lenient.
  public fileprivate(set) var problems: [ClubError] = []
  /// The number of problems: at least as many activities are missing, more if an array broke off.
  package fileprivate(set) var problemCount = 0

  package init() {}

  /// Adds another feed's sums; its problems follow this feed's.
  package mutating func merge(_ other: FeedTally) {
    week.merge(other.week)
    activities += other.activities
    problems = Array((problems + other.problems).prefix(FeedLimits.problems))
    problemCount += other.problemCount
  }
}

/// Counts every activity that a filter admits, member by member.
///
/// Activities with the shape of an earlier one and a known name are read by comparing eight bytes at a time. All others
/// go to the strict parser.
struct TallySink: FeedSink {
  var members = MemberTable()
  var sports: SportTable
  var activities = 0
  /// The shape that activities are compared with.
  var shape: LineShape?
  /// The number of activities in a row without the shape.
  var misses = 0
  /// Members whose names are too long for the table, by the bytes of their spellings.
  private var others: [[UInt8]: (member: MemberIdentity, tally: MemberTally)] = [:]
  private var bytesOfOthers = 0

  init(filter: SportFilter) {
    sports = SportTable(filter: filter)
  }

  /// The number of activities of another shape in a row after which a new shape is learnt.
  private static let patience = 16

  mutating func take(_ item: Span<UInt8>, ending: FeedEnding) throws(FeedFault) {
    let activity = try ActivityParser.parse(item, ending: ending)
    activities += 1
    if sports.counts(activity.sport, in: item) { count(activity, in: item) }
    misses += 1
    if activities == 1 || misses >= Self.patience {
      shape = LineShape(item) ?? shape
      misses = 0
    }
  }

  private mutating func count(_ activity: RawActivity, in item: Span<UInt8>) {
    let (first, last) = (activity.first.bytes(in: item), activity.last.bytes(in: item))
    let token = activity.token?.string(in: item)
    if let key = MemberTable.Key(first: first, last: last, token: token) {
      return members.add(
        MemberTable.Entry(
          key: key, distance: activity.distance, movingTime: activity.movingTime, elapsedTime: activity.elapsedTime,
          elevation: activity.elevation))
    }
    let spelling = first + [0] + last + [0] + Array((token ?? "").utf8)
    if others[spelling] == nil {
      others[spelling] = (activity.member(in: item), .zero)
      bytesOfOthers += Self.bytes(of: spelling)
    }
    others[spelling]?.tally.add(
      distance: activity.distance, movingTime: activity.movingTime, elapsedTime: activity.elapsedTime,
      elevation: activity.elevation)
  }

  mutating func merge(_ other: TallySink) {
    activities += other.activities
    members.merge(other.members)
    others.merge(other.others) { mine, theirs in
      var sum = mine
      sum.tally.merge(theirs.tally)
      return sum
    }
    bytesOfOthers = others.keys.reduce(0) { $0 + Self.bytes(of: $1) }
  }

  /// Whether the members' spellings exceed `FeedLimits.memberBytes`.
  var isOverfull: Bool {
    members.count * MemoryLayout<MemberTable.Key>.size + bytesOfOthers > FeedLimits.memberBytes
  }

  private static func bytes(of spelling: [UInt8]) -> Int { MemoryLayout<MemberTable.Key>.size + spelling.count }

  /// The sums of all counted activities, with the spellings of one member merged.
  var tally: WeekTally {
    var tally = WeekTally()
    tally.reserveCapacity(members.count)
    for record in members.records.prefix(members.count) { tally.add(record.key.member, record.tally) }
    for (member, sum) in others.values { tally.add(member, sum) }
    return tally
  }
}

/// Whether known sports count, by the bytes of their words: a feed has a few dozen.
struct SportTable: Sendable {
  struct Entry {
    var text = PackedText()
    var isKnown = false
    var counts = false
  }

  let filter: SportFilter
  /// The slots, whose number is a power of two; at least a quarter stays empty.
  private(set) var entries = Array(repeating: Entry(), count: 64)
  private var count = 0

  init(filter: SportFilter) {
    self.filter = filter
  }

  mutating func counts(_ sport: TextRange, in bytes: Span<UInt8>) -> Bool {
    guard sport.isPlain, let text = PackedText(bytes, from: sport.start, to: sport.end) else {
      return filter.admits(Sport(sport.string(in: bytes)))
    }
    let place = Self.place(of: text, in: entries.span)
    if entries[place].isKnown { return entries[place].counts }
    let counts = filter.admits(Sport(sport.string(in: bytes)))
    if count < entries.count / 4 * 3 {
      entries[place] = Entry(text: text, isKnown: true, counts: counts)
      count += 1
    }
    return counts
  }

  /// The slot of a word, or the empty slot for it.
  @inline(__always)
  static func place(of text: PackedText, in entries: Span<Entry>) -> Int {
    let hash = (text.low ^ (text.middle &* 0x9E37_79B9_7F4A_7C15) ^ text.high) &* 0xBF58_476D_1CE4_E5B9
    var place = Int(truncatingIfNeeded: hash >> 58)
    while entries[place].isKnown, entries[place].text != text { place = (place &+ 1) & 63 }
    return place
  }
}
