// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import AssayCommands
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import LiveSoak
internal import NIOCore
internal import NIOPosix
internal import Reporting
internal import Scenarios
internal import Workbench

/// `assay live proxy`: a proxy between a client and its server that injects faults.
struct ProxyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proxy", abstract: "Relays TCP connections, and plays the faults of a schedule to them.",
    discussion: """
      Example: assay live proxy --listen 127.0.0.1:9000 --upstream 127.0.0.1:9001 \
      --schedule 'live/1 for=10m; 1m black-hole for=20s'

      Example: assay live proxy --listen 127.0.0.1:9000 --upstream 127.0.0.1:9001 \
      --profile tunnel --control 9002

      The first line on the standard output is the proxy's address. The standard error reports faults and connections \
      as they begin and end, with the time since the start. At the end of the schedule, or after Ctrl-C, a table shows \
      how often each fault took effect. With --format jsonl all of it goes to the standard output, one JSON object a \
      line.

      With --control you can add and end faults by HTTP while the proxy runs, on this machine only: curl -d 'latency \
      for=30s added=200ms way=down' localhost:9002/faults begins a fault, which lasts until you end it if it has no \
      for. curl localhost:9002/faults lists all, and curl -X DELETE localhost:9002/faults/latency ends one; without a \
      kind it ends all.

      The proxy relays any protocol. Faults of HTTP requests and WebSockets act only on streams that begin as such, \
      and not on TLS, which the proxy cannot read. While refused or restart holds, nobody listens on the port; with \
      count or share a connection is accepted and then reset.

      Repeat --upstream, and --listen and --name in the same order, for several proxies in one process. A fault \
      affects all of them, or with proxy=NAME one; without --name their names are 1, 2 and so on.

      With --api toxiproxy the control does what toxiproxy's HTTP API documents, at 127.0.0.1:8474 unless --control \
      says otherwise, so that clients of toxiproxy create proxies and toxics. --upstream may be left out then.

      A schedule is 'live/1 for=TIME' and then its faults after semicolons: the start, the name, for=TIME if the fault \
      lasts, and its values. Brackets mark what may be left out. With way=up (from the client to the server) or \
      way=down a fault acts in one direction only, with count=NUMBER it ends after that many attempts, and with \
      share=SHARE it affects that share of the connections, drawn by the seed:
      \(Fault.Kind.allCases.filter { !$0.declaration.isOfPhone }.map { TimelineSession.guide(to: $0, onSockets: true) }
        .joined(separator: "\n"))
      """)

  @Option(
    help: ArgumentHelp(
      "The address and port to listen on; * for all addresses of this machine, port 0 for any free one; without it any "
        + "free port of 127.0.0.1. Example: --listen 127.0.0.1:9000",
      valueName: "address:port"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "The address that connections are relayed to. Example: --upstream 127.0.0.1:9001", valueName: "address:port"))
  var upstream: [String] = []

  @Option(
    help: ArgumentHelp(
      "The name of a proxy, for schedules, the control and the output. Example: --name redis", valueName: "name"))
  var name: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with the schedule: its text alone, or a scenario with the key schedule, or profiles with one profile. "
        + "Example: --faults faults.yaml",
      valueName: "file"),
    completion: .file())
  var faults: String?

  @Option(
    help: ArgumentHelp(
      "The schedule itself. Example: --schedule 'live/1 for=10m; 0s refused for=10m count=2'", valueName: "schedule"))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "An outage that the schedule is drawn from, with the seed, as live timeline draws it (a phone that is offline is "
        + "a way that is lost): "
        + "\(ValueType<[OutageProfile]>.profiles.words.joined(separator: ", ")); or one's own, a mapping. "
        + "Example: --profile tunnel",
      valueName: "profile"),
    completion: .list(ValueType<[OutageProfile]>.profiles.words))
  var profile: String?

  @Option(
    "control", .control,
    "The port of 127.0.0.1, or a loopback address and a port, where faults are added and ended by HTTP; 0 for any free "
      + "port.",
    example: "9002")
  var control: HostPort?

  @Flag(help: "Allow a --control address that other machines can reach; anyone who connects controls the proxies.")
  var controlAny = false

  @Option(
    "api", .choice, "The protocol of the control: faults, or toxiproxy for clients of toxiproxy 2.",
    example: "toxiproxy", valueName: "api")
  var api = ProxyControl.API.faults

  @Option(
    "format", .choice(["text", "jsonl"]), "How events are written: text or jsonl.", example: "jsonl",
    valueName: "format", short: "f")
  var format = "text"

  @Option(
    "seed", .count(0...Int.max), "The seed of everything random: the same one decides the same for each connection.",
    example: "7", valueName: "number")
  var seed = 1

  @Option(
    "pace", .count(1...1_000),
    "How many times as fast as this machine's the clock of the schedule and its faults runs.", example: "10",
    valueName: "number")
  var pace = 1

  @Flag(help: "Start the schedule again when it is over.")
  var loop = false

  func run() throws {
    let schedule = try faultSchedule(seed: UInt32(truncatingIfNeeded: seed))
    if let schedule { try FaultProxy.check(schedule) }
    let pairs = try pairs(needed: api == .faults)
    try check(schedule, names: pairs.map(\.name))
    let place = try controlPlace(toxiproxy: api == .toxiproxy)
    let log = ProxyLog(
      isJSON: format == "jsonl", pace: Int64(pace), isNamed: !name.isEmpty || pairs.count != 1 || api == .toxiproxy)
    var plan = ProxySet.Plan()
    (plan.schedule, plan.seed) = (schedule ?? FaultSchedule(), UInt64(seed))
    (plan.pace, plan.isLooped) = (Int64(pace), loop)
    plan.addable = place == nil ? [] : api == .toxiproxy ? ProxyControl.toxics : Set(Fault.Kind.allCases)
    plan.report = log.report
    let group = MultiThreadedEventLoopGroup.singleton
    let (proxies, loops, isPublic) = (ProxySet(plan, on: group), loop, controlAny)
    try UntilInterrupted.run {
      for pair in pairs {
        do {
          try await proxies.add(pair.name, listen: pair.listen, to: pair.upstream) {
            try log.start("listening on \($0.text)", "listening", $0, pair.name)
          }
        } catch {
          throw Self.problem(error, "--listen", pair.listen.text)
        }
      }
      var control: ProxyControl?
      if let place {
        do {
          control = try await ProxyControl(at: place, api, of: proxies, isPublic: isPublic, group: group)
        } catch {
          throw Self.problem(error, "--control", place.text)
        }
        if let address = control?.address {
          let path = api == .toxiproxy ? "" : "/faults"
          try log.start("control by http://\(address.text)\(path)", "control", address)
        }
      }
      let time = loops ? nil : schedule?.duration
      // An interruption ends the time early.
      try? await Task.sleep(for: .nanoseconds((time?.nanoseconds).map { $0 / Int64(pace) } ?? 365 * 86_400_000_000_000))
      await control?.stop()
      let counts = try await proxies.counts
      try await proxies.stop()
      try log.finish(counts)
    }
  }

  /// The proxies: names and addresses in the order in which they are given.
  private func pairs(needed: Bool) throws -> [(name: String, listen: SocketAddress, upstream: HostPort)] {
    func bad(_ option: String, _ values: [String], _ expected: String) -> CommandError {
      .badValue(option: option, found: values.isEmpty ? "none" : values.joined(separator: " "), expected: expected)
    }
    if upstream.isEmpty, needed { throw bad("--upstream", [], "an address that connections are relayed to") }
    for (option, values) in [("--listen", listen), ("--name", name)] where !values.isEmpty {
      guard values.count == upstream.count else {
        throw bad(option, values, "as many as --upstream, \(upstream.count)")
      }
    }
    if let wrong = name.first(where: { $0.isEmpty || $0.contains { $0.isWhitespace || ";/?".contains($0) } }) {
      throw bad("--name", [wrong], "a name without blanks, ';', '/' and '?'")
    }
    guard Set(name).count == name.count else { throw bad("--name", name, "a different name for each proxy") }
    return try upstream.enumerated().map { index, upstream in
      let listen = try Self.address(listen.isEmpty ? "127.0.0.1:0" : listen[index], option: "--listen")
      return (name.isEmpty ? "\(index + 1)" : name[index], listen, try Self.upstream(upstream))
    }
  }

  /// Throws if a fault names a proxy that there is not. With an API that creates proxies it may come later.
  private func check(_ schedule: FaultSchedule?, names: [String]) throws {
    guard api == .faults else { return }
    guard let wrong = schedule?.faults.compactMap(\.proxy).first(where: { !names.contains($0) }) else { return }
    throw CommandError.badValue(
      option: "--schedule", found: "proxy=\(wrong)",
      expected: "the name of a proxy, one of \(names.joined(separator: ", "))" + Spelling.hint(for: wrong, among: names)
    )
  }

  /// The address of the control; nil for none.
  private func controlPlace(toxiproxy: Bool) throws -> SocketAddress? {
    guard let control = control ?? (toxiproxy ? HostPort("127.0.0.1:8474") : nil) else {
      guard !controlAny else {
        throw CommandError.badValue(option: "--control-any", found: "no --control", expected: "one, such as *:9002")
      }
      return nil
    }
    let address = try Self.address("\(control)", option: "--control")
    let host = address.ipAddress ?? ""
    guard controlAny || host == "::1" || host.hasPrefix("127.") else {
      throw CommandError.badValue(
        option: "--control", found: "\(control)", expected: "an address of loopback, or --control-any for any other")
    }
    return address
  }

  /// The schedule, from a file or from the command line; nil for none.
  private func faultSchedule(seed: UInt32) throws -> FaultSchedule? {
    let given = [("--schedule", schedule), ("--profile", profile), ("--faults", faults)].filter { $0.1 != nil }
    if given.count > 1 {
      throw CommandError.badValue(
        option: given[0].0, found: given[0].1 ?? "", expected: "no \(given[1].0) with it: either says what goes wrong")
    }
    func drawn(_ field: ScenarioField) throws -> FaultSchedule {
      let profiles = try ValueType<[OutageProfile]>.profiles.read(field)
      guard let profile = profiles.first, profiles.count == 1 else {
        throw field.bad(expected: "one profile, whose faults are played")
      }
      let drawn = try profile.schedule(seed: seed)
      return try FaultSchedule(drawn.faults.map(\.onTheWay), duration: drawn.duration)
    }
    if let profile { return try drawn(ScenarioField(option: "--profile", [profile])) }
    if let schedule { return try FaultSchedule(reading: schedule, onSockets: true) }
    guard let faults else {
      guard !loop else {
        throw CommandError.badValue(
          option: "--loop", found: "no schedule", expected: "one, by --schedule, --profile or --faults")
      }
      return nil
    }
    let text = try TextFile.read(faults)
    if text.drop(while: \.isWhitespace).hasPrefix("live/") { return try FaultSchedule(reading: text, onSockets: true) }
    let root = try ScenarioDocument(yaml: text, file: faults).root
    if let field = try root.member("profiles") { return try drawn(field) }
    guard let field = try root.member("schedule") else {
      throw root.missing("schedule", expected: FaultSchedule.expected)
    }
    return try FaultSchedule(field, onSockets: true)
  }

  private static let form = "an address and a port, such as 127.0.0.1:9000 or [::1]:9000"

  private static func hostPort(_ text: String, option: String, ports: ClosedRange<Int>) throws -> HostPort {
    guard let hostPort = HostPort(text), ports.contains(hostPort.port) else {
      throw CommandError.badValue(
        option: option, found: text, expected: "\(form), the port from \(ports.lowerBound) to 65535")
    }
    return hostPort
  }

  private static func address(_ text: String, option: String) throws -> SocketAddress {
    do { return try hostPort(text, option: option, ports: 0...65_535).address } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError.badValue(
        option: option, found: text, expected: "\(form): no machine of that name is known")
    }
  }

  private static func upstream(_ text: String) throws -> HostPort {
    let hostPort = try hostPort(text, option: "--upstream", ports: 1...65_535)
    guard hostPort.host != "*" else { throw CommandError.badValue(option: "--upstream", found: text, expected: form) }
    _ = try address(text, option: "--upstream")
    return hostPort
  }

  private static func problem(_ error: any Error, _ option: String, _ found: String) -> any Error {
    guard let code = (error as? IOError)?.errnoCode else { return error }
    return CommandError.badValue(
      option: option, found: found,
      expected: "an address of this machine and a port that is free (\(SystemCause.message(of: code)))")
  }
}

extension ValueType where Value == HostPort {
  /// A port of 127.0.0.1, or an address and a port.
  fileprivate static var control: Self {
    ValueType<String>.text("port", expected: "a port from 0 to 65535, or an address and a port such as [::1]:9002")
      .map {
        HostPort($0.contains(":") ? $0 : "127.0.0.1:\($0)")
      } back: {
        "\($0)"
      }
  }
}

/// The output of a running proxy: lines for people, or JSON Lines for programs.
private struct ProxyLog {
  private let isJSON: Bool
  private let pace: Int64
  /// True if the names of proxies are written.
  private let isNamed: Bool
  private let began = ContinuousClock.now

  init(isJSON: Bool, pace: Int64, isNamed: Bool) { (self.isJSON, self.pace, self.isNamed) = (isJSON, pace, isNamed) }

  /// The time since the start, on the schedule's clock.
  private var now: Interval { Interval(ContinuousClock.now - began) * pace }

  /// Writes an address on which the proxy listens.
  func start(_ line: String, _ name: String, _ address: SocketAddress, _ proxy: String? = nil) throws {
    let members = [JSONMember("address", .string(address.text))]
    try Console.write((isJSON ? record(name, of: proxy, members) : prefix(proxy) + line) + "\n")
  }

  @Sendable func report(_ proxy: String, _ event: FaultProxy.Event) {
    let (line, name, members) = Self.words(event)
    guard isJSON else { return Console.say("\(TimelineClock.text(of: Instant.zero + now))  \(prefix(proxy))\(line)") }
    // The proxy continues even if its output is closed.
    try? Console.write(record(name, of: proxy, members) + "\n")
  }

  private func prefix(_ proxy: String?) -> String { isNamed ? proxy.map { "\($0): " } ?? "" : "" }

  /// Writes how often each fault took effect.
  func finish(_ proxies: [(name: String, counts: [FaultProxy.Count])]) throws {
    let all = proxies.flatMap { proxy in proxy.counts.map { (proxy.name, $0) } }
    if isJSON {
      for (proxy, count) in all {
        let members = [
          JSONMember("fault", .string("\(count.fault)")), JSONMember("times", .integer(Int(clamping: count.times))),
        ]
        try Console.write(record("effects", of: proxy, members) + "\n")
      }
    } else if !all.isEmpty {
      let table = Table(
        (isNamed ? ["proxy"] : []) + ["fault"], numbers: ["took effect"],
        rows: all.map { proxy, count in
          (isNamed ? [proxy] : []) + ["\(count.fault)", count.times == 0 ? "never" : "\(count.times)"]
        })
      try Console.write(table.text())
    }
  }

  private func record(_ name: String, of proxy: String?, _ members: [JSONMember]) -> String {
    let named = isNamed ? proxy.map { [JSONMember("proxy", .string($0))] } ?? [] : []
    let time = [JSONMember("seconds", .fixed(now.seconds, decimals: 6)), JSONMember("event", .string(name))]
    return JSONValue.object(time + named + members).line
  }

  /// An event as a line for people, and as the name and members of a record.
  private static func words(_ event: FaultProxy.Event) -> (line: String, name: String, members: [JSONMember]) {
    func reason(_ why: String) -> [JSONMember] { [JSONMember("reason", .string(why))] }
    switch event {
    case .began(let fault):
      let text = fault.withoutMoment
      return ("began: \(text)", "began", [JSONMember("fault", .string(text))])
    case .ended(let fault):
      let text = fault.withoutMoment
      return ("ended: \(text)", "ended", [JSONMember("fault", .string(text))])
    case .opened(let number, let client):
      let members = [JSONMember("connection", .unsigned(number)), JSONMember("client", .string(client))]
      return ("connection \(number) from \(client)", "opened", members)
    case .closed(let number, let after):
      let lasted = JSONMember("lasted", .fixed(after.seconds, decimals: 6))
      let line = "connection \(number) closed after \(TimelineClock.text(of: after))"
      return (line, "closed", [JSONMember("connection", .unsigned(number)), lasted])
    case .pausedAccepting(let why): return ("accepting nothing for now: \(why)", "paused", reason(why))
    case .resumedAccepting: return ("accepting again", "resumed", [])
    case .upstreamFailed(let upstream, let why):
      let line = "the upstream \(upstream) cannot be connected to: \(why); start it, or check --upstream"
      return (line, "upstream-failed", reason(why))
    }
  }
}
