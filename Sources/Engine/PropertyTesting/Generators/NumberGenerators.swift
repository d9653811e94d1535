// SPDX-License-Identifier: Apache-2.0
internal import SeededWords

extension Gen where Value: FixedWidthInteger & Sendable {
  /// Integers of any width up to 128 bits, in a range.
  ///
  ///     Gen<Int>.integers(in: -50...50)
  ///
  /// The ends of the range, zero and its neighbours are more frequent than by chance; wide ranges give all magnitudes.
  ///
  /// The integers of a whole type, which is the default, begin small: in case n of a check they have at most 6n bits,
  /// unless they are `constants`, and from case 11 on they can be any, so that a sum overflows in a later case than the
  /// first. The integers of a smaller range are any from the first case on.
  ///
  /// - Parameters:
  ///   - range: The range of the values.
  ///   - target: The value that integers shrink towards; by default the value of the range nearest to zero.
  ///   - constants: Values of the code under test that are tried more often, such as its limits.
  /// - Returns: A generator of integers.
  @specialized(where Value == Int)
  @specialized(where Value == Int64)
  @specialized(where Value == Int32)
  @specialized(where Value == Int16)
  @specialized(where Value == Int8)
  @specialized(where Value == UInt)
  @specialized(where Value == UInt64)
  @specialized(where Value == UInt32)
  @specialized(where Value == UInt16)
  @specialized(where Value == UInt8)
  public static func integers(
    in range: ClosedRange<Value> = Value.min...Value.max, towards target: Value? = nil, constants: [Value] = []
  ) -> Gen<Value> {
    integers(in: range, towards: target, constants: constants, grows: range == Value.min...Value.max)
  }

  /// Integers that begin small if they grow.
  static func integers(
    in range: ClosedRange<Value> = Value.min...Value.max, towards target: Value? = nil, constants: [Value] = [],
    grows: Bool
  ) -> Gen<Value> {
    let simplest = min(max(target ?? 0, range.lowerBound), range.upperBound)
    guard Value.bitWidth <= 64 else { return wideIntegers(range, simplest, constants.filter(range.contains), grows) }
    let domain = ChoiceEntry(
      tag: .integer, isSigned: Value.isSigned, lower: ordered(range.lowerBound), upper: ordered(range.upperBound),
      target: ordered(simplest))
    let edges = constants.filter(range.contains).map(ordered)
    return Gen(node: { draws in unordered(try draws.integer(domain, edges: edges, grows: grows)) })
  }

  /// Integers of a half-open range, drawn and shrunk as in a closed one. An empty range discards every case.
  ///
  ///     Gen<Int>.integers(in: 0..<numbers.count)
  public static func integers(
    in range: Range<Value>, towards target: Value? = nil, constants: [Value] = []
  ) -> Gen<Value> {
    guard !range.isEmpty else { return .impossible("integers(in: \(range)) has nothing to choose from") }
    return integers(in: range.lowerBound...range.upperBound - 1, towards: target, constants: constants)
  }

  private static func wideIntegers(
    _ range: ClosedRange<Value>, _ target: Value, _ constants: [Value], _ grows: Bool
  ) -> Gen<Value> {
    let sign: UInt128 = Value.isSigned ? 1 << 127 : 0
    func ordered(_ value: Value) -> UInt128 { UInt128(truncatingIfNeeded: value) ^ sign }
    let domain = WideDomain(
      ordered(range.lowerBound)...ordered(range.upperBound), towards: ordered(target),
      constants: constants.map(ordered), grows: grows)
    return Gen(span: .tuple) { draws in Value(truncatingIfNeeded: try domain.draw(&draws) ^ sign) }
  }

  /// A value as an unsigned number, preserving the order.
  private static func ordered(_ value: Value) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: value)
    return Value.isSigned ? bits ^ 1 << 63 : bits
  }

  private static func unordered(_ value: UInt64) -> Value {
    Value(truncatingIfNeeded: Value.isSigned ? value ^ 1 << 63 : value)
  }
}

extension Gen where Value == UInt64 {
  /// Numbers that are all equally likely, without edges and repetitions, for distributions of other modules.
  package static func uniform(in range: ClosedRange<UInt64>, towards target: UInt64) -> Gen<UInt64> {
    let domain = ChoiceEntry(tag: .integer, lower: range.lowerBound, upper: range.upperBound, target: target)
    return Gen(node: { draws in try draws.uniform(domain) })
  }
}

extension Gen where Value == Bool {
  /// False and true, equally likely; false is the simpler one.
  ///
  ///     Gen.booleans()
  public static func booleans() -> Gen<Bool> {
    Gen(node: { draws in try draws.uniform(.index(below: 2)) == 1 })
  }
}

extension Gen {
  /// Closed ranges between two bounds. Counterexamples shrink towards a single number near zero.
  ///
  ///     Gen<ClosedRange<Int>>.closedRanges(in: 0...20)
  public static func closedRanges<Bound: FixedWidthInteger & Sendable>(
    in bounds: ClosedRange<Bound> = Bound.min...Bound.max
  ) -> Gen<ClosedRange<Bound>> where Value == ClosedRange<Bound> {
    let lower = Gen<Bound>.integers(in: bounds)
    return Gen<ClosedRange<Bound>>(span: .tuple) { draws in
      let low = try lower.make(&draws)
      return low...(try Gen<Bound>.integers(in: low...bounds.upperBound, towards: low).make(&draws))
    }
  }

  /// Half-open ranges between two bounds, including empty ones. Counterexamples shrink towards an empty one near zero.
  ///
  ///     Gen<Range<Int>>.ranges(in: 0...20)
  public static func ranges<Bound: FixedWidthInteger & Sendable>(
    in bounds: ClosedRange<Bound> = Bound.min...Bound.max
  ) -> Gen<Range<Bound>> where Value == Range<Bound> {
    Gen<ClosedRange<Bound>>.closedRanges(in: bounds).map(Range.init(halfOpening:))
  }
}

/// Integers of up to 128 bits in a range, drawn as two choices: the high 64 bits and the low ones.
struct WideDomain: Sendable {
  private let lower: UInt128
  private let upper: UInt128
  private let target: UInt128
  private let edges: [UInt128]
  private let high: ChoiceEntry
  private let grows: Bool

  /// The integers of a range, moved up by 2^127 for signed ones.
  init(_ range: ClosedRange<UInt128>, towards target: UInt128, constants: [UInt128], grows: Bool) {
    self.grows = grows
    (lower, upper, self.target) = (range.lowerBound, range.upperBound, target)
    let near = [target &+ 1, target &- 1, range.lowerBound &+ 1, range.upperBound &- 1].filter(range.contains)
    edges = constants + [range.lowerBound, range.upperBound, target] + near
    high = ChoiceEntry(
      tag: .integer, lower: Self.high(lower), upper: Self.high(upper), target: Self.high(target))
  }

  func draw(_ draws: inout ChoiceSource) throws -> UInt128 {
    let known = draws.isReplaying ? nil : edge(&draws)
    let top = try draws.choose(high) { draws in
      let top = known.map(Self.high) ?? randomHigh(&draws)
      // Small negative numbers are next to zero, but their high bits are one less.
      return grows ? draws.grown(top, from: top < high.target ? high.target - 1 : high.target, below: 64) : top
    }
    let low = low(above: top)
    let bottom = try draws.choose(low) { draws in
      if low.lower == low.upper { return low.lower }
      let bottom = known.map { UInt64(truncatingIfNeeded: $0) } ?? draws.randomInteger(low, edges: [])
      return grows ? draws.grown(bottom, from: low.target) : bottom
    }
    return UInt128(top) << 64 | UInt128(bottom)
  }

  private static func high(_ value: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: value >> 64) }

  /// The domain of the low bits for given high bits; the simplest value is the one nearest to the target.
  private func low(above top: UInt64) -> ChoiceEntry {
    let minimum = top == high.lower ? UInt64(truncatingIfNeeded: lower) : 0
    let maximum = top == high.upper ? UInt64(truncatingIfNeeded: upper) : .max
    var simplest = top > high.target ? minimum : maximum
    if top == high.target { simplest = UInt64(truncatingIfNeeded: target) }
    return ChoiceEntry(tag: .integer, lower: minimum, upper: maximum, target: simplest)
  }

  private func edge(_ draws: inout ChoiceSource) -> UInt128? {
    guard draws.words.next() & 255 < draws.profile.edges else { return nil }
    return edges[Int(draws.below(UInt64(edges.count - 1)))]
  }

  /// Random high bits; half of the numbers are within 64 bits of the target.
  private func randomHigh(_ draws: inout ChoiceSource) -> UInt64 {
    if high.lower == high.upper { return high.lower }
    switch draws.words.next() & 7 {
    case 0, 1: return high.target
    case 2, 3: return high.target > high.lower ? high.target - 1 : high.target
    default: return draws.randomInteger(high, edges: [])
    }
  }
}

extension Gen where Value == Double {
  /// Double-precision numbers: integers, short decimals and numbers of any magnitude, with frequent special values.
  ///
  ///     Gen.doubles(in: 0...1, allowing: .nan)
  ///
  /// Special values are the bounds and their neighbours, both zeros, subnormal numbers, the neighbours of 1, the end of
  /// the exact integers and the largest numbers. Counterexamples shrink towards 0 and towards integers, then towards
  /// few binary digits after the point, and towards positive numbers.
  ///
  /// - Parameters:
  ///   - range: The range of the numbers; all finite ones by default. -0 counts as less than 0.
  ///   - allowed: Infinities and NaN, which occur only if they are listed here or the range has infinite bounds.
  ///   - constants: Numbers of the code under test that are tried more often, such as its limits.
  /// - Returns: A generator of numbers.
  public static func doubles(
    in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude,
    allowing allowed: NonFinite = [], constants: [Double] = []
  ) -> Gen<Double> {
    let domain = RealDomain(range, allowed, constants)
    return Gen(node: { draws in try domain.draw(&draws) })
  }
}

extension Gen where Value == Float {
  /// Single-precision numbers, chosen and shrunk like those of `doubles(in:allowing:constants:)`.
  ///
  ///     Gen.floats(in: -1...1)
  public static func floats(
    in range: ClosedRange<Float> = -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude,
    allowing allowed: NonFinite = [], constants: [Float] = []
  ) -> Gen<Float> {
    let domain = RealDomain(range, allowed, constants)
    return Gen(node: { draws in Float(try domain.draw(&draws)) })
  }
}

/// Kinds of floating-point numbers that occur only on request.
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

/// The floating-point numbers of a range, drawn as one choice: the number's place in `RealOrder`.
struct RealDomain: Sendable {
  private let lower: Double
  private let upper: Double
  private let width: Double
  private let allowed: NonFinite
  /// Rounds to the numbers of the drawn type.
  private let rounded: @Sendable (Double) -> Double
  private let edges: [UInt64]
  private let entry: ChoiceEntry

  init<Real: BinaryFloatingPoint & Sendable>(_ range: ClosedRange<Real>, _ allowed: NonFinite, _ constants: [Real]) {
    let bounds = [Double(range.lowerBound), Double(range.upperBound)]
    // A range from 0 to -0 is treated like one from -0 to 0.
    let isInOrder = bounds[0].isTotallyOrdered(belowOrEqualTo: bounds[1])
    (lower, upper) = isInOrder ? (bounds[0], bounds[1]) : (bounds[1], bounds[0])
    (width, self.allowed) = (upper - lower, allowed)
    rounded = { Double(Real($0)) }
    let simplest = RealOrder.rank(of: Self.simplest(lower, upper))
    var last = allowed.isEmpty && upper.isFinite && lower.isFinite ? RealOrder.lastFinite : RealOrder.last
    if allowed.isEmpty && lower.bitPattern == upper.bitPattern { last = simplest }
    entry = ChoiceEntry(tag: .real, value: simplest, lower: simplest, upper: last, target: simplest)
    let (lower, upper) = (lower, upper)
    let ends = [range.lowerBound, range.upperBound, range.lowerBound.nextUp, range.upperBound.nextDown]
    edges = (constants + ends + Self.nasty(Real.self)).map { Double($0) }
      .filter { Self.isAllowed($0, lower, upper, allowed) }.map(RealOrder.rank)
  }

  func draw(_ draws: inout ChoiceSource) throws -> Double {
    let position = draws.position
    let rank = try draws.choose(entry) { draws in random(&draws) }
    let number = fitted(RealOrder.number(at: rank))
    if draws.isReplaying { draws.overwrite(at: position, to: RealOrder.rank(of: number)) }
    return number
  }

  private static func isAllowed(_ number: Double, _ lower: Double, _ upper: Double, _ allowed: NonFinite) -> Bool {
    if number.isNaN { return allowed.contains(.nan) }
    if number.isInfinite && allowed.contains(.infinity) { return true }
    return lower.isTotallyOrdered(belowOrEqualTo: number) && number.isTotallyOrdered(belowOrEqualTo: upper)
  }

  /// The number of the domain that replaces any number: the number itself, its negative, or the nearest bound.
  private func fitted(_ number: Double) -> Double {
    let number = rounded(number)
    if Self.isAllowed(number, lower, upper, allowed) { return number }
    if Self.isAllowed(-number, lower, upper, allowed) { return -number }
    if number.isNaN { return RealOrder.number(at: entry.target) }
    return number.isTotallyOrdered(belowOrEqualTo: lower) ? lower : upper
  }

  /// The number of a range that comes first in `RealOrder`.
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

  /// The number with the fewest digits in a range within one exponent and without integers.
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

  private func random(_ draws: inout ChoiceSource) -> UInt64 {
    let dice = draws.words.next()
    let chance = dice & 255
    let edgy = 2 * draws.profile.edges
    if chance < edgy && !edges.isEmpty { return edges[Int(draws.below(UInt64(edges.count - 1)))] }
    if chance < edgy + draws.echoes, let echo = draws.echo(of: entry, dice >> 8) {
      return RealOrder.rank(of: fitted(RealOrder.number(at: echo)))
    }
    return RealOrder.rank(of: fitted(number(dice >> 28, &draws)))
  }

  private func number(_ dice: UInt32, _ draws: inout ChoiceSource) -> Double {
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

  /// A number of the range with any magnitude: uniform over the representations.
  private func anyExponent(_ draws: inout ChoiceSource) -> Double {
    func ordered(_ number: Double) -> Int64 {
      number.sign == .plus ? Int64(number.bitPattern) : -1 - Int64(number.magnitude.bitPattern)
    }
    let low = ordered(lower)
    let offset = draws.below(UInt64(bitPattern: ordered(upper) &- low))
    let bits = low &+ Int64(bitPattern: offset)
    return bits >= 0 ? Double(bitPattern: UInt64(bits)) : -Double(bitPattern: UInt64(-1 - bits))
  }

  private static func nasty<Real: BinaryFloatingPoint>(_ type: Real.Type) -> [Real] {
    let (minimum, normal) = (Real.leastNonzeroMagnitude, Real.leastNormalMagnitude)
    let greatest = Real.greatestFiniteMagnitude
    let precise = Real(sign: .plus, exponent: Real.Exponent(Real.significandBitCount + 1), significand: 1)
    return [
      0, -0.0, 1, -1, 0.5, 0.1, 1 / 3, minimum, -minimum, normal, -normal, normal.nextDown, Real.ulpOfOne,
      Real(1).nextUp,
      Real(1).nextDown, precise, precise - 1, precise.nextUp, -precise, Real.pi, 1e15, 1e16, 1e21, greatest, -greatest,
      greatest.squareRoot(), greatest / 2, Real.nan, Real.nan, Real.nan, Real.infinity, Real.infinity, -Real.infinity,
    ]
  }
}

/// All floating-point numbers in an order from simple to complicated, as integers that shrinking can reduce.
///
/// First come the integers up to 2^51 in order, each followed by its negative: 0, -0, 1, -1, 2 and so on. All others
/// are sorted by the distance of their exponent from that of 1, and within one exponent first by their integral part
/// and then by the number of binary digits of their fraction: these digits are in reversed order, so that reducing the
/// integer removes the last digits first. Infinities and NaN come last. Source of the idea: the lexicographic encoding
/// of floats in Hypothesis (MacIver, Donaldson, "Test-case reduction via test-case generation", ECOOP 2020); the
/// exponents are ordered differently here.
enum RealOrder {
  private static let integers: UInt64 = 1 << 51
  private static let fraction: UInt64 = 1 << 52 - 1
  /// The place of infinity among the magnitudes; NaN follows it.
  private static let infinity: UInt64 = 1 << 51 + 2047 << 52

  static let last = (infinity + 1) << 1
  static let lastFinite = infinity << 1 - 1

  static func rank(of number: Double) -> UInt64 {
    if number.isNaN { return last }
    return magnitudePlace(number.magnitude) << 1 | (number.sign == .minus ? 1 : 0)
  }

  /// The number at a place; the places of integers among the other numbers represent them a second time.
  static func number(at rank: UInt64) -> Double {
    let magnitude = magnitude(at: rank >> 1)
    return rank & 1 == 0 ? magnitude : -magnitude
  }

  private static func magnitudePlace(_ magnitude: Double) -> UInt64 {
    if magnitude < 0x1p51 && magnitude == magnitude.rounded(.towardZero) { return UInt64(magnitude) }
    if magnitude.isInfinite { return infinity }
    let exponent = Int(magnitude.exponentBitPattern) - 1023
    let zigzag = UInt64(exponent >= 0 ? 2 * exponent : -2 * exponent - 1)
    return integers + zigzag << 52 + reversed(magnitude.significandBitPattern, exponent)
  }

  private static func magnitude(at rank: UInt64) -> Double {
    if rank < integers { return Double(rank) }
    if rank >= infinity { return rank == infinity ? .infinity : .nan }
    let zigzag = Int((rank - integers) >> 52)
    let exponent = zigzag & 1 == 0 ? zigzag / 2 : -(zigzag + 1) / 2
    let significand = reversed((rank - integers) & fraction, exponent)
    return Double(sign: .plus, exponentBitPattern: UInt(exponent + 1023), significandBitPattern: significand)
  }

  /// The significand with the digits after the point in reversed order; it is its own inverse.
  private static func reversed(_ significand: UInt64, _ exponent: Int) -> UInt64 {
    let digits = exponent < 0 ? 52 : max(0, 52 - exponent)
    let mask: UInt64 = 1 << UInt64(digits) - 1
    return significand & ~mask | bitsReversed(significand & mask) >> UInt64(64 - digits)
  }

  private static func bitsReversed(_ word: UInt64) -> UInt64 {
    var bits = word.byteSwapped
    bits = bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4
    bits = bits >> 2 & 0x3333_3333_3333_3333 | (bits & 0x3333_3333_3333_3333) << 2
    return bits >> 1 & 0x5555_5555_5555_5555 | (bits & 0x5555_5555_5555_5555) << 1
  }

  /// Simpler similar numbers, the simplest first, which a shrinker tries before a plain search.
  ///
  /// They are its magnitude, the integers around it, its half, its truncations to more and more digits after the point,
  /// 1.5, its fraction after 1, its digits at another exponent, and the number without runs of its digits: low digits
  /// may be the ones that are rounded wrongly.
  static func simplifications(of rank: UInt64) -> [UInt64] {
    let number = number(at: rank)
    guard number.isFinite else {
      let simpler: [Double] = [0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity]
      return simpler.map(RealOrder.rank).filter { $0 < rank }
    }
    let (magnitude, sign) = (number.magnitude, Double(signOf: number, magnitudeOf: 1))
    let whole = magnitude.rounded(.down)
    let half = (magnitude / 2).rounded(.down) * sign
    var similar = [magnitude, whole * sign, whole, (whole + 1) * sign, whole + 1, half]
    if magnitude < 0x1p51 && magnitude != whole {
      for digits in [1.0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40] {
        let scale = Double(sign: .plus, exponent: Int(digits), significand: 1)
        similar += [(magnitude * scale).rounded(.down) / scale * sign, (magnitude * scale).rounded(.up) / scale * sign]
      }
      let significand = magnitude.significandBitPattern
      similar += [1.5, magnitude - whole + 1].flatMap { [$0, $0 * sign] }
      similar += [0, -1, 1].map { Double(sign: number.sign, exponent: $0, significand: magnitude.significand) }
      similar.append(Double(bitPattern: 1.5.bitPattern | significand & (1 << 26 - 1)) * sign)
      for width in [26, 13, 6, 3, 1] as [UInt64] {
        let run: UInt64 = 1 << width - 1
        for start in stride(from: 0, to: 52, by: Int(width)) where significand & run << UInt64(start) != 0 {
          similar.append(Double(bitPattern: number.bitPattern & ~(run << UInt64(start) & fraction)))
        }
      }
    }
    return Set(similar.map(RealOrder.rank)).filter { $0 < rank }.sorted()
  }
}
