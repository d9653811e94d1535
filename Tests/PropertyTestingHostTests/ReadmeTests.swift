// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("The example of the README")
struct ReadmeTests {
  @Test("sorting keeps every number") func sorting() async throws {
    try await check(Gen.arrays(of: Gen<Int>.integers())) { numbers in
      cover("a repeated number", Set(numbers).count < numbers.count, atLeast: 0.1)
      #expect(numbers.sorted().reduce(0, &+) == numbers.reduce(0, &+))
    }
  }
}
