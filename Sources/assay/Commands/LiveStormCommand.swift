// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveCore
internal import LiveLab
internal import MonteCarlo
internal import Reporting

/// Clients that all return to one restarted server.
struct LiveStormCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storm",
    abstract: "Lets up to ten million clients return to one restarted server, and compares backoff policies.",
    discussion: """
      Example: assay live storm --clients 1M --outage 30s --capacity 5000/s
      Example: assay live storm --clients 200k --outage 2m --capacity 300k/m --policy full-jitter equal-jitter

      All clients lose the server at one moment, wait as their policy says, and try again. The returned server accepts \
      as many handshakes as its capacity allows and sheds the rest. Said of each policy: attempts a second before and \
      after the return, when 50, 95, 99 and 100% of the clients are back, how many used up their attempts; then which \
      policy the numbers speak for, and what it costs.

      What happens depends on the seed alone. The scenario kind live.storm does the same with thresholds.
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many clients. Example: --clients 1M", valueName: "count"))
  var clients = "100k"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long the server is down. Example: --outage 2m", valueName: "duration"))
  var outage = "30s"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many handshakes the returned server accepts (default: as many as come). Example: --capacity 5000/s",
      valueName: "rate"))
  var capacity: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The policies, of \(Backoff.names.joined(separator: ", ")) "
        + "(default: \(StormComparison.usualPolicies.joined(separator: ", "))). Example: --policy full-jitter grpc",
      valueName: "name"),
    completion: .list(Backoff.names))
  var policy: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many attempts every policy has (default: as many as each has by itself). Example: --attempts 5",
      valueName: "count"))
  var attempts: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The server sheds by 503 with this Retry-After, instead of refusing the connection. Example: --retry-after 5s",
      valueName: "duration"))
  var retryAfter: String?

  @OptionGroup var randomness: RandomOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let random = try randomness.checked()
    let comparison = try comparison(random)
    let plan = try destination.plan(for: "storm", formats: [.text, .markdown, .csv, .json], picture: .figure)
    let echo = echo(random)
    let bench = Bench(announcing: echo, jobs: random.jobs, quiet: destination.quiet)
    let meter = bench.meter(comparison.settings.clients * comparison.policies.count, "clients")
    let findings = try comparison.run(
      workers: random.jobs, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    meter?.finish()
    let report = StormReport(findings)
    if !findings.findings.isEmpty {
      try plan.write(LivePicture.first(in: report.reportSections)) { format, _ in report.rendered(as: format) }
    }
    if let early = bench.early {
      throw ExitStatus.Verdict(
        status: early,
        message: findings.findings.isEmpty
          ? "Interrupted before any policy was played to the end: a part of a storm says nothing."
          : "Interrupted: what is known of the policies that were played to the end is above.",
        reproduction: echo.line)
    }
  }

  /// What was asked for, checked.
  private func comparison(_ random: RandomOptions.Checked) throws -> StormComparison {
    var settings = StormSettings()
    settings.clients = try LiveQuantity.count("--clients", clients, in: 1...10_000_000, example: "1M")
    settings.outage = try LiveQuantity.span("--outage", outage, upTo: 86_400, example: "30s")
    guard settings.outage >= settings.detectionWindow else {
      let least = NumberFormat.shortest(settings.detectionWindow.seconds * 1_000)
      throw CommandError.badValue(
        option: "--outage", found: outage, expected: "at least \(least)ms, within which all clients notice it")
    }
    if let capacity { settings.capacity = try accepted(capacity, within: settings.burst) }
    if let retryAfter {
      guard capacity != nil else {
        throw CommandError.badValue(
          option: "--retry-after", found: retryAfter,
          expected: "a --capacity beside it: a server that accepts as many as come sheds nobody")
      }
      let wait = try LiveQuantity.span("--retry-after", retryAfter, upTo: 86_400, example: "5s")
      settings.shedding = .unavailable(retryAfter: wait)
    }
    settings.seed = random.seed
    settings.generator = random.generator
    let most = try attempts.map { text throws(CommandError) in
      try LiveQuantity.count("--attempts", text, in: 1...1_000_000, example: "10")
    }
    return try StormComparison(
      settings, policies: policy.isEmpty ? StormComparison.usualPolicies : policy, attempts: most)
  }

  /// A capacity of at least one handshake in the time for which a server saves up what it does not use.
  private func accepted(_ capacity: String, within burst: Interval) throws(CommandError) -> Int {
    let rate = try LiveQuantity.rate("--capacity", capacity)
    let least = Int((1 / burst.seconds).rounded(.up))
    guard (least...10_000_000).contains(rate) else {
      throw .badValue(
        option: "--capacity", found: capacity, expected: "\(least)/s to 10,000,000/s, for example 5000/s")
    }
    return rate
  }

  private func echo(_ random: RandomOptions.Checked) -> CommandLineEcho {
    var echo = CommandLineEcho("assay", "live", "storm")
    echo.add("--clients", clients)
    echo.add("--outage", outage)
    if let capacity { echo.add("--capacity", capacity) }
    for name in policy { echo.add("--policy", name) }
    if let attempts { echo.add("--attempts", attempts) }
    if let retryAfter { echo.add("--retry-after", retryAfter) }
    random.add(to: &echo)
    destination.add(to: &echo)
    return echo
  }
}
