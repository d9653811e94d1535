// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Foundation
import Testing

/// What the decoder says is wrong with a feed.
private func error(of feed: some Sequence<UInt8>) -> String {
  do throws(ClubError) {
    let activities = try FeedDecoder(source: "page").activities(in: feed)
    return "accepted: \(activities)"
  } catch {
    return error.description
  }
}

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
      error(of: Self.line(["moving_time": "6021.5"]).utf8)
        == "page:1: moving_time: found 6021.5, expected a whole number of seconds from 0 to 100000000.")
  }

  @Test("escapes and characters beyond ASCII are read, and sport_type overrides type")
  func texts() throws {
    let activity = try Self.activity(["first": #""Jos\u00e9""#, "name": #""\ud83c\udfc3 \"x\"\n""#, "last": #""Ñ.""#])
    #expect(activity.member.name.description == "José Ñ.")
    #expect(activity.title == "\u{1F3C3} \"x\"\n")
    #expect(activity.sport.name == "GravelRide")
    let older = Self.line().replacingOccurrences(of: #""sport_type":"GravelRide","#, with: "")
    #expect(try Self.decoder.activities(in: older.utf8).first?.sport == .ride)
  }

  @Test("a start and an athlete's id are read if the feed has them, and other keys are ignored")
  func optionalKeys() throws {
    let tail = #","start_date":"2025-10-19T15:24:36Z","average_speed":null,"map":{"a":[1,{"b":[]}]},"flag":true}"#
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
    "an impossible value is refused with its field, what was found and what is expected",
    arguments: [
      ("distance", "-1", "found -1, expected a number of metres from 0 to 100000000"),
      ("distance", "1000000000000000000", "found 1000000000000000000, expected a number of metres from"),
      ("distance", "1e99999999999999999999", "expected a number of metres"),
      ("distance", "-Infinity", "found -Infinity"),
      ("distance", "\"12\"", "found \"12\""), ("distance", "true", "found true"), ("distance", "007", "found 007"),
      ("distance", "5.", "found 5."), ("distance", "[1]", "found an array"),
      ("total_elevation_gain", "null", "found null"), ("moving_time", "100000001", "found 100000001"),
      ("elapsed_time", "-5", "found -5"), ("workout_type", "1.5", "null or a whole number"),
      ("name", "5", "found 5, expected a text in quotes"), ("name", "\"\\ud83c\"", "expected a text in quotes"),
      ("name", "\"\\x\"", "expected a text in quotes"), ("name", "\"a\tb\"", "expected a text in quotes"),
      ("sport_type", "\"\"", "a text that is not empty"), ("type", "{}", "found an object"),
    ])
  func badValues(key: String, value: String, words: String) {
    let message = error(of: Self.line([key: value]).utf8)
    #expect(message.hasPrefix("page:1: \(key): found "))
    #expect(message.contains(words))
  }

  @Test("words that are no JSON are refused by the line", arguments: ["NaN", "Infinity", "nil", "'5'"])
  func noJSON(value: String) {
    #expect(
      error(of: Self.line(["distance": value]).utf8) == "page:1: found \(value), expected a value of JSON.")
  }

  @Test(
    "moments that do not exist are refused",
    arguments: ["2025-02-29T00:00:00Z", "2025-10-19T24:00:00Z", "2025-10-19 15:24:36Z", "2025-10-19T15:24:36", "now"])
  func badMoments(text: String) {
    let line = String(Self.line().dropLast()) + #","start_date":"\#(text)"}"#
    #expect(error(of: line.utf8).contains("start_date: found \"\(text)\""))
  }

  @Test("a name of a million characters is refused, and shown shortened")
  func longName() {
    let message = error(of: Self.line(["first": "\"" + String(repeating: "a", count: 1_000_000) + "\""]).utf8)
    #expect(message.contains("athlete.firstname: found \"aaaa"))
    #expect(message.contains("(1000002 bytes), expected a text of at most 500 bytes"))
    #expect(message.count < 200)
    let title = Self.line(["name": "\"" + String(repeating: "a", count: 2_000_000) + "\""])
    #expect(error(of: title.utf8).contains("expected a text of at most 5000 bytes"))
  }

  @Test("names with control characters are refused, and so are two blank names")
  func badNames() {
    #expect(error(of: Self.line(["first": #""\u001b[2J""#]).utf8).contains("without control characters"))
    let blank = Self.line(["first": #"" ""#, "last": #""""#])
    #expect(error(of: blank.utf8).contains("athlete: found two blank names"))
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

@Suite("Documents that are not feeds")
struct DecodingBadFeedTests {
  @Test(
    "a document that is not a feed is refused, and the error names what it is",
    arguments: [
      ("", "page:1: found an empty feed, expected a JSON array of activities, or one activity a line."),
      (" \n ", "page:1: found an empty feed, expected a JSON array of activities, or one activity a line."),
      (
        "{}",
        "page:1: found an object without any key of an activity, expected a JSON array of activities, or one activity "
          + "a line."
      ),
      ("null", "page:1: found null, expected an activity, which is an object of JSON."),
      ("[1]", "page:1: activity 1: found 1, expected an activity, which is an object of JSON."),
      (
        "[",
        "page:1: activity 1: found the end of the feed, expected a value of JSON; the rest of the feed has not been "
          + "read."
      ),
      (
        "[,]",
        "page:1: activity 1: found ',', expected a value of JSON; the rest of the feed has not been read."
      ),
      ("[] x", "page:1: found x, expected a value of JSON."),
    ])
  func noFeeds(feed: String, message: String) {
    #expect(error(of: feed.utf8) == message)
  }

  @Test("an error object of the service is reported in its own words")
  func refusal() throws {
    let body = #"{"message":"Rate Limit Exceeded","errors":[{"resource":"Application","code":"exceeded"}]}"#
    #expect(throws: ClubError.serviceRefused(FeedLocation(source: "page", line: 1), message: "Rate Limit Exceeded")) {
      try FeedDecoder(source: "page").activities(in: body.utf8)
    }
  }

  @Test("a page that was cut off anywhere is refused, with the activity where it ends")
  func truncation() throws {
    let page = try RealPages.bytes("all_club_activities-0")
    for end in stride(from: 1, to: page.count, by: 7) {
      #expect(error(of: page[..<end]).contains("found"))
    }
    #expect(error(of: page[..<1000]).hasPrefix("page:1: activity 5: "))
    #expect(error(of: page[..<1000]).contains("the rest of the feed has not been read"))
  }

  @Test(
    "bytes that are not UTF-8 are refused with their field",
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]])
  func noUTF8(bytes: [UInt8]) {
    let line = Array(DecodingTests.line().utf8)
    let place = Array(DecodingTests.line().utf8.prefix { $0 != UInt8(ascii: "S") }).count
    let told = error(of: line[..<place] + bytes + line[place...])
    #expect(told.hasPrefix("page:1: athlete.firstname: found \"\u{FFFD}"))
    #expect(told.hasSuffix(", expected a text in quotes."))
  }

  @Test(
    "a key that is read must be there, and once",
    arguments: ["distance", "moving_time", "elapsed_time", "total_elevation_gain", "name", "athlete"])
  func keys(key: String) {
    let line = DecodingTests.line()
    let without = line.replacing("\"\(key)\":", with: "\"other\":")
    #expect(error(of: without.utf8) == "page:1: \(key): found no such key, expected the key in every activity.")
    let value = key == "athlete" ? #"{"firstname":"a","lastname":"b"}"# : key == "name" ? "\"a\"" : "1"
    let twice = line.dropLast() + ",\"\(key)\":\(value)}"
    #expect(error(of: twice.utf8) == "page:1: \(key): found the key a second time, expected the key once.")
  }

  @Test("nesting is bounded, and no nesting exhausts the stack")
  func nesting() throws {
    let nested = { (depth: Int) in
      DecodingTests.line().dropLast() + ",\"x\":" + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}"
    }
    #expect(try FeedDecoder(source: "page").activities(in: nested(63).utf8).count == 1)
    #expect(
      error(of: nested(64).utf8) == "page:1: found an array, expected at most 64 levels of objects and arrays.")
    #expect(error(of: nested(400_000).utf8).contains("at most 64 levels"))
  }

  @Test("a bad line is skipped and reported with its number, and nothing else is lost")
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
    #expect(broken.problems.last?.description.contains("the rest of the feed has not been read") == true)
  }
}

@Suite("What people give in place of a feed")
struct DecodingForeignTests {
  @Test(
    "a document of another kind is named, with what to give instead",
    arguments: [
      (
        "<!DOCTYPE html><html><head><title>Log In |\n Strava</title></head>",
        "a log-in page in HTML titled 'Log In | Strava'"
      ),
      ("\u{FEFF}<html><body>Club</body></html>", "a web page in HTML"),
      ("<?xml version=\"1.0\"?><gpx version=\"1.1\">", "a GPX recording of one activity"),
      ("<?xml version=\"1.0\"?><TrainingCenterDatabase>", "a TCX recording of one activity"),
      (#"{"id":5,"username":"x","firstname":"Tom","lastname":"B"}"#, "an athlete's profile"),
      (
        #"{"token_type":"Bearer","access_token":"s3cret"}"#,
        "an answer with access tokens, which nobody else should see"
      ),
      (#"{"id":1,"name":"Club","member_count":20}"#, "the description of a club"),
      (#"[{"membership":"member","firstname":"Tom","lastname":"B."}]"#, "a list of a club's members"),
      ("name,team,points\nTom,A,5\n", "a table with the columns name, team, points"),
    ])
  func foreign(document: String, found: String) {
    let told = error(of: document.utf8)
    #expect(told.contains("found \(found), expected "), "\(told)")
    #expect(told.contains("activities") && !told.contains("s3cret"))
  }

  @Test("a service's error has a way on")
  func advice() {
    let told = { (message: String) in error(of: #"{"message":"\#(message)","errors":[]}"#.utf8) }
    #expect(told("Resource Not Found").contains("Strava removed GET /clubs/ID/activities on 1 September 2026"))
    #expect(told("Authorization Error").contains("whose scope has activity:read"))
    #expect(told("Rate Limit Exceeded").contains("Ask again after the next quarter of an hour"))
  }
}

@Suite("Files as people keep them")
struct DecodingKeptFilesTests {
  private static let line = DecodingTests.line()
  private static let decoder = FeedDecoder(source: "feed")

  @Test("pages behind one another, objects over several lines and byte order marks are read")
  func several() throws {
    let spread = Self.line.replacing(",", with: ",\n ").replacing("{", with: "{\n ").replacing("}", with: "\n}")
    for text in [
      "[\(Self.line)]\n[\(Self.line)]", "[\(Self.line)][\(Self.line)]", "\(spread)\n\(spread)\n",
      "\u{FEFF}[\(Self.line),\(Self.line),]", "\(Self.line)\n[]\n\(Self.line)",
    ] {
      #expect(try Self.decoder.activities(in: text.utf8).count == 2, "\(text)")
    }
    let reading = Self.decoder.read("[\(Self.line)]\n[\(Self.line),\(Self.line)]".utf8)
    #expect(reading.entries.map(\.page) == [1, 2, 2] && reading.entries.map(\.location.line) == [1, 2, 2])
  }

  @Test("a line that was cut off is reported by its number, and the next one is read")
  func cutLine() {
    for length in [5, 30, 60, 120, 200] {
      let reading = Self.decoder.read("\(Self.line)\n\(Self.line.prefix(length))\n\(Self.line)\n".utf8)
      #expect(reading.entries.map(\.location.line) == [1, 3], "\(length)")
      #expect(reading.skipped.map { $0.description.prefix(7) } == ["feed:2:"], "\(length)")
    }
  }

  @Test("an activity without a climb counts without, and is reported")
  func noClimb() throws {
    let null = DecodingTests.line(["total_elevation_gain": "null"])
    let reading = Self.decoder.read("[\(Self.line),\n\(null)]".utf8)
    #expect(reading.entries.count == 2 && reading.entries[1].activity.elevation == .zero)
    #expect(reading.incompleteCount == 1 && reading.skippedCount == 0)
    #expect(
      reading.incomplete.first?.description
        == "feed:2: activity 2: total_elevation_gain: found null, expected a number of metres from 0 to 100000000.")
    #expect(throws: reading.incomplete[0]) { try Self.decoder.activities(in: "[\(Self.line),\n\(null)]".utf8) }
  }

  @Test("a hostile file is refused in linear time and constant depth")
  func hostile() {
    for text in [
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 50_000),
      String(repeating: "{\"a\":[\n1,\n", count: 500), String(repeating: "\"\n", count: 5000),
      String(repeating: "oops\n", count: 5000), String(repeating: "{\"a\":\"x\n", count: 5000),
    ] {
      let reading = Self.decoder.read(text.utf8)
      #expect(reading.entries.isEmpty && !reading.problems.isEmpty)
      #expect(reading.problems.count <= FeedLimits.problems)
    }
  }
}

@Suite("Activities written in the feed's format")
struct DecodingRoundTripTests {
  @Test("a recorded activity is written as it was recorded")
  func recorded() throws {
    let page = try RealPages.bytes("all_club_activities-0")
    let activities = try FeedDecoder(source: "page").activities(in: page)
    let first =
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"chrism","lastname":"L."},"#
      + #""name":"Title 973","distance":10399.9,"moving_time":6021,"elapsed_time":6021,"total_elevation_gain":0,"#
      + #""type":"Run","sport_type":"Run","workout_type":null}"#
    #expect(String(decoding: try #require(activities.first).json, as: UTF8.self) == first)
  }

  @Test(
    "unusual activities are read back unchanged",
    arguments: [(nil, nil), ("17", 0), ("017", 3), ("a\"b\\", 1), ("99999999999999999999", nil)] as [(String?, Int?)])
  func odd(token: String?, workoutType: Int?) throws {
    let activity = Activity(
      member: MemberIdentity(name: AthleteName(first: "José", last: ""), token: token.flatMap { AthleteToken($0) }),
      title: "\u{1} \"\\/ \u{1F3C3}\n\u{7F}", sport: Sport("EMountainBikeRide"),
      distance: try #require(Length(decimetres: Length.maxDecimetres)), movingTime: 0,
      elapsedTime: Activity.maxSeconds, elevation: try #require(Length(decimetres: 1)), workoutType: workoutType,
      start: Moment(seconds: -1))
    let back = try #require(try FeedDecoder(source: "page").activities(in: activity.json).first)
    #expect(back == activity)
    #expect(back.member.name.description == "José")
  }
}
