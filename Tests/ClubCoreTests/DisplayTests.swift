// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

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
    "speeds are kilometres per hour, or minutes per kilometre, whose seconds roll over",
    arguments: [
      (423_000, 5362, "28.4 km/h", "2:07 /km"), (10_000, 312, "11.5 km/h", "5:12 /km"),
      (100_000, 2996, "12.0 km/h", "5:00 /km"), (100_000, 2995, "12.0 km/h", "5:00 /km"),
      (100_000, 2994, "12.0 km/h", "4:59 /km"), (10_000, 3600, "1.0 km/h", "60:00 /km"), (0, 60, "0.0 km/h", "–"),
    ])
  func speeds(decimetres: Int, seconds: Int, speed: String, pace: String) throws {
    let ratio = try #require(Ratio(decimetres, over: seconds))
    #expect(ClubDisplay.speed(ratio) == speed)
    #expect(ClubDisplay.pace(ratio) == pace)
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
    "climbing is whole metres up to 1000 m and thousands over it",
    arguments: [
      (0, "0 m"), (4, "0 m"), (5, "1 m"), (9999, "1000 m"), (10_000, "1000 m"), (10_001, "1.0k"), (12_499, "1.2k"),
      (12_500, "1.3k"), (99_500, "10.0k"),
    ])
  func climbing(decimetres: Int, shown: String) {
    #expect(ClubDisplay.elevation(decimetres) == shown)
  }

  @Test(
    "percentages have one decimal and their sign, and none is a dash",
    arguments: [(125, "12.5%"), (-5, "-0.5%"), (0, "0.0%"), (-1000, "-100.0%"), (nil, "–")] as [(Int?, String)])
  func percentages(tenths: Int?, shown: String) {
    #expect(ClubDisplay.percentage(tenths) == shown)
  }

  @Test(
    "names begin in upper case, with the initial or in full, and command no terminal",
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
