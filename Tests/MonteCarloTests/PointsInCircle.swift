// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Statistics

/// The experiment of these tests: pi by throwing points at a square. A block's stream comes from its index alone.
struct PointsInCircle: Sendable {
  let streams: StreamFamily

  init(rootSeed: UInt64 = 2026) throws {
    streams = try StreamFamily(rootSeed: rootSeed, experiments: ["circle"])
  }

  func makeScratch() throws -> WordStream {
    try WordStream(named: "taus2", seed: 1)
  }

  /// One point for each of the block's rounds: 1 inside the quarter circle, 0 outside.
  func play(_ block: Block, _ words: inout WordStream) throws -> MomentTally {
    try words.reseed(streams.seed(ordinal: 0, block: block.index))
    var tally = MomentTally()
    for _ in 0..<block.rounds {
      let x = words.unitInterval()
      let y = words.unitInterval()
      tally.add(x * x + y * y < 1 ? 1 : 0)
    }
    return tally
  }

  func run(
    _ plan: BlockPlan, workers: Int, interrupt: Interrupt? = nil, progress: ProgressMeter? = nil,
    afterBlock: @escaping @Sendable (Block) -> Void = { _ in }, judge: (Wave<MomentTally>) -> Bool = { _ in false }
  ) throws -> RunOutcome<MomentTally> {
    try BlockRunner(workers: workers).run(
      plan, into: MomentTally(), interrupt: interrupt, progress: progress, makeScratch: { try makeScratch() },
      body: { (block, words: inout WordStream) in
        let tally = try play(block, &words)
        afterBlock(block)
        return tally
      }, judge: judge)
  }
}
