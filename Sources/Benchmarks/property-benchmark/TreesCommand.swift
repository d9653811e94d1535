// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyChallenges
internal import Reporting

/// How quickly the faults of a binary search tree are found.
struct TreesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trees", abstract: "Looks for eight faults of a binary search tree by the properties that show them.")

  @Option(help: "How many seeds to run each task with.")
  var trials = 10

  @Option(help: "The first seed.")
  var first: UInt64 = 0

  @Option(help: "How many cases may pass before a search is given up.")
  var cases = 100_000

  @Flag(help: "Print the figures over all tasks and not each task's.")
  var summaryOnly = false

  func run() throws {
    guard trials > 0 else { throw ValidationError("The number of trials must be 1 or more.") }
    var table = Table([
      .init("fault"), .init("property"), .init("solved", .right), .init("cases to find, mean", .right),
      .init("Exhaust", .right), .init("evaluations, mean", .right), .init("Exhaust", .right),
    ])
    var (found, evaluations): ([Double], [Double]) = ([], [])
    var solved = 0
    for task in TreeTask.all {
      let outcomes = try (0..<UInt64(trials)).map { try task.challenge.run(seed: first + $0, cases: cases) }
      let successes = outcomes.count { $0.form != nil }
      solved += successes == trials ? 1 : 0
      found.append(mean(outcomes.map(\.casesUntilFound)))
      evaluations.append(mean(outcomes.map(\.evaluations)))
      let peer = Peer.exhaustOnTrees[task.challenge.name]
      table.add([
        task.fault.rawValue, task.property, "\(successes)/\(trials)",
        NumberFormat.fixed(found.last ?? 0, decimals: 1), NumberFormat.fixed(peer?.cases ?? 0, decimals: 1),
        NumberFormat.fixed(evaluations.last ?? 0, decimals: 1), NumberFormat.fixed(peer?.evaluations ?? 0, decimals: 1),
      ])
    }
    if !summaryOnly { print(table.markdown) }
    print(summary(solved, found, evaluations), terminator: "")
  }

  private func summary(_ solved: Int, _ found: [Double], _ evaluations: [Double]) -> String {
    let peers = Array(Peer.exhaustOnTrees.values)
    var table = Table([
      .init("over \(found.count) tasks"), .init("here", .right), .init("Exhaust", .right),
    ])
    table.add(["solved in all of \(trials) trials", "\(solved)", "52"])
    func add(_ name: String, _ mine: Double, _ other: Double) {
      table.add([name, NumberFormat.fixed(mine, decimals: 1), NumberFormat.fixed(other, decimals: 1)])
    }
    add("cases to find, median of means", Summary.median(found), Summary.median(peers.map(\.cases)))
    add("cases to find, largest mean", found.max() ?? 0, peers.map(\.cases).max() ?? 0)
    add("evaluations to shrink, median of means", Summary.median(evaluations), Summary.median(peers.map(\.evaluations)))
    return table.markdown
  }

  private func mean(_ counts: [Int]) -> Double { Double(counts.reduce(0, +)) / Double(counts.count) }
}
