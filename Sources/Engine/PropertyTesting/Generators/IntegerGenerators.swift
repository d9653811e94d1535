// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

extension Gen where Value: FixedWidthInteger & Sendable {
  /// Integers of any width up to 128 bits, in a range.
  ///
  /// Edges of the range, zero and its neighbours come more often than chance; wide ranges give small and huge values.
  ///
  /// - Parameters:
  ///   - range: The values to choose from.
  ///   - target: What the integers shrink towards; the value of the range nearest to zero when nothing is said.
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
    let simplest = min(max(target ?? 0, range.lowerBound), range.upperBound)
    guard Value.bitWidth <= 64 else { return wideIntegers(range, simplest, constants.filter(range.contains)) }
    let domain = domain(range, towards: simplest)
    let edges = constants.filter(range.contains).map(ordered)
    return Gen(node: { draws in unordered(try draws.integer(domain, edges: edges)) })
  }

  static func domain(_ range: ClosedRange<Value>, towards simplest: Value) -> TapeEntry {
    TapeEntry(
      tag: .integer, value: 0, lower: ordered(range.lowerBound), upper: ordered(range.upperBound),
      target: ordered(simplest), isSigned: Value.isSigned)
  }

  private static func wideIntegers(_ range: ClosedRange<Value>, _ target: Value, _ constants: [Value]) -> Gen<Value> {
    let sign: UInt128 = Value.isSigned ? 1 << 127 : 0
    func ordered(_ value: Value) -> UInt128 { UInt128(truncatingIfNeeded: value) ^ sign }
    let domain = WideDomain(
      ordered(range.lowerBound)...ordered(range.upperBound), towards: ordered(target), constants: constants.map(ordered)
    )
    return Gen(span: .tuple) { draws in Value(truncatingIfNeeded: try domain.draw(&draws) ^ sign) }
  }

  /// A value as an unsigned number in the same order.
  private static func ordered(_ value: Value) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: value)
    return Value.isSigned ? bits ^ 1 << 63 : bits
  }

  static func unordered(_ value: UInt64) -> Value {
    Value(truncatingIfNeeded: Value.isSigned ? value ^ 1 << 63 : value)
  }
}

extension Gen where Value == Bool {
  /// False and true, equally often; false is the simpler.
  public static func booleans() -> Gen<Bool> {
    let domain = TapeEntry(tag: .integer, value: 0, lower: 0, upper: 1, target: 0)
    return Gen(node: { draws in try draws.uniform(domain) == 1 })
  }
}

extension Gen {
  /// Closed ranges between two bounds. Counterexamples shrink towards a single number near zero.
  ///
  /// - Parameter bounds: What the ranges may span.
  /// - Returns: A generator of ranges.
  public static func closedRanges<Bound: FixedWidthInteger & Sendable>(
    in bounds: ClosedRange<Bound> = Bound.min...Bound.max
  ) -> Gen<ClosedRange<Bound>> where Value == ClosedRange<Bound> {
    let lower = Gen<Bound>.integers(in: bounds)
    return Gen<ClosedRange<Bound>>(span: .tuple) { draws in
      let low = try lower.make(&draws)
      let rest = low...bounds.upperBound
      if Bound.bitWidth > 64 { return low...(try Gen<Bound>.integers(in: rest, towards: low).make(&draws)) }
      return low...Gen<Bound>.unordered(try draws.integer(Gen<Bound>.domain(rest, towards: low)))
    }
  }

  /// Half-open ranges between two bounds, empty ones among them. Counterexamples shrink towards an empty one near zero.
  ///
  /// - Parameter bounds: What the ranges may span; their upper bounds may be the last of it.
  /// - Returns: A generator of ranges.
  public static func ranges<Bound: FixedWidthInteger & Sendable>(
    in bounds: ClosedRange<Bound> = Bound.min...Bound.max
  ) -> Gen<Range<Bound>> where Value == Range<Bound> {
    Gen<ClosedRange<Bound>>.closedRanges(in: bounds).map { $0.lowerBound..<$0.upperBound }
  }
}

/// Integers of up to 128 bits in a range, drawn as two choices: the high 64 bits and the low ones.
struct WideDomain: Sendable {
  private let lower: UInt128
  private let upper: UInt128
  private let target: UInt128
  private let edges: [UInt128]
  private let high: TapeEntry

  /// Creates the integers of a range, moved up by 2^127 when they are signed.
  init(_ range: ClosedRange<UInt128>, towards target: UInt128, constants: [UInt128]) {
    (lower, upper, self.target) = (range.lowerBound, range.upperBound, target)
    let near = [target &+ 1, target &- 1, range.lowerBound &+ 1, range.upperBound &- 1].filter(range.contains)
    edges = constants + [range.lowerBound, range.upperBound, target] + near
    high = TapeEntry(
      tag: .integer, value: 0, lower: Self.high(lower), upper: Self.high(upper), target: Self.high(target))
  }

  func draw(_ draws: inout Draws) throws -> UInt128 {
    let known = draws.isReplaying ? nil : edge(&draws)
    let top = try draws.choose(high) { draws in known.map(Self.high) ?? randomHigh(&draws) }
    let low = low(above: top)
    let bottom = try draws.choose(low) { draws in
      if low.lower == low.upper { return low.lower }
      return known.map { UInt64(truncatingIfNeeded: $0) } ?? draws.randomInteger(low, edges: [])
    }
    return UInt128(top) << 64 | UInt128(bottom)
  }

  private static func high(_ value: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: value >> 64) }

  /// Which low bits go with the high ones: the simplest are those nearest to the target.
  private func low(above top: UInt64) -> TapeEntry {
    let least = top == high.lower ? UInt64(truncatingIfNeeded: lower) : 0
    let most = top == high.upper ? UInt64(truncatingIfNeeded: upper) : .max
    var simplest = top > high.target ? least : most
    if top == high.target { simplest = UInt64(truncatingIfNeeded: target) }
    return TapeEntry(tag: .integer, value: 0, lower: least, upper: most, target: simplest)
  }

  private func edge(_ draws: inout Draws) -> UInt128? {
    guard draws.words.next() & 255 < draws.profile.edges else { return nil }
    return edges[Int(draws.below(UInt64(edges.count - 1)))]
  }

  /// High bits that leave half of the numbers within 64 bits of the target.
  private func randomHigh(_ draws: inout Draws) -> UInt64 {
    if high.lower == high.upper { return high.lower }
    switch draws.words.next() & 7 {
    case 0, 1: return high.target
    case 2, 3: return high.target > high.lower ? high.target - 1 : high.target
    default: return draws.randomInteger(high, edges: [])
    }
  }
}
