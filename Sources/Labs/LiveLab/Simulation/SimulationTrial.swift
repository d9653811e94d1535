// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
public import LiveCore
internal import MonteCarlo
internal import Randomness
internal import Reporting
public import Scenarios

/// Sessions of a client under test with named outages, to estimate how often it comes back in time.
///
/// A session's seed follows from the trial's seed and the session's number alone: it is the same under every profile,
/// subject and policy, so that they are compared with the same random numbers. Tallies are integers, so the result is
/// the same at any number of workers.
public struct SimulationTrial: Experiment {
  /// The profiles, with distinct names.
  var profiles = OutageProfile.all
  var subject = LiveVariant.production
  var policies = [SimulatedClient.recommendedPolicy]
  var sessions = 100_000
  var end = RunEnd.decided
  /// The share in the default threshold, if no others are given; it does not end a run.
  var target = 0.95
  /// The thresholds that sampling can decide.
  private var thresholdsAsked: [SampledThreshold] = []
  /// The confidence of the intervals of all profiles and policies together, at any time; also of those by cause.
  var confidence = 0.99
  /// Percentiles in percent, ascending, which are measured in addition to the default ones.
  var percentiles: [Double] = []
  /// The bytes a second that the link carries each way, and those of each message; nil for the defaults.
  var bandwidth: Int?
  var messageSize: Int?
  var generator = SessionRandom.defaultName
  var seed: UInt64 = 1

  var world: SessionWorld { SessionWorld(bandwidth: bandwidth, messageSize: messageSize) }

  public init() {}

  public static let kind = "live.simulate"
  public static let summary =
    "Runs sessions of the client under named outages, and estimates how often it was back in time."
  public static let discussion = """
    Example: assay live simulate
    Example: assay live simulate tunnel lift --sessions 1M --policy equal-jitter
    Example: assay live simulate tunnel night --policy full-jitter grpc 'name=mine \(NamedPolicy.example)'
    Example: assay live simulate --subject live-sends-no-pings
    Example: assay live simulate tunnel --bandwidth 4000 --message-size 200k

    A session is a client, a server and the network between them, in virtual time, under the faults that a profile \
    draws. Success is being connected and current again within the profile's limit, counted from when an attempt could \
    have succeeded. The intervals hold for all profiles together and after any number of sessions; the outages of one \
    session count as one cluster. Every invariant is checked at every step.

    A profile ends as soon as all thresholds on its shares and percentiles are decided, and leaves its sessions to the \
    other profiles. The run ends when everything is decided or all --sessions are run. A profile without such \
    thresholds runs on, and --end all runs every session. Counts are of the sessions that were run. The results depend \
    only on the seed, not on the number of workers. Without thresholds every profile must reach the target, and every \
    invariant must hold. Several policies are run under every profile with the same draws, and a table compares how \
    often clients are back in time and how many attempts an hour that costs.

    \(NamedPolicy.guide)

    \(ProfileReader.guide) The help of live timeline lists the faults with their values.

    The profiles:

    \(OutageProfile.definitions.joined(separator: "\n\n"))
    """

  public static let parameters = own + Parameter.random(generator: \.generator, seed: \.seed)

  private static let own: [Parameter<SimulationTrial>] = [
    Parameter(
      "profiles", \.profiles, .profiles, "The outages.", example: "tunnel", option: "profile", form: .positional),
    Parameter("subject", \.subject, .client, "The client under test.", example: "live-sends-no-pings"),
    Parameter(
      "policy", \.policies, .policies, "The backoff policy, or several to compare.", example: "full-jitter grpc"),
    Parameter(
      "sessions", \.sessions, .count(2...1_000_000_000),
      "The most sessions of all profiles and policies together.",
      example: "1M"),
    Parameter(
      "end", \.end, .choice, "When a profile ends: when its thresholds are decided, or after all sessions.",
      example: "all"),
    Parameter(
      "target", \.target, .probability,
      "The share of outages from which the client must be back in time, if there are no thresholds.",
      example: "0.99"),
    Parameter(
      "confidence", \.confidence, .number(0.5...1, isOpen: true, named: "probability"),
      "The confidence of all intervals together.", example: "0.999"),
    .bandwidth(\.bandwidth), .messageSize(\.messageSize),
    Parameter(
      "percentiles", \.percentiles, .percentiles,
      "Percentiles to measure in addition to the default ones; a threshold such as 'reconnect.p95 <= 3s at 0.99' "
        + "asks for its own.",
      example: "50,95,99.9", when: { !$0.percentiles.isEmpty }),
  ]

  public func check() throws(ParameterError) {
    for cell in cells { try cell.client.check() }
    try world.check()
    try NamedPolicy.check(policies, of: "policy")
    guard sessions >= 2 * cells.count else {
      throw ParameterError(
        "sessions", "profiles",
        expected: "two for each profile\(policies.count > 1 ? " and policy" : ""), at least \(2 * cells.count)")
    }
  }

  public var thresholds: [String] { ["reconnect.success >= \(target) at \(confidence)", "invariants.broken == 0"] }

  public static let preconditions = [FaultEffect.precondition]

  public mutating func addMeasure(named name: String) {
    percentiles = percentiles.united(with: Percentile.read(name, after: "reconnect.p").map { [$0] } ?? [])
  }

  public func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("sessions", sessions) }

  public mutating func setStoppingThresholds(_ thresholds: [SampledThreshold]) { thresholdsAsked = thresholds }

  public var measures: [Measure] { rows.measures() }

  public func run(on context: RunContext) throws -> ScenarioResult {
    let type = subject.type
    // Named, so that the shipped client is specialised and not run through tables.
    let result = try context.showing(sessions, "sessions") { context in
      try type is LiveConnection.Type ? simulate(LiveConnection.self, on: context) : simulate(type, on: context)
    }
    let report = SimulationReport(result)
    return ScenarioResult(
      measurements: report.measurements, data: report.data, document: report.document,
      files: [.init(name: "return-times.csv", content: report.timeRows.csv)], confidence: confidence,
      isComplete: result.isComplete)
  }

  /// A profile and a policy: first all profiles with the first policy, then with the next.
  struct Cell: Sendable {
    let profile: OutageProfile
    let client: SimulatedClient
    /// True if the policy is one of several, and part of the measures' labels.
    let isOneOfSeveral: Bool

    /// The label of its measures: `tunnel`, or `tunnel, grpc` with several policies.
    var name: String { label("") }

    /// The label of a part, such as a cause: `tunnel/offline`, `tunnel/offline, grpc`.
    func label(of part: String) -> String { label("/" + part) }

    private func label(_ part: String) -> String { profile.name + part + policy }
    private var policy: String { isOneOfSeveral ? ", \(client.policy.name)" : "" }

    func isLabelled(_ label: String) -> Bool {
      label == name || label.hasPrefix(profile.name + "/") && label.hasSuffix(policy)
    }
  }

  var cells: [Cell] {
    policies.flatMap { policy in
      profiles.map {
        Cell(profile: $0, client: SimulatedClient(subject, policy: policy), isOneOfSeveral: policies.count > 1)
      }
    }
  }

  /// The client and its waits, for headings.
  var title: String {
    policies.count == 1
      ? SimulatedClient(subject, policy: policies[0]).title
      : "\(subject.name), \(policies.map(\.name).joined(separator: ", "))"
  }

  /// The seed of the session of that number, under any profile.
  func seed(ofSession session: Int) throws -> UInt32 {
    try SampleBatch(of: session, seed: seed, streams: Self.streams).seed()
  }

  private static let streams = ["sessions"]

  /// The chance that one interval is ever wrong, such that those of all profiles and policies keep the confidence.
  var alpha: Double { Self.part(of: 1 - confidence, among: profiles.count * policies.count) }

  /// The chance that one interval by cause is ever wrong, such that all causes of all profiles keep the confidence.
  var alphaOfCause: Double { Self.part(of: alpha, among: OutageCause.count) }

  /// One part of an evenly shared error, truncated to two digits, since reports show the confidence.
  public static func part(of error: Double, among count: Int) -> Double {
    let exact = error / Double(count)
    let exponent = Int(log10(exact).rounded(.down)) - 1
    // Slightly more, since 1 - 0.99 differs from 0.01 by rounding.
    let digits = Int((exact / pow(10, Double(exponent)) + 1e-6).rounded(.down))
    return Double("\(digits)e\(exponent)") ?? exact
  }

  /// Runs the sessions in waves; after an interruption, returns the results so far.
  private func simulate<Client: ClientUnderTest>(
    _ type: Client.Type, on context: RunContext
  ) throws -> SimulationResult {
    let cells = cells
    let asked = cells.map(asked)
    var tallies = cells.map { _ in ProfileTally() }
    var (open, left, done, isComplete) = (Array(cells.indices), sessions, 0, true)
    // All open profiles have had the same number of sessions. Sessions that a decided profile leaves go to the others.
    while left > 0, !open.isEmpty, isComplete {
      let batches = max(Self.firstWave, done / 4 / Self.sessionsPerBatch)
      let wave = end == .all ? left : batches * Self.sessionsPerBatch
      let (share, odd) = left.quotientAndRemainder(dividingBy: open.count)
      for (turn, position) in open.enumerated() where isComplete {
        let count = min(wave, share + (turn < odd ? 1 : 0))
        if count == 0 { continue }
        let tally = try play(count, from: done, of: cells[position], type, on: context)
        tallies[position].merge(tally)
        left -= tally.sessions
        isComplete = tally.sessions == count
      }
      done += wave
      guard end == .decided, isComplete else { continue }
      open.removeAll { position in
        guard !asked[position].isEmpty else { return false }
        let finding = ProfileFinding(self, cells[position], tallies[position])
        let soFar = SimulationResult(trial: self, findings: [finding], isComplete: true)
        return asked[position].allSatisfy { threshold, row in
          row.measurement(in: soFar).map(threshold.isDecided) ?? false
        }
      }
    }
    let findings = zip(cells, tallies).filter { $1.sessions >= 2 }.map { ProfileFinding(self, $0, $1) }
    return SimulationResult(trial: self, findings: findings, isComplete: isComplete)
  }

  /// The thresholds on a profile's sampled measures.
  private func asked(of cell: Cell) -> [(threshold: SampledThreshold, row: MeasureRow<SimulationResult>)] {
    let own = rows.filter { row in row.measure().label.map(cell.isLabelled) ?? false }
    return thresholdsAsked.compactMap { threshold in
      own.first { $0.measure() == threshold.measure }.map { (threshold, $0) }
    }
  }

  private static let sessionsPerBatch = 64
  /// The number of batches in the first wave: few, since clear cases are decided by some hundred sessions.
  private static let firstWave = 8

  /// Runs sessions of one profile and policy; fewer after an interruption.
  private func play<Client: ClientUnderTest>(
    _ count: Int, from first: Int, of cell: Cell, _ type: Client.Type, on context: RunContext
  ) throws -> ProfileTally {
    let (profile, settings, world, generator) = (cell.profile, cell.client.settings, world, generator)
    return try context.draw(
      .rounds(count), from: first, "sessions", perBatch: Self.sessionsPerBatch, seed: seed, streams: Self.streams,
      into: ProfileTally(),
      scratch: { try SimulatedSessions<Client>(profile, settings: settings, world: world, generator: generator) },
      body: { batch, player in
        var tally = ProfileTally()
        for session in batch.samples { try player.play(session: session, seed: batch.seed(of: session), into: &tally) }
        return tally
      }
    ).tally
  }
}

/// Plays sessions of one client under one profile, with all invariants checked at every step. Each has its own seed and
/// is independent of earlier sessions.
struct SimulatedSessions<Client: ClientUnderTest>: ~Copyable {
  private let profile: OutageProfile
  private var session: Session<Client, InvariantChecker>
  private var random: SessionRandom
  private let maximum: Int

  init(
    _ profile: OutageProfile, settings: ConnectionSettings, world: SessionWorld = SessionWorld(), generator: String
  ) throws {
    let session = try Session<Client, _>(
      settings: settings, world: world, observer: InvariantChecker(), generator: generator)
    let random = try SessionRandom(seed: 1, generator: generator)
    self.profile = profile
    self.session = session
    self.random = random
    maximum = ProfileTally.maxEvaluated(of: profile)
  }

  mutating func play(session number: Int, seed: UInt32, into tally: inout ProfileTally) throws {
    try random.reseed(seed)
    let schedule = profile.schedule(using: &random)
    session.observer = InvariantChecker()
    try session.run(schedule, seed: seed)
    tally.add(
      session: number, seed: seed, session.result, schedule, limit: profile.limit, maximum: maximum)
    tally.add(
      session: number, seed: seed, isRunaway: session.result.isRunaway, breach: session.observer.breach,
      breached: session.observer.breached)
  }
}

extension Parameter where Root: Experiment {
  /// The rate of the simulated link.
  static func bandwidth(_ path: any WritableKeyPath<Root, Int?> & Sendable) -> Self {
    Self(
      "bandwidth", path, ValueType<Int>.count(100...1_000_000_000).optional,
      "The bytes a second that the link carries each way (default: 2.5 million).", example: "4000")
  }

  /// The size of the simulated messages.
  static func messageSize(_ path: any WritableKeyPath<Root, Int?> & Sendable) -> Self {
    Self(
      "message-size", path, ValueType<Int>.count(1...1_000_000).optional,
      "The bytes of each message of the app and the server (default: 200 and 400).", example: "200k")
  }
}

/// A client to simulate: its variant and settings.
public struct SimulatedClient: Sendable {
  public let variant: LiveVariant
  public let policy: NamedPolicy
  public let settings: ConnectionSettings

  public static let recommendedPolicy = NamedPolicy("full-jitter", Backoff())

  public init(_ variant: LiveVariant = .production, policy: NamedPolicy = recommendedPolicy) {
    var settings = ConnectionSettings()
    settings.backoff = policy.backoff
    (self.variant, self.policy, self.settings) = (variant, policy, settings)
  }

  /// Checks that a connection accepts the policy together with the other settings.
  public func check() throws(ParameterError) {
    do {
      try settings.check()
    } catch {
      throw ParameterError("policy", expected: "a policy that the client can follow: \(error.description.dropLast())")
    }
  }

  /// The client in headings: `production, full-jitter`.
  public var title: String { "\(variant.name), \(policy.name)" }

  /// The command that shows one of its sessions event by event; for a profile that is not built in, with the session's
  /// schedule.
  func command(
    seed: UInt32, profile: OutageProfile, bandwidth: Int? = nil, messageSize: Int? = nil,
    generator: String = SessionRandom.defaultName
  ) -> String {
    let link = [("--bandwidth", bandwidth), ("--message-size", messageSize)].flatMap { option, value in
      value.map { [option, "\($0)"] } ?? []
    }
    let subject = variant.name == LiveVariant.production.name ? [] : ["--subject", variant.name]
    let random = generator == SessionRandom.defaultName ? [] : ["--generator", generator]
    return ShellLine.text(
      ["assay", "live", "timeline", "--seed", "\(seed)"] + Self.named(profile, seed: seed, generator: generator)
        + subject + ["--policy", policy.text] + link + random)
  }

  private static func named(_ profile: OutageProfile, seed: UInt32, generator: String) -> [String] {
    guard !OutageProfile.all.contains(profile), let schedule = try? profile.schedule(seed: seed, generator: generator)
    else { return [profile.name] }
    return ["--schedule", "\(schedule)"]
  }
}

struct SimulationResult: Sendable {
  let trial: SimulationTrial
  /// Findings in the trial's order; a profile with fewer than two sessions after an interruption is missing.
  let findings: [ProfileFinding]
  let isComplete: Bool

  func finding(of cell: SimulationTrial.Cell) -> ProfileFinding? { findings.first { $0.name == cell.name } }

  /// Sessions with a broken invariant, or aborted as a livelock.
  var brokenSessions: Int { findings.reduce(0) { $0 + $1.tally.brokenSessions } }

  var counts: SessionCounts { findings.reduce(into: SessionCounts()) { $0.merge($1.tally.counts) } }

  var sessions: Int { findings.reduce(0) { $0 + $1.tally.sessions } }
}

struct ProfileFinding: Sendable {
  let trial: SimulationTrial
  let cell: SimulationTrial.Cell
  let tally: ProfileTally

  init(_ trial: SimulationTrial, _ cell: SimulationTrial.Cell, _ tally: ProfileTally) {
    (self.trial, self.cell, self.tally) = (trial, cell, tally)
  }

  var profile: OutageProfile { cell.profile }
  var name: String { cell.name }

  /// The most outages of a session, which bounds a session's influence on a share.
  var maxOutages: Int { ProfileTally.maxEvaluated(of: profile) }

  /// The share of outages with the client back in time; nil if no outage could be evaluated.
  var success: Scenarios.Measurement.Value? { tally.success.value(alpha: trial.alpha, maximum: maxOutages) }

  /// The same share for the outages of one cause.
  func success(after cause: OutageCause) -> Scenarios.Measurement.Value? {
    tally.causes[cause.position].value(alpha: trial.alphaOfCause, maximum: maxOutages)
  }

  /// The time within which a share of the outages was over.
  func percentile(_ share: Double, alpha: Double) -> ReturnTimes.Percentile? {
    tally.returns.percentile(share, alpha: alpha, maximum: maxOutages)
  }
}
