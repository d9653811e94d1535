// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyChallenges
internal import Reporting

/// How often, how surely and how quickly shrinking reaches the simplest case.
struct ShrinkingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrinking", abstract: "Runs the shrinking challenges.")

  @Option(help: "Only the challenges whose names contain this.")
  var only: [String] = []

  @Option(help: "How many seeds to run each challenge with.")
  var seeds = 200

  @Option(help: "The first seed.")
  var first: UInt64 = 0

  @Flag(help: "Show what was found instead of the simplest case, the most frequent first, with a seed of each.")
  var show = false

  func run() throws {
    let chosen = Challenges.all.filter { challenge in
      only.isEmpty || only.contains { challenge.name.contains($0) }
    }
    guard seeds > 0, !chosen.isEmpty else {
      throw ValidationError("Nothing to run: the names are \(Challenges.all.map(\.name).joined(separator: ", ")).")
    }
    var table = Table(Self.columns)
    let standard = Set(Challenges.standard.map(\.name))
    var total = 0.0
    var forms = ""
    for challenge in chosen {
      let outcomes = try (0..<UInt64(seeds)).map { try challenge.run(seed: first + $0) }
      let summary = Summary(outcomes)
      if standard.contains(challenge.name) { total += summary.meanEvaluations }
      table.add(row(challenge, summary))
      if show { forms += summary.forms(of: challenge, first) }
    }
    print(table.markdown, terminator: "")
    print("\nsum of mean evaluations, without the harder ones (x_): \(NumberFormat.fixed(total, decimals: 1))")
    print(forms, terminator: "")
  }

  private static let columns = [
    Table.Column("challenge"), .init("seeds", .right), .init("minimal", .right), .init("forms", .right),
    .init("evaluations, mean", .right), .init("median", .right), .init("max", .right), .init("engine's count", .right),
    .init("CPU ms, median", .right), .init("cases to find, median", .right), .init("Hypothesis", .right),
    .init("Exhaust", .right),
  ]

  private func row(_ challenge: Challenge, _ summary: Summary) -> [String] {
    [
      challenge.name, "\(seeds)", percent(summary.share), "\(summary.distinct)",
      NumberFormat.fixed(summary.meanEvaluations, decimals: 1), NumberFormat.shortest(summary.medianEvaluations),
      "\(summary.maximum)", summary.agrees ? "agrees" : "differs",
      NumberFormat.fixed(summary.medianMilliseconds, decimals: 3), NumberFormat.shortest(summary.medianCases),
      peer(Peer.hypothesis[challenge.name]), peer(Peer.exhaust[challenge.name]),
    ]
  }

  private func peer(_ peer: Peer?) -> String {
    peer.map { "\(percent($0.share)), \(NumberFormat.fixed($0.evaluations, decimals: 1))" } ?? ""
  }

  private func percent(_ share: Double) -> String { NumberFormat.shortest((share * 1000).rounded() / 10) + "%" }
}
