// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Statistics
import Testing

@Suite("Knowing when to stop")
struct StoppingTests {
  @Test("An interrupted run is a prefix: as many rounds asked for outright give the same bits", arguments: [1, 2, 7])
  func interruptedPrefix(workers: Int) throws {
    let interrupt = Interrupt()
    let circle = try PointsInCircle()
    let stopped = try circle.run(
      BlockPlan(.rounds(10_000_000), roundsPerBlock: 500), workers: workers, interrupt: interrupt,
      afterBlock: { if $0.index == 20 { interrupt.raise() } })
    #expect(stopped.reason == .interrupted)
    #expect(stopped.blocks >= 21)
    #expect(stopped.rounds == 500 * stopped.blocks)
    let again = try circle.run(BlockPlan(.rounds(stopped.rounds), roundsPerBlock: 500), workers: 3)
    #expect(again.tally == stopped.tally)
    #expect(again.reason == .completed)
  }

  @Test("An interrupt raised before the start lets nothing be played")
  func interruptedBeforehand() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let outcome = try PointsInCircle().run(
      BlockPlan(.rounds(1000), roundsPerBlock: 10), workers: 2, interrupt: interrupt)
    #expect(outcome.reason == .interrupted)
    #expect(outcome.tally == MomentTally())
    #expect(outcome.rounds == 0)
  }

  @Test("The first interrupt stops at a block's end, any further one at once")
  func interruptTwice() {
    let interrupt = Interrupt()
    #expect(!interrupt.isRaised)
    #expect(interrupt.raise() == .stopAtBlockEnd)
    #expect(interrupt.isRaised)
    #expect(interrupt.raise() == .exitNow)
    #expect(interrupt.raise() == .exitNow)
    #expect(interrupt.cause == .interrupted && interrupt.cause?.rawValue == 130)
  }

  @Test("Who raised an interrupt first is its cause, and 128 and the signal's number its exit code")
  func cause() {
    let interrupt = Interrupt()
    #expect(interrupt.cause == nil)
    #expect(interrupt.raise(.terminated) == .stopAtBlockEnd)
    #expect(interrupt.raise(.interrupted) == .exitNow)
    #expect(interrupt.cause == .terminated && interrupt.cause?.rawValue == 143)
  }

  @Test("A half-width is reached after the same block at any number of workers", arguments: [1, 2, 7])
  func halfWidth(workers: Int) throws {
    let target = 0.02
    func stop(workers: Int) throws -> (RunOutcome<MomentTally>, HalfWidthJudge) {
      var judge = try HalfWidthJudge(
        target: target, confidence: 0.99, sequence: ConfidenceSequence(range: 0...1, unit: 1))
      let plan = try BlockPlan(
        .halfWidth(target, confidence: 0.99, atMost: 1_000_000), roundsPerBlock: 100, firstWave: 4)
      let outcome = try PointsInCircle().run(plan, workers: workers, judge: { judge.isMet(after: $0.tally) })
      return (outcome, judge)
    }
    let (alone, _) = try stop(workers: 1)
    let (together, judge) = try stop(workers: workers)
    #expect(together.reason == .settled)
    #expect(together.blocks == alone.blocks)
    #expect(together.tally == alone.tally)
    #expect(together.rounds < 100_000)
    #expect(judge.interval.contains(.pi / 4))
    #expect(judge.interval.upperBound - judge.interval.lowerBound <= 2 * target)
  }

  @Test("A target out of reach ends with the most rounds allowed")
  func outOfReach() throws {
    let plan = try BlockPlan(.certification(atMost: 12_345), roundsPerBlock: 100, firstWave: 3)
    var seen: [Int] = []
    var sum = MomentTally()
    let outcome = try PointsInCircle().run(
      plan, workers: 2,
      judge: { wave in
        seen.append(wave.rounds)
        sum.merge(wave.tally)
        #expect(sum == wave.total)
        return false
      })
    #expect(outcome.reason == .completed)
    #expect(outcome.rounds == 12_345)
    #expect(seen.last == 12_345)
    #expect(seen == seen.sorted())
    #expect(sum == outcome.tally)
  }

  @Test("A deadline already past still gives one block, and a prefix", arguments: [1, 2])
  func deadline(workers: Int) throws {
    let circle = try PointsInCircle()
    let outcome = try circle.run(
      BlockPlan(.deadline(.nanoseconds(1)), roundsPerBlock: 100), workers: workers)
    #expect(outcome.reason == .deadline)
    #expect(outcome.blocks >= 1)
    let again = try circle.run(BlockPlan(.rounds(outcome.rounds), roundsPerBlock: 100), workers: 1)
    #expect(again.tally == outcome.tally)
  }
}
