// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

@testable import LiveLab

@Suite("Shares of clustered things, against numbers worked out by hand")
struct JudgedSharesTests {
  private func shares(_ clusters: [(Int, Int)]) -> ClusteredShare {
    clusters.reduce(into: ClusteredShare()) { $0.add(hits: $1.0, of: $1.1) }
  }

  private func isNear(_ found: Double?, _ expected: Double, within error: Double = 1e-9) -> Bool {
    found.map { abs($0 - expected) < error } ?? false
  }

  @Test("an interval is Wilson's for the effective number of trials, with Student's quantile")
  func wilson() {
    // 80 of 100 single trials are worth 99; Student's quantile of 0.975 with 99 degrees of freedom is 1.984 216 95.
    let hundred = shares(Array(repeating: (1, 1), count: 80) + Array(repeating: (0, 1), count: 20))
    let interval = hundred.interval(confidence: 0.95)
    #expect(isNear(interval.lowerBound, 0.709_460_461, within: 1e-7))
    #expect(isNear(interval.upperBound, 0.867_590_867, within: 1e-7))
  }

  @Test("where nothing or all succeeded the interval ends at 0 or at 1 exactly, and lies within them always")
  func ends() {
    let none = shares(Array(repeating: (0, 7), count: 30)).interval(confidence: 0.99)
    let all = shares(Array(repeating: (7, 7), count: 30)).interval(confidence: 0.99)
    #expect(none.lowerBound == 0 && all.upperBound == 1)
    #expect(isNear(none.upperBound, 1 - all.lowerBound))
    let few = shares([(1, 1), (0, 1)]).interval(confidence: 0.999)
    #expect(few.lowerBound >= 0 && few.upperBound <= 1)
  }

  @Test(
    "the effective number is never above that of the trials, and where nothing varies counts clusters by their size")
  func effective() {
    // Two trials of which always one succeeds, but once: far steadier than independent ones.
    let steady = shares(Array(repeating: (1, 2), count: 50) + [(2, 2)])
    #expect(steady.effectiveTrials == 102)
    // Ten trials squared over 1 + 81.
    #expect(isNear(shares([(1, 1), (9, 9)]).effectiveTrials, 100 / 82.0))
  }

  @Test("a cluster's deviation from the share is what counts: the ratio's variance, worked out")
  func ratio() {
    // The share is 6 of 10; the deviations are 1 - 1.2, 2 - 2.4, 3 - 2.4.
    let three = shares([(1, 2), (2, 4), (3, 4)])
    #expect(isNear(three.standardError, ((0.04 + 0.16 + 0.36) * 3 / 2).squareRoot() / 10))
  }

  @Test("the boundary that may be looked at always is that of the asymptotic confidence sequence")
  func boundary() {
    func reach(_ confidence: Double, _ clusters: Int, _ first: Int) -> Double? {
      ClusteredShare.deviations(confidence: confidence, clusters: clusters, looks: .always(from: first))
    }
    #expect(isNear(reach(0.95, 100, 100), 3.035_208_990))
    #expect(isNear(reach(0.95, 1_000, 100), 3.241_723_145))
    #expect(isNear(reach(0.99, 50, 100), 3.612_623_306))
    #expect(reach(0.95, 7, 0) == reach(0.95, 7, 1) && isNear(reach(0.95, 7, 1), 3.194_860_229))
  }

  @Test("looked at after each of thirty waves, it excludes the truth less often than it says")
  func optionalStopping() throws {
    var stream = try WordStream(seed: 31)
    var excluded = (always: 0, once: 0)
    for _ in 0..<300 {
      var tally = ClusteredShare()
      var isOut = (always: false, once: false)
      for _ in 0..<30 {
        for _ in 0..<100 {
          // A cluster is good, with 9 of 10 hits, or bad, with 5 of 10; the true share is 0.8.
          let chance: UInt32 = stream.below(4) != 0 ? 9 : 5
          let trials = 1 + Int(stream.below(4))
          tally.add(hits: (0..<trials).count { _ in stream.below(10) < chance }, of: trials)
        }
        if !tally.interval(confidence: 0.9, looks: .always(from: 100)).contains(0.8) { isOut.always = true }
        if !tally.interval(confidence: 0.9).contains(0.8) { isOut.once = true }
      }
      excluded.always += isOut.always ? 1 : 0
      excluded.once += isOut.once ? 1 : 0
    }
    // At most 30 of 300 are expected, with a deviation of 5.2; the interval for one look is excluded far more often.
    #expect(excluded.always <= 46)
    #expect(excluded.once > 60)
  }
}
