// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import AssayCommands
internal import LiveCore
internal import LiveSoak
internal import LiveSockets
internal import NIOCore
internal import NIOPosix
internal import Reporting
internal import Scenarios
internal import Workbench
internal import WebSocketProtocol

/// `assay live serve`: a server to connect to.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves a stream of numbered messages, or an echo, to WebSocket clients.",
    discussion: """
      The first line on the standard output is the server's address. Clients of the stream protocol, such as 'assay \
      live listen --stream', get a message every --interval. When they reconnect, they get the messages that they \
      missed, as far as --history goes. With --echo the server sends every message back unchanged.

      Ctrl-C closes every connection with 1001.
      """)

  @Option("port", .count(0...65_535), "The port; 0 for any that is free.", example: "9001", valueName: "port")
  var port = 0

  @Option(
    help: ArgumentHelp(
      "The address to listen on; * for all of this machine. Example: --host ::1", valueName: "address"))
  var host = "127.0.0.1"

  @Flag(help: "Send every message back unchanged.")
  var echo = false

  @Option(
    "interval", .duration(.milliseconds(1)...(.seconds(86_400))), "How often a message is published.",
    example: "100ms")
  var interval = Duration.seconds(1)

  @Option(
    "history", .count(0...10_000_000), "How many messages are kept for clients that reconnect.", example: "100")
  var history = 1_000

  @Option(
    "max-message", .count(1...(1 << 30)), "The largest accepted message, in bytes.", example: "16777216",
    valueName: "bytes")
  var maxMessage = 1_048_576

  @Option(
    "max-connections", .count(1...10_000_000), "How many connections there may be; more are closed at once.",
    example: "100")
  var maxConnections = 10_000

  @Option(
    "handshake-timeout", .duration(.milliseconds(1)...(.seconds(3_600))),
    "How long a client may take for its handshake.", example: "2s")
  var handshakeTimeout = Duration.seconds(10)

  @Option(
    help: ArgumentHelp(
      "A subprotocol to agree to; can be given again. Example: --subprotocol graphql-transport-ws", valueName: "name"))
  var subprotocol: [String] = []

  @Flag(help: "Compress no messages.")
  var noCompression = false

  @Option(
    help: ArgumentHelp(
      "Serve over TLS, with this certificate and those behind it, in PEM form; needs --key. Example: "
        + "--certificate server.pem",
      valueName: "file"),
    completion: .file(extensions: ["pem"]))
  var certificate: String?

  @Option(
    help: ArgumentHelp("The certificate's private key, in PEM form. Example: --key server.key", valueName: "file"),
    completion: .file(extensions: ["pem", "key"]))
  var key: String?

  func run() throws {
    let configuration = try configuration()
    let (every, stream) = (interval, StreamHistory(limit: history))
    let (echoes, scheme) = (echo, configuration.certificate == nil ? "ws" : "wss")
    let server = try SocketServer(configuration, on: MultiThreadedEventLoopGroup.singleton) { _, _ in
      .accept(echoes ? EchoOwner() : stream.reader())
    }
    try UntilInterrupted.run {
      let address = try await server.listen()
      try Console.write("listening on \(scheme)://\(address.text)/\n")
      do {
        while true {
          try await Task.sleep(for: echoes ? .seconds(86_400) : every)
          if !echoes { stream.publish(ByteBuffer(string: "message \(stream.end.offset + 1)")) }
        }
      } catch {
        await server.close()
      }
    }
  }

  private func configuration() throws -> WebSocketServerConfiguration {
    var configuration = WebSocketServerConfiguration()
    configuration.host = EveryAddress.host(host)
    configuration.port = port
    configuration.maximumConnections = maxConnections
    configuration.connection.maximumMessageBytes = maxMessage
    configuration.connection.handshakeTimeout = handshakeTimeout
    configuration.connection.compresses = !noCompression
    configuration.connection.subprotocols = subprotocol
    switch (certificate, key) {
    case (nil, nil): break
    case (let certificate?, let key?):
      configuration.certificate = ServerCertificate(certificatePath: certificate, keyPath: key)
    case (_?, nil):
      throw CommandError.badValue(option: "--key", found: "", expected: "the private key of --certificate")
    case (nil, _?):
      throw CommandError.badValue(option: "--certificate", found: "", expected: "the certificate of --key")
    }
    return configuration
  }
}
