// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// Challenges over lists of numbers.
extension Challenges {
  static let lists = [
    bound5, largeUnionList, reverse, lengthList, coupling, deletion, distinct, nestedLists,
  ]

  private static let bound5 = {
    let shorts = Gen.arrays(of: Gen<Int16>.integers(), count: 0...10).filter { $0.reduce(0, &+) < 256 }
    return Challenge(
      "bound5", "five lists with sums below 256 have a sum below 1280 together",
      normalForm: ([], [], [], [-1], [-32768]), shorts, shorts, shorts, shorts, shorts
    ) { a, b, c, d, e in
      [a, b, c, d, e].joined().reduce(0, &+) < 5 * 256
    }
  }()

  private static let largeUnionList = Challenge(
    "large_union_list", "no list of lists holds more than four different numbers", normalForm: [[0, 1, -1, 2, -2]],
    Gen.arrays(of: Gen.arrays(of: Gen<Int>.integers()))
  ) { lists in
    Set(lists.joined()).count <= 4
  }

  private static let reverse = Challenge(
    "reverse", "a list reads the same backwards", normalForm: [0, 1], Gen.arrays(of: Gen<Int>.integers())
  ) { numbers in
    numbers == numbers.reversed()
  }

  private static let lengthList = Challenge(
    "lengthlist", "no number of a list whose length was drawn first reaches 900", normalForm: [900],
    Gen<Int>.integers(in: 1...100).flatMap { count in Gen.arrays(of: Gen<Int>.integers(in: 0...1000), count: count) }
  ) { numbers in
    numbers.allSatisfy { $0 < 900 }
  }

  private static let coupling = Challenge(
    "coupling", "no two elements point at each other", normalForm: [1, 0],
    Gen.arrays(of: Gen<Int>.integers(in: 0...10)).filter { numbers in numbers.allSatisfy { $0 < numbers.count } }
  ) { numbers in
    !numbers.indices.contains { index in numbers[index] != index && numbers[numbers[index]] == index }
  }

  private static let deletion = Challenge(
    "deletion", "what was removed from a list is no longer in it", normalForm: ([0, 0], 0),
    Gen.arrays(of: Gen<Int>.integers()), Gen<Int>.integers(in: 0...10)
  ) { numbers, index in
    try assume(index < numbers.count)
    var rest = numbers
    if let first = rest.firstIndex(of: numbers[index]) { rest.remove(at: first) }
    return !rest.contains(numbers[index])
  }

  private static let distinct = Challenge(
    "distinct", "a list has fewer than three different numbers", normalForm: [0, 1, -1],
    Gen.arrays(of: Gen<Int>.integers())
  ) { numbers in
    Set(numbers).count < 3
  }

  private static let nestedLists = Challenge(
    "nestedlists", "lists in a list have at most ten elements together",
    normalForm: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]], Gen.arrays(of: Gen.arrays(of: Gen.just(0)))
  ) { lists in
    lists.joined().count <= 10
  }
}

/// Challenges over two numbers that must change together.
extension Challenges {
  static let pairs = [
    difference("difference_not_zero", "the difference is not zero", normalForm: (10, 10)) { $0 != 0 },
    difference("difference_not_small", "the difference is not 1 to 4", normalForm: (10, 6)) { !(1...4).contains($0) },
    difference("difference_not_one", "the difference is not one", normalForm: (10, 9)) { $0 != 1 },
  ]

  private static func difference(
    _ name: String, _ claim: String, normalForm: (Int, Int), holds: @escaping @Sendable (Int) -> Bool
  ) -> Challenge {
    let numbers = Gen<Int>.integers(in: 1...1000)
    return Challenge(name, "\(claim) when the first number is ten or more", normalForm: normalForm, numbers, numbers) {
      first, second in first < 10 || holds(abs(first - second))
    }
  }
}

extension Challenges {
  static let calculator = Challenge(
    "calculator", "an expression without a division by a literal zero divides by no zero",
    normalForm: .quotient(.number(0), .sum(.number(0), .number(0))), Expression.expressions(depth: 5)
  ) { expression in
    try assume(expression.dividesByNoLiteralZero)
    return expression.value != nil
  }
}

private indirect enum Expression: Sendable, CustomDebugStringConvertible {
  case number(Int)
  case sum(Expression, Expression)
  case quotient(Expression, Expression)

  static func expressions(depth: Int) -> Gen<Expression> {
    let numbers = Gen<Int>.integers().map(Expression.number)
    if depth == 0 { return numbers }
    let parts = expressions(depth: depth - 1)
    return .oneOf(numbers, zip(parts, parts).map(Expression.sum), zip(parts, parts).map(Expression.quotient))
  }

  var dividesByNoLiteralZero: Bool {
    switch self {
    case .number: true
    case .quotient(_, .number(0)): false
    case .sum(let left, let right), .quotient(let left, let right):
      left.dividesByNoLiteralZero && right.dividesByNoLiteralZero
    }
  }

  /// Nil when a division by zero is met.
  var value: Int? {
    switch self {
    case .number(let number): return number
    case .sum(let left, let right):
      guard let left = left.value, let right = right.value else { return nil }
      return left &+ right
    case .quotient(let left, let right):
      guard let left = left.value, let right = right.value, right != 0 else { return nil }
      return left.dividedReportingOverflow(by: right).partialValue
    }
  }

  var debugDescription: String {
    switch self {
    case .number(let number): "\(number)"
    case .sum(let left, let right): "(\(left.debugDescription) + \(right.debugDescription))"
    case .quotient(let left, let right): "(\(left.debugDescription) / \(right.debugDescription))"
    }
  }
}

extension Challenges {
  static let binheap = Challenge(
    "binheap", "a heap emptied by a routine that merges once is sorted",
    normalForm: .node(0, .empty, .node(0, .node(0, .empty, .empty), .node(1, .empty, .empty))),
    Heap.heaps(from: .min, size: 20)
  ) { heap in
    let sorted = heap.wronglySorted
    return sorted == sorted.sorted() && sorted == heap.elements.sorted()
  }
}

/// A binary heap: no key is smaller than the key above it.
private indirect enum Heap: Sendable, CustomDebugStringConvertible {
  case empty
  case node(Int, Heap, Heap)

  static func heaps(from lowest: Int, size: Int) -> Gen<Heap> {
    if size == 0 { return .just(.empty) }
    return .oneOf(
      .just(.empty),
      Gen { draws in
        let key = try draws.draw(Gen<Int>.integers(in: lowest...Int.max))
        let below = heaps(from: key, size: size / 2)
        return .node(key, try draws.draw(below), try draws.draw(below))
      })
  }

  /// The keys, each before those below it, right before left.
  var elements: [Int] {
    var keys: [Int] = []
    var stack = [self]
    while let next = stack.popLast() {
      guard case .node(let key, let left, let right) = next else { continue }
      keys.append(key)
      stack += [left, right]
    }
    return keys
  }

  func merged(with other: Heap) -> Heap {
    guard case .node(let key, let left, let right) = self else { return other }
    guard case .node(let otherKey, let otherLeft, let otherRight) = other else { return self }
    return key <= otherKey
      ? .node(key, right.merged(with: other), left) : .node(otherKey, otherRight.merged(with: self), otherLeft)
  }

  /// Takes the smallest key, merges once, and lists the rest as it stands: wrong.
  var wronglySorted: [Int] {
    guard case .node(let key, let left, let right) = self else { return [] }
    return [key] + left.merged(with: right).elements
  }

  var debugDescription: String {
    switch self {
    case .empty: "None"
    case .node(let key, let left, let right): "(\(key), \(left.debugDescription), \(right.debugDescription))"
    }
  }
}
