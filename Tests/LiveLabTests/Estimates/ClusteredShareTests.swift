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
    #expect(mergeLawViolation(among: samples, empty: ClusteredShare()) { $0.merge($1) } == nil)
  }
}

@Suite("Shares of clustered things, against numbers worked out by hand")
struct ClusteredShareExampleTests {
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

@Suite struct SuccessSequenceTests {
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
    var good = SuccessSequence(mostTrials: 3)
    var bad = SuccessSequence(mostTrials: 3)
    var close = SuccessSequence(mostTrials: 3)
    for _ in 0..<4 {
      good.absorb(wave: wave(500, failing: 0, &stream))
      bad.absorb(wave: wave(500, failing: 40, &stream))
      close.absorb(wave: wave(500, failing: 5, &stream))
    }
    #expect(good.verdict(target: 0.95, alpha: 0.001) == .reached)
    #expect(bad.verdict(target: 0.95, alpha: 0.001) == .missed)
    #expect(close.verdict(target: 0.95, alpha: 0.001) == .open)
  }

  @Test("the interval says the same as the verdict, on either side of its ends")
  func agreement() throws {
    var stream = try WordStream(seed: 6)
    var sequence = SuccessSequence(mostTrials: 3)
    for _ in 0..<6 { sequence.absorb(wave: wave(400, failing: 8, &stream)) }
    let interval = sequence.interval(alpha: 0.01)
    #expect(interval.contains(0.92))
    #expect(interval.upperBound - interval.lowerBound < 0.06)
    #expect(sequence.verdict(target: interval.lowerBound - 2e-6, alpha: 0.01) == .reached)
    #expect(sequence.verdict(target: interval.lowerBound + 2e-6, alpha: 0.01) == .open)
    #expect(sequence.verdict(target: interval.upperBound - 2e-6, alpha: 0.01) == .open)
    #expect(sequence.verdict(target: interval.upperBound + 2e-6, alpha: 0.01) == .missed)
  }

  @Test("looked at after each of many waves, the wrong verdict comes less often than alpha")
  func manyLooks() throws {
    var stream = try WordStream(seed: 7)
    var wrong = 0
    for _ in 0..<200 {
      var sequence = SuccessSequence(mostTrials: 3)
      for _ in 0..<12 {
        sequence.absorb(wave: wave(60, failing: 10, &stream))
        // The true share is 0.9, so either verdict about a target of 0.9 on the wrong side of it is wrong.
        if sequence.verdict(target: 0.9001, alpha: 0.1) == .reached
          || sequence.verdict(target: 0.8999, alpha: 0.1) == .missed
        {
          wrong += 1
          break
        }
      }
    }
    #expect(wrong <= 20)
  }

  @Test("before the first session nothing is known")
  func nothing() {
    let sequence = SuccessSequence(mostTrials: 1)
    #expect(sequence.interval(alpha: 0.01) == 0...1)
    #expect(sequence.verdict(target: 0.5, alpha: 0.5) == .open)
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
      var sequence = SuccessSequence(mostTrials: 10)
      for _ in 0..<40 {
        sequence.absorb(wave: wave(8, failing: 10, &stream))
        // The true share is 0.9.
        let verdicts = [0.900_001, 0.899_999].map { sequence.verdict(target: $0, alpha: 0.2) }
        if verdicts[0] == .reached { wrong.reached += 1 }
        if verdicts[1] == .missed { wrong.missed += 1 }
        if verdicts[0] == .reached || verdicts[1] == .missed { break }
      }
    }
    // Each side has half: 40 of 400, and four deviations of 6.
    #expect(wrong.reached <= 64 && wrong.missed <= 64)
  }

  @Test("a wave without a session changes nothing")
  func empty() throws {
    var stream = try WordStream(seed: 42)
    let some = wave(300, failing: 10, &stream)
    var (one, other) = (SuccessSequence(mostTrials: 10), SuccessSequence(mostTrials: 10))
    one.absorb(wave: some)
    other.absorb(wave: ClusteredShare())
    other.absorb(wave: some)
    other.absorb(wave: ClusteredShare())
    #expect(one.interval(alpha: 0.05) == other.interval(alpha: 0.05) && one.total == other.total)
  }

  @Test("the ends of an interval are themselves excluded, and half of alpha goes to each")
  func ends() throws {
    var stream = try WordStream(seed: 43)
    var sequence = SuccessSequence(mostTrials: 10)
    for _ in 0..<5 { sequence.absorb(wave: wave(200, failing: 12, &stream)) }
    let interval = sequence.interval(alpha: 0.05)
    #expect(sequence.verdict(target: interval.lowerBound, alpha: 0.05) == .reached)
    #expect(sequence.verdict(target: interval.upperBound, alpha: 0.05) == .missed)
    let wider = sequence.interval(alpha: 0.01)
    #expect(wider.lowerBound < interval.lowerBound && interval.upperBound < wider.upperBound)
  }

  @Test("a session has at least one trial: a sequence told less takes it for one")
  func least() {
    #expect(SuccessSequence(mostTrials: -3).mostTrials == 1)
  }
}
