// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
public import LiveCore
public import Reporting
public import Sampling
public import Scenarios

/// Sessions of a client under test with named outages, to estimate how often it comes back in time.
///
/// Samples are sessions of each profile and policy in turn. A session's seed follows from the trial's seed and the
/// session's number under its profile alone: it is the same under every profile, subject and policy, so that they are
/// compared with the same random numbers. Tallies are integers, so the result is the same at any number of workers.
public struct SimulationTrial: BatchedExperiment {
  /// The profiles, with distinct names.
  var profiles = OutageProfile.all
  var subject = LiveVariant.production
  var policies = [SimulatedClient.recommendedPolicy]
  /// The share in the default threshold, if no others are given; it does not end a run.
  var target = 0.95
  /// Percentiles in percent, ascending, which are measured in addition to the default ones.
  var percentiles: [Double] = []
  /// The bytes a second that the link carries each way, and those of each message; nil for the defaults.
  var bandwidth: Int?
  var messageSize: Int?

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
    have succeeded. The intervals hold for all profiles together at --confidence, after any number of sessions; the \
    outages of one session count as one cluster. Every invariant is checked at every step.

    The profiles share --sessions evenly. The run ends as soon as all thresholds on shares and percentiles are \
    decided, or all sessions are run; --end all runs every session. Counts are of the sessions that were run. The \
    results depend only on the seed, not on the number of workers. Without thresholds every profile must reach the \
    target, and every invariant must hold. Several policies are run under every profile with the same draws, and a \
    table compares how often clients are back in time and how many attempts an hour that costs.

    \(NamedPolicy.guide)

    \(ProfileReader.guide) The help of live timeline lists the faults with their values.

    The profiles:

    \(OutageProfile.definitions.joined(separator: "\n\n"))
    """

  public static let samplesName = "sessions"
  public static let defaultSamples = 100_000
  public static let defaultGenerator = SessionRandom.defaultName
  public static let streams = ["sessions"]

  public static let parameters: [Parameter<SimulationTrial>] = [
    Parameter(
      "profiles", \.profiles, .profiles, "The outages.", example: "tunnel", option: "profile", form: .positional),
    Parameter("subject", \.subject, .client, "The client under test.", example: "live-sends-no-pings"),
    Parameter(
      "policy", \.policies, .policies, "The backoff policy, or several to compare.", example: "full-jitter grpc"),
    Parameter(
      "target", \.target, .probability,
      "The share of outages from which the client must be back in time, if there are no thresholds.",
      example: "0.99"),
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
  }

  public func thresholds(at confidence: Double) -> [String] {
    ["reconnect.success >= \(target) at \(confidence)", "invariants.broken == 0"]
  }

  public static let preconditions = [FaultEffect.precondition]

  public mutating func addMeasure(named name: String) {
    percentiles = percentiles.united(with: Percentile.read(name, after: "reconnect.p").map { [$0] } ?? [])
  }

  public func tally() -> ProfileTallies { ProfileTallies(cells.count) }

  /// Plays a session of a profile and policy, given its number and its seed.
  public typealias SessionPlayer = (Int, UInt32, inout ProfileTally) throws -> Void

  public func scratch(generator: String) throws -> [SessionPlayer] {
    // A closure, unlike a type behind a protocol, is specialised for its client.
    func player<Client: ClientUnderTest>(_ type: Client.Type, _ cell: Cell) throws -> SessionPlayer {
      let sessions = try SimulatedSessions<Client>(
        cell.profile, settings: cell.client.settings, world: world, generator: generator)
      return { try sessions.play(session: $0, seed: $1, into: &$2) }
    }
    let type = subject.type
    // Named, so that the shipped client is specialised and not run through tables.
    return try cells.map { try type is LiveConnection.Type ? player(LiveConnection.self, $0) : player(type, $0) }
  }

  public func draw(_ batch: SampleBatch, _ players: inout [SessionPlayer], into tally: inout ProfileTallies) throws {
    for sample in batch.samples {
      let (session, cell) = sample.quotientAndRemainder(dividingBy: players.count)
      try players[cell](session, batch.seed(of: session), &tally.tallies[cell])
    }
  }

  public func tallied(at confidence: Double) -> [Measure] { rows(at: confidence).measures() }

  public func measurements(of run: SampledRun<ProfileTallies>) -> [Scenarios.Measurement] {
    rows(at: run.confidence).measurements(in: SimulationResult(self, run))
  }

  public func sections(of run: SampledRun<ProfileTallies>) -> [ReportBlock] {
    SimulationReport(SimulationResult(self, run)).blocks
  }

  public func data(of run: SampledRun<ProfileTallies>) -> [JSONMember] {
    SimulationReport(SimulationResult(self, run)).data
  }

  public func files(of run: SampledRun<ProfileTallies>) -> [ScenarioResult.File] {
    [.init(name: "return-times.csv", content: SimulationReport(SimulationResult(self, run)).timeRows.csv)]
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

  /// The chance that one interval is ever wrong, such that those of all profiles and policies keep the confidence.
  func alpha(at confidence: Double) -> Double { Self.part(of: 1 - confidence, among: cells.count) }

  /// The same of one interval by cause, such that all causes of all profiles keep the confidence.
  static func alphaOfCause(_ alpha: Double) -> Double { part(of: alpha, among: OutageCause.count) }

  /// One part of an evenly shared error, truncated to two digits, since reports show the confidence.
  public static func part(of error: Double, among count: Int) -> Double {
    let exact = error / Double(count)
    let exponent = Int(log10(exact).rounded(.down)) - 1
    // Slightly more, since 1 - 0.99 differs from 0.01 by rounding.
    let digits = Int((exact / pow(10, Double(exponent)) + 1e-6).rounded(.down))
    return Double("\(digits)e\(exponent)") ?? exact
  }
}

/// Plays sessions of one client under one profile, with all invariants checked at every step. Each has its own seed and
/// is independent of earlier sessions.
final class SimulatedSessions<Client: ClientUnderTest> {
  private let profile: OutageProfile
  private var session: Session<Client, InvariantChecker>
  private var random: SessionRandom
  private let maximum: Int

  init(_ profile: OutageProfile, settings: ConnectionSettings, world: SessionWorld, generator: String) throws {
    self.profile = profile
    session = try Session(settings: settings, world: world, observer: InvariantChecker(), generator: generator)
    random = try SessionRandom(seed: 1, generator: generator)
    maximum = ProfileTally.maxEvaluated(of: profile)
  }

  func play(session number: Int, seed: UInt32, into tally: inout ProfileTally) throws {
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
  let run: SampledRun<ProfileTallies>
  /// Findings in the trial's order; a profile with fewer than two sessions is missing.
  let findings: [ProfileFinding]
  /// The chance that one interval is ever wrong, and that one by cause is, such that all together keep the confidence.
  let alpha: Double
  let alphaOfCause: Double

  init(_ trial: SimulationTrial, _ run: SampledRun<ProfileTallies>) {
    let alpha = trial.alpha(at: run.confidence)
    let alphaOfCause = SimulationTrial.alphaOfCause(alpha)
    (self.trial, self.run, self.alpha, self.alphaOfCause) = (trial, run, alpha, alphaOfCause)
    findings = zip(trial.cells, run.tally.tallies).filter { $1.sessions >= 2 }.map {
      ProfileFinding(cell: $0, tally: $1, alpha: alpha, alphaOfCause: alphaOfCause)
    }
  }

  func finding(of cell: SimulationTrial.Cell) -> ProfileFinding? { findings.first { $0.name == cell.name } }

  /// Sessions with a broken invariant, or aborted as a livelock.
  var brokenSessions: Int { run.tally.tallies.reduce(0) { $0 + $1.brokenSessions } }

  var counts: SessionCounts { run.tally.tallies.reduce(into: SessionCounts()) { $0.merge($1.counts) } }
}

struct ProfileFinding: Sendable {
  let cell: SimulationTrial.Cell
  let tally: ProfileTally
  let alpha: Double
  let alphaOfCause: Double

  var profile: OutageProfile { cell.profile }
  var name: String { cell.name }

  /// The most outages of a session, which bounds a session's influence on a share.
  var maxOutages: Int { ProfileTally.maxEvaluated(of: profile) }

  /// The share of outages with the client back in time; nil if no outage could be evaluated.
  var success: Scenarios.Measurement.Value? { tally.success.value(alpha: alpha, maximum: maxOutages) }

  /// The same share for the outages of one cause.
  func success(after cause: OutageCause) -> Scenarios.Measurement.Value? {
    tally.causes[cause.position].value(alpha: alphaOfCause, maximum: maxOutages)
  }

  /// The time within which a share of the outages was over.
  func percentile(_ share: Double) -> ReturnTimes.Percentile? {
    tally.returns.percentile(share, alpha: alpha, maximum: maxOutages)
  }
}
