// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("Bad input to assay club ends with 2, says what was found and expected, and writes nothing")
struct ClubBadInputTests {
  private static let ride = ClubFeedFolder.ride

  @Test(
    "a page that is none",
    arguments: [
      ("", "w.json: found an empty file, expected a file of a club's feed."),
      (" \n", "w.json:1: found an empty feed, expected a JSON array of activities, or one activity a line."),
      ("{}", "w.json:1: found an object without any key of an activity"),
      (
        #"{"message": "Rate Limit Exceeded", "errors": [{"resource": "Application"}]}"#,
        "w.json:1: the service sent no activities but says 'Rate Limit Exceeded'."
      ),
      ("[\n" + ride("Tom B.", "NaN", 5, "0", "Ride") + "]", "w.json:2: activity 1: distance: found NaN"),
      ("[" + ride("Tom B.", "Infinity", 5, "0", "Ride") + "]", "w.json:1: activity 1: distance: found Infinity"),
      ("[" + ride("Tom B.", "1e18", 5, "0", "Ride") + "]", "w.json:1: activity 1: distance: found 1e18"),
      (
        "[" + ride("Tom B.", "5", 5, "0", "Ride") + ",\n" + ride("Tom B.", "-0.1", 5, "0", "Ride") + "]",
        "w.json:2: activity 2: distance: found -0.1, expected a number of metres from 0 to 100000000."
      ),
      ("[" + ride(String(repeating: "x", count: 1_000_000) + " B.", "5", 5, "0", "Ride") + "]", "w.json:1: activity 1"),
      ("[" + ride("Tom B.", "5", 5, "0", "Ride"), "w.json:1: activity 1: found the end of the feed"),
      (ride("Tom B.", "nan", 5, "0", "Ride") + "\n", "w.json:1: distance: found nan"),
    ])
  func pages(content: String, problem: String) throws {
    let feed = try ClubFeedFolder()
    _ = try feed.folder.write(content, as: "w.json")
    for command in ["report w.json w2.json", "report w.json", "insights w.json --member Tom"] {
      try feed.page([Self.ride("Tom B.", "1", 1, "1", "Ride")], as: "w2.json")
      try expect(command, problem, in: feed)
    }
  }

  @Test("bytes that are no UTF-8, a compressed file that is cut off, a folder, a file that is not there")
  func files() throws {
    let feed = try ClubFeedFolder()
    try feed.page([Self.ride("Tom B.", "5", 5, "0", "Ride")], as: "w.json")
    let file = feed.url.appendingPathComponent("w.json")
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data("Tom".utf8)))
    bytes[place.lowerBound + 1] = 0xFF
    try bytes.write(to: feed.url.appendingPathComponent("utf8.json"))
    try feed.compress("w.json")
    let whole = try Data(contentsOf: feed.url.appendingPathComponent("w.json.gz"))
    try whole.prefix(60).write(to: feed.url.appendingPathComponent("cut.json.gz"))
    try expect("report utf8.json", "utf8.json:1: activity 1: athlete.firstname: found the byte 0xFF", in: feed)
    try expect("report cut.json.gz", "cut.json.gz:1: found the end of the file behind", in: feed)
    try expect("report .", ".: found a directory, expected a file in it.", in: feed)
    try expect("report nowhere.json", "nowhere.json: found nothing of that name", in: feed)
  }

  @Test(
    "options",
    arguments: [
      ("report", "no feed: name a file of a club's activities, or - for the standard input"),
      ("report w.json ./w.json", "'./w.json' is named twice; name each file once."),
      (
        "report w.json --metric distnace",
        "--metric: found 'distnace', expected one of distance, rides, speed, elevation (did"
      ),
      ("report w.json --sport GravleRide", "(did you mean 'GravelRide'?)."),
      ("report w.json --sport all,Ride", "--sport: found 'all', expected all by itself."),
      ("report w.json --names long", "--names: found 'long', expected one of short, full"),
      ("report w.json --speed man", "--speed: found 'man', expected one of total, mean (did you mean 'mean'?)."),
      ("report w.json --threshold -1", "--threshold: found '-1', expected a percentage from 0% to 1000%"),
      ("report w.json --threshold 1.23", "--threshold: found '1.23'"),
      ("report w.json --identical never", "--identical: found 'never', expected one of once, each"),
      ("report w.json --top 0", "--top: found '0', expected a whole number, 1 or more"),
      ("report w.json --format svg", "--format: 'club report' has no svg, expected one of text, markdown, csv, json."),
      ("report w.json --output no/such/w.md", "does not exist; create it or choose another."),
      ("insights --member Tom", "no feed: name a file of a club's activities"),
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
      ("stress --members none", "--members: found 'none', expected a whole number, 1 to 10,000,000"),
      ("stress --members 0", "--members: found '0', expected"),
      ("stress --weeks 0", "--weeks: found '0', expected"),
      ("stress --members 1 --activities 1G", "--activities: found '1G', expected at most"),
      ("feed --seasons 5 --seasons-together 4", "--seasons-together: found '4', expected 5 or more"),
      ("feed --faults usually", "--faults: found 'usually', expected one of usual, none (did you mean 'usual'?)"),
      ("stress --generator mt19936", "did you mean 'mt19937'?"),
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
