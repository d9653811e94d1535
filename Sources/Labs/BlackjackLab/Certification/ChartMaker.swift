// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Scenarios
internal import Statistics

/// Makes a strategy chart by playing every action of every cell until the best is certain.
///
/// The order of the cells is such that later play is already known: hard 19 down to 12, soft 20 down to 13, hard 11
/// down to 5, the pairs last. A pair that comes again after a split is first assumed to be split again; if it is not,
/// the cell is played again with the decision. Ready cells are played in waves; after each wave every cell asks for as
/// many samples as its closest decision needs. A cell's samples depend on its own results alone, so the chart is the
/// same at any number of workers. Cells have waves of different lengths and no number of samples that is fixed
/// beforehand, so that they share no more than a `BlockRunner` with a `BatchedExperiment`.
struct ChartMaker: Sendable {
  private let rules: Rules
  private let simulation: Provenance.SimulationSettings
  private let streams: StreamFamily
  static let samplesPerBlock = 4096

  /// Requires rules with a fresh shoe every round, a confidence above 0.5, and an indifference of at least ten units of
  /// the tallies.
  init(rules: Rules, simulation: Provenance.SimulationSettings) throws {
    (self.rules, self.simulation) = (rules, simulation)
    let names = ChartCellKey.all.map(\.description)
    streams = try StreamFamily(rootSeed: simulation.seed, experiments: names + names.map { $0 + ", not split again" })
    // Throws here, not in a worker, if the generator is unknown.
    _ = try GSLGenerator(named: simulation.generator, seed: 1)
  }

  /// Plays until every cell is decided or until interrupted; open cells are reported as undecided.
  func make(on context: RunContext) throws -> ChartResult {
    let error = (1 - simulation.confidence) / Double(ChartCellKey.all.count)
    let cells = try decide(ChartCellKey.all, error: error, on: context)
    return ChartResult(provenance: Provenance(rules: rules, simulation: simulation), cells: cells)
  }

  /// Decides some cells of the chart; they must fill whole columns.
  func decide(_ keys: [ChartCellKey], error: Double, on context: RunContext) throws -> [ChartCell] {
    let meter = context.meter(nil, "rounds")
    defer { meter?.finish() }
    var cells = try keys.map {
      try CellCertification($0, rules: rules, error: error, indifference: simulation.indifference)
    }
    let prerequisites = keys.map { CellCertification.prerequisites(of: $0).compactMap(keys.firstIndex) }
    let players = PlayerPool(rules: rules, simulation: simulation)
    while case let ready = Self.ready(cells, prerequisites), !ready.isEmpty {
      // A cell that has exhausted its random streams stays undecided; the others continue.
      let exhausted = ready.filter {
        cells[$0].blocks + cells[$0].nextWave / Self.samplesPerBlock >= streams.blocksPerExperiment
      }
      for index in exhausted { cells[index].giveUp() }
      if !exhausted.isEmpty { continue }
      let chart = cells.reduce(into: StrategyChart()) { $0[$1.key] = $1.decision?.cell }
      let jobs = try ready.flatMap { try self.jobs(for: $0, cells[$0]) }
      let wave = try play(jobs, of: cells, following: chart, by: players, on: context, meter)
      // Blocks played before an interruption count: the interruption did not depend on any cell's results.
      for index in ready {
        guard let tally = wave.tally.cells[index] else { continue }
        cells[index].absorb(tally, blocks: jobs.prefix(wave.blocks.count).count { $0.cell == index })
      }
      meter?.say("\(cells.count { $0.decision != nil }) of \(keys.count) cells decided")
      if wave.blocks.count < jobs.count { break }
    }
    return cells.map { $0.report() }
  }

  private static func ready(_ cells: [CellCertification], _ prerequisites: [[Int]]) -> [Int] {
    cells.indices.filter { index in
      cells[index].decision == nil && prerequisites[index].allSatisfy { cells[$0].decision != nil }
    }
  }

  private struct Job: Sendable {
    let cell: Int
    let actions: [Action]
    let samples: Int
    let seed: UInt32
  }

  private func jobs(for index: Int, _ cell: CellCertification) throws -> [Job] {
    let (actions, samples) = (cell.open, cell.nextWave)
    let blocks = (samples + Self.samplesPerBlock - 1) / Self.samplesPerBlock
    return try (0..<blocks).map { block in
      Job(
        cell: index, actions: actions, samples: min(samples, Self.samplesPerBlock),
        seed: try streams.seed(ordinal: cell.experiment, block: cell.blocks + block))
    }
  }

  /// Plays a wave; an interrupted wave has fewer blocks.
  private func play(
    _ jobs: [Job], of cells: [CellCertification], following chart: StrategyChart, by players: PlayerPool,
    on context: RunContext, _ meter: ProgressMeter?
  ) throws -> BlockRunner.Run<WaveTally> {
    try BlockRunner(workers: context.workers).run(
      blocks: 0..<jobs.count, into: WaveTally(), interrupt: context.interrupt, samples: { jobs[$0].samples },
      progress: { meter?.advance(by: $0) }, makeScratch: { () throws(any Error) in },
      body: { (index, _: inout Void) throws(any Error) -> WaveTally in
        let job = jobs[index]
        let cell = cells[job.cell]
        var following = chart
        if let assumption = cell.assumption { following[cell.key] = assumption }
        let tally = try players.play(
          cell.start, actions: job.actions, following: following, samples: job.samples, seed: job.seed)
        return WaveTally(cells: [job.cell: tally])
      })
  }
}

private struct WaveTally: MergeableTally {
  var cells: [Int: CellTally] = [:]

  mutating func merge(_ other: WaveTally) { cells.merge(other.cells) { $0.merged(with: $1) } }
}
