// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveCore
internal import LiveLab
internal import MonteCarlo
internal import Reporting

/// Sessions of the reconnecting client under named outages.
struct LiveSimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Runs sessions of the client under named outages, and says how often it was back in time.",
    discussion: """
      Example: assay live simulate
      Example: assay live simulate tunnel lift --sessions 1M --policy equal-jitter
      Example: assay live simulate --subject live-replaced-design

      A session is a client, a server and the way between them, in virtual time, under the faults that a profile \
      draws. Success is being connected and current again within the profile's limit, counted from when an attempt \
      could have succeeded. Intervals are of all profiles together and hold whenever one looks; outages of one session \
      count as one cluster. Every invariant is watched at every step.

      A profile's sessions end as soon as it is known on which side of the target it is, unless --all runs every one. \
      What happened depends on the seed alone, not on the number of workers.

      The profiles:

      \(OutageProfile.definitions.joined(separator: "\n\n"))

      Exits with 1 when a profile is below the target or an invariant does not hold, with 3 when something is \
      undecided. The scenario kind live.simulate does the same with thresholds, also for outages of one's own: \
      Scenarios/live-simulate.yaml composes one, and the help of live timeline lists the faults.
      """)

  @Argument(
    help: ArgumentHelp(
      "The profiles (default: all): \(OutageProfile.names.joined(separator: ", ")). Example: tunnel",
      valueName: "profile"),
    completion: .list(OutageProfile.names))
  var profiles: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many sessions all profiles have together, at the most. Example: --sessions 1M", valueName: "count"))
  var sessions = "100k"

  @OptionGroup var client: LiveClientOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The share of outages from which the client should be back in time. Example: --target 0.99",
      valueName: "probability"))
  var target = "0.95"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The confidence of all intervals together. Example: --confidence 0.999", valueName: "probability"))
  var confidence = "0.99"

  @Flag(help: "Run every session, also when a profile is decided. Example: --all")
  var all = false

  @OptionGroup var randomness: LiveRandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let random = try randomness.checked()
    let trial = try trial(random)
    let plan = try destination.plan(for: "simulate", formats: [.text, .markdown, .csv, .json], picture: .figure)
    let echo = echo(random)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let meter = bench.meter(trial.sessions, "sessions")
    let result = try trial.run(
      workers: random.jobs, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    meter?.finish()
    let report = SimulateReport(result)
    if !result.isEmpty {
      try plan.write(LivePicture.first(in: report.reportSections)) { format, _ in report.rendered(as: format) }
    }
    if let early = bench.early {
      throw ExitStatus.Verdict(
        status: early,
        message: result.isEmpty
          ? "Interrupted before there was anything to say." : "Interrupted: what was simulated until then is above.",
        reproduction: echo.line)
    }
    if let verdict = Self.verdict(on: result) {
      throw ExitStatus.Verdict(status: verdict.status, message: verdict.message, reproduction: echo.line)
    }
  }

  /// What was asked for, checked.
  private func trial(_ random: RandomOptions.Checked) throws -> SimulationTrial {
    var chosen: [OutageProfile] = []
    for name in profiles { chosen.append(try OutageProfile.named(name)) }
    let client = try client.checked()
    if chosen.isEmpty { chosen = OutageProfile.all }
    let count = try LiveQuantity.count(
      "--sessions", sessions, in: 2 * chosen.count...SimulationTrial.mostSessions, example: "1M")
    guard let share = Double(target), share > 0, share < 1 else {
      throw CommandError.badValue(
        option: "--target", found: target, expected: "a share between 0 and 1, for example 0.95")
    }
    guard let held = Double(confidence), held > 0.5, held < 1 else {
      throw CommandError.badValue(
        option: "--confidence", found: confidence, expected: "a probability above 0.5 and below 1, such as 0.999")
    }
    return try SimulationTrial(
      profiles: chosen, client: client, sessions: count, endsWhenDecided: !all, target: share, confidence: held,
      seed: random.seed, generator: random.generator)
  }

  private func echo(_ random: RandomOptions.Checked) -> CommandLineEcho {
    var echo = CommandLineEcho("assay", "live", "simulate")
    echo.add(profiles)
    echo.add("--sessions", sessions)
    client.add(to: &echo)
    echo.add("--target", target)
    echo.add("--confidence", confidence)
    if all { echo.add(["--all"]) }
    random.add(to: &echo)
    destination.add(to: &echo)
    return echo
  }

  /// Why the process does not end with 0; nil where it does.
  private static func verdict(on result: SimulationResult) -> (status: ExitStatus, message: String)? {
    let missed = result.profiles(.missed)
    let open = result.profiles(.open)
    let broken = result.brokenSessions
    let runaways = result.runaways
    if broken > 0 || runaways > 0 || !missed.isEmpty {
      let reasons = [
        missed.isEmpty ? nil : "below the target: \(missed.joined(separator: ", "))",
        broken == 0 ? nil : "an invariant did not hold in \(sessions(broken))",
        runaways == 0 ? nil : "a livelock cut short \(sessions(runaways))",
      ].compactMap(\.self)
      return (.failed, "Fails: \(reasons.joined(separator: "; ")).")
    }
    return open.isEmpty
      ? nil : (.undecided, "Undecided: \(open.joined(separator: ", ")); more --sessions would tell.")
  }

  private static func sessions(_ count: Int) -> String {
    "\(NumberFormat.grouped(count)) \(count == 1 ? "session" : "sessions")"
  }
}
