// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import ClubLab
import Reporting
import Scenarios
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

  @Test("text lists the club's totals and its members best first, with trends and shares, without emoji")
  func text() throws {
    let text = WeekReport(try Self.week(), origin: ["week.json: 4 activities."]).document.text()
    #expect(text.hasPrefix("The club's week, ranked by distance\n\nweek.json: 4 activities.\n"))
    #expect(
      text.contains(
        """
        rank  member    distance  rides      speed    climb  moving  longest  trend      share of distance
        ----  --------  --------  -----  ---------  -------  ------  -------  ---------  -------------------
           1  Sarah M.   42.3 km      2  28.2 km/h  1,251 m  1h 30m  30.0 km  → +0.0%    ████████████  51.4%
           2  Tom M.     20.0 km      1  26.7 km/h      0 m     45m  20.0 km  ↑ +100.0%  █████▋        24.3%
           2  Zoë M.     20.0 km      1  30.0 km/h     12 m     40m  20.0 km  new        █████▋        24.3%

        """))
    #expect(text.contains("\nclimb             1,263 m      100 m  ↑ +1162.5%\n"))
    #expect(text.hasSuffix("\nActive last week, not this week: Ann M.\n"))
  }

  @Test("without pictures a report is ASCII except for dashes and names, and without a last week it has no trends")
  func letters() throws {
    let text = WeekReport(try Self.week(before: false), by: .rides, signs: .letters).document.text()
    #expect(text.contains("\n   1  Sarah M.   42.3 km ") && text.contains("  ############  50.0%\n"))
    #expect(!text.contains("trend") && !text.contains("last week"))
    #expect(Set(text.filter { !$0.isASCII }) == ["ë"])
  }

  @Test("implausible rides are named, marked and kept, as where kilometres are given for metres")
  func implausible() throws {
    let week = ClubWeek(
      try Self.tally([("Ann", 100_000, 1, 0), ("Ben", 42.195, 150, 0), ("Cy", 30_000, 60, 0)]))
    let text = WeekReport(week).document.text(width: 200)
    #expect(text.contains("6000.0 km/h ?") && text.contains("0.0 km/h ?") && !text.contains("30.0 km/h ?"))
    #expect(text.contains("Ann M.: 100.0 km in 1m is not plausible; it counts as listed."))
    #expect(text.contains("Ben M.: 0.0 km in 2h 30m is not plausible; it counts as listed."))
    #expect(text.contains("A feed has distances in metres and times in seconds."))
  }

  @Test("by speed the bars show the share of the fastest speed, and a member without a speed has no rank")
  func speed() throws {
    let week = ClubWeek(try Self.tally([("Ann", 20_000, 40, 0), ("Ben", 10_000, 40, 0), ("Cy", 5000, 0, 0)]))
    let text = WeekReport(week, by: .speed).document.text()
    let lines = text.split(separator: "\n").suffix(3).map(String.init)
    #expect(lines[0].hasPrefix("   1  Ann") && lines[0].hasSuffix("████████████ 100.0%"))
    #expect(lines[1].hasPrefix("   2  Ben") && lines[1].hasSuffix("██████        50.0%"))
    #expect(lines[2].hasPrefix("   –  Cy M.") && lines[2].hasSuffix("–"))
  }

  @Test("a member who is a hair slower than the fastest is not shown as equally fast")
  func hairSlower() throws {
    let week = ClubWeek(try Self.tally([("Ann", 20_000, 40, 0), ("Ben", 19_995, 40, 0)]))
    let text = WeekReport(week, by: .speed).document.text()
    let lines = text.split(separator: "\n").suffix(2).map(String.init)
    #expect(lines[0].hasSuffix(" 100.0%") && lines[1].hasSuffix(" 99.98%"), "\(text)")
  }

  @Test("bars are as long as the share, to an eighth of a column, and the least share has one")
  func bars() throws {
    let week = ClubWeek(try Self.tally([("Ann", 100_000, 240, 0), ("Ben", 56_250, 150, 0), ("Cy", 10, 1, 0)]))
    func lines(_ signs: ClubSigns) -> [String] {
      WeekReport(week, signs: signs).document.text().split(separator: "\n").map(String.init)
        .filter { ["   1", "   2", "   3"].contains($0.prefix(4)) }
    }
    for (line, bar) in zip(lines(.pictures), ["████████████  64.0%", "██████▊       36.0%", "▏              0.0%"]) {
      #expect(line.hasSuffix("  \(bar)"), "\(line)")
    }
    for (line, bar) in zip(lines(.letters), ["############  64.0%", "#######       36.0%", "#              0.0%"]) {
      #expect(line.hasSuffix("  \(bar)"), "\(line)")
    }
  }

  @Test(
    "a trend shows its direction, and its percentage where there is one",
    arguments: [
      (112, 100, "↑ +12.0%", "up +12.0%"), (50, 100, "↓ -50.0%", "down -50.0%"), (100, 100, "→ +0.0%", "flat +0.0%"),
      (5, 0, "new", "new"), (0, 5, "gone", "gone"), (0, 0, "→", "flat"),
    ])
  func trends(this: Double, last: Double, picture: String, letters: String) throws {
    let week = ClubWeek(
      try Self.tally([("Ann", 1000, 10, this)]), previous: try Self.tally([("Ann", 1000, 10, last)]))
    for (signs, shown) in [(ClubSigns.pictures, picture), (.letters, letters)] {
      let lines = WeekReport(week, signs: signs).document.text().split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("climb ") && $0.hasSuffix("m  \(shown)") }, "\(lines)")
    }
  }

  @Test("CSV has a line for each member, with exact decimals")
  func csv() throws {
    let report = WeekReport(try Self.week(), names: .full)
    #expect(
      report.document.csv == """
        rank,name,distanceKilometres,rides,movingSeconds,elevationMetres,averageSpeedKilometresPerHour,\
        longestKilometres,share,trend,trendPercent
        1,Sarah Miller,42.3,2,5400,1250.5,28.2,30,0.513973,flat,0
        2,Tom Miller,20,1,2700,0,26.666667,20,0.243013,up,100
        2,Zoë Miller,20,1,2400,12,30,20,0.243013,new,

        """)
  }

  @Test("an empty week has totals and no members")
  func empty() throws {
    let report = WeekReport(ClubWeek(WeekTally()))
    #expect(!report.document.text().contains("rank  member"))
    #expect(report.json.text.contains("\"members\": []"))
  }
}

@Suite("Signs of a club's reports")
struct ClubSignsTests {
  @Test(
    "pictures need a UTF-8 locale, by the variable that takes precedence, and a terminal that is not dumb",
    arguments: [
      ([:], .letters), (["LANG": "C.UTF-8"], .pictures), (["LANG": "de_DE.utf8"], .pictures),
      (["LANG": "en_GB.UTF-8", "LC_ALL": "C"], .letters), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .pictures),
      (["LANG": "C.UTF-8", "LC_ALL": ""], .pictures), (["LANG": "C.UTF-8", "TERM": "dumb"], .letters),
      (["LANG": "de_DE@euro"], .letters),
    ] as [([String: String], ClubSigns)])
  func environment(variables: [String: String], signs: ClubSigns) {
    #expect(ClubSigns(environment: variables) == signs)
  }
}
