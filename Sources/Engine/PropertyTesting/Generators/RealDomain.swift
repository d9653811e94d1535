// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Kinds of floating-point numbers that come only when asked for.
public struct NonFinite: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Not a number.
  public static let nan = NonFinite(rawValue: 1)
  /// Both infinities.
  public static let infinity = NonFinite(rawValue: 2)
}

/// The floating-point numbers of a range, drawn as one choice: the number's place in the order of `RealOrder`.
struct RealDomain: Sendable {
  private let lower: Double
  private let upper: Double
  private let width: Double
  private let allowed: NonFinite
  /// Rounds to the numbers of the type drawn.
  private let rounded: @Sendable (Double) -> Double
  private let edges: [UInt64]
  private let entry: TapeEntry

  /// Creates the numbers of one type in a range.
  ///
  /// - Parameters:
  ///   - range: The numbers to choose from; -0 is less than 0.
  ///   - allowed: What may come besides.
  ///   - constants: Numbers that are tried more often.
  init<Real: BinaryFloatingPoint & Sendable>(_ range: ClosedRange<Real>, _ allowed: NonFinite, _ constants: [Real]) {
    let bounds = [Double(range.lowerBound), Double(range.upperBound)]
    // 0 ... -0 is a range as good as -0 ... 0.
    let isInOrder = bounds[0].isTotallyOrdered(belowOrEqualTo: bounds[1])
    (lower, upper) = isInOrder ? (bounds[0], bounds[1]) : (bounds[1], bounds[0])
    (width, self.allowed) = (upper - lower, allowed)
    rounded = { Double(Real($0)) }
    let simplest = RealOrder.place(of: Self.simplest(lower, upper))
    var last = allowed.isEmpty && upper.isFinite && lower.isFinite ? RealOrder.lastFinite : RealOrder.last
    if allowed.isEmpty && lower.bitPattern == upper.bitPattern { last = simplest }
    entry = TapeEntry(tag: .real, value: simplest, lower: simplest, upper: last, target: simplest)
    let (lower, upper) = (lower, upper)
    let ends = [range.lowerBound, range.upperBound, range.lowerBound.nextUp, range.upperBound.nextDown]
    edges = (constants + ends + Self.nasty(Real.self)).map { Double($0) }
      .filter { Self.isAllowed($0, lower, upper, allowed) }.map(RealOrder.place)
  }

  /// Decides on a number.
  func draw(_ draws: inout Draws) throws -> Double {
    let position = draws.position
    let place = try draws.choose(entry) { draws in random(&draws) }
    let number = fitted(RealOrder.number(at: place))
    if draws.isReplaying { draws.amend(position, to: RealOrder.place(of: number)) }
    return number
  }

  private static func isAllowed(_ number: Double, _ lower: Double, _ upper: Double, _ allowed: NonFinite) -> Bool {
    if number.isNaN { return allowed.contains(.nan) }
    if number.isInfinite && allowed.contains(.infinity) { return true }
    return lower.isTotallyOrdered(belowOrEqualTo: number) && number.isTotallyOrdered(belowOrEqualTo: upper)
  }

  /// The number of the domain that stands for any number: itself, its negative, or the nearest bound.
  private func fitted(_ number: Double) -> Double {
    let number = rounded(number)
    if Self.isAllowed(number, lower, upper, allowed) { return number }
    if Self.isAllowed(-number, lower, upper, allowed) { return -number }
    if number.isNaN { return RealOrder.number(at: entry.target) }
    return number.isTotallyOrdered(belowOrEqualTo: lower) ? lower : upper
  }

  /// The number of a range that comes first in the order.
  private static func simplest(_ lower: Double, _ upper: Double) -> Double {
    if lower.sign == .minus { return upper.sign == .minus ? -simplest(-upper, -lower) : 0 }
    let whole = lower.rounded(.up)
    if whole <= upper && whole < 0x1p51 { return whole }
    if lower >= 0x1p51 { return lower }
    guard lower.exponentBitPattern == upper.exponentBitPattern else {
      return Double(sign: .plus, exponentBitPattern: upper.exponentBitPattern, significandBitPattern: 0)
    }
    return shortest(lower, upper)
  }

  /// The number that needs the fewest digits, of a range within one exponent and without integers.
  private static func shortest(_ lower: Double, _ upper: Double) -> Double {
    let (low, high) = (lower.bitPattern, upper.bitPattern)
    let shared = 64 - (low ^ high).leadingZeroBitCount
    for digits in stride(from: UInt64(shared), through: 0, by: -1) {
      let unit: UInt64 = 1 << digits
      let candidate = (low + unit - 1) & ~(unit - 1)
      if candidate <= high { return Double(bitPattern: candidate) }
    }
    return lower
  }

  // MARK: Random decisions

  private func random(_ draws: inout Draws) -> UInt64 {
    let dice = draws.words.next()
    let chance = dice & 255
    let edgy = 2 * draws.mood.edges
    if chance < edgy && !edges.isEmpty { return edges[Int(draws.below(UInt64(edges.count - 1)))] }
    if chance < edgy + draws.echoes, let echo = draws.echo(of: entry, dice >> 8) {
      return RealOrder.place(of: fitted(RealOrder.number(at: echo)))
    }
    return RealOrder.place(of: fitted(number(dice >> 28, &draws)))
  }

  /// A number that is an integer, has few decimals, is anything in the range, or has any exponent.
  private func number(_ dice: UInt32, _ draws: inout Draws) -> Double {
    guard dice < 13 else { return anyExponent(&draws) }
    if width > 0x1p60 {
      guard dice < 10 else { return anyExponent(&draws) }
      let integer = Double(draws.wide() >> UInt64(11 + draws.words.below(53)))
      let magnitude = dice < 6 ? integer : (integer.truncatingRemainder(dividingBy: 0x1p24)) / 100
      return dice & 1 == 0 ? magnitude : -magnitude
    }
    let uniform = lower + draws.words.unitInterval() * width
    switch dice {
    case 0...4: return uniform.rounded()
    case 5, 6: return (uniform * 2).rounded() / 2
    case 7, 8: return (uniform * 100).rounded() / 100
    default: return uniform
    }
  }

  /// A number of the range of any order of magnitude: uniform over the representations.
  private func anyExponent(_ draws: inout Draws) -> Double {
    func ordered(_ number: Double) -> Int64 {
      number.sign == .plus ? Int64(number.bitPattern) : -1 - Int64(number.magnitude.bitPattern)
    }
    let low = ordered(lower)
    let offset = draws.below(UInt64(bitPattern: ordered(upper) &- low))
    let bits = low &+ Int64(bitPattern: offset)
    return bits >= 0 ? Double(bitPattern: UInt64(bits)) : -Double(bitPattern: UInt64(-1 - bits))
  }

  /// Numbers at which arithmetic goes wrong.
  private static func nasty<Real: BinaryFloatingPoint>(_ type: Real.Type) -> [Real] {
    let (least, normal) = (Real.leastNonzeroMagnitude, Real.leastNormalMagnitude)
    let greatest = Real.greatestFiniteMagnitude
    let precise = Real(sign: .plus, exponent: Real.Exponent(Real.significandBitCount + 1), significand: 1)
    return [
      0, -0.0, 1, -1, 0.5, 0.1, 1 / 3, least, -least, normal, -normal, normal.nextDown, Real.ulpOfOne, Real(1).nextUp,
      Real(1).nextDown, precise, precise - 1, precise.nextUp, -precise, Real.pi, 1e15, 1e16, 1e21, greatest, -greatest,
      greatest.squareRoot(), greatest / 2, Real.nan, Real.nan, Real.nan, Real.infinity, Real.infinity, -Real.infinity,
    ]
  }
}
