// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Sums of activities. Lengths are doubles, since a mutant sums doubles.
struct Sums: Equatable, Sendable {
  var rides = 0
  /// Metres.
  var distance = 0.0
  /// Seconds.
  var movingTime = 0
  /// Metres.
  var elevation = 0.0
  /// Metres of the longest ride.
  var longest = 0.0
  /// Metres per second; nil without any moving time.
  var speed: Double?
}

struct MemberSums: Equatable, Sendable, CustomStringConvertible {
  let member: MemberIdentity
  var sums: Sums

  var description: String {
    let token = member.token.map { "#\($0.value)" } ?? ""
    return "\(member.name)\(token): \(sums.rides) rides, \(sums.distance) m, longest \(sums.longest) m"
  }
}

struct ClubSums: Equatable, Sendable, CustomStringConvertible {
  /// The sums of each member, by name.
  var members: [MemberSums]
  var total: Sums

  var description: String { "[\(members.map(\.description).joined(separator: "; "))]" }
}

struct Placed: Equatable, Sendable {
  var rank: Int?
  let name: String
  /// The exact value; nil without a speed.
  let value: Ratio?
  var share: Double?
}

struct Moved: Equatable, Sendable {
  var direction: Trend.Direction
  var percentage: Double?
}

/// The operations that the properties check: those of the core, one of which a mutant replaces.
struct ClubOperations: Sendable {
  /// Tallies each pair of pages separately and merges them.
  var sums: @Sendable (PageTree) -> ClubSums = { tree in
    let tally = tree.folded({ WeekTally($0.activities, counting: .all) }) { left, right in
      var both = left
      both.merge(right)
      return both
    }
    return ClubSums(
      members: tally.entries.map { MemberSums(member: $0.member, sums: Sums($0.tally)) }, total: Sums(tally.total))
  }
  var cleaned: @Sendable (String) -> String = { AthleteName(first: $0, last: "").first }
  var standings: @Sendable (Rides, Metric) -> [Placed] = { rides, metric in
    ClubWeek(WeekTally(rides.activities, counting: .all)).standings(by: metric).map { place in
      Placed(
        rank: place.rank, name: place.stats.member.name.description, value: place.stats.tally.value(of: metric),
        share: place.share?.fraction)
    }
  }
  /// The trend of the whole club, from last week's rides (the second argument) to this week's.
  var trend: @Sendable (Rides, Rides, ClubMetric) -> Moved? = { this, last, metric in
    ClubWeek(
      WeekTally(this.activities, counting: .all), previous: WeekTally(last.activities, counting: .all)
    ).trend(of: metric).map { Moved(direction: $0.direction, percentage: $0.percentage) }
  }
  var ledger: @Sendable () -> any LedgerUnderTest = { WeekLedger(order: .byUpload) }
  var budget: @Sendable (RequestBudget.Limits) -> any BudgetUnderTest = {
    RequestBudget(assumed: $0, margin: RequestPlan.margin)
  }
  var encode: @Sendable ([Activity]) -> [UInt8] = { Activity.page($0) }
  var decode: @Sendable ([UInt8]) -> Result<[Activity], ClubError> = { bytes in
    Result { () throws(ClubError) in try FeedDecoder(source: "page").activities(in: bytes) }
  }
  var lenient: @Sendable ([UInt8]) -> (activities: [Activity], problems: [ClubError]) = { bytes in
    FeedDecoder(source: "page").lenient(bytes)
  }

  static let shipping = ClubOperations()
}

extension Sums {
  init(_ tally: MemberTally) {
    self.init(
      rides: tally.activities, distance: Double(tally.distance) / 10, movingTime: tally.movingTime,
      elevation: Double(tally.elevation) / 10, longest: Double(tally.longest) / 10,
      speed: tally.averageSpeed().map { $0.value / 10 })
  }
}

protocol BudgetUnderTest: Sendable {
  /// The time until which a request has to wait; nil if it may be sent now.
  func wait(at now: Moment) -> Moment?
  mutating func send(at now: Moment)
  mutating func receive(_ reply: FeedReply, at now: Moment, sent: Moment)
}

extension RequestBudget: BudgetUnderTest {
  func wait(at now: Moment) -> Moment? { if case .at(let later) = permission(at: now) { later } else { nil } }

  mutating func send(at now: Moment) { sent(at: now) }

  mutating func receive(_ reply: FeedReply, at now: Moment, sent: Moment) { received(reply, at: now, sent: sent) }
}
