// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore
internal import MonteCarlo
internal import Randomness
internal import Reporting
package import Scenarios

/// A client under test in sessions with named outages, until it is known how often it comes back in time.
///
/// A session's seed follows from the trial's seed and the session's number alone: the same number has the same seed
/// under every profile, subject and policy, so that comparisons share their luck. Tallies are whole numbers, so the
/// result is the same at any number of workers.
package struct SimulationTrial: Experiment {
  enum End: String, CaseIterable {
    /// A profile's sessions end as soon as it is known on which side of the target it is.
    case decided
    case all
  }

  /// Each of another name.
  var profiles = OutageProfile.all
  var subject = LiveSubjects.production
  var policy = SimulatedClient.recommendedPolicy
  /// How many sessions there are at the most, shared evenly among the profiles.
  var sessions = 100_000
  var end = End.decided
  /// The share of outages from which the client should be back in time.
  var target = 0.95
  /// Of all profiles' intervals together, whenever one looks; and of those by cause together.
  var confidence = 0.99
  var generator = SessionRandom.defaultName
  var seed: UInt64 = 1

  package init() {}

  package static let kind = "live.simulate"
  package static let summary =
    "Runs sessions of the client under named outages, and says how often it was back in time."
  package static let discussion = """
    Example: assay live simulate
    Example: assay live simulate tunnel lift --sessions 1M --policy equal-jitter
    Example: assay live simulate --subject live-replaced-design

    A session is a client, a server and the network between them, in virtual time, under the faults that a profile \
    draws. Success is being connected and current again within the profile's limit, counted from when an attempt could \
    have succeeded. Intervals are of all profiles together and hold whenever one looks; outages of one session count \
    as one cluster. Every invariant is checked at every step.

    A profile's sessions end as soon as it is known on which side of the target it is, unless --end all runs every \
    one. What happens depends on the seed alone, not on the number of workers. Without thresholds every profile \
    must reach the target, and every invariant must hold.

    The profiles; a scenario can change their parameters, and compose others of the faults that the help of live \
    timeline lists:

    \(OutageProfile.definitions.joined(separator: "\n\n"))
    """

  package static let parameters = own + Parameter.random(generator: \.generator, seed: \.seed)

  private static let own: [Parameter<SimulationTrial>] = [
    Parameter(
      "profiles", \.profiles, .profiles, "The outages.", example: "tunnel", option: "profile", form: .positional),
    Parameter("subject", \.subject, .client, "The client under test.", example: "live-replaced-design"),
    Parameter("policy", \.policy, .policy, "The backoff policy.", example: "equal-jitter"),
    Parameter(
      "sessions", \.sessions, .count(2...1_000_000_000), "How many sessions all profiles have together, at the most.",
      example: "1M"),
    Parameter(
      "end", \.end, .choice, "Whether a profile's sessions end when it is decided, or when all were run.",
      example: "all"),
    Parameter(
      "target", \.target, .probability, "The share of outages from which the client should be back in time.",
      example: "0.99"),
    Parameter(
      "confidence", \.confidence, .number(0.5...1, isOpen: true, named: "probability"),
      "The confidence of all intervals together.", example: "0.999"),
  ]

  package func check() throws(ParameterError) {
    guard sessions >= 2 * profiles.count else {
      throw ParameterError("sessions", "profiles", expected: "two for each profile at the least, \(2 * profiles.count)")
    }
  }

  package var thresholds: [String] {
    ["reconnect.success >= \(target) at \(confidence)", "invariants.broken == 0"]
  }

  package var measures: [Measure] { SimulationMeasure.all(of: self).map(\.measure) }

  package func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let meter = bench.meter(sessions, "sessions")
    defer { meter?.finish() }
    let result = try run(workers: bench.workers, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    let report = SimulationReport(result)
    return ScenarioResult(
      measurements: SimulationMeasure.all(of: self).compactMap { $0.measurement(in: result) }, data: report.data,
      document: report.document,
      files: [
        .init(name: "success.csv", content: report.successRows.csv),
        .init(name: "return-times.csv", content: report.timeRows.csv),
      ],
      isComplete: result.isComplete)
  }

  var client: SimulatedClient { SimulatedClient(subject, policy: policy) }

  /// How many sessions a profile has at the most; the first ones have one more where they cannot be shared evenly.
  func sessions(ofProfile place: Int) -> Int {
    sessions / profiles.count + (place < sessions % profiles.count ? 1 : 0)
  }

  /// The seed of the session of that number, under whatever profile.
  func seed(ofSession session: Int) throws -> UInt32 { try streams().seed(ordinal: 0, block: session) }

  private func streams() throws -> StreamFamily { try StreamFamily(rootSeed: seed, experiments: ["sessions"]) }

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
  func run(
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
    let streams = try streams()
    let run = SimulationRun(
      workers: workers, interrupt: interrupt, progress: progress, seed: { try streams.seed(ordinal: 0, block: $0) })
    let client = client
    var findings: [ProfileFinding] = []
    for (place, profile) in profiles.enumerated() {
      let (settings, generator) = (client.settings, generator)
      let (evidence, isComplete) = try run.evidence(
        sessions: sessions(ofProfile: place), mostOutages: ProfileTally.mostEvaluated(of: profile),
        makePlayer: { try SimulatedSessions<Subject>(profile, settings: settings, generator: generator) },
        isDecided: { end == .decided && $0.success.verdict(target: target, alpha: alpha) != .open })
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
  private var session: Session<Subject, InvariantChecker>
  private var random: SessionRandom
  private var schedule = FaultSchedule()
  private var buffers = EvaluationBuffers()
  private let most: Int

  init(_ profile: OutageProfile, settings: ConnectionSettings, generator: String) throws {
    self.init(
      profile, try Session(settings: settings, observer: InvariantChecker(), generator: generator),
      try SessionRandom(seed: 1, generator: generator))
  }

  private init(
    _ profile: OutageProfile, _ session: consuming Session<Subject, InvariantChecker>, _ random: consuming SessionRandom
  ) {
    self.profile = profile
    most = ProfileTally.mostEvaluated(of: profile)
    self.session = session
    self.random = random
  }

  mutating func play(session number: Int, seed: UInt32, into tally: inout ProfileTally) throws {
    try random.reseed(seed)
    profile.draw(into: &schedule, using: &random)
    session.observer = InvariantChecker()
    try session.run(schedule, seed: seed)
    tally.add(
      session: number, seed: seed, session.result, schedule, limit: profile.limit, most: most, buffers: &buffers)
    tally.add(
      session: number, seed: seed, isRunaway: session.result.isRunaway, breach: session.observer.breach,
      breached: session.observer.breached)
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
