// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness
internal import Reporting
internal import Scenarios
internal import Statistics

/// One storm, played for each of several policies.
struct StormComparison: Experiment, Hashable {
  var settings = StormSettings()
  /// By default three policies of our own with jitter, one of gRPC, and one without jitter.
  var policies = ["full-jitter", "equal-jitter", "decorrelated-jitter", "grpc", "exponential"].compactMap {
    NamedPolicy(catalogued: $0)
  }
  /// The number of attempts of every policy; nil for its own number.
  var attempts: Int?
  /// The number of storms for the recommendation; all other figures are from the first one.
  var storms = 5
  /// Shares of clients in percent, ascending, whose return is measured in addition to the default ones.
  var percentiles: [Double] = []

  init() {}

  static let kind = "live.storm"
  static let summary =
    "Restarts a server under up to ten million clients, and compares the policies of backoff."
  static let discussion = """
    Example: assay live storm --clients 1M --outage 30s --capacity 5000/s
    Example: assay live storm --clients 200k --outage 2m --capacity 300k/m --policy full-jitter equal-jitter
    Example: assay live storm --policy full-jitter 'name=mine \(NamedPolicy.example)'

    All clients lose the server at the same moment, wait as their policy says, and try again. The returned server \
    accepts as many handshakes as its capacity allows and sheds the rest. The report shows for each policy the \
    attempts a second before and after the return, when 50, 95, 99 and 100% of the clients are back, and how many \
    exhausted their attempts. Then it recommends a policy with its disadvantages. The results depend only on the seed.

    \(NamedPolicy.guide)
    """

  static let parameters = own + Parameter.random(generator: \.settings.generator, seed: \.settings.seed)

  private static let own: [Parameter<StormComparison>] = [
    Parameter("clients", \.settings.clients, .count(1...10_000_000), "How many clients.", example: "1M"),
    Parameter(
      "outage", \.settings.outage, .interval(.milliseconds(1)...day), "How long the server is down.",
      example: "2m"),
    Parameter(
      "capacity", \.settings.capacity, ValueType<Int>.rate(1...10_000_000).or("unlimited"),
      "How many handshakes the returned server accepts.",
      example: "5000/s"),
    Parameter(
      "burst", \.settings.burst, .interval(Interval(nanoseconds: 1) ... .seconds(600)),
      "How long an idle server can save up capacity.", example: "200ms",
      when: { $0.settings.capacity != nil }),
    Parameter(
      "shed", \.settings.shed, .choice,
      "The answer to a client beyond the capacity: a refused connection, or 503.",
      example: "unavailable"),
    Parameter(
      "retry-after", \.settings.retryAfter, ValueType<Interval>.interval(.zero...day).optional,
      "The Retry-After of the 503.",
      example: "5s"),
    Parameter(
      "detection-window", \.settings.detectionWindow, .interval(.zero...day),
      "The time within which all clients notice that the connection is gone.", example: "100ms"),
    Parameter(
      "attempt-timeout", \.settings.attemptTimeout, .interval(.milliseconds(1)...day),
      "The time after which an attempt fails while the server is down or sheds.", example: "20ms"),
    Parameter(
      "cadence", \.settings.cadence, ValueType<Interval>.interval(.seconds(1) ... .seconds(86_400 * 366)).or("none"),
      "How often a client tries when its attempts are exhausted.", example: "60s"),
    Parameter(
      "cadence-spread", \.settings.cadenceSpread, .share,
      "The share by which the cadence is spread to either side.",
      example: "20%", when: { $0.settings.cadence != nil }),
    Parameter(
      "horizon", \.settings.horizon, .interval(.milliseconds(1)...day),
      "The time after the server's return that is simulated.", example: "10m"),
    Parameter(
      "policies", \.policies, ValueType<NamedPolicy>.policy.list(), "The policies.", example: "full-jitter grpc",
      option: "policy"),
    Parameter(
      "attempts", \.attempts, ValueType<Int>.count(1...1_000_000).optional,
      "How many attempts every policy has, instead of its own number.", example: "5"),
    Parameter(
      "storms", \.storms, .count(1...1_000),
      "How many storms, each with its own seed, vote for the recommended policy; all other results are of the first.",
      example: "20"),
    Parameter(
      "percentiles", \.percentiles, .percentiles,
      "Shares of the clients, in percent, whose return to measure in addition to the default ones; a threshold such as "
        + "'storm.back97.5 <= 1m' asks for its own.",
      example: "90,97.5", when: { !$0.percentiles.isEmpty }),
  ]

  private static let day = Interval.seconds(86_400)

  func check() throws(ParameterError) {
    try NamedPolicy.check(policies, of: "policies")
    if settings.detectionWindow > settings.outage {
      throw ParameterError(
        "detection-window", "outage", expected: "no more than the outage, within which all clients notice it")
    }
    if settings.capacity != nil, settings.depth < StormSettings.token {
      throw ParameterError("burst", "capacity", expected: "enough time for one handshake at the capacity")
    }
    if settings.capacity == nil, settings.shed == .unavailable {
      throw ParameterError(
        "shed", "capacity", expected: "a capacity with it: a server that accepts as many as come sheds nobody")
    }
    if settings.retryAfter != nil, settings.shed == .refused {
      throw ParameterError(
        "retry-after", "shed", expected: "'unavailable' for shed: a refused connection has no header")
    }
  }

  /// All measures are counts, determined by the parameters and the seed.
  static let rows: [MeasureRow<StormFinding>] = [
    count("attempts", "attempts", "Attempts of all clients, before and after the server's return") { $0.attempts },
    count("peak", "attempts", title: "peak after", "The most attempts in a second after the server's return") {
      $0.peakAfter
    },
    count("peakTenth", "attempts", "The most attempts in a tenth of a second after the server's return") {
      $0.peakTenth
    },
    count("peakDuring", "attempts", "The most attempts in a second while the server was down") { $0.peakDuring },
    count("accepted", "clients", "The most clients that came back in a second") { $0.peakAccepted },
    count("shed", "attempts", "Attempts that the returned server shed") { $0.shed },
    count(
      "gaveUp", "clients", "Clients that exhausted their attempts, whether or not the slow cadence brought them back"
    ) { $0.gaveUp },
    count("back", "clients", "Clients that are back") { $0.back },
    count("missing", "clients", "Clients that were not back at the horizon") { $0.missing },
    back("back50", "half of the", 50), back(95), back(99), back("back100", "all", 100),
    seconds("meanBack", "The mean time at which clients were back, after the server's return") { $0.result.meanBack },
    seconds("survives95", title: "95% outlast", "The outage after which 95% of the clients still have an attempt") {
      $0.budget.quantile(0.05)
    },
  ]

  private static func count(
    _ name: String, _ unit: String, title: String? = nil, _ meaning: String,
    _ count: @escaping @Sendable (StormResult) -> Int
  ) -> MeasureRow<StormFinding> {
    .count("storm.\(name)", title: title, meaning, unit: unit) { count($0.result) }
  }

  private static func back(_ name: String, _ part: String, _ percent: Double) -> MeasureRow<StormFinding> {
    let share = Percentile.share(percent)
    return seconds(
      name, title: "\(NumberFormat.shortest(percent))% back",
      "When \(part) clients were back, after the server's return"
    ) { $0.result.backSeconds(share: share) }
  }

  private static func back(_ percent: Double) -> MeasureRow<StormFinding> {
    let text = NumberFormat.shortest(percent)
    return back("back\(text)", "\(text)% of the", percent)
  }

  /// The default measures and the requested percentiles.
  private var rows: [MeasureRow<StormFinding>] {
    Self.rows + percentiles.map(Self.back).filter { row in !Self.rows.contains { $0.name == row.name } }
  }

  /// A time or duration, infinite if it was never reached.
  private static func seconds(
    _ name: String, title: String? = nil, _ meaning: String, _ seconds: @escaping @Sendable (StormFinding) -> Double
  ) -> MeasureRow<StormFinding> {
    .exact("storm.\(name)", title: title, meaning, unit: "s", seconds)
  }

  mutating func addMeasure(named name: String) {
    percentiles = percentiles.united(with: Percentile.read(name, after: "storm.back").map { [$0] } ?? [])
  }

  var measures: [Measure] {
    rows.measures(of: policies.map(\.name)) + (policies.count > 1 ? policies.map { Self.recommended($0.name) } : [])
  }

  private static func recommended(_ policy: String) -> Measure {
    Measure(
      "storm.recommended", of: policy,
      meaning: "The share of storms, by their seeds, that recommend the policy",
      kind: .proportion)
  }

  func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("storms", storms) }

  func run(on context: RunContext) throws -> ScenarioResult {
    let found = try play(on: context)
    let report = StormReport(found)
    return ScenarioResult(
      measurements: measurements(of: found), data: report.data, document: report.document,
      files: [.init(name: "storm.csv", content: report.bins.csv)], isComplete: found.isComplete)
  }

  func measurements(of found: StormFindings) -> [Measurement] {
    found.findings.flatMap { rows.measurements(of: $0.result.policy, in: $0) }
      + (found.votes.isEmpty ? [] : policies.map(\.name)).map { policy in
        let votes = found.votes.count { $0 == policy }
        return Measurement(Self.recommended(policy), .proportion(successes: votes, trials: found.votes.count))
      }
  }

  /// Plays the storms; after an interruption, returns those of policies that were finished.
  private func play(on context: RunContext) throws -> StormFindings {
    let backoffs = policies.map { named in
      var policy = named.backoff
      policy.maximumAttempts = attempts ?? policy.maximumAttempts
      return policy
    }
    let storms = policies.count > 1 ? storms : 1
    return try context.showing(settings.clients * policies.count * storms, "clients") { context in
      var found = StormFindings(comparison: self, findings: [])
      for first in stride(from: 0, to: storms, by: Self.stormsOfASection) {
        let section = (first..<min(first + Self.stormsOfASection, storms)).map(storm)
        let played = try context.results(
          of: section.flatMap { storm in backoffs.map { (storm, $0) } }, "clients", samplesEach: settings.clients,
          atOnce: max(1, Self.maxClientsAtOnce / settings.clients)
        ) { try $0.run($1, interrupt: context.interrupt) }
        for (index, storm) in section.enumerated() {
          let results = zip(policies, played.dropFirst(index * policies.count)).map {
            StormResult($0.name, storm.settings, $1)
          }
          if first + index == 0 {
            found.findings = try zip(backoffs, results).map { policy, result in
              let budget = try AttemptBudget(
                policy, clients: Self.budgetClients(of: policy), seed: settings.seed, generator: settings.generator)
              return StormFinding(result: result, budget: budget)
            }
          }
          guard results.count == policies.count, let vote = StormRecommendation(results) else { return found }
          found.votes.append(vote.chosen.policy)
        }
      }
      return found
    }
  }

  /// The storm of that number, with its own seed.
  private func storm(_ number: Int) -> Storm {
    var settings = settings
    settings.seed &+= UInt64(number)
    return Storm(settings)
  }

  /// A storm runs on one thread, and needs some hundred bytes of memory per client.
  private static let maxClientsAtOnce = 10_000_000
  /// The number of storms kept at a time.
  private static let stormsOfASection = 8

  /// The number of clients drawn to estimate the outage that a policy's attempts span: fewer for very many attempts,
  /// since the relative spread of a sum of n waits falls with n.
  private static func budgetClients(of policy: Backoff) -> Int {
    min(20_000, max(100, 20_000_000 / max(1, policy.maximumAttempts ?? 1)))
  }
}

/// The storm of one policy, with its number of attempts.
struct StormFinding: Sendable {
  let result: StormResult
  let budget: AttemptBudget
}

/// The policies that were finished.
struct StormFindings: Sendable {
  let comparison: StormComparison
  var findings: [StormFinding]
  /// The policy that each storm recommends, beginning with the first storm; empty without several policies to choose
  /// from.
  var votes: [String] = []

  var isComplete: Bool {
    findings.count == comparison.policies.count && (votes.count == comparison.storms || findings.count < 2)
  }

  /// The confidence of the recommendation, by the storms with other seeds; empty without a recommendation.
  var certainty: String {
    guard let chosen = votes.first else { return "" }
    guard votes.count > 1 else { return "This is from one storm: another seed may recommend another policy." }
    let agreeing = votes.count { $0 == chosen }
    // One end of a 90% interval is a bound at 95%.
    let minimum = (try? BinomialInterval(successes: agreeing, trials: votes.count, confidence: 0.9))?.lower ?? 0
    return
      "\(agreeing - 1) of \(votes.count - 1) more storms with other seeds recommend the same policy: with 95% "
      + "confidence, at least \(Int(100 * minimum))% of all such storms do."
  }

  /// The policies without results because of an interruption.
  var unplayed: [String] { comparison.policies.dropFirst(findings.count).map(\.name) }

  var recommendation: StormRecommendation? { StormRecommendation(findings.map(\.result)) }
}

/// The policy recommended by a storm.
///
/// The rule: policies that leave more than twice the fewest clients missing at the end are left out, and so all that
/// leave any if one leaves none. A policy is acceptable to the server if its peak of attempts in a second after the
/// return is at most twice the smallest of the others. Of the acceptable ones, the clients prefer the one with the
/// earliest mean time to be back, where clients missing at the end count as back then.
struct StormRecommendation: Sendable {
  let chosen: StormResult
  /// The acceptable policies, in the order of the comparison.
  let fit: [String]
  let why: String

  /// The largest accepted ratio of a peak to the smallest one, and of clients missing to the fewest.
  private static let tolerance = 2

  /// Returns nil with fewer than two policies.
  init?(_ results: [StormResult]) {
    guard results.count > 1, let fewest = results.map(\.missing).min() else { return nil }
    let returning = results.filter { $0.missing <= Self.tolerance * fewest }
    let minimum = returning.map(\.peakAfter).min() ?? 0
    let fit = returning.filter { $0.peakAfter <= Self.tolerance * minimum }
    guard let result = fit.min(by: { $0.meanBack < $1.meanBack }) else { return nil }
    (chosen, self.fit) = (result, fit.map(\.policy))
    let (isAlone, clients) = (returning.count == 1, NumberFormat.grouped(result.clients))
    let peak =
      "\(NumberFormat.grouped(result.peakAfter)) \(result.peakAfter == 1 ? "attempt" : "attempts") a second after the "
      + "return"
    let lowest =
      result.peakAfter == minimum
      ? "the lowest of \(returning.count)" : "within twice the lowest, \(NumberFormat.grouped(minimum))"
    let back =
      "its clients are back after \(result.missing > 0 ? "at least " : "")"
      + "\(NumberFormat.shortest((result.meanBack * 10).rounded() / 10)) s on average"
    let soonest =
      fit.count > 1
      ? ", the soonest of the \(fit.count) with a peak within twice the lowest"
      : isAlone ? "" : "; no other peak is within twice the lowest"
    let verb = result.missing == 1 ? "is" : "are"
    let missing =
      result.missing == 0
      ? [] : ["\(NumberFormat.grouped(result.missing)) of its \(clients) clients \(verb) missing at the end."]
    let others = results.filter { $0.missing > Self.tolerance * fewest }.map {
      "\($0.policy) is left out: it leaves \(NumberFormat.grouped($0.missing)) of its \(clients) clients behind."
    }
    why =
      ([
        "For this storm \(result.policy) is recommended: its peak "
          + (isAlone ? "is \(peak), " : "of \(peak) is \(lowest), ")
          + (result.back == 0 ? "and none of its clients is back." : "and \(back)\(soonest).")
      ] + missing + others)
      .joined(separator: " ")
  }
}

/// The lengths of outages that a policy's attempts span if each attempt fails at once.
struct AttemptBudget: Sendable {
  /// The spans of all clients in ascending order, in nanoseconds; empty for attempts without end.
  let spans: [Int64]

  init(
    _ policy: Backoff, clients: Int, seed: UInt64 = 1, generator: String = GSLGenerator.defaultName
  ) throws {
    let seed = try SampleBatch(of: 0, seed: seed, streams: ["budget"]).seed()
    var words = try WordStream(named: generator, seed: seed)
    var spans: [Int64] = []
    let clients = policy.maximumAttempts == nil ? 0 : clients
    spans.reserveCapacity(clients)
    for client in 0..<clients {
      var schedule = AttemptSchedule()
      var span = Interval.zero
      while let wait = schedule.next(policy, word: words.next(for: client)) { span = span + wait }
      spans.append(span.nanoseconds)
    }
    self.spans = spans.sorted()
  }

  /// The span in seconds that a share of the clients, 0 to 1, does not exceed: the outage that the others survive.
  func quantile(_ share: Double) -> Double {
    spans.isEmpty ? .infinity : Double(spans[min(spans.count - 1, max(0, Int(share * Double(spans.count))))]) / 1e9
  }
}
