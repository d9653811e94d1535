// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubLab
internal import Foundation
internal import Reporting
internal import Scenarios

/// The week ledger under a virtual service that breaks as the real one does.
struct ClubFeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Fetches, dates and counts a virtual service's feed for months, and judges it by the truth.",
    discussion: """
      Examples:
        assay club feed
        assay club feed Scenarios/club-feed.yaml --jobs 2

      The fetcher, the request budget, the week ledger and the sums are those that ship; the service, its clock and its \
      faults are virtual, so that months take seconds and every ride's true week is known. Without SCENARIO a small club \
      is tried, of which this is the scenario:

      \(Self.builtIn.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))

      Shows what came out and how it is judged, and leaves nothing behind; assay run keeps the same in a folder, with \
      report and figures. Exits with 0 when every threshold holds, 1 when one fails, 3 when none fails and one is \
      undecided.
      """)

  @Argument(
    help: "A scenario of the kind club.feed (default: a small one of its own). Example: Scenarios/club-feed.yaml",
    completion: .file(extensions: ["yaml", "yml"]))
  var scenario: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many workers share the work; results do not depend on it (default: one a core). Example: --jobs 2",
      valueName: "count"))
  var jobs: String?

  @OptionGroup var destination: OutputOptions

  /// What is tried where no scenario is named: small enough to be watched.
  static let builtIn = """
    name: A small club under every fault of the service
    kind: club.feed
    club: {members: 20, weeks: 4}
    seasons: 4
    thresholds:
      - feed.doubleCounts == 0
      - feed.budgetViolations == 0
    """

  func run() throws {
    let plan = try destination.plan(for: "feed", formats: [.text, .csv, .json])
    let workers = try RandomOptions.workers(jobs)
    let kinds = ClubScenarios.kinds.filter { $0.name == "club.feed" }
    let chosen = try scenario.flatMap { try ScenarioFiles([$0], kinds: kinds).scenarios.first }
    let trial = try chosen ?? Scenario(ScenarioDocument(yaml: Self.builtIn, file: "built-in"), kinds: kinds)
    var echo = CommandLineEcho("assay", "club", "feed")
    echo.add([scenario].compactMap(\.self))
    echo.add("--jobs", String(workers))
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: workers, quiet: destination.quiet)
    let outcome = try trial.plan.run(on: bench.scenarios)
    let judged = ClubFeedVerdict(trial, outcome)
    if outcome.isComplete || !outcome.measurements.isEmpty {
      try plan.write { format, _ in judged.rendered(as: format) }
    }
    let status = bench.wasInterrupted ? .interrupted : ExitStatus(judged.judgement)
    if status != .holds {
      throw ExitStatus.Verdict(status: status, message: judged.sentence, reproduction: echo.line)
    }
  }
}

/// What a trial of a feed came to, beside its thresholds.
struct ClubFeedVerdict {
  /// The scenario.
  let scenario: Scenario
  /// What came out.
  let outcome: ScenarioResult
  /// The thresholds beside what was found.
  let thresholds: [JudgedThreshold]

  /// Judges what came out.
  init(_ scenario: Scenario, _ outcome: ScenarioResult) {
    (self.scenario, self.outcome) = (scenario, outcome)
    thresholds = scenario.judged(by: outcome.measurements)
  }

  /// What all thresholds come to.
  var judgement: Judgement { .all(thresholds.map(\.judgement)) }

  /// The judgement in a sentence.
  var sentence: String {
    let failing = thresholds.count { $0.judgement == .fails }
    let undecided = thresholds.count { $0.judgement == .undecided }
    if !outcome.isComplete { return "Interrupted: \(failing) of \(thresholds.count) thresholds fail by what is known." }
    return "\(judgement.rawValue.uppercased()): of \(thresholds.count) thresholds \(failing) fail, "
      + "\(undecided) are undecided."
  }

  /// The verdict in a format; nil where it has no such format.
  func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text:
      [outcome.text, table.text, scenario.remarks.map { "note: \($0)\n" }.joined() + sentence + "\n"]
        .filter { !$0.isEmpty }.joined(separator: "\n")
    case .csv: outcome.files.first { $0.name.hasSuffix(".csv") }?.content ?? table.csv
    case .json: json.text
    default: nil
    }
  }

  private var table: Table {
    var table = Table(["judgement", "threshold", "found", "to decide it"].map { Table.Column($0) })
    for one in thresholds { table.add([one.judgement.rawValue, one.text, one.found, one.remedy]) }
    return table
  }

  private var json: JSONValue {
    [
      "kind": "club-feed", "version": .string(Version.current), "scenario": .string(scenario.name),
      "digest": .string(scenario.digest), "judgement": .string(judgement.rawValue),
      "isComplete": .bool(outcome.isComplete), "thresholds": .array(thresholds.map(\.json)), "result": outcome.data,
    ]
  }
}
