// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Suspected collisions")
struct CollisionTests {
  @Test("several spellings of one name are suspect, in whatever order and tree they come")
  func spellings() {
    let rides = ["Sarah", "sarah", "SARAH", "Sarah"].map { ByHand.ride(ByHand.member($0), kilometres: 10) }
    let expected = SuspectedCollision(
      member: ByHand.member("Sarah"), evidence: .spellings(["SARAH M.", "Sarah M.", "sarah M."]))
    for cut in 0...rides.count {
      for rides in [rides, rides.reversed()] {
        var (left, right) = (WeekTally(rides.prefix(cut)), WeekTally(rides.dropFirst(cut)))
        left.merge(WeekTally(rides.suffix(1)))
        right.merge(left)
        #expect(ClubWeek(right).suspectedCollisions == [expected])
      }
    }
    #expect(ByHand.week(rides.filter { $0.member.name.first == "Sarah" }).suspectedCollisions == [])
    #expect(
      expected.sentence()
        == "Sarah M. is spelt in 3 ways ('SARAH M.', 'Sarah M.', 'sarah M.') and counts as one member;"
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

  @Test("more time than a week has is suspect, and exactly a week is not")
  func moreThanAWeek() {
    let long = ByHand.ride(ByHand.member("Ann"), minutes: 10_080)
    #expect(ByHand.week([long]).suspectedCollisions == [])
    let more = ByHand.week([long, ByHand.ride(ByHand.member("Ann"), minutes: 1)])
    #expect(more.suspectedCollisions.map(\.evidence) == [.moreThanAWeek(elapsed: 604_860, week: 604_800)])
    #expect(more.suspectedCollisions(secondsOfWeek: 608_400) == [])
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
    #expect(found == [SuspectedCollision(member: ann, evidence: evidence)])
    #expect(
      found.first?.sentence()
        == "'Lunch' of Ann M. began when 'Morning' still had 10m to go: several people may share the name,"
        + " or two devices recorded.")
  }

  @Test("names with several tokens, and with and without one, are told and change no number")
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
        "1 activity of Ann M. came without a token, and counts for a member apart from the one with a token."
      ])
  }
}
