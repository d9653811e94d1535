// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("The week ledger's cases")
struct LedgerCasesTests {
  static let orders: [ListingOrder] = [.byStart, .byUpload, .byUploadInPages(of: 200)]

  @Test("a second identical commute is a new ride", arguments: orders)
  func secondCommute(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    let old = Sample.backlog(5)
    _ = ledger.observe(Sample.listing(old), at: Sample.at(0, 6))
    _ = ledger.observe(Sample.listing([Sample.commute] + old), at: Sample.at(0, 9))
    let changes = ledger.observe(Sample.listing([Sample.commute, Sample.commute] + old), at: Sample.at(0, 18))
    #expect(changes.new.map(\.activity) == [Sample.commute])
    #expect(ledger.activities(in: Sample.week) == [Sample.commute, Sample.commute])
  }

  @Test("a rename is not a new ride", arguments: orders)
  func rename(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(0, 6))
    _ = ledger.observe(Sample.listing([Sample.ride("Ada", 40), Sample.ride("Bo", 30)]), at: Sample.at(0, 9))
    let named = Sample.ride("Ada", 40, title: "Over the pass")
    let changes = ledger.observe(Sample.listing([named, Sample.ride("Bo", 30)]), at: Sample.at(0, 10))
    #expect(changes.new.isEmpty && changes.edited.isEmpty)
    #expect(changes.renamed.map(\.after.activity) == [named])
    #expect(
      ledger.activities(in: Sample.week) == [Sample.ride("Bo", 30), named].sorted { $0.title > $1.title }.reversed())
  }

  @Test("a listing that is read again is not new", arguments: orders)
  func listedAgain(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    _ = ledger.observe(Sample.listing(Sample.backlog(40)), at: Sample.at(0, 6))
    let listing = Sample.listing([Sample.commute, Sample.ride("Bo", 30), Sample.commute] + Sample.backlog(40))
    _ = ledger.observe(listing, at: Sample.at(0, 9))
    let before = ledger
    let changes = ledger.observe(listing, at: Sample.at(0, 9))
    #expect(changes.isEmpty && changes.known == 43)
    #expect(ledger == before)
  }

  @Test("the first fetch puts no ride of the backlog into this week", arguments: orders)
  func firstFetch(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    let changes = ledger.observe(Sample.listing(Sample.backlog(60)), at: Sample.at(3, 12))
    #expect(changes.new.count == 60)
    #expect(ledger.activities(in: Sample.week).isEmpty && ledger.weeks.isEmpty)
    #expect(ledger.undated.count == 60)
  }

  @Test("pruning never dates an old ride anew that is still listed", arguments: orders)
  func pruning(order: ListingOrder) {
    var ledger = WeekLedger(keeping: 2, order: order)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(0, 6))
    _ = ledger.observe(Sample.listing([Sample.commute]), at: Sample.at(0, 9))
    for week in 1...9 {
      let changes = ledger.observe(Sample.listing([Sample.commute]), at: Sample.at(week * 7, 9))
      #expect(changes.isEmpty)
    }
    #expect(ledger.weeks == [Sample.week])
  }
}
