// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyChallenges
internal import Reporting

/// How many cases are drawn, recorded and judged in a second.
struct ThroughputCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "throughput", abstract: "Counts the cases of a second of processor time.")

  @Option(help: "Only the workloads whose names contain this.")
  var only: [String] = []

  @Option(help: "Roughly how many seconds to spend on each.")
  var seconds = 2.0

  func run() throws {
    #if DEBUG
      let build = "debug"
    #else
      let build = "release"
    #endif
    var table = Table([
      .init("cases a second, \(build) build"), .init("here", .right), .init("target", .right), .init("Exhaust", .right),
      .init("Hypothesis", .right),
    ])
    let figures = Figures.of(build: build)
    for workload in Workload.all where only.isEmpty || only.contains(where: workload.name.contains) {
      let figure = figures[workload.name]
      let trial = try workload.casesPerSecond(cases: 1000, seed: 0)
      let cases = max(1000, Int(trial * seconds / 5))
      let rates = try (1...5).map { try workload.casesPerSecond(cases: cases, seed: $0) }
      table.add([workload.name, NumberFormat.grouped(Int(Summary.median(rates)))] + (figure ?? []))
    }
    print(table.markdown, terminator: "")
  }
}

/// What is asked of the engine and what others reach, measured on the same two cores.
private enum Figures {
  static func of(build: String) -> [String: [String]] {
    build == "release"
      ? [
        "integer list, 0 to 20": ["1,600,000", "1,270,000", "1,400"],
        "league of 12 teams, 8 fields": ["40,000", "36,600", "300"],
      ]
      : [
        "integer list, 0 to 20": ["1,500,000", "453,000", "1,400"],
        "league of 12 teams, 8 fields": ["36,000", "14,400", "300"],
      ]
  }
}
