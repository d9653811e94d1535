// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("The wait before a request is sent again")
struct RetryDelayTests {
  @Test("delays double from failure to failure, keep half of themselves as jitter, and are bounded")
  func doubles() {
    let delay = RetryDelay(first: 1000, most: 6000, seed: 7)
    #expect(delay.delay(after: 0) == 0)
    for (failures, whole) in [(1, 1000), (2, 2000), (3, 4000), (4, 6000), (5, 6000), (Int.max, 6000)] {
      #expect((whole / 2...whole).contains(delay.delay(after: failures)))
    }
  }

  @Test("clients of different seeds come back at different times, one client always at the same")
  func jitter() {
    let delays = (0..<100).map { RetryDelay(first: 100_000, seed: UInt64($0)).delay(after: 1) }
    #expect(Set(delays).count > 90)
    #expect(delays == (0..<100).map { RetryDelay(first: 100_000, seed: UInt64($0)).delay(after: 1) })
  }

  @Test("absurd bounds are drawn in")
  func bounded() {
    #expect(RetryDelay(first: .min, most: .min).delay(after: 99) <= 1)
    #expect(RetryDelay(first: .max, most: .max).delay(after: 99) <= 1_000_000_000)
  }
}
