// SPDX-License-Identifier: GPL-3.0-or-later

extension Gen {
  /// Arrays.
  ///
  /// - Parameters:
  ///   - element: Makes the elements.
  ///   - count: How many there are.
  /// - Returns: A generator of arrays.
  @inlinable
  @specialized(where Value == [Int], Element == Int)
  @specialized(where Value == [Double], Element == Double)
  @specialized(where Value == [String], Element == String)
  @specialized(where Value == [Bool], Element == Bool)
  @specialized(where Value == [UInt8], Element == UInt8)
  public static func arrays<Element>(of element: Gen<Element>, count: ClosedRange<Int> = 0...20) -> Gen<[Element]>
  where Value == [Element] {
    let range = max(0, count.lowerBound)...max(0, count.upperBound)
    return Gen<[Element]>(span: .collection) { draws in
      let count = try draws.length(range)
      var elements: [Element] = []
      elements.reserveCapacity(count)
      for _ in 0..<count { elements.append(try element.make(&draws)) }
      return elements
    }
  }

  /// Arrays of a fixed number of elements.
  @inlinable
  public static func arrays<Element>(of element: Gen<Element>, count: Int) -> Gen<[Element]>
  where Value == [Element] {
    arrays(of: element, count: max(0, count)...max(0, count))
  }

  /// Arrays in ascending order, equal elements in the order drawn.
  ///
  /// - Parameters:
  ///   - element: Makes the elements.
  ///   - count: How many there are.
  /// - Returns: A generator of arrays.
  public static func sortedArrays<Element: Comparable & SendableMetatype>(
    of element: Gen<Element>, count: ClosedRange<Int> = 0...20
  ) -> Gen<[Element]> where Value == [Element] {
    arrays(of: element, count: count).map { $0.sorted() }
  }

  /// Arrays with one value of each of several generators, in their order.
  public static func sequence<Element>(_ generators: [Gen<Element>]) -> Gen<[Element]> where Value == [Element] {
    Gen<[Element]>(span: .tuple) { draws in
      var elements: [Element] = []
      elements.reserveCapacity(generators.count)
      for generator in generators { elements.append(try generator.make(&draws)) }
      return elements
    }
  }

  /// Nil, or a value.
  @inlinable
  public static func optionals<Wrapped>(of wrapped: Gen<Wrapped>) -> Gen<Wrapped?> where Value == Wrapped? {
    let make = wrapped.make
    return Gen<Wrapped?>(span: .choice) { draws in try draws.branch(2) == 0 ? nil : make(&draws) }
  }

  /// Successes and failures, equally often; a success is the simpler.
  ///
  /// - Parameters:
  ///   - successes: Makes the values of successes.
  ///   - failures: Makes the errors.
  /// - Returns: A generator of results.
  public static func results<Success, Failure: Error>(
    of successes: Gen<Success>, or failures: Gen<Failure>
  ) -> Gen<Result<Success, Failure>> where Value == Result<Success, Failure> {
    Gen<Result<Success, Failure>>(span: .choice) { draws in
      try draws.branch(2) == 0 ? .success(successes.make(&draws)) : .failure(failures.make(&draws))
    }
  }
}
