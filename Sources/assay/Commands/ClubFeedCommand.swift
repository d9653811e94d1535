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
      Example: assay club feed
      Example: assay club feed Scenarios/club-feed.yaml --jobs 2

      The fetcher, the request budget, the week ledger and the sums are those that ship; the service, its clock and \
      its faults are virtual, so that months take seconds and every ride's true week is known. Without SCENARIO a \
      small club is tried, of which this is the scenario:

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
    club: {members: 12, weeks: 3}
    seasons: 3
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
    let status = bench.early ?? ExitStatus(judged.judgement)
    if status != .holds {
      throw ExitStatus.Verdict(status: status, message: judged.sentence, reproduction: echo.line)
    }
  }
}
