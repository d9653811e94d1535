// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Foundation
import TestSupport
import Testing

@Suite("A week ledger in storage")
struct LedgerStorageTests {
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

  static func bytes(of ledger: WeekLedger) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(ledger)
  }

  static func copy(of ledger: WeekLedger) throws -> WeekLedger {
    try JSONDecoder().decode(WeekLedger.self, from: bytes(of: ledger))
  }

  @Test(
    "reading what was written gives the same ledger, which goes on alike",
    arguments: [ListingOrder.byStart, .byUpload, .byUploadInPages(of: 30)])
  func roundTrip(order: ListingOrder) throws {
    var ledger = try Self.sample(order: order)
    var read = try Self.copy(of: ledger)
    #expect(read == ledger)
    let next = Sample.listing([Sample.commute] + Sample.backlog(6))
    #expect(read.observe(next, at: Sample.at(1, 1)) == ledger.observe(next, at: Sample.at(1, 1)))
    #expect(read == ledger)
    #expect(try Self.copy(of: WeekLedger()) == WeekLedger())
  }

  @Test("damaged bytes are refused or give a ledger that works, and never trap")
  func damaged() throws {
    let bytes = try Self.bytes(of: Self.sample())
    var random = SplitMix64(seed: 5)
    var refused = 0
    for _ in 0..<4000 {
      var damaged = Array(bytes)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: index)
        default: damaged.insert(contentsOf: Array("99999999999".utf8), at: index)
        }
      }
      do {
        var ledger = try JSONDecoder().decode(WeekLedger.self, from: Data(damaged))
        _ = ledger.observe(Sample.listing(Sample.backlog(3)), at: Sample.at(30, 0))
      } catch {
        refused += 1
      }
    }
    #expect(refused > 2000)
  }

  @Test(
    "numbers that are impossible in a ledger are refused",
    arguments: [
      ("\"nextID\":8", "\"nextID\":7"), ("\"nextID\":8", "\"nextID\":-8"), ("\"id\":5", "\"id\":4"),
      ("\"lastCount\":", "\"lastCount\":-"), ("\"ground\":\"backlog\"", "\"ground\":\"guess\""),
      ("\"latest\":", "\"latest\":99999"), ("\"distance\":", "\"distance\":-"), ("\"week\":\"2026", "\"week\":\"26"),
      ("Europe\\/Berlin", "Europe\\/Bielefeld"),
    ])
  func refused(part: String, replacement: String) throws {
    let text = String(decoding: try Self.bytes(of: Self.sample()), as: UTF8.self)
    let index = try #require(text.range(of: part))
    let damaged = text.replacingCharacters(in: index, with: replacement)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(WeekLedger.self, from: Data(damaged.utf8)) }
  }
}
