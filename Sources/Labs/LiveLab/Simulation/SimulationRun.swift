// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo

/// Plays one session after another of one profile, each from a seed of its own.
protocol SessionPlayer: SendableMetatype, ~Copyable {
  /// Plays a session and adds what came of it.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - seed: The seed of all its randomness; nothing else, and no earlier session, may show in what comes of it.
  ///   - tally: Where it is counted.
  mutating func play(session: Int, seed: UInt32, into tally: inout ProfileTally) throws
}

/// Sessions of one profile, wave by wave, until they are all run or nothing is left to decide.
struct SimulationRun {
  /// Sessions that are run at a stretch.
  static let sessionsPerBlock = 64
  /// Blocks in the first wave: few, since clear cases are decided by some hundred sessions.
  static let firstWave = 8

  let workers: Int
  let interrupt: Interrupt?
  let progress: @Sendable (Int) -> Void
  let seed: @Sendable (Int) throws -> UInt32

  /// Runs the sessions of one profile.
  ///
  /// - Parameters:
  ///   - sessions: How many, at the most.
  ///   - mostOutages: No session has more judged outages than this.
  ///   - makePlayer: Makes what a worker plays with.
  ///   - isDecided: Looks after every wave; true ends the run.
  /// - Returns: What is known, and whether there is nothing left to run.
  func judge<Player: SessionPlayer & ~Copyable>(
    sessions: Int, mostOutages: Int, makePlayer: @escaping @Sendable () throws -> Player,
    isDecided: (ProfileJudge) -> Bool
  ) throws -> (judge: ProfileJudge, isComplete: Bool) {
    // The waves of a rule that looks at results, whether or not anything may end the run: the bounds at the end are
    // narrower for having looked on the way, and the result is the same where the last wave decides.
    let plan = try BlockPlan(
      .certification(atMost: sessions), roundsPerBlock: Self.sessionsPerBlock, firstWave: Self.firstWave)
    let runner = try BlockRunner(workers: workers)
    var judge = ProfileJudge(mostOutages: mostOutages)
    var done = 0
    while true {
      let wave = plan.wave(after: done)
      if wave.isEmpty { return (judge, true) }
      let run = try runner.run(
        blocks: wave, into: ProfileTally(), interrupt: interrupt,
        makeScratch: { () throws(any Error) -> Player in try makePlayer() },
        body: { (index, player: inout Player) throws(any Error) -> ProfileTally in
          let block = plan.block(index)
          var tally = ProfileTally()
          let first = index * Self.sessionsPerBlock
          for session in first..<(first + block.rounds) {
            try player.play(session: session, seed: seed(session), into: &tally)
          }
          progress(block.rounds)
          return tally
        })
      judge.absorb(wave: run.tally)
      done = run.blocks.upperBound
      if done < wave.upperBound { return (judge, false) }
      if isDecided(judge) { return (judge, true) }
    }
  }
}
