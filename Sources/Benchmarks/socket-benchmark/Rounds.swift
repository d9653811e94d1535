// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import NIOCore

/// How much is measured, and where it is written.
struct RoundOptions: ParsableArguments {
  @Option(help: "How many rounds of each side, in turns.")
  var rounds = 7

  @Option(help: "How many times the usual number of messages there are in a round.")
  var scale = 1.0

  @Option(help: "Only this of the loads, from 1 on; all where none is named.")
  var load: Int?

  @Option(help: "A file that is given every round as JSON.")
  var output: String?

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds: found \(rounds), expected a number from 1.") }
    guard 0.001...1_000 ~= scale else { throw ValidationError("--scale: found \(scale), expected 0.001 to 1000.") }
    if let load, !Self.all.indices.contains(load - 1) {
      throw ValidationError("--load: found \(load), expected 1 to \(Self.all.count).")
    }
  }

  private static let all: [(bytes: Int, window: Int, connections: Int, count: Int)] = [
    (125, 1, 32, 2_000), (125, 32, 8, 40_000), (4_096, 8, 8, 10_000), (65_536, 2, 4, 1_500),
  ]

  /// Lets each side and a yardstick send back every load in turns, shows the ratios, and writes the rounds where they are
  /// asked for.
  func compare(
    _ sides: [(name: String, address: SocketAddress, target: Double?)], upgrade: Bool, with yardstick: SocketAddress,
    on loop: any EventLoop
  ) async throws {
    var results: [Comparison] = []
    show(Comparison.heading)
    for (bytes, window, connections, usualCount) in load.map({ [Self.all[$0 - 1]] }) ?? Self.all {
      let messages = EchoMessages(bytes: bytes, window: window, connections: connections)
      let count = max(1, Int(Double(usualCount) * scale))
      for side in sides {
        let ours = Side(load: try await EchoLoad(messages, to: side.address, on: loop, upgrades: upgrade), loop: loop)
        let other = Side(load: try await EchoLoad(messages, to: yardstick, on: loop, upgrades: false), loop: loop)
        for side in [ours, other] {
          try await side.load.round(messagesOfEach: max(messages.window, min(count, 200)), comparing: true)
        }
        var costs: (ours: [Cost], yardstick: [Cost]) = ([], [])
        // The first to go changes from round to round.
        for number in 0..<rounds {
          if number.isMultiple(of: 2) { costs.ours.append(try await ours.round(messagesOfEach: count)) }
          costs.yardstick.append(try await other.round(messagesOfEach: count))
          if !number.isMultiple(of: 2) { costs.ours.append(try await ours.round(messagesOfEach: count)) }
        }
        let result = Comparison(
          name: side.name, load: messages.words, count: count * messages.connections, ours: costs.ours,
          yardstick: costs.yardstick, target: side.target)
        show(result.row)
        results.append(result)
        try await ours.load.close()
        try await other.load.close()
      }
    }
    try write(results, to: output)
  }
}

/// Measures a side of an echo or a relay: rounds over connections that stay. What the process takes of the processor
/// and the thread of the load does not belongs to the side that is measured.
private struct Side {
  let load: EchoLoad
  let loop: any EventLoop

  func round(messagesOfEach count: Int) async throws -> Cost {
    let began = (wall: secondsOfWall(), process: secondsOfProcess(), load: try await loop.secondsOfThread())
    try await load.round(messagesOfEach: count)
    let (wall, process) = (secondsOfWall() - began.wall, secondsOfProcess() - began.process)
    return Cost(wall: wall, cpu: process - (try await loop.secondsOfThread() - began.load))
  }
}
