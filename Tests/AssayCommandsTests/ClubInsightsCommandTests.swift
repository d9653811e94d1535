// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay club insights, end to end")
struct ClubInsightsCommandTests {
  private static let ride = ClubFeedFolder.ride

  /// Two weeks of history beside something else, and a week after them.
  private func filled() throws -> ClubFeedFolder {
    let feed = try ClubFeedFolder()
    let history = feed.url.appendingPathComponent("weeks")
    try FileManager.default.createDirectory(at: history, withIntermediateDirectories: true)
    try feed.page([Self.ride("Tom B.", "20000", 3600, "0", "Ride")], as: "weeks/2026-W45.json")
    try feed.page([Self.ride("Tom B.", "10000", 1800, "0", "Ride")], as: "weeks/2026-W46.json")
    try feed.lines([Self.ride("Ann C.", "90000", 9000, "0", "Ride")], as: "weeks/2026-W46-2.ndjson")
    try feed.compress("weeks/2026-W46-2.ndjson")
    _ = try feed.folder.write("my notes", as: "weeks/notes.txt")
    _ = try feed.folder.write("the same, compressed", as: "weeks/2026-W45.json.gz")
    try feed.page(
      [Self.ride("Tom B.", "40000", 7200, "0", "Ride"), Self.ride("Ann C.", "50000", 7200, "0", "Ride")],
      as: "now.json")
    return feed
  }

  private func insights(_ typed: String, _ member: String = "Tom B.", in feed: ClubFeedFolder) throws -> AssayProcess {
    try AssayProcess(
      "club insights " + typed, ["--member", member], in: feed.url, environment: ["LC_ALL": "C.UTF-8"])
  }

  @Test("the week after the newest stored one is compared with earlier weeks; other files are reported and ignored")
  func history() throws {
    let feed = try filled()
    let process = try insights("now.json --history weeks", "tom b", in: feed)
    #expect(process.status == 0 && process.remarks.isEmpty)
    #expect(
      process.output.hasPrefix(
        """
        Tom B.'s week 2026-W47

        now.json: 2 activities listed, 2 counted (cycling).

        History: 2 weeks, 2026-W45 to 2026-W46, 3 activities listed, 3 counted.

          - You covered 40.0 km
        """))
    #expect(process.output.contains("from 10.0 km to 40.0 km"))
    #expect(
      process.output.contains("The week is assumed to be 2026-W47, the one after the history's newest; --week names"))
    #expect(process.output.contains("Ignored, since their names begin with no week: notes.txt"))
    #expect(process.output.contains("Ignored, since they also exist uncompressed: 2026-W45.json.gz"))
  }

  @Test("the three modes have different content, each in every format")
  func modes() throws {
    let feed = try filled()
    let typed = "now.json --week 2026-W47 --history weeks"
    let texts = try ["mine", "top", "deep"].map { try insights("\(typed) --mode \($0)", in: feed).output }
    #expect(Set(texts).count == 3)
    #expect(texts[1].contains("behind Ann C. (#1) by distance"))
    #expect(try insights("\(typed) --format markdown", in: feed).output.hasPrefix("# Tom B.'s week 2026-W47\n"))
    let csv = try insights("\(typed) --format csv", in: feed).output
    #expect(csv.hasPrefix("insight,kind,quantity,value\n1,amount,sentence,"))
    #expect(csv.contains("\n1,amount,value,40\n"))
    let json = try insights("\(typed) --format json", in: feed).json()
    #expect(json["member"] as? String == "Tom B." && json["week"] as? String == "2026-W47")
    let kinds = try #require(json["insights"] as? [[String: Any]]).map { $0["kind"] as? String }
    #expect(kinds.contains("weekOverWeek") && kinds.contains("personalBest"))
  }

  @Test("without files a stored week is reported, by default the newest")
  func olderWeek() throws {
    let feed = try filled()
    #expect(try insights("--history weeks", in: feed).output.hasPrefix("Tom B.'s week 2026-W46\n"))
    let older = try insights("--history weeks --week 2026-W45", in: feed)
    #expect(older.output.contains("You covered 20.0 km"))
    let unknown = try insights("--history weeks --week 2026-W40", in: feed)
    #expect(unknown.status == 2 && unknown.remarks.contains("expected one of the history's: 2026-W45, 2026-W46."))
  }

  @Test("a file named after its week replaces the stored data of that week")
  func replaced() throws {
    let feed = try filled()
    try feed.page([Self.ride("Tom B.", "33000", 3600, "0", "Ride")], as: "2026-W46.json")
    let process = try insights("2026-W46.json --history weeks", in: feed)
    #expect(process.output.hasPrefix("Tom B.'s week 2026-W46\n") && process.output.contains("You covered 33.0 km"))
    #expect(process.output.contains("\nHistory: 1 week, 2026-W45, 1 activity listed, 1 counted.\n"))
  }

  @Test("an unknown member suggests the closest names")
  func nearest() throws {
    let feed = try filled()
    let process = try insights("now.json --week 2026-W47", "Tim B.", in: feed)
    #expect(process.status == 2)
    #expect(process.remarks.contains("nobody is called 'Tim B.'; the nearest: Tom B."))
  }

  @Test("if no activity counts, the message names the sports")
  func nobodyCounts() throws {
    let feed = try filled()
    let process = try insights("now.json --sport running --week 2026-W47", in: feed)
    #expect(process.status == 2)
    #expect(process.remarks.contains("--member: found 'Tom B.', expected somebody with activities that count (running"))
    #expect(process.remarks.contains("--sport all counts every sport"))
  }
}
