// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay club report, end to end")
struct ClubReportCommandTests {
  private static let ride = ClubFeedFolder.ride
  private static let utf8 = ["LC_ALL": "C.UTF-8", "TERM": "xterm"]
  private static let header =
    "rank,name,distanceKilometres,rides,movingSeconds,elevationMetres,averageSpeedKilometresPerHour,"
    + "longestKilometres,share,trend,trendPercent\n"

  private func report(_ typed: String, in feed: ClubFeedFolder, input: String? = nil) throws -> AssayProcess {
    try AssayProcess(
      "club report " + typed, in: feed.url, environment: Self.utf8,
      input: input.map { feed.url.appendingPathComponent($0) })
  }

  @Test("JSON has the club and its members with documented keys and exact decimals")
  func json() throws {
    let feed = try ClubFeedFolder()
    try feed.page(
      [
        Self.ride("Tom B.", "42300", 5400, "350.5", "Ride"),
        Self.ride("sarah  M.", "10399.9", 1800, "0.0", "GravelRide"),
        Self.ride("Sarah M.", "10000.3", 1800, "12.3", "Ride"), Self.ride("Tom B.", "5000", 1500, "0", "Run"),
      ], as: "w.json")
    try feed.page(
      [Self.ride("Tom B.", "40000", 5000, "100", "Ride"), Self.ride("Ann M.", "1000", 200, "0", "Ride")],
      as: "last.json")
    let process = try report("w.json --previous last.json --format json", in: feed)
    #expect(process.status == 0 && process.remarks.isEmpty)
    let json = try process.json()
    let club = try #require(json["club"] as? [String: Any])
    #expect(club["distanceKilometres"] as? Double == 62.7002 && club["elevationMetres"] as? Double == 362.8)
    #expect(club["rides"] as? Int == 3 && club["movingSeconds"] as? Int == 9000 && club["activeMembers"] as? Int == 2)
    let members = try #require(json["members"] as? [[String: Any]])
    #expect(members.map { $0["name"] as? String } == ["Tom B.", "Sarah M."])
    #expect(members.map { $0["rank"] as? Int } == [1, 2])
    #expect(members.map { $0["trend"] as? String } == ["flat", "new"])
    #expect(json["gone"] as? [String] == ["Ann M."])
    let trends = try #require(club["trends"] as? [String: [String: Any]])
    #expect(trends["rides"]?["direction"] as? String == "up" && trends["rides"]?["percent"] as? Double == 50)
    let keys = ["distanceKilometres", "rides", "movingSeconds", "elevationMetres", "averageSpeedKilometresPerHour"]
    for member in members { #expect(keys.allSatisfy { member[$0] is NSNumber }) }
    #expect(process.output.contains("\"distanceKilometres\": 42.3,"))
    #expect(process.output.contains("\"averageSpeedKilometresPerHour\": 28.2,"))
    let best = try report("w.json --top 1 --format json", in: feed)
    #expect(best.output.contains("1 more member is left out; the totals include them."))
  }

  @Test("pages, JSON Lines, compressed files and the standard input give the same week")
  func sources() throws {
    let feed = try ClubFeedFolder()
    try feed.page([Self.ride("Tom B.", "1000", 200, "1", "Ride")], as: "a.json")
    try feed.lines([Self.ride("Tom B.", "2000", 400, "2", "Ride")], as: "b.ndjson")
    try feed.lines([Self.ride("Tom B.", "4000", 800, "4", "Ride")], as: "c.ndjson")
    try feed.compress("c.ndjson")
    try feed.page([Self.ride("Tom B.", "8000", 1600, "8", "Ride")], as: "d.json")
    try feed.compress("d.json")
    try feed.page([Self.ride("Tom B.", "16000", 3200, "16", "Ride")], as: "e.json")
    let process = try report("a.json b.ndjson - c.ndjson.gz d.json.gz --format csv", in: feed, input: "e.json")
    #expect(process.output == Self.header + "1,Tom B.,31,5,6200,31,18,16,1,,\n")
    try feed.compress("e.json")
    let alone = try report("- --format csv", in: feed, input: "e.json.gz")
    #expect(alone.output == Self.header + "1,Tom B.,16,1,3200,16,18,16,1,,\n")
  }

  @Test("equal activities on several pages count once, two on one page count twice, and both are reported")
  func overlap() throws {
    let feed = try ClubFeedFolder()
    let (commute, long) = (
      Self.ride("Tom B.", "5000", 900, "0", "Ride"), Self.ride("Ann C.", "90000", 9000, "0", "Ride")
    )
    try feed.page([long, commute, commute], as: "1.json")
    try feed.page([commute.replacingOccurrences(of: "Lunch", with: "Renamed"), long], as: "2.json")
    let once = try report("1.json 2.json --format csv", in: feed)
    #expect(once.output == Self.header + "1,Ann C.,90,1,9000,0,36,90,0.9,,\n2,Tom B.,10,2,1800,0,20,5,0.1,,\n")
    let remark = "2 activities are on several pages, and were counted"
    #expect(try report("1.json 2.json", in: feed).output.contains("\(remark) once; --identical each counts every"))
    let each = try report("1.json 2.json --identical each", in: feed).output
    #expect(each.contains("\(remark) every time; --identical once") && each.contains("3  20.0 km/h"))
    try feed.lines([commute, commute], as: "3.ndjson")
    #expect(try report("3.ndjson", in: feed).output.contains("2 activities listed, 2 counted (cycling)."))
  }

  @Test("malformed lines are reported with their numbers and skipped, or refused by --strict")
  func malformed() throws {
    let feed = try ClubFeedFolder()
    let good = Self.ride("Tom B.", "1000", 200, "0", "Ride")
    try feed.lines([good, "oops", good, Self.ride("Tom B.", "-1", 200, "0", "Ride")], as: "w.ndjson")
    let lenient = try report("w.ndjson --format csv", in: feed)
    #expect(lenient.status == 0 && lenient.output == Self.header + "1,Tom B.,2,2,400,0,18,1,1,,\n")
    #expect(lenient.remarks.contains("skipped: w.ndjson:2: found oops"))
    #expect(lenient.remarks.contains("skipped: w.ndjson:4: distance: found -1"))
    #expect(
      try report("w.ndjson", in: feed).output.contains(
        "2 malformed activities were skipped; the first: w.ndjson:2. --strict"))
    let strict = try report("w.ndjson --strict", in: feed)
    #expect(strict.status == 2 && strict.output.isEmpty && strict.remarks.hasPrefix("error: w.ndjson:2: found oops"))
  }

  @Test("a feed without counted activities suggests the option that counts everything")
  func otherSports() throws {
    let feed = try ClubFeedFolder()
    try feed.page([Self.ride("Tom B.", "1000", 200, "0", "Run")], as: "w.json")
    #expect(try report("w.json", in: feed).output.contains("1 activity listed, 0 counted (cycling)."))
    #expect(
      try report("w.json", in: feed).output.contains(
        "No listed activity is cycling, but Run (1); --sport all counts everything."))
    for sport in ["all", "running", "run", "Ride,Run"] {
      #expect(try report("w.json --sport \(sport) --format csv", in: feed).output.contains("Tom B.,1,1,"), "\(sport)")
    }
  }

  @Test("arrows and bars need a UTF-8 locale; names need none")
  func signs() throws {
    let feed = try ClubFeedFolder()
    try feed.page([Self.ride("Zoë B.", "1000", 200, "0", "Ride")], as: "w.json")
    #expect(try report("w.json", in: feed).output.contains("   1  Zoë B.  "))
    for environment in [["LC_ALL": "C"], ["LC_ALL": "C.UTF-8", "TERM": "dumb"]] {
      let plain = try AssayProcess("club report w.json", in: feed.url, environment: environment)
      #expect(plain.output.contains("   1  Zoë B.  ") && plain.output.contains("############ 100.0%"))
    }
    _ = try report("w.json --output w.md --output w.txt --quiet", in: feed)
    let text = try String(contentsOf: feed.url.appendingPathComponent("w.txt"), encoding: .utf8)
    #expect(text.contains("   1  Zoë B.  ") && !text.contains("\u{1B}"))
  }

  @Test("a week against itself is flat throughout")
  func itself() throws {
    let feed = try ClubFeedFolder()
    try feed.page([Self.ride("Tom B.", "1000.5", 200, "7.7", "Ride")], as: "w.json")
    for metric in ["distance", "rides", "speed", "elevation"] {
      let csv = try report("w.json --previous w.json --metric \(metric) --change 0% --format csv", in: feed).output
      #expect(csv.hasSuffix(",flat,0\n"), "\(csv)")
    }
  }
}
