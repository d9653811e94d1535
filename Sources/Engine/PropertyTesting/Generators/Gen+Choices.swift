// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

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

  /// Values of one of several generators, some more likely than others. Counterexamples shrink towards the first.
  ///
  /// ```swift
  /// let age = Gen.oneOf(weighted: [(9, .integers(in: 18...99)), (1, .integers(in: 0...17))])
  /// ```
  ///
  /// - Parameter choices: Generators with their weights, in any unit; a generator is chosen with the probability of
  ///   its weight over their sum. Those of weight 0 or less are left out; when none is left, every case is discarded.
  /// - Returns: A generator of the values of all.
  public static func oneOf(weighted choices: [(weight: Int, generator: Gen<Value>)]) -> Gen<Value> {
    let weighted = choices.filter { $0.weight > 0 }
    guard !weighted.isEmpty else { return .impossible("oneOf(weighted:) has no generator of a weight above 0") }
    let makers = weighted.map(\.generator.make)
    let wheel = Wheel(weighted.map(\.weight))
    return Gen(span: .choice) { draws in try makers[draws.branch(wheel)](&draws) }
  }

  /// One of the elements of a collection, each equally likely. Counterexamples shrink towards the first.
  ///
  /// - Parameter elements: What to choose from; an empty one discards every case.
  /// - Returns: A generator of elements.
  public static func elements<Elements: Collection>(of elements: Elements) -> Gen<Value>
  where Elements.Element == Value, Value: Sendable {
    let elements = Array(elements)
    guard !elements.isEmpty else { return .impossible("elements(of:) has nothing to choose from") }
    let domain = TapeEntry.index(below: elements.count)
    return Gen(node: { draws in elements[Int(try draws.uniform(domain))] })
  }

  /// One of the cases of an enumeration, each equally likely. Counterexamples shrink towards the first.
  public static func cases() -> Gen<Value> where Value: CaseIterable & Sendable {
    let cases = Array(Value.allCases)
    guard !cases.isEmpty else { return .impossible("\(Value.self) has no cases to choose from") }
    return elements(of: cases)
  }

  /// No value at all: every case that asks for one is discarded.
  ///
  /// - Parameter reason: Why there is none, for people.
  /// - Returns: A generator that gives up.
  public static func impossible(_ reason: String) -> Gen<Value> {
    Gen(node: { _ in throw Discard.impossible(reason) })
  }
}

/// Weights to choose by.
struct Wheel: Sendable {
  /// For each choice the sum of its weight and all before it; rising strictly.
  private let sums: [UInt64]

  /// Adds the weights up; each must be above 0.
  init(_ weights: [Int]) {
    // A weight of 2^32 more or less than another is as good as alone, and 2^31 of them cannot overflow.
    let scale = max(1, (weights.max() ?? 1) >> 32 + 1)
    var sum: UInt64 = 0
    sums = weights.map { weight in
      sum += UInt64(max(1, weight / scale))
      return sum
    }
  }

  var count: Int { sums.count }

  /// Turns the wheel: the index of a choice.
  func turn(_ draws: inout Draws) -> Int {
    let mark = draws.below((sums.last ?? 1) - 1)
    return sums.firstIndex { mark < $0 } ?? 0
  }
}

extension Draws {
  /// Decides which of several generators draws, by their weights: the first is the simplest.
  mutating func branch(_ wheel: Wheel) throws -> Int {
    let domain = TapeEntry(tag: .branch, value: 0, lower: 0, upper: UInt64(wheel.count - 1), target: 0)
    return Int(try choose(domain) { draws in UInt64(wheel.turn(&draws)) })
  }
}

extension TapeEntry {
  /// The domain of an index below a count of at least 1, the first the simplest.
  static func index(below count: Int) -> TapeEntry {
    TapeEntry(tag: .integer, value: 0, lower: 0, upper: UInt64(count - 1), target: 0)
  }
}
