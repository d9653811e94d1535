// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Reporting
import Scenarios
import Synchronization
import Testing

@testable import Sampling

/// Coins thrown by the handful, which are counted and not kept.
private struct Handfuls: BatchedExperiment {
  struct Counts: MergeableTally {
    var heads = 0
    var handfuls = 0

    mutating func merge(_ other: Self) {
      heads += other.heads
      handfuls += other.handfuls
    }
  }

  static let kind = "coins.handfuls"
  static let summary = "Coins thrown by the handful."
  static let samplesName = "coins"
  static let samplesPerBatch = 3
  static let parameters: [Parameter<Self>] = []
  private static let heads: [MeasureRow<SampledRun<Counts>>] = [
    .proportion("heads", "Coins that show heads.") { ($0.tally.heads, $0.samples) }
  ]
  static let surveys = Atomic(0)

  func tally() -> Counts { Counts() }
  func scratch(generator: String) throws -> UncopiedScratch<RandomStream> {
    UncopiedScratch(try RandomStream(named: generator, seed: 1))
  }

  func draw(_ batch: SampleBatch, _ random: inout UncopiedScratch<RandomStream>, into counts: inout Counts) throws {
    try random.state.reseed(batch.seed())
    for _ in batch.samples where random.state.happens(0.5) { counts.heads += 1 }
    counts.handfuls += 1
  }

  func tallied(at confidence: Double) -> [Measure] { Self.heads.measures() }

  private func survey(_ run: SampledRun<Counts>) -> String {
    run.once {
      Self.surveys.add(1, ordering: .relaxed)
      return "\(run.tally.heads) heads"
    }
  }

  func measurements(of run: SampledRun<Counts>) -> [Measurement] {
    survey(run).isEmpty ? [] : Self.heads.measurements(in: run)
  }

  func sections(of run: SampledRun<Counts>) -> [ReportBlock] { [.paragraph(survey(run))] }
  func data(of run: SampledRun<Counts>) -> [JSONMember] { [JSONMember("handfuls", .integer(run.tally.handfuls))] }
}

@Suite("Samples that are drawn in batches", .serialized)
struct BatchTests {
  @Test("a batch has the number of samples that the experiment states; the last one has the rest")
  func sizes() throws {
    let result = try Handfuls.scenario("coins: 1000").run(on: RunContext(workers: 2))
    #expect(result.data == ["samples": .integer(1000), "handfuls": .integer(334)])
    #expect(try Handfuls.scenario("coins: 1000").run(on: RunContext(workers: 1)).measurements == result.measurements)
    #expect(try result.measurements["heads"].interval(at: 0.999).contains(0.5))
  }

  @Test("blocks hold whole batches of any size, and grow with the number of samples")
  func blocks() {
    #expect(SampleBlocks.samplesPerBlock(of: 40, perStream: 1) == 1)
    #expect(SampleBlocks.samplesPerBlock(of: 10_000, perStream: 3) == 3)
    #expect(SampleBlocks.samplesPerBlock(of: 1_000_000_000, perStream: 64) == 65_536)
    #expect(SampleBlocks.samplesPerBlock(of: 1_000_000_000, perStream: 1 << 18) == 1 << 18)
  }

  @Test("what both the measures and the sections need is computed once")
  func once() throws {
    let before = Handfuls.surveys.load(ordering: .relaxed)
    let result = try Handfuls.scenario("coins: 100").run(on: RunContext(workers: 1))
    #expect(Handfuls.surveys.load(ordering: .relaxed) == before + 1)
    #expect(result.document.text().contains(" heads\n"))
  }
}
