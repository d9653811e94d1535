// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("The week ledger's subtle cases")
struct LedgerSubtleTests {
  static let orders = LedgerCasesTests.orders

  /// A ledger that saw nothing at 6 on Monday, and then some listings at the hours after.
  static func ledger(_ listings: [[Activity]], order: ListingOrder, whole: Bool = true) -> WeekLedger {
    var ledger = WeekLedger(order: order)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(0, 6))
    for (hour, listing) in listings.enumerated() {
      _ = ledger.observe(Sample.listing(listing, whole: whole), at: Sample.at(0, 7 + hour))
    }
    return ledger
  }

  @Test("an old commute that falls off the end while an equal one comes is one more ride", arguments: orders)
  func fallsWhileEqualComes(order: ListingOrder) {
    let others = Sample.backlog(8)
    var ledger = Self.ledger([others + [Sample.commute]], order: order, whole: false)
    let changes = ledger.observe(
      Sample.listing([Sample.commute] + others, whole: false), at: Sample.at(0, 9))
    #expect(changes.new.map(\.activity) == [Sample.commute])
    #expect(changes.fallen.map(\.activity) == [Sample.commute])
    #expect(ledger.activities(in: Sample.week).filter { $0 == Sample.commute }.count == 2)
  }

  @Test("a corrected distance is the same ride, in the midst, on top and at the end", arguments: orders, [0, 2, 4])
  func edit(order: ListingOrder, place: Int) throws {
    var listing = Sample.backlog(5)
    var ledger = Self.ledger([listing], order: order)
    let before = listing[place]
    listing[place].distance = try #require(Length(decimetres: 99_990))
    let changes = ledger.observe(Sample.listing(listing), at: Sample.at(0, 9))
    #expect(changes.new.isEmpty && changes.gone.isEmpty && changes.fallen.isEmpty)
    #expect(changes.edited.map(\.before) == [before])
    #expect(Set(ledger.activities(in: Sample.week)) == Set(listing))
  }

  @Test("what vanishes from the midst counts no longer, and once when it is back", arguments: orders)
  func vanishes(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    let all = Sample.backlog(9)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(0, 5))
    // One by one, so that the ledger knows which of them are older.
    for count in 1...9 { _ = ledger.observe(Sample.listing(Array(all.suffix(count))), at: Sample.at(0, 5 + count)) }
    var without = all
    without.remove(at: 2)
    let gone = ledger.observe(Sample.listing(without), at: Sample.at(0, 18))
    #expect(gone.gone.map(\.activity) == [all[2]])
    #expect(ledger.activities(in: Sample.week).count == 8)
    let back = ledger.observe(Sample.listing(all), at: Sample.at(0, 20))
    #expect(back.returned.map(\.activity) == [all[2]] && back.new.isEmpty)
    #expect(Set(ledger.activities(in: Sample.week)) == Set(all))
    #expect(ledger.activities(in: Sample.week).count == 9)
  }

  @Test("what falls off the end counts on", arguments: orders)
  func falls(order: ListingOrder) {
    let all = Sample.backlog(9)
    let ledger = Self.ledger([Array(all.suffix(6)), Array(all.prefix(6))], order: order, whole: false)
    #expect(ledger.activities(in: Sample.week).count == 9)
  }

  @Test("an empty answer in between loses nothing and doubles nothing", arguments: orders)
  func empty(order: ListingOrder) {
    let all = Sample.backlog(60)
    let ledger = Self.ledger([all, [], all], order: order)
    #expect(ledger.activities(in: Sample.week).count == 60)
    #expect(ledger.entries.count == 60)
  }

  @Test("a ride that is uploaded again counts once, for its own week", arguments: [ListingOrder.byStart, .byUpload])
  func uploadedAgain(order: ListingOrder) {
    var ledger = Self.ledger([[Sample.commute] + Sample.backlog(5)], order: order)
    let later = Sample.ride("Bo", 70)
    _ = ledger.observe(Sample.listing([later, Sample.commute] + Sample.backlog(5)), at: Sample.at(6, 9))
    let changes = ledger.observe(Sample.listing([Sample.commute, later] + Sample.backlog(5)), at: Sample.at(7, 9))
    #expect(changes.new.isEmpty)
    #expect(ledger.weeks == [Sample.week])
  }

  @Test("a repetition in a listing counts until a listing shows that it was none", arguments: orders)
  func repetition(order: ListingOrder) {
    let all = Sample.backlog(6)
    var ledger = Self.ledger([Array(all.suffix(5)), all], order: order)
    _ = ledger.observe(Sample.listing([all[0]] + all), at: Sample.at(0, 15))
    #expect(ledger.activities(in: Sample.week).count == 7)
    _ = ledger.observe(Sample.listing(all), at: Sample.at(0, 16))
    if case .byUploadInPages = order { return }
    #expect(ledger.activities(in: Sample.week).count == 6)
  }

  @Test("an older ride that a deletion pulls into a limited listing is not new", arguments: orders)
  func pulledIn(order: ListingOrder) {
    let all = Sample.backlog(12)
    var ledger = WeekLedger(order: order)
    _ = ledger.observe(Sample.listing(Array(all[2..<10]), whole: false), at: Sample.at(0, 6))
    _ = ledger.observe(Sample.listing(Array(all[1..<9]), whole: false), at: Sample.at(0, 7))
    let changes = ledger.observe(Sample.listing([all[0]] + all[3...9], whole: false), at: Sample.at(0, 8))
    #expect(changes.new.map(\.activity) == [all[0]], "the tenth had been seen before it fell off")
    let deeper = ledger.observe(Sample.listing([all[0]] + all[4...11], whole: false), at: Sample.at(0, 9))
    #expect(deeper.new.map(\.activity) == Array(all[10...11]))
    if order == .byStart || order == .byUpload { #expect(deeper.new.allSatisfy { $0.dating.ground == .backlog }) }
    #expect(Set(ledger.activities(in: Sample.week)).isSubset(of: Set(all.prefix(2))) || !order.provesUploads)
  }

  @Test("where nothing overlaps the ledger says that rides may have been lost", arguments: orders)
  func gap(order: ListingOrder) {
    let all = Sample.backlog(20)
    var ledger = Self.ledger([Array(all.suffix(10))], order: order, whole: false)
    let changes = ledger.observe(Sample.listing(Array(all.prefix(10)), whole: false), at: Sample.at(2, 9))
    #expect(changes.new.count == 10)
    #expect(changes.possibleLoss?.from == Sample.at(0, 7) && changes.possibleLoss?.to == Sample.at(2, 9))
  }

  @Test("a chance resemblance across many others is no overlap")
  func chance() {
    let (old, new) = (Sample.backlog(30), (0..<30).map { Sample.ride("Bo", 100 + $0, minutes: 20 + $0) })
    var ledger = Self.ledger([old + [Sample.commute]], order: .byUpload, whole: false)
    let changes = ledger.observe(Sample.listing([Sample.commute] + new, whole: false), at: Sample.at(5, 9))
    #expect(changes.new.count == 31 && changes.possibleLoss != nil)
  }

  @Test("an earlier moment than the last is refused and changes nothing")
  func clock() {
    var ledger = Self.ledger([Sample.backlog(3)], order: .byStart)
    let before = ledger
    let changes = ledger.observe(Sample.listing(Sample.backlog(9)), at: Sample.at(0, 5))
    #expect(changes.refusal == .earlierThan(Sample.at(0, 7)))
    #expect(ledger == before)
    #expect(ledger.observe(Sample.listing([]), at: Moment(milliseconds: .max)).refusal == .beyondCalendar)
    #expect(ledger == before)
  }
}
