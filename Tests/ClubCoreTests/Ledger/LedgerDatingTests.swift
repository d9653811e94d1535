// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Into which week the ledger puts a ride, and on what ground")
struct LedgerDatingTests {
  @Test("a two hours' ride first seen at 00:20 on Monday began on Sunday", arguments: LedgerCasesTests.orders)
  func overMidnight(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(-1, 23, 20))
    let changes = ledger.observe(Sample.listing([Sample.ride("Ada", 55, minutes: 120)]), at: Sample.at(0, 0, 20))
    #expect(changes.new.first?.dating.week == Sample.week.previous)
    #expect(changes.new.first?.dating.latest == Sample.at(-1, 22, 20))
    #expect(changes.new.first?.dating.ground == .firstSeen)
  }

  @Test("a late upload that lies below a ride of last week began last week, where the listing is by start")
  func lateUpload() {
    var ledger = WeekLedger(order: .byStart)
    let (sunday, friday, late) = (Sample.ride("Ada", 50), Sample.ride("Bo", 30), Sample.ride("Cy", 90))
    _ = ledger.observe(Sample.listing([]), at: Sample.at(-3, 8))
    _ = ledger.observe(Sample.listing([friday]), at: Sample.at(-3, 12))
    _ = ledger.observe(Sample.listing([sunday, friday]), at: Sample.at(-1, 12))
    let changes = ledger.observe(Sample.listing([sunday, late, friday]), at: Sample.at(2, 9))
    #expect(changes.new.first?.dating.week == Sample.week.previous)
    #expect(changes.new.first?.dating.latest == Sample.at(-1, 11))
    #expect(changes.new.first?.dating.ground == .place)
  }

  @Test("by upload a place tells when a ride was uploaded, and so when it began at the latest")
  func shownLater() {
    var ledger = WeekLedger(order: .byUpload)
    let (sunday, friday, hidden) = (Sample.ride("Ada", 50), Sample.ride("Bo", 30), Sample.ride("Cy", 90))
    _ = ledger.observe(Sample.listing([]), at: Sample.at(-3, 8))
    _ = ledger.observe(Sample.listing([friday]), at: Sample.at(-3, 12))
    _ = ledger.observe(Sample.listing([sunday, friday]), at: Sample.at(-1, 12))
    let changes = ledger.observe(Sample.listing([sunday, hidden, friday]), at: Sample.at(2, 9))
    #expect(changes.new.first?.dating.week == Sample.week.previous)
    #expect(changes.new.first?.dating.latest == Sample.at(-1, 11))
  }

  @Test("a start that the feed tells is believed, at the first fetch too", arguments: LedgerCasesTests.orders)
  func start(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    let dated = Sample.ride("Ada", 50, start: Sample.at(-5, 9))
    let changes = ledger.observe(Sample.listing([Sample.ride("Bo", 30), dated]), at: Sample.at(2, 9))
    #expect(changes.new.last?.dating.week == Sample.week.previous)
    #expect(changes.new.last?.dating.ground == .start)
    #expect(ledger.activities(in: Sample.week.previous) == [dated])
    #expect(ledger.undated.map(\.activity) == [Sample.ride("Bo", 30)])
  }

  @Test("of the first fetch, what lies between two dated rides of one week is of that week, by start")
  func between() {
    var ledger = WeekLedger(order: .byStart)
    let listing = [
      Sample.ride("Ada", 50, start: Sample.at(1, 9)), Sample.ride("Bo", 30),
      Sample.ride("Ada", 51, start: Sample.at(0, 9)), Sample.ride("Cy", 20),
    ]
    let changes = ledger.observe(Sample.listing(listing), at: Sample.at(2, 9))
    #expect(changes.new.map(\.dating.week) == [Sample.week, Sample.week, Sample.week, nil])
    #expect(changes.new[3].dating.latest == Sample.at(0, 9) && changes.new[3].dating.earliest == nil)
  }

  @Test("a start that the feed tells later dates a ride anew")
  func learnt() {
    var ledger = WeekLedger()
    _ = ledger.observe(Sample.listing([Sample.ride("Ada", 50)]), at: Sample.at(2, 9))
    let dated = Sample.ride("Ada", 50, start: Sample.at(-2, 9))
    let changes = ledger.observe(Sample.listing([dated]), at: Sample.at(2, 10))
    #expect(changes.new.isEmpty && ledger.activities(in: Sample.week.previous) == [dated])
    _ = ledger.observe(Sample.listing([Sample.ride("Ada", 50)]), at: Sample.at(2, 11))
    #expect(ledger.activities(in: Sample.week.previous) == [dated], "what was told once is kept")
  }

  @Test("rides that came in a gap over a week's end are spread over it, where the listing has one order")
  func spread() {
    var ledger = WeekLedger(order: .byStart)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(-2, 0))
    let changes = ledger.observe(Sample.listing(Sample.backlog(8)), at: Sample.at(2, 0))
    #expect(changes.new.filter { $0.dating.week == Sample.week }.count == 4)
    #expect(changes.new.prefix(4).allSatisfy { $0.dating.week == Sample.week })
  }

  @Test("what came below a guess that is a little too early was uploaded at once if that is possible")
  func atOnce() {
    var ledger = WeekLedger(order: .byStart)
    let (sunday, monday) = (Sample.ride("Ada", 50, minutes: 60), Sample.ride("Bo", 9, minutes: 30))
    let long = Sample.ride("Cy", 90, minutes: 240)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(-1, 8))
    _ = ledger.observe(Sample.listing([sunday]), at: Sample.at(-1, 12))
    _ = ledger.observe(Sample.listing([sunday]), at: Sample.at(0, 3, 30))
    _ = ledger.observe(Sample.listing([monday, sunday]), at: Sample.at(0, 5, 30))
    let changes = ledger.observe(Sample.listing([monday, long, sunday]), at: Sample.at(0, 11, 30))
    // The middle between its neighbours is Sunday evening, but it would have been there at 5:30.
    #expect(changes.new.first?.dating.week == Sample.week)
    #expect(changes.new.first?.dating.likely == Sample.at(0, 2, 45))
  }

  @Test("what came below the backlog has a week if it can have been uploaded at once, and none otherwise")
  func belowBacklog() {
    for (minutes, week) in [(300, Sample.week), (30, nil)] {
      var ledger = WeekLedger(order: .byStart)
      _ = ledger.observe(Sample.listing([Sample.ride("Ada", 50)]), at: Sample.at(1, 8))
      let changes = ledger.observe(
        Sample.listing([Sample.ride("Ada", 50), Sample.ride("Bo", 80, minutes: minutes)]), at: Sample.at(1, 9))
      #expect(changes.new.first?.dating.week == week)
    }
  }

  @Test("an absurd elapsed time or start dates without a trap", arguments: [Int.max, .min, 0, 181_983])
  func absurd(seconds: Int) {
    var ledger = WeekLedger()
    var ride = Sample.ride("Ada", 4)
    ride.elapsedTime = seconds
    var other = ride
    other.start = Moment(milliseconds: seconds)
    _ = ledger.observe(Sample.listing([]), at: Sample.at(0, 6))
    let changes = ledger.observe(Sample.listing([ride, other]), at: Sample.at(0, 7))
    #expect(changes.new.count == 2)
  }
}
