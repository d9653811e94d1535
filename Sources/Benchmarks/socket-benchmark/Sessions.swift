// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveCore
internal import LiveSockets
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import WebSocketProtocol

/// Thousands of sessions in one process, both ends of each.
struct Sessions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Holds thousands of sessions, clients and server in one process, and measures what they take.",
    discussion: "Every client pings each second. All have to stay connected, and every ping has to be answered.")

  func run() async throws {
    let (sessions, seconds) = (4_000, 10)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let server = try SocketServer(WebSocketServerConfiguration(), on: group) { _, _ in .accept(EchoOwner()) }
    let port = try await server.listen().port ?? 0
    var settings = ConnectionSettings()
    settings.heartbeat.interval = .seconds(1)
    settings.resumesStream = false
    let before = try Holdings.now()
    let began = secondsOfWall()
    let crowd = try await Crowd(
      sessions, to: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)/"), settings: settings,
      goal: .connected(sessions), on: group)
    let tally = crowd.tally
    try await tally.reached.futureResult.get()
    let connected = secondsOfWall() - began
    let processor = secondsOfProcess()
    try await Task.sleep(for: .seconds(seconds))
    let share = (secondsOfProcess() - processor) / Double(seconds)
    let held = try Holdings.now()
    let attempts = tally.attempts.load(ordering: .relaxed)
    guard attempts == sessions, tally.connected.load(ordering: .relaxed) == sessions else {
      throw BenchmarkError("\(attempts - sessions) of \(sessions) sessions broke")
    }
    try await crowd.stop()
    await server.close()
    let (pings, pongs) = (tally.pings.load(ordering: .relaxed), tally.pongs.load(ordering: .relaxed))
    let after = try Holdings.now()
    // Those of the last moment may be under way.
    guard pings > 0, pings - pongs <= sessions else { throw BenchmarkError("\(pings) pings, and \(pongs) pongs") }
    try await group.shutdownGracefully()
    show(
      "| sessions | connected in | KiB each, both ends | of one processor | pings | pongs "
        + "| descriptors before / held / after |"
    )
    show("|---|---|---|---|---|---|---|")
    let kibibytesEach = (held.residentMebibytes - before.residentMebibytes) * 1_024 / Double(sessions)
    let descriptors = [before, held, after].map { String($0.descriptors) }.joined(separator: " / ")
    show(
      "| \(sessions) | \(two(connected)) s | \(two(kibibytesEach)) | \(two(share * 100))% | \(pings)"
        + " | \(pongs) | \(descriptors) |")
  }
}
