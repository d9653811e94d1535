// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import PropertyChallenges
internal import Reporting

/// Measures the property-testing engine and prints tables with the figures of other engines.
@main
struct PropertyBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "property-benchmark",
    abstract: "Measures the property-testing engine against what other engines reach.",
    subcommands: [
      ShrinkingCommand.self, TreesCommand.self, ThroughputCommand.self, PlainLoopCommand.self,
      HistoriesCommand.self, RelationsCommand.self,
    ],
    defaultSubcommand: ShrinkingCommand.self)
}

struct ShrinkingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrinking", abstract: "Runs the shrinking challenges.")

  @Option(help: "How many seeds to run each challenge with.")
  var seeds = 200

  @Flag(help: "Run those challenges alone that no move was tried on.")
  var unseen = false

  func run() throws {
    guard seeds > 0 else { throw ValidationError("The number of seeds must be 1 or more.") }
    var table = Table(Self.columns)
    let standard = Set(Challenges.standard.map(\.name))
    var total = 0.0
    var (forms, others) = ("", "")
    let sets =
      unseen
      ? [("", Challenges.unseen)]
      : [("", Challenges.all), ("general", Challenges.general), ("held back", Challenges.heldBack)]
    for (name, challenges) in sets {
      var minimal = 0
      for challenge in challenges {
        let summary = Summary(outcomes: try (0..<UInt64(seeds)).map { try challenge.run(seed: $0) })
        if standard.contains(challenge.name) { total += summary.meanEvaluations }
        minimal += summary.share == 1 ? 1 : 0
        // Only unsolved challenges are listed, because there are many.
        if name.isEmpty || summary.share < 1 { table.add(row(challenge, summary)) }
        forms += summary.forms(of: challenge)
      }
      if !name.isEmpty {
        others += "\nminimal from every seed: \(minimal) of the \(challenges.count) challenges \(name)"
      }
    }
    print(table.markdown, terminator: "")
    print(others)
    print("\nsum of mean evaluations of the shrinking challenge: \(NumberFormat.fixed(total, decimals: 1))")
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
      peer(Peers.hypothesis[challenge.name]), peer(Peers.exhaust[challenge.name]),
    ]
  }

  private func peer(_ peer: Peers.Shrinking?) -> String {
    peer.map { "\(percent($0.share)), \(NumberFormat.fixed($0.evaluations, decimals: 1))" } ?? ""
  }

  private func percent(_ share: Double) -> String { NumberFormat.shortest((share * 1000).rounded() / 10) + "%" }
}

struct TreesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trees",
    abstract:
      "Looks for faults of trees and of the lambda calculus, and shows the five tasks of each that take longest.")

  @Option(help: "How many seeds to run each task with.")
  var trials = 10

  @Option(help: "How many cases to try at most.")
  var cases = 100_000

  func run() throws {
    guard trials > 0, cases > 0 else { throw ValidationError("The numbers of trials and cases must be 1 or more.") }
    print(summary(of: try measured(TreeTasks.all, peers: Peers.exhaustOnTrees)))
    print(try measured(RedBlackTasks.all, of: "a red-black tree").text(trials, cases))
    print()
    print(try measured(LambdaTasks.all, of: "the simply typed lambda calculus").text(trials, cases))
  }

  private struct Measured {
    var solved = 0
    /// The mean numbers of cases to find each fault, and of evaluations to shrink it.
    var (found, evaluations): ([Double], [Double]) = ([], [])

    func text(_ trials: Int, _ cases: Int) -> String {
      """
      \(solved) of \(found.count) tasks solved in all of \(trials) trials of \(NumberFormat.grouped(cases)) cases; \
      cases to find, mean: median \(NumberFormat.fixed(Summary.median(found), decimals: 1)), \
      largest \(NumberFormat.fixed(found.max() ?? 0, decimals: 1)).
      """
    }
  }

  /// Measures the tasks of one of Etna's workloads, and prints the five that need the most cases.
  private func measured(
    _ tasks: [FaultTask], of workload: String = "", peers: [String: (cases: Double, evaluations: Double)]? = nil
  ) throws -> Measured {
    var table = Table(
      [.init(workload.isEmpty ? "fault" : "fault of \(workload)"), .init("property")]
        + (["solved", "cases to find, mean", peers == nil ? "largest" : "Exhaust", "evaluations, mean"]
        + (peers == nil ? [] : ["Exhaust"])).map { Table.Column($0, .right) })
    func fixed(_ number: Double?) -> String { NumberFormat.fixed(number ?? 0, decimals: 1) }
    var measured = Measured()
    var rows: [[String]] = []
    for task in tasks {
      let outcomes = try (0..<UInt64(trials)).map { try task.challenge.run(seed: $0, cases: cases) }
      let successes = outcomes.count { $0.form != nil }
      let counts = outcomes.map { $0.form == nil ? cases : $0.casesUntilFound }
      let (found, evaluations) = (mean(counts), mean(outcomes.map(\.evaluations)))
      measured.solved += successes == trials ? 1 : 0
      measured.found.append(found)
      measured.evaluations.append(evaluations)
      let peer = peers?[task.challenge.name]
      rows.append(
        [task.fault ?? "", task.property, "\(successes)/\(trials)", fixed(found)]
          + [peers == nil ? "\(counts.max() ?? 0)" : fixed(peer?.cases), fixed(evaluations)]
          + (peers == nil ? [] : [fixed(peer?.evaluations)]))
    }
    for index in rows.indices.sorted(by: { measured.found[$0] > measured.found[$1] }).prefix(5) {
      table.add(rows[index])
    }
    print(table.markdown)
    return measured
  }

  private func summary(of here: Measured) -> String {
    let peers = Array(Peers.exhaustOnTrees.values)
    var table = Table([
      .init("over \(here.found.count) tasks"), .init("here", .right), .init("Exhaust", .right),
    ])
    table.add(["solved in all of \(trials) trials", "\(here.solved)", "52"])
    func add(_ name: String, _ mine: Double, _ other: Double) {
      table.add([name, NumberFormat.fixed(mine, decimals: 1), NumberFormat.fixed(other, decimals: 1)])
    }
    add("cases to find, median of means", Summary.median(here.found), Summary.median(peers.map(\.cases)))
    add("cases to find, largest mean", here.found.max() ?? 0, peers.map(\.cases).max() ?? 0)
    add(
      "evaluations to shrink, median of means", Summary.median(here.evaluations),
      Summary.median(peers.map(\.evaluations)))
    return table.markdown
  }

  private func mean(_ counts: [Int]) -> Double { Double(counts.reduce(0, +)) / Double(counts.count) }
}

struct ThroughputCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "throughput", abstract: "Counts the cases of a second of processor time.")

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
    for workload in Workload.all {
      let figure = figures[workload.name]
      let trial = try workload.casesPerSecond(cases: 1000, seed: 0)
      // Five runs of two seconds in total.
      let cases = max(1000, Int(trial * 2 / 5))
      let rates = try (1...5).map { try workload.casesPerSecond(cases: cases, seed: $0) }
      table.add([workload.name, NumberFormat.grouped(Int(Summary.median(rates)))] + (figure ?? []))
    }
    print(table.markdown, terminator: "")
  }
}

struct RelationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relations", abstract: "Counts the cases until a relation between values is found, as CSV.")

  @Option(help: "How many seeds to look with.")
  var seeds = 20

  func run() throws {
    guard seeds > 0 else { throw ValidationError("The number of seeds must be 1 or more.") }
    for challenge in Challenges.related {
      let outcomes = try (0..<UInt64(seeds)).map { try challenge.run(seed: $0, cases: 1_000_000, shrinkLimit: 0) }
      print("\"\(challenge.name)\",\(NumberFormat.shortest(Summary(outcomes: outcomes).medianCases))")
    }
  }
}

struct HistoriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "histories", abstract: "Decides whether recorded histories of concurrent calls are linearizable.")

  @Argument(help: "Files of histories: Jepsen's of an etcd register as JSON lines, or logs of a key-value store.")
  var files: [String]

  func run() throws {
    var table = Table([
      .init("history"), .init("calls", .right), .init("linearizable"), .init("verdict of its source"),
      .init("ms", .right),
    ])
    var differing = 0
    for file in files {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for history in try RecordedHistory.read(text, name: file) {
        let clock = ContinuousClock()
        var verdict = false
        let time = clock.measure { verdict = history.decide() }
        let isEqual = history.isLinearizable.map { $0 == verdict }
        differing += isEqual == false ? 1 : 0
        table.add([
          history.name, "\(history.count)", verdict ? "yes" : "no", isEqual.map { $0 ? "the same" : "DIFFERS" } ?? "",
          NumberFormat.fixed(time / .milliseconds(1), decimals: 2),
        ])
      }
    }
    print(table.markdown, terminator: "")
    if differing > 0 { throw ExitCode.failure }
  }
}

struct PlainLoopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plain-loop", abstract: "Compares cases a second with a loop that draws the same lists.")

  @Option(help: "How many cases to try.")
  var cases = 1_000_000

  func run() throws {
    guard cases > 0 else { throw ValidationError("The number of cases must be 1 or more.") }
    let engine = try Workload.integerLists.casesPerSecond(cases: cases, seed: 1)
    let plain = try Workload.plainCasesPerSecond(cases: cases, seed: 1)
    print("engine=\(Int(engine)) plain=\(Int(plain))")
  }
}

/// The target figures of the engine and those of other engines, measured on the same two cores.
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

struct Summary {
  let outcomes: [Challenge.Outcome]

  var share: Double { Double(outcomes.count(where: \.isMinimal)) / Double(outcomes.count) }
  var distinct: Int { Set(outcomes.map(\.form)).count }
  var meanEvaluations: Double { Double(outcomes.map(\.evaluations).reduce(0, +)) / Double(outcomes.count) }
  var medianEvaluations: Double { Self.median(outcomes.map { Double($0.evaluations) }) }
  var maximum: Int { outcomes.map(\.evaluations).max() ?? 0 }
  var medianMilliseconds: Double { Self.median(outcomes.map(\.milliseconds)) }
  var medianCases: Double { Self.median(outcomes.map { Double($0.casesUntilFound) }) }
  /// True if the engine's and the body's numbers of evaluations agree in every run.
  var agrees: Bool { outcomes.allSatisfy { $0.evaluations == $0.reportedEvaluations } }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// A line for each form other than the simplest, the most frequent first.
  func forms(of challenge: Challenge) -> String {
    var seeds: [String: [Int]] = [:]
    for (seed, outcome) in outcomes.enumerated() where !outcome.isMinimal {
      seeds[outcome.form ?? "nothing found", default: []].append(seed)
    }
    let sorted = seeds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let lines = sorted.prefix(12).map { form, seeds in "  \(seeds.count) x (seed \(seeds[0])) \(form)\n" }
    return lines.isEmpty ? "" : "\(challenge.name), not \(challenge.normalForm ?? "known"):\n" + lines.joined()
  }
}
