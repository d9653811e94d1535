// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// Sharing a whole out in whole units, so that what is shown adds up.
enum Apportionment {
  /// Below this some such numbers still add up without overflow.
  static let most = 1 << 58

  /// Parts in coarser units whose sum is the rounded sum of the parts: each is its exact value rounded down or up, the
  /// largest remainders up first (Hamilton's method), equal ones in their order.
  ///
  /// - Parameters:
  ///   - parts: The exact parts, of either sign.
  ///   - divisor: How many of their units make one coarser unit, one or more.
  /// - Returns: As many parts; a part of zero stays zero.
  static func rounded(_ parts: [Int], per divisor: Int) -> [Int] {
    var units = parts.map { $0.floorDivided(by: divisor) }
    let rests = zip(parts, units).map { $0 - $1 * divisor }
    let total = nearest(parts.reduce(0, +), per: divisor)
    let missing = total - units.reduce(0, +)
    let order = parts.indices.sorted { (rests[$1], $0) < (rests[$0], $1) }
    for index in order.prefix(max(0, missing)) { units[index] += 1 }
    return units
  }

  /// A whole in coarser units, halves away from zero.
  static func nearest(_ whole: Int, per divisor: Int) -> Int {
    let units = (Int(clamping: whole.magnitude) + divisor / 2) / divisor
    return whole < 0 ? -units : units
  }

  /// A product over a product, rounded to the nearest whole number, halves up; nil for products beyond 128
  /// bits, a quotient of `most` or more, and a divisor of zero.
  ///
  /// - Parameters:
  ///   - factors: Zero or more each.
  ///   - divisors: Zero or more each.
  /// - Returns: The quotient.
  static func quotient(_ factors: Int..., over divisors: Int...) -> Int? {
    func product(_ numbers: [Int]) -> UInt128? {
      numbers.reduce(UInt128(1)) { product, number in
        let (next, overflow) = (product ?? 0).multipliedReportingOverflow(by: UInt128(number.magnitude))
        return product == nil || overflow ? nil : next
      }
    }
    guard let above = product(factors), let below = product(divisors), below > 0 else { return nil }
    let (quotient, rest) = above.quotientAndRemainder(dividingBy: below)
    return quotient < UInt128(most.magnitude) ? Int(quotient) + (rest >= below - rest ? 1 : 0) : nil
  }
}
