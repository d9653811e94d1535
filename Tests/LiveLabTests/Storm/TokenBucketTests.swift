// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("the server's token bucket")
struct TokenBucketTests {
  private func bucket(_ capacity: Int, burst: Interval) -> TokenBucket {
    var settings = StormSettings()
    (settings.capacity, settings.burst) = (capacity, burst)
    return TokenBucket(settings, fullAt: 0)
  }

  @Test("accepts what it has saved up, and then one each time a token has come")
  func steady() {
    var bucket = bucket(10, burst: .milliseconds(300))
    let taken = [0, 0, 0, 0, 99_999_999, 100_000_000, 100_000_001].map { bucket.take(at: $0) }
    #expect(taken == [true, true, true, false, false, true, false])
  }

  @Test("saves no more than its depth, however long nobody comes")
  func depth() {
    var bucket = bucket(10_000_000, burst: .milliseconds(1))
    let later = Int64.max / 2
    let taken = (0..<20_000).map { _ in bucket.take(at: later) }
    #expect(taken.count { $0 } == 10_000)
  }

  @Test("accepts its depth and what comes in a second, less one that is not whole yet")
  func second() {
    var bucket = bucket(5_000, burst: .milliseconds(100))
    let accepted = (0..<1_000_000).filter { bucket.take(at: Int64($0) * 1_000) }.count
    #expect(accepted == 5_499)
  }
}
