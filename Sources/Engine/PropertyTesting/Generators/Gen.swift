// SPDX-License-Identifier: Apache-2.0
internal import SeededWords

/// A generator of values from recorded choices.
///
/// A generator is a value: combine it with `map`, `flatMap`, `filter` and `zip`, or write one as a closure that draws
/// from others. Every generated value can be shrunk and replayed, because both operate on its choices.
///
/// ```swift
/// let dice = Gen.arrays(of: .integers(in: 1...6), count: 1...5)
/// let pair = Gen { draws in
///   let low = try draws.draw(.integers(in: 0...100))
///   return low...(try draws.draw(.integers(in: low...100)))
/// }
/// ```
public struct Gen<Value>: Sendable {
  /// Writes at most one choice or one span, so that elements are separated without marks.
  @usableFromInline
  let make: @Sendable (inout ChoiceSource) throws -> Value

  /// Wraps a closure that is known to write at most one choice or one span.
  // Disfavoured, so that `Gen { draws in … }` means the public initialiser under `@testable import` too.
  @inlinable
  @_disfavoredOverload
  init(node make: @escaping @Sendable (inout ChoiceSource) throws -> Value) {
    self.make = make
  }

  /// Creates a generator from a closure.
  ///
  /// - Parameter body: Draws from other generators by `draws.draw(_:)` and returns a value. All its randomness must
  ///   come from `draws`. Errors other than `Discard` fail the property.
  @inlinable
  public init(_ body: @escaping @Sendable (inout ChoiceSource) throws -> Value) {
    self.init(span: .custom, body)
  }

  @inlinable
  init(span kind: SpanKind, _ body: @escaping @Sendable (inout ChoiceSource) throws -> Value) {
    let label = kind.label(Value.self)
    self.init(node: { draws in
      try draws.open(label)
      let value = try body(&draws)
      try draws.close()
      return value
    })
  }

  /// The values transformed by a function that draws nothing.
  ///
  ///     Gen<Int>.integers(in: 1...9).map { String($0) }
  @inlinable
  public func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Gen<Other> {
    let make = make
    return Gen<Other>(node: { draws in try transform(make(&draws)) })
  }

  /// Draws a value, and then a value of the generator that it selects.
  ///
  ///     Gen<Int>.integers(in: 1...9).flatMap { Gen.arrays(of: .booleans(), count: $0) }
  ///
  /// Both shrink: when the first value changes, the choices of the second are kept as far as possible.
  @inlinable
  public func flatMap<Other>(_ next: @escaping @Sendable (Value) throws -> Gen<Other>) -> Gen<Other> {
    let make = make
    return Gen<Other>(span: .bind) { draws in try next(make(&draws)).make(&draws) }
  }

  /// The values that satisfy a condition.
  ///
  ///     Gen<Int>.integers(in: 0...99).filter { $0 % 3 == 1 }
  ///
  /// The whole case is discarded after `attempts` consecutive values that do not.
  @inlinable
  public func filter(attempts: Int = 100, _ condition: @escaping @Sendable (Value) throws -> Bool) -> Gen<Value> {
    let make = make
    return Gen(node: { draws in
      for attempt in 0..<attempts {
        if attempt == attempts / 2 { draws.endGrowth() }
        let checkpoint = draws.checkpoint
        let value = try make(&draws)
        if try condition(value) { return value }
        try draws.rewind(to: checkpoint)
      }
      throw Discard.filtered
    })
  }
}

extension Gen {
  /// The same values, preceded by given ones: cases that must be tried.
  ///
  ///     Gen.arrays(of: Gen<Int>.integers()).given([], [3, 3])
  ///
  /// ```swift
  /// let report = try search(Gen.arrays(of: Gen<Int>.integers()).given([], [3, 3])) { numbers in
  ///   try require(Set(numbers).count == numbers.count, "a number is repeated")
  /// }
  /// ```
  ///
  /// The first case has the first given value of each generator, the next one the second, and so on, before all random
  /// cases. A failing one shrinks like any other if choices that generate it are found, as they are for numbers, texts,
  /// alternatives and combinations of these; otherwise it is reported unchanged.
  ///
  /// - Parameter values: The values, in the order of the cases.
  /// - Returns: A generator of the same values.
  public func given(_ values: Value...) -> Gen<Value> where Value: Sendable {
    if values.isEmpty { return self }
    let make = make
    return Gen(span: .given) { draws in
      let position = try draws.given(of: values.count)
      return position > 0 ? values[position - 1] : try make(&draws)
    }
  }
}

extension ChoiceSource {
  /// Draws a value.
  ///
  ///     Gen { draws in try draws.draw(Gen<Int>.integers(in: 0...9)) + 1 }
  @inlinable
  public mutating func draw<Value>(_ generator: Gen<Value>) throws -> Value {
    try generator.make(&self)
  }
}

/// The origin of a span. Spans of one kind with values of one type can replace each other.
@usableFromInline
enum SpanKind: UInt64, Sendable {
  case custom = 1
  case bind
  case tuple
  case collection
  case choice
  case recursion
  case root
  /// Words for a generator of another library.
  case words
  case given
  /// A draw in the body of a property.
  case body

  /// The kind combined with the type, valid only within this process.
  @usableFromInline
  func label<Value>(_ type: Value.Type) -> UInt64 {
    rawValue << 56 ^ UInt64(UInt(bitPattern: ObjectIdentifier(type)))
  }
}

/// Tuples whose parts are drawn one after another.
///
///     zip(Gen<Int>.integers(in: 0...9), .booleans(), .strings())
@inlinable
public func zip<each Part>(_ parts: repeat Gen<each Part>) -> Gen<(repeat each Part)> {
  Gen<(repeat each Part)>(span: .tuple) { draws in (repeat try (each parts).make(&draws)) }
}

// The same for the usual numbers of parts. A parameter pack that is not specialised, as in debug builds, looks up the
// type of every part for every case, which takes most of the time of a case.

/// 2 parts, drawn one after the other.
@inlinable
public func zip<A, B>(_ a: Gen<A>, _ b: Gen<B>) -> Gen<(A, B)> {
  let (a, b) = (a.make, b.make)
  return Gen<(A, B)>(span: .tuple) { draws in try (a(&draws), b(&draws)) }
}

/// 3 parts, drawn one after the other.
@inlinable
public func zip<A, B, C>(_ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>) -> Gen<(A, B, C)> {
  let (a, b, c) = (a.make, b.make, c.make)
  return Gen<(A, B, C)>(span: .tuple) { draws in try (a(&draws), b(&draws), c(&draws)) }
}

/// 4 parts, drawn one after the other.
@inlinable
public func zip<A, B, C, D>(_ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>) -> Gen<(A, B, C, D)> {
  let (a, b, c, d) = (a.make, b.make, c.make, d.make)
  return Gen<(A, B, C, D)>(span: .tuple) { draws in try (a(&draws), b(&draws), c(&draws), d(&draws)) }
}

/// 5 parts, drawn one after the other.
@inlinable
public func zip<A, B, C, D, E>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>
) -> Gen<(A, B, C, D, E)> {
  let (a, b, c, d, e) = (a.make, b.make, c.make, d.make, e.make)
  return Gen<(A, B, C, D, E)>(span: .tuple) { draws in try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws)) }
}

/// 6 parts, drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>
) -> Gen<(A, B, C, D, E, F)> {
  let (a, b, c, d, e, f) = (a.make, b.make, c.make, d.make, e.make, f.make)
  return Gen<(A, B, C, D, E, F)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws))
  }
}

/// 7 parts, drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F, G>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>, _ g: Gen<G>
) -> Gen<(A, B, C, D, E, F, G)> {
  let (a, b, c, d, e, f, g) = (a.make, b.make, c.make, d.make, e.make, f.make, g.make)
  return Gen<(A, B, C, D, E, F, G)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws), g(&draws))
  }
}

/// 8 parts, drawn one after the other.
@inlinable
public func zip<A, B, C, D, E, F, G, H>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ e: Gen<E>, _ f: Gen<F>, _ g: Gen<G>, _ h: Gen<H>
) -> Gen<(A, B, C, D, E, F, G, H)> {
  let (a, b, c, d, e, f, g, h) = (a.make, b.make, c.make, d.make, e.make, f.make, g.make, h.make)
  return Gen<(A, B, C, D, E, F, G, H)>(span: .tuple) { draws in
    try (a(&draws), b(&draws), c(&draws), d(&draws), e(&draws), f(&draws), g(&draws), h(&draws))
  }
}

extension Gen {
  /// A constant value.
  ///
  ///     Gen.just(3)
  @inlinable
  public static func just(_ value: Value) -> Gen<Value> where Value: Sendable {
    Gen(node: { _ in value })
  }

  /// Values of one of several generators, each equally likely. Counterexamples shrink towards the first.
  ///
  ///     Gen.oneOf(.just(0), .integers(in: 100...200))
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
  /// - Parameter choices: Generators with their weights, in any unit; a generator is chosen with the probability of its
  ///   weight over the sum of all. Weights of 0 or less are left out; if none is left, every case is discarded.
  /// - Returns: A generator of the values of all.
  public static func oneOf(weighted choices: [(weight: Int, generator: Gen<Value>)]) -> Gen<Value> {
    let weighted = choices.filter { $0.weight > 0 }
    guard !weighted.isEmpty else { return .impossible("oneOf(weighted:) has no generator of a weight above 0") }
    let makers = weighted.map(\.generator.make)
    let wheel = Wheel(weighted.map(\.weight))
    return Gen(span: .choice) { draws in try makers[wheel.branch(&draws)](&draws) }
  }

  /// One of the elements of a collection, each equally likely. Counterexamples shrink towards the first; those of a set
  /// or a dictionary are sorted, by their text if they are not `Comparable`. An empty collection discards every case.
  ///
  ///     Gen.elements(of: ["red", "green", "blue"])
  public static func elements<Elements: Collection>(of elements: Elements) -> Gen<Value>
  where Elements.Element == Value, Value: Sendable {
    let elements = inRepeatableOrder(elements)
    guard !elements.isEmpty else { return .impossible("elements(of:) has nothing to choose from") }
    let domain = ChoiceEntry.index(below: elements.count)
    return Gen(node: { draws in elements[Int(try draws.uniform(domain))] })
  }

  /// One of the cases of an enumeration, each equally likely. Counterexamples shrink towards the first.
  ///
  ///     Gen<SearchMode>.cases()
  public static func cases() -> Gen<Value> where Value: CaseIterable & Sendable {
    Value.allCases.isEmpty
      ? .impossible("\(Value.self) has no cases to choose from") : elements(of: Value.allCases)
  }

  /// No value: every case that draws from it is discarded, with a reason for the report.
  ///
  ///     Gen<Int>.impossible("there is no such number")
  public static func impossible(_ reason: String) -> Gen<Value> {
    Gen(node: { _ in throw Discard.impossible(reason) })
  }
}

private struct Wheel: Sendable {
  /// For each choice the sum of its weight and all weights before it; strictly ascending.
  private let sums: [UInt64]

  /// Sums the weights; each must be above 0.
  init(_ weights: [Int]) {
    // Scaled to 32 bits: a ratio of 2^32 between weights needs no precision, and 2^31 weights cannot overflow.
    let scale = max(1, (weights.max() ?? 1) >> 32 + 1)
    var sum: UInt64 = 0
    sums = weights.map { weight in
      sum += UInt64(max(1, weight / scale))
      return sum
    }
  }

  func branch(_ draws: inout ChoiceSource) throws -> Int {
    let branch = try draws.choose(.index(below: sums.count, .branch)) { draws in
      let mark = draws.below((sums.last ?? 1) - 1)
      return UInt64(sums.firstIndex { mark < $0 } ?? 0)
    }
    return Int(branch)
  }
}

extension Gen {
  /// Values that contain values of the same type, such as trees and expressions, up to a depth and a size.
  ///
  ///     Gen.recursive(.just(0), depth: 3) { part in Gen.arrays(of: part, count: 0...2).map { $0.reduce(1, +) } }
  ///
  /// ```swift
  /// let digit = Gen<Int>.integers(in: 0...9).map(Expression.number)
  /// let expression = Gen.recursive(digit, depth: 4) { smaller in
  ///   zip(smaller, smaller).map(Expression.sum)
  /// }
  /// ```
  ///
  /// Counterexamples shrink towards leaves; a subvalue is replaced by one of its own subvalues where possible.
  ///
  /// - Parameters:
  ///   - leaf: The generator of values that contain no others.
  ///   - depth: The largest depth of nested values; 0 or less for leaves only.
  ///   - growth: The largest number of values that contain others.
  ///   - grow: Returns a generator of larger values from one of smaller ones; it is called immediately, once for each
  ///     depth.
  /// - Returns: A generator of values of at most this depth.
  public static func recursive(
    _ leaf: Gen<Value>, depth: Int = 5, growth: Int = 100, _ grow: (Gen<Value>) throws -> Gen<Value>
  ) rethrows -> Gen<Value> {
    var smaller = Gen(span: .recursion) { draws in
      // A leaf records its kind, so that it can replace a larger value.
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

extension ChoiceSource {
  fileprivate mutating func grows(_ isAllowed: Bool) throws -> Bool {
    let domain = ChoiceEntry(tag: .branch, upper: isAllowed ? 1 : 0)
    // With two parts each, a growth probability of 3/4 gives about two to the power of half the depth leaves.
    return try choose(domain) { draws in isAllowed && draws.words.next() & 3 != 0 ? 1 : 0 } == 1
  }
}

extension Gen {
  /// A generator that is made when it draws, so that a function of generators can call itself.
  ///
  ///     Gen.lazy { Gen<Int>.integers(in: 0...9) }
  ///
  /// Nothing limits its depth: values that contain values of their own type are better drawn by `recursive`, which
  /// limits their depth and size. A case nested too deeply is discarded.
  public static func lazy(_ generator: @escaping @Sendable () throws -> Gen<Value>) -> Gen<Value> {
    Gen(node: { draws in try generator().make(&draws) })
  }

  /// Values of a generator for a size, which is drawn, too, and grows over the cases.
  ///
  /// ```swift
  /// let text = Gen.sized { size in Gen<String>.strings(count: 0...size) }
  /// ```
  ///
  /// In case n of a check the size is at most a tenth of `maximum` times n, and from case 10 on any up to `maximum`.
  /// Counterexamples shrink towards size 0.
  public static func sized(
    maximum: Int = 100, _ generator: @escaping @Sendable (_ size: Int) throws -> Gen<Value>
  ) -> Gen<Value> {
    let domain = ChoiceEntry(tag: .integer, upper: UInt64(max(0, maximum)))
    return Gen(span: .bind) { draws in
      let tenths = UInt64(min(draws.caseNumber, ChoiceSource.growingCases - 1) + 1)
      let size = try draws.choose(domain) { draws in
        draws.below(UInt64(Double(domain.upper) * Double(tenths) / Double(ChoiceSource.growingCases)))
      }
      return try generator(Int(size)).make(&draws)
    }
  }

  /// Some of the values that a generator draws, as the first cases of a check have them.
  ///
  /// ```swift
  /// print(try Gen<String>.strings().samples(10))
  /// ```
  ///
  /// `assay properties sample ID` shows those of a property with the shares of its labels.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - seed: The seed of the values.
  /// - Returns: The values, in the order of the cases.
  /// - Throws: `Discard` when 100 cases in a row are discarded, and the errors of the generator.
  public func samples(_ count: Int = 10, seed: UInt32 = 1) throws -> [Value] {
    var draws = ChoiceSource(seed: seed)
    return try (0..<max(0, count)).map { number in
      draws.caseNumber = number
      for attempt in 1...100 {
        draws.begin()
        do {
          return try make(&draws)
        } catch let discard as Discard {
          if attempt == 100 { throw discard }
        }
      }
      throw Discard.filtered
    }
  }
}
