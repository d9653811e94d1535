// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo

/// The result of testing a property.
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
    /// A case failed, but not when it was run again, or its generators drew another one from the same choices: the
    /// code under test, or a generator, depends on more than it should.
    case flaky(FlakyCase)
    /// No case failed, but a `cover` claim is shown not to hold: what was to be tested was hardly tested.
    case insufficientCoverage
    /// Too few cases could be drawn.
    case exhausted
    /// A generator threw something other than `Discard`, so its case was never complete; carries what.
    case generatorFailed(Failure)
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
  package let ending: StopReason
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
  /// The counterexamples of other faults, each found without those before it: none unless `CheckSettings.failures` asks
  /// for them.
  public package(set) var others: [Counterexample] = []
  /// Doubts about the test itself.
  public let warnings: [HealthWarning]
  /// What guided the search; nil where nothing did and nobody asked.
  package internal(set) var guidance: GuidanceFinding?
  package let argumentNames: [String]
  package var settings: CheckSettings

  /// The counterexample, if the property is false.
  public var counterexample: Counterexample? {
    if case .falsified(let counterexample) = outcome { counterexample } else { nil }
  }

  /// All counterexamples, the first one found first.
  package var counterexamples: [Counterexample] { (counterexample.map { [$0] } ?? []) + others }

  package var flaky: FlakyCase? {
    if case .flaky(let flake) = outcome { flake } else { nil }
  }

  /// The obstacle, if too few cases could be drawn, or one could not.
  public var obstacle: CheckError? {
    if case .generatorFailed(let failure) = outcome {
      return .generatorFailed(failure.message, case: passed + discarded + 1)
    }
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

/// A case that failed once and not in the same way when it was run again, or that its choices do not determine.
public struct FlakyCase: Sendable, Hashable, Codable {
  /// The arguments, one description each.
  public let arguments: [String]
  /// The arguments as the generators drew them from the same choices another time; nil where they are the same each
  /// time, so that what changes is the code under test.
  public let redrawn: [String]?
  /// How it failed.
  public let first: Failure
  package let second: CaseOutcome
  package let tape: Tape
  /// How many cases had been evaluated when it was found, this one included.
  public let casesUntilFound: Int
}

extension CheckReport {
  init(
    _ outcome: Outcome, _ total: CaseTally, ending: StopReason, coverage: [CoverageFinding],
    warnings: [HealthWarning], settings: CheckSettings, argumentNames: [String]
  ) {
    (self.outcome, self.ending, self.coverage, self.warnings) = (outcome, ending, coverage, warnings)
    (self.settings, self.argumentNames) = (settings, argumentNames)
    (passed, discards) = (total.passed, total.discards)
    labels = Self.ranked(total.labels)
    tables = total.tables.sorted { $0.key < $1.key }.map { Table(name: $0.key, rows: Self.ranked($0.value)) }
    best = total.scores.sorted { $0.key < $1.key }.map { Best(label: $0.key, score: $0.value) }
  }

  private static func ranked(_ counts: [String: Int]) -> [Count] {
    counts.map { Count(name: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}

extension CheckReport {
  /// Makes a check, and again with the faults found left out, until there are as many as are wanted or no more is
  /// found.
  ///
  /// Every check draws the same cases, so what is found does not depend on the number of jobs.
  static func collecting(
    _ settings: CheckSettings, _ check: (CheckSettings) throws -> CheckReport
  ) throws -> CheckReport {
    let deadline = settings.timeLimit.map { ContinuousClock.now + $0 }
    var report = try check(settings)
    var settings = settings
    while report.counterexamples.count < settings.failures, let last = report.counterexamples.last,
      settings.known.insert(last.failure.origin).inserted
    {
      if let deadline { settings.timeLimit = deadline - .now }
      // The faults found count, whatever ends the search for others.
      guard deadline.map({ $0 > .now }) ?? true, let found = try? check(settings).counterexample else { break }
      if !settings.known.contains(found.failure.origin) { report.others.append(found) }
    }
    return report
  }
}

/// A case for which a property fails, as simple as it could be made.
public struct Counterexample: Sendable, Hashable, Codable {
  /// The arguments, one description each.
  public let arguments: [String]
  /// The failure.
  public let failure: Failure
  package let tape: Tape
  /// The choices of the case as it was found, before shrinking.
  package let original: Tape
  /// How many cases had been evaluated when it was found, this one included.
  public let casesUntilFound: Int
  /// How many times the property was run from the first failure on, that one and two confirmations included, until
  /// nothing simpler failed.
  package let evaluations: Int
  /// Whether shrinking came to its end: not where its limit, the time or an interruption ended it.
  public let isShrunk: Bool
  /// The notes of the body on the case.
  public internal(set) var notes: [String]
  /// The parts of the case that can be anything, all at the same time, without changing the failure, each with the
  /// number of other cases that show it.
  public let irrelevant: [String]
  /// How many times the property was run to find them out: no more than to shrink the case.
  package let explainEvaluations: Int

  /// Whether it was found in a case with a given value.
  public var wasGiven: Bool { original.givens > 0 }
  /// Whether it has a given value still, of which no choices were found that make it.
  package var isAsGiven: Bool { tape.givens > 0 }
}

extension Tape {
  /// How many given values the case has.
  var givens: Int { entries.count { $0.tag == .given && $0.value > 0 } }
}

extension Counterexample {
  /// A case that was found at once and is not shrunk.
  init(
    _ tape: Tape, _ failure: Failure, arguments: [String], notes: [String] = [], casesUntilFound: Int = 1,
    evaluations: Int = 1, isShrunk: Bool = true
  ) {
    self.init(
      arguments: arguments, failure: failure, tape: tape, original: tape, casesUntilFound: casesUntilFound,
      evaluations: evaluations, isShrunk: isShrunk, notes: notes, irrelevant: [], explainEvaluations: 0)
  }
}

/// Why a case failed.
public struct Failure: Error, Sendable, Hashable, Codable {
  /// The failure, for a person.
  public let message: String
  /// The identity of the fault: shrinking never swaps one fault for another.
  public let origin: String

  /// Creates a failure.
  public init(_ message: String, origin: String) {
    self.message = message
    self.origin = origin
  }

  /// The origin of a thrown error: its type, with the case where that is an enumeration. What the case carries, such as
  /// a number found, differs from one failing case to the next.
  static func origin(of error: any Error) -> String {
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return "\(type(of: error))" }
    return "\(type(of: error)).\(mirror.children.first?.label ?? "\(error)")"
  }
}

package enum CaseOutcome: Sendable, Hashable, Codable {
  case passed
  case failed(Failure)
  case discarded(Discard)
  /// A generator failed, so there was no case.
  case generatorFailed(Failure)
  /// The case was not wanted after it had been drawn, because it has been evaluated before.
  case declined
}

/// A doubt about a test, independent of its result.
public enum HealthWarning: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Most cases were given up; carries how many of how many drawn.
  case manyDiscards(discarded: Int, drawn: Int)
  /// A case used most of a tape, or more than it holds; carries the entries of the longest.
  case largeCases(entries: Int, capacity: Int)
  /// Drawing took far longer than evaluating; carries the mean time to draw a case and the share of the time it took.
  case slowGenerator(perCase: Duration, share: Double)

  static func warnings(about total: CaseTally, timing: CaseTiming) -> [HealthWarning] {
    var warnings: [HealthWarning] = []
    let drawn = total.passed + total.discarded
    if total.discarded * 2 > drawn { warnings.append(.manyDiscards(discarded: total.discarded, drawn: drawn)) }
    if total.longestTape * 4 > Draws.capacity * 3 || total.discards[.tooLarge] != nil {
      warnings.append(.largeCases(entries: total.longestTape, capacity: Draws.capacity))
    }
    if let warning = timing.warning { warnings.append(warning) }
    return warnings
  }

  /// The doubt and how to mend it, in one sentence or two.
  public var description: String {
    switch self {
    case .manyDiscards(let discarded, let drawn):
      return "\(discarded) of \(drawn) cases were discarded; draw values that fit instead of filtering them."
    case .largeCases(let entries, let capacity):
      return "A case made \(entries) entries on its tape, which holds \(capacity); draw fewer or smaller values."
    case .slowGenerator(let perCase, let share):
      return "Drawing a case took \(perCase) on average, \(Int((share * 100).rounded()))% of the time; "
        + "draw smaller values or fewer."
    }
  }
}

/// How long drawing and evaluating took in the cases that were timed.
struct CaseTiming: Sendable {
  private(set) var count = 0
  private(set) var drawing = Duration.zero
  private(set) var evaluating = Duration.zero

  mutating func add(drawing: Duration, evaluating: Duration) {
    count += 1
    self.drawing += drawing
    self.evaluating += evaluating
  }

  /// Slow is what a person waits for: above 10 ms a case, nine tenths of the time or more.
  var warning: HealthWarning? {
    guard count > 0, drawing / count > .milliseconds(10), drawing >= evaluating * 9 else { return nil }
    return .slowGenerator(perCase: drawing / count, share: drawing / (drawing + evaluating))
  }
}
