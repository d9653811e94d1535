// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("The week ledger and pages shorter than asked for")
struct LedgerPagesTests {
  /// What the listings say, as one page of the first so many and one of the rest.
  private static func listing(_ activities: [Activity], first: Int) -> FeedListing {
    FeedListing(activities: activities, isWhole: true, pageStarts: first < activities.count ? [0, first] : [0])
  }

  /// A ledger that knows two commutes: one above the seam of a short page and one below it.
  private static func ledger(first: Int) -> (ledger: WeekLedger, page: [Activity], below: [Activity]) {
    var ledger = WeekLedger(order: .byUploadInPages(of: 30))
    let rides = Sample.backlog(40)
    let (page, below) = (Array(rides.prefix(first - 1)) + [Sample.commute], [Sample.commute] + rides.suffix(12))
    _ = ledger.observe(Sample.listing([]), at: Sample.at(0, 5))
    _ = ledger.observe(listing(page + below, first: first), at: Sample.at(0, 6))
    return (ledger, page, below)
  }

  @Test("a ride pushed over the seam of a short page is no new one", arguments: [10, 20, 25])
  func pushed(first: Int) {
    var (ledger, page, below) = Self.ledger(first: first)
    let pushed = page.remove(at: 3)
    let new = Sample.ride("New", 77)
    let changes = ledger.observe(
      Self.listing([new] + page + [below[0], below[1], pushed] + below.dropFirst(2), first: first),
      at: Sample.at(0, 7))
    #expect(changes.new.map(\.activity) == [new])
    #expect(changes.gone.isEmpty && changes.edited.isEmpty)
    #expect(ledger.activities(in: Sample.week).count { $0 == Sample.commute } == 2)
  }

  @Test("a place tells nothing of starts over the seam of a short page")
  func seam() {
    var (ledger, page, below) = Self.ledger(first: 20)
    // Uploaded late, and so on top of what was uploaded before, but the last of its page by its start.
    let late = Sample.ride("Late", 90)
    let pushed = page.removeFirst()
    let changes = ledger.observe(
      Self.listing(page + [late, pushed] + below, first: 20), at: Sample.at(1, 7))
    #expect(changes.new.map(\.activity) == [late])
    #expect(changes.new.first?.dating.earliest == nil)
  }

  /// A ledger of pages of ten that saw these rides come one by one, the last first.
  private static func grown(_ rides: [Activity], listing most: Int) -> WeekLedger {
    var ledger = WeekLedger(order: .byUploadInPages(of: 10))
    for count in 0...rides.count {
      _ = ledger.observe(
        Sample.listing(Array(rides.suffix(count).prefix(most))), at: Sample.at(-3, count))
    }
    return ledger
  }

  @Test("a deletion on top while an equal ride comes back at the end pulls up, and nothing that is pulled up is new")
  func pulledUp() {
    var rides = Sample.backlog(30)
    rides[2] = Sample.commute
    rides.append(Sample.commute)
    var ledger = Self.grown(rides, listing: 30)
    rides.remove(at: 2)
    let changes = ledger.observe(Sample.listing(rides), at: Sample.at(0, 7))
    #expect(changes.new.isEmpty)
    #expect(Set(changes.entries).count == 30)
  }

  @Test("what fell off and is back among others than it had is the same ride", arguments: 25...29)
  func backAmongOthers(place: Int) {
    let rides = Sample.backlog(30)
    var ledger = Self.grown(rides, listing: 30)
    var fewer = rides
    let back = fewer.remove(at: place)
    _ = ledger.observe(Sample.listing(fewer), at: Sample.at(0, 7))
    fewer.insert(back, at: place - 4)
    #expect(ledger.observe(Sample.listing(fewer), at: Sample.at(0, 8)).new.isEmpty)
  }

  @Test("the pages of the last listing are part of the ledger's text")
  func text() throws {
    let (ledger, page, below) = Self.ledger(first: 20)
    var read = try WeekLedger(decoding: ledger.encoded, source: "ledger")
    #expect(read == ledger)
    var other = ledger
    let next = Self.listing([Sample.ride("New", 77)] + page + below, first: 21)
    #expect(read.observe(next, at: Sample.at(0, 9)) == other.observe(next, at: Sample.at(0, 9)))
    let wrong = String(decoding: ledger.encoded, as: UTF8.self)
      .replacing("\"pages\":[0,20]", with: "\"pages\":[20,0]")
    #expect(throws: ClubError.self) { try WeekLedger(decoding: Array(wrong.utf8), source: "ledger") }
  }

  @Test("page starts of no sense are left aside", arguments: [[-5, 0, 9_999], [7, 7, 3], [.max], [.min, 1]])
  func nonsense(starts: [Int]) throws {
    var ledger = WeekLedger(order: .byUploadInPages(of: 30))
    let rides = Sample.backlog(12)
    for hour in 6...7 {
      _ = ledger.observe(FeedListing(activities: rides, isWhole: true, pageStarts: starts), at: Sample.at(0, hour))
    }
    #expect(ledger.entries.count == 12)
    #expect(try WeekLedger(decoding: ledger.encoded, source: "ledger") == ledger)
  }
}
