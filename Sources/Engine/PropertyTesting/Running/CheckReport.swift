// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo

/// What testing a property came to.
///
/// Everything in it follows from the property and the settings, whatever the number of jobs: only a time limit, an
/// interrupt and the warning about slow generators depend on the clock.
public struct CheckReport: Sendable, Hashable, Codable {
  /// The conclusion.
  public enum Outcome: Sendable, Hashable, Codable {
    /// No case failed.
    case held
    /// A case failed.
    case falsified(Counterexample)
    /// A case failed, but not when it was run again: the code on trial depends on more than its arguments.
    case flaky(FlakyCase)
    /// No case failed, but a `cover` claim is shown not to hold: what was to be tested was hardly tested.
    case insufficientCoverage
    /// Too few cases could be drawn.
    case exhausted
  }

  /// A name with a count.
  public struct Count: Sendable, Hashable, Codable {
    /// The name.
    public let name: String
    /// How often it occurred.
    public let count: Int
  }

  /// How often the values of a `classify` table occurred.
  public struct Table: Sendable, Hashable, Codable {
    /// The table's name.
    public let name: String
    /// The values, the most frequent first.
    public let rows: [Count]

    /// How many values were counted.
    public var total: Int { rows.reduce(0) { $0 + $1.count } }
  }

  /// The highest score of a `target`.
  public struct Best: Sendable, Hashable, Codable {
    /// The score's label.
    public let label: String
    /// The highest score of a case that passed.
    public let score: Double
  }

  /// The conclusion.
  public let outcome: Outcome
  /// Why no more cases were drawn; `completed` also when a case failed.
  public let ending: StopReason
  /// How many cases passed.
  public let passed: Int
  /// How many cases were given up, by reason.
  public let discards: [Discard: Int]
  /// In how many of the passing cases each label was given, the most frequent first.
  public let labels: [Count]
  /// The tables, by name.
  public let tables: [Table]
  /// The `cover` claims, by name.
  public let coverage: [CoverageFinding]
  /// The highest scores, by label.
  public let best: [Best]
  /// What is doubtful about the test itself.
  public let warnings: [HealthWarning]
  /// What the arguments are called; those without a name have a number.
  public let argumentNames: [String]
  /// The settings as they were given.
  public internal(set) var settings: CheckSettings

  /// The counterexample, if the property is false.
  public var counterexample: Counterexample? {
    if case .falsified(let counterexample) = outcome { counterexample } else { nil }
  }

  /// What stood in the way, if too few cases could be drawn.
  public var obstacle: CheckError? {
    guard outcome == .exhausted else { return nil }
    let lacks = discards.keys.compactMap { if case .impossible(let reason) = $0 { reason } else { nil } }
    if passed == 0, let first = lacks.min() { return .impossible(first) }
    return .exhausted(passed: passed, discarded: discarded)
  }

  /// How many cases were given up.
  public var discarded: Int { discards.values.reduce(0, +) }

  /// Whether no case failed among those that were drawn, and any were.
  public var isHeld: Bool { outcome == .held && passed > 0 }
}

/// A case that failed once and then came to something else.
public struct FlakyCase: Sendable, Hashable, Codable {
  /// The arguments, one description each.
  public let arguments: [String]
  /// How it failed.
  public let first: Failure
  /// What became of it when it was run again.
  public let second: Verdict
  /// The choices that make the case.
  public let tape: Tape
  /// How many cases had been judged when it was found, this one included.
  public let casesUntilFound: Int
}

extension CheckReport {
  init(
    _ outcome: Outcome, _ total: CaseTally, ending: StopReason, coverage: [CoverageFinding],
    warnings: [HealthWarning], settings: CheckSettings, argumentNames: [String]
  ) {
    self.outcome = outcome
    self.ending = ending
    self.coverage = coverage
    self.warnings = warnings
    self.settings = settings
    self.argumentNames = argumentNames
    passed = total.passed
    discards = total.discards
    labels = Self.ranked(total.labels)
    tables = total.tables.sorted { $0.key < $1.key }.map { Table(name: $0.key, rows: Self.ranked($0.value)) }
    best = total.scores.sorted { $0.key < $1.key }.map { Best(label: $0.key, score: $0.value) }
  }

  private static func ranked(_ counts: [String: Int]) -> [Count] {
    counts.map { Count(name: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}
