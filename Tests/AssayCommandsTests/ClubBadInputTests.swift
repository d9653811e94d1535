// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Bad input to assay club ends with 2, says what was found and expected, and writes nothing")
struct ClubBadInputTests {
  private static let ride = ClubFeedFolder.ride

  @Test(
    "a page that is none",
    arguments: [
      ("", "w.json: found an empty file, expected a file of activities."),
      (
        #"{"message": "Rate Limit Exceeded", "errors": [{"resource": "Application"}]}"#,
        "w.json:1: the service sent no activities but says 'Rate Limit Exceeded'. Ask again after"
      ),
      (
        "[" + ride("Tom B.", "5", 5, "0", "Ride") + ",\noops]",
        "w.json:2: activity 2: found oops, expected a value of JSON; the rest of the feed has not been read."
      ),
    ])
  func pages(content: String, problem: String) throws {
    let feed = try ClubFeedFolder()
    _ = try feed.folder.write(content, as: "w.json")
    for command in ["report w.json w2.json", "report w.json", "insights w.json --member Tom"] {
      try feed.page([Self.ride("Tom B.", "1", 1, "1", "Ride")], as: "w2.json")
      try expect(command, problem, in: feed)
    }
  }

  @Test(
    "options",
    arguments: [
      ("report", "no feed: name a file or a folder of members' activities, or - for the standard input"),
      ("report nowhere.json", "nowhere.json: found no file of that name"),
      ("report w.json ./w.json", "'./w.json' is named twice; name each file once."),
      (
        "report w.json --metric distnace",
        "--metric: found 'distnace', expected one of distance, rides, speed, elevation (did"
      ),
      ("report w.json --sport GravleRide", "(did you mean 'GravelRide'?)."),
      ("report w.json --sport all,Ride", "--sport: found 'all,Ride', expected no other sport with all."),
      ("report w.json --names long", "--names: found 'long', expected one of short, full"),
      ("report w.json --speed man", "--speed: found 'man', expected one of total, mean (did you mean 'mean'?)."),
      ("report w.json --change -1", "--change: found '-1', expected a percentage from 0% to 1000%"),
      ("report w.json --change 1.23", "--change: found '1.23'"),
      ("report w.json --identical never", "--identical: found 'never', expected one of once, each"),
      ("report w.json --top 0", "--top: found '0', expected a whole number, 1 or more"),
      ("report w.json --format svg", "--format: 'club report' has no svg, expected one of text, markdown, csv, json."),
      ("report w.json --output no/such/w.md", "does not exist; create it or choose another."),
      ("insights --member Tom", "no feed: name a file or a folder of members' activities"),
      ("report w.json --week 2026-W47", "--week: the activities of w.json have no dates, and all of them are one week"),
      ("report w.json --zone Europe/Berlin", "--zone: the activities of w.json have no dates"),
      ("report w.json --zone Berlin", "--zone: found 'Berlin', expected a time zone such as Europe/Berlin"),
      ("report .", ".: its activities have no dates, and a folder of them is no week; name the files of one week."),
      ("insights w.json --member Tmo", "nobody is called 'Tmo'"),
      (
        "insights w.json --member Tom --mode depe",
        "--mode: found 'depe', expected one of mine, top, deep (did you mean 'deep'?)."
      ),
      ("insights w.json --member Tom --week 2026-W54", "--week: found '2026-W54', expected a week by ISO 8601"),
      ("insights w.json --member Tom --history none", "--history: found 'none', expected a folder that exists."),
      (
        "insights w.json --member Tom --history w.json",
        "--history: found 'w.json', expected a folder that you may read"
      ),
      (
        "insights --member Tom --history .", "expected a folder with files named after weeks, for example 2026-W46.json"
      ),
    ])
  func options(typed: String, problem: String) throws {
    let feed = try ClubFeedFolder()
    try feed.page([Self.ride("Tom B.", "5", 5, "0", "Ride")], as: "w.json")
    try expect(typed, problem, in: feed)
    #expect(try feed.folder.names() == ["w.json"])
  }

  private func expect(_ typed: String, _ problem: String, in feed: ClubFeedFolder) throws {
    try AssayProcess("club " + typed, in: feed.url).expectRefusal(problem)
  }
}
