// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// What a ledger made of one season's rides; whole numbers.
struct SeasonFindings: Hashable, Sendable {
  /// Rides of the judged weeks whose week can be known and that stand in the feed when it is judged.
  var knowable = 0
  /// Of these those in their own week.
  var right = 0
  /// Of these those in another week.
  var wrong = 0
  /// Of these those in no week.
  var lost = 0
  /// Rides of the judged weeks whose week nobody could know, by reason in the order of `Unknowable.allCases`.
  var unknowable = [Int](repeating: 0, count: Unknowable.allCases.count)
  /// Of these those that are in their own week nevertheless, by reason.
  var guessed = [Int](repeating: 0, count: Unknowable.allCases.count)
  /// Activities in the weeks beyond those that there are: double counts.
  var doubles = 0
  /// Rides that were taken away in the sight of a fetch.
  var removed = 0
  /// Of these those that still count.
  var phantoms = 0
  /// Activities of the judged weeks that are rides from before the first fetch, or of weeks that are not judged.
  var strays = 0
  /// Members with rides, summed over the weeks that began after the first fetch, by the truth.
  var memberWeeks = 0
  /// Of these those whose rank by distance is another one than by the truth.
  var misranked = 0
  /// Persons, summed over weeks, who stand in one member with somebody else because they share a name.
  var merged = 0
  /// Members, summed over weeks, beyond the names that there are: one person in two places.
  var split = 0
}

/// Compares what a ledger says with the truth, once a season is over.
struct SeasonJudge {
  /// What a subject said of a week when it was asked.
  struct Statement {
    /// The week.
    let week: Week
    /// When it was asked.
    let moment: Moment
    /// What counts for it.
    let activities: [Activity]
  }

  /// What is expected of a ride.
  fileprivate enum Expectation: Hashable {
    case known
    case unknown(Unknowable)
    case removed
    /// It was taken away unseen, came back unseen, or belongs to a week that is not judged.
    case open
    case outside
  }

  private let rides: [FeedRide]
  private let knowability: Knowability
  private let statements: [Statement]
  private let weekOf: [Week]
  private let calendar: WeekCalendar
  private let firstFetch: Moment

  init(
    _ rides: [FeedRide], _ knowability: Knowability, _ statements: [Statement], firstFetch: Moment,
    calendar: WeekCalendar
  ) {
    (self.rides, self.knowability, self.statements) = (rides, knowability, statements)
    (self.firstFetch, self.calendar) = (firstFetch, calendar)
    weekOf = rides.map { calendar.week(of: $0.start) }
  }

  /// What the season came to.
  func findings() -> SeasonFindings {
    let matching = RideMatching(rides)
    var entries = [[Week]](repeating: [], count: matching.groups.count)
    var findings = SeasonFindings()
    for statement in statements {
      for activity in statement.activities {
        if let group = matching.group(of: activity) {
          entries[group].append(statement.week)
        } else {
          // Nobody rode this: something was made up.
          findings.doubles += 1
        }
      }
      // Of the week in which fetching began some rides were there before, and nobody can rank its members.
      if calendar.start(of: statement.week) >= firstFetch { compareRanks(statement, into: &findings) }
    }
    let judged = Dictionary(uniqueKeysWithValues: statements.map { ($0.week, $0.moment) })
    for (group, weeks) in zip(matching.groups, entries) {
      settle(group.map { ($0, expectation(of: $0, judged)) }, weeks, into: &findings)
    }
    return findings
  }

  private func expectation(of ride: Int, _ judged: [Week: Moment]) -> Expectation {
    guard let moment = judged[weekOf[ride]] else { return .outside }
    let reason = knowability.reasons[ride]
    switch knowability.standing(of: ride, at: moment) {
    case .unseen: return rides[ride].uploaded < moment ? .unknown(.neverListed) : .open
    case .missing: return .removed
    case .listed: return reason.map(Expectation.unknown) ?? .known
    }
  }

  /// Gives each ride of a group an activity: its own week's first, in the order in which they are owed.
  private func settle(
    _ group: [(ride: Int, expected: Expectation)], _ weeks: [Week], into findings: inout SeasonFindings
  ) {
    var left = weeks
    var open: [(ride: Int, expected: Expectation)] = []
    for (ride, expected) in group.sorted(by: { ($0.expected.order, $0.ride) < ($1.expected.order, $1.ride) }) {
      let place = left.firstIndex(of: weekOf[ride])
      if let place { left.remove(at: place) } else { open.append((ride, expected)) }
      findings.count(expected, isRight: place != nil)
    }
    for (_, expected) in open {
      let isThere = left.popLast() != nil
      findings.countElsewhere(expected, isThere: isThere)
    }
    findings.doubles += left.count
  }

  /// Compares the ranks by distance, and who stands in them.
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

  /// A name by rules of its own, so that the core's cannot hide a split: without spaces and case.
  private static func plain(_ member: MemberIdentity) -> String {
    (member.name.first + " " + member.name.last).lowercased().filter { !$0.isWhitespace }
      + (member.token.map { "#\($0.value)" } ?? "")
  }

}

extension SeasonJudge.Expectation {
  /// Who is served first: what is owed most certainly.
  fileprivate var order: Int {
    switch self {
    case .known: 0
    case .unknown: 1
    case .open: 2
    case .removed: 3
    case .outside: 4
    }
  }
}

extension SeasonFindings {
  /// Counts a ride, and whether its week has it.
  fileprivate mutating func count(_ expected: SeasonJudge.Expectation, isRight: Bool) {
    switch expected {
    case .known:
      knowable += 1
      if isRight { right += 1 }
    case .unknown(let reason):
      let index = Unknowable.allCases.firstIndex(of: reason) ?? 0
      unknowable[index] += 1
      if isRight { guessed[index] += 1 }
    case .removed:
      removed += 1
      if isRight { phantoms += 1 }
    case .open, .outside:
      break
    }
  }

  /// Counts a ride that its week has not: whether another week has it.
  fileprivate mutating func countElsewhere(_ expected: SeasonJudge.Expectation, isThere: Bool) {
    switch expected {
    case .known: if isThere { wrong += 1 } else { lost += 1 }
    case .removed: if isThere { phantoms += 1 }
    case .outside: if isThere { strays += 1 }
    case .unknown, .open: break
    }
  }
}
