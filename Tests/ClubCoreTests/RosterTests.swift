// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Rosters")
struct RosterTests {
  private static func member(_ first: String, _ last: String = "B.", token: Int? = nil) -> MemberIdentity {
    MemberIdentity(name: AthleteName(first: first, last: last), token: token.flatMap { AthleteToken("\($0)") })
  }

  /// Names that share their beginnings, of every length around sixteen bytes, with accents in one encoding and the
  /// other, and with tokens.
  private static let members: [MemberIdentity] = {
    let firsts = [
      "", "A", "Al", "Åse", "A\u{30A}se", "Zoë", "Zoe", "zoe", "Ann-Kathrin-Marie", "Ann-Kathrin-Marie-Luise",
      "Ann-Kathrin-Mari", "Ann-Kathrin-Mar", "Ann-Kathrin-Mare\u{301}", "Ann-Kathrin-Marf", "李", "🚲", "a\u{0}", "a",
    ]
    return firsts.flatMap { first in ["", "B.", "b.", "É."].map { member(first, $0) } }
      + (1...20).map { member("Al", token: $0) }
  }()

  @Test("every member has one place, in the order of joining, however many there are")
  func places() {
    var roster = Roster()
    let many = (0..<5000).map { Self.member("Rider\($0)") }
    for (place, member) in many.enumerated() {
      #expect(roster.existingIndex(of: member) == nil)
      #expect(roster.index(of: member) == place)
    }
    #expect(roster.count == 5000)
    for (place, member) in many.enumerated() { #expect(roster.index(of: member) == place) }
    #expect(roster.existingIndex(of: Self.member("Nobody")) == nil)
  }

  @Test("members are found as equality says, whatever their spelling and their tokens")
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
    var generator = SmallGenerator(state: UInt64(seed))
    var week = WeekTally()
    var tally = MemberTally.zero
    tally.add(distance: 10_000, movingTime: 10, elapsedTime: 10, elevation: 0)
    for member in Self.members.shuffled(using: &generator) { week.add(member, tally) }
    let listed = week.entries.map(\.member)
    #expect(listed.count == Set(Self.members).count)
    for (one, next) in zip(listed, listed.dropFirst()) { #expect(one.precedes(next)) }
  }

  @Test("merging into nothing and merging nothing leave a week as it is")
  func neutral() {
    var week = WeekTally()
    var tally = MemberTally.zero
    tally.add(distance: 10_000, movingTime: 10, elapsedTime: 10, elevation: 0)
    for member in Self.members { week.add(member, tally) }
    var (left, right) = (WeekTally(), week)
    left.merge(week)
    right.merge(WeekTally())
    #expect(left == week && right == week)
    #expect(left.spellings(of: Self.member("Zoe")) == ["Zoe B.", "Zoe b.", "zoe B.", "zoe b."])
    left.add(Self.member("Al"), tally)
    #expect(week[Self.member("Al")].activities == 2 && left[Self.member("Al")].activities == 3)
  }
}
