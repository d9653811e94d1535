// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import MonteCarlo
internal import Reporting

/// One storm for several policies, each by itself: what `assay live storm` and scenarios of the kind `live.storm` run.
package struct StormComparison: Hashable, Sendable {
  /// The storm.
  package let settings: StormSettings
  /// The policies, in the order in which they are told.
  package let policies: [NamedBackoff]
  /// How many attempts each policy has; nil for as many as it has by itself.
  package let attempts: Int?

  /// The policies that are compared where none is named: our own that spread, and the one that does not.
  package static let usualPolicies = [
    "full-jitter", "equal-jitter", "decorrelated-jitter", "grpc", "exponential",
  ]

  /// A comparison.
  ///
  /// - Parameters:
  ///   - settings: The storm.
  ///   - policies: Names or short names of policies, each once.
  ///   - attempts: How many attempts each policy has, 1 to 1,000,000; nil for as many as it has by itself.
  /// - Throws: `LiveLabError.badValue` for what no storm can have, no policy, a policy named twice, or an unknown one,
  ///   with the nearest.
  package init(
    _ settings: StormSettings, policies: [String] = usualPolicies, attempts: Int? = nil
  ) throws(LiveLabError) {
    try settings.check()
    guard (1...1_000_000).contains(attempts ?? 1) else {
      throw .badValue(field: "attempts", found: "\(attempts ?? 0)", expected: "1 to 1,000,000")
    }
    guard !policies.isEmpty else {
      throw .badValue(field: "policies", found: "none", expected: "at least one of \(Self.known)")
    }
    var named: [NamedBackoff] = []
    for name in policies {
      let policy = try Self.policy(name)
      guard !named.contains(policy) else {
        throw .badValue(field: "policies", found: "'\(name)' twice", expected: "each policy once")
      }
      named.append(policy)
    }
    (self.settings, self.policies, self.attempts) = (settings, named, attempts)
  }

  /// Plays the storm for each policy in turn.
  ///
  /// - Parameters:
  ///   - workers: How many threads share the work, 1 to 1024; they do not change what comes out.
  ///   - interrupt: Looked at after every block of clients, and while the server takes clients back.
  ///   - progress: Told of clients that have come through the outage, `clients` for each policy.
  /// - Returns: What came out, of all policies that were played to the end before an interruption.
  /// - Throws: `RandomnessError` for an unknown generator, `MonteCarloError` for a number of workers out of range.
  package func run(
    workers: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> StormFindings {
    let storm = try Storm(settings)
    var findings: [StormFinding] = []
    for named in policies {
      if interrupt?.isRaised == true { break }
      var policy = named.policy
      policy.maximumAttempts = attempts ?? policy.maximumAttempts
      let result = try storm.run(
        policy, name: named.name, workers: workers, interrupt: interrupt, progress: progress)
      let budget = try AttemptBudget(
        policy, clients: Self.budgetClients(of: policy), seed: settings.seed, generator: settings.generator,
        interrupt: interrupt)
      let finding = StormFinding(policy: policy, result: result, budget: budget)
      // The peaks of a part of the clients, or of a part of the time, are no peaks of the storm.
      guard finding.isComplete else { break }
      findings.append(finding)
    }
    return StormFindings(comparison: self, findings: findings)
  }

  /// How many clients are drawn to tell which outage a policy's attempts span: fewer where each makes very many, since
  /// a span of n waits spreads the less, compared with itself, the larger n is.
  private static func budgetClients(of policy: Backoff) -> Int {
    min(20_000, max(100, 20_000_000 / max(1, policy.maximumAttempts)))
  }

  private static var known: String { Backoff.names.joined(separator: ", ") }

  private static func policy(_ name: String) throws(LiveLabError) -> NamedBackoff {
    if let policy = Backoff.catalogue.first(where: { $0.name == name || $0.shortName == name }) { return policy }
    let words = Backoff.catalogue.flatMap { [$0.name, $0.shortName] }
    let nearest = Spelling.nearest(to: name, among: words).map { " (did you mean '\($0)'?)" } ?? ""
    throw .badValue(field: "policies", found: "'\(name)'", expected: "one of \(known)\(nearest)")
  }
}

/// What a storm came to for one policy.
package struct StormFinding: Sendable {
  /// The policy, with the attempts that it had.
  package let policy: Backoff
  /// The storm.
  package let result: StormResult
  /// Which outages its attempts span.
  package let budget: AttemptBudget

  /// Whether both were played to the end.
  var isComplete: Bool { result.isComplete && budget.isComplete }
}

/// What a comparison came to.
package struct StormFindings: Sendable {
  /// What was asked.
  package let comparison: StormComparison
  /// What came out, in the order of the policies, of those that were played to the end.
  package let findings: [StormFinding]

  /// Whether all policies were played to the end.
  package var isComplete: Bool {
    findings.count == comparison.policies.count
  }

  /// The policies of which nothing is known, since somebody interrupted.
  package var unplayed: [String] { comparison.policies.dropFirst(findings.count).map(\.name) }

  /// Which policy the numbers speak for, and what it costs.
  package var recommendation: StormRecommendation? {
    StormRecommendation(findings)
  }
}
