// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Feeds that are none")
struct DecodingBadFeedTests {
  private static func error(of feed: some Sequence<UInt8>) -> String {
    do throws(ClubError) {
      let activities = try FeedDecoder(source: "page").activities(in: feed)
      return "accepted: \(activities)"
    } catch {
      return error.description
    }
  }

  @Test(
    "what is no feed is told by what it is",
    arguments: [
      ("", "page:1: found an empty feed, expected a JSON array of activities, or one activity a line."),
      (" \n ", "page:1: found an empty feed, expected a JSON array of activities, or one activity a line."),
      (
        "{}",
        "page:1: found an object without any key of an activity, expected a JSON array of activities, or one activity "
          + "a line."
      ),
      ("null", "page:1: found null, expected an activity, which is an object of JSON."),
      ("<html>", "page:1: found <html>, expected an activity, which is an object of JSON."),
      ("[1]", "page:1: activity 1: found 1, expected an activity, which is an object of JSON."),
      ("[", "page:1: activity 1: found the end of the feed, expected an activity."),
      ("[,]", "page:1: activity 1: found ',', expected an activity."),
      ("[] x", "page:1: found 'x', expected nothing behind the array."),
    ])
  func noFeeds(feed: String, message: String) {
    #expect(Self.error(of: feed.utf8) == message)
  }

  @Test("an error object of the service is told in its own words")
  func refusal() throws {
    let body = #"{"message":"Rate Limit Exceeded","errors":[{"resource":"Application","code":"exceeded"}]}"#
    #expect(throws: ClubError.serviceRefused(FeedPlace(source: "page", line: 1), message: "Rate Limit Exceeded")) {
      try FeedDecoder(source: "page").activities(in: body.utf8)
    }
  }

  @Test("a page that was cut off anywhere is refused, with the activity where it ends")
  func truncation() throws {
    let page = try RealPages.bytes("all_club_activities-0")
    for end in stride(from: 1, to: page.count, by: 7) {
      #expect(Self.error(of: page[..<end]).contains("found"))
    }
    #expect(Self.error(of: page[..<1000]).hasPrefix("page:1: activity 5: "))
    #expect(Self.error(of: page[..<1000]).contains("the end of the feed"))
  }

  @Test("bytes that are no UTF-8 are refused with the byte", arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]])
  func noUTF8(bytes: [UInt8]) {
    let line = Array(DecodingTests.line().utf8)
    let place = Array(DecodingTests.line().utf8.prefix { $0 != UInt8(ascii: "S") }).count
    let first = String(bytes[0], radix: 16, uppercase: true)
    #expect(
      Self.error(of: line[..<place] + bytes + line[place...])
        == "page:1: athlete.firstname: found the byte 0x\(first), expected UTF-8.")
  }

  @Test(
    "a key that is read must be there, and once",
    arguments: ["distance", "moving_time", "elapsed_time", "total_elevation_gain", "name", "athlete"])
  func keys(key: String) {
    let line = DecodingTests.line()
    let without = line.replacing("\"\(key)\":", with: "\"other\":")
    #expect(Self.error(of: without.utf8) == "page:1: \(key): found no such key, expected the key in every activity.")
    let value = key == "athlete" ? #"{"firstname":"a","lastname":"b"}"# : key == "name" ? "\"a\"" : "1"
    let twice = line.dropLast() + ",\"\(key)\":\(value)}"
    #expect(Self.error(of: twice.utf8) == "page:1: \(key): found the key a second time, expected the key once.")
  }

  @Test("nesting is bounded, and no nesting exhausts the stack")
  func nesting() throws {
    let nested = { (depth: Int) in
      DecodingTests.line().dropLast() + ",\"x\":" + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}"
    }
    #expect(try FeedDecoder(source: "page").activities(in: nested(63).utf8).count == 1)
    #expect(
      Self.error(of: nested(64).utf8) == "page:1: x: found an array, expected at most 64 levels of objects and arrays.")
    #expect(Self.error(of: nested(400_000).utf8).contains("at most 64 levels"))
  }

  @Test("a bad line is skipped and told by its number, and nothing else is lost")
  func lenientLines() throws {
    let good = DecodingTests.line()
    let feed = [good, "rubbish", "", good, DecodingTests.line(["distance": "-1"]), good].joined(separator: "\n")
    let (activities, problems) = FeedDecoder(source: "feed").lenient(feed.utf8)
    #expect(activities.count == 3)
    #expect(problems.map { $0.description.prefix(7) } == ["feed:2:", "feed:5:"])
  }

  @Test("a bad activity of an array is skipped; broken JSON ends the reading, and says so")
  func lenientArrays() throws {
    let good = DecodingTests.line()
    let page = "[\(good),\n\(DecodingTests.line(["distance": "-1"])),\n\(good)]"
    let (activities, problems) = FeedDecoder(source: "page").lenient(page.utf8)
    #expect(activities.count == 2)
    #expect(problems.map(\.description).first?.hasPrefix("page:2: activity 2: distance: found -1") == true)
    let broken = FeedDecoder(source: "page").lenient("[\(good),\(DecodingTests.line(["distance": "x"])),\(good)]".utf8)
    #expect(broken.activities.count == 1)
    #expect(broken.problems.last?.description.contains("nothing behind this activity has been read") == true)
  }

  @Test("more problems than are kept are counted")
  func manyProblems() throws {
    var stream = FeedStream(source: "feed", isLenient: true)
    stream.consume(Array(String(repeating: "x\n", count: 5000).utf8).span)
    let tally = try stream.finish()
    #expect(tally.problems.count == FeedLimits.problems)
    #expect(tally.problemCount == 5000)
  }
}
