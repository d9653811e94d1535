// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveLab
internal import LiveSoak
internal import NIOCore
internal import NIOPosix

/// The fault proxy without a fault next to the plainest relay.
struct Relay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the proxy without faults next to a plain relay.",
    discussion: """
      Both relay the same load to the same plain echo in turns. The ratio is that of the processor's seconds of the
      relay, which has a thread of its own.
      """)

  @OptionGroup var options: RoundOptions

  func run() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let loops = Array(group.makeIterator())
    // The echo's seconds are those of the load's thread, so that they are left out.
    let (load, relays) = (loops[0], loops[1])
    let echo = try await BareEcho.listen(on: load)
    guard let upstream = echo.localAddress else { throw BenchmarkError("the echo listens nowhere") }
    let proxy = FaultProxy(
      group: relays, listen: try SocketAddress(ipAddress: "127.0.0.1", port: 0), upstream: upstream,
      schedule: FaultSchedule())
    let ours = try await proxy.start()
    let relay = try await PlainRelay.listen(on: relays, upstream: upstream)
    guard let plain = relay.localAddress else { throw BenchmarkError("the relay listens nowhere") }
    try await options.compare([("relay", ours, 1.3)], upgrade: false, with: plain, on: load)
    try await proxy.stop()
    try await relay.close()
    try await echo.close()
    try await group.shutdownGracefully()
  }
}
