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
      form: "([], [], [], [-1], [-32768])", shorts, shorts, shorts, shorts, shorts
    ) { a, b, c, d, e in
      [a, b, c, d, e].joined().reduce(0, &+) < 5 * 256
    }
  }()

  private static let largeUnionList = Challenge(
    "large_union_list", "no list of lists holds more than four different numbers", form: "[[0, 1, -1, 2, -2]]",
    Gen.arrays(of: Gen.arrays(of: Gen<Int>.integers()))
  ) { lists in
    Set(lists.joined()).count <= 4
  }

  private static let reverse = Challenge(
    "reverse", "a list reads the same backwards", form: "[0, 1]", Gen.arrays(of: Gen<Int>.integers())
  ) { numbers in
    numbers == numbers.reversed()
  }

  private static let lengthList = Challenge(
    "lengthlist", "no number of a list whose length was drawn first reaches 900", form: "[900]",
    Gen<Int>.integers(in: 1...100).flatMap { count in Gen.arrays(of: Gen<Int>.integers(in: 0...1000), count: count) }
  ) { numbers in
    numbers.allSatisfy { $0 < 900 }
  }

  private static let coupling = Challenge(
    "coupling", "no two elements point at each other", form: "[1, 0]",
    Gen.arrays(of: Gen<Int>.integers(in: 0...10)).filter { numbers in numbers.allSatisfy { $0 < numbers.count } }
  ) { numbers in
    !numbers.indices.contains { index in numbers[index] != index && numbers[numbers[index]] == index }
  }

  private static let deletion = Challenge(
    "deletion", "what was removed from a list is no longer in it", form: "([0, 0], 0)",
    Gen.arrays(of: Gen<Int>.integers()), Gen<Int>.integers(in: 0...10)
  ) { numbers, index in
    try assume(index < numbers.count)
    var rest = numbers
    if let first = rest.firstIndex(of: numbers[index]) { rest.remove(at: first) }
    return !rest.contains(numbers[index])
  }

  private static let distinct = Challenge(
    "distinct", "a list has fewer than three different numbers", form: "[0, 1, -1]",
    Gen.arrays(of: Gen<Int>.integers())
  ) { numbers in
    Set(numbers).count < 3
  }

  private static let nestedLists = Challenge(
    "nestedlists", "lists in a list have at most ten elements together",
    form: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]", Gen.arrays(of: Gen.arrays(of: Gen.just(0)))
  ) { lists in
    lists.joined().count <= 10
  }
}

/// Challenges over two numbers that must change together.
extension Challenges {
  static let pairs = [
    difference("difference_not_zero", "the difference is not zero", form: "(10, 10)") { $0 != 0 },
    difference("difference_not_small", "the difference is not 1 to 4", form: "(10, 6)") { !(1...4).contains($0) },
    difference("difference_not_one", "the difference is not one", form: "(10, 9)") { $0 != 1 },
  ]

  private static func difference(
    _ name: String, _ claim: String, form: String, holds: @escaping @Sendable (Int) -> Bool
  ) -> Challenge {
    let numbers = Gen<Int>.integers(in: 1...1000)
    return Challenge(name, "\(claim) when the first number is ten or more", form: form, numbers, numbers) {
      first, second in first < 10 || holds(abs(first - second))
    }
  }

  static let calculator = Challenge(
    "calculator", "an expression without a division by a literal zero divides by no zero",
    form: "(0 / (0 + 0))", Expression.expressions(depth: 5)
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

  /// The value; `nil` for a division by zero.
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
    form: "(0, None, (0, (0, None, None), (1, None, None)))",
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

  /// Takes the smallest key, merges once, and lists the rest unsorted: the fault.
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

/// Challenges whose simplest case cannot be reached by changes of single choices.
extension Challenges {
  static let weightedLinear = {
    let numbers = Gen<Int>.integers(in: 0...20)
    return Challenge("x_weighted_linear", "2x + y + z is not 20", form: "(0, 0, 20)", numbers, numbers, numbers) {
      2 * $0 + $1 + $2 != 20
    }
  }()

  static let invoice = Challenge(
    "x_invoice", "a discount rounded for each piece is the discount rounded once",
    form: "Invoice(10, 100, 1)", Invoice.invoices
  ) { invoice in
    invoice.totalRoundedByPiece == invoice.totalRoundedOnce
  }

  static let nested2 = nested("x_nested_ps2", factors: 2, form: "[6, 4]")
  static let nested3 = nested("x_nested_ps3", factors: 3, form: "[4, 3, 2]")

  private static func nested(_ name: String, factors: Int, form: String) -> Challenge {
    Challenge(
      name, "a payload as long as the product of its falling factors has under 24 bits or no one",
      form: "\(form): 000000000000000000000001", Payload.payloads(factors: factors)
    ) { payload in
      payload.bits.count < 24 || !payload.bits.contains(1)
    }
  }
}

/// A price for each piece in cents, and a discount in percent for large orders.
private struct Invoice: Sendable, CustomDebugStringConvertible {
  let price: Int
  let quantity: Int
  let discount: Int

  static let invoices = Gen { draws in
    let price = try draws.draw(Gen<Int>.integers(in: 1...1000))
    let quantity = try draws.draw(Gen<Int>.integers(in: 1...100))
    let discount = price * quantity >= 1000 ? try draws.draw(Gen<Int>.integers(in: 0...50)) : 0
    return Invoice(price: price, quantity: quantity, discount: discount)
  }

  var totalRoundedByPiece: Int { Self.rounded(price * (100 - discount)) * quantity }
  var totalRoundedOnce: Int { Self.rounded(price * quantity * (100 - discount)) }

  private static func rounded(_ hundredths: Int) -> Int { (hundredths + 50) / 100 }

  var debugDescription: String { "Invoice(\(price), \(quantity), \(discount))" }
}

/// Bits, as many as the product of the factors, which do not increase.
private struct Payload: Sendable, CustomDebugStringConvertible {
  let factors: [Int]
  let bits: [Int]

  static func payloads(factors count: Int) -> Gen<Payload> {
    Gen { draws in
      var factors: [Int] = []
      for _ in 0..<count {
        factors.append(try draws.draw(Gen<Int>.integers(in: 1...(factors.last ?? 10))))
      }
      let bits = Gen.arrays(of: Gen<Int>.integers(in: 0...1), count: factors.reduce(1, *))
      return Payload(factors: factors, bits: try draws.draw(bits))
    }
  }

  var debugDescription: String { "\(factors): \(bits.map(String.init).joined())" }
}

extension Challenges {
  static let chunkedDecoder = Challenge(
    "x_chunked_decoder", "a message decoded chunk by chunk is the message sent",
    form: "(text U+80, [1, 1])", Transmission.transmissions
  ) { transmission in
    transmission.received == transmission.message
  }
}

/// Raw bytes, or a text in UTF-8.
private enum Message: Sendable, Hashable, CustomDebugStringConvertible {
  case binary([UInt8])
  case text(String)

  static let messages: Gen<Message> = {
    let scalars = Gen<UInt32>.integers(in: 0...0x10FFFF).filter { Unicode.Scalar($0) != nil }
    let texts = Gen.arrays(of: scalars, count: 0...16).map { codes in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: codes.compactMap { Unicode.Scalar($0) })
      return String(text)
    }
    return .oneOf(
      Gen.arrays(of: Gen<UInt8>.integers(), count: 0...64).map(Message.binary), texts.map(Message.text))
  }()

  var bytes: [UInt8] {
    switch self {
    case .binary(let bytes): bytes
    case .text(let text): Array(text.utf8)
    }
  }

  var debugDescription: String {
    switch self {
    case .binary(let bytes): "binary \(bytes)"
    case .text(let text):
      "text " + text.unicodeScalars.map { "U+" + String($0.value, radix: 16) }.joined(separator: " ")
    }
  }
}

/// A message with a flag for every gap between two bytes: whether it is cut there.
private struct Transmission: Sendable, CustomDebugStringConvertible {
  let message: Message
  let cuts: [Bool]

  static let transmissions = Message.messages.flatMap { message in
    Gen.arrays(of: Gen<Bool>.booleans(), count: message.bytes.count - 1).map { cuts in
      Transmission(message: message, cuts: cuts)
    }
  }

  private var chunks: [[UInt8]] {
    var chunks: [[UInt8]] = [[]]
    for (index, byte) in message.bytes.enumerated() {
      if index > 0, cuts[index - 1] { chunks.append([]) }
      chunks[chunks.count - 1].append(byte)
    }
    return chunks
  }

  /// The message that the receiver makes from the separately decoded chunks: wrong where a cut divides a character.
  var received: Message {
    switch message {
    case .binary: .binary(chunks.flatMap { $0 })
    case .text: .text(chunks.map { String(decoding: $0, as: UTF8.self) }.joined())
    }
  }

  var debugDescription: String { "(\(message.debugDescription), \(chunks.map(\.count)))" }
}
