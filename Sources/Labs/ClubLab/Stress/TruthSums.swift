// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// What a person's activities of a week come to, summed by the generator from the truth itself: the core has no part in
/// it, so that both can be compared.
struct TruthSums: Hashable, Sendable {
  var (activities, distance, movingTime, elapsedTime, elevation) = (0, 0, 0, 0, 0)
  var (longest, speeds, timed) = (0, 0, 0)

  mutating func add(_ activity: TrueActivity) {
    activities += 1
    distance += Int(activity.distance)
    movingTime += Int(activity.movingTime)
    elapsedTime += Int(activity.elapsedTime)
    elevation += Int(activity.elevation)
    longest = max(longest, Int(activity.distance))
    if activity.movingTime > 0 {
      speeds += Int(activity.distance) * 100 / Int(activity.movingTime)
      timed += 1
    }
  }

  static func + (left: TruthSums, right: TruthSums) -> TruthSums {
    var sum = left
    sum.activities += right.activities
    sum.distance += right.distance
    sum.movingTime += right.movingTime
    sum.elapsedTime += right.elapsedTime
    sum.elevation += right.elevation
    sum.longest = max(sum.longest, right.longest)
    sum.speeds += right.speeds
    sum.timed += right.timed
    return sum
  }

  /// Whether the core came to the same.
  func agrees(with tally: MemberTally) -> Bool {
    tally.activities == activities && tally.distance == distance && tally.movingTime == movingTime
      && tally.elapsedTime == elapsedTime && tally.elevation == elevation && tally.longest == longest
      && tally.speeds == speeds && tally.timed == timed
  }
}
