// SPDX-License-Identifier: GPL-3.0-or-later

/// A way to make values out of recorded choices.
///
/// A generator is a value: combine it with `map`, `flatMap`, `filter` and `zip`, or write one as a closure that draws
/// from others. Whatever it makes can be shrunk and replayed, because both work on the choices and not on the value.
///
/// ```swift
/// let dice = Gen.arrays(of: .integers(in: 1...6), count: 1...5)
/// let pair = Gen { draws in
///   let low = try draws.draw(.integers(in: 0...100))
///   return low...(try draws.draw(.integers(in: low...100)))
/// }
/// ```
public struct Gen<Value>: Sendable {
  /// Writes at most one choice or one span: what lets elements be told apart without marks between them.
  @usableFromInline
  let make: @Sendable (inout Draws) throws -> Value

  /// Wraps a closure that is known to write at most one choice or one span.
  // Disfavoured, so that `Gen { draws in … }` means the public initialiser under `@testable import` too.
  @inlinable
  @_disfavoredOverload
  init(node make: @escaping @Sendable (inout Draws) throws -> Value) {
    self.make = make
  }

  /// Creates a generator from a closure that draws what it needs.
  ///
  /// - Parameter body: Draws from other generators by `draws.draw(_:)` and makes a value. Everything random in it must
  ///   come from `draws`. What it throws besides `Discard` fails the property.
  @inlinable
  public init(_ body: @escaping @Sendable (inout Draws) throws -> Value) {
    self.init(span: .custom, body)
  }

  /// Wraps a closure in a span of a kind.
  @inlinable
  init(span kind: SpanKind, _ body: @escaping @Sendable (inout Draws) throws -> Value) {
    let label = kind.label(Value.self)
    self.init(node: { draws in
      try draws.open(label)
      let value = try body(&draws)
      try draws.close()
      return value
    })
  }

  /// The values changed by a function, which draws nothing.
  @inlinable
  public func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> Gen<Other> {
    let make = make
    return Gen<Other>(node: { draws in try transform(make(&draws)) })
  }

  /// Draws a value and then from the generator that it leads to.
  ///
  /// Both shrink: when the first value changes, the choices of the second are kept as far as they fit.
  @inlinable
  public func flatMap<Other>(_ next: @escaping @Sendable (Value) throws -> Gen<Other>) -> Gen<Other> {
    let make = make
    return Gen<Other>(span: .bind) { draws in try next(make(&draws)).make(&draws) }
  }

  /// The values for which a condition holds.
  ///
  /// - Parameters:
  ///   - attempts: How many values may be refused in a row before the whole case is discarded.
  ///   - condition: Which values to keep.
  /// - Returns: A generator of the values kept.
  @inlinable
  public func filter(attempts: Int = 100, _ condition: @escaping @Sendable (Value) throws -> Bool) -> Gen<Value> {
    let make = make
    return Gen(node: { draws in
      for _ in 0..<attempts {
        let checkpoint = draws.checkpoint
        let value = try make(&draws)
        if try condition(value) { return value }
        try draws.retract(to: checkpoint)
      }
      throw Discard.filtered
    })
  }
}

extension Draws {
  /// Draws a value.
  ///
  /// - Throws: `Discard` when the generator gives the case up; what the generator itself throws.
  @inlinable
  public mutating func draw<Value>(_ generator: Gen<Value>) throws -> Value {
    try generator.make(&self)
  }
}
