// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay club with dated activities, end to end")
struct ClubDatedCommandTests {
  /// An activity as GET /athlete/activities sends it, whose local clock is an hour ahead of UTC.
  private static func line(
    _ id: Int, _ athlete: Int, _ day: String, _ metres: Int, at clock: String = "10:00:00", sport: String = "Ride"
  ) -> String {
    """
    {"resource_state":2,"athlete":{"id":\(athlete),"resource_state":1},"name":"Ride","distance":\(metres).0,\
    "moving_time":3600,"elapsed_time":3700,"total_elevation_gain":100,"type":"\(sport)","sport_type":"\(sport)",\
    "id":\(id),"start_date":"\(day)T\(clock)Z","start_date_local":"\(day)T\(clock)Z","utc_offset":3600.0}
    """
  }

  private static let heading = "Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance\n"

  /// Three members: a page and lines of one, a page of another, and the export of a third.
  private func club() throws -> ClubFeedFolder {
    let feed = try ClubFeedFolder()
    for name in ["club", "club/zoe", "club/tom"] {
      try FileManager.default.createDirectory(
        at: feed.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    try feed.page(
      [Self.line(1, 7, "2025-11-05", 20000), Self.line(2, 7, "2025-11-09", 30000, at: "23:30:00")],
      as: "club/tom/page-1.json")
    try feed.lines(
      [Self.line(2, 7, "2025-11-09", 30000, at: "23:30:00"), Self.line(3, 7, "2025-11-10", 9000)],
      as: "club/tom/page-2.ndjson")
    try feed.compress("club/tom/page-2.ndjson")
    try feed.page([Self.line(4, 8, "2025-10-30", 10000), Self.line(5, 8, "2025-11-04", 11000)], as: "club/lena.json")
    _ = try feed.folder.write(
      Self.heading + "6,\"Nov 9, 2025, 10:30:00 PM\",Evening,Ride,3700,42.2\n", as: "club/zoe/activities.csv")
    _ = try feed.folder.write("a,b\n1,2\n", as: "club/zoe/profile.csv")
    _ = try feed.folder.write("notes", as: "club/notes.txt")
    return feed
  }

  private func run(_ typed: String, in feed: ClubFeedFolder) throws -> AssayProcess {
    try AssayProcess("club " + typed, in: feed.url, environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm"])
  }

  @Test("a folder of members' pages and exports gives the week asked for, each id once, with trends")
  func folder() throws {
    let feed = try club()
    let report = try run("report club --week 2025-W45", in: feed)
    #expect(report.status == 0)
    #expect(
      report.output.hasPrefix(
        """
        The club's week 2025-W45, ranked by distance

        club: 7 activities from 2025-W44 to 2025-W46, 4 of 2025-W45 counted (cycling).

        The week is Monday 2025-11-03 to Sunday 2025-11-09, by the local time of each activity; of 1 without
        one by the time in UTC; --zone names another time zone.

        1 activity lacks its climb (counted as 0 m) or its moving time (counted as the elapsed time); the
        first: club/zoe/activities.csv:2: Moving Time. --strict refuses such files.

        Ignored, since they are no files of activities: club/notes.txt.

        """), "\(report.output)")
    #expect(report.output.contains("distance         103.2 km    10.0 km  ↑ +932.0%"), "\(report.output)")
    #expect(report.output.contains("   1  Tom      50.0 km      2") && report.output.contains("   2  Zoe      42.2 km"))
    #expect(report.output.contains("1 activity was read more than once, by the id, and counts once."))
    let json = try run("report club --week 2025-W45 --format json", in: feed).json()
    #expect(json["week"] as? String == "2025-W45")
  }

  @Test("an export's dates are those of a time zone, in which 22:30 UTC may be Monday")
  func zone() throws {
    let feed = try club()
    let berlin = try run("report club/zoe/activities.csv --zone Europe/Berlin --format json", in: feed)
    #expect(try berlin.json()["week"] as? String == "2025-W45")
    let tokyo = try run("report club/zoe/activities.csv --zone Asia/Tokyo", in: feed)
    #expect(tokyo.output.hasPrefix("The club's week 2025-W46, ranked by distance"))
    #expect(tokyo.output.contains("Monday 2025-11-10 to Sunday 2025-11-16, by the time in Asia/Tokyo."))
  }

  @Test("the last week with activities that is over is the default, and a week without them is named")
  func weeks() throws {
    let feed = try club()
    let report = try run("report club", in: feed)
    #expect(report.output.hasPrefix("The club's week 2025-W46, ranked by distance"))
    #expect(report.output.contains("2025-W46 is the last one with any."))
    let refused = try run("report club --week 2026-W01", in: feed)
    #expect(refused.status == 2)
    #expect(
      refused.remarks.contains("--week: found '2026-W01', expected a week of the files, from 2025-W44 to 2025-W46"))
  }

  @Test("insights take the history from the same files")
  func insights() throws {
    let feed = try club()
    let report = try run("insights club --member tom --week 2025-W46 --mode deep", in: feed)
    #expect(report.output.hasPrefix("Tom's week 2025-W46, in depth\n\nclub: 7 activities from 2025-W44 to 2025-W46,"))
    #expect(
      report.output.contains("than the usual 50 km (that of the one earlier week with rides)"), "\(report.output)")
    let refused = try run("insights club --member tom --history club", in: feed)
    #expect(refused.status == 2 && refused.remarks.contains("--history: club has dates and is its own history"))
  }

  @Test("dated and undated activities together are refused with the reason, and --previous with dates")
  func mixed() throws {
    let feed = try club()
    try feed.page([ClubFeedFolder.ride("Tom B.", "1000", 200)], as: "old.json")
    let mixed = try run("report club/lena.json old.json", in: feed)
    #expect(mixed.status == 2 && mixed.output.isEmpty)
    #expect(mixed.remarks.contains("club/lena.json:1: activity 1 has a date and old.json:1: activity 1 has none"))
    let previous = try run("report club/lena.json --previous old.json", in: feed)
    #expect(previous.status == 2 && previous.remarks.contains("leave out --previous."))
  }

  @Test("one activity without a climb costs neither itself nor the page")
  func incomplete() throws {
    // After a public report about stravalib (issue 460), invented data.
    let feed = try ClubFeedFolder()
    try feed.page(
      [
        ClubFeedFolder.ride("Tom B.", "20000.0", 3600, "100.0"),
        ClubFeedFolder.ride("Lena V.", "30000.0", 3600, "null"),
      ],
      as: "feed.json")
    let report = try run("report feed.json --format csv", in: feed)
    #expect(report.status == 0 && report.output.contains("1,Lena V.,30,") && report.output.contains("2,Tom B.,20,"))
    let strict = try run("report feed.json --strict", in: feed)
    #expect(strict.status == 2 && strict.remarks.contains("feed.json:2: activity 2: total_elevation_gain: found null"))
  }

  @Test("an hour without a distance makes nobody slower, and activities of other sports are no rides")
  func otherSports() throws {
    // After real activities in erlendthune/strava, invented data.
    let feed = try ClubFeedFolder()
    let gym = (1...5).map { ClubFeedFolder.ride("Lena V.", "0.0", 4500 + $0, sport: "WeightTraining") }
    try feed.page(gym + [ClubFeedFolder.ride("Lena V.", "8700.0", 3000, "20", sport: "Run")], as: "feed.json")
    let report = try run("report feed.json --sport all", in: feed).output
    #expect(report.contains("10.4 km/h") && !report.contains("plausible") && !report.contains("ride"), "\(report)")
    #expect(report.contains("rank  member   distance  count"))
    let runs = try run("insights feed.json --member Lena --week 2026-W47 --sport running", in: feed).output
    #expect(runs.contains("You did 1 run, ") || runs.contains("You did 1 run."), "\(runs)")
  }

  @Test("a word of the feed is a sport, though the service added it later")
  func newSport() throws {
    // After a public report about stravalib (issue 441), invented data.
    let feed = try ClubFeedFolder()
    try feed.page([ClubFeedFolder.ride("Lena V.", "0.0", 3600, sport: "Padel")], as: "feed.json")
    for sport in ["Padel", "padel", "Ride,Padel"] {
      #expect(try run("report feed.json --sport \(sport) --format csv", in: feed).output.contains("Lena V.,0,1,3600"))
    }
    #expect(try run("report feed.json --sport Padle", in: feed).remarks.contains("(did you mean 'Padel'?)"))
  }

  @Test("a final full stop does not make two members")
  func fullStop() throws {
    // After files in marcioscar/stravaapi, invented data.
    let feed = try ClubFeedFolder()
    try feed.page(
      [ClubFeedFolder.ride("Tom B.", "20000", 3600), ClubFeedFolder.ride("Tom B", "5000", 3600)], as: "feed.json")
    let report = try run("report feed.json", in: feed).output
    #expect(report.contains("active members          1") && report.contains("Tom B. is spelt in 2 ways"), "\(report)")
    for name in ["Tom B.", "Tom B", "tom b"] {
      let insights = try AssayProcess(
        "club insights feed.json --week 2026-W47", ["--member", name], in: feed.url)
      #expect(insights.status == 0 && insights.output.contains("You covered 25.0 km"))
    }
  }

  @Test("the answer of the address that the service removed says what to use instead")
  func removed() throws {
    // After public reports about stravalib (issue 736) and node-strava-v3 (issue 209).
    let feed = try ClubFeedFolder()
    _ = try feed.folder.write(
      #"{"message":"Resource Not Found","errors":[{"resource":"resource","field":"path","code":"invalid"}]}"#,
      as: "answer.json")
    let report = try run("report answer.json", in: feed)
    #expect(
      report.status == 2 && report.remarks.contains("Strava removed GET /clubs/ID/activities on 1 September 2026"))
  }
}
