// SPDX-License-Identifier: GPL-3.0-or-later
import LiveLab
import MonteCarlo
import Randomness
import Scenarios
import TestSupport
import Testing

@Suite("Shares over sessions")
struct ClusteredShareTests {
  private func shares(_ clusters: [(Int, Int)]) -> ClusteredShare {
    clusters.reduce(into: ClusteredShare()) { $0.add(hits: $1.0, of: $1.1) }
  }

  @Test("an interval has a width even if all trials succeeded, and a session counts once however many trials it has")
  func allHits() {
    let (single, threefold) = (
      shares(Array(repeating: (1, 1), count: 100)), shares(Array(repeating: (3, 3), count: 100))
    )
    let interval = single.interval(alpha: 0.01, maximum: 1)
    #expect(interval.upperBound == 1 && (0.85...0.95).contains(interval.lowerBound))
    #expect(threefold.interval(alpha: 0.01, maximum: 3) == interval)
  }

  @Test("two successful sessions prove almost nothing, and clusters without trials nothing")
  func nothing() {
    #expect(shares([(0, 0)]) == ClusteredShare())
    #expect(ClusteredShare().interval(alpha: 0.01, maximum: 1) == 0...1)
    #expect(shares([(1, 1), (1, 1)]).interval(alpha: 0.001, maximum: 1).lowerBound < 0.1)
  }

  @Test("merging is associative and commutative")
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

  @Test("a clear case is decided after few sessions; a close one stays undecided")
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
    #expect(good.verdict(target: 0.95, alpha: 0.001, maximum: 3) == .holds)
    #expect(bad.verdict(target: 0.95, alpha: 0.001, maximum: 3) == .fails)
    #expect(close.verdict(target: 0.95, alpha: 0.001, maximum: 3) == .undecided)
  }

  @Test("the interval agrees with the verdict on either side of its ends")
  func agreement() throws {
    var stream = try WordStream(seed: 6)
    var sequence = ClusteredShare()
    for _ in 0..<6 { sequence.merge(wave(400, failing: 8, &stream)) }
    let interval = sequence.interval(alpha: 0.01, maximum: 3)
    #expect(interval.contains(0.92))
    #expect(interval.upperBound - interval.lowerBound < 0.06)
    #expect(sequence.verdict(target: interval.lowerBound - 2e-6, alpha: 0.01, maximum: 3) == .holds)
    #expect(sequence.verdict(target: interval.lowerBound + 2e-6, alpha: 0.01, maximum: 3) == .undecided)
    #expect(sequence.verdict(target: interval.upperBound - 2e-6, alpha: 0.01, maximum: 3) == .undecided)
    #expect(sequence.verdict(target: interval.upperBound + 2e-6, alpha: 0.01, maximum: 3) == .fails)
    // The ends are themselves excluded.
    #expect(sequence.verdict(target: interval.lowerBound, alpha: 0.01, maximum: 3) == .holds)
    #expect(sequence.verdict(target: interval.upperBound, alpha: 0.01, maximum: 3) == .fails)
    let wider = sequence.interval(alpha: 0.002, maximum: 3)
    #expect(wider.lowerBound < interval.lowerBound && interval.upperBound < wider.upperBound)
  }
}
