// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

extension Challenges {
  static let calculator = Challenge(
    "calculator", "an expression without a division by a literal zero divides by no zero",
    normalForm: .quotient(.number(0), .sum(.number(0), .number(0))), Expression.expressions(depth: 5)
  ) { expression in
    try assume(expression.dividesByNoLiteralZero)
    return expression.value != nil
  }
}

/// Numbers, sums and quotients.
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
