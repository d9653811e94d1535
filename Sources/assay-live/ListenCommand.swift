// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import AssayCommands
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOCore
internal import Reporting
internal import Scenarios
internal import Workbench

/// `assay live listen`: prints the messages of a WebSocket server, and reconnects when the connection breaks.
struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen", abstract: "Prints what a WebSocket server sends, and reconnects when the connection breaks.",
    discussion: """
      Messages go to the standard output, one a line; changes of the status go to the standard error. It works with \
      any server. --stream is for the stream protocol of 'assay live serve': the client asks again for the messages \
      that it missed while the connection was down, and reports messages that the server no longer has as a gap.

      If the first attempt fails, the command exits with 2; with --wait it keeps trying. Ctrl-C closes the connection.

      \(NamedPolicy.guide)
      """)

  @Argument(help: "The server: ws://host:port/path, or wss:// for TLS. Example: ws://127.0.0.1:9001/")
  var url: String

  @Option("count", .count(1...1_000_000_000), "End after this number of messages (default: never).", example: "10")
  var count: Int?

  @Flag(help: "The server speaks the stream protocol: resume after what was last received.")
  var stream = false

  @Option(
    "policy", .policy, "How long to wait between attempts: \(ValueType<NamedPolicy>.policy.expected).",
    example: "equal-jitter", valueName: "policy")
  var policy = SimulatedClient.recommendedPolicy

  @Flag(help: "Keep trying if the first attempt fails.")
  var wait = false

  @Option(help: ArgumentHelp("Send this once connected; can be given again. Example: --send hello", valueName: "text"))
  var send: [String] = []

  @Option(
    help: ArgumentHelp(
      "A header field of the request; can be given again. Example: --header 'Authorization: Bearer abc'",
      valueName: "name: value"))
  var header: [String] = []

  @Option(
    help: ArgumentHelp(
      "A subprotocol to offer, the best first; can be given again. Example: --subprotocol graphql-transport-ws",
      valueName: "name"))
  var subprotocol: [String] = []

  @Option(
    help: ArgumentHelp(
      "The authorities that a server's certificate may be signed by, in PEM form (default: the system's). "
        + "Example: --authorities ca.pem",
      valueName: "file"),
    completion: .file(extensions: ["pem"]))
  var authorities: String?

  @Option(
    "max-message", .count(1...(1 << 30)), "The largest accepted message, in bytes.", example: "16777216",
    valueName: "bytes")
  var maxMessage = 1_048_576

  func run() throws {
    let client = try LiveClient(url: url, settings: settings(), configuration: sockets())
    let (texts, waits, maximum) = (send, wait, count)
    try UntilInterrupted.run {
      do {
        try await Self.listen(to: client, sending: texts, maximum: maximum, waits: waits)
      } catch {
        await Self.close(client)
        throw error
      }
      await Self.close(client)
    }
  }

  /// Closes the client: only the end of the connection decides what became of messages that were being sent.
  private static func close(_ client: LiveClient) async {
    client.stop()
    for await arrival in client.messages {
      if case .dropped(let number, let reason) = arrival { say(notSent: number, reason) }
    }
  }

  private static func listen(to client: LiveClient, sending texts: [String], maximum: Int?, waits: Bool) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask {
        let reason = try await client.run()
        // Before it was ever open, the failed attempt explains more.
        if waits || client.hasOpened { try Self.explain(reason) }
      }
      group.addTask {
        for await status in client.statuses where status.phase != .disconnected {
          Console.say(Self.line(status, nextTry: client.untilNextTry))
        }
      }
      group.addTask {
        for text in texts { try await client.send(.text(text)) }
        try await Self.print(client, maximum: maximum, waits: waits)
        client.stop()
      }
      // The first task that fails cancels the others.
      for try await _ in group {}
    }
  }

  private static func say(notSent number: MessageNumber, _ reason: DropReason) {
    Console.say("not sent: message \(number.value), \(TimelineWords.text(of: reason))")
  }

  private func settings() -> ConnectionSettings {
    var settings = ConnectionSettings()
    settings.backoff = policy.backoff
    settings.resumesStream = stream
    return settings
  }

  private func sockets() throws -> WebSocketConfiguration {
    var sockets = WebSocketConfiguration()
    sockets.maximumMessageBytes = maxMessage
    sockets.inboundBufferBytes = max(sockets.inboundBufferBytes, 4 << 20)
    if let authorities { sockets.trust = .file(path: authorities) }
    sockets.subprotocols = subprotocol
    sockets.headers = try header.map { text in
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = parts.first, let value = parts.last else {
        throw CommandError.badValue(
          option: "--header", found: text, expected: "a name, a colon and a value, such as 'Authorization: Bearer abc'")
      }
      guard name.lowercased() != "sec-websocket-protocol" else {
        throw CommandError.badValue(
          option: "--header", found: text, expected: "another field: subprotocols are offered by --subprotocol")
      }
      return (String(name), String(value.drop { $0 == " " }))
    }
    return sockets
  }

  /// Prints arrivals, up to the given number of messages.
  private static func print(_ client: LiveClient, maximum: Int?, waits: Bool) async throws {
    var printed = 0
    for await arrival in client.messages {
      switch arrival {
      case .message(let message, _):
        try Console.write(TerminalText.harmless(text(message)) + "\n")
        printed += 1
        if printed == maximum { return }
      case .gap(let after, let upTo):
        Console.say("missed: messages after \(after.map(index) ?? "the beginning") up to \(index(upTo))")
      case .overflow(let count): Console.say("missed: \(count) arrivals that could not be printed in time")
      case .dropped(let number, let reason): say(notSent: number, reason)
      case .acknowledged: break
      case .failed(let error):
        guard waits || client.hasOpened else {
          client.stop()
          throw error
        }
        Console.say("this attempt failed: \(error)")
      }
    }
  }

  private static func text(_ message: WebSocketMessage) -> String {
    switch message {
    case .text(let text): text
    case .binary(let bytes): bytes.hexDump(format: .compact)
    }
  }

  private static func index(_ position: StreamPosition) -> String { "\(position.epoch)/\(position.offset)" }

  /// The status in a line; it has the time to wait, since moments of the client's clock mean nothing to a reader.
  private static func line(_ status: LiveStatus, nextTry: Interval?) -> String {
    var words = ["status: \(status.phase)"]
    if status.phase == .connected, status.health == .doubtful { words.append("doubtful") }
    if status.phase == .connected, !status.isCurrent { words.append("not yet current") }
    if status.attempt > 0 { words.append("attempt \(status.attempt)") }
    if status.phase == .waiting, let nextTry {
      let tenths = Interval(nanoseconds: nextTry.nanoseconds / 100_000_000 * 100_000_000)
      words.append("next try in \(TimelineClock.text(of: tenths))")
    }
    if status.queued > 0 { words.append("\(status.queued) queued") }
    if let problem = status.lastProblem { words.append(TimelineWords.text(of: problem)) }
    return words.joined(separator: ", ")
  }

  /// Throws if the server forbids the connection; a requested end is no error.
  private static func explain(_ reason: Ended.Reason) throws {
    switch reason {
    case .stopped: return
    case .closed(let code): throw ListenError(what: "closed for good with code \(code.value)")
    case .refused(let status): throw ListenError(what: "refused with status \(status)")
    case .unauthorised: throw ListenError(what: "refused for want of credentials; name them by --header")
    case .badRedirect: throw ListenError(what: "redirected to where a WebSocket cannot go")
    }
  }
}

/// The error that the server does not accept this client any more.
private struct ListenError: InputError {
  let what: String
  var description: String { "the server does not want this client back: \(what)." }
}
