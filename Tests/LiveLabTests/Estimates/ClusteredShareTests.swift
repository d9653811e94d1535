// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import TestSupport
import Testing

@testable import LiveLab

@Suite struct ClusteredShareTests {
  private func shares(_ clusters: [(Int, Int)]) -> ClusteredShare {
    clusters.reduce(into: ClusteredShare()) { $0.add(hits: $1.0, of: $1.1) }
  }

  @Test("where all trials succeeded the interval still has a width, and a session counts as one, whatever its trials")
  func allHits() {
    let (single, threefold) = (
      shares(Array(repeating: (1, 1), count: 100)), shares(Array(repeating: (3, 3), count: 100))
    )
    let interval = single.interval(alpha: 0.01, most: 1)
    #expect(interval.upperBound == 1 && (0.85...0.95).contains(interval.lowerBound))
    #expect(threefold.interval(alpha: 0.01, most: 3) == interval)
  }

  @Test("two sessions that went well show next to nothing, and clusters without trials nothing at all")
  func nothing() {
    #expect(shares([(0, 0)]) == ClusteredShare())
    #expect(ClusteredShare().interval(alpha: 0.01, most: 1) == 0...1)
    #expect(shares([(1, 1), (1, 1)]).interval(alpha: 0.001, most: 1).lowerBound < 0.1)
  }

  @Test("it is covered at least as often as stated, from the first clusters on", arguments: [2, 5, 20, 150])
  func coverage(clusters: Int) throws {
    var stream = try WordStream(seed: 11)
    var missed = 0
    for _ in 0..<400 {
      var tally = ClusteredShare()
      for _ in 0..<clusters {
        // A cluster is good, with 9 of 10 hits, or bad, with 5 of 10; the true share is 0.8.
        let isGood = stream.below(4) != 0
        let trials = 1 + Int(stream.below(8))
        let hits = (0..<trials).count { _ in stream.below(10) < (isGood ? 9 : 5) }
        tally.add(hits: hits, of: trials)
      }
      if !tally.interval(alpha: 0.1, most: 8).contains(0.8) { missed += 1 }
    }
    // 40 of 400 at most are expected, with a deviation of 6.
    #expect(missed <= 60)
  }

  @Test("merging obeys the law of tallies")
  func merging() {
    let samples = [shares([(1, 2)]), shares([(0, 5), (5, 5)]), shares([])]
    #expect(mergeLawViolation(among: samples, empty: ClusteredShare()) { $0.merge($1) } == nil)
  }
}

@Suite("Shares of sessions at any time") struct ShareAtAnyTimeTests {
  /// A wave of sessions of one to three trials, whose trials succeed or fail together in a fifth of them.
  private func wave(_ sessions: Int, failing: UInt32, _ stream: inout WordStream) -> ClusteredShare {
    var tally = ClusteredShare()
    for _ in 0..<sessions {
      let trials = 1 + Int(stream.below(3))
      let isTogether = stream.below(5) == 0
      let first = stream.below(100) >= failing ? 1 : 0
      let hits = isTogether ? first * trials : (0..<trials).count { _ in stream.below(100) >= failing }
      tally.add(hits: hits, of: trials)
    }
    return tally
  }

  @Test("a clear case is decided after few sessions, a close one stays open")
  func clearCases() throws {
    var stream = try WordStream(seed: 5)
    var good = ClusteredShare()
    var bad = ClusteredShare()
    var close = ClusteredShare()
    for _ in 0..<4 {
      good.merge(wave(500, failing: 0, &stream))
      bad.merge(wave(500, failing: 40, &stream))
      close.merge(wave(500, failing: 5, &stream))
    }
    #expect(good.verdict(target: 0.95, alpha: 0.001, most: 3) == .reached)
    #expect(bad.verdict(target: 0.95, alpha: 0.001, most: 3) == .missed)
    #expect(close.verdict(target: 0.95, alpha: 0.001, most: 3) == .open)
  }

  @Test("the interval says the same as the verdict, on either side of its ends")
  func agreement() throws {
    var stream = try WordStream(seed: 6)
    var sequence = ClusteredShare()
    for _ in 0..<6 { sequence.merge(wave(400, failing: 8, &stream)) }
    let interval = sequence.interval(alpha: 0.01, most: 3)
    #expect(interval.contains(0.92))
    #expect(interval.upperBound - interval.lowerBound < 0.06)
    #expect(sequence.verdict(target: interval.lowerBound - 2e-6, alpha: 0.01, most: 3) == .reached)
    #expect(sequence.verdict(target: interval.lowerBound + 2e-6, alpha: 0.01, most: 3) == .open)
    #expect(sequence.verdict(target: interval.upperBound - 2e-6, alpha: 0.01, most: 3) == .open)
    #expect(sequence.verdict(target: interval.upperBound + 2e-6, alpha: 0.01, most: 3) == .missed)
  }
}

@Suite("Verdicts at any time")
struct VerdictTests {
  /// Sessions of ten trials that all go the same way: as far from independent as can be.
  private func wave(_ sessions: Int, failing: UInt32, _ stream: inout WordStream) -> ClusteredShare {
    var tally = ClusteredShare()
    for _ in 0..<sessions { tally.add(hits: stream.below(100) >= failing ? 10 : 0, of: 10) }
    return tally
  }

  @Test("are wrong less often than alpha, though the trials of a session fail together and each wave is looked at")
  func together() throws {
    var stream = try WordStream(seed: 41)
    var wrong = (reached: 0, missed: 0)
    for _ in 0..<400 {
      var sequence = ClusteredShare()
      for _ in 0..<40 {
        sequence.merge(wave(8, failing: 10, &stream))
        // The true share is 0.9.
        let verdicts = [0.900_001, 0.899_999].map { sequence.verdict(target: $0, alpha: 0.2, most: 10) }
        if verdicts[0] == .reached { wrong.reached += 1 }
        if verdicts[1] == .missed { wrong.missed += 1 }
        if verdicts[0] == .reached || verdicts[1] == .missed { break }
      }
    }
    // Each side has half: 40 of 400, and four deviations of 6.
    #expect(wrong.reached <= 64 && wrong.missed <= 64)
  }

  @Test("the ends of an interval are themselves excluded, and half of alpha goes to each")
  func ends() throws {
    var stream = try WordStream(seed: 43)
    var sequence = ClusteredShare()
    for _ in 0..<5 { sequence.merge(wave(200, failing: 12, &stream)) }
    let interval = sequence.interval(alpha: 0.05, most: 10)
    #expect(sequence.verdict(target: interval.lowerBound, alpha: 0.05, most: 10) == .reached)
    #expect(sequence.verdict(target: interval.upperBound, alpha: 0.05, most: 10) == .missed)
    let wider = sequence.interval(alpha: 0.01, most: 10)
    #expect(wider.lowerBound < interval.lowerBound && interval.upperBound < wider.upperBound)
  }
}
