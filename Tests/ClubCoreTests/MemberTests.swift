// SPDX-License-Identifier: Apache-2.0
import ClubCore
import TestSupport
import Testing

@Suite("Rosters")
struct RosterTests {
  /// Names that share their beginnings, of every length around sixteen bytes, with accents in one encoding and the
  /// other, and with tokens.
  private static let members: [MemberIdentity] = {
    let firsts = [
      "", "A", "Al", "Åse", "A\u{30A}se", "Zoë", "Zoe", "zoe", "Ann-Kathrin-Marie", "Ann-Kathrin-Marie-Luise",
      "Ann-Kathrin-Mari", "Ann-Kathrin-Mar", "Ann-Kathrin-Mare\u{301}", "Ann-Kathrin-Marf", "李", "🚲", "a\u{0}", "a",
    ]
    return firsts.flatMap { first in ["", "B.", "b.", "É."].map { ByHand.member(first, $0) } }
      + (1...20).map { ByHand.member("Al", "B.", token: "\($0)") }
  }()

  @Test("every member has one place, in the order of joining, however many there are")
  func indices() {
    var roster = Roster()
    let many = (0..<5000).map { ByHand.member("Rider\($0)") }
    for (position, member) in many.enumerated() {
      #expect(roster.existingIndex(of: member) == nil)
      #expect(roster.index(of: member) == position)
    }
    #expect(roster.count == 5000)
    for (position, member) in many.enumerated() { #expect(roster.index(of: member) == position) }
    #expect(roster.existingIndex(of: ByHand.member("Nobody")) == nil)
  }

  @Test("a roster finds members by equality, whatever their spelling and their tokens")
  func equality() {
    var (roster, distinct) = (Roster(), [MemberIdentity]())
    for member in Self.members {
      if !distinct.contains(member) { distinct.append(member) }
      #expect(roster.index(of: member) == distinct.firstIndex(of: member))
    }
    #expect(roster.members == distinct)
  }

  @Test("a week lists its members in the order of their names, in whatever order they came", arguments: 0..<20)
  func order(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var week = WeekTally()
    var tally = MemberTally.zero
    tally.add(distance: 10_000, movingTime: 10, elapsedTime: 10, elevation: 0)
    for member in Self.members.shuffled(using: &generator) { week.add(member, tally) }
    let listed = week.entries.map(\.member)
    #expect(listed.count == Set(Self.members).count)
    for (one, next) in zip(listed, listed.dropFirst()) { #expect(one.precedes(next)) }
  }
}

@Suite("Finding members")
struct MemberLookupTests {
  private let lookup = MemberLookup([
    ByHand.member("Tom", "B."), ByHand.member("Tom", "C."), ByHand.member("sarah", "M."),
    ByHand.member("Åse", "L.", token: "11"), ByHand.member("Åse", "L.", token: "12"), ByHand.member("Robin", "K."),
  ])

  @Test(
    "case, idle spaces and full stops do not matter, and a first name is enough where it is one",
    arguments: [
      ("Tom B.", "Tom B."), (" tom  b ", "Tom B."), ("SARAH", "sarah M."), ("a\u{30A}se l. (12)", "Åse L."),
    ])
  func found(typed: String, name: String) throws {
    #expect(try lookup.member(named: typed).name.description == name)
  }

  @Test("an ambiguous name is refused with all its members and their tokens")
  func ambiguous() {
    #expect(throws: ClubError.ambiguousMember(name: "tom", members: ["Tom B.", "Tom C."])) {
      try lookup.member(named: "tom")
    }
    #expect(throws: ClubError.ambiguousMember(name: "Åse L.", members: ["Åse L. (11)", "Åse L. (12)"])) {
      try lookup.member(named: "Åse L.")
    }
  }

  @Test("of many members with a name the first are listed and the others counted")
  func manyAmbiguous() {
    let toms = (10..<30).map { ByHand.member("Tom", "\($0).") }
    let named = (10..<19).map { "Tom \($0)." } + ["11 others"]
    #expect(throws: ClubError.ambiguousMember(name: "Tom", members: named)) {
      try MemberLookup(toms).member(named: "Tom")
    }
  }

  @Test(
    "an unknown name is refused with the nearest ones, best first, each once",
    arguments: [
      ("Tim B.", ["Tom B.", "Tom C."]), ("Srah M.", ["Sarah M."]), ("Robni K", ["Robin K."]),
      ("Ase L.", ["Åse L."]), ("Sara", ["Sarah M."]), ("Wolfgang Amadeus", []), ("", []),
      (String(repeating: "x", count: 100_000), []),
    ])
  func suggested(typed: String, nearest: [String]) {
    #expect(throws: ClubError.noSuchMember(name: typed, nearest: nearest)) { try lookup.member(named: typed) }
  }

  @Test("a sentence that ends with an initial has one full stop")
  func fullStop() {
    #expect(
      ClubError.noSuchMember(name: "Sara", nearest: ["Sarah M."]).description
        == "nobody is called 'Sara'; the nearest: Sarah M.")
    #expect(ClubError.noSuchMember(name: "Sara", nearest: []).description == "nobody is called 'Sara'.")
    #expect(
      ClubError.ambiguousMember(name: "Åse", members: ["Åse L. (11)", "Åse L. (12)"]).description
        == "'Åse' may be any of Åse L. (11), Åse L. (12).")
  }

  @Test("a member of any week is found in the history")
  func whereTheyAre() throws {
    let (ann, ben) = ([ByHand.ride(ByHand.member("Ann"))], [ByHand.ride(ByHand.member("Ben"))])
    let history = ClubHistory([(Week(number: 2), WeekTally(ann)), (Week(number: 0), WeekTally(ben))])
    #expect(try history.member(named: "ben") == ByHand.member("Ben"))
    #expect(history.weeks.map(\.week.number) == [0, 2])
  }
}

@Suite("Suspected collisions")
struct CollisionTests {
  @Test("several spellings of one name are suspect, in whatever order and tree they come")
  func spellings() {
    let rides = ["Sarah", "sarah", "SARAH", "Sarah"].map { ByHand.ride(ByHand.member($0), kilometres: 10) }
    for cut in 0...rides.count {
      for rides in [rides, rides.reversed()] {
        var (left, right) = (WeekTally(rides.prefix(cut)), WeekTally(rides.dropFirst(cut)))
        left.merge(WeekTally(rides.suffix(1)))
        right.merge(left)
        let found = ClubWeek(right).suspectedCollisions
        #expect(found.map(\.member) == [ByHand.member("Sarah")])
        #expect(found.map(\.evidence) == [.spellings(["SARAH M.", "Sarah M.", "sarah M."])])
      }
    }
    #expect(ByHand.week(rides.filter { $0.member.name.first == "Sarah" }).suspectedCollisions == [])
    #expect(
      ByHand.week(rides).suspectedCollisions.first?.sentence()
        == "SARAH M. is spelt in 3 ways ('SARAH M.', 'Sarah M.', 'sarah M.') and counts as one member;"
        + " one account has one spelling at a time.")
  }

  @Test("two encodings of one accent are one spelling, and a token's new name is a rename")
  func noCollision() {
    let encodings = ["Zo\u{EB}", "Zoe\u{308}"].map { ByHand.ride(ByHand.member($0), kilometres: 10) }
    #expect(ByHand.week(encodings).suspectedCollisions == [])
    let renamed = ["Tom", "Thomas"].map { ByHand.ride(ByHand.member($0, token: "7"), kilometres: 10) }
    #expect(ByHand.week(renamed).suspectedCollisions == [])
    #expect(ByHand.week(renamed).members.count == 1)
  }

  @Test("more elapsed time than a week has is suspect, and exactly a week is not")
  func moreThanAWeek() {
    let long = ByHand.ride(ByHand.member("Ann"), minutes: 10_080)
    #expect(ByHand.week([long]).suspectedCollisions == [])
    let more = ByHand.week([long, ByHand.ride(ByHand.member("Ann"), minutes: 1)])
    #expect(more.suspectedCollisions.map(\.evidence) == [.moreThanAWeek(elapsed: 604_860)])
  }

  @Test("activities at the same time are suspect; one listed twice, and one after the other, are not")
  func overlaps() {
    let (ann, ben) = (ByHand.member("Ann"), ByHand.member("Ben"))
    let morning = ByHand.ride(ann, minutes: 60, title: "Morning", start: 0)
    let lunch = ByHand.ride(ann, minutes: 10, title: "Lunch", start: 3000)
    let next = ByHand.ride(ann, minutes: 10, title: "Next", start: 3600)
    let other = ByHand.ride(ben, minutes: 60, title: "Other", start: 0)
    let found = SuspectedCollision.overlaps(in: [next, lunch, morning, other, morning])
    let evidence = SuspectedCollision.Evidence.overlap(
      first: "Morning", second: "Lunch", start: Moment(seconds: 3000), seconds: 600)
    #expect(found.map(\.member) == [ann] && found.map(\.evidence) == [evidence])
    #expect(
      found.first?.sentence()
        == "'Lunch' of Ann M. began when 'Morning' still had 10m to go: several people may share the name,"
        + " or two devices recorded.")
  }

  @Test("names with several tokens, and with and without one, are reported and change no number")
  func tokens() {
    let (first, second, bare) = (
      ByHand.member("Ann", token: "1"), ByHand.member("ann", token: "2"), ByHand.member("Ann")
    )
    let week = ByHand.week([first, second, bare, bare].map { ByHand.ride($0, kilometres: 10) })
    #expect(week.members.count == 3)
    #expect(
      week.suspectedCollisions.map(\.evidence) == [
        .severalTokens(2), .partlyWithoutToken(tokens: 2, activitiesWithout: 2),
      ])
    let partly = ByHand.week([first, bare].map { ByHand.ride($0) }).suspectedCollisions.map { $0.sentence() }
    #expect(
      partly == [
        "1 activity of Ann M. came without a token, and counts for another member than the one with a token."
      ])
  }
}
