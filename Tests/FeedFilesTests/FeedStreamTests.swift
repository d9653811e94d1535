// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import FeedFiles
import Foundation
import Testing

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

  @Test("the stream and the decoder count the same sports", arguments: [SportFilter.cycling, .all, .only([.run])])
  func sports(filter: SportFilter) throws {
    let feed = Array((SampleLines.recorded + SampleLines.unusual).joined(separator: [0x0A]))
    #expect(Self.agree(feed, chunks: [], filter: filter))
  }

  @Test("several streams that share a feed give the result of one stream, with problems by their lines")
  func parts() throws {
    let recorded = SampleLines.recorded
    let parts = (0..<40).map { part in
      (0..<part * 7 % 30).flatMap { number in
        var line = recorded[(part + number) % recorded.count]
        if (part + number) % 8 == 0 { line.remove(at: part * 31 % line.count) }
        return line + [0x0A]
      }
    }
    var alone = FeedStream(source: "feed", counting: .all, isLenient: true)
    alone.consume(Array(parts.joined()).span)
    let expected = try alone.finish()
    #expect(expected.problemCount > 10)

    func shared(by count: Int, isLenient: Bool) throws -> FeedTally {
      var streams = (0..<count).map { _ in FeedStream(source: "feed", counting: .all, isLenient: isLenient) }
      for (place, part) in parts.enumerated() { streams[place * place % count].consume(part.span, part: place) }
      return try FeedStream.finish(streams)
    }
    let found = try shared(by: 3, isLenient: true)
    #expect(found.week == expected.week && found.activities == expected.activities)
    #expect(found.problems == expected.problems)
    let first = try #require(expected.problems.first)
    #expect(throws: first) { try shared(by: 2, isLenient: false) }
  }

  /// Compares both ways of reading feeds that consist of some lines over and over, and of others between them.
  private static func agree(_ lines: [[UInt8]], amid usual: [UInt8]) -> Bool {
    let all = Array((0..<2).map { _ in Array(repeating: usual, count: 18) + lines }.joined())
    let feeds =
      [
        all.joined(separator: [0x0A]), all.joined(separator: [0x0D, 0x0A]),
        [0x5B] + all.joined(separator: [0x2C]) + [0x5D],
        [0x5B] + all.joined(separator: [0x20, 0x2C, 0x0A]) + [0x0A, 0x5D],
      ] as [any Sequence<UInt8>]
    return feeds.allSatisfy { feed in [[], [1, 999]].allSatisfy { agree(Array(feed), chunks: $0) } }
  }

  @Test("an activity is read alike whether or not its shape was learnt before")
  func shapes() throws {
    for usual in SampleLines.recorded + SampleLines.unusual {
      #expect(Self.agree(SampleLines.recorded + SampleLines.unusual, amid: usual))
    }
    let line = SampleLines.unusual[0]
    let text = String(decoding: line, as: UTF8.self)
    let other = Array(text.replacing("1234567", with: "123456789012").replacing("10.25", with: "9").utf8)
    #expect(Self.agree([other], amid: line))
  }

  @Test(
    "an odd value is read or refused alike, whatever came before",
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
    #expect(Self.agree([other], amid: line))
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

  /// Activities as the service sent them: plain, with letters of two bytes, a workout, and another sport type.
  static let recorded: [[UInt8]] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../ClubCoreTests/Fixtures/all_club_activities-0.json")
    let lines = ((try? String(contentsOf: page, encoding: .utf8)) ?? "").trimmingCharacters(in: ["[", "]", "\n"])
      .replacing("},{", with: "}\n{").split(separator: "\n")
    return [0, 6, 15, 25, 29].map { Array(lines[$0].utf8) }
  }()
}
