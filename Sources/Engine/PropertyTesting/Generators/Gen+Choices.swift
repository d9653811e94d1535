// SPDX-License-Identifier: GPL-3.0-or-later

extension Gen {
  /// Always the same value.
  @inlinable
  public static func just(_ value: Value) -> Gen<Value> where Value: Sendable {
    Gen(node: { _ in value })
  }

  /// Values of one of several generators, each equally likely. Counterexamples shrink towards the first.
  @inlinable
  public static func oneOf(_ first: Gen<Value>, _ others: Gen<Value>...) -> Gen<Value> {
    let all = [first] + others
    return Gen(span: .choice) { draws in try all[draws.branch(all.count)].make(&draws) }
  }

  /// One of the elements of a collection, each equally likely. Counterexamples shrink towards the first.
  ///
  /// - Parameter elements: What to choose from; an empty one discards every case.
  public static func elements(of elements: [Value]) -> Gen<Value> where Value: Sendable {
    let domain = TapeEntry(tag: .integer, value: 0, lower: 0, upper: UInt64(max(1, elements.count) - 1), target: 0)
    return Gen(node: { draws in
      if elements.isEmpty { throw Discard.filtered }
      return elements[Int(try draws.uniform(domain))]
    })
  }
}
