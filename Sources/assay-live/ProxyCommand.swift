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

      A schedule is 'live/1 for=TIME' and then its faults after semicolons: the start, the name, for=TIME if the fault \
      lasts, and its values. Brackets mark what may be left out. With way=up (from the client to the server) or \
      way=down a fault acts in one direction only, with count=NUMBER it ends after that many attempts, and with \
      share=SHARE it affects that share of the connections, drawn by the seed:
      \(Fault.Kind.allCases.filter { !$0.declaration.isOfPhone }.map { TimelineSession.guide(to: $0, onSockets: true) }
        .joined(separator: "\n"))
      """)

  @Option(
    help: ArgumentHelp(
      "The address and port to listen on; * for all addresses of this machine, port 0 for any free one. Example: "
        + "--listen 127.0.0.1:9000",
      valueName: "address:port"))
  var listen = "127.0.0.1:0"

  @Option(
    help: ArgumentHelp(
      "The address that connections are relayed to. Example: --upstream 127.0.0.1:9001", valueName: "address:port"))
  var upstream: String

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
    help: ArgumentHelp(
      "The port of 127.0.0.1 on which faults are added and ended by HTTP; 0 for any that is free. Example: --control "
        + "9002",
      valueName: "port"))
  var control: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How events are written: text or jsonl. Example: --format jsonl", valueName: "format"),
    completion: .list(["text", "jsonl"]))
  var format = "text"

  @Option(
    help: ArgumentHelp(
      "The seed of everything random: the same one decides the same for each connection. Example: --seed 7",
      valueName: "number"))
  var seed = "1"

  @Option(
    help: ArgumentHelp(
      "How many times as fast as this machine's the clock of the schedule and its faults runs. Example: --pace 10",
      valueName: "number"))
  var pace = "1"

  @Flag(help: "Start the schedule again when it is over.")
  var loop = false

  func run() throws {
    let seed = try ValueType<Int>.count(0...Int.max).read(option: "--seed", seed)
    let schedule = try faultSchedule(seed: UInt32(truncatingIfNeeded: seed))
    if let schedule { try FaultProxy.check(schedule) }
    let port = try control.map { try ValueType<Int>.count(0...65_535).read(option: "--control", $0) }
    let pace = try ValueType<Int>.count(1...1_000).read(option: "--pace", pace)
    let log = ProxyLog(
      isJSON: try ValueType<String>.choice(["text", "jsonl"]).read(option: "--format", format) == "jsonl",
      pace: Int64(pace))
    let group = MultiThreadedEventLoopGroup.singleton
    let proxy = FaultProxy(
      group: group, listen: try Self.address(listen, option: "--listen"),
      upstream: .address(try Self.address(upstream, option: "--upstream", isUpstream: true)),
      schedule: schedule ?? FaultSchedule(), seed: UInt64(seed), pace: Int64(pace), isLooped: loop,
      addable: port == nil ? [] : Set(Fault.Kind.allCases), report: log.report)
    let (listen, loops) = (listen, loop)
    try UntilInterrupted.run {
      do {
        try await proxy.start { try log.start("listening on \($0.text)", "listening", $0) }
      } catch {
        throw Self.problem(error, "--listen", listen)
      }
      var control: ProxyControl?
      if let port {
        do {
          control = try await ProxyControl(port: port, of: proxy, group: group)
        } catch {
          throw Self.problem(error, "--control", "\(port)")
        }
        if let address = control?.address {
          try log.start("control by http://\(address.text)/faults", "control", address)
        }
      }
      let time = loops ? nil : schedule?.duration
      // An interruption ends the time early.
      try? await Task.sleep(for: .nanoseconds((time?.nanoseconds).map { $0 / Int64(pace) } ?? 365 * 86_400_000_000_000))
      await control?.stop()
      let counts = try await proxy.counts
      try await proxy.stop()
      try log.finish(counts)
    }
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

  /// Reads an address and a port: `127.0.0.1:9000`, `[::1]:9000`, `example.org:80`.
  private static func address(_ text: String, option: String, isUpstream: Bool = false) throws -> SocketAddress {
    func bad(_ expected: String) -> CommandError { .badValue(option: option, found: text, expected: expected) }
    let form = "an address and a port, such as 127.0.0.1:9000 or [::1]:9000"
    guard let colon = text.lastIndex(of: ":") else { throw bad(form) }
    var host = String(text[..<colon])
    guard let port = Int(text[text.index(after: colon)...]), (isUpstream ? 1 : 0)...65_535 ~= port else {
      throw bad(form + ", the port \(isUpstream ? "from 1" : "from 0") to 65535")
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") || host.isEmpty {
      throw bad(form)
    }
    if isUpstream, host == "*" { throw bad(form) }
    if let address = try? SocketAddress(ipAddress: EveryAddress.host(host), port: port) { return address }
    do {
      return try SocketAddress.makeAddressResolvingHost(host, port: port)
    } catch {
      throw bad("\(form): no machine of that name is known")
    }
  }

  private static func problem(_ error: any Error, _ option: String, _ found: String) -> any Error {
    guard let code = (error as? IOError)?.errnoCode else { return error }
    return CommandError.badValue(
      option: option, found: found,
      expected: "an address of this machine and a port that is free (\(SystemCause.message(of: code)))")
  }
}

/// The output of a running proxy: lines for people, or JSON Lines for programs.
private struct ProxyLog {
  private let isJSON: Bool
  private let pace: Int64
  private let began = ContinuousClock.now

  init(isJSON: Bool, pace: Int64) { (self.isJSON, self.pace) = (isJSON, pace) }

  /// The time since the start, by the clock of the schedule.
  private var now: Interval { Interval(ContinuousClock.now - began) * pace }

  /// Writes an address on which the proxy listens.
  func start(_ line: String, _ name: String, _ address: SocketAddress) throws {
    try Console.write((isJSON ? record(name, [JSONMember("address", .string(address.text))]) : line) + "\n")
  }

  func report(_ event: FaultProxy.Event) {
    let (line, name, members) = Self.words(event)
    guard isJSON else { return Console.say("\(TimelineClock.text(of: Instant.zero + now))  \(line)") }
    // The proxy continues even if its output is closed.
    try? Console.write(record(name, members) + "\n")
  }

  /// Writes how often each fault took effect.
  func finish(_ counts: [FaultProxy.Count]) throws {
    if isJSON {
      for count in counts {
        let members = [
          JSONMember("fault", .string("\(count.fault)")), JSONMember("times", .integer(Int(clamping: count.times))),
        ]
        try Console.write(record("effects", members) + "\n")
      }
    } else if !counts.isEmpty {
      let table = Table(
        ["fault"], numbers: ["took effect"],
        rows: counts.map { ["\($0.fault)", $0.times == 0 ? "never" : "\($0.times)"] })
      try Console.write(table.text())
    }
  }

  private func record(_ name: String, _ members: [JSONMember]) -> String {
    JSONValue.object(
      [JSONMember("seconds", .fixed(now.seconds, decimals: 6)), JSONMember("event", .string(name))] + members
    )
    .line
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
