// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import MonteCarlo
internal import Reporting

/// Whole rounds played by a chart.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Plays whole rounds by a chart: EV with its interval, standard deviation, distribution of payoffs.",
    discussion: """
      Example: assay blackjack play --rules 6d-s17-das --rounds 1e9
      """)

  @OptionGroup var game: RuleOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many rounds to play; default: 1e8. Example: --rounds 1e9", valueName: "count"))
  var rounds: String?

  @OptionGroup var ending: EndingOptions

  @OptionGroup var player: ChartOption
  @OptionGroup var way: MethodOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The interval's confidence. Example: --confidence 0.99", valueName: "probability"))
  var confidence = "0.999"

  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let rules = try game.parsed()
    let isExact = try way.isExact()
    if isExact && rules.dealing != .freshShoe {
      throw CommandError.badValue(
        option: "--method", found: "exact",
        expected: "simulate for \(rules.name): the analyser knows the fresh shoe only")
    }
    let chart = try player.read()
    let random = try randomness.checked()
    let simulation = try random.simulation(confidence: confidence)
    let rule = try ending.rule(rounds: rounds, confidence: simulation.confidence)
    let plan = try destination.plan(for: "play", formats: [.text, .markdown, .csv, .json], picture: .figure)
    var echo = CommandLineEcho("assay", "blackjack", "play", "--rules", game.rules, "--method", way.method)
    if let file = player.chart { echo.add("--chart", file) }
    if !isExact {
      if let rounds { echo.add("--rounds", rounds) }
      ending.add(to: &echo)
      echo.add("--confidence", confidence)
      random.add(to: &echo)
    }
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let (evidence, reason) =
      try isExact
      ? (bench.trials.exactGame(rules, by: chart), .completed)
      : bench.trials.playedGame(rules, by: chart, until: rule, simulation)
    let report = GameReport(rules: rules, chart: player.name, evidence: evidence)
    try plan.write(report.payoffFigure.map(Picture.figure)) { format, _ in report.rendered(as: format) }
    if let early = bench.early {
      throw ExitStatus.Verdict(
        status: early, message: "Interrupted: what was played until then is above.", reproduction: echo.line)
    }
    if ending.halfWidth != nil && reason == .completed && !isExact {
      throw ExitStatus.Verdict(
        status: .failed, message: "The interval is still wider than asked for; allow more --rounds.",
        reproduction: echo.line)
    }
  }
}
