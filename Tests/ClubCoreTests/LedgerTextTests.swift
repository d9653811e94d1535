// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Foundation
import Testing

@Suite("A week ledger as text")
struct LedgerTextTests {
  static func sample(order: ListingOrder = .byStart) throws -> WeekLedger {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    var ledger = WeekLedger(calendar: WeekCalendar(timeZone: zone), keeping: 5, order: order)
    let token = try #require(AthleteToken("a/7"))
    var odd = Sample.ride("Åse\u{301} \"Q\"", 33, title: "a\n\u{0}b / \u{1F3C3}")
    odd.member = MemberIdentity(name: odd.member.name, token: token)
    odd.workoutType = 10
    let listing = Sample.backlog(6)
    _ = ledger.observe(Sample.listing(listing), at: Sample.at(0, 6))
    _ = ledger.observe(
      Sample.listing([odd, Sample.ride("Bo", 9, start: Sample.at(0, 7))] + listing), at: Sample.at(0, 9))
    _ = ledger.observe(Sample.listing([odd] + listing.prefix(5), whole: false), at: Sample.at(0, 10))
    return ledger
  }

  @Test(
    "reading what was written gives the same ledger, and writing that the same bytes",
    arguments: [ListingOrder.byStart, .byUpload, .byUploadInPages(of: 30)])
  func roundTrip(order: ListingOrder) throws {
    let ledger = try Self.sample(order: order)
    let bytes = ledger.encoded
    var read = try WeekLedger(decoding: bytes, source: "ledger")
    #expect(read == ledger)
    #expect(read.encoded == bytes)
    var other = ledger
    let next = Sample.listing([Sample.commute] + Sample.backlog(6))
    #expect(read.observe(next, at: Sample.at(1, 1)) == other.observe(next, at: Sample.at(1, 1)))
    #expect(read.encoded == other.encoded)
    let fresh = WeekLedger()
    #expect(try WeekLedger(decoding: fresh.encoded, source: "ledger") == fresh)
  }

  @Test("a file that is cut off anywhere is refused")
  func cut() throws {
    let bytes = try Self.sample().encoded
    for count in 0..<bytes.count {
      #expect(throws: ClubError.self) { try WeekLedger(decoding: Array(bytes.prefix(count)), source: "ledger") }
    }
  }

  @Test("a damaged file is refused, or it is a ledger's text still; it never traps")
  func damaged() throws {
    let bytes = try Self.sample().encoded
    var random = SplitMix(seed: 5)
    var refused = 0
    for _ in 0..<4000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: place)
        default: damaged.insert(UInt8(ascii: "9"), at: place)
        }
      }
      do {
        var ledger = try WeekLedger(decoding: damaged, source: "ledger")
        #expect(ledger.encoded == damaged)
        _ = ledger.observe(Sample.listing(Sample.backlog(3)), at: Sample.at(30, 0))
      } catch {
        refused += 1
      }
    }
    #expect(refused > 2000)
  }

  @Test(
    "what is wrong is told with its line and key",
    arguments: [
      ("\"ledger\":1", "\"ledger\":2", "ledger:1: ledger: found version 2, expected version 1."),
      (
        "\"order\":\"start\"", "\"order\":\"best\"",
        "ledger:1: order: found 'best', expected 'start', 'upload', or 'upload in pages' with `page` of 1 or more."
      ),
      (
        "\"ground\":\"backlog\"", "\"ground\":\"guess\"",
        "ledger:2: ground: found 'guess', expected one of start, firstSeen, place, backlog."
      ),
      ("\"latest\":", "\"latest\":99", "milliseconds since 1970-01-01 of the years 1 to 9999"),
      ("\"id\":5", "\"id\":4", "a number below 8 that no other entry has"),
      ("\"sport\":\"Ride\",", "", "ledger:2: sport: found nothing, expected a value."),
      ("\"moving\":", "\"moved\":1,\"moving\":", "the line as a ledger writes it, without anything else."),
    ])
  func told(part: String, replacement: String, message: String) throws {
    let text = String(decoding: try Self.sample().encoded, as: UTF8.self)
    let place = try #require(text.range(of: part))
    let damaged = text.replacingCharacters(in: place, with: replacement)
    let error = #expect(throws: ClubError.self) {
      try WeekLedger(decoding: Array(damaged.utf8), source: "ledger")
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
