// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Foundation
import Testing

@Suite("Pages that shift while they are read")
struct ShiftingPagesTests {
  private func counts(_ activities: [Activity]) -> [ActivityFingerprint: Int] {
    activities.reduce(into: [:]) { $0[ActivityFingerprint($1), default: 0] += 1 }
  }

  @Test("an upload between two requests makes no duplicate at the seam")
  func upload() {
    var service = ShiftingService(Sample.backlog(70))
    service.changes[2] = { $0.insert(Sample.ride("New", 3), at: 0) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities == service.listing)
    #expect(fetch.report.shifts == 1)
  }

  @Test("a deletion between two requests loses nothing")
  func deletion() {
    var service = ShiftingService(Sample.backlog(70))
    service.changes[2] = { $0.remove(at: 4) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities == service.listing)
  }

  @Test("a deletion on a page read long before loses nothing")
  func deletionFarAbove() {
    var service = ShiftingService(Sample.backlog(130))
    service.changes[4] = { $0.remove(at: 4) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let listing = fetch.listing(&service)
    #expect(listing.map { counts($0.activities) } == counts(service.listing))
    #expect(fetch.report.restarts == 1)
  }

  @Test("what is pushed over a seam leaves the page above it, and pages begin where they are")
  func pageStarts() {
    var service = ShiftingService(Sample.backlog(100))
    service.changes[4] = { $0.insert(Sample.ride("New", 3), at: 0) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let listing = fetch.listing(&service)
    // The second page gained the first one's last, and the third is read as it is now.
    #expect(listing?.activities == Array(service.listing.dropFirst()))
    #expect(listing?.pageStarts == [0, 29, 59, 89])
  }

  @Test("true twins on both sides of a seam both survive")
  func twins() {
    var rides = Sample.backlog(28)
    rides += Array(repeating: Sample.commute, count: 4) + [Sample.ride("Zoe", 7)]
    var service = ShiftingService(rides)
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities == rides)
    #expect(fetch.report.shifts == 0)
  }

  @Test("twins at a seam are told from a twin that an upload pushed over it")
  func twinsAndUpload() {
    var service = ShiftingService(Sample.backlog(29) + [Sample.commute, Sample.commute, Sample.ride("Zoe", 7)])
    service.changes[2] = { $0.insert(Sample.ride("New", 3), at: 0) }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities == service.listing)
  }

  @Test("a listing that never holds still comes without duplicates and is not called whole")
  func neverStill() throws {
    var service = ShiftingService(Sample.backlog(40))
    for number in 1...60 { service.changes[number] = { $0.insert(Sample.ride("New", number), at: 0) } }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let fetched = fetch.listing(&service)
    let listing = try #require(fetched)
    #expect(!listing.isWhole)
    #expect(fetch.report.unprovedSeams > 0)
    #expect(counts(listing.activities).values.allSatisfy { $0 == 1 })
  }

  @Test("a rename between two requests is no shift")
  func rename() {
    var service = ShiftingService(Sample.backlog(45))
    service.changes[3] = { $0[2].title = "Renamed" }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    #expect(fetch.listing(&service)?.activities.count == 45)
    #expect(fetch.report.shifts == 0)
  }

  @Test("the recorded pages, fetched 50 s apart, have every activity once")
  func recorded() throws {
    // Of the first page's activities four moved to the second between both fetches, not those at its end.
    let names = ["club_activities-0", "all_club_activities-1", "all_club_activities-0"]
    let pages = try names.map { name in
      let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
      return try FeedDecoder(source: name).activities(in: Data(contentsOf: url))
    }
    var service = ShiftingService([])
    for (number, page) in [(1, 0), (2, 1), (3, 2), (4, 1), (5, 2), (7, 1)] {
      service.faults[number] = ShiftingService.page(pages[page])
    }
    var fetch = FeedFetch(FetchPlan(perPage: 30))
    let fetched = fetch.listing(&service)
    let listing = try #require(fetched)
    #expect(listing.isWhole)
    let isJoined = listing.activities == pages[2] + pages[1]
    #expect(isJoined)
    #expect(fetch.report.shifts == 1)
    #expect(service.requests.map(\.page) == [1, 2, 1, 2, 1, 3, 2])
  }

  /// What may happen to a listing between two requests.
  enum Change {
    case upload, lateUpload, deletion
  }

  /// Fetches while the listing changes.
  ///
  /// - Returns: Fingerprints counted more often than they ever were there at once, and those lost that always were.
  private func fetch(
    _ plan: FetchPlan, amid changes: [Change], calm: Int, seed: Int
  ) throws -> (doubled: Int, lost: Int, report: FetchReport) {
    var numbers = TestNumbers(seed: seed)
    var service = ShiftingService(Sample.backlog(Int.random(in: 0...160, using: &numbers)))
    var stayed = counts(service.listing)
    var (most, fetch, now, serial) = (stayed, FeedFetch(plan), Sample.monday, 0)
    for _ in 0..<5000 {
      switch fetch.next(at: now) {
      case .send(let request):
        while !numbers.happens(calm) {
          serial += 1
          let place = Int.random(in: 0...service.listing.count, using: &numbers)
          switch changes.randomElement(using: &numbers) {
          case .upload: service.listing.insert(Sample.ride("New", serial), at: 0)
          case .lateUpload: service.listing.insert(Sample.ride("Late", serial), at: place)
          default: if place < service.listing.count { service.listing.remove(at: place) }
          }
          let present = counts(service.listing)
          stayed = stayed.filter { present[$0.key] != nil }
          most.merge(present) { max($0, $1) }
        }
        let reply = service.answer(request)
        fetch.received(numbers.happens(10) ? ShiftingService.status(500) : reply, to: request, at: now)
      case .wait(let moment): now = moment
      case .done(let listing):
        let found = counts(listing.activities)
        return (
          found.count { $0.value > most[$0.key] ?? 0 }, stayed.keys.count { found[$0] == nil }, fetch.report
        )
      case let end: throw Ended(step: end)
      }
    }
    throw Ended(step: .wait(until: now))
  }

  private struct Ended: Error {
    let step: FeedFetch.Step
  }

  @Test(
    "while the listing only grows, or only shrinks, nothing is counted twice, and at proved seams nothing is lost",
    arguments: [[Change.upload], [.upload, .lateUpload], [.deletion]])
  func oneWay(changes: [Change]) throws {
    var unproved = 0
    for seed in 0..<60 {
      let plan = FetchPlan(perPage: 30)
      let result = try fetch(plan, amid: changes, calm: 40 + seed, seed: seed)
      #expect(result.doubled == 0)
      unproved += result.report.unprovedSeams
      if result.report.unprovedSeams == 0 { #expect(result.lost == 0) }
    }
    // The proof is not won by giving up.
    #expect(unproved < 60)
  }

  @Test("while the listing grows and shrinks, nothing is counted twice", arguments: 0..<100)
  func bothWays(seed: Int) throws {
    let result = try fetch(
      FetchPlan(perPage: 30), amid: [.upload, .lateUpload, .deletion], calm: 90, seed: seed)
    #expect(result.doubled == 0)
  }
}
