// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("The week ledger's cases")
struct LedgerCasesTests {
  static let orders: [ListingOrder] = [.byStart, .byUpload, .byUploadInPages(of: 200)]

  @Test("pruning never changes the date of an old ride that is still listed", arguments: orders)
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
  func edit(order: ListingOrder, index: Int) throws {
    var listing = Sample.backlog(5)
    var ledger = Self.ledger([listing], order: order)
    let before = listing[index]
    listing[index].distance = try #require(Length(decimetres: 99_990))
    let changes = ledger.observe(Sample.listing(listing), at: Sample.at(0, 9))
    #expect(changes.new.isEmpty && changes.gone.isEmpty && changes.fallen.isEmpty)
    #expect(changes.edited.map(\.before) == [before])
    #expect(Set(ledger.activities(in: Sample.week)) == Set(listing))
  }

  @Test("a ride that vanishes from the middle is not counted, and counts once when it is back", arguments: orders)
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

  @Test("a ride that falls off the end still counts", arguments: orders)
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

  @Test("a repetition counts until a later listing shows that it was not one", arguments: orders)
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

  @Test("the ledger reports a possible loss if two listings do not overlap", arguments: orders)
  func gap(order: ListingOrder) {
    let all = Sample.backlog(20)
    var ledger = Self.ledger([Array(all.suffix(10))], order: order, whole: false)
    let changes = ledger.observe(Sample.listing(Array(all.prefix(10)), whole: false), at: Sample.at(2, 9))
    #expect(changes.new.count == 10)
    #expect(changes.possibleLoss?.from == Sample.at(0, 7) && changes.possibleLoss?.to == Sample.at(2, 9))
  }

  @Test("one equal ride among many different ones is no overlap")
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

@Suite("The ledger dates a ride, and states the evidence")
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

  @Test(
    "what appears below a ride of last week began last week, where places show when rides began or were uploaded",
    arguments: [ListingOrder.byStart, .byUpload])
  func lateUpload(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    let (sunday, friday, late) = (Sample.ride("Ada", 50), Sample.ride("Bo", 30), Sample.ride("Cy", 90))
    _ = ledger.observe(Sample.listing([]), at: Sample.at(-3, 8))
    _ = ledger.observe(Sample.listing([friday]), at: Sample.at(-3, 12))
    _ = ledger.observe(Sample.listing([sunday, friday]), at: Sample.at(-1, 12))
    let changes = ledger.observe(Sample.listing([sunday, late, friday]), at: Sample.at(2, 9))
    #expect(changes.new.first?.dating.week == Sample.week.previous)
    #expect(changes.new.first?.dating.latest == Sample.at(-1, 11))
    #expect(changes.new.first?.dating.ground == .position)
  }

  @Test("a start that the feed states is believed, at the first fetch too", arguments: LedgerCasesTests.orders)
  func start(order: ListingOrder) {
    var ledger = WeekLedger(order: order)
    let dated = Sample.ride("Ada", 50, start: Sample.at(-5, 9))
    let changes = ledger.observe(Sample.listing([Sample.ride("Bo", 30), dated]), at: Sample.at(2, 9))
    #expect(changes.new.last?.dating.week == Sample.week.previous)
    #expect(changes.new.last?.dating.ground == .start)
    #expect(ledger.activities(in: Sample.week.previous) == [dated])
    #expect(ledger.undated.map(\.activity) == [Sample.ride("Bo", 30)])
  }

  @Test("in the first fetch, by start, a ride between two dated rides of one week is of that week")
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

  @Test("a start that the feed states later changes the date of a ride")
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

  @Test("a ride below a guess that is a little too early is taken as uploaded at once if possible")
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

  @Test("a ride below the backlog has a week only if it can have been uploaded at once")
  func belowBacklog() {
    for (minutes, week) in [(300, Sample.week), (30, nil)] {
      var ledger = WeekLedger(order: .byStart)
      _ = ledger.observe(Sample.listing([Sample.ride("Ada", 50)]), at: Sample.at(1, 8))
      let changes = ledger.observe(
        Sample.listing([Sample.ride("Ada", 50), Sample.ride("Bo", 80, minutes: minutes)]), at: Sample.at(1, 9))
      #expect(changes.new.first?.dating.week == week)
    }
  }

  @Test("an absurd elapsed time or start does not trap", arguments: [Int.max, .min, 0, 181_983])
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

@Suite("The week ledger and pages shorter than asked for")
struct LedgerPagesTests {
  /// What the listings say, as one page of the first ones and one of the rest.
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

  @Test("a place shows nothing of starts over the seam of a short page")
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
  private static func grown(_ rides: [Activity], listing maximum: Int) -> WeekLedger {
    var ledger = WeekLedger(order: .byUploadInPages(of: 10))
    for count in 0...rides.count {
      _ = ledger.observe(
        Sample.listing(Array(rides.suffix(count).prefix(maximum))), at: Sample.at(-3, count))
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

  @Test("a ride that fell off and is back among other neighbours is the same ride", arguments: 25...29)
  func backAmongOthers(index: Int) {
    let rides = Sample.backlog(30)
    var ledger = Self.grown(rides, listing: 30)
    var fewer = rides
    let back = fewer.remove(at: index)
    _ = ledger.observe(Sample.listing(fewer), at: Sample.at(0, 7))
    fewer.insert(back, at: index - 4)
    #expect(ledger.observe(Sample.listing(fewer), at: Sample.at(0, 8)).new.isEmpty)
  }

  @Test("the pages of the last listing are kept with the ledger")
  func storage() throws {
    let (ledger, page, below) = Self.ledger(first: 20)
    var read = try LedgerStorageTests.copy(of: ledger)
    #expect(read == ledger)
    var other = ledger
    let next = Self.listing([Sample.ride("New", 77)] + page + below, first: 21)
    #expect(read.observe(next, at: Sample.at(0, 9)) == other.observe(next, at: Sample.at(0, 9)))
  }

  @Test("impossible page starts are ignored", arguments: [[-5, 0, 9_999], [7, 7, 3], [.max], [.min, 1]])
  func nonsense(starts: [Int]) throws {
    var ledger = WeekLedger(order: .byUploadInPages(of: 30))
    let rides = Sample.backlog(12)
    for hour in 6...7 {
      _ = ledger.observe(FeedListing(activities: rides, isWhole: true, pageStarts: starts), at: Sample.at(0, hour))
    }
    #expect(ledger.entries.count == 12)
    #expect(try LedgerStorageTests.copy(of: ledger) == ledger)
  }
}
