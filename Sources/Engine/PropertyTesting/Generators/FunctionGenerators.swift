// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A function whose values are drawn when the code under test asks for them.
///
/// It gives equal results for equal arguments. The report of a counterexample notes its table: one line for each
/// argument that it was called with. The results shrink and replay like all values that a body draws.
public final class DrawnFunction<Input: Hashable & Sendable, Output: Sendable>: Sendable, CustomStringConvertible {
  private let name: String
  private let outputs: Gen<Output>
  /// The result where nothing can be drawn: outside the body of the property.
  private let `default`: Output
  private let table = Mutex<[Input: Output]>([:])

  fileprivate init(_ name: String, _ outputs: Gen<Output>, default: Output) {
    (self.name, self.outputs, self.default) = (name, outputs, `default`)
  }

  /// The result for an argument. Outside the body of a property, and in a case that is too large, all arguments that
  /// were not seen before have the same.
  public func callAsFunction(_ input: Input) -> Output {
    if let known = table.withLock({ $0[input] }) { return known }
    let drawn = (try? draw(outputs, "\(name)(\(ValueOutline(input).text()))")) ?? `default`
    return table.withLock { table in
      if let known = table[input] { return known }
      table[input] = drawn
      return drawn
    }
  }

  /// Refers to the notes, which have the table.
  public var description: String { "a function, as noted for \(name)" }
}

extension Gen {
  /// Functions whose results are drawn for every argument that they are called with.
  ///
  ///     Gen<DrawnFunction<Int, Bool>>.functions(to: .booleans(), named: "isKept")
  ///
  /// ```swift
  /// let tests = Gen<DrawnFunction<Int, Bool>>.functions(to: .booleans(), named: "isKept")
  /// try await check(.arrays(of: Gen<Int>.integers()), tests) { numbers, isKept in
  ///   #expect(numbers.filter { isKept($0) }.allSatisfy { isKept($0) })
  /// }
  /// ```
  ///
  /// Counterexamples shrink towards functions that give the simplest result for all arguments.
  ///
  /// - Parameters:
  ///   - outputs: The generator of the results.
  ///   - name: The name of the function in the notes.
  /// - Returns: A generator of functions.
  public static func functions<Input: Hashable & Sendable, Output: Sendable>(
    to outputs: Gen<Output>, named name: String = "f"
  ) -> Gen<DrawnFunction<Input, Output>> where Value == DrawnFunction<Input, Output> {
    outputs.map { DrawnFunction(name, outputs, default: $0) }
  }
}
