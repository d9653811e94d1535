// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Foundation
import Testing

@Suite("Activities with dates")
struct DatedTests {
  /// An activity as GET /athlete/activities sends it.
  private static func line(
    _ id: Int, athlete: Int? = 7, utc: String?, local: String?, more: String = ""
  ) -> String {
    let dates = [("start_date", utc), ("start_date_local", local)].compactMap { key, text in
      text.map { #","\#(key)":"\#($0)""# }
    }
    let owner = athlete.map { #""athlete":{"id":\#($0),"resource_state":1},"# } ?? ""
    return #"{"resource_state":2,\#(owner)"name":"Ride","distance":10000.0,"moving_time":1800,"elapsed_time":1900,"#
      + #""total_elevation_gain":50,"type":"Ride","sport_type":"Ride","id":\#(id)\#(dates.joined())\#(more)}"#
  }

  private static func entries(_ lines: [String]) throws -> [FeedEntry] {
    let reading = FeedDecoder(source: "feed").read(lines.joined(separator: "\n").utf8)
    #expect(reading.problems == [])
    return reading.entries
  }

  private static func week(_ text: String) throws -> Week { try #require(Week(text)) }

  @Test("an activity at 23:30 on Sunday counts by its local time")
  func localTime() throws {
    let late = try Self.entries([
      Self.line(1, utc: "2026-11-22T22:30:00Z", local: "2026-11-22T23:30:00Z"),
      // In Auckland it is Monday already.
      Self.line(2, utc: "2026-11-22T11:30:00Z", local: "2026-11-23T00:30:00Z"),
      Self.line(3, utc: "2026-11-23T04:30:00Z", local: "2026-11-22T23:30:00"),
      Self.line(4, utc: nil, local: "2026-11-22T23:30:00"),
      Self.line(5, utc: "2026-11-22T23:30:00+01:00", local: nil),
      Self.line(6, utc: "2026-11-22T23:30:00Z", local: nil, more: #","utc_offset":3600.0"#),
    ])
    #expect(
      try late.map { $0.week(by: .utc) }
        == ["2026-W47", "2026-W48", "2026-W47", "2026-W47", "2026-W47", "2026-W48"].map(Self.week))
  }

  @Test(
    "without a local time a time zone decides, also in weeks of 167 and 169 hours",
    arguments: [
      ("2026-03-29T21:59:59Z", "2026-W13"), ("2026-03-29T22:00:00Z", "2026-W14"),
      ("2026-03-22T22:59:59Z", "2026-W12"), ("2026-03-22T23:00:00Z", "2026-W13"),
      ("2026-10-25T22:59:59Z", "2026-W43"), ("2026-10-25T23:00:00Z", "2026-W44"),
      ("2026-10-18T21:59:59Z", "2026-W42"), ("2026-10-18T22:00:00Z", "2026-W43"),
    ])
  func zones(utc: String, week: String) throws {
    let berlin = WeekCalendar(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
    let entry = try Self.entries([Self.line(1, utc: utc, local: nil)])[0]
    #expect(try entry.week(by: berlin) == Self.week(week))
    let hours = { (week: String) throws in
      let week = try Self.week(week)
      return (berlin.start(of: week.next).seconds - berlin.start(of: week).seconds) / 3600
    }
    #expect(try hours("2026-W13") == 167 && hours("2026-W43") == 169 && hours("2026-W44") == 168)
  }

  @Test("each id counts once, and weeks without activities are known")
  func ids() throws {
    let entries = try Self.entries([
      Self.line(1, utc: "2026-11-02T10:00:00Z", local: nil), Self.line(2, utc: "2026-11-20T10:00:00Z", local: nil),
      Self.line(2, utc: "2026-11-20T10:00:00Z", local: nil, more: #","kudos_count":3"#),
      Self.line(3, utc: "2026-11-20T10:00:00Z", local: nil),
    ])
    let all = DatedActivities(entries, calendar: .utc)
    #expect(all.repeated == 1 && all.count == 3 && all.withoutLocalTime == 3)
    let history = all.history(counting: .cycling)
    #expect(history.weeks.map(\.week.description) == ["2026-W45", "2026-W46", "2026-W47"])
    #expect(history.weeks.map(\.tally.total.activities) == [1, 0, 2])
    #expect(try all.tally(of: Self.week("2026-W44"), counting: .all) == nil)
    #expect(try all.lastWeek(before: Self.week("2026-W47")) == Self.week("2026-W45"))
    #expect(try all.lastWeek(before: Self.week("2026-W50")) == Self.week("2026-W47"))
  }

  @Test("a member without a name has that of the file, or of the athlete's id if the file has several")
  func names() throws {
    var one = FeedDecoder(source: "tom.json").read("[\(Self.line(1, utc: "2026-11-02T10:00:00Z", local: nil))]".utf8)
    one.nameMembers(after: "tom")
    #expect(one.entries.map(\.activity.member.name.description) == ["tom"])
    #expect(one.entries.map(\.activity.member.token?.value) == ["7"])
    let lines = [7, 8].map { Self.line($0, athlete: $0, utc: "2026-11-02T10:00:00Z", local: nil) }
    var several = FeedDecoder(source: "all.json").read(lines.joined(separator: "\n").utf8)
    several.nameMembers(after: "all")
    #expect(several.entries.map(\.activity.member.name.description) == ["Athlete 7", "Athlete 8"])
    #expect(try Self.entries([Self.line(1, athlete: nil, utc: nil, local: "2026-11-02T10:00:00")]).count == 1)
  }
}

@Suite("Strava's export")
struct StravaExportTests {
  private static func read(_ text: String) -> FeedReading { FeedDecoder(source: "activities.csv").read(text.utf8) }

  private static let full = [
    "Aktivitäts-ID", "Aktivitätsdatum", "Name der Aktivität", "Aktivitätsart", "Aktivitätsbeschreibung",
    "Verstrichene Zeit", "Distanz", "Max. Herzfrequenz", "Relative Leistung", "Pendeln", "Hinweis", "Ausrüstung",
    "Dateiname", "Sportlergewicht", "Fahrradgewicht", "Verstrichene Zeit", "Bewegungszeit", "Distanz", "Höchstgeschw.",
    "Durchschnittliche Geschwindigkeit", "Höhenzunahme",
  ].joined(separator: ",")

  @Test("the export in English, after a public report about strava-tools (issue 1), invented data")
  func english() throws {
    let reading = Self.read(
      """
      Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance
      1,"Nov 3, 2025, 5:12:00 PM",Morning Ride,Ride,3700,20.0

      """)
    let entry = try #require(reading.entries.first)
    #expect(entry.id == "1" && entry.activity.sport == .ride && entry.activity.distance.decimetres == 200_000)
    #expect(entry.activity.start == Moment(seconds: 1_762_189_920) && entry.localStart == nil)
    #expect(entry.activity.elapsedTime == 3700 && entry.activity.movingTime == 3700)
    #expect(reading.incompleteCount == 1 && reading.skippedCount == 0)
  }

  @Test("in German, with decimal commas, a description over two lines and the distance in metres as well")
  func german() throws {
    let rows =
      "8,\"09.12.2025, 15:24:49\",Tour,Radfahrt,\"kalt,\nnass\",3189,\"9,44\",,,false,,,,,,3189.0,2070.0,9441.5,,,31.25"
    let reading = Self.read("\u{FEFF}" + Self.full + "\n" + rows + "\n")
    let activity = try #require(reading.entries.first?.activity)
    #expect(activity.sport == .ride && activity.distance.decimetres == 94_415 && activity.movingTime == 2070)
    #expect(activity.elevation.decimetres == 313 && activity.start == Moment(seconds: 1_765_293_889))
    #expect(reading.problems == [])
    let other = Self.full.replacing("Verstrichene Zeit", with: "Kulunut aika").replacing("Distanz", with: "Matka")
      .replacing("Aktivitäts-ID", with: "Aktiviteetin tunnus").replacing("Bewegungszeit", with: "Liikeaika")
    #expect(Self.read(other + "\n" + rows).entries.map(\.activity) == [activity])
  }

  @Test(
    "dates are read in the ways of many languages",
    arguments: [
      "Nov 3, 2025, 5:12:00 PM", "Nov 3, 2025, 5:12:00\u{202F}PM", "3 Nov 2025, 17:12:00", "03.11.2025, 17:12:00",
      "2025-11-03 17:12:00", "3 nov. 2025 à 17:12:00", "3 de nov. de 2025, 17:12:00", "3. nov. 2025 17.12.00",
      "2025/11/03 17:12:00", "2025年11月3日 17:12:00", "3 лист. 2025 17:12:00".replacing("лист.", with: "нояб."),
    ])
  func dates(text: String) {
    let reading = Self.read(
      "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance\n1,\"\(text)\",x,Ride,1,1")
    #expect(reading.entries.first?.activity.start == Moment(seconds: 1_762_189_920), "\(reading.problems)")
  }

  @Test("a date that may be in either order is refused unless another date shows the order")
  func slashes() {
    let heading = "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance\n"
    let row = { (id: Int, date: String) in "\(id),\"\(date) 17:12:00\",x,Ride,1,1\n" }
    #expect(Self.read(heading + row(1, "03/11/2025")).skippedCount == 1)
    let shown = Self.read(heading + row(1, "03/11/2025") + row(2, "23/11/2025"))
    #expect(shown.entries.first?.activity.start == Moment(seconds: 1_762_189_920))
    #expect(
      Self.read(heading + row(1, "11/03/2025") + row(2, "11/23/2025")).entries.first?.activity.start
        == Moment(seconds: 1_762_189_920))
  }

  @Test("a bad row is skipped with its line and column")
  func badRow() {
    let reading = Self.read(
      """
      Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Moving Time,Elevation Gain
      1,"Nov 3, 2025, 5:12:00 PM",x,Ride,3700,far,3600,10
      2,"Nov 3, 2025, 5:12:00 PM",x,Ride,3700,20.0,3600,10
      3,yesterday,x,Ride,3700,20.0,3600,10
      """)
    #expect(reading.entries.map(\.id) == ["2"] && reading.skippedCount == 2)
    #expect(
      reading.skipped[0].description.hasPrefix(
        "activities.csv:2: Distance: found 'far', expected a number of kilometres"))
    #expect(
      reading.skipped[1].description.hasPrefix("activities.csv:4: Activity Date: found 'yesterday', expected a date"))
  }
}
