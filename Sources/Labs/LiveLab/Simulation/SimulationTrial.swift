// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore
internal import Randomness

/// A client tried by the session under named outages, until it is known how often it comes back in time.
///
/// A session's seed follows from the trial's seed and the session's number alone: the same number has the same seed
/// under every profile, subject and policy, so that comparisons share their luck. Tallies are whole numbers, so the
/// result is the same at any number of workers.
package struct SimulationTrial: Sendable {
  /// The most sessions of one trial.
  package static let mostSessions = 1_000_000_000
  /// The most tilted sessions of one profile.
  package static let mostTiltedSessions = 100_000

  /// The outages.
  package let profiles: [OutageProfile]
  /// The client.
  package let client: SimulatedClient
  /// How many sessions there are at the most, shared evenly among the profiles.
  package let sessions: Int
  /// Whether a profile's sessions end as soon as it is known on which side of the target it is.
  package let endsWhenDecided: Bool
  /// The share of outages from which the client should be back in time.
  package let target: Double
  /// Of all profiles' intervals together, whenever one looks; and of those by cause together.
  package let confidence: Double
  /// How many tilted sessions of each profile look for failures that are rare; 0 for none.
  package let tiltedSessions: Int
  /// The root of all random streams.
  package let seed: UInt64
  /// The name of a GSL generator.
  package let generator: String

  private let streams: StreamFamily
  private let tiltedStreams: StreamFamily

  /// A trial.
  ///
  /// - Parameters:
  ///   - profiles: The outages, each once.
  ///   - client: The client.
  ///   - sessions: How many sessions there are at the most, two for each profile at the least.
  ///   - endsWhenDecided: Whether a profile's sessions end as soon as it is known on which side of the target it is.
  ///   - target: The share of outages from which the client should be back in time, above 0 and below 1.
  ///   - confidence: Of all profiles' intervals together, above 0.5 and below 1.
  ///   - tiltedSessions: How many tilted sessions of each profile look for failures that are rare; 0 for none.
  ///   - seed: The root of all random streams.
  ///   - generator: The name of a GSL generator.
  /// - Throws: `LiveLabError` for a number out of range, a profile given twice and one in which no attempt could
  ///   succeed; `RandomnessError` for an unknown generator.
  package init(
    profiles: [OutageProfile], client: SimulatedClient, sessions: Int = 100_000,
    endsWhenDecided: Bool = true, target: Double = 0.95, confidence: Double = 0.99, tiltedSessions: Int = 0,
    seed: UInt64 = 1, generator: String = SessionRandom.defaultName
  ) throws {
    try Self.check(profiles, client.settings)
    func require(_ holds: Bool, _ field: String, _ found: some CustomStringConvertible, _ expected: String) throws {
      guard holds else { throw LiveLabError.badValue(field: field, found: "\(found)", expected: expected) }
    }
    let least = 2 * profiles.count
    try require(
      (least...Self.mostSessions).contains(sessions), "sessions", sessions, "\(least) to \(Self.mostSessions)")
    try require(target > 0 && target < 1, "target", target, "a share between 0 and 1, for example 0.95")
    try require(confidence > 0.5 && confidence < 1, "confidence", confidence, "above 0.5 and below 1")
    let tilted = [0...0, 100...Self.mostTiltedSessions]
    try require(
      tilted.contains { $0.contains(tiltedSessions) }, "rare", tiltedSessions,
      "0 for none, or 100 to \(Self.mostTiltedSessions)")
    _ = try SessionRandom(seed: 1, generator: generator)
    (self.profiles, self.client, self.sessions) = (profiles, client, sessions)
    (self.endsWhenDecided, self.target, self.confidence) = (endsWhenDecided, target, confidence)
    (self.tiltedSessions, self.seed, self.generator) = (tiltedSessions, seed, generator)
    streams = try StreamFamily(rootSeed: seed, experiments: ["sessions"])
    // What chooses and uses a tilt shares no luck with the sessions it is compared with.
    tiltedStreams = try StreamFamily(rootSeed: seed ^ 0x7469_6C74, experiments: ["tilted", "pilot"])
  }

  private static func check(_ profiles: [OutageProfile], _ settings: ConnectionSettings) throws(LiveLabError) {
    guard !profiles.isEmpty else {
      throw .badValue(field: "profiles", found: "none", expected: "at least one")
    }
    var names: Set<String> = []
    for profile in profiles {
      guard names.insert(profile.name).inserted else {
        throw .badValue(field: "profiles", found: "'\(profile.name)' twice", expected: "each profile once")
      }
      try check(profile, settings)
    }
  }

  /// Refuses a profile in which no attempt could succeed: there is nothing to judge.
  static func check(_ profile: OutageProfile, _ settings: ConnectionSettings) throws(LiveLabError) {
    guard case .cannotSucceed(let why) = profile.prospect(under: settings) else { return }
    throw .badValue(
      field: "profiles", found: "'\(profile.name)', in which no client can succeed: \(why)",
      expected: "a profile in which an attempt could succeed; there is nothing to judge in this one")
  }

  /// How many sessions a profile has at the most; the first ones have one more where they cannot be shared evenly.
  func sessions(ofProfile place: Int) -> Int {
    sessions / profiles.count + (place < sessions % profiles.count ? 1 : 0)
  }

  /// The seed of the session of that number, under whatever profile.
  ///
  /// - Parameter session: From 0.
  /// - Returns: The seed that plays it again.
  /// - Throws: `RandomnessError` for a number out of range.
  package func seed(ofSession session: Int) throws -> UInt32 { try streams.seed(ordinal: 0, block: session) }

  func seed(ofTilted session: Int, isPilot: Bool) throws -> UInt32 {
    try tiltedStreams.seed(ordinal: isPilot ? 1 : 0, block: session)
  }

  /// The chance of one profile's interval ever being wrong, so that all together keep the confidence.
  package var alpha: Double { Self.part(of: 1 - confidence, among: profiles.count) }

  /// The chance of one interval by cause ever being wrong: all causes of all profiles together keep the confidence.
  var alphaOfCause: Double { Self.part(of: alpha, among: OutageCause.count) }

  /// One part of an error that is shared evenly, cut to two digits: people read the confidence that it leaves.
  static func part(of error: Double, among count: Int) -> Double {
    let exact = error / Double(count)
    let exponent = Int(log10(exact).rounded(.down)) - 1
    // A hair more, since 1 - 0.99 is a hair less than a hundredth or more than it.
    let digits = Int((exact / pow(10, Double(exponent)) + 1e-6).rounded(.down))
    return Double("\(digits)e\(exponent)") ?? exact
  }
}
