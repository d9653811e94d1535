// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyChallenges

/// What the runs of one challenge came to.
struct Summary {
  private let outcomes: [Challenge.Outcome]

  init(_ outcomes: [Challenge.Outcome]) {
    self.outcomes = outcomes
  }

  var share: Double { Double(outcomes.count(where: \.isMinimal)) / Double(outcomes.count) }
  var distinct: Int { Set(outcomes.map(\.form)).count }
  var meanEvaluations: Double { Double(outcomes.map(\.evaluations).reduce(0, +)) / Double(outcomes.count) }
  var medianEvaluations: Double { Self.median(outcomes.map { Double($0.evaluations) }) }
  var maximum: Int { outcomes.map(\.evaluations).max() ?? 0 }
  var medianMilliseconds: Double { Self.median(outcomes.map(\.milliseconds)) }
  var medianCases: Double { Self.median(outcomes.map { Double($0.casesUntilFound) }) }
  /// Whether the engine counts as many evaluations as the body does, in every run.
  var agrees: Bool { outcomes.allSatisfy { $0.evaluations == $0.reportedEvaluations } }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// A line for each form that is not the simplest, the most frequent first.
  func forms(of challenge: Challenge, _ first: UInt64) -> String {
    var seeds: [String: [UInt64]] = [:]
    for (index, outcome) in outcomes.enumerated() where !outcome.isMinimal {
      seeds[outcome.form ?? "nothing found", default: []].append(first + UInt64(index))
    }
    let sorted = seeds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let lines = sorted.prefix(12).map { form, seeds in "  \(seeds.count) x (seed \(seeds[0])) \(form)\n" }
    return lines.isEmpty ? "" : "\(challenge.name), not \(challenge.normalForm ?? "known"):\n" + lines.joined()
  }
}
