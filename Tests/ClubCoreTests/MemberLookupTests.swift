// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

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

  @Test("several who are meant are all named, with their tokens")
  func ambiguous() {
    #expect(throws: ClubError.ambiguousMember(name: "tom", members: ["Tom B.", "Tom C."])) {
      try lookup.member(named: "tom")
    }
    #expect(throws: ClubError.ambiguousMember(name: "Åse L.", members: ["Åse L. (11)", "Åse L. (12)"])) {
      try lookup.member(named: "Åse L.")
    }
  }

  @Test("of many who are meant the first are named, and the others counted")
  func manyAmbiguous() {
    let toms = (10..<30).map { ByHand.member("Tom", "\($0).") }
    let named = (10..<19).map { "Tom \($0)." } + ["11 others"]
    #expect(throws: ClubError.ambiguousMember(name: "Tom", members: named)) {
      try MemberLookup(toms).member(named: "Tom")
    }
  }

  @Test(
    "nobody of a name gets the nearest suggested, best first, and each name once",
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

  @Test("who was there last week only is found in the week, and who was there ever in the history")
  func whereTheyAre() throws {
    let (ann, ben) = ([ByHand.ride(ByHand.member("Ann"))], [ByHand.ride(ByHand.member("Ben"))])
    #expect(throws: ClubError.self) { try WeekTally(ann).member(named: "Ben M.") }
    #expect(try ByHand.week(ann, after: ben).member(named: "Ben M.") == ByHand.member("Ben"))
    let history = ClubHistory([(Week(number: 2), WeekTally(ann)), (Week(number: 0), WeekTally(ben))])
    #expect(try history.member(named: "ben") == ByHand.member("Ben"))
    #expect(history.weeks.map(\.week.number) == [0, 2])
  }
}
