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
}
