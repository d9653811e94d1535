// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Testing

@testable import LiveLab

@Suite struct ClusteredShareTests {
  private func shares(_ clusters: [(Int, Int)]) -> ClusteredShare {
    clusters.reduce(into: ClusteredShare()) { $0.add(hits: $1.0, of: $1.1) }
  }

  @Test("with one trial a cluster the standard error is that of independent trials")
  func singles() throws {
    let share = shares(Array(repeating: (1, 1), count: 80) + Array(repeating: (0, 1), count: 20))
    #expect(share.share == 0.8)
    let error = try #require(share.standardError)
    #expect(abs(error * error - 0.8 * 0.2 / 99) < 1e-12)
  }

  @Test("trials that always go together count as one each: ten times as many say no more")
  func together() throws {
    let alone = shares(Array(repeating: (1, 1), count: 80) + Array(repeating: (0, 1), count: 20))
    let tenfold = shares(Array(repeating: (10, 10), count: 80) + Array(repeating: (0, 10), count: 20))
    #expect(try abs(#require(alone.standardError) - #require(tenfold.standardError)) < 1e-12)
    #expect(abs(tenfold.effectiveTrials - 99) < 1e-6)
  }

  @Test("where all trials succeeded the interval still has a width, and a cluster counts as one trial")
  func allHits() {
    let interval = shares(Array(repeating: (3, 3), count: 100)).interval(confidence: 0.99)
    #expect(interval.upperBound == 1)
    #expect((0.9...0.97).contains(interval.lowerBound))
  }

  @Test("clusters without trials say nothing, and without two clusters everything is possible")
  func nothing() {
    #expect(shares([(0, 0)]) == ClusteredShare())
    #expect(shares([(1, 2)]).interval(confidence: 0.9) == 0...1)
  }

  @Test("an interval that may be looked at always is wider than one that is looked at once")
  func looks() {
    let share = shares((0..<1_000).map { ($0 % 3, 2 + $0 % 2) }.map { (min($0.0, $0.1), $0.1) })
    let (once, always) = (
      share.interval(confidence: 0.99), share.interval(confidence: 0.99, looks: .always(from: 200))
    )
    #expect(always.lowerBound < once.lowerBound && once.upperBound < always.upperBound)
  }

  @Test("an interval covers the true share about as often as it says, though trials of a cluster depend on each other")
  func coverage() throws {
    var stream = try WordStream(seed: 11)
    var covered = 0
    for _ in 0..<400 {
      var tally = ClusteredShare()
      for _ in 0..<150 {
        // A cluster is good, with 9 of 10 hits, or bad, with 5 of 10; the true share is 0.8.
        let isGood = stream.below(4) != 0
        let trials = 1 + Int(stream.below(8))
        let hits = (0..<trials).count { _ in stream.below(10) < (isGood ? 9 : 5) }
        tally.add(hits: hits, of: trials)
      }
      if tally.interval(confidence: 0.9).contains(0.8) { covered += 1 }
    }
    // 360 of 400 expected, with a standard deviation of 6.
    #expect((336...384).contains(covered))
  }

  @Test("merging obeys the law of tallies")
  func merging() {
    let samples = [shares([(1, 2)]), shares([(0, 5), (5, 5)]), shares([])]
    #expect(mergeLawViolation(among: samples, empty: ClusteredShare()) == nil)
  }
}
