// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import TestSupport
import Testing

@testable import LiveLab

private func tally(
  _ sessions: [(returns: [Int64], lost: Int)], of unit: Interval = .milliseconds(1)
) -> ReturnTimes {
  var tally = ReturnTimes()
  for session in sessions {
    tally.add(session.returns.map { unit * $0 }, lost: session.lost)
  }
  return tally
}

@Suite("Times of return")
struct ReturnTimesTests {
  @Test("at every time the share still away equals the count of each session by itself")
  func everyTime() {
    let sessions: [(returns: [Int64], lost: Int)] = [
      ([10, 4_000, 250], 0), ([10], 1), ([], 2), ([900, 900, 900], 0), ([70_000], 3), ([], 0),
    ]
    for point in tally(sessions).survival {
      var expected = ClusteredShare()
      for session in sessions {
        let beyond = session.returns.count { Interval.milliseconds($0) > point.time }
        expected.add(hits: beyond + session.lost, of: session.returns.count + session.lost)
      }
      #expect(point.away == expected)
    }
  }

  @Test("times repeated within their session leave the percentile's interval unchanged")
  func clustered() throws {
    let single = tally((1...500).map { ([Int64($0)], 0) })
    let repeated = tally((1...500).map { (Array(repeating: Int64($0), count: 6), 0) })
    #expect(single.percentile(0.9, alpha: 0.01, maximum: 1) == repeated.percentile(0.9, alpha: 0.01, maximum: 6))
  }

  @Test("a percentile is infinite where too many never came back")
  func lost() throws {
    let times = tally((1...98).map { ([Int64($0)], 0) } + [([], 1), ([], 1)])
    let highest = try #require(times.percentile(0.99, alpha: 0.1, maximum: 1))
    #expect(highest.time == .forever && highest.interval.upperBound == .forever)
    #expect(try #require(times.percentile(0.5, alpha: 0.1, maximum: 1)).time < .seconds(1))
  }

  @Test("two sessions do not bound a percentile, even with equal times")
  func few() throws {
    let times = try #require(tally([([5], 0), ([5], 0)]).percentile(0.99, alpha: 0.01, maximum: 1))
    #expect(times.interval.upperBound == .forever)
    // Nor from below: both may have been longer than most are.
    let median = try #require(tally([([5], 0), ([5], 0)]).percentile(0.5, alpha: 0.01, maximum: 1))
    #expect(median.interval == .zero ... .forever)
  }

  @Test("an empty count has no percentile")
  func nothing() {
    #expect(ReturnTimes().percentile(0.5, alpha: 0.1, maximum: 1) == nil)
    #expect(ReturnTimes().survival.isEmpty)
  }
}

@Suite("Times of return, against an example worked out by hand")
struct ReturnTimesExampleTests {
  /// Six sessions with eleven outages, two of them without an end. Below 256 units every time has its own bucket.
  private static let sessions: [(returns: [Int64], lost: Int)] = [
    ([40, 10], 0), ([10], 0), ([20, 30, 10], 0), ([40], 1), ([50, 20], 0), ([], 1),
  ]

  @Test("a percentile is the first time by which that share is back, also if exactly that share is")
  func percentiles() {
    func time(_ share: Double, _ sessions: [(returns: [Int64], lost: Int)]) -> Int64? {
      tally(sessions, of: ReturnTimes.unit).percentile(share, alpha: 0.1, maximum: 3)?.time.nanoseconds
    }
    #expect(time(3.0 / 11, Self.sessions) == 10_000)
    #expect(time(0.28, Self.sessions) == 20_000)
    #expect(time(0.5, Self.sessions) == 30_000)
    #expect(time(9.0 / 11, Self.sessions) == 50_000)
    #expect(time(0.9, Self.sessions) == Interval.forever.nanoseconds)
    let tens: [(returns: [Int64], lost: Int)] = (1...10).map { ([$0], 0) }
    for rank in 1...9 { #expect(time(Double(rank) / 10, tens) == Int64(rank) * 1_000) }
  }

  @Test("a percentile lies in its interval, which widens with the confidence and with the outages of a session")
  func intervals() throws {
    let sessions = (1...600).map { (number: Int64) in (returns: [number % 240], lost: number % 50 == 0 ? 1 : 0) }
    let many = tally(sessions, of: ReturnTimes.unit)
    for share in [0.01, 0.5, 0.9, 0.97, 0.99] {
      let `default` = try #require(many.percentile(share, alpha: 0.1, maximum: 2))
      let surer = try #require(many.percentile(share, alpha: 0.001, maximum: 2))
      let loose = try #require(many.percentile(share, alpha: 0.1, maximum: 8))
      #expect(`default`.interval.contains(`default`.time))
      for wider in [surer, loose] {
        #expect(wider.time == `default`.time)
        #expect(wider.interval.lowerBound <= `default`.interval.lowerBound)
        #expect(wider.interval.upperBound >= `default`.interval.upperBound && wider.interval != `default`.interval)
      }
    }
  }

  @Test("a value added zero times or fewer is not counted; a percentile's rank is rounded up")
  func ranks() {
    var histogram = LatencyHistogram()
    histogram.add(5, times: 0)
    histogram.add(6, times: -2)
    #expect(histogram == LatencyHistogram())
    for value in 1...10 { histogram.add(value) }
    #expect(histogram.percentile(0.11) == 2...2 && histogram.percentile(0.1) == 1...1)
    #expect(histogram.percentile(0) == 1...1 && histogram.percentile(1) == 10...10)
  }

  @Test("a counted value is known to within a 128th of itself, at every size")
  func relativeError() {
    for value in Array(sequence(first: 1) { $0 < 1 << 60 ? $0 + $0 / 3 + 1 : nil }) + [.max] {
      var histogram = LatencyHistogram()
      histogram.add(value)
      let found = histogram.percentile(0.5) ?? 0...0
      #expect(found.contains(value))
      #expect(Double(found.upperBound - value) <= Double(value) / 128 && value - found.lowerBound <= value / 128)
    }
  }

  @Test("parts merged in any order equal the whole")
  func merging() {
    let parts = Self.sessions.map { tally([$0], of: ReturnTimes.unit) }
    #expect(mergeLawViolation(among: parts, empty: ReturnTimes()) { $0.merge($1) } == nil)
    #expect(parts.reduce(into: ReturnTimes()) { $0.merge($1) } == tally(Self.sessions, of: ReturnTimes.unit))
  }
}
