// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

extension Gen {
  /// Values that contain values of their own kind, such as trees and expressions: never deeper or larger than allowed.
  ///
  /// ```swift
  /// let digit = Gen<Int>.integers(in: 0...9).map(Expression.number)
  /// let expression = Gen.recursive(digit, depth: 4) { smaller in
  ///   zip(smaller, smaller).map(Expression.sum)
  /// }
  /// ```
  ///
  /// Counterexamples shrink towards leaves, and a part of one is replaced by a part of that part where it can be.
  ///
  /// - Parameters:
  ///   - leaf: Makes the values that contain no others.
  ///   - depth: How many times a value may contain another; none for 0 and less.
  ///   - growth: How many values that contain others there may be in all.
  ///   - grow: Makes a generator of larger values from one of smaller ones; it is called once for every depth, now.
  /// - Returns: A generator of values of at most that depth.
  public static func recursive(
    _ leaf: Gen<Value>, depth: Int = 5, growth: Int = 100, _ grow: (Gen<Value>) throws -> Gen<Value>
  ) rethrows -> Gen<Value> {
    var smaller = Gen(span: .recursion) { draws in
      // A leaf too says that it is one, so that it can stand where a larger value stood.
      _ = try draws.grows(false)
      return try leaf.make(&draws)
    }
    for _ in 0..<max(0, depth) {
      let larger = try grow(smaller)
      smaller = Gen(span: .recursion) { draws in
        guard try draws.grows(draws.growthLeft > 0) else { return try leaf.make(&draws) }
        draws.growthLeft -= 1
        return try larger.make(&draws)
      }
    }
    let make = smaller.make
    return Gen(node: { draws in
      let outer = draws.growthLeft
      draws.growthLeft = max(0, growth)
      defer { draws.growthLeft = outer }
      return try make(&draws)
    })
  }
}

extension Draws {
  /// Decides whether a recursive value contains others, where it may.
  fileprivate mutating func grows(_ isAllowed: Bool) throws -> Bool {
    let domain = TapeEntry(tag: .branch, value: 0, lower: 0, upper: isAllowed ? 1 : 0, target: 0)
    // With two parts each, three in four grow to as many leaves as two to the power of half the depth.
    return try choose(domain) { draws in isAllowed && draws.words.next() & 3 != 0 ? 1 : 0 } == 1
  }
}
