// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo

/// Looks for failures of one profile that are too rare to be seen often enough: chooses a tilt by a pilot, then uses it
/// in sessions of their own.
struct RareSearch<Subject: LiveSubject> {
  private let trial: SimulationTrial
  private let profile: OutageProfile
  private let workers: Int
  private let interrupt: Interrupt?

  init(_ trial: SimulationTrial, _ profile: OutageProfile, workers: Int, interrupt: Interrupt?) {
    (self.trial, self.profile, self.workers, self.interrupt) = (trial, profile, workers, interrupt)
  }

  /// What tilted sessions say; nil after an interruption.
  func run(beside direct: ProfileTally) throws -> RareFailure? {
    var best: (bias: Double, variance: Double)?
    for bias in Self.biases {
      guard let pilot = try sessions(trial.tiltedSessions / 8, bias: bias, isPilot: true) else { return nil }
      // Fewer than five failures say too little of their spread.
      guard pilot.failures >= 5, let variance = pilot.relativeVariance else { continue }
      if best.map({ variance < $0.variance }) ?? true { best = (bias, variance) }
    }
    let bias = best?.bias ?? Longer.bias
    guard let tilted = try sessions(trial.tiltedSessions, bias: bias, isPilot: false) else { return nil }
    return try RareFailure(
      tilted, bias: bias, direct: (direct.troubledSessions, direct.sessions), confidence: 1 - trial.alpha)
  }

  private static var biases: [Double] { [MuchShorter.bias, Shorter.bias, Longer.bias, MuchLonger.bias] }

  private func sessions(_ count: Int, bias: Double, isPilot: Bool) throws -> WeightTally? {
    switch bias {
    case MuchShorter.bias: try sessions(count, MuchShorter.self, isPilot)
    case Shorter.bias: try sessions(count, Shorter.self, isPilot)
    case Longer.bias: try sessions(count, Longer.self, isPilot)
    default: try sessions(count, MuchLonger.self, isPilot)
    }
  }

  private func sessions<Tilting: Tilt>(_ count: Int, _: Tilting.Type, _ isPilot: Bool) throws -> WeightTally? {
    let plan = try BlockPlan(.rounds(count), roundsPerBlock: SimulationRun.sessionsPerBlock)
    let (trial, profile) = (trial, profile)
    let outcome = try BlockRunner(workers: workers).run(
      plan, into: WeightTally(), interrupt: interrupt,
      makeScratch: { () throws(any Error) -> TiltedSessions<Subject, Tilting> in
        try TiltedSessions(profile, settings: trial.client.settings, generator: trial.generator)
      },
      body: { (block, player: inout TiltedSessions<Subject, Tilting>) throws(any Error) -> WeightTally in
        var tally = WeightTally()
        let first = block.index * SimulationRun.sessionsPerBlock
        for session in first..<(first + block.rounds) {
          try player.play(seed: trial.seed(ofTilted: session, isPilot: isPilot), into: &tally)
        }
        return tally
      })
    return outcome.reason == .completed ? outcome.tally : nil
  }
}
