// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

@testable import LiveLab

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
