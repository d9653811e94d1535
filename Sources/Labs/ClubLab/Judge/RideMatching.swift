// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Which rides of the truth the activities of a ledger can be: those that have the same numbers, now or before an edit.
///
/// Rides with the same numbers cannot be told apart by anybody, so they stand for each other: what is counted is how
/// many there are in which week.
struct RideMatching {
  private struct Numbers: Hashable {
    let member: MemberIdentity
    let sport: Sport
    let distance, movingTime, elapsedTime, elevation: Int

    init(_ activity: Activity) {
      (member, sport, distance) = (activity.member, activity.sport, activity.distance.decimetres)
      (movingTime, elapsedTime) = (activity.movingTime, activity.elapsedTime)
      elevation = activity.elevation.decimetres
    }
  }

  /// The rides, in groups that stand for each other.
  let groups: [[Int]]
  private let groupOf: [Numbers: Int]

  init(_ rides: [FeedRide]) {
    var parents = Array(rides.indices)
    func root(_ ride: Int) -> Int {
      var root = ride
      while parents[root] != root { root = parents[root] }
      parents[ride] = root
      return root
    }
    var first: [Numbers: Int] = [:]
    for (index, ride) in rides.enumerated() {
      for version in ride.versions {
        let numbers = Numbers(version.activity)
        if let other = first[numbers] {
          let (mine, its) = (root(index), root(other))
          parents[max(mine, its)] = min(mine, its)
        } else {
          first[numbers] = index
        }
      }
    }
    var places: [Int: Int] = [:]
    var groups: [[Int]] = []
    for index in rides.indices {
      let root = root(index)
      if let place = places[root] {
        groups[place].append(index)
      } else {
        places[root] = groups.count
        groups.append([index])
      }
    }
    self.groups = groups
    groupOf = first.mapValues { places[root($0)] ?? 0 }
  }

  /// The group of the rides that an activity can be; nil where there is no such ride.
  func group(of activity: Activity) -> Int? { groupOf[Numbers(activity)] }
}
