// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackCore
internal import BlackjackLab
internal import Reporting

/// One hand against one upcard.
struct HandCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hand",
    abstract: "Values every action of one hand, exactly and by simulation.",
    discussion: """
      Example: assay blackjack hand A,7 9 --rules 6d-s17-das
      """)

  @Argument(help: "The player's cards, two or more. Example: A,7")
  var cards: String

  @Argument(help: "The dealer's upcard. Example: 9")
  var upcard: String

  @OptionGroup var game: RuleOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many times to play the hand. Example: --rounds 1e7", valueName: "count"))
  var rounds = "1e6"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The probability that all intervals hold together. Example: --confidence 0.99", valueName: "probability"))
  var confidence = "0.999"

  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let rules = try game.parsed()
    let question = try HandQuestion(cards: cards, upcard: upcard, rules: rules)
    guard let count = WholeNumber.parse(rounds), (2...1_000_000_000_000).contains(count) else {
      throw CommandError.badValue(
        option: "--rounds", found: rounds, expected: "a whole number from 2 to 1e12, for example 1e7")
    }
    let random = try randomness.checked()
    let simulation = try random.simulation(confidence: confidence)
    let plan = try destination.plan(for: "hand", formats: [.text, .markdown, .csv, .json])
    var echo = CommandLineEcho("assay", "blackjack", "hand", cards, upcard, "--rules", game.rules)
    echo.add("--rounds", rounds)
    echo.add("--confidence", confidence)
    random.add(to: &echo)
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let report = try bench.trials.hand(rules, question.cards, against: question.upcard, samples: count, simulation)
    try plan.write { format, _ in report.rendered(as: format) }
    if let early = bench.early {
      throw ExitStatus.Verdict(
        status: early, message: "Interrupted: what was played until then is above.", reproduction: echo.line)
    }
  }
}
