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
    var random = SplitMix(seed: seed)
    var outcome = Outcome(ledger: WeekLedger(keeping: 20, order: service.order))
    for hour in 0..<(days * 24) where !random.happens(perMille: gaps) {
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
    for seed in UInt64(1)...2 {
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
    for seed in UInt64(1)...2 {
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
    #expect(dated > 500 && right * 1000 >= dated * 995)
  }
}

/// A small service with the truth of some weeks: what its members did, and what became of it.
struct SimulatedService {
  struct Ride {
    let start: Moment
    let uploaded: Moment
    let activity: Activity
    var renamed: Moment?
    var edited: Moment?
    var deleted: Moment?
    var hidden: Range<Moment>?

    /// Whether it was uploaded long after it ended.
    var isLate: Bool { uploaded > start.adding(seconds: activity.elapsedTime + 600) }

    func isVisible(at moment: Moment) -> Bool {
      uploaded <= moment && deleted.map { moment < $0 } ?? true && !(hidden?.contains(moment) ?? false)
    }

    func shown(at moment: Moment) -> Activity {
      var activity = activity
      if let renamed, renamed <= moment { activity.title += " (renamed)" }
      if let edited, edited <= moment {
        activity.distance = Length(decimetres: activity.distance.decimetres + 1234) ?? .zero
      }
      return activity
    }
  }

  let rides: [Ride]
  let order: ListingOrder
  /// How many activities it tells at most.
  let most: Int

  /// Weeks of rides of a few members, of which so many in a thousand are one and the same commute.
  init(seed: UInt64, days: Int, perDay: Int, order: ListingOrder, most: Int, commutes: Int = 500) {
    var random = SplitMix(seed: seed)
    var rides: [Ride] = []
    for day in -7..<days {
      for _ in 0..<perDay {
        let name = ["Ada", "Bo", "Cy", "Di", "Eve"].randomElement(using: &random) ?? ""
        var activity = Sample.ride(
          name, Int.random(in: 5...150, using: &random), minutes: Int.random(in: 10...400, using: &random))
        activity.movingTime += Int.random(in: 0..<60, using: &random)
        activity.elapsedTime = activity.movingTime + Int.random(in: 0..<60, using: &random)
        if random.happens(perMille: commutes) { activity = Sample.ride(name, 12, minutes: 30, title: "Commute") }
        let start = Sample.at(day, 0).adding(seconds: Int.random(in: 0..<86_400, using: &random))
        var delay = Int.random(in: 10..<600, using: &random)
        if random.happens(perMille: 60) { delay += Int.random(in: 0..<4 * 86_400, using: &random) }
        var ride = Ride(
          start: start, uploaded: start.adding(seconds: activity.elapsedTime + delay), activity: activity)
        func later() -> Moment { ride.uploaded.adding(seconds: Int.random(in: 0..<4 * 86_400, using: &random)) }
        if random.happens(perMille: 80) { ride.renamed = later() }
        if random.happens(perMille: 50), activity.distance.decimetres != 120_000 { ride.edited = later() }
        if random.happens(perMille: 40) { ride.deleted = later() }
        if random.happens(perMille: 40) {
          let from = later()
          ride.hidden = from..<from.adding(seconds: Int.random(in: 3600..<2 * 86_400, using: &random))
        }
        rides.append(ride)
      }
    }
    (self.rides, self.order, self.most) = (rides, order, most)
  }

  /// The places in `rides` of what it tells at a moment, in its order.
  func listing(at moment: Moment) -> [Int] {
    let visible = rides.indices.filter { rides[$0].isVisible(at: moment) }
    func later(_ key: KeyPath<Ride, Moment>) -> (Int, Int) -> Bool {
      { (rides[$0][keyPath: key], $0) > (rides[$1][keyPath: key], $1) }
    }
    switch order {
    case .byStart: return Array(visible.sorted(by: later(\.start)).prefix(most))
    case .byUpload: return Array(visible.sorted(by: later(\.uploaded)).prefix(most))
    case .byUploadInPages(let size):
      let told = visible.sorted(by: later(\.uploaded)).prefix(most)
      return stride(from: 0, to: told.count, by: size).flatMap { first in
        told[first..<min(first + size, told.count)].sorted(by: later(\.start))
      }
    }
  }
}
