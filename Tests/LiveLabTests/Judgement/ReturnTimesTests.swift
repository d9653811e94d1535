// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import MonteCarlo
import Testing

@testable import LiveLab

@Suite struct ReturnTimesTests {
  private func tally(_ sessions: [(returns: [Int64], lost: Int)]) -> ReturnTimes {
    var tally = ReturnTimes()
    for session in sessions {
      var returns = session.returns.map { Interval.milliseconds($0) }
      tally.add(&returns, lost: session.lost)
    }
    return tally
  }

  @Test("at every time the share still away and its clusters are those of counting each session by itself")
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

  @Test("a percentile is the time of its rank, within a hundred and twenty-eighth, inside its interval")
  func percentile() throws {
    let times = tally((1...1_000).map { ([Int64($0)], 0) })
    let median = try #require(times.percentile(0.5, confidence: 0.99))
    #expect((0.5...0.504).contains(median.time.seconds))
    #expect((0.44...0.48).contains(median.interval.lowerBound.seconds))
    #expect((0.52...0.56).contains(median.interval.upperBound.seconds))
  }

  @Test("repeating every time within its session leaves the percentile's interval as it is")
  func clustered() throws {
    let single = tally((1...500).map { ([Int64($0)], 0) })
    let repeated = tally((1...500).map { (Array(repeating: Int64($0), count: 6), 0) })
    #expect(single.percentile(0.9, confidence: 0.99) == repeated.percentile(0.9, confidence: 0.99))
  }

  @Test("where too many never came back the percentile has no end")
  func lost() throws {
    let times = tally((1...98).map { ([Int64($0)], 0) } + [([], 1), ([], 1)])
    let highest = try #require(times.percentile(0.99, confidence: 0.9))
    #expect(highest.time == .forever && highest.interval.upperBound == .forever)
    #expect(try #require(times.percentile(0.5, confidence: 0.9)).time < .seconds(1))
  }

  @Test("nothing counted has no percentile")
  func nothing() {
    #expect(ReturnTimes().percentile(0.5, confidence: 0.9) == nil)
    #expect(ReturnTimes().survival.isEmpty)
  }

  @Test("merging obeys the law of tallies")
  func merging() {
    let samples = [tally([([5, 90_000], 1)]), tally([([7], 0), ([], 1)]), tally([])]
    #expect(mergeLawViolation(among: samples, empty: ReturnTimes()) == nil)
  }
}
