// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveSockets

/// Runs our client against Autobahn's server: it goes through all cases and echoes the messages.
struct Autobahn: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the client through the cases of Autobahn's fuzzing server.")

  @Argument(help: "Where the fuzzing server listens, such as ws://127.0.0.1:9001.")
  var url: String

  func run() async throws {
    var configuration = WebSocketConfiguration()
    // The largest message of its cases.
    configuration.maximumMessageBytes = 16 << 20
    var number: Int?
    _ = try await WebSocketClient.connect(url: "\(url)/getCaseCount") { inbound, _, _ in
      for await case .text(let text) in inbound { number = Int(text) }
    }
    guard let number, number > 0 else { throw BenchmarkError("\(url): received no number of cases.") }
    for number in 1...number {
      // Many cases end with a broken handshake or connection; the server decides whether that is correct.
      _ = try? await WebSocketClient.connect(
        url: "\(url)/runCase?case=\(number)&agent=assay", configuration: configuration
      ) { inbound, outbound, _ in
        for await message in inbound { try await outbound.write(message) }
      }
    }
    _ = try await WebSocketClient.connect(url: "\(url)/updateReports?agent=assay") { inbound, _, _ in
      for await _ in inbound {}
    }
    show("\(number) cases")
  }
}
