// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import AssayCommands
internal import LiveCore
internal import LiveLab
internal import LiveSoak
internal import NIOCore
internal import NIOPosix
internal import Reporting
internal import Scenarios
internal import Workbench

/// `assay live proxy`: what lies between a client and its server, and what goes wrong there.
struct ProxyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proxy", abstract: "Relays TCP connections, and plays the faults of a schedule to them.",
    discussion: """
      Example: assay live proxy --listen 127.0.0.1:9000 --upstream 127.0.0.1:9001 \
      --schedule 'live/1 for=10m; 1m black-hole for=20s'

      The first line on the standard output is the address that is listened on; each \
      fault is reported on the standard error as it begins and ends. At the end of the \
      schedule, or with Ctrl-C, a table says how often each fault took effect.

      Any protocol is relayed. What a fault does to HTTP requests and WebSockets it does \
      only to streams that begin as such, and not to TLS, which nobody can look into. \
      A connection that nobody should accept is accepted by the kernel, and then reset.

      A schedule is live/1 for=TIME, and behind semicolons its faults: the moment, the \
      name, for=TIME where it lasts, and its values. In brackets is what may be left \
      out; with way=up or way=down a fault acts one way only, up being from the client \
      to the server, and with count=NUMBER it is over after so many attempts:
      \(Fault.Kind.allCases.filter { !$0.declaration.isOfPhone }.map { TimelineSession.guide(to: $0, onSockets: true) }
        .joined(separator: "\n"))
      """)

  @Option(
    help: ArgumentHelp(
      "The address and port that are listened on; 0.0.0.0 for all addresses of this machine, port 0 for any that is "
        + "free. Example: --listen 127.0.0.1:9000",
      valueName: "address:port"))
  var listen = "127.0.0.1:0"

  @Option(
    help: ArgumentHelp("Where connections go on to. Example: --upstream 127.0.0.1:9001", valueName: "address:port"))
  var upstream: String

  @Option(
    help: ArgumentHelp(
      "A file with the schedule: its text alone, or a scenario with the key schedule. Example: --faults faults.yaml",
      valueName: "file"),
    completion: .file())
  var faults: String?

  @Option(
    help: ArgumentHelp(
      "The schedule itself. Example: --schedule 'live/1 for=10m; 0s refused for=10m count=2'", valueName: "schedule"))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "The seed of everything random: the same one decides the same for each connection. Example: --seed 7",
      valueName: "number"))
  var seed = "1"

  @Flag(help: "Begin the schedule again when it is over.")
  var loop = false

  func run() throws {
    let schedule = try faultSchedule()
    if let schedule { try FaultProxy.check(schedule) }
    let seed = try ValueType<Int>.count(0...Int.max).read(option: "--seed", seed)
    let proxy = FaultProxy(
      group: MultiThreadedEventLoopGroup.singleton, listen: try Self.address(listen, option: "--listen"),
      upstream: try Self.address(upstream, option: "--upstream", isUpstream: true),
      schedule: schedule ?? FaultSchedule(), seed: UInt64(seed), isLooped: loop,
      report: { Console.say(Self.line($0)) })
    let (listen, loops) = (listen, loop)
    try UntilInterrupted.run {
      let address: SocketAddress
      do {
        address = try await proxy.start()
      } catch {
        throw Self.problem(error, listen)
      }
      try Console.write("listening on \(address.text)\n")
      try await proxy.begin()
      let time = loops ? nil : schedule?.duration
      // An interruption ends the time early.
      try? await Task.sleep(for: .nanoseconds(time?.nanoseconds ?? 365 * 86_400_000_000_000))
      let counts = try await proxy.counts
      try await proxy.stop()
      if schedule != nil { try Console.write(Self.table(counts)) }
    }
  }

  /// The schedule, from a file or from the command line; nil for none.
  private func faultSchedule() throws -> FaultSchedule? {
    if faults != nil, schedule != nil {
      throw CommandError.badValue(
        option: "--schedule", found: schedule ?? "", expected: "no --faults with it: either says what goes wrong")
    }
    if let schedule { return try FaultSchedule(reading: schedule, onSockets: true) }
    guard let faults else {
      guard !loop else {
        throw CommandError.badValue(option: "--loop", found: "no schedule", expected: "one, by --schedule or --faults")
      }
      return nil
    }
    let text = try TextFile.read(faults)
    if text.drop(while: \.isWhitespace).hasPrefix("live/") { return try FaultSchedule(reading: text, onSockets: true) }
    let root = try ScenarioDocument(yaml: text, file: faults).root
    guard let field = try root.member("schedule") else {
      throw root.missing("schedule", expected: FaultSchedule.expected)
    }
    return try FaultSchedule(field, onSockets: true)
  }

  /// An address and a port as they are written: `127.0.0.1:9000`, `[::1]:9000`, `example.org:80`.
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
    if let address = try? SocketAddress(ipAddress: host, port: port) { return address }
    do {
      return try SocketAddress.makeAddressResolvingHost(host, port: port)
    } catch {
      throw bad("\(form): no machine of that name is known")
    }
  }

  private static func problem(_ error: any Error, _ listen: String) -> any Error {
    guard let code = (error as? IOError)?.errnoCode else { return error }
    return CommandError.badValue(
      option: "--listen", found: listen,
      expected: "an address of this machine and a port that is free (\(SystemCause.message(of: code)))")
  }

  private static func line(_ event: FaultProxy.Event) -> String {
    switch event {
    case .began(let fault): "began: \(fault)"
    case .ended(let fault): "ended: \(fault)"
    case .pausedAccepting(let why): "accepting nothing for now: \(why)"
    case .resumedAccepting: "accepting again"
    case .upstreamFailed(let why): "the upstream cannot be connected to: \(why)"
    }
  }

  private static func table(_ counts: [FaultProxy.Count]) -> String {
    Table(
      ["fault"], numbers: ["took effect"],
      rows: counts.map { ["\($0.fault)", $0.times == 0 ? "never" : "\($0.times)"] }
    ).text()
  }
}
