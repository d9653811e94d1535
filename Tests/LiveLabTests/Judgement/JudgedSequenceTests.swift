// SPDX-License-Identifier: GPL-3.0-or-later
import Randomness
import Testing

@testable import LiveLab

@Suite("Verdicts at any time")
struct JudgedSequenceTests {
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
