// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("The week ledger against a service that knows the truth")
struct LedgerModelTests {
  static let orders: [ListingOrder] = [
    .byStart, .byUpload, .byUploadInPages(of: 60), .byUploadInPages(of: 25),
  ]

  /// What a ledger made of a service's listings.
  struct Outcome {
    var ledger: WeekLedger
    /// The last fingerprint that the feed showed of each ride that it ever showed.
    var shown: [Int: ActivityFingerprint] = [:]
    /// The dating that each ride was given when the feed showed it first.
    var datings: [Int: Dating] = [:]
    var misaccounted = 0
    /// How many rides counted more often than the feed has shown them, after the worst of the fetches.
    var mostDoubled = 0
    /// How many rides did not count though they are there, after the worst of the fetches.
    var mostLost = 0
  }

  /// Fetches a service every hour but for some gaps, and looks after each fetch at what counts.
  static func run(_ service: SimulatedService, days: Int, seed: UInt64, gaps: Int = 20) -> Outcome {
    var random = SplitMix(state: seed)
    var outcome = Outcome(ledger: WeekLedger(keeping: 20, order: service.order))
    for hour in 0..<(days * 24) where !random.happens(gaps) {
      let moment = Sample.at(0, hour, Int.random(in: 0..<50, using: &random))
      let places = service.listing(at: moment)
      let activities = places.map { service.rides[$0].shown(at: moment) }
      let changes = outcome.ledger.observe(Sample.listing(activities), at: moment)
      if changes.new.count != places.count - changes.known { outcome.misaccounted += 1 }
      let new = Dictionary(uniqueKeysWithValues: changes.new.map { ($0.id, $0.dating) })
      for (place, entry) in zip(places, changes.entries) {
        outcome.shown[place] = ActivityFingerprint(service.rides[place].shown(at: moment))
        if let dating = new[entry], outcome.datings[place] == nil { outcome.datings[place] = dating }
      }
      compare(&outcome, service, listed: Set(places), at: moment)
    }
    return outcome
  }

  /// No fingerprint counts for weeks more often than rides have shown it, nor at all less often than rides that are
  /// still there.
  static func compare(_ outcome: inout Outcome, _ service: SimulatedService, listed: Set<Int>, at moment: Moment) {
    var (counting, inWeeks): ([ActivityFingerprint: Int], [ActivityFingerprint: Int]) = ([:], [:])
    for entry in outcome.ledger.entries where entry.counts {
      let print = ActivityFingerprint(entry.activity)
      counting[print, default: 0] += 1
      if entry.dating.week != nil { inWeeks[print, default: 0] += 1 }
    }
    var (most, least): ([ActivityFingerprint: Int], [ActivityFingerprint: Int]) = ([:], [:])
    for (place, print) in outcome.shown {
      most[print, default: 0] += 1
      // What was hidden and came back past the listing's end nobody can know.
      let ride = service.rides[place]
      let wasHidden = ride.hidden.map { $0.lowerBound <= moment } ?? false
      if ride.isVisible(at: moment), listed.contains(place) || !wasHidden { least[print, default: 0] += 1 }
    }
    outcome.mostDoubled = max(
      outcome.mostDoubled, inWeeks.reduce(0) { $0 + max(0, $1.value - most[$1.key, default: 0]) })
    outcome.mostLost = max(
      outcome.mostLost, least.reduce(0) { $0 + max(0, $1.value - counting[$1.key, default: 0]) })
  }

  @Test("no ride counts twice, and none that is still there is lost", arguments: orders)
  func noneTwice(order: ListingOrder) {
    for seed in UInt64(1)...(order.provesUploads ? 6 : 8) {
      let service = SimulatedService(seed: seed, days: 30, perDay: 12, order: order, most: 60)
      let outcome = Self.run(service, days: 30, seed: seed)
      #expect(outcome.misaccounted == 0 && outcome.mostDoubled == 0)
      switch order {
      case .byStart, .byUpload: #expect(outcome.mostLost == 0)
      // Within pages places prove less of equal rides, and half of the rides here are equal to others.
      case .byUploadInPages: #expect(outcome.mostLost * 100 <= outcome.shown.count)
      }
    }
  }

  @Test(
    "every bound holds, and of rides that are uploaded at once at least 99.5% are in their weeks", arguments: orders)
  func datings(order: ListingOrder) {
    var (unbounded, dated, right) = (0, 0, 0)
    for seed in UInt64(1)...6 {
      let service = SimulatedService(seed: seed, days: 30, perDay: 12, order: order, most: 60, commutes: 0)
      let outcome = Self.run(service, days: 30, seed: seed, gaps: 0)
      for (place, dating) in outcome.datings {
        let ride = service.rides[place]
        if !dating.admits(ride.start) { unbounded += 1 }
        guard dating.week != nil, !ride.isLate else { continue }
        dated += 1
        right += dating.week == WeekCalendar.utc.week(of: ride.start) ? 1 : 0
      }
    }
    #expect(unbounded == 0)
    #expect(dated > 1500 && right * 1000 >= dated * 995)
  }
}
