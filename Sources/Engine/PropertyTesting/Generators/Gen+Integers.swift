// SPDX-License-Identifier: GPL-3.0-or-later

extension Gen where Value: FixedWidthInteger & Sendable {
  /// Integers of any width up to 128 bits, in a range.
  ///
  /// Edges of the range, zero and its neighbours come more often than chance; wide ranges give small and huge values.
  ///
  /// - Parameters:
  ///   - range: The values to choose from.
  ///   - target: What the integers shrink towards; the value of the range nearest to zero when nothing is said.
  ///   - constants: Values of the code on trial that are tried more often, such as its limits.
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

  /// The choice of an integer of at most 64 bits.
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

  /// The value that has a place in the order.
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
