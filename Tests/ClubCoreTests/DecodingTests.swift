// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Foundation
import Testing

@Suite("Decoding a feed")
struct DecodingTests {
  static let decoder = FeedDecoder(source: "page")

  /// A line whose values can be replaced one at a time.
  static func line(_ replacements: [String: String] = [:]) -> String {
    var values = [
      "first": #""Sarah""#, "last": #""M.""#, "name": #""Morning Ride""#, "distance": "42195.0", "moving_time": "5400",
      "elapsed_time": "6000", "total_elevation_gain": "310.4", "type": #""Ride""#, "sport_type": #""GravelRide""#,
      "workout_type": "null",
    ]
    values.merge(replacements) { $1 }
    let value = { (key: String) in values[key] ?? "" }
    let rest = ["moving_time", "elapsed_time", "total_elevation_gain", "type", "sport_type", "workout_type"]
      .map { #""\#($0)":\#(value($0))"# }.joined(separator: ",")
    return #"{"athlete":{"firstname":\#(value("first")),"lastname":\#(value("last"))},"name":\#(value("name")),"#
      + #""distance":\#(value("distance")),\#(rest)}"#
  }

  private static func activity(_ replacements: [String: String] = [:]) throws -> Activity {
    try #require(try decoder.activities(in: line(replacements).utf8).first)
  }

  private static func error(of feed: String) -> String {
    do throws(ClubError) {
      let activities = try decoder.activities(in: feed.utf8)
      return "accepted: \(activities)"
    } catch {
      return error.description
    }
  }

  @Test("the real pages are read to the last activity", arguments: RealPages.names)
  func realPages(name: String) throws {
    let activities = try FeedDecoder(source: name).activities(in: RealPages.bytes(name))
    #expect(activities.count == 30)
  }

  @Test("an activity becomes exact integers")
  func exact() throws {
    let page = try Self.decoder.activities(in: RealPages.bytes("all_club_activities-0"))
    let first = try #require(page.first)
    #expect(first.member.name.description == "chrism L.")
    #expect(first.title == "Title 973")
    #expect(first.distance.decimetres == 103_999)
    #expect(first.movingTime == 6021)
    #expect(first.elevation == .zero)
    #expect(first.sport == .run)
    #expect(first.workoutType == nil)
  }

  @Test("lines are read as an array of them is")
  func lines() throws {
    let page = try Self.decoder.activities(in: RealPages.bytes("all_club_activities-0"))
    let lines = page.map(\.json).joined(separator: [0x0A])
    #expect(try Self.decoder.activities(in: Array(lines)) == page)
  }

  @Test(
    "lengths are rounded to the decimetre, ties up, whatever their spelling",
    arguments: [
      ("0", 0), ("-0.0", 0), ("12.34", 123), ("12.35", 124), ("12.3499999999999999999999", 123), ("1e2", 1000),
      ("1.25E1", 125), ("125e-1", 125), ("0.04999e0", 0), ("99999999.94", 999_999_999), ("100000000", 1_000_000_000),
      ("0e99999999999999999999", 0),
    ])
  func lengths(text: String, decimetres: Int) throws {
    #expect(try Self.activity(["distance": text]).distance.decimetres == decimetres)
    #expect(try Self.activity(["total_elevation_gain": text]).elevation.decimetres == decimetres)
  }

  @Test("seconds are whole, even with a point behind them")
  func seconds() throws {
    #expect(try Self.activity(["moving_time": "6021.0"]).movingTime == 6021)
    #expect(try Self.activity(["elapsed_time": "6.021e3"]).elapsedTime == 6021)
    #expect(
      Self.error(of: Self.line(["moving_time": "6021.5"]))
        == "page:1: moving_time: found 6021.5, expected a whole number of seconds from 0 to 100000000.")
  }

  @Test("escapes and characters beyond ASCII are read; sport_type is believed rather than type")
  func texts() throws {
    let activity = try Self.activity(["first": #""Jos\u00e9""#, "name": #""\ud83c\udfc3 \"x\"\n""#, "last": #""Ñ.""#])
    #expect(activity.member.name.description == "José Ñ.")
    #expect(activity.title == "\u{1F3C3} \"x\"\n")
    #expect(activity.sport.name == "GravelRide")
    let older = Self.line().replacingOccurrences(of: #""sport_type":"GravelRide","#, with: "")
    #expect(try Self.decoder.activities(in: older.utf8).first?.sport == .ride)
  }

  @Test("a start and an athlete's id are read where the feed carries them, and other keys are passed over")
  func optionalKeys() throws {
    let tail = #","start_date":"2025-10-19T15:24:36Z","average_speed":7.8,"map":{"a":[1,{"b":[]}]},"flag":true}"#
    let line = String(Self.line().dropLast()) + tail
    let dated = try #require(try Self.decoder.activities(in: line.utf8).first)
    #expect(dated.start == Moment(seconds: 1_760_887_476))
    for (id, token) in [("17", "17"), (#""17""#, "17"), (#""a-b""#, "a-b")] {
      let line = Self.line().replacingOccurrences(of: #""athlete":{"#, with: #""athlete":{"id":\#(id),"#)
      #expect(try Self.decoder.activities(in: line.utf8).first?.member.token == AthleteToken(token))
    }
  }

  @Test("an empty array is a page without activities")
  func emptyPage() throws {
    #expect(try Self.decoder.activities(in: " [ ]\n".utf8) == [])
  }

  @Test(
    "a value that cannot be is refused with its field, what was found and what is expected",
    arguments: [
      ("distance", "-1", "found -1, expected a number of metres from 0 to 100000000"),
      ("distance", "1000000000000000000", "found 1000000000000000000, expected a number of metres from"),
      ("distance", "1e99999999999999999999", "expected a number of metres"), ("distance", "NaN", "found NaN"),
      ("distance", "Infinity", "found Infinity"), ("distance", "-Infinity", "expected a digit"),
      ("distance", "\"12\"", "found \"12\""), ("distance", "true", "found true"), ("distance", "007", "leading zeros"),
      ("distance", "5.", "expected a digit"), ("distance", "[1]", "found an array"),
      ("total_elevation_gain", "null", "found null"), ("moving_time", "100000001", "found 100000001"),
      ("elapsed_time", "-5", "found -5"), ("workout_type", "1.5", "null or a whole number"),
      ("name", "5", "found 5, expected a text in quotes"), ("name", "\"\\ud83c\"", "expected an escape of JSON"),
      ("name", "\"\\x\"", "expected an escape of JSON"), ("name", "\"a\tb\"", "no control character"),
      ("sport_type", "\"\"", "the word for a sport"), ("type", "{}", "found an object"),
    ])
  func badValues(key: String, value: String, words: String) {
    let message = Self.error(of: Self.line([key: value]))
    #expect(message.hasPrefix("page:1: \(key): found "))
    #expect(message.contains(words))
  }

  @Test(
    "moments that there are not are refused",
    arguments: ["2025-02-29T00:00:00Z", "2025-10-19T24:00:00Z", "2025-10-19 15:24:36Z", "2025-10-19T15:24:36", "now"])
  func badMoments(text: String) {
    let line = String(Self.line().dropLast()) + #","start_date":"\#(text)"}"#
    #expect(Self.error(of: line).contains("start_date: found \"\(text)\""))
  }

  @Test("a name of a million characters is refused, and shown shortened")
  func longName() {
    let message = Self.error(of: Self.line(["first": "\"" + String(repeating: "a", count: 1_000_000) + "\""]))
    #expect(message.contains("athlete.firstname: found \"aaaa"))
    #expect(message.contains("(1000002 bytes), expected a text of at most 500 bytes"))
    #expect(message.count < 200)
    #expect(Self.error(of: Self.line(["name": "\"" + String(repeating: "a", count: 2_000_000)])).contains("one MiB"))
  }

  @Test("names with control characters are refused, and so are two blank names")
  func badNames() {
    #expect(Self.error(of: Self.line(["first": #""\u001b[2J""#])).contains("without control characters"))
    #expect(Self.error(of: Self.line(["first": #"" ""#, "last": #""""#])).contains("athlete: found two blank names"))
  }
}

/// The recorded pages.
enum RealPages {
  static let names = ["all_club_activities-0", "all_club_activities-1", "club_activities-0"]

  static func bytes(_ name: String) throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
    return Array(try Data(contentsOf: url))
  }
}
