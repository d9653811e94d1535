// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("the calendar of pending attempts")
struct CalendarQueueTests {
  /// Moments from now to a quarter of an hour away, many of them the same.
  private func moment(_ index: Int) -> Int64 { Int64(index * 7_919 % 1_000) * 900_000_000 }

  @Test("gives all back in order, clients of one moment by their numbers")
  func order() {
    var queue = CalendarQueue(clients: 3_000, beginning: 0, least: 50_000_000)
    for client in (0..<3_000).reversed() { queue.insert(Int32(client), at: moment(client)) }
    var (taken, day): ([CalendarQueue.Entry], [CalendarQueue.Entry]) = ([], [])
    while queue.takeDay(into: &day) { taken += day }
    let expected = (0..<3_000).map { (moment($0), Int32($0)) }.sorted { $0 < $1 }
    #expect(taken.map(\.moment) == expected.map(\.0))
    #expect(taken.map(\.client) == expected.map(\.1))
  }

  @Test("takes clients in again while it gives others out, years ahead as well", arguments: [1_000_000, 50_000_000])
  func again(least: Int64) {
    var queue = CalendarQueue(clients: 100, beginning: 30_000_000_000, least: least)
    var due = (0..<100).map { 30_000_000_000 + Int64($0) * 3_000_000 }
    for client in 0..<100 { queue.insert(Int32(client), at: due[client]) }
    var (day, last, count): ([CalendarQueue.Entry], Int64, Int) = ([], 0, 0)
    while count < 5_000, queue.takeDay(into: &day) {
      for entry in day {
        #expect(entry.moment == due[Int(entry.client)])
        #expect(entry.moment >= last)
        (last, count) = (entry.moment, count + 1)
        // Sometimes as soon as can be, sometimes beyond the ring's end.
        let wait = count.isMultiple(of: 3) ? 400_000_000_000 : least + Int64(count % 7) * 1_300_000
        due[Int(entry.client)] = entry.moment + wait
        queue.insert(entry.client, at: entry.moment + wait)
      }
    }
    #expect(count >= 5_000)
  }

  @Test("has nothing to give when it is empty")
  func empty() {
    var queue = CalendarQueue(clients: 1, beginning: 0, least: 1_000_000)
    var day = [CalendarQueue.Entry(moment: 1, client: 0)]
    let hasAny = queue.takeDay(into: &day)
    #expect(!hasAny && day.isEmpty)
  }
}

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
