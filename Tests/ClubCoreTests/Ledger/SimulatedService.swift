// SPDX-License-Identifier: Apache-2.0
import ClubCore

/// SplitMix64, so that these tests need nothing but the core.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Whether something happens that happens so many times in a thousand.
  mutating func happens(_ perMille: Int) -> Bool { Int.random(in: 0..<1000, using: &self) < perMille }
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
    var random = SplitMix(state: seed)
    var rides: [Ride] = []
    for day in -7..<days {
      for _ in 0..<perDay {
        let name = ["Ada", "Bo", "Cy", "Di", "Eve"].randomElement(using: &random) ?? ""
        var activity = Sample.ride(
          name, Int.random(in: 5...150, using: &random), minutes: Int.random(in: 10...400, using: &random))
        activity.movingTime += Int.random(in: 0..<60, using: &random)
        activity.elapsedTime = activity.movingTime + Int.random(in: 0..<60, using: &random)
        if random.happens(commutes) { activity = Sample.ride(name, 12, minutes: 30, title: "Commute") }
        let start = Sample.at(day, 0).adding(seconds: Int.random(in: 0..<86_400, using: &random))
        var delay = Int.random(in: 10..<600, using: &random)
        if random.happens(60) { delay += Int.random(in: 0..<4 * 86_400, using: &random) }
        var ride = Ride(
          start: start, uploaded: start.adding(seconds: activity.elapsedTime + delay), activity: activity)
        func later() -> Moment { ride.uploaded.adding(seconds: Int.random(in: 0..<4 * 86_400, using: &random)) }
        if random.happens(80) { ride.renamed = later() }
        if random.happens(50), activity.distance.decimetres != 120_000 { ride.edited = later() }
        if random.happens(40) { ride.deleted = later() }
        if random.happens(40) {
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
