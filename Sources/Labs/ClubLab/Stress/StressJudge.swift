// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Compares what the core says with the truth, name by name. It groups persons by the numbers of their names, which the
/// core never sees.
struct StressJudge {
  /// What the comparison of a week found.
  struct Finding {
    var membersWrong = 0
    var activeMembers = 0
    var isTotalRight = false
  }

  /// The core's roster of all members.
  let roster: Roster
  /// Every person's place in the roster.
  let places: [UInt32]
  /// Persons who are in one place with persons of another name, or apart from persons of their own.
  let personsMisplaced: Int
  /// Which members were wrong in any week.
  private var isWrong: [Bool]
  /// How many persons with activities each member of the roster was in the last week.
  private var activePersons: [UInt32] = []

  /// Lets the core make its roster.
  ///
  /// - Parameter names: The number of every person's name.
  init(names: [UInt32]) {
    var roster = Roster()
    var places: [UInt32] = []
    places.reserveCapacity(names.count)
    for name in names { places.append(UInt32(roster.index(of: MemberIdentity(name: NameBook.name(Int(name)))))) }
    var placeOfName: [UInt32: UInt32] = [:]
    var nameInPlace: [UInt32?] = Array(repeating: nil, count: roster.count)
    var misplaced = 0
    for (name, place) in zip(names, places) {
      let isNewName = placeOfName[name] == nil
      let isNewPlace = nameInPlace[Int(place)] == nil
      if isNewName { placeOfName[name] = place }
      if isNewPlace { nameInPlace[Int(place)] = name }
      if placeOfName[name] != place || nameInPlace[Int(place)] != name { misplaced += 1 }
    }
    (self.roster, self.places, personsMisplaced) = (roster, places, misplaced)
    isWrong = Array(repeating: false, count: roster.count)
  }

  /// Members who were wrong in any week.
  var membersWrong: Int { isWrong.count(where: \.self) }

  /// Compares a week.
  ///
  /// - Parameters:
  ///   - tally: What the core counted.
  ///   - truth: What really happened, person by person.
  ///   - inLastWeek: Whether to remember who was active.
  /// - Returns: What differs.
  mutating func compare(_ tally: RosterTally, with truth: [TruthSums], inLastWeek: Bool) -> Finding {
    var sums = Array(repeating: TruthSums(), count: roster.count)
    var persons: [UInt32] = Array(repeating: 0, count: roster.count)
    for (place, sum) in zip(places, truth) where sum.activities > 0 {
      sums[Int(place)] = sums[Int(place)] + sum
      persons[Int(place)] += 1
    }
    var finding = Finding()
    for (member, sum) in sums.enumerated() {
      if sum.activities > 0 { finding.activeMembers += 1 }
      guard !sum.agrees(with: tally[member]) else { continue }
      finding.membersWrong += 1
      isWrong[member] = true
    }
    finding.isTotalRight = truth.reduce(TruthSums(), +).agrees(with: tally.total)
    if inLastWeek { activePersons = persons }
    return finding
  }

  /// Which names the core suspects, beside those that several persons bear.
  func collisions(in week: ClubWeek) -> StressResult.Collisions {
    let suspected = Set(week.suspectedCollisions.map(\.member))
    let rightly = suspected.count { member in
      roster.existingIndex(of: member).map { activePersons[$0] > 1 } ?? false
    }
    return StressResult.Collisions(
      real: activePersons.count { $0 > 1 }, suspected: suspected.count, suspectedRightly: rightly)
  }
}
