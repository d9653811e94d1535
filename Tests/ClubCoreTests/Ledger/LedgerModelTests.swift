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
    /// The entry that each ride was last taken for.
    var entryOf: [Int: LedgerEntry.ID] = [:]
    var fetches = 0
    var misaccounted = 0
    var doubled = 0
    var lost = 0
    var mostDoubled = 0
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
      outcome.fetches += 1
      if changes.new.count != places.count - changes.known { outcome.misaccounted += 1 }
      for (place, entry) in zip(places, changes.entries) {
        outcome.shown[place] = ActivityFingerprint(service.rides[place].shown(at: moment))
        outcome.entryOf[place] = entry
      }
      compare(&outcome, service, listed: Set(places), at: moment)
    }
    return outcome
  }

  /// No fingerprint counts more often than rides have shown it, nor less often than rides that are still there.
  static func compare(_ outcome: inout Outcome, _ service: SimulatedService, listed: Set<Int>, at moment: Moment) {
    var counting: [ActivityFingerprint: Int] = [:]
    for entry in outcome.ledger.entries where entry.counts {
      counting[ActivityFingerprint(entry.activity), default: 0] += 1
    }
    var (most, least): ([ActivityFingerprint: Int], [ActivityFingerprint: Int]) = ([:], [:])
    for (place, print) in outcome.shown {
      most[print, default: 0] += 1
      // What was hidden and came back past the listing's end nobody can know.
      let ride = service.rides[place]
      let wasHidden = ride.hidden.map { $0.lowerBound <= moment } ?? false
      if ride.isVisible(at: moment), listed.contains(place) || !wasHidden { least[print, default: 0] += 1 }
    }
    outcome.doubled = counting.reduce(0) { $0 + max(0, $1.value - most[$1.key, default: 0]) }
    outcome.lost = least.reduce(0) { $0 + max(0, $1.value - counting[$1.key, default: 0]) }
    (outcome.mostDoubled, outcome.mostLost) = (
      max(outcome.mostDoubled, outcome.doubled), max(outcome.mostLost, outcome.lost)
    )
  }

  @Test("no ride counts twice, and none that is still there is lost", arguments: orders)
  func noneTwice(order: ListingOrder) {
    for seed in UInt64(1)...6 {
      let service = SimulatedService(seed: seed, days: 30, perDay: 12, order: order, most: 60)
      let outcome = Self.run(service, days: 30, seed: seed)
      print("TOTAL", order, seed, outcome.shown.count, outcome.mostDoubled, outcome.mostLost)
      #expect(outcome.misaccounted == 0)
      #expect(outcome.mostDoubled == 0)
      switch order {
      case .byStart, .byUpload: #expect(outcome.mostLost == 0)
      // Within pages the places of equal rides prove less: half of the rides here are equal to others.
      case .byUploadInPages: #expect(outcome.mostLost * 50 <= outcome.shown.count)
      }
    }
  }
}
