// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser

/// Measures sockets next to yardsticks that run in the same process, and tries the client on Autobahn's server.
@main
struct SocketBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "socket-benchmark",
    abstract: "Measures WebSocket connections on loopback: what scripts/benchmark sockets and scripts/conformance run.",
    subcommands: [Echo.self, Relay.self, Reconnects.self, Sessions.self, Autobahn.self])
}
