// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import MonteCarlo
internal import Randomness
internal import Reporting
package import Scenarios

/// Real clients on real sockets under a schedule of faults, compared with the same schedule in virtual time.
package struct SoakTrial: Experiment {
  var faults = SoakFaultChoice.default
  var clients = 200
  var duration = Interval.seconds(60)
  var pace = 10
  var policy = SimulatedClient.recommendedPolicy
  var resolution = Interval.milliseconds(50)
  var target = 0.95
  /// The confidence of all intervals of return times together, and of all comparisons with the simulation together.
  var confidence = 0.99
  var generator = SessionRandom.defaultName
  var seed: UInt64 = 1

  /// How late a timer may fire before an invariant counts as broken; not a parameter, but tests may set it.
  var tolerance = Interval.milliseconds(250)

  package init() {}

  package static let kind = "live.soak"
  package static let summary =
    "Runs many real clients through a proxy that plays faults to a real server, and compares them with the simulation."
  package static let discussion = """
    Example: assay-live live soak
    Example: assay-live live soak tunnel --clients 100 --duration 2m --pace 30
    Example: assay-live live soak 'live/1 for=5m limit=50s; 20s reset; 1m half-open' --clients 100 --duration 30s

    Clients, proxy and server are the ones that ship, on sockets of this machine. All clients go through one schedule: \
    a text, which the help of live timeline describes, or one that a profile draws with the seed. The default has ten \
    minutes with a dozen outages. With --pace 10 everything runs ten times as fast as in production: the schedule, \
    every interval of the client's settings, and the network. A schedule longer than the run is cut off.

    Times in the report are the client's, as in live simulate, unless it says that they are of the machine's clock. \
    Every client is checked against the invariants at every step. Then ten simulated clients for each real one go \
    through the same settings, network and schedule, and every outage is compared: how many clients were cut off, how \
    many were back within the limit, and how long it took. If they differ by more than chance and the resolution \
    explain, the simulation or the client on real sockets is wrong, and the soak fails. If the machine was late by \
    more than the resolution, which is measured, the soak is undecided: two cores manage some 200 clients at pace 10, \
    or a thousand at pace 1 (--clients 1000 --pace 1 --duration 10m). If there are too few clients to confirm the \
    target at the confidence even when all are back, the soak only requires that no more of them fail than the target \
    allows.

    Unlike in every other experiment, the results depend on the machine and the moment as well as on the seed, so two \
    runs differ.
    """

  package static let parameters: [Parameter<SoakTrial>] =
    [
      Parameter(
        "scenario", \.faults, .soakFaults, "A profile that faults are drawn from, or a schedule of them.",
        example: "tunnel", form: .positional),
      Parameter("clients", \.clients, .count(2...100_000), "How many clients.", example: "200"),
      Parameter(
        "duration", \.duration, .interval(.seconds(1)...(.seconds(3_600))),
        "The longest that it runs, by the machine's clock.", example: "20s"),
      Parameter(
        "pace", \.pace, .count(1...100), "How many times as fast as in production everything runs.", example: "20"),
      Parameter("policy", \.policy, .policy, "The backoff policy.", example: "equal-jitter"),
      Parameter(
        "resolution", \.resolution, .interval(.milliseconds(1)...(.seconds(10))),
        "How late this machine may be, by its own clock, before two times count as different.", example: "20ms"),
      Parameter(
        "target", \.target, .probability, "The share of outages from which the client should be back in time.",
        example: "0.9"),
      Parameter(
        "confidence", \.confidence, .number(0.5...1, isOpen: true, named: "probability"),
        "The confidence of all intervals together, and of all comparisons with the simulation together.",
        example: "0.999"),
    ] + Parameter.random(generator: \.generator, seed: \.seed)

  package var isTimed: Bool { true }

  package func check() throws(ParameterError) {
    try SimulatedClient(policy: policy).check()
    if case .schedule(let schedule) = faults, let problem = SoakFaultChoice.problem(in: schedule) {
      throw ParameterError("scenario", expected: problem)
    }
  }

  package var thresholds: [String] {
    [
      canStateTarget
        ? "reconnect.success >= \(target) at \(confidence)" : "reconnect.failures <= \(maxFailures)",
      "invariants.broken == 0", "messages.misdelivered == 0",
      "faults.idle == 0", "descriptors.left == 0", "model.disagreements == 0",
    ]
  }

  /// True if there are enough clients to confirm the target at the confidence if all return from every outage. With
  /// fewer clients, the threshold is a count: no more may fail than the target allows.
  private var canStateTarget: Bool {
    guard let faults = try? schedule().faults else { return true }
    let maximum = ProfileTally.maxEvaluated(faults: faults.count)
    var best = ClusteredShare()
    for _ in 0..<clients { best.add(hits: maximum, of: maximum) }
    return best.interval(alpha: 1 - confidenceOfEach, maximum: maximum).lowerBound >= target
  }

  private var maxFailures: Int { Int((Double(clients) * (1 - target) + 1e-9).rounded(.down)) }

  package var measures: [Measure] {
    SoakMeasures.rows(confidence: confidenceOfEach).measures() + SoakMeasures.effects.measures(of: kinds.map(\.name))
  }

  package func run(on context: RunContext) throws -> ScenarioResult {
    try checkDescriptors()
    let finding = try find(interrupt: context.interrupt, context: context)
    let report = SoakReport(finding: finding)
    return ScenarioResult(
      measurements: SoakMeasures.rows(confidence: confidenceOfEach).measurements(in: finding)
        + kinds.flatMap { kind in SoakMeasures.effects.measurements(of: kind.name, in: (finding, kind)) },
      data: report.data, document: report.document,
      files: [.init(name: "return-times.csv", content: report.timeRows.csv)], isComplete: finding.outcome.isComplete)
  }

  /// The confidence of each of four intervals, such that all keep the confidence.
  private var confidenceOfEach: Double { 1 - SimulationTrial.part(of: 1 - confidence, among: 4) }

  var speed: TimeScale { TimeScale(pace) }

  var settings: ConnectionSettings {
    var settings = SimulatedClient(policy: policy).settings
    // The soak uses loopback without TLS.
    settings.isSecure = false
    // The lateness of a timer that counts as a sleep depends on the machine.
    settings.heartbeat.lateness = min(speed.own(settings.heartbeat.lateness), settings.heartbeat.pongTimeout)
    return settings
  }

  /// The world of real and simulated clients: the simulation's own network, to which loopback adds almost nothing, with
  /// more messages, so that there are some in a minute.
  var world: SessionWorld {
    var world = SessionWorld()
    // The proxy delays all packets of a connection, but not the kernel's own handshake.
    world.network.roundTripsToOpen = 0
    world.server.publishes = .seconds(15)
    world.phone.sends = .seconds(60)
    // Replaced real timers do not fire, and dropped sockets are closed at once.
    world.phone.staleTimers = 1 << 40
    world.phone.closeNotificationDelay = .milliseconds(1)
    return world
  }

  /// The kinds of faults that the run plays.
  private var kinds: [Fault.Kind] {
    let found = Set(((try? schedule())?.faults ?? []).map(\.fault.kind))
    return Fault.Kind.allCases.filter(found.contains)
  }

  /// The schedule in the client's own time, as far as the run lasts.
  func schedule() throws -> FaultSchedule {
    let whole: FaultSchedule
    switch faults {
    case .schedule(let schedule): whole = schedule
    case .profile(let name):
      let seed = try streams().seed(ordinal: 0, block: 0)
      whole = try OutageProfile.named(name).schedule(seed: seed, generator: generator)
      if let problem = SoakFaultChoice.problem(in: whole) {
        throw LiveLabError.badValue(field: "scenario", found: name, expected: problem)
      }
    }
    return whole.cut(to: min(whole.duration, speed.own(duration)))
  }

  private func streams() throws -> StreamFamily {
    try StreamFamily(rootSeed: seed, experiments: ["schedule", "clients", "simulated", "proxy"])
  }

  private func checkDescriptors() throws {
    let allowed = Descriptors.raiseLimit()
    let maximum = max(0, (allowed - Descriptors.others) / Descriptors.perClient)
    guard clients <= maximum else {
      throw LiveLabError.badValue(
        field: "clients", found: NumberFormat.grouped(clients),
        expected:
          "at most \(NumberFormat.grouped(maximum)): a client takes up to \(Descriptors.perClient) descriptors, and "
          + "'ulimit -Hn' allows this process \(NumberFormat.grouped(allowed)); raise it, or run fewer")
    }
  }

  /// The number of simulated clients for each real one: they are cheap, so that chance affects mostly the real ones.
  static let simulatedForEach = 10

  func find(interrupt: Interrupt, context: RunContext? = nil) throws -> SoakFinding {
    let (streams, speed) = (try streams(), speed)
    let whole = try schedule()
    let run = SoakRun(
      clients: clients, schedule: whole, settings: settings, world: world, pace: speed,
      seeds: try (0..<clients).map { try streams.seed(ordinal: 1, block: $0) },
      proxySeed: UInt64(try streams.seed(ordinal: 3, block: 0)), tolerance: tolerance)
    let meter = context?.meter(Int(speed.real(whole.duration).nanoseconds / 1_000_000), "ms")
    let outcome = try run.play(interrupt: interrupt) { meter?.advance(by: $0) }
    meter?.finish()
    // After an interruption both worlds are compared up to its time.
    let played = outcome.isComplete ? whole : whole.cut(to: max(.milliseconds(1), outcome.duration))
    let simulated = try Self.simulate(
      run, played, count: clients * Self.simulatedForEach, generator: generator
    ) { try streams.seed(ordinal: 2, block: $0) }
    return SoakFinding(trial: self, schedule: played, outcome: outcome, simulated: simulated)
  }

  /// Plays the schedule to clients in virtual time.
  private static func simulate(
    _ run: SoakRun, _ schedule: FaultSchedule, count: Int, generator: String, seed: (Int) throws -> UInt32
  ) throws -> [SessionResult] {
    var session = try Session<LiveConnection, NoObserver>(
      settings: run.settings, world: run.world, observer: NoObserver(), generator: generator)
    return try (0..<count).map { number in
      try session.run(schedule, seed: seed(number))
      return session.result
    }
  }
}

/// The faults of a soak: given directly or drawn from a profile.
enum SoakFaultChoice: Hashable, Sendable {
  case profile(String)
  case schedule(FaultSchedule)

  /// Ten minutes with a dozen outages: all ways to lose a connection that a proxy and a server can play.
  static let defaultText = """
    live/1 for=10m limit=50s; 5s latency for=35s added=200ms jitter=200ms; 15s reset; 50s black-hole for=45s; \
    1m45s restart for=8s how=killed; 2m10s offline for=15s; 3m20s refusal for=25s status=503 retry-after=10s; \
    3m21s reset; 4m30s half-open; 5m30s no-pongs for=45s; 6m40s burst-loss for=40s enter=10% leave=30%; 6m50s reset; \
    7m40s restart for=15s how=graceful; 8m20s network-change; 8m40s black-hole for=8s; 9m5s reset
    """

  static let `default` =
    (try? FaultSchedule(reading: defaultText)).map { SoakFaultChoice.schedule($0) } ?? .profile("tunnel")

  /// A fault that the soak cannot play, and the alternatives; nil if it can play all.
  static func problem(in schedule: FaultSchedule) -> String? {
    let unplayable: Set<Fault.Kind> = [.sleep, .clockSkew, .expiredCredentials]
    for timed in schedule.faults {
      let fault = timed.fault
      if unplayable.contains(fault.kind) {
        return "faults that can be played to real sockets: a process cannot play `\(fault.kind.name)` on its machine"
      }
      if fault.kind.declaration.isOfSockets || timed.way != nil || timed.count != nil || timed.proxy != nil
        || timed.share != nil
      {
        return "faults that the simulation knows as well: `\(fault)` is for live proxy alone"
      }
      if fault.kind == .idleCut, fault.isSet(1) {
        return "no silent cut of idle connections: the time of a cut is unknown"
      }
      if fault.kind == .restart, fault.departure != .vanished, fault.isSet(1) != fault.isSet(2) {
        return "a restart that keeps both history and numbers, or neither: a server holds both in its memory"
      }
    }
    let outages = schedule.faults.filter { [.offline, .blackHole].contains($0.fault.kind) }
    for (one, next) in zip(outages, outages.dropFirst()) where next.at < one.end {
      return "`offline` and `black-hole` one after the other: for the proxy both are the same"
    }
    return nil
  }
}

extension FaultSchedule {
  /// The beginning of the schedule, up to a duration.
  func cut(to duration: Interval) -> FaultSchedule {
    FaultSchedule(unchecked: faults, duration: duration, limit: limit)
  }
}

extension ValueType where Value == SoakFaultChoice {
  /// A profile's name, or a schedule: `live/1 for=10m; 5m offline for=20s`.
  static var soakFaults: Self {
    let schedule = ValueType<FaultSchedule>.schedule
    let profile = ValueType<String>.choice(OutageProfile.names, named: "profile")
    return Self(
      "scenario", expected: "\(profile.expected), or \(schedule.expected)", words: OutageProfile.names,
      schema: ["type": "string"],
      read: { field throws(ReportingError) in
        let text = try field.string(expected: "the name of a profile, or \(schedule.expected)")
        return text.hasPrefix("live/") ? .schedule(try schedule.read(field)) : .profile(try profile.read(field))
      },
      write: { choice in
        switch choice {
        case .profile(let name): profile.write(name)
        case .schedule(let faults): schedule.write(faults)
        }
      })
  }
}
