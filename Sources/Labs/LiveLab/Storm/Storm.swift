// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import MonteCarlo
internal import Randomness

/// A server's return to all the clients that lost it.
///
/// While the server is down the clients know nothing of each other: blocks of them are played on several threads, each
/// with random words of its own. Where the returned server's capacity is limited it couples them, and one thread plays
/// what follows in the order of time. So the bytes are the same at any number of workers.
package struct Storm: Sendable {
  /// What the storm depends on beside the policy.
  package let settings: StormSettings

  private let streams: StreamFamily

  /// A storm.
  ///
  /// - Parameter settings: What it depends on.
  /// - Throws: `LiveLabError.badValue` for what no storm can have, `RandomnessError` for an unknown generator.
  package init(_ settings: StormSettings) throws {
    try settings.check()
    _ = try GSLGenerator(named: settings.generator, seed: 1)
    self.settings = settings
    streams = try StreamFamily(rootSeed: settings.seed, experiments: ["clients", "server"])
  }

  /// Plays the storm with clients of one policy. All policies meet the same losses of the connection.
  ///
  /// - Parameters:
  ///   - policy: What the clients follow.
  ///   - name: What people call it.
  ///   - workers: How many threads share the work, 1 to 1024.
  ///   - interrupt: Looked at after every block of clients, and while the server takes them back.
  ///   - progress: Told of clients that have come through the outage, on the thread that played them.
  /// - Returns: What came out; of fewer clients, or of less time, where it was interrupted.
  /// - Throws: `MonteCarloError` for a number of workers out of range.
  package func run(
    _ policy: Backoff, name: String, workers: Int = 1, interrupt: Interrupt? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> StormResult {
    let course = StormCourse(policy, settings)
    let (streams, generator) = (streams, settings.generator)
    let plan = try BlockPlan(.rounds(settings.clients), roundsPerBlock: Self.clientsPerBlock)
    let outcome = try BlockRunner(workers: workers).run(
      plan, into: StormBlock(tally: StormTally(course.bins)), interrupt: interrupt,
      makeScratch: { () throws(RandomnessError) in try DrawnWords(generator: generator, seed: 1) },
      body: { (block, words: inout DrawnWords) throws(RandomnessError) in
        try words.reseed(try streams.seed(experiment: "clients", block: block.index))
        var (tally, pending) = (StormTally(course.bins), [StormClient]())
        let first = block.index * Self.clientsPerBlock
        course.play(first..<first + block.rounds, words: &words, tally: &tally, pending: &pending)
        progress(block.rounds)
        return StormBlock(tally: tally, pending: [block.index: pending])
      })
    var tally = outcome.tally.tally
    var isComplete = outcome.reason == .completed
    if course.isLimited {
      var words = try DrawnWords(generator: generator, seed: try streams.seed(experiment: "server", block: 0))
      let pending = (0..<outcome.blocks).flatMap { outcome.tally.pending[$0] ?? [] }
      var server = StormServer(course, settings, pending)
      if !server.run(words: &words, tally: &tally, interrupt: interrupt) { isComplete = false }
    }
    return StormResult(name, settings, tally, isComplete: isComplete)
  }

  private static let clientsPerBlock = 16_384
}
