// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import ClubLab
import Foundation
import Reporting
import Testing

@Suite("A club's week, written")
struct WeekReportTests {
  private static func tally(_ rides: [(first: String, metres: Double, minutes: Int, climb: Double)]) throws -> WeekTally
  {
    try WeekTally(
      rides.map { ride in
        Activity(
          member: MemberIdentity(name: AthleteName(first: ride.first, last: "Miller")),
          distance: try #require(Length(metres: ride.metres)), movingTime: ride.minutes * 60,
          elapsedTime: ride.minutes * 60, elevation: try #require(Length(metres: ride.climb)))
      })
  }

  private static func week(before: Bool = true) throws -> ClubWeek {
    ClubWeek(
      try tally([
        ("Sarah", 30_000, 60, 300), ("Sarah", 12_300, 30, 950.5), ("Tom", 20_000, 45, 0), ("zoë", 20_000, 40, 12),
      ]),
      previous: before ? try tally([("Sarah", 42_300, 80, 100), ("Tom", 10_000, 30, 0), ("Ann", 5000, 20, 0)]) : nil)
  }

  @Test("text lists the club's totals and its members best first, with medals, trends and shares")
  func text() throws {
    let report = WeekReport(try Self.week(), origin: ["week.json: 4 activities."])
    #expect(
      report.rendered(as: .text) == """
        The club's week, ranked by distance
        week.json: 4 activities.

        club            this week  last week  trend
        --------------  ---------  ---------  ----------
        distance          82.3 km    57.3 km  ↑ +43.6%
        rides                   4          3  ↑ +33.3%
        active members          3          3  → +0.0%
        climb                1.3k      100 m  ↑ +1162.5%
        moving time        2h 55m     2h 10m

        rank  member    distance  rides      speed  climb  moving  longest  trend      share of distance
        ----  --------  --------  -----  ---------  -----  ------  -------  ---------  -------------------
        🥇 1  Sarah M.   42.3 km      2  28.2 km/h   1.3k  1h 30m  30.0 km  → +0.0%    ████████████  51.4%
        🥈 2  Tom M.     20.0 km      1  26.7 km/h    0 m     45m  20.0 km  ↑ +100.0%  █████▋        24.3%
        🥈 2  Zoë M.     20.0 km      1  30.0 km/h   12 m     40m  20.0 km  new        █████▋        24.3%

        Active last week, not this week: Ann M.

        """)
  }

  @Test("without pictures a report is plain letters but for dashes and names, and without a last week it has no trends")
  func letters() throws {
    let text = try #require(WeekReport(try Self.week(before: false), by: .rides).rendered(as: .text, signs: .letters))
    #expect(
      text.hasSuffix(
        """
        rank  member    distance  rides      speed  climb  moving  longest  share of rides
        ----  --------  --------  -----  ---------  -----  ------  -------  -------------------
         1st  Sarah M.   42.3 km      2  28.2 km/h   1.3k  1h 30m  30.0 km  ############  50.0%
         2nd  Tom M.     20.0 km      1  26.7 km/h    0 m     45m  20.0 km  ######        25.0%
         2nd  Zoë M.     20.0 km      1  30.0 km/h   12 m     40m  20.0 km  ######        25.0%

        """))
    #expect(!text.contains("trend") && !text.contains("last week"))
    let foreign = Set(text.filter { !$0.isASCII })
    #expect(foreign == ["ë"])
  }

  @Test("by speed the bars show the part of the fastest, and who has no speed has no rank")
  func speed() throws {
    let week = ClubWeek(try Self.tally([("Ann", 20_000, 40, 0), ("Ben", 10_000, 40, 0), ("Cy", 5000, 0, 0)]))
    let text = try #require(WeekReport(week, by: .speed).rendered(as: .text))
    let lines = text.split(separator: "\n").suffix(3).map(String.init)
    #expect(lines[0].hasPrefix("🥇 1") && lines[0].hasSuffix("████████████ 100.0%"))
    #expect(lines[1].hasPrefix("🥈 2") && lines[1].hasSuffix("██████        50.0%"))
    #expect(lines[2].hasPrefix("   –  Cy M.") && lines[2].hasSuffix("–"))
  }

  @Test("who is a hair slower than the fastest does not read as as fast")
  func hairSlower() throws {
    let week = ClubWeek(try Self.tally([("Ann", 20_000, 40, 0), ("Ben", 19_995, 40, 0)]))
    let text = try #require(WeekReport(week, by: .speed).rendered(as: .text))
    let lines = text.split(separator: "\n").suffix(2).map(String.init)
    #expect(lines[0].hasSuffix(" 100.0%") && lines[1].hasSuffix(" 99.98%"), "\(text)")
  }

  @Test("colours change nothing of what is shown where")
  func colours() throws {
    let report = WeekReport(try Self.week())
    let coloured = try #require(report.rendered(as: .text, style: TerminalStyle(isColoured: true)))
    #expect(coloured.contains("\u{1B}[38;2;"))
    let sequence = try Regex("\u{1B}\\[[0-9;]*m")
    #expect(coloured.replacing(sequence, with: "") == report.rendered(as: .text))
  }

  @Test("Markdown shows names as they are, whatever marks they carry")
  func markdown() throws {
    let week = ClubWeek(try Self.tally([("*<b>|_x_", 1000, 5, 0)]))
    let markdown = try #require(WeekReport(week, remarks: ["a_b"]).rendered(as: .markdown))
    #expect(markdown.hasPrefix("# The club's week, ranked by distance\n\n\n## The club\n\n| club | this week |\n"))
    #expect(markdown.contains("| 🥇 1 | \\*&lt;b&gt;\\|\\_x\\_ M. | 1.0 km | 1 | 12.0 km/h |"))
    #expect(markdown.hasSuffix("\n- a\\_b\n"))
  }

  @Test("CSV has a line a member, with exact decimals")
  func csv() throws {
    let report = WeekReport(try Self.week(), names: .full)
    #expect(
      report.rendered(as: .csv) == """
        rank,name,distanceKilometres,rides,movingSeconds,elevationMetres,averageSpeedKilometresPerHour,\
        longestKilometres,share,trend,trendPercent
        1,Sarah Miller,42.3,2,5400,1250.5,28.2,30,0.513973,flat,0
        2,Tom Miller,20,1,2700,0,26.666667,20,0.243013,up,100
        2,Zoë Miller,20,1,2400,12,30,20,0.243013,new,

        """)
  }

  @Test("JSON has the keys that other programs rely on, with exact decimals")
  func json() throws {
    let text = try #require(WeekReport(try Self.week(), top: 2).rendered(as: .json))
    let json = try JSONValue(parsing: text)
    #expect(
      json["club"]?.text.hasPrefix(
        """
        {
          "distanceKilometres": 82.3,
          "rides": 4,
          "movingSeconds": 10500,
          "elevationMetres": 1262.5,
          "activeMembers": 3,
        """) == true)
    #expect(json["club"]?["trends"]?["rides"]?.text == "{\"direction\": \"up\", \"percent\": 33.3}\n")
    guard case .array(let members)? = json["members"] else { throw Missing() }
    #expect(
      members.map(\.text).first?.hasPrefix(
        """
        {
          "name": "Sarah M.",
          "rank": 1,
          "distanceKilometres": 42.3,
          "rides": 2,
          "movingSeconds": 5400,
          "elevationMetres": 1250.5,
          "averageSpeedKilometresPerHour": 28.2,
          "trend": "flat",
        """) == true)
    #expect(members.count == 2 && members[1]["trends"]?["speed"]?["direction"]?.text == "\"up\"\n")
    #expect(json["gone"]?.text == "[\"Ann M.\"]\n")
    #expect(text.contains("1 more member is left out; the totals are everybody's."))
  }

  @Test("an empty week has totals and no members")
  func empty() throws {
    let report = WeekReport(ClubWeek(WeekTally()))
    #expect(report.rendered(as: .text)?.contains("rank  member") == false)
    #expect(report.rendered(as: .json)?.contains("\"members\": []") == true)
    #expect(report.rendered(as: .svg) == nil)
  }

  private struct Missing: Error {}
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}

@Suite("Signs of a club's reports")
struct ClubSignsTests {
  @Test(
    "pictures need a UTF-8 locale, by the variable that counts, and a terminal that is not dumb",
    arguments: [
      ([:], .letters), (["LANG": "C.UTF-8"], .pictures), (["LANG": "de_DE.utf8"], .pictures),
      (["LANG": "en_GB.UTF-8", "LC_ALL": "C"], .letters), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .pictures),
      (["LANG": "C.UTF-8", "LC_ALL": ""], .pictures), (["LANG": "C.UTF-8", "TERM": "dumb"], .letters),
      (["LANG": "de_DE@euro"], .letters),
    ] as [([String: String], ClubSigns)])
  func environment(variables: [String: String], signs: ClubSigns) {
    #expect(ClubSigns(environment: variables) == signs)
  }

  @Test("bars are as long as the share, to an eighth of a column, and never longer than they may be")
  func bars() {
    let shares = [0, 0.0001, 0.25, 0.5625, 1, 7]
    #expect(shares.map { ClubSigns.pictures.bar($0, width: 4) } == ["", "▏", "█", "██▎", "████", "████"])
    #expect(shares.map { ClubSigns.letters.bar($0, width: 4) } == ["", "#", "#", "##", "####", "####"])
    #expect(ClubSigns.pictures.bar(.nan, width: 4) == "" && ClubSigns.letters.bar(.nan, width: 4) == "")
  }

  @Test("three have medals")
  func medals() {
    #expect((1...4).map(ClubSigns.pictures.rank) == ["🥇 1", "🥈 2", "🥉 3", "4"])
    #expect((1...4).map(ClubSigns.letters.rank) == ["1st", "2nd", "3rd", "4"])
  }

  @Test(
    "a trend says where it goes, and by how much where that can be said",
    arguments: [
      (112, 100, "↑ +12.0%", "up +12.0%"), (50, 100, "↓ -50.0%", "down -50.0%"), (100, 100, "→ +0.0%", "flat +0.0%"),
      (5, 0, "new", "new"), (0, 5, "gone", "gone"), (0, 0, "→", "flat"),
    ])
  func trends(this: Int, last: Int, picture: String, letters: String) {
    let trend = Trend.of(this: Ratio(this), last: Ratio(last))
    #expect(ClubSigns.pictures.trend(trend) == picture)
    #expect(ClubSigns.letters.trend(trend) == letters)
  }
}
