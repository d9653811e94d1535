// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// The causes of the difference between a week's distance and the usual one.
///
/// A week's distance is the product of the number of rides, the moving time of a ride, and the speed. The contribution
/// of each factor is the mean effect of its change over all orders in which the three factors could have changed: the
/// Shapley value (L. S. Shapley, "A Value for n-Person Games", 1953), which treats them alike and adds up to the
/// difference exactly.
public struct WeekDecomposition: Hashable, Sendable {
  /// This week's distance, in decimetres.
  public let distance: Int
  /// The usual distance: the mean of the earlier active weeks, in decimetres, rounded.
  public let usual: Int
  /// The number of earlier weeks in that mean.
  public let weeks: Int
  /// The contribution of the number of rides, in decimetres.
  public let byRides: Int
  /// The contribution of the moving time of a ride, in decimetres; of its distance if this week or all earlier ones
  /// have no moving time.
  public let byTime: Int
  /// The contribution of the speed, in decimetres.
  public let bySpeed: Int

  /// Decomposes the difference of a week; `nil` without earlier activities, and for numbers beyond 128 bits.
  init?(this: MemberTally, earlier: MemberTally, weeks: Int) {
    guard earlier.activities > 0, this.distance < Apportionment.maximum,
      let usual = Apportionment.quotient(earlier.distance, over: weeks),
      let parts = Self.parts(of: this, against: earlier, weeks, usual: usual)
    else { return nil }
    (distance, self.usual, self.weeks) = (this.distance, usual, weeks)
    (byRides, byTime, bySpeed) = (parts[0], parts[1], parts[2])
  }

  private static func parts(of this: MemberTally, against earlier: MemberTally, _ weeks: Int, usual: Int) -> [Int]? {
    let (rides, time, distance) = (this.activities, this.movingTime, this.distance)
    let (pastRides, pastTime, pastDistance) = (earlier.activities, earlier.movingTime, earlier.distance)
    guard rides > 0 else { return [-usual, 0, 0] }
    // The distance with some factors of this week and the others as usual; the names list the factors of this week.
    guard let withRides = Apportionment.quotient(rides, pastDistance, over: pastRides),
      let withLength = Apportionment.quotient(pastRides, distance, over: weeks, rides)
    else { return nil }
    guard time > 0, pastTime > 0 else {
      let halves = withRides - usual + distance - withLength
      return Apportionment.rounded([halves, 2 * (distance - usual) - halves, 0], per: 2)
    }
    guard
      let withTime = Apportionment.quotient(pastRides, time, pastDistance, over: weeks, rides, pastTime),
      let withSpeed = Apportionment.quotient(pastTime, distance, over: weeks, time),
      let withRidesAndTime = Apportionment.quotient(time, pastDistance, over: pastTime),
      let withRidesAndSpeed = Apportionment.quotient(rides, pastTime, distance, over: pastRides, time)
    else { return nil }
    func sixths(_ alone: Int, _ pairs: [(Int, Int)], _ others: Int) -> Int {
      2 * (alone - usual) + pairs.reduce(0) { $0 + $1.0 - $1.1 } + 2 * (distance - others)
    }
    return Apportionment.rounded(
      [
        sixths(withRides, [(withRidesAndTime, withTime), (withRidesAndSpeed, withSpeed)], withLength),
        sixths(withTime, [(withRidesAndTime, withRides), (withLength, withSpeed)], withRidesAndSpeed),
        sixths(withSpeed, [(withRidesAndSpeed, withRides), (withLength, withTime)], withRidesAndTime),
      ], per: 6)
  }
}

/// Divides a whole into integer parts, so that displayed parts add up.
enum Apportionment {
  /// Sums of several numbers below this cannot overflow.
  static let maximum = 1 << 58

  /// The parts in units of `divisor`, with the rounded sum of the parts as their sum: each is its exact value rounded
  /// down or up, the largest remainders up first (Hamilton's method), equal ones in their order. A part of 0 stays 0.
  static func rounded(_ parts: [Int], per divisor: Int) -> [Int] {
    var units = parts.map { $0.floorDivided(by: divisor) }
    let rests = zip(parts, units).map { $0 - $1 * divisor }
    let total = nearest(parts.reduce(0, +), per: divisor)
    let missing = total - units.reduce(0, +)
    let order = parts.indices.sorted { (rests[$1], $0) < (rests[$0], $1) }
    for index in order.prefix(max(0, missing)) { units[index] += 1 }
    return units
  }

  /// A number in units of `divisor`, halves away from zero.
  static func nearest(_ whole: Int, per divisor: Int) -> Int {
    let units = (Int(clamping: whole.magnitude) + divisor / 2) / divisor
    return whole < 0 ? -units : units
  }

  /// A product over a product, rounded to the nearest integer, halves up; `nil` for products beyond 128 bits, a
  /// quotient of `maximum` or more, and a divisor of 0.
  static func quotient(_ factors: Int..., over divisors: Int...) -> Int? {
    func product(_ numbers: [Int]) -> UInt128? {
      numbers.reduce(UInt128(1)) { product, number in
        let (next, overflow) = (product ?? 0).multipliedReportingOverflow(by: UInt128(number.magnitude))
        return product == nil || overflow ? nil : next
      }
    }
    guard let above = product(factors), let below = product(divisors), below > 0 else { return nil }
    let (quotient, rest) = above.quotientAndRemainder(dividingBy: below)
    return quotient < UInt128(maximum.magnitude) ? Int(quotient) + (rest >= below - rest ? 1 : 0) : nil
  }
}
