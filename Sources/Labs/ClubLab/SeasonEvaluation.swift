// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Counts of one season's rides in a ledger.
struct SeasonFindings: Hashable, Codable, Sendable {
  /// Rides of the evaluated weeks whose week can be known and that are in the feed at the evaluation.
  var knowable = 0
  /// Of the knowable rides: in their own week, in another week, and in no week.
  var (right, wrong, lost) = (0, 0, 0)
  /// Rides of the evaluated weeks whose week cannot be known, by reason in the order of `Unknowable.allCases`.
  var unknowable = [Int](repeating: 0, count: Unknowable.allCases.count)
  /// Of these, rides that are in their own week nevertheless.
  var guessed = [Int](repeating: 0, count: Unknowable.allCases.count)
  /// Activities without a ride of their own.
  var doubles = 0
  /// Rides that a fetch could see to be removed.
  var removed = 0
  /// Of the removed rides, those still counted.
  var deletedButCounted = 0
  /// Activities of the evaluated weeks that are rides from before the first fetch or of other weeks.
  var countedFromOutside = 0
  /// Members with rides, summed over the weeks that began after the first fetch, by the ground truth.
  var memberWeeks = 0
  /// Of these, members whose rank by distance differs from the ground truth.
  var misranked = 0
  /// Persons, summed over weeks, merged with another person of the same name.
  var merged = 0
  /// Members, summed over weeks, beyond the number of names.
  var split = 0

  /// The unknowable rides by reason, and those of them that are in their own week nevertheless.
  var reasons: [(reason: Unknowable, rides: Int, right: Int)] {
    zip(Unknowable.allCases, zip(unknowable, guessed)).map { ($0, $1.0, $1.1) }
  }

  /// Rides of the evaluated weeks that are in the feed.
  var present: Int { knowable + unknowable.reduce(0, +) }

  mutating func merge(_ other: SeasonFindings) {
    knowable += other.knowable
    right += other.right
    wrong += other.wrong
    lost += other.lost
    for index in unknowable.indices {
      unknowable[index] += other.unknowable[index]
      guessed[index] += other.guessed[index]
    }
    doubles += other.doubles
    removed += other.removed
    deletedButCounted += other.deletedButCounted
    countedFromOutside += other.countedFromOutside
    memberWeeks += other.memberWeeks
    misranked += other.misranked
    merged += other.merged
    split += other.split
  }
}

/// Compares a ledger with the ground truth after a season.
struct SeasonEvaluation {
  struct Statement {
    let week: Week
    let moment: Moment
    let activities: [Activity]
  }

  fileprivate enum Expectation: Hashable {
    case known
    case unknown(Unknowable)
    case removed
    /// Gone or back again, but no fetch saw it.
    case open
    case outside

    /// The order in which rides are assigned activities: most certain first.
    var order: Int {
      switch self {
      case .known: 0
      case .unknown: 1
      case .open: 2
      case .removed: 3
      case .outside: 4
      }
    }
  }

  private let rides: [FeedRide]
  private let knowability: ObservableWeeks
  private let statements: [Statement]
  private let weekOf: [Week]
  private let firstFetch: Moment

  init(_ rides: [FeedRide], _ knowability: ObservableWeeks, _ statements: [Statement], firstFetch: Moment) {
    (self.rides, self.knowability, self.statements) = (rides, knowability, statements)
    self.firstFetch = firstFetch
    weekOf = rides.map { WeekCalendar.utc.week(of: $0.start) }
  }

  func findings() -> SeasonFindings {
    let matching = RideMatching(rides)
    var entries = [[Week]](repeating: [], count: matching.groups.count)
    var findings = SeasonFindings()
    for statement in statements {
      for activity in statement.activities {
        if let group = matching.group(of: activity) {
          entries[group].append(statement.week)
        } else {
          // No ride has these numbers.
          findings.doubles += 1
        }
      }
      // The week of the first fetch also has rides from before it, so its ranks cannot be known.
      if WeekCalendar.utc.start(of: statement.week) >= firstFetch { compareRanks(statement, into: &findings) }
    }
    let evaluated = Dictionary(uniqueKeysWithValues: statements.map { ($0.week, $0.moment) })
    for (group, weeks) in zip(matching.groups, entries) {
      settle(group.map { ($0, expectation(of: $0, evaluated)) }, weeks, into: &findings)
    }
    return findings
  }

  private func expectation(of ride: Int, _ evaluated: [Week: Moment]) -> Expectation {
    guard let moment = evaluated[weekOf[ride]] else { return .outside }
    let reason = knowability.reasons[ride]
    switch knowability.standing(of: ride, at: moment) {
    case .unseen: return rides[ride].uploaded < moment ? .unknown(.neverListed) : .open
    case .missing: return .removed
    case .listed: return reason.map(Expectation.unknown) ?? .known
    }
  }

  /// Assigns activities to the rides of a group: first those in a ride's own week, in the order of expectations.
  private func settle(
    _ group: [(ride: Int, expected: Expectation)], _ weeks: [Week], into findings: inout SeasonFindings
  ) {
    var left = weeks
    var open: [Expectation] = []
    for (ride, expected) in group.sorted(by: { ($0.expected.order, $0.ride) < ($1.expected.order, $1.ride) }) {
      if let position = left.firstIndex(of: weekOf[ride]) {
        left.remove(at: position)
        findings.count(expected, .inItsWeek)
      } else {
        open.append(expected)
      }
    }
    for expected in open { findings.count(expected, left.popLast() == nil ? .nowhere : .elsewhere) }
    findings.doubles += left.count
  }

  private func compareRanks(_ statement: Statement, into findings: inout SeasonFindings) {
    var (truth, persons): ([MemberIdentity: Int], [MemberIdentity: Set<Int>]) = ([:], [:])
    for (ride, week) in zip(rides, weekOf) where week == statement.week && ride.isVisible(at: statement.moment) {
      let activity = ride.activity(at: statement.moment)
      guard activity.sport.isCycling else { continue }
      truth[activity.member, default: 0] += activity.distance.decimetres
      persons[activity.member, default: []].insert(ride.person)
    }
    let tally = WeekTally(statement.activities)
    let found = tally.entries.map(\.tally.distance)
    findings.memberWeeks += truth.count
    findings.merged += persons.values.reduce(0) { $0 + $1.count - 1 }
    let names = Set(tally.entries.map { Self.plain($0.member) })
    findings.split += tally.memberCount - names.count
    for (member, distance) in truth {
      let rank = 1 + truth.values.count { $0 > distance }
      let own = tally[member].distance
      if own == 0 && distance > 0 || rank != 1 + found.count(where: { $0 > own }) { findings.misranked += 1 }
    }
  }

  /// The name without spaces and case; the core's normal form could hide a split.
  private static func plain(_ member: MemberIdentity) -> String {
    (member.name.first + " " + member.name.last).lowercased().filter { !$0.isWhitespace }
      + (member.token.map { "#\($0.value)" } ?? "")
  }
}

extension SeasonFindings {
  fileprivate enum Place {
    case inItsWeek, elsewhere, nowhere
  }

  fileprivate mutating func count(_ expected: SeasonEvaluation.Expectation, _ position: Place) {
    switch expected {
    case .known:
      knowable += 1
      switch position {
      case .inItsWeek: right += 1
      case .elsewhere: wrong += 1
      case .nowhere: lost += 1
      }
    case .unknown(let reason):
      let index = Unknowable.allCases.firstIndex(of: reason) ?? 0
      unknowable[index] += 1
      if position == .inItsWeek { guessed[index] += 1 }
    case .removed:
      removed += 1
      if position != .nowhere { deletedButCounted += 1 }
    case .outside: if position == .elsewhere { countedFromOutside += 1 }
    case .open: break
    }
  }
}

/// Finds the rides that a ledger's activity can be: those with the same numbers, now or before an edit.
///
/// Rides with the same numbers are indistinguishable, so only their count in each week matters.
struct RideMatching {
  private struct Numbers: Hashable {
    let member: MemberIdentity
    let sport: Sport
    let distance, movingTime, elapsedTime, elevation: Int

    init(_ activity: Activity) {
      (member, sport, distance) = (activity.member, activity.sport, activity.distance.decimetres)
      (movingTime, elapsedTime) = (activity.movingTime, activity.elapsedTime)
      elevation = activity.elevation.decimetres
    }
  }

  let groups: [[Int]]
  private let groupOf: [Numbers: Int]

  init(_ rides: [FeedRide]) {
    var parents = Array(rides.indices)
    func root(_ ride: Int) -> Int {
      var root = ride
      while parents[root] != root { root = parents[root] }
      parents[ride] = root
      return root
    }
    var first: [Numbers: Int] = [:]
    for (index, ride) in rides.enumerated() {
      for version in ride.versions {
        let numbers = Numbers(version.activity)
        if let other = first[numbers] {
          let (mine, its) = (root(index), root(other))
          parents[max(mine, its)] = min(mine, its)
        } else {
          first[numbers] = index
        }
      }
    }
    // The root of a group is the first of its rides.
    groups = Dictionary(grouping: rides.indices, by: root).values.sorted { $0[0] < $1[0] }
    let positions = Dictionary(uniqueKeysWithValues: zip(groups.map { $0[0] }, groups.indices))
    groupOf = first.mapValues { positions[root($0)] ?? 0 }
  }

  func group(of activity: Activity) -> Int? { groupOf[Numbers(activity)] }
}
