// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Randomness
internal import Statistics

/// Makes a strategy chart from the rules alone, by playing every action of every cell until the best is certain.
///
/// Cells are decided in an order in which what follows a first action is known already: hard 19 down to 12, soft 20
/// down to 13, hard 11 down to 5, the pairs last; a pair that comes again after a split is first taken to be split
/// again, and played again with what was decided if it is not. Cells whose turn has come are played in waves; after
/// each wave every cell asks for as many samples as its closest decision needs. Which samples a cell gets depends on
/// its own results alone, so the chart is the same at any number of workers.
struct ChartMaker: Sendable {
  let provenance: Provenance
  private let simulation: Provenance.Simulation
  private let rules: Rules
  private let runner: BlockRunner
  private let streams: StreamFamily
  static let samplesPerBlock = 4096

  struct Progress: Sendable {
    let samples: Int
    let decided: Int
  }

  /// The rules have a fresh shoe every round; the confidence is above 0.5, the indifference at least ten units of the
  /// tallies.
  init(rules: Rules, simulation: Provenance.Simulation, workers: Int) throws {
    provenance = Provenance(rules: rules, simulation: simulation)
    self.simulation = simulation
    self.rules = rules
    runner = try BlockRunner(workers: workers)
    let names = ChartCellKey.all.map(\.description)
    streams = try StreamFamily(rootSeed: simulation.seed, experiments: names + names.map { $0 + ", not split again" })
    // Fails now, not in a worker, if the generator is unknown.
    _ = try GSLGenerator(named: simulation.generator, seed: 1)
  }

  /// Plays until every cell is decided, or until interrupted; the cells open then are reported as undecided.
  func make(interrupt: Interrupt? = nil, progress: (Progress) -> Void = { _ in }) throws -> ChartResult {
    let error = (1 - simulation.confidence) / Double(ChartCellKey.all.count)
    let cells = try decide(ChartCellKey.all, error: error, interrupt: interrupt, progress: progress)
    return ChartResult(provenance: provenance, cells: cells)
  }

  /// Decides some cells of the chart, those of whole upcards.
  func decide(
    _ keys: [ChartCellKey], error: Double, interrupt: Interrupt? = nil, progress: (Progress) -> Void = { _ in }
  ) throws -> [ChartCell] {
    var cells = try keys.map {
      try CellCertification($0, rules: rules, error: error, indifference: simulation.indifference)
    }
    let prerequisites = keys.map { CellCertification.prerequisites(of: $0).compactMap(keys.firstIndex) }
    let players = PlayerPool(rules: rules, estimator: simulation.estimator, generator: simulation.generator)
    var chart = StrategyChart()
    var samples = 0
    while case let ready = Self.ready(cells, prerequisites), !ready.isEmpty {
      // A cell that has exhausted its random streams stays undecided; the others go on.
      for index in ready
      where cells[index].blocks + cells[index].nextWave / Self.samplesPerBlock
        >= streams.blocksPerExperiment
      {
        cells[index].giveUp()
        if let decision = cells[index].decision { chart[cells[index].key] = decision.cell }
      }
      if ready.contains(where: { cells[$0].decision != nil }) { continue }
      let wave = try Wave(of: ready.map { cells[$0] }, streams: streams)
      let (tallies, played) = try play(wave, following: chart, by: players, interrupt: interrupt)
      // What was played before an interruption counts: where it ended was not chosen by looking at any cell.
      for (place, index) in ready.enumerated() where played == wave.jobs.count || !tallies[place].isEmpty {
        try cells[index].absorb(tallies[place], blocks: wave.blocks(of: place, inFirst: played))
        if let decision = cells[index].decision { chart[cells[index].key] = decision.cell }
        samples += tallies[place].values.first?.count ?? 0
      }
      progress(Progress(samples: samples, decided: cells.count { $0.decision != nil }))
      if played < wave.jobs.count { break }
    }
    return cells.map { $0.report() }
  }

  private static func ready(_ cells: [CellCertification], _ prerequisites: [[Int]]) -> [Int] {
    cells.indices.filter { index in
      cells[index].decision == nil && prerequisites[index].allSatisfy { cells[$0].decision != nil }
    }
  }

  /// Plays a wave; fewer of its blocks than there are where it was interrupted.
  private func play(
    _ wave: Wave, following chart: StrategyChart, by players: PlayerPool, interrupt: Interrupt?
  ) throws -> (tallies: [CellTally], blocks: Int) {
    let run = try runner.run(
      blocks: 0..<wave.jobs.count, into: WaveTally(cells: wave.cells.map { CellTally(actions: $0.actions) }),
      interrupt: interrupt, makeScratch: { () throws(any Error) -> BorrowedPlayer in try players.borrow() },
      body: { (index, player: inout BorrowedPlayer) throws(any Error) -> WaveTally in
        let job = wave.jobs[index]
        let cell = wave.cells[job.cell]
        var following = chart
        if let assumption = cell.assumption { following[cell.key] = assumption }
        let tally = try player.play(
          cell.start, actions: cell.actions, following: following, samples: job.samples, seed: job.seed)
        return WaveTally(cell: job.cell, tally)
      })
    return (run.tally.cells, run.blocks.count)
  }
}

private struct Wave: Sendable {
  struct Cell: Sendable {
    let key: ChartCellKey
    let start: CellStart
    let actions: [Action]
    let assumption: StrategyChart.Cell?
  }

  struct Job: Sendable {
    let cell: Int
    let samples: Int
    let seed: UInt32
  }

  let cells: [Cell]
  let jobs: [Job]

  init(of cases: [CellCertification], streams: StreamFamily) throws {
    cells = cases.map { Cell(key: $0.key, start: $0.start, actions: $0.open, assumption: $0.assumption) }
    var jobs: [Job] = []
    for (place, cell) in cases.enumerated() {
      let samples = cell.nextWave
      let count = (samples + ChartMaker.samplesPerBlock - 1) / ChartMaker.samplesPerBlock
      for block in 0..<count {
        let seed = try streams.seed(ordinal: cell.experiment, block: cell.blocks + block)
        jobs.append(Job(cell: place, samples: min(samples, ChartMaker.samplesPerBlock), seed: seed))
      }
    }
    self.jobs = jobs
  }

  func blocks(of cell: Int, inFirst count: Int) -> Int { jobs.prefix(count).count { $0.cell == cell } }
}

private struct WaveTally: MergeableTally {
  private(set) var cells: [CellTally]
  private var only: Int?

  init(cells: [CellTally]) {
    self.cells = cells
  }

  init(cell: Int, _ tally: CellTally) {
    cells = [tally]
    only = cell
  }

  mutating func merge(_ other: WaveTally) {
    if let only = other.only {
      cells[only].merge(other.cells[0])
    } else {
      for index in cells.indices { cells[index].merge(other.cells[index]) }
    }
  }
}

/// How the actions of a cell are compared.
enum Estimator: String, CaseIterable, Hashable, Sendable {
  /// Every action is played with cards of its own.
  case plain
  /// All actions of a sample are played with the same cards: the player's from one sequence, the dealer's from another.
  case paired
  /// As `paired`, and in place of one hand of the dealer the chances of all of them, given the cards that the player
  /// saw.
  case conditional
}
