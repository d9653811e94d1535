// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Insights")
struct InsightTests {
  private let week = Week(number: 2900)
  private let ann = ByHand.member("Ann", "B.")
  private let ben = ByHand.member("Ben", "B.")
  private let cleo = ByHand.member("cleo", "B.")
  private let dora = ByHand.member("Dora", "B.")

  /// Sentences over weeks in a row that end with the one looked at.
  private func sentences(
    _ mode: InsightMode, of member: MemberIdentity, _ weeks: [Activity]...
  ) -> [String] {
    let history = ClubHistory(
      weeks.enumerated().map { (week.advanced(by: $0.offset + 1 - weeks.count), WeekTally($0.element, counting: .all)) }
    )
    return Insights(history: history, week: week, member: member).insights(mode).map(\.sentence)
  }

  @Test("the tip names the gap, the rank, and the ride of the usual length that closes it")
  func tip() {
    let rides = [
      ByHand.ride(ann, kilometres: 120), ByHand.ride(ben, kilometres: 100), ByHand.ride(cleo, kilometres: 80),
      ByHand.ride(dora, kilometres: 43),
    ]
    #expect(
      sentences(.mine, of: dora, [ByHand.ride(dora, kilometres: 37)], rides).last
        == "37 km behind #3 (Cleo B.): one more 40 km ride closes it.")
    #expect(
      sentences(.mine, of: dora, [ByHand.ride(dora, kilometres: 5)], rides).last
        == "37 km behind #3 (Cleo B.): 2 more rides of 24 km each close it.")
    #expect(
      sentences(.mine, of: dora, (0..<9).map { _ in ByHand.ride(dora, kilometres: 5) }, rides).last
        == "One more 8 km ride, about the usual length, keeps #4 by distance.")
    #expect(sentences(.mine, of: ann, rides).last == "20 km ahead of #2 (Ben B.).")
    #expect(sentences(.mine, of: ben, rides).last == "20 km behind #1 (Ann B.): one more 100 km ride closes it.")
  }

  @Test("in a club of one no rank is stated, and the insights of a single week need no past")
  func clubOfOne() {
    #expect(
      sentences(.mine, of: ann, [ByHand.ride(ann, kilometres: 42, minutes: 90, climbing: 1234)]) == [
        "You covered 42.0 km.", "You did 1 ride.", "You averaged 28.0 km/h.", "You climbed 1234 m.",
        "Nobody else has rides this week.", "Nothing is known of the week before.",
      ])
    #expect(sentences(.top, of: ann, [ByHand.ride(ann, kilometres: 42)]) == ["Nobody else has rides this week."])
  }

  @Test("a club of two has no third, and the other is compared in every metric that both have")
  func clubOfTwo() {
    let rides = [ByHand.ride(ann, kilometres: 60, minutes: 120), ByHand.ride(ben, kilometres: 40, climbing: 100)]
    #expect(
      sentences(.top, of: ben, rides) == [
        "Only 2 members have rides this week, so there is no third.",
        "You are 20.0 km (33.3%) behind Ann B. (#1) by distance.",
        "You are level with Ann B. (#1) by number of rides.",
        "You are 100 m ahead of Ann B. (#1) by climbing.",
        "You stand best by number of rides and climbing: #1 in each.",
      ])
  }

  @Test("the comparison with the top three has gaps, strength, what closes the gap to the third, and its history")
  func topThree() {
    let (last, now) = ([100, 90, 80, 20], [100, 90, 60, 50])
    let weeks = [last, now].map { distances in
      zip([ann, ben, cleo, dora], distances).map { ByHand.ride($0, kilometres: $1, minutes: 120) }
    }
    let found = sentences(.top, of: dora, weeks[0], weeks[1])
    #expect(found.first == "You are 50.0 km (50.0%) behind Ann B. (#1) by distance.")
    #expect(found.contains("You are 5.0 km/h (16.7%) behind Cleo B. (#3) by average speed."))
    #expect(
      found.suffix(4) == [
        "You stand best by number of rides: #1.", "10 km behind #3 (Cleo B.): one more 35 km ride closes it.",
        "By distance: #4 in 2025-W30, #4 in 2025-W31.",
        "The gap to the third by distance narrowed from 60 km in 2025-W30 to 10 km.",
      ])
    #expect(sentences(.top, of: ben, weeks[1]).first == "You are among the top three by distance: #2.")
  }

  @Test("a member without rides this week reads so, with what a ride would change")
  func inactive() {
    let (last, now) = ([ByHand.ride(ann, kilometres: 40)], [ByHand.ride(ben, kilometres: 30)])
    #expect(
      sentences(.mine, of: ann, last, now) == [
        "You have no rides this week; the last known were in 2025-W30.",
        "Distance: none, after 40.0 km the week before.",
        "A ride of 40 km, about the usual length, makes it #1 by distance.",
      ])
    #expect(
      sentences(.deep, of: ann, last, now) == [
        "Ann B. has no rides this week; the last known were in 2025-W30.",
        "A week of rest, after a usual 40 km (that of the one earlier week with rides).",
        "Active in 1 of the 2 weeks known.",
      ])
    #expect(sentences(.mine, of: cleo, now) == ["You have no rides this week."])
    #expect(sentences(.top, of: ann, last, []).dropFirst().first == "Nobody has rides this week.")
  }

  @Test("a low week is explained by fewer, shorter and slower rides that add up, and by what makes up for it")
  func lowWeek() {
    let usual = (0..<4).map { _ in ByHand.ride(ann, kilometres: 30, minutes: 60, climbing: 100) }
    let found = sentences(.deep, of: ann, usual, [ByHand.ride(ann, kilometres: 40, minutes: 100, climbing: 800)])
    #expect(
      found.dropFirst(4).prefix(3) == [
        "An easier week: 80.0 km less than the usual 120 km (that of the one earlier week with rides),"
          + " -107.0 km from fewer rides, +46.0 km from longer rides and -19.0 km from a lower speed.",
        "3 more rides of 32 km each bring it to a usual week.",
        "The way was hillier: 20.0 m of climbing per kilometre, after a usual 3.3 m.",
      ])
  }

  @Test("a personal best needs a past that it beats, and a streak says where its beginning is not known")
  func bestAndStreak() {
    let weeks = [30, 40, 40].map { [ByHand.ride(ann, kilometres: $0)] }
    func bests(_ found: [String]) -> [String] { found.filter { $0.contains("best") } }
    #expect(
      bests(sentences(.mine, of: ann, weeks[0], weeks[1])) == [
        "Personal best over the 2 weeks known, best week by distance: 40.0 km, after 30.0 km in 2025-W30.",
        "Personal best over the 2 weeks known, longest ride: 40.0 km, after 30.0 km in 2025-W30.",
      ])
    #expect(bests(sentences(.mine, of: ann, weeks[1], weeks[2])) == [])
    #expect(bests(sentences(.mine, of: ann, [], weeks[2])) == [])
    #expect(
      sentences(.mine, of: ann, weeks[0], weeks[1]).last
        == "Active at least 2 weeks in a row: nothing is known of the week before them.")
    #expect(sentences(.mine, of: ann, [], weeks[0], weeks[1]).last == "Active 2 weeks in a row.")
    #expect(!sentences(.mine, of: ann, [], weeks[0]).contains { $0.hasPrefix("Active") })
  }
}

@Suite("Display")
struct DisplayTests {
  @Test(
    "kilometres have one decimal, halves up",
    arguments: [
      (0, "0.0 km"), (499, "0.0 km"), (500, "0.1 km"), (423_499, "42.3 km"), (9_999_499, "999.9 km"),
      (9_999_500, "1000.0 km"), (1_000_000_000, "100000.0 km"), (.max, "922337203685477.6 km"),
    ])
  func distances(decimetres: Int, shown: String) {
    #expect(ClubDisplay.distance(decimetres) == shown)
  }

  @Test(
    "speeds are kilometres per hour",
    arguments: [
      (423_000, 5362, "28.4 km/h"), (10_000, 312, "11.5 km/h"), (100_000, 2996, "12.0 km/h"), (0, 60, "0.0 km/h"),
    ])
  func speeds(decimetres: Int, seconds: Int, speed: String) {
    #expect(ClubDisplay.speed(Ratio(decimetres, over: seconds)) == speed)
  }

  @Test(
    "times are hours and minutes to the nearest minute, and seconds below one",
    arguments: [
      (0, "0s"), (59, "59s"), (60, "1m"), (3569, "59m"), (3570, "1h 0m"), (5280, "1h 28m"), (5309, "1h 28m"),
      (5310, "1h 29m"), (363_600, "101h 0m"),
    ])
  func durations(seconds: Int, shown: String) {
    #expect(ClubDisplay.duration(seconds) == shown)
  }

  @Test(
    "climbing is in whole metres, with separators of thousands",
    arguments: [
      (0, "0 m"), (4, "0 m"), (5, "1 m"), (9999, "1,000 m"), (10_000, "1,000 m"), (12_344, "1,234 m"),
      (12_345, "1,235 m"), (12_345_670, "1,234,567 m"),
    ])
  func climbing(decimetres: Int, shown: String) {
    #expect(ClubDisplay.elevation(decimetres) == shown)
  }

  @Test(
    "percentages have one decimal and their sign, and a missing one is a dash",
    arguments: [(125, "12.5%"), (-5, "-0.5%"), (0, "0.0%"), (-1000, "-100.0%"), (nil, "–")] as [(Int?, String)])
  func percentages(tenths: Int?, shown: String) {
    #expect(ClubDisplay.percentage(tenths) == shown)
  }

  @Test(
    "names begin in upper case, with the initial or in full, without control characters",
    arguments: [
      ("sarah", "miller", "Sarah M.", "Sarah Miller"), ("Sarah ", "M.", "Sarah M.", "Sarah M."),
      ("émile", "", "Émile", "Émile"), ("", "m.", "M.", "M."), ("ßara", "ǆ.", "Ssara ǅ.", "Ssara ǅ."),
      ("\u{1B}[31mann", "\u{202E}b.", "[31mann B.", "[31mann B."), ("🚴", "9.", "🚴 9.", "🚴 9."),
      ("e\u{301}mile", ".", "E\u{301}mile .", "E\u{301}mile ."),
    ])
  func names(first: String, last: String, short: String, full: String) {
    let name = AthleteName(first: first, last: last)
    #expect(name.shown() == short)
    #expect(name.shown(.full) == full)
  }
}
