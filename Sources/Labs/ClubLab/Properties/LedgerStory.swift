// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

/// What a club does between fetches of its feed, and what each fetch shows: everything, the newest first, without
/// dates.
struct LedgerStory: Sendable, CustomStringConvertible {
  /// What happens before a fetch.
  struct Step: Sendable {
    /// Minutes since the fetch before.
    let minutes: Int
    /// What was uploaded since, the oldest first.
    let rides: Rides
    /// Which of the activities in the feed has got another title; nil for none.
    let renamed: Int?
  }

  /// What was there before anybody looked.
  let backlog: Rides
  /// When the first fetch is, in minutes since a Monday began.
  let begin: Int
  let steps: [Step]

  var description: String {
    "\(Self.clock(begin)): \(backlog)"
      + steps.map { step in
        "; \(step.minutes) min later: +[\(step.rides)]" + (step.renamed.map { ", #\($0) renamed" } ?? "")
      }.joined()
  }

  private static func clock(_ minutes: Int) -> String {
    let day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][minutes / 1440 % 7]
    return "\(day) \(minutes / 60 % 24):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }

  /// A fetch, and what is known about the activities that it shows first.
  struct Fetch: Sendable {
    let at: Moment
    /// The moment of the fetch before; nil for the first.
    let previous: Moment?
    /// The newest first.
    let listing: [Activity]
    /// What entered since the fetch before.
    let new: [Activity]
  }

  /// The fetches in their order.
  var fetches: [Fetch] {
    // The Monday on which 2026-W47 begins.
    var now = Moment(seconds: Week(containingDay: 20_774).monday * 86_400 + begin * 60)
    var listing = Array(backlog.activities.reversed())
    var fetches = [Fetch(at: now, previous: nil, listing: listing, new: listing)]
    for (number, step) in steps.enumerated() {
      let previous = now
      now = now.adding(seconds: step.minutes * 60)
      if let renamed = step.renamed, !listing.isEmpty { listing[renamed % listing.count].title = "title \(number)" }
      listing = step.rides.activities.reversed() + listing
      fetches.append(Fetch(at: now, previous: previous, listing: listing, new: step.rides.activities))
    }
    return fetches
  }

  /// Stories of a few minutes to a few months; the simplest is one fetch of nothing.
  static func any() -> Gen<LedgerStory> {
    let minutes = Gen<Int>.oneOf(.integers(in: 1...60), .integers(in: 1...1440), .integers(in: 1...30_000))
    let step = zip(minutes, rides, Gen<Int?>.optionals(of: .integers(in: 0...5))).map(Step.init)
    return zip(rides, Gen<Int>.integers(in: 0...10_079), Gen<[Step]>.arrays(of: step, count: 0...6))
      .map(LedgerStory.init)
  }

  /// Few rides, of which some are alike.
  private static let rides: Gen<Rides> = {
    let ride = zip(Rides.plainNames, Gen<Int>.integers(in: 0...3), Gen<Int>.integers(in: 0...240)).map {
      member, kilometres, minutes in
      Activity(
        member: member, distance: Length(decimetres: kilometres * 10_000) ?? .zero, movingTime: minutes * 60,
        elapsedTime: minutes * 60)
    }
    return Gen.arrays(of: ride, count: 0...3).map(Rides.init)
  }()
}
