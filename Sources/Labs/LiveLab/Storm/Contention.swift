// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import MonteCarlo
internal import Randomness
package import Statistics

/// What jitter buys where clients contend for one thing: the time and the calls of each policy, for each number of
/// clients.
package struct Contention: Hashable, Sendable {
  /// What it depends on.
  package let settings: ContentionSettings

  /// A contention.
  ///
  /// - Parameter settings: What it depends on.
  /// - Throws: `LiveLabError.badValue` for what no contention can have.
  package init(_ settings: ContentionSettings) throws(LiveLabError) {
    try settings.check()
    self.settings = settings
  }

  /// How many repetitions `run` plays in all.
  package var repetitions: Int { settings.clients.count * settings.policies.count * settings.repetitions }

  /// Plays all policies for all numbers of clients. A repetition has a random stream of its own, the same for each.
  ///
  /// - Parameters:
  ///   - workers: How many threads share the work, 1 to 1024; they do not change what comes out.
  ///   - interrupt: Looked at after every block of repetitions.
  ///   - progress: Told of repetitions that have been played, on the thread that played them.
  /// - Returns: What came out, by numbers of clients and then by policies; up to an interruption.
  /// - Throws: `RandomnessError` for an unknown generator, `MonteCarloError` for a number of workers out of range.
  package func run(
    workers: Int = 1, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> ContentionFindings {
    let streams = try StreamFamily(rootSeed: settings.seed, experiments: ["contention"])
    let delay = try GaussianDistribution(
      mean: Double(settings.delay.nanoseconds), standardDeviation: Double(settings.deviation.nanoseconds))
    let plan = try BlockPlan(.rounds(settings.repetitions), roundsPerBlock: Self.repetitionsPerBlock)
    let runner = try BlockRunner(workers: workers)
    let generator = settings.generator
    var results: [ContentionResult] = []
    for clients in settings.clients {
      for policy in settings.policies {
        let course = ContentionCourse(policy: policy.policy, clients: clients, delay: delay)
        let outcome = try runner.run(
          plan, into: ContentionTally(), interrupt: interrupt,
          makeScratch: { () throws(RandomnessError) in try GSLGenerator(named: generator, seed: 1) },
          body: { (block, random: inout GSLGenerator) throws(RandomnessError) in
            var tally = ContentionTally()
            for repetition in 0..<block.rounds {
              let number = block.index * Self.repetitionsPerBlock + repetition
              try random.reseed(try streams.seed(experiment: "contention", block: number))
              tally.add(course.play(using: &random))
            }
            progress(block.rounds)
            return tally
          })
        guard outcome.reason == .completed else {
          return ContentionFindings(contention: self, results: results, isComplete: false)
        }
        results.append(
          ContentionResult(
            policy: policy.name, clients: clients, nanoseconds: outcome.tally.nanoseconds, calls: outcome.tally.calls))
      }
    }
    return ContentionFindings(contention: self, results: results, isComplete: true)
  }

  private static let repetitionsPerBlock = 5
}

/// Repetitions of one contention.
private struct ContentionTally: MergeableTally {
  var nanoseconds = MomentTally()
  var calls = MomentTally()

  mutating func add(_ run: (nanoseconds: Int64, calls: Int)) {
    nanoseconds.add(Int(run.nanoseconds))
    calls.add(run.calls)
  }

  mutating func merge(_ other: ContentionTally) {
    nanoseconds.merge(other.nanoseconds)
    calls.merge(other.calls)
  }
}

/// What a contention of so many clients of one policy came to.
package struct ContentionResult: Equatable, Sendable {
  /// The policy's name.
  package let policy: String
  /// How many clients there were.
  package let clients: Int
  /// When the last client knew that its write had succeeded, in each repetition, in nanoseconds.
  package let nanoseconds: MomentTally
  /// How many writes were tried in each repetition; `clients` of them succeeded.
  package let calls: MomentTally
}

/// What all contentions came to.
package struct ContentionFindings: Equatable, Sendable {
  /// What was asked.
  package let contention: Contention
  /// What came out, by numbers of clients and then by policies.
  package let results: [ContentionResult]
  /// Whether nothing was interrupted.
  package let isComplete: Bool
}
