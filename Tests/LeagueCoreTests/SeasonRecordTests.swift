// SPDX-License-Identifier: Apache-2.0
import LeagueCore
import Testing

@Suite("Records of a season")
struct SeasonRecordTests {
  @Test("too many games are refused with the team's name, and the record is unchanged")
  func tooMany() throws {
    var full = try team(1, "Moose", 1_000_000)
    let before = full
    let error = try #require(throws: LeagueError.self) { try full.add(pointsFor: .zero, against: .zero) }
    #expect(error.description == "team 'Moose', games: found 1000001, expected at most 1000000, won, lost and level.")
    #expect(full == before)
    var rich = try team(1, "Moose", for: 1e8)
    let other = try #require(throws: LeagueError.self) { try rich.add(pointsFor: Points(0.001), against: .zero) }
    #expect(other.description.hasPrefix("team 'Moose', points for: found 100000000001 thousandths"))
    #expect(try rich == team(1, "Moose", for: 1e8))
  }

  @Test("a streak has at least one game", arguments: [0, -1, Int.min, .max])
  func streaks(length: Int) {
    #expect(throws: LeagueError.self) { try Streak(.win, length: length) }
  }
}

@Suite("Points are exact")
struct PointsTests {
  @Test(
    "what a service sends is the decimal it meant",
    arguments: [
      (1640.6000000000004, 1_640_600, "1640.6"), (1615.6399999999999, 1_615_640, "1615.64"), (-9, -9000, "-9"),
      (0.025, 25, "0.025"), (-0.0, 0, "0"), (-0.5, -500, "-0.5"), (0.0004, 0, "0"), (1e8, 100_000_000_000, "100000000"),
    ])
  func decimals(sent: Double, thousandths: Int, text: String) throws {
    let points = try Points(sent)
    #expect(points.thousandths == thousandths)
    #expect(points.description == text)
    #expect(try Points(points.value) == points)
  }

  @Test(
    "what is no number of points is refused with the value found",
    arguments: [Double.nan, .infinity, -.infinity, 1e9, -1e300, .greatestFiniteMagnitude, 100_000_000.1])
  func refused(value: Double) {
    #expect(
      throws: LeagueError.badValue(
        team: nil, field: "points", found: "\(value)",
        expected: "a finite number of points from -100000000 to 100000000")
    ) { try Points(value) }
  }

  @Test("thousandths out of range are refused in both directions", arguments: [Int.max, .min, 100_000_000_001])
  func refusedThousandths(value: Int) {
    #expect(throws: LeagueError.self) { try Points(thousandths: value) }
  }

  @Test("a sum out of range is an error that names its field")
  func overflow() throws {
    let maximum = try Points(thousandths: Points.maxThousandths)
    #expect(
      throws: LeagueError.badValue(
        team: nil, field: "points for", found: "200000000000 thousandths",
        expected: "a finite number of points from -100000000 to 100000000")
    ) { try maximum.adding(maximum, field: "points for") }
    #expect(try maximum.adding(Points(thousandths: -Points.maxThousandths)) == .zero)
  }
}
