// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveCore
internal import LiveLab
internal import Reporting

/// One session of a simulation, event by event.
struct LiveTimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract:
      "Shows one session event by event: the network, what the client is told, what it does, how it says it is.",
    discussion: """
      Example: assay live timeline tunnel --seed 7
      Example: assay live timeline --schedule 'live/1 for=10m; 5m offline for=20s' --output timeline.svg

      A session is determined by its faults, its seed and its client. A profile draws the faults from the seed, as \
      live simulate does: the same seed shows the same session. --schedule says them outright, as a failure prints them.

      Lines that begin with ~ are about the network and the server, the others about the client. #2 is its second \
      socket. Answered pings in a row share one line, unless --whole wants every step.

      Exits with 1 when an invariant does not hold, or the client is not back within the limit of the profile or the \
      schedule.

      A schedule is live/1 for=TIME, limit=TIME if the client is to be back so soon, and behind semicolons its faults: \
      the moment, the name, for=TIME where it lasts, and its values. In brackets is what need not be said:
      \(FaultGuide.text)
      """)

  @Argument(
    help: ArgumentHelp(
      "The profile that faults are drawn from: \(OutageProfile.names.joined(separator: ", ")). Example: tunnel",
      valueName: "profile"),
    completion: .list(OutageProfile.names))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "The faults, instead of a profile. Example: --schedule 'live/1 for=10m; 5m black-hole for=40s'",
      valueName: "text"))
  var schedule: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The session's seed, 0 to 2^32 - 1. Example: --seed 7", valueName: "number"))
  var seed = "1"

  @OptionGroup var client: LiveClientOptions
  @OptionGroup var generator: LiveGeneratorOption

  @Flag(help: "Every step has a line, and every timer is told. Example: --whole")
  var whole = false

  @OptionGroup var destination: OutputOptions

  func run() throws {
    let number = try checkedSeed()
    let draws = try generator.checked()
    let client = try client.checked()
    let faults = try faults(seed: number, generator: draws)
    let plan = try destination.plan(
      for: "timeline", formats: [.text, .markdown, .csv, .json], picture: .figure)
    var echo = CommandLineEcho("assay", "live", "timeline")
    if let profile { echo.add([profile]) }
    if let schedule { echo.add("--schedule", schedule) }
    echo.add("--seed", seed)
    self.client.add(to: &echo)
    generator.add(to: &echo)
    if whole { echo.add(["--whole"]) }
    let again = echo.line
    destination.add(to: &echo)
    if !destination.quiet { Console.say(echo.line) }
    let session = TimelineSession(
      client: client.variant, settings: client.settings, schedule: faults, seed: number, generator: draws)
    let timeline = try session.timeline(
      title: "\(profile ?? "A schedule"), seed \(number): \(client.variant.name)",
      origin: [
        "Client: \(client.variant.fault); policy \(client.waits).",
        "Schedule: \(faults)", "Again: \(again)",
      ])
    try plan.write(.figure(timeline.figure)) { format, style in
      timeline.rendered(as: format, style: style, isWhole: whole)
    }
    if !timeline.isRight {
      throw ExitStatus.Verdict(
        status: .failed, message: timeline.findings.joined(separator: "\n"), reproduction: echo.line)
    }
  }

  private func checkedSeed() throws(CommandError) -> UInt32 {
    guard let number = UInt32(seed) else {
      throw .badValue(option: "--seed", found: seed, expected: "a whole number, 0 to 4294967295")
    }
    return number
  }

  /// What goes wrong: drawn from the profile, or said outright.
  private func faults(seed: UInt32, generator: String) throws -> FaultSchedule {
    switch (profile, schedule) {
    case (let name?, nil):
      return try TimelineSession.schedule(of: OutageProfile.named(name), seed: seed, generator: generator)
    case (nil, let text?): return try FaultSchedule(reading: text)
    case (_?, let text?):
      throw CommandError.badValue(option: "--schedule", found: text, expected: "no profile beside it")
    case (nil, nil):
      throw LiveLabError.badValue(
        field: "profile", found: "nothing",
        expected: "one of \(OutageProfile.names.joined(separator: ", ")), or the faults by --schedule")
    }
  }
}
