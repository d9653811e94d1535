// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

extension ClubProperties {
  static let ranking = "standard competition ranking: 1, 2, 2, 4"

  static func ranks(of code: ClubOperations) -> [Property] {
    let club = Rides.any()
    let metric = Gen<Metric>.cases()
    return [
      Property(
        "club.10", "A member's rank is one more than there are members with exactly higher values", reference: ranking,
        arguments: ["rides", "metric"], club, metric
      ) { club, metric in
        let standings = code.standings(club, metric)
        let members = Set(club.activities.map(\.member)).count
        try claim(standings.count == members, "\(standings.count) members in the standings of \(members)")
        for place in standings {
          let rank = place.value.map { value in 1 + standings.count { $0.value.map { $0 > value } ?? false } }
          try claim(place.rank == rank, "\(place.name) ranks \(place.shownRank), not \(rank.map(String.init) ?? "-")")
        }
      },
      Property(
        "club.11", "The best stand first, members of one rank by name, and who has no value last",
        reference: "a stated, stable order", arguments: ["rides", "metric"], Rides.plain(), metric
      ) { club, metric in
        let standings = code.standings(club, metric)
        for (above, below) in zip(standings, standings.dropFirst()) {
          let isOrdered: Bool
          switch (above.value, below.value) {
          case (let high?, let low?): isOrdered = high > low || (high == low && above.name < below.name)
          case (nil, nil): isOrdered = above.name < below.name
          case (let high, _): isOrdered = high != nil
          }
          try claim(isOrdered, "\(above.name) stands before \(below.name)")
        }
      },
      Property(
        "club.12", "Shares sum to one where there is anything to share, and there are none otherwise",
        reference: "a share of nothing is no number", arguments: ["rides", "metric"], club, metric
      ) { club, metric in
        let standings = code.standings(club, metric)
        let shares = standings.compactMap(\.share)
        if metric == .speed || standings.allSatisfy({ $0.value == .zero }) {
          try claim(shares.isEmpty, "there are shares: \(shares)")
        } else {
          try claim(shares.count == standings.count, "\(shares.count) shares of \(standings.count) members")
          let sum = shares.reduce(0, +)
          try claim(abs(sum - 1) <= 1e-12, "they sum to \(sum)")
        }
      },
    ]
  }

  static func changes(of code: ClubOperations) -> [Property] {
    [
      Property(
        "club.13", "Adding a ride never lowers its member's rank by distance", reference: "monotony",
        arguments: ["rides", "the ride"], Rides.plain(), Rides.activity(named: Rides.plainNames)
      ) { club, ride in
        let name = ride.member.name.description
        let before = code.standings(club, .distance).first { $0.name == name }?.rank
        let after = code.standings(Rides(club.activities + [ride]), .distance).first { $0.name == name }?.rank
        try claim(after != nil, "\(name) has no rank")
        guard let before, let after else { return }
        try claim(after <= before, "\(name) falls from rank \(before) to \(after)")
      },
      Property(
        "club.14", "Distances in another unit change no rank by distance", reference: "ranks have no unit",
        arguments: ["rides", "factor"], Rides.plain(), .integers(in: 1...1000)
      ) { club, factor in
        let largest = club.activities.map(\.distance.decimetres).max() ?? 0
        let factor = min(factor, Length.mostDecimetres / max(1, largest))
        let scaled = try club.activities.map { ride in
          guard let length = Length(decimetres: ride.distance.decimetres * factor) else { throw Discard.assumption }
          return ride.with(distance: length)
        }
        let (before, after) = (code.standings(club, .distance), code.standings(Rides(scaled), .distance))
        try claim(
          before.map(\.name) == after.map(\.name) && before.map(\.rank) == after.map(\.rank),
          "the ranks are \(after.map(\.shownRank)), not \(before.map(\.shownRank))")
      },
    ]
  }

  static func trends(of code: ClubOperations) -> [Property] {
    let metric = Gen<ClubMetric>.cases()
    let week = Gen.oneOf(Rides.any(count: 0...5), Rides.round)
    return [
      Property(
        "club.15", "A week like the last is flat", reference: "a trend compares two weeks",
        arguments: ["rides", "metric"], Rides.any(), metric
      ) { club, metric in
        let trend = code.trend(Rides(club.activities.reversed()), club, metric)
        try claim(trend?.direction == .flat, "it is \(trend?.direction.rawValue ?? "nothing")")
        try claim(trend?.percentage ?? 0 == 0, "the percentage is \(trend?.percentage ?? 0)")
      },
      Property(
        "club.16", "A trend is (this - last) / last in percent, and without a last week it is new",
        reference: "the stated formula; nothing is divided by zero", arguments: ["this week", "last week", "metric"],
        week, week, metric
      ) { this, last, metric in
        let trend = code.trend(this, last, metric)
        let (now, before) = (total(of: this, metric), total(of: last, metric))
        let change = trend?.percentage.map { "\($0)%" } ?? "no percentage"
        let shown = "\(trend?.direction.rawValue ?? "nothing"), \(change)"
        guard before > 0 else {
          try claim(trend == Moved(direction: now > 0 ? .new : .flat), "\(before) to \(now) is \(shown)")
          return
        }
        let direction: Trend.Direction =
          now == 0 ? .gone : abs(now - before) * 10 <= before ? .flat : now > before ? .up : .down
        try claim(trend?.direction == direction, "\(before) to \(now) is \(shown), not \(direction)")
        let percentage = Double(now - before) / Double(before) * 100
        let difference = abs((trend?.percentage ?? .infinity) - percentage)
        try claim(difference <= 1e-9 * max(1, abs(percentage)), "\(before) to \(now) is \(shown), not \(percentage)%")
      },
    ]
  }

  /// A total of some rides, counted from the list.
  private static func total(of rides: Rides, _ metric: ClubMetric) -> Int {
    switch metric {
    case .distance: rides.activities.reduce(0) { $0 + $1.distance.decimetres }
    case .rides: rides.activities.count
    case .activeMembers: Set(rides.activities.map(\.member)).count
    case .elevation: rides.activities.reduce(0) { $0 + $1.elevation.decimetres }
    }
  }
}

extension Placed {
  /// The rank, or a dash for none.
  var shownRank: String { rank.map(String.init) ?? "-" }
}
