// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("The stream and the decoder")
struct DecodingAgreementTests {
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
    do throws(ClubError) {
      let (fast, cut) = (try stream.finish(), try collector.finish())
      return fast.week == WeekTally(slow.activities, counting: filter) && fast.activities == slow.activities.count
        && fast.problems == slow.problems && fast.problemCount == slow.problems.count
        && cut.activities == slow.activities && cut.problems == slow.problems
    } catch {
      return slow.activities.isEmpty && slow.problems == [error]
    }
  }

  @Test("they say the same of lines damaged in every way, a quarter of a million of them", arguments: 0..<8)
  func damagedLines(seed: Int) throws {
    var mutator = FeedMutator(seed: seed + 1)
    let recorded = try SampleLines.recorded()
    for _ in 0..<320 {
      // One kind of line, so that the stream learns its shape, with others among them.
      let usual = mutator.number(below: 4) == 0 ? [mutator.pick(SampleLines.unusual)] : recorded
      var feed: [UInt8] = []
      for _ in 0..<100 {
        var line = mutator.pick(mutator.number(below: 16) == 0 ? SampleLines.unusual : usual)
        for _ in 0..<max(0, mutator.number(below: 5) - 2) { mutator.mutate(&line) }
        feed += line + (mutator.number(below: 30) == 0 ? [0x0D, 0x0A] : [0x0A])
      }
      let chunks = (0..<mutator.number(below: 6)).map { _ in mutator.number(below: 9000) }
      #expect(Self.agree(feed, chunks: chunks), "seed \(seed): \(String(decoding: feed, as: UTF8.self))")
    }
  }

  @Test("they say the same of damaged arrays, however they are cut", arguments: 0..<8)
  func damagedArrays(seed: Int) throws {
    var mutator = FeedMutator(seed: seed + 100)
    let recorded = try SampleLines.recorded()
    for _ in 0..<800 {
      var feed = Array("[".utf8)
      for place in 0..<(1 + mutator.number(below: 12)) {
        if place > 0 { feed += mutator.pick([",", ",", ",\n", " , ", "\n,"]).utf8 }
        feed += mutator.pick(mutator.number(below: 16) == 0 ? SampleLines.unusual : recorded)
      }
      feed += "]".utf8
      for _ in 0..<mutator.number(below: 3) { mutator.mutate(&feed) }
      let chunks = (0..<mutator.number(below: 12)).map { _ in mutator.number(below: 700) }
      #expect(Self.agree(feed, chunks: chunks), "seed \(seed): \(String(decoding: feed, as: UTF8.self))")
    }
  }

  @Test("they count the same sports", arguments: [SportFilter.cycling, .all, .only([.run])])
  func sports(filter: SportFilter) throws {
    let feed = Array((try SampleLines.recorded() + SampleLines.unusual).joined(separator: [0x0A]))
    #expect(Self.agree(feed, chunks: [], filter: filter))
  }

  @Test("several streams that share a feed come to what one stream comes to, problems by their lines")
  func parts() throws {
    var mutator = FeedMutator(seed: 7)
    let recorded = try SampleLines.recorded()
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

  @Test("no damage to a page makes the decoder trap: a million pages", arguments: 0..<20)
  func neverTraps(seed: Int) throws {
    var mutator = FeedMutator(seed: seed + 1000)
    let lines = try SampleLines.recorded() + SampleLines.unusual
    let decoder = FeedDecoder(source: "page")
    var (accepted, refused) = (0, 0)
    for _ in 0..<50_000 {
      var page = Array("[".utf8) + mutator.pick(lines) + Array("]".utf8)
      for _ in 0...mutator.number(below: 3) { mutator.mutate(&page) }
      do throws(ClubError) {
        let activities = try decoder.activities(in: page)
        accepted += 1
        #expect(activities.allSatisfy { $0.movingTime <= Activity.mostSeconds && $0.distance.metres <= 1e8 })
      } catch {
        refused += 1
        if error.description.isEmpty { Issue.record("an error without words") }
      }
    }
    #expect(accepted > 5000)
    #expect(refused > 5000)
  }
}
