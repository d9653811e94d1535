// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import PropertyTestingHost
import Testing

/// Helpers that a body calls see to it themselves that the case fails.
private func expectSmall(_ number: Int) { #expect(number < 100) }

private actor Counter {
  private(set) var count = 0

  func add(_ number: Int) -> Int {
    count += number
    return count
  }
}

@Suite("A check is written as its documentation says")
struct NotationTests {
  @Test("generators by their names alone, one or several, with bodies that return nothing or a truth")
  func shortNames() async throws {
    try await check(.integers(in: 0...9)) { #expect($0 < 10) }
    try await check(.integers(in: 0...9)) { number in number < 10 }
    try await check(.integers(in: 0...9), .booleans(), .strings(of: .letters)) { number, isNegative, text in
      expectSmall(isNegative ? -number : number)
      #expect(text.allSatisfy { $0.isLetter })
    }
    try await check(.arrays(of: Gen<Int>.integers()), cases: 20, named: "twice") { numbers in
      #expect(numbers.reversed().reversed() == numbers)
    }
  }

  @Test("bodies that wait")
  func waiting() async throws {
    try await check(.integers(in: 0...9), .integers(in: 0...9), cases: 20) { one, other in
      let counter = Counter()
      _ = await counter.add(one)
      #expect(await counter.add(other) == one + other)
    }
  }

  @Test("a property that is a value")
  func value() async throws {
    let property = Property("notation.1", "Digits are small", .integers(in: 0...9)) { digit in
      try claim(digit < 10, "\(digit)")
    }
    try await check(property, cases: 20)
  }
}
