// SPDX-License-Identifier: Apache-2.0

/// Counts every activity that a filter admits, member by member.
///
/// Activities that have the shape of one before, and a name that has been met, are read by comparing eight bytes at a
/// time. All others go to the strict parser, which knows all there is to know.
struct TallySink: FeedSink {
  var members = MemberTable()
  var sports: SportTable
  /// How many activities were read, counted or not.
  var activities = 0
  /// The shape that activities are compared with.
  var shape: LineShape?
  /// How many activities in a row did not have the shape.
  var strangers = 0
  /// Members whose names are too long for the table, by the bytes of their spellings.
  private var others: [[UInt8]: (member: MemberIdentity, tally: MemberTally)] = [:]

  init(filter: SportFilter) {
    sports = SportTable(filter: filter)
  }

  /// After how many activities of another shape in a row a new one is learnt.
  private static let patience = 16

  mutating func take(_ item: Span<UInt8>, ending: FeedEnding) throws(FeedFault) {
    let activity = try ActivityParser.parse(item, ending: ending)
    activities += 1
    if sports.counts(activity.sport, in: item) { count(activity, in: item) }
    strangers += 1
    if activities == 1 || strangers >= Self.patience {
      shape = ActivityParser.shape(of: item) ?? shape
      strangers = 0
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
    if others[spelling] == nil { others[spelling] = (activity.member(in: item), .zero) }
    others[spelling]?.tally.add(
      distance: activity.distance, movingTime: activity.movingTime, elapsedTime: activity.elapsedTime,
      elevation: activity.elevation)
  }

  /// Counts what another sink counted.
  mutating func merge(_ other: TallySink) {
    activities += other.activities
    members.merge(other.members)
    others.merge(other.others) { mine, theirs in
      var sum = mine
      sum.tally.merge(theirs.tally)
      return sum
    }
  }

  /// What all counted activities come to: spellings of one member are put together here.
  var tally: WeekTally {
    var tally = WeekTally()
    tally.reserveCapacity(members.count)
    for record in members.records.prefix(members.count) { tally.add(record.key.member, record.tally) }
    for (member, sum) in others.values { tally.add(member, sum) }
    return tally
  }
}
