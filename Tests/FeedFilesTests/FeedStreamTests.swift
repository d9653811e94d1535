// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Testing

@testable import FeedFiles

@Suite("The stream and the decoder")
struct FeedStreamTests {
  /// Reads a feed both ways and compares all there is to see.
  private static func agree(_ feed: [UInt8], chunks: [Int], filter: SportFilter = .all) -> Bool {
    let slow = FeedDecoder(source: "feed").lenient(feed)
    var stream = FeedStream(source: "feed", counting: filter, isLenient: true)
    var collector = FeedCollector(source: "feed", isLenient: true)
    var position = 0
    for chunk in chunks + [feed.count] {
      let end = min(feed.count, position + chunk)
      stream.consume(feed.span.extracting(position..<end))
      collector.consume(feed.span.extracting(position..<end))
      position = end
    }
    let cut = collector.finishLeniently()
    guard cut.activities == slow.activities, cut.problems == slow.problems else { return false }
    do throws(ClubError) {
      let fast = try stream.finish()
      return fast.week == WeekTally(slow.activities, counting: filter) && fast.activities == slow.activities.count
        && fast.problems == slow.problems && fast.problemCount == slow.problems.count
    } catch {
      return slow.activities.isEmpty && slow.problems == [error]
    }
  }

  @Test("they count the same sports", arguments: [SportFilter.cycling, .all, .only([.run])])
  func sports(filter: SportFilter) throws {
    let feed = Array((SampleLines.recorded + SampleLines.unusual).joined(separator: [0x0A]))
    #expect(Self.agree(feed, chunks: [], filter: filter))
  }

  @Test("several streams that share a feed come to what one stream comes to, problems by their lines")
  func parts() throws {
    var mutator = FeedMutator(seed: 7)
    let recorded = SampleLines.recorded
    var parts: [[UInt8]] = []
    for _ in 0..<40 {
      var part: [UInt8] = []
      for _ in 0..<mutator.number(below: 30) {
        var line = mutator.pick(recorded)
        if mutator.number(below: 8) == 0 { mutator.mutate(&line) }
        part += line + [0x0A]
      }
      parts.append(part)
    }
    let whole = Array(parts.joined())
    var alone = FeedStream(source: "feed", counting: .all, isLenient: true)
    alone.consume(whole.span)
    let expected = try alone.finish()
    #expect(expected.problemCount > 10)

    var streams = (0..<3).map { _ in FeedStream(source: "feed", counting: .all, isLenient: true) }
    for (place, part) in parts.enumerated() { streams[mutator.number(below: 3)].consume(part.span, part: place) }
    let shared = try FeedStream.finish(streams)
    #expect(shared.week == expected.week)
    #expect(shared.activities == expected.activities)
    #expect(shared.problems == expected.problems)

    var strict = (0..<2).map { _ in FeedStream(source: "feed", counting: .all) }
    for (place, part) in parts.enumerated() { strict[place % 2].consume(part.span, part: place) }
    let first = try #require(expected.problems.first)
    #expect(throws: first) { try FeedStream.finish(strict) }
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

@Suite("Reading ahead by the shape of an activity")
struct ReadAheadTests {
  /// A sink that has read the first of some activities.
  private static func sink(_ first: [UInt8]) throws -> TallySink {
    var sink = TallySink(filter: .all)
    try sink.take(first.span, ending: .line)
    return sink
  }

  /// Activities, each with the bytes that part it from the next, and plain bytes behind them to look at.
  private static func feed(_ activities: [[UInt8]], parting: String) -> [UInt8] {
    activities.flatMap { Array($0 + Array(parting.utf8)) } + Array(repeating: UInt8(ascii: " "), count: 4096)
  }

  @Test("every recorded line is read ahead once the first has been read", arguments: ["\n", "\r\n"])
  func recordedLines(parting: String) throws {
    let lines = SampleLines.recorded
    let feed = Self.feed(lines, parting: parting)
    var sink = try Self.sink(lines[0])
    // A sport that has not been met is the strict parser's, too.
    let trail = try #require(lines.first { String(decoding: $0, as: UTF8.self).contains("TrailRun") })
    try sink.take(trail.span, ending: .line)
    let ahead = sink.readAhead(feed.span, from: 0, layout: .lines)
    #expect(ahead.items == lines.count)
    #expect(ahead.lines == lines.count)
    #expect(ahead.end == feed.count - 4096)
  }

  @Test("an array is read ahead over white space, to behind its last activity")
  func arrays() throws {
    let lines = SampleLines.recorded.filter { !String(decoding: $0, as: UTF8.self).contains("TrailRun") }
    var feed = Self.feed(lines, parting: " ,\n")
    feed[feed.count - 4096 - 2] = UInt8(ascii: "]")
    var sink = try Self.sink(lines[0])
    let ahead = sink.readAhead(feed.span, from: 0, layout: .array)
    #expect(ahead.items == lines.count)
    #expect(ahead.lines == lines.count - 1)
    #expect(ahead.isBehindItem)
  }

  @Test("a feed's own keys, starts and ids are part of its shape", arguments: SampleLines.unusual.prefix(1))
  func otherShapes(line: [UInt8]) throws {
    let text = String(decoding: line, as: UTF8.self)
    let other = Array(text.replacing("1234567", with: "123456789012").replacing("10.25", with: "9").utf8)
    var sink = try Self.sink(line)
    #expect(sink.readAhead(Self.feed([line, other, line], parting: "\n").span, from: 0, layout: .lines).items == 3)
  }

  @Test(
    "what a value must not be is left to the strict parser",
    arguments: [
      ("10399.9", "10399.99"), ("10399.9", "010399.9"), ("10399.9", ""), ("10399.9", "-10399.9"), ("10399.9", "1e4"),
      (":6021,", ":,"), (":6021,", ":6021.0,"), (":6021,", ":12345678,"), ("chrism", " chrism"), ("chrism", ""),
      ("chrism", "chr\\u0041"), ("chrism", "a\u{9B}"), ("chrism", "\u{A0}"), ("L.", "\u{9B}."),
      ("chrism", "aaaaaaaaaaaaaaaaa"), ("L.", "Lastname"),
      ("Title 973", "a\\n"), ("null}", "nul}"), ("null}", "1.5}"), ("null}", "1234567}"), ("\"Run\"", "\"\""),
      ("sport_type\":\"Run", "sport_type\":\"Rune"), ("}", "} "), ("{\"resource_state\":2", "{\"resource_state\":3"),
    ])
  func strangers(old: String, new: String) throws {
    let line = SampleLines.recorded[0]
    let other = Array(String(decoding: line, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
    #expect(other != line)
    var sink = try Self.sink(line)
    #expect(sink.readAhead(Self.feed([line, other], parting: "\n").span, from: 0, layout: .lines).items == 1)
  }
}

/// Damages bytes the way that feeds are damaged: some lost, doubled, swapped or turned, values replaced by unlikely
/// ones.
struct FeedMutator {
  private var state: UInt64

  init(seed: Int) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// A number from 0 to `bound - 1`, by a generator of its own (xorshift*), because a core sees no other room.
  mutating func number(below bound: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(bound, 1)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

  private static let bytes =
    Array("\"\\{}[],:.-+eEu0129 \n\r\tntf".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]

  private static let values = [
    "0", "-0", "0.0", "-0.0", "1", "007", "00", "6021.0", "6021.5", "1e3", "1E-2", "0.05", "0.04", "1.25", "12345.67",
    "9999999", "9999999.9", "99999999", "99999999.9", "100000000", "100000000.1", "999999999", "1000000000000000000",
    "1e999999999999", "0e999999999999", "-1", ".5", "5.", "+1", "NaN", "Infinity", "null", "true", "false", "{}", "[]",
    "\"\"", "\" \"", "\"\\u0041\"", "\"\\u0000\"", "\"\\ud83c\\udfc3\"", "\"\\ud83c\"", "\"é\"", "\"e\u{301}\"",
    "\"Ride\"", "\"EMountainBikeRide\"", "\"Abcdefghijklmnop\"", "\"Abcdefghijklmnopq\"", "\"Lastname\"", "\"1234567\"",
    "\"2025-10-19T15:24:36Z\"", "\"2025-02-29T15:24:36Z\"", "[[[1]]]", "{\"a\":{\"a\":1}}", "\"\u{7F}\"", "\"\u{9B}\"",
    "\"\u{A0}\"", "\"Łucjam\"", "\"Zoëëëëëëë\"", "\"Zoëëëëëëëz\"", "\"ÑÑÑa\"", "\"ÑÑÑÑ\"",
  ].map { Array($0.utf8) }

  /// Does one kind of damage.
  mutating func mutate(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = number(below: bytes.count)
    let end = min(bytes.count, place + 1 + number(below: 12))
    switch number(below: 12) {
    case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
    case 1: bytes[place] = pick(Self.bytes)
    case 2: bytes.insert(pick(Self.bytes), at: place)
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 5: bytes.swapAt(place, number(below: bytes.count))
    case 6: bytes.removeSubrange(place...)
    default: replaceValue(&bytes, behind: place)
    }
  }

  /// Puts another value behind the next colon.
  private mutating func replaceValue(_ bytes: inout [UInt8], behind place: Int) {
    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
    var end = colon + 1
    var isInText = false
    while end < bytes.count, isInText || !",}".utf8.contains(bytes[end]) {
      if bytes[end] == UInt8(ascii: "\"") { isInText.toggle() }
      end += 1
    }
    bytes.replaceSubrange(colon + 1..<end, with: pick(Self.values))
  }
}

/// Lines of feeds: the recorded ones, and what other feeds carry.
enum SampleLines {
  static let unusual = [
    #"{"resource_state":2,"athlete":{"id":1234567,"resource_state":1,"firstname":"Ann","lastname":"B."},"name":"x","#
      + #""distance":1000.0,"moving_time":100,"elapsed_time":100,"total_elevation_gain":0,"type":"Ride","#
      + #""sport_type":"GravelRide","workout_type":null,"average_speed":10.25,"start_date":"2025-10-19T15:24:36Z"}"#,
    #"{"athlete":{"lastname":"B.","firstname":"Ann","id":"ab12"},"type":"Ride","distance":1,"elapsed_time":7,"#
      + #""moving_time":6021.0,"total_elevation_gain":1e2,"name":"t","map":{"id":[1,2,{"a":null}]},"kudos_count":17}"#,
    #"{ "athlete" : { "firstname" : "Sarah " , "lastname" : "M." } , "name" : "n" , "distance" : 12.35 , "#
      + #""moving_time" : 5 , "elapsed_time" : 5 , "total_elevation_gain" : 0.0 , "sport_type" : "VirtualRide" , "#
      + #""visibility" : "everyone", "start_date" : null }"#,
    #"{"sport_type":"EMountainBikeRide","type":"EBikeRide","athlete":{"firstname":"José","lastname":"Ñ."},"name":"é","#
      + #""distance":0,"moving_time":0,"elapsed_time":0,"total_elevation_gain":0,"workout_type":10}"#,
  ].map { Array($0.utf8) }

  /// Activities as the service sent them, one of each kind that was recorded.
  static let recorded = [
    #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"chrism","lastname":"L."},"name":"Title 973","#
      + #""distance":10399.9,"moving_time":6021,"elapsed_time":6021,"total_elevation_gain":0,"#
      + #""type":"Run","sport_type":"Run","workout_type":null}"#,
    #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"O'Neilc","lastname":"|."},"#
      + #""name":"Morning Trail Run","distance":16808.0,"moving_time":6700,"#
      + #""elapsed_time":7634,"total_elevation_gain":556.0,"#
      + #""type":"Run","sport_type":"TrailRun","workout_type":null}"#,
    #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Zoëz","lastname":"A."},"name":"Lunch Run","#
      + #""distance":5085.8,"moving_time":1825,"elapsed_time":1977,"total_elevation_gain":25.4,"#
      + #""type":"Run","sport_type":"Run","workout_type":null}"#,
    #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Åseu","lastname":"L."},"name":"Morning Run","#
      + #""distance":11276.6,"moving_time":3575,"elapsed_time":3796,"total_elevation_gain":63.8,"#
      + #""type":"Run","sport_type":"Run","workout_type":null}"#,
    #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Łucjam","lastname":"T."},"name":"Title 580","#
      + #""distance":11180.5,"moving_time":5411,"elapsed_time":5482,"total_elevation_gain":84.0,"#
      + #""type":"Run","sport_type":"Run","workout_type":0}"#,
    #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"O'Neily","lastname":"W."},"name":"Morning Run","#
      + #""distance":32210.9,"moving_time":10992,"elapsed_time":11047,"total_elevation_gain":238.0,"#
      + #""type":"Run","sport_type":"Run","workout_type":2}"#,
    #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Quinnn","lastname":"D."},"name":"Lunch Run","#
      + #""distance":8060.1,"moving_time":3360,"elapsed_time":3616,"total_elevation_gain":56.9,"#
      + #""type":"Run","sport_type":"Run","workout_type":0}"#,
  ].map { Array($0.utf8) }
}
