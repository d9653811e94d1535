// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ClubCore

@Suite("Reading ahead by the shape of an activity")
struct DecodingReadAheadTests {
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
    let lines = try SampleLines.recorded()
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
    let lines = try SampleLines.recorded().filter { !String(decoding: $0, as: UTF8.self).contains("TrailRun") }
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
    let line = try SampleLines.recorded()[0]
    let other = Array(String(decoding: line, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
    #expect(other != line)
    var sink = try Self.sink(line)
    #expect(sink.readAhead(Self.feed([line, other], parting: "\n").span, from: 0, layout: .lines).items == 1)
  }
}
