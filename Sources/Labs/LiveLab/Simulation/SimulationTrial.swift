// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore
package import MonteCarlo
internal import Randomness

/// A client under test in sessions with named outages, until it is known how often it comes back in time.
///
/// A session's seed follows from the trial's seed and the session's number alone: the same number has the same seed
/// under every profile, subject and policy, so that comparisons share their luck. Tallies are whole numbers, so the
/// result is the same at any number of workers.
package struct SimulationTrial: Sendable {
  package static let mostSessions = 1_000_000_000

  let profiles: [OutageProfile]
  let client: SimulatedClient
  /// How many sessions there are at the most, shared evenly among the profiles.
  package let sessions: Int
  /// Whether a profile's sessions end as soon as it is known on which side of the target it is.
  let endsWhenDecided: Bool
  /// The share of outages from which the client should be back in time.
  let target: Double
  /// Of all profiles' intervals together, whenever one looks; and of those by cause together.
  let confidence: Double
  /// The root of all random streams.
  let seed: UInt64
  /// The name of a GSL generator.
  let generator: String

  private let streams: StreamFamily

  /// - Throws: `LiveLabError` for a number out of range, a profile given twice and one in which no attempt could
  ///   succeed; `RandomnessError` for an unknown generator.
  package init(
    profiles: [OutageProfile], client: SimulatedClient, sessions: Int = 100_000, endsWhenDecided: Bool = true,
    target: Double = 0.95, confidence: Double = 0.99, seed: UInt64 = 1, generator: String = SessionRandom.defaultName
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
    _ = try SessionRandom(seed: 1, generator: generator)
    (self.profiles, self.client, self.sessions) = (profiles, client, sessions)
    (self.endsWhenDecided, self.target, self.confidence) = (endsWhenDecided, target, confidence)
    (self.seed, self.generator) = (seed, generator)
    streams = try StreamFamily(rootSeed: seed, experiments: ["sessions"])
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

  /// Refuses a profile in which no attempt could succeed: there is nothing to evaluate.
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
  func seed(ofSession session: Int) throws -> UInt32 { try streams.seed(ordinal: 0, block: session) }

  /// The chance of one profile's interval ever being wrong, so that all together keep the confidence.
  var alpha: Double { Self.part(of: 1 - confidence, among: profiles.count) }

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

  /// Runs the sessions, profile by profile; after an interruption, what the sessions until then say. `progress` gets
  /// numbers of sessions, on the thread that ran them.
  package func run(
    workers: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> SimulationResult {
    let subject = client.variant.type
    // Named, so that the client that ships is compiled for itself and not run through tables.
    return subject is LiveConnection.Type
      ? try run(LiveConnection.self, workers: workers, interrupt: interrupt, progress: progress)
      : try run(subject, workers: workers, interrupt: interrupt, progress: progress)
  }

  private func run<Subject: LiveSubject>(
    _ subject: Subject.Type, workers: Int, interrupt: Interrupt?, progress: @escaping @Sendable (Int) -> Void
  ) throws -> SimulationResult {
    let run = SimulationRun(
      workers: workers, interrupt: interrupt, progress: progress, seed: { try seed(ofSession: $0) })
    var findings: [ProfileFinding] = []
    for (place, profile) in profiles.enumerated() {
      let (settings, generator) = (client.settings, generator)
      let (evidence, isComplete) = try run.evidence(
        sessions: sessions(ofProfile: place), mostOutages: ProfileTally.mostEvaluated(of: profile),
        makePlayer: { try SimulatedSessions<Subject>(profile, settings: settings, generator: generator) },
        isDecided: { endsWhenDecided && $0.success.verdict(target: target, alpha: alpha) != .open })
      if evidence.tally.sessions >= 2 { findings.append(ProfileFinding(self, profile, evidence)) }
      guard isComplete, interrupt?.isRaised != true else {
        return SimulationResult(
          trial: self, findings: findings, isComplete: isComplete && place == profiles.count - 1)
      }
    }
    return SimulationResult(trial: self, findings: findings, isComplete: true)
  }
}

/// Plays one session after another of one profile, each from a seed of its own.
protocol SessionPlayer: SendableMetatype, ~Copyable {
  /// Plays a session and adds what came of it. Nothing but the seed, and no earlier session, may show in that.
  mutating func play(session: Int, seed: UInt32, into tally: inout ProfileTally) throws
}

/// Sessions of one client under one profile, watched at every step.
struct SimulatedSessions<Subject: LiveSubject>: ~Copyable, SessionPlayer {
  private let profile: OutageProfile
  private var session: Session<Subject, InvariantWatch>
  private var random: SessionRandom
  private var schedule = FaultSchedule()
  private var buffers = EvaluationBuffers()
  private let most: Int

  init(_ profile: OutageProfile, settings: ConnectionSettings, generator: String) throws {
    self.init(
      profile, try Session(settings: settings, witness: InvariantWatch(), generator: generator),
      try SessionRandom(seed: 1, generator: generator))
  }

  private init(
    _ profile: OutageProfile, _ session: consuming Session<Subject, InvariantWatch>, _ random: consuming SessionRandom
  ) {
    self.profile = profile
    most = ProfileTally.mostEvaluated(of: profile)
    self.session = session
    self.random = random
  }

  mutating func play(session number: Int, seed: UInt32, into tally: inout ProfileTally) throws {
    try random.reseed(seed)
    profile.draw(into: &schedule, using: &random)
    session.witness = InvariantWatch()
    try session.run(schedule, seed: seed)
    tally.add(
      session: number, seed: seed, session.result, schedule, limit: profile.limit, most: most, buffers: &buffers)
    tally.add(session: number, seed: seed, breach: session.witness.breach, breached: session.witness.breached)
  }
}

/// What is known of one profile after every wave of its sessions.
struct ProfileEvidence: Sendable {
  /// The share of outages from which the client was back in time, with bounds that hold at all times.
  private(set) var success: SuccessSequence
  /// The same by cause, by place.
  private(set) var causes: [SuccessSequence]
  private(set) var tally = ProfileTally()
  /// Sessions of the first wave.
  private(set) var firstWave = 0

  /// - Parameter mostOutages: No session has more outages than this that are evaluated.
  init(mostOutages: Int) {
    success = SuccessSequence(mostTrials: mostOutages)
    causes = Array(repeating: SuccessSequence(mostTrials: mostOutages), count: OutageCause.count)
  }

  mutating func absorb(wave: ProfileTally) {
    if firstWave == 0 { firstWave = wave.sessions }
    success.absorb(wave: wave.success)
    for place in causes.indices { causes[place].absorb(wave: wave.causes[place].success) }
    tally.merge(wave)
  }
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

  /// Runs at most so many sessions of one profile, none of which has more evaluated outages than `mostOutages`.
  /// `isDecided` looks after every wave; true ends the run. What is returned is complete unless it was interrupted.
  func evidence<Player: SessionPlayer & ~Copyable>(
    sessions: Int, mostOutages: Int, makePlayer: @escaping @Sendable () throws -> Player,
    isDecided: (ProfileEvidence) -> Bool
  ) throws -> (evidence: ProfileEvidence, isComplete: Bool) {
    // The waves of a rule that looks at results, whether or not anything may end the run: the bounds at the end are
    // narrower for having looked on the way, and the result is the same where the last wave decides.
    let plan = try BlockPlan(
      .certification(atMost: sessions), roundsPerBlock: Self.sessionsPerBlock, firstWave: Self.firstWave)
    let runner = try BlockRunner(workers: workers)
    var evidence = ProfileEvidence(mostOutages: mostOutages)
    var done = 0
    while true {
      let wave = plan.wave(after: done)
      if wave.isEmpty { return (evidence, true) }
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
      evidence.absorb(wave: run.tally)
      done = run.blocks.upperBound
      if done < wave.upperBound { return (evidence, false) }
      if isDecided(evidence) { return (evidence, true) }
    }
  }
}
