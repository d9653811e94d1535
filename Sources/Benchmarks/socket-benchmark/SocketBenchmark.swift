// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import NIOCore

/// Measures sockets next to yardsticks in the same process, and tests the client against Autobahn's server.
@main
struct SocketBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "socket-benchmark",
    abstract: "Measures WebSocket connections on loopback: what scripts/benchmark sockets and scripts/conformance run.",
    subcommands: [Echo.self, Relay.self, Reconnects.self, Sessions.self, Autobahn.self])
}

/// The cost of a round: seconds of wall clock, and seconds of processor time attributed to one side.
struct Cost {
  var wall: Double
  var cpu: Double
}

/// A measured subject and its yardstick, in alternating rounds.
struct Comparison {
  /// The subject and the yardstick.
  let name: String
  /// The work of one round, in words.
  let load: String
  /// The number of repetitions in a round.
  let count: Int
  /// The costs of the rounds of each side.
  let ours: [Cost]
  let yardstick: [Cost]
  /// The upper bound of the ratio; `nil` if it is only reported.
  let target: Double?

  /// The ratios of processor time, round by round: adjacent rounds run under the same load of the machine.
  var ratios: [Double] { zip(ours, yardstick).map { $0.cpu / $1.cpu }.sorted() }
  var wallRatios: [Double] { zip(ours, yardstick).map { $0.wall / $1.wall }.sorted() }

  static let heading = """
    | what | load | a CPU second | yardstick | ratio (spread) | ratio of the wall | target |
    |---|---|---|---|---|---|---|
    """

  var row: String {
    let rates = [ours, yardstick].map { rate(count, in: median($0.map(\.cpu))) }
    let (cpu, wall) = (ratios, wallRatios)
    let spread = "\(two(median(cpu))) (\(two(cpu.first ?? 0)) to \(two(cpu.last ?? 0)))"
    let limit = target.map { "at most \($0)" } ?? ""
    return "| \(name) | \(load) | \(rates[0]) | \(rates[1]) | \(spread) | \(two(median(wall))) | \(limit) |"
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

func two(_ value: Double) -> String { String(format: "%.2f", value) }

func rate(_ count: Int, in seconds: Double) -> String {
  let rate = Double(count) / seconds
  return rate < 100_000 ? String(format: "%.0f", rate) : String(format: "%.0f k", rate / 1_000)
}

func secondsOfWall() -> Double { seconds(of: CLOCK_MONOTONIC) }
func secondsOfProcess() -> Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

private func seconds(of clock: clockid_t) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension EventLoop {
  /// The processor time of the loop's thread so far, in seconds.
  func secondsOfThread() async throws -> Double {
    try await submit { seconds(of: CLOCK_THREAD_CPUTIME_ID) }.get()
  }
}

/// The system's resources that the process holds.
struct Holdings {
  var descriptors: Int
  var residentMebibytes: Double

  static func now() throws -> Holdings {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard pages.count > 1, let resident = Int(pages[1]) else { throw BenchmarkError("/proc/self/statm is malformed") }
    return Holdings(
      descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
      residentMebibytes: Double(resident * sysconf(CInt(_SC_PAGESIZE))) / 1_048_576)
  }
}

/// A condition that invalidates the numbers of a benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Prints a line immediately, so that the progress of a long run is visible.
func show(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
