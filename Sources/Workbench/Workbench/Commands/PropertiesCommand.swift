// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import MonteCarlo
internal import PropertyRuns
internal import PropertyTesting
internal import Reporting
internal import Scenarios

struct PropertiesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the properties and the mutants.",
    discussion: "Example: assay properties list --format markdown")

  @Argument(
    help: "Ids, groups such as blackjack, or ids with * in them; all when none is named. Example: blackjack",
    completion: .list(ProgramProperties.catalogues.names))
  var ids: [String] = []

  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let listing = try ProgramProperties.catalogues.listing(of: ids)
    try destination.plan(for: "properties list").write(listing.document, json: listing.json)
  }
}

struct PropertiesSampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Shows what the generators of a property draw.",
    discussion: """
      Example: assay properties sample league.5 --count 3

      The first cases of a check with this seed are drawn and printed. Then the property is checked, for the shares \
      of its labels, classes and coverage claims. Exits with 0 even if the property does not hold.
      """)

  @Argument(
    help: "The property. Example: league.5",
    completion: .list(ProgramProperties.catalogues.names.filter { $0.contains(".") }))
  var id: String

  @Option("count", .count(1...10_000), "How many cases to print.", example: "3", valueName: "number") var count = 10

  @Option(
    "cases", .count(0...1_000_000_000), "The number of cases for the shares, 0 for none.", example: "10k",
    valueName: "number")
  var cases = 1_000

  @Option("seed", .seed, "The seed of the cases.", example: "7") var seed: UInt64 = 1

  func run() throws {
    var settings = CheckSettings(cases: count, seed: seed)
    let chosen = try ProgramProperties.catalogues.property(id, mutant: nil)
    let (drawn, report) = try chosen.property.reportingTraps(caseLimit: .seconds(10)) { _ in
      []
    } _: {
      try $0.sampled(settings)
    }
    if drawn.isEmpty, let obstacle = report.obstacle { throw obstacle }
    var lines = ["\(chosen.property.id)  \(chosen.property.sentence)"]
    for (number, arguments) in drawn.enumerated() {
      lines.append("case \(number + 1)")
      lines += chosen.property.lines(of: arguments)
    }
    if let obstacle = report.obstacle { lines.append("\(obstacle)") }
    if report.discarded > 0 { lines.append("discarded between them: \(report.discarded)") }
    if cases > 0 {
      (settings.cases, settings.shrinkLimit, settings.explains) = (cases, 0, false)
      let bench = try PropertyBench(
        worker: ProgramProperties.worker, caseLimit: .seconds(10), jobs: 1, interrupt: Interrupt())
      lines.append(try bench.check(chosen, settings).text())
    }
    try Console.write(lines.map { "\($0)\n" }.joined())
  }
}

struct PropertiesReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Runs a failing case again.",
    discussion: """
      Example: assay properties replay \(ProgramProperties.exampleToken)

      A case that traps or does not end within its limit fails. Exits with 1 when it still fails, with 0 when it \
      passes, and with 2 when the generators ask for other choices \
      than when the case was found.
      """)

  @Argument(help: "The case, as a failure printed it. Example: \(ProgramProperties.exampleToken)")
  var token: String

  @Option(
    help: ArgumentHelp("The mutant to test instead of the code that ships. Example: --mutant NAME", valueName: "name"),
    completion: .list(ProgramProperties.catalogues.mutants))
  var mutant: String?

  @Flag(help: "Print the case without running it.")
  var show = false

  @Flag(help: "Run the case in this process and not in a worker.")
  var inProcess = false

  @Option(
    "case-limit", .duration(.milliseconds(1) ... .seconds(86_400 * 366)),
    "How long the case may take before its process is terminated: 500ms, 10s, 1m.", example: "2s")
  var caseLimit = Duration.seconds(10)

  func run() throws {
    let token = try ReplayToken(parsing: token)
    let chosen = try ProgramProperties.catalogues.property(token.property, mutant: mutant)
    let title = "\(chosen.property.id)  \(chosen.property.sentence)\n"
    if show {
      let arguments = try chosen.property.arguments(of: token)
      return try Console.write(title + chosen.property.lines(of: arguments).map { "\($0)\n" }.joined())
    }
    let bench = try PropertyBench(
      worker: inProcess ? nil : ProgramProperties.worker, caseLimit: caseLimit, jobs: 1, interrupt: Interrupt())
    let outcome = try bench.replay(token, of: chosen)
    try Console.write(title)
    switch outcome {
    case .failed:
      let report = CheckReport(replaying: chosen.property, outcome, of: token, settings: CheckSettings())
      let lines = report?.parts { _ in nil }.flatMap(\.lines) ?? []
      try Console.write(lines.map { "\($0)\n" }.joined())
      var echo = CommandLineEcho()
      echo.add(Array(CommandLine.arguments.dropFirst()))
      throw ExitStatus.Conclusion(status: .failed, message: "FAILS: the case still fails.", reproduction: echo.line)
    case .passed: try Console.write("  passes now\n")
    case .excluded: try Console.write("  excluded now: an assumption of the property does not hold for it\n")
    case .stale: throw CheckError.staleChoices(property: chosen.property.id)
    }
  }
}

/// The process in which `check` and `replay` run cases; it is not for people.
struct PropertiesWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Runs cases for another process.", shouldDisplay: false)

  func run() throws {
    let catalogues = ProgramProperties.catalogues
    let known = Dictionary(
      uniqueKeysWithValues: ([nil] + catalogues.mutants.map(Optional.some)).map { mutant in
        (mutant, (try? catalogues.chosen([], mutant: mutant).map(\.property)) ?? [])
      })
    try WorkerHost(command: ProgramProperties.worker ?? []) { id, mutant in
      known[mutant]?.first { $0.id == id }
    }.serve()
  }
}
