// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// How many requests fell into each period of one length, periods being counted from 1970-01-01T00:00:00Z.
struct PeriodUse: Hashable, Sendable {
  private struct Entry: Hashable {
    let period: Int
    var count: Int
  }

  /// The period's length in milliseconds.
  let length: Int
  /// The periods touched last, the latest touched at the end.
  private var entries: [Entry] = []

  /// Enough for a request at a seam of two periods under two clocks.
  private static let mostEntries = 8

  init(seconds: Int) {
    length = seconds * 1000
  }

  /// The periods that two moments and all between them lie in.
  func periods(from first: Int, to last: Int) -> ClosedRange<Int> {
    let begin = first.floorDivided(by: length)
    return begin...max(begin, last.floorDivided(by: length))
  }

  /// Where a period ends, in milliseconds.
  func end(of period: Int) -> Int { (period + 1) * length }

  func count(in period: Int) -> Int { entries.first { $0.period == period }?.count ?? 0 }

  mutating func add(one period: Int) { raise(period, to: count(in: period) + 1) }

  /// Makes a period's count at least so high.
  mutating func raise(_ period: Int, to count: Int) {
    let highest = max(count, self.count(in: period))
    entries.removeAll { $0.period == period }
    entries.append(Entry(period: period, count: highest))
    if entries.count > Self.mostEntries { entries.removeFirst() }
  }
}
