// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness
internal import Reporting
public import Scenarios

/// One session to show event by event: its client, its faults, and its seed.
public struct TimelineSession: Experiment {
  /// The profile; a tunnel if neither a profile nor a schedule is given.
  var profile: String?
  var schedule: FaultSchedule?
  var subject = LiveVariant.production
  var policy = SimulatedClient.recommendedPolicy
  var isWhole = false
  /// The bytes a second that the link carries each way, and those of each message; nil for the defaults.
  var bandwidth: Int?
  var messageSize: Int?
  var generator = SessionRandom.defaultName
  var seed: UInt32 = 1

  public init() {}

  public static let kind = "live.timeline"
  public static let summary =
    "Shows one session event by event: the network, what the client receives, what it does, its status."
  public static let discussion = """
    Example: assay live timeline tunnel --seed 7
    Example: assay live timeline --schedule 'live/1 for=10m; 5m offline for=20s' --output timeline.svg

    A session is determined by its faults, its seed and its client. A profile draws the faults from the seed, as live \
    simulate does, so the same seed shows the same session. --schedule lists the faults themselves, as a failure \
    prints them.

    Lines that begin with ~ show the network and the server, the others the client. #2 is its second socket. \
    Consecutive answered pings share one line; --whole shows every step. Without thresholds the session fails when an \
    invariant does not hold, or when the client is not back within the limit of the profile or the schedule.

    A schedule is 'live/1 for=TIME', then limit=TIME if the client must be back within that time, and then its faults \
    after semicolons: the start, the name, for=TIME if the fault lasts, and its values. Brackets mark what may be left \
    out:
    \(Fault.Kind.simulated.map { guide(to: $0) }.joined(separator: "\n"))
    """

  public static let parameters: [Parameter<TimelineSession>] = [
    Parameter(
      "profile", \.profile, ValueType<String>.choice(OutageProfile.names, named: "profile").optional,
      "The profile that faults are drawn from (default: tunnel).", example: "night", form: .positional),
    Parameter(
      "schedule", \.schedule, ValueType<FaultSchedule>.schedule.optional, "The faults, instead of a profile.",
      example: "'live/1 for=10m; 5m black-hole for=40s'"),
    Parameter("subject", \.subject, .client, "The client under test.", example: "live-sends-no-pings"),
    Parameter("policy", \.policy, .policy, "The backoff policy.", example: "equal-jitter"),
    .bandwidth(\.bandwidth), .messageSize(\.messageSize),
    Parameter("whole", \.isWhole, .flag, "Show a line for every step, and every timer."),
    Parameter(
      "random.generator", \.generator, .choice(GSLGenerator.names, named: "generator"), "The GSL generator.",
      example: "mt19937"),
    Parameter(
      "random.seed", \.seed, .sessionSeed, "The session's seed.", example: "7"),
  ]

  private var world: SessionWorld { SessionWorld(bandwidth: bandwidth, messageSize: messageSize) }

  public func check() throws(ParameterError) {
    try SimulatedClient(subject, policy: policy).check()
    try world.check()
    if profile != nil, schedule != nil {
      throw ParameterError("schedule", "profile", expected: "no profile with it: each gives the faults")
    }
  }

  static let rows: [MeasureRow<Timeline>] = [
    .count("timeline.broken", "1 if an invariant did not hold or the client fell into a livelock, otherwise 0") {
      $0.breach != nil || $0.result.isRunaway ? 1 : 0
    },
    .count(
      "timeline.late", "Outages from which the client was not back within the limit, although it could have been",
      unit: "outages"
    ) { $0.lateReturns.count },
  ]

  public static let defaultThresholds = ["timeline.broken == 0", "timeline.late == 0"]

  public static let preconditions = [FaultEffect.precondition]

  public var measures: [Measure] {
    (Self.rows + ((try? faults()).map(Self.effects) ?? [])).measures()
  }

  private static func effects(of faults: FaultSchedule) -> [MeasureRow<Timeline>] {
    Fault.Kind.allCases.filter { kind in faults.faults.contains { $0.fault.kind == kind } }.map { kind in
      FaultEffect.row(of: kind.name) { Int($0.result.effective >> UInt64(kind.rawValue) & 1) }
    }
  }

  public func run(on context: RunContext) throws -> ScenarioResult {
    let faults = try self.faults()
    let client = SimulatedClient(subject, policy: policy)
    let timeline = try Timeline(
      of: client, under: faults, in: world, seed: seed, generator: generator,
      title: "\(schedule == nil ? profile ?? Self.defaultProfile : "A schedule"), seed \(seed): \(subject.name)")
    return ScenarioResult(
      measurements: (Self.rows + Self.effects(of: faults)).measurements(in: timeline), data: timeline.data,
      document: timeline.document(
        isWhole: isWhole, origin: ["Client: \(subject.fault); policy \(client.policy.name).", "Schedule: \(faults)"]))
  }

  private static let defaultProfile = "tunnel"

  /// The faults: as given, or drawn from the profile as a simulation draws the session.
  private func faults() throws -> FaultSchedule {
    try schedule
      ?? OutageProfile.named(profile ?? Self.defaultProfile).schedule(seed: seed, generator: generator)
  }

  /// The form of a fault in a schedule: `loss for=TIME share=SHARE: packets are lost, each on its own`, with a default
  /// as `[delay=0s]`, and an optional value without one as `[retry-after=TIME]`.
  public static func guide(to kind: Fault.Kind, onSockets: Bool = false) -> String {
    let values = kind.parameters.map { parameter in
      let placeholder =
        switch parameter.unit {
        case .time: "TIME"
        case .portion: "SHARE"
        case .count: "NUMBER"
        case .word(let words): words.joined(separator: "|")
        }
      guard let standard = parameter.standard else { return "\(parameter.name)=\(placeholder)" }
      return "[\(parameter.name)=\(standard == FaultParameter.none ? placeholder : parameter.text(standard))]"
    }
    let reach =
      (onSockets && kind.declaration.hasWay ? ["[way=up|down]"] : [])
      + (onSockets && kind.declaration.hasCount ? ["[count=NUMBER]"] : [])
      + (onSockets && kind.declaration.hasShare ? ["[share=SHARE]"] : [])
    let words = [kind.name] + (kind.isMoment ? [] : ["for=TIME"]) + values + reach
    return words.joined(separator: " ") + ": \(kind.meaning)"
  }
}
