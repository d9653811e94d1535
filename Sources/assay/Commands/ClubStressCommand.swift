// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubLab
internal import MonteCarlo
internal import Reporting

/// The club core under the load of a club that is invented, and so known.
struct ClubStressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Puts the core under the load of a huge invented club, and compares every integer with the truth.",
    discussion: """
      Example: assay club stress --members 10k --activities 5M
      Example: assay club stress --members 1M --activities 50M --weeks 4 --jobs 1

      Weeks of activities are invented, counted by the core that ships, and compared with the sums that the invention \
      kept, member by member and week by week; a part goes through the feed's own format as well. What happened \
      depends on the seed alone. Throughput, the gain of several workers, and memory are this machine's, and are \
      printed in text and Markdown only.

      Exits with 1 when anything is not the truth. The scenario kind club.stress does the same with thresholds.
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many persons. Example: --members 1M", valueName: "count"))
  var members = "100k"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "About how many activities all weeks have together. Example: --activities 5M", valueName: "count"))
  var activities = "50M"

  @Option(parsing: .unconditional, help: ArgumentHelp("How many weeks. Example: --weeks 4", valueName: "count"))
  var weeks = "8"

  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let random = try randomness.checked()
    let settings = try StressSettings(
      members: Self.count("--members", members), activities: Self.count("--activities", activities),
      weeks: Self.count("--weeks", weeks), seed: random.seed, generator: random.generator)
    let plan = try destination.plan(for: "stress", formats: [.text, .markdown, .csv, .json])
    var echo = CommandLineEcho("assay", "club", "stress")
    for (option, value) in [("--members", members), ("--activities", activities), ("--weeks", weeks)] {
      echo.add(option, value)
    }
    random.add(to: &echo)
    destination.add(to: &echo)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let meter = bench.meter(settings.activities, "activities")
    let result = try StressRun(settings, workers: random.jobs).run(
      interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    meter?.finish()
    guard let result else {
      throw ExitStatus.Verdict(
        status: bench.early ?? .interrupted,
        message: "Interrupted before all weeks were compared: a part of them says nothing.",
        reproduction: echo.line)
    }
    let report = StressReport(result)
    let signs = plan.onOutput == nil ? ClubSigns.pictures : Console.outputSigns
    try plan.write { format, _ in report.rendered(as: format, signs: signs) }
    if !report.isRight {
      throw ExitStatus.Verdict(
        status: .failed, message: "The core's weeks are not the truth.", reproduction: echo.line)
    }
  }

  private static func count(_ option: String, _ text: String) throws(CommandError) -> Int {
    guard let count = WholeNumber.parse(text) else {
      throw .badValue(option: option, found: text, expected: "a whole number, for example 100k or 5M")
    }
    return count
  }
}
