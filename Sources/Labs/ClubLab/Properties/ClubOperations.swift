// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// What some activities come to, as far as the properties look at it. Lengths are doubles, because a variant that sums
/// doubles has to be able to say what it sums.
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

/// A member with what the member's activities come to.
struct MemberSums: Equatable, Sendable, CustomStringConvertible {
  let member: MemberIdentity
  let sums: Sums

  var description: String {
    let token = member.token.map { "#\($0.value)" } ?? ""
    return "\(member.name)\(token): \(sums.rides) rides, \(sums.distance) m, longest \(sums.longest) m"
  }
}

/// A club's week by members and together.
struct ClubSums: Equatable, Sendable, CustomStringConvertible {
  /// By name.
  let members: [MemberSums]
  let total: Sums

  var description: String { "[\(members.map(\.description).joined(separator: "; "))]" }
}

/// A member with a place in the standings.
struct Placed: Equatable, Sendable {
  var rank: Int?
  let name: String
  /// What ranks, as an exact ratio; nil for no speed.
  let value: Ratio?
  var share: Double?
}

/// How a quantity moved.
struct Moved: Equatable, Sendable {
  var direction: Trend.Direction
  var percentage: Double?
}

/// What the properties ask of the code on trial: the core's own functions, or those of a broken variant.
struct ClubOperations: Sendable {
  /// What pages come to, each pair of them tallied apart and merged.
  var sums: @Sendable (PageTree) -> ClubSums = { tree in
    let tally = tree.folded({ WeekTally($0.activities, counting: .all) }) { left, right in
      var both = left
      both.merge(right)
      return both
    }
    return ClubSums(
      members: tally.entries.map { MemberSums(member: $0.member, sums: Sums($0.tally)) }, total: Sums(tally.total))
  }
  /// A first or last name as it is kept.
  var cleaned: @Sendable (String) -> String = { AthleteName(first: $0, last: "").first }
  /// The standings of a week's rides, best first.
  var standings: @Sendable (Rides, Metric) -> [Placed] = { rides, metric in
    ClubWeek(WeekTally(rides.activities, counting: .all)).standings(by: metric).map { place in
      Placed(
        rank: place.rank, name: place.stats.member.name.description, value: place.stats.value(of: metric),
        share: place.share?.fraction)
    }
  }
  /// How a metric of the whole club moved from last week's rides to this week's.
  var trend: @Sendable (Rides, Rides, ClubMetric) -> Moved? = { this, last, metric in
    ClubWeek(
      WeekTally(this.activities, counting: .all), previous: WeekTally(last.activities, counting: .all)
    ).trend(of: metric).map { Moved(direction: $0.direction, percentage: $0.percentage) }
  }
  /// A ledger that has seen nothing.
  var ledger: @Sendable () -> any LedgerOnTrial = { ShippingLedger() }
  /// A budget of which nothing is spent.
  var budget: @Sendable (RequestBudget.Limits) -> any BudgetOnTrial = { ShippingBudget(assuming: $0) }
  /// A page as the service sends it.
  var encode: @Sendable ([Activity]) -> [UInt8] = { Activity.page($0) }
  /// The activities of a page or of lines.
  var decode: @Sendable ([UInt8]) -> Result<[Activity], ClubError> = { bytes in
    Result { () throws(ClubError) in try FeedDecoder(source: "page").activities(in: bytes) }
  }
  /// The activities of a page or of lines that can be read, and the problems of the others.
  var lenient: @Sendable ([UInt8]) -> (activities: [Activity], problems: [ClubError]) = { bytes in
    FeedDecoder(source: "page").lenient(bytes)
  }
  /// What a page or lines come to, read in chunks of a size: the fast path.
  var stream: @Sendable ([UInt8], _ chunk: Int, _ isLenient: Bool) -> Result<ClubCore.FeedTally, ClubError> = {
    bytes, chunk, isLenient in
    var stream = FeedStream(source: "page", counting: .all, isLenient: isLenient)
    var position = 0
    while position < bytes.count {
      let end = min(position + chunk, bytes.count)
      stream.consume(bytes.span.extracting(position..<end))
      position = end
    }
    return Result { () throws(ClubError) in try stream.finish() }
  }

  /// The code that ships.
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
