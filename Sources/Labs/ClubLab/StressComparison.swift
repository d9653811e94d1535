// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness

/// Compares the core's tallies with the ground truth, name by name. Persons are grouped by name number, which the core
/// never sees.
struct StressComparison {
  struct Finding: Hashable {
    var membersWrong = 0
    /// Members as the feed identifies them.
    var activeMembers = 0
    var isTotalRight = false
  }

  let roster: Roster
  let indices: [UInt32]
  /// Persons who share a place in the roster with another name, or whose own name has several places.
  let personsMisplaced: Int
  private var isWrong: [Bool]
  /// The numbers of persons with activities in the last week, by place in the roster.
  private var activePersons: [UInt32] = []

  init(names: [UInt32], interrupt: Interrupt? = nil) throws(Abandoned) {
    var roster = Roster()
    var indices: [UInt32] = []
    indices.reserveCapacity(names.count)
    for name in names {
      indices.append(UInt32(roster.index(of: MemberIdentity(name: NameBook.name(Int(name))))))
      try interrupt?.check()
    }
    var placeOfName: [UInt32: UInt32] = [:]
    var nameInPlace: [UInt32?] = Array(repeating: nil, count: roster.count)
    var misplaced = 0
    for (name, position) in zip(names, indices) {
      try interrupt?.check()
      let isNewName = placeOfName[name] == nil
      let isNewPlace = nameInPlace[Int(position)] == nil
      if isNewName { placeOfName[name] = position }
      if isNewPlace { nameInPlace[Int(position)] = name }
      if placeOfName[name] != position || nameInPlace[Int(position)] != name { misplaced += 1 }
    }
    (self.roster, self.indices, personsMisplaced) = (roster, indices, misplaced)
    isWrong = Array(repeating: false, count: roster.count)
  }

  var membersWrong: Int { isWrong.count(where: \.self) }

  /// Compares the core's tallies, by place in the roster, with the ground truth by person.
  mutating func compare(_ tallies: [MemberTally], with truth: [TruthSums], inLastWeek: Bool) -> Finding {
    var sums = Array(repeating: TruthSums(), count: roster.count)
    var persons: [UInt32] = Array(repeating: 0, count: roster.count)
    for (position, sum) in zip(indices, truth) where sum.activities > 0 {
      sums[Int(position)] = sums[Int(position)] + sum
      persons[Int(position)] += 1
    }
    var finding = Finding()
    for (member, sum) in sums.enumerated() {
      if sum.activities > 0 { finding.activeMembers += 1 }
      guard !sum.agrees(with: tallies[member]) else { continue }
      finding.membersWrong += 1
      isWrong[member] = true
    }
    finding.isTotalRight = truth.reduce(TruthSums(), +).agrees(with: tallies.total)
    if inLastWeek { activePersons = persons }
    return finding
  }

  func collisions(in week: ClubWeek) -> StressResult.Collisions {
    let suspected = Set(week.suspectedCollisions.map(\.member))
    let rightly = suspected.count { member in
      roster.existingIndex(of: member).map { activePersons[$0] > 1 } ?? false
    }
    return StressResult.Collisions(
      real: activePersons.count { $0 > 1 }, suspected: suspected.count, suspectedRightly: rightly)
  }
}

extension [MemberTally] {
  /// The tally of all members together.
  var total: MemberTally { reduce(into: .zero) { $0.merge($1) } }
}

/// Sums of a person's activities in a week, computed without the core.
struct TruthSums: Hashable, Codable, Sendable {
  var (activities, distance, movingTime, elapsedTime, elevation) = (0, 0, 0, 0, 0)
  var (longest, speeds, timed) = (0, 0, 0)

  mutating func add(_ activity: TrueActivity) {
    activities += 1
    distance += Int(activity.distance)
    movingTime += Int(activity.movingTime)
    elapsedTime += Int(activity.elapsedTime)
    elevation += Int(activity.elevation)
    longest = max(longest, Int(activity.distance))
    if activity.movingTime > 0, activity.distance > 0 {
      speeds += Int(activity.distance) * 100 / Int(activity.movingTime)
      timed += 1
    }
  }

  static func + (left: TruthSums, right: TruthSums) -> TruthSums {
    var sum = left
    sum.activities += right.activities
    sum.distance += right.distance
    sum.movingTime += right.movingTime
    sum.elapsedTime += right.elapsedTime
    sum.elevation += right.elevation
    sum.longest = max(sum.longest, right.longest)
    sum.speeds += right.speeds
    sum.timed += right.timed
    return sum
  }

  func agrees(with tally: MemberTally) -> Bool {
    tally.activities == activities && tally.distance == distance && tally.movingTime == movingTime
      && tally.elapsedTime == elapsedTime && tally.elevation == elevation && tally.longest == longest
      && tally.speeds == speeds && tally.timed == timed
  }
}

extension StressResult.Sample {
  private static let perPage = 200
  private static let maximum = 20_000

  /// Encodes a part of the last week of the first block of members as pages of the feed, decodes them, and compares.
  init(of club: ClubGenerator, interrupt: Interrupt?) throws {
    var reader = try ClubReader(club)
    let members = try reader.members(inBlock: 0)
    let truth = try reader.activities(inWeek: club.shape.weeks - 1, block: 0, of: members).prefix(Self.maximum)
    var sums: [Int: TruthSums] = [:]
    for one in truth where one.sport.isCycling { sums[members[Int(one.person)].nameNumber, default: .init()].add(one) }
    var (tally, wrong) = (WeekTally(), 0)
    for start in stride(from: 0, to: truth.count, by: Self.perPage) {
      try interrupt?.check()
      let sent = truth[start..<min(start + Self.perPage, truth.count)]
        .map { $0.activity(of: members[Int($0.person)], in: club.shape) }
      let page = Activity.page(sent)
      let received = (try? FeedDecoder(source: "page").activities(in: page)) ?? []
      wrong += zip(sent, received).count { $0 != $1 } + abs(sent.count - received.count)
      tally.merge(WeekTally(received))
    }
    for (name, sum) in sums where !sum.agrees(with: tally[MemberIdentity(name: NameBook.name(name))]) { wrong += 1 }
    wrong += abs(sums.count - tally.memberCount)
    self.init(activities: truth.count, wrong: wrong)
  }
}
