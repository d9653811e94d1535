// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Testing

@Suite("Cutting an experiment into blocks")
struct BlockPlanTests {
  @Test("The blocks hold the rounds asked for, the last one what is left over", arguments: 1...40, [1, 7, 10])
  func partition(rounds: Int, roundsPerBlock: Int) throws {
    let plan = try BlockPlan(.rounds(rounds), roundsPerBlock: roundsPerBlock)
    let blocks = (0..<plan.mostBlocks).map(plan.block)
    #expect(blocks.map(\.rounds).reduce(0, +) == rounds)
    #expect(blocks.dropLast().allSatisfy { $0.rounds == roundsPerBlock })
    #expect(blocks.allSatisfy { $0.rounds > 0 })
    for done in 0...blocks.count {
      #expect(plan.rounds(inFirst: done) == blocks.prefix(done).map(\.rounds).reduce(0, +))
    }
  }

  @Test("A number of rounds is one wave: nobody looks at results before the end")
  func oneWave() throws {
    let plan = try BlockPlan(.rounds(1_000_000), roundsPerBlock: 10)
    #expect(plan.wave(after: 0) == 0..<100_000)
    #expect(plan.wave(after: 100_000).isEmpty)
  }

  @Test("Waves follow each other without a gap, and overshoot by a quarter at most", arguments: [1, 5, 16])
  func waves(firstWave: Int) throws {
    let plan = try BlockPlan(
      .halfWidth(0.1, confidence: 0.9, atMost: 100_000), roundsPerBlock: 10, firstWave: firstWave)
    var done = 0
    while true {
      let wave = plan.wave(after: done)
      if wave.isEmpty { break }
      #expect(wave.lowerBound == done)
      #expect(wave.count <= max(firstWave, done / 4))
      done = wave.upperBound
    }
    #expect(done == plan.mostBlocks)
  }

  @Test(
    "Numbers that make no sense are refused by name",
    arguments: [
      (StoppingRule.rounds(0), "rounds"), (.rounds(-5), "rounds"),
      (.halfWidth(0, confidence: 0.9, atMost: 1), "half-width"),
      (.halfWidth(.nan, confidence: 0.9, atMost: 1), "half-width"),
      (.halfWidth(1, confidence: 1, atMost: 1), "confidence"),
      (.halfWidth(1, confidence: 0.9, atMost: 0), "most rounds"),
      (.deadline(.zero), "deadline"), (.certification(atMost: 0), "most rounds"),
    ])
  func refused(rule: StoppingRule, name: String) {
    let error = #expect(throws: MonteCarloError.self) { try BlockPlan(rule, roundsPerBlock: 10) }
    #expect(error?.description.hasPrefix("\(name) is ") == true)
  }

  @Test("An empty block or an empty first wave is refused")
  func refusedShapes() {
    #expect(throws: MonteCarloError.self) { try BlockPlan(.rounds(10), roundsPerBlock: 0) }
    #expect(throws: MonteCarloError.self) { try BlockPlan(.rounds(10), roundsPerBlock: 1, firstWave: 0) }
  }
}
