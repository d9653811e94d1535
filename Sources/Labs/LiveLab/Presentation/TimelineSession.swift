// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import Randomness

/// One session to be shown: whose, under which faults, and with what luck.
package struct TimelineSession: Sendable {
  /// The client.
  package let client: LiveVariant
  /// How it is set.
  package let settings: ConnectionSettings
  /// What goes wrong, and how long the session is.
  package let schedule: FaultSchedule
  /// The seed of all the session's randomness.
  package let seed: UInt32
  /// The name of a GSL generator.
  package let generator: String

  /// A session to be shown.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - settings: How it is set.
  ///   - schedule: What goes wrong, and how long the session is.
  ///   - seed: The seed of all the session's randomness.
  ///   - generator: The name of a GSL generator.
  package init(
    client: LiveVariant, settings: ConnectionSettings = ConnectionSettings(), schedule: FaultSchedule, seed: UInt32,
    generator: String = SessionRandom.defaultName
  ) {
    (self.client, self.settings, self.schedule) = (client, settings, schedule)
    (self.seed, self.generator) = (seed, generator)
  }

  /// The faults that a seed draws from a profile: those of the session that has this seed in a simulation.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - seed: The session's seed.
  ///   - generator: The name of a GSL generator.
  /// - Returns: The faults.
  /// - Throws: `RandomnessError` for an unknown generator, and a seed that it does not take.
  package static func schedule(
    of profile: OutageProfile, seed: UInt32, generator: String = SessionRandom.defaultName
  ) throws(RandomnessError) -> FaultSchedule {
    var random = try SessionRandom(seed: seed, generator: generator)
    return profile.schedule(using: &random)
  }

  /// Runs the session and keeps everything that happens in it.
  ///
  /// - Parameters:
  ///   - title: Whose session it is and under what.
  ///   - origin: What a reader should know of it, a sentence each.
  /// - Returns: The session, event by event.
  /// - Throws: `RandomnessError` for an unknown generator, and a seed that it does not take.
  package func timeline(title: String, origin: [String] = []) throws(RandomnessError) -> Timeline {
    try run(client.type, title: title, origin: origin)
  }

  private func run<Subject: LiveSubject>(
    _ subject: Subject.Type, title: String, origin: [String]
  ) throws(RandomnessError) -> Timeline {
    var session = try Session<Subject, TimelineRecorder>(
      settings: settings, witness: TimelineRecorder(), generator: generator)
    try session.run(schedule, seed: seed)
    return Timeline(
      title: title, origin: origin, schedule: schedule, steps: session.witness.steps, result: session.result,
      breach: session.witness.breach)
  }
}
