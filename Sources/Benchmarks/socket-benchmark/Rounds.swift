// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import NIOCore

/// How much is measured.
struct RoundOptions: ParsableArguments {
  @Option(help: "How many rounds of each side, in turns.")
  var rounds = 7

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds: found \(rounds), expected a number from 1.") }
  }

  private static let loads: [(bytes: Int, window: Int, connections: Int, count: Int)] = [
    (125, 1, 32, 2_000), (125, 32, 8, 40_000), (4_096, 8, 8, 10_000), (65_536, 2, 4, 1_500),
  ]

  /// Lets each side and a yardstick send back every load in turns, and shows the ratios.
  func compare(
    _ sides: [(name: String, address: SocketAddress, target: Double?)], upgrade: Bool, with yardstick: SocketAddress,
    on loop: any EventLoop
  ) async throws {
    show(Comparison.heading)
    for (bytes, window, connections, count) in Self.loads {
      let messages = EchoMessages(bytes: bytes, window: window, connections: connections)
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
        try await ours.load.close()
        try await other.load.close()
      }
    }
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
