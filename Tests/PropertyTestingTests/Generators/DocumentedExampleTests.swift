// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("The examples in the documentation compile and do what they say")
struct DocumentedExampleTests {
  private indirect enum Expression: Sendable {
    case number(Int)
    case sum(Expression, Expression)

    var depth: Int {
      switch self {
      case .number: 0
      case .sum(let left, let right): 1 + max(left.depth, right.depth)
      }
    }
  }

  @Test("a closure after Gen is the public initialiser, which wraps what it draws in a span")
  func closures() throws {
    let dice = Gen.arrays(of: .integers(in: 1...6), count: 1...5)
    let pair = Gen { draws in
      let low = try draws.draw(.integers(in: 0...100))
      return low...(try draws.draw(.integers(in: low...100)))
    }
    var draws = try Draws(seed: 1)
    #expect((1...5).contains(try draws.draw(dice).count))
    draws.begin()
    let range = try draws.draw(pair)
    #expect(range.upperBound <= 100)
    #expect(draws.tape.entries.first?.tag == .open && draws.tape.choiceCount == 2)
  }

  @Test("expressions are recursive, ages are weighted")
  func recursive() throws {
    let digit = Gen<Int>.integers(in: 0...9).map(Expression.number)
    let expression = Gen.recursive(digit, depth: 4) { smaller in
      zip(smaller, smaller).map(Expression.sum)
    }
    let age = Gen.oneOf(weighted: [(9, .integers(in: 18...99)), (1, .integers(in: 0...17))])
    #expect(try search(expression) { try claim($0.depth <= 4) }.counterexample == nil)
    #expect(try search(age) { try claim((0...99).contains($0)) }.counterexample == nil)
  }

  @Test("a list that reads differently backwards is found and shrunk")
  func reversed() throws {
    let report = try search(.arrays(of: Gen<Int>.integers())) { numbers in
      try claim(numbers.reversed() == numbers, "it reads differently backwards")
    }
    #expect(report.counterexample?.arguments == ["[0, 1]"])
  }
}
