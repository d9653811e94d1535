// SPDX-License-Identifier: Apache-2.0
package import MonteCarlo

/// The result of testing a property.
///
/// It depends only on the property and the settings, not on the number of jobs, except for time limits, interrupts and
/// the warning about slow generators, which depend on the clock.
public struct CheckReport: Sendable, Hashable, Codable {
  /// The conclusion.
  public enum Outcome: Sendable, Hashable, Codable {
    /// No case failed.
    case held
    /// A case failed.
    case falsified(Counterexample)
    /// A case failed, but did not fail again, or its generators drew another case from the same choices: the code under
    /// test, or a generator, depends on external state.
    case flaky(FlakyCase)
    /// No case failed, but a `cover` claim is refuted: the intended cases were hardly tested.
    case insufficientCoverage
    /// Too few cases could be drawn.
    case exhausted
    /// A generator threw an error other than `Discard`, so its case was never complete; carries the error.
    case generatorFailed(Failure)
  }

  /// A name with a count.
  public struct Count: Sendable, Hashable, Codable {
    /// The name.
    public let name: String
    /// The number of occurrences.
    public let count: Int
  }

  /// The numbers of occurrences of the values of a `classify` table.
  public struct Table: Sendable, Hashable, Codable {
    /// The table's name.
    public let name: String
    /// The values, the most frequent first.
    public let rows: [Count]

    /// The number of counted values.
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
  /// The reason why no more cases were drawn; `completed` also when a case failed.
  package let ending: StopReason
  /// The number of cases that passed.
  public let passed: Int
  /// The numbers of discarded cases, by reason.
  public let discards: [Discard: Int]
  /// The number of passing cases with each label, the most frequent label first.
  public let labels: [Count]
  /// The tables, by name.
  public let tables: [Table]
  /// The `cover` claims, by name.
  public let coverage: [CoverageFinding]
  /// The highest scores, by label.
  public let best: [Best]
  /// The counterexamples of other faults, each found with the earlier faults ignored; empty unless
  /// `CheckSettings.failures` requests them.
  public package(set) var others: [Counterexample] = []
  /// Warnings about the test itself.
  public let warnings: [HealthWarning]
  /// The guidance of the search; `nil` without guidance, unless it was requested.
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

  /// The case that failed, always or once; `nil` if its choices do not determine it.
  package var choices: ChoiceSequence? {
    if let flaky { return flaky.redrawn == nil ? flaky.choices : nil }
    return counterexample?.choices
  }

  /// The obstacle, if too few cases could be drawn, or a generator failed.
  public var obstacle: CheckError? {
    if case .generatorFailed(let failure) = outcome {
      return .generatorFailed(failure.message, case: passed + discarded + 1)
    }
    guard outcome == .exhausted else { return nil }
    let lacks = discards.keys.compactMap { if case .impossible(let reason) = $0 { reason } else { nil } }
    if passed == 0, let first = lacks.min() { return .impossible(first) }
    if passed == 0, Set(discards.keys) == [.tooLarge] {
      return .impossible(
        "every case of \(discarded) has more than the \(ChoiceSource.capacity) choices that are stored, or values "
          + "nested deeper than \(ChoiceSource.depth); \(HealthWarning.smallerValues)")
    }
    return .exhausted(passed: passed, discarded: discarded)
  }

  /// The number of discarded cases.
  public var discarded: Int { discards.values.reduce(0, +) }

  /// True if at least one case passed and none failed.
  public var isHeld: Bool { outcome == .held && passed > 0 }
}

/// A case that failed once and not in the same way again, or that its choices do not determine.
public struct FlakyCase: Sendable, Hashable, Codable {
  /// The arguments, one description each.
  public let arguments: [String]
  /// The arguments that the generators drew from the same choices another time; `nil` if they are always the same, so
  /// that the code under test varies.
  public let redrawn: [String]?
  /// The first failure.
  public let first: Failure
  package let second: CaseOutcome
  package let choices: ChoiceSequence
  /// The number of cases evaluated when it was found, including this one.
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
  /// Runs a check repeatedly, ignoring the faults already found, until enough faults or no more are found.
  ///
  /// Every check draws the same cases, so the findings do not depend on the number of jobs.
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
      // The faults already found count, even if the search for others fails.
      guard deadline.map({ $0 > .now }) ?? true, let found = try? check(settings).counterexample else { break }
      if !settings.known.contains(found.failure.origin) { report.others.append(found) }
    }
    return report
  }
}

/// A failing case in its simplest form found.
public struct Counterexample: Sendable, Hashable, Codable {
  /// The arguments, one description each.
  public let arguments: [String]
  /// The failure.
  public internal(set) var failure: Failure
  package let choices: ChoiceSequence
  /// The choices of the case before shrinking.
  package let original: ChoiceSequence
  /// The number of cases evaluated when it was found, including this one; 0 for a stored case.
  public let casesUntilFound: Int
  /// The number of runs of the property from the first failure to the end of shrinking, including that failure and two
  /// confirmations.
  package let evaluations: Int
  /// True if shrinking was complete: false if its limit, the time or an interruption ended it.
  public let isShrunk: Bool
  /// The notes of the body on the case.
  public internal(set) var notes: [String]
  /// The parts of the case that can be arbitrary, all at the same time, without changing the failure, each with the
  /// number of other cases that show it.
  public let irrelevant: [String]
  /// The number of runs of the property for the explanation: at most as many as for shrinking.
  package let explainEvaluations: Int

  /// True if it was found in a case with a given value.
  public var wasGiven: Bool { original.givens > 0 }
  /// True if it still contains a given value, for which no choices were found.
  package var isAsGiven: Bool { choices.givens > 0 }
}

extension ChoiceSequence {
  /// The number of given values of the case.
  var givens: Int { entries.count { $0.tag == .given && $0.value > 0 } }
}

extension Counterexample {
  /// A case that was found immediately and is not shrunk.
  init(
    _ choices: ChoiceSequence, _ failure: Failure, arguments: [String], notes: [String] = [], casesUntilFound: Int = 1,
    evaluations: Int = 1, isShrunk: Bool = true
  ) {
    self.init(
      arguments: arguments, failure: failure, choices: choices, original: choices, casesUntilFound: casesUntilFound,
      evaluations: evaluations, isShrunk: isShrunk, notes: notes, irrelevant: [], explainEvaluations: 0)
  }
}

/// The reason why a case failed.
public struct Failure: Error, Sendable, Hashable, Codable {
  /// The failure, as displayed text.
  public let message: String
  /// The identity of the fault: shrinking never replaces one fault by another.
  public let origin: String
  /// The command that shows the failure in another way; `nil` if there is none.
  public let command: String?

  /// Creates a failure; `command` is a line for a shell.
  public init(_ message: String, origin: String, command: String? = nil) {
    (self.message, self.origin, self.command) = (message, origin, command)
  }

  /// The same failure with a text before its message.
  func prefixed(by text: String) -> Failure { Failure(text + message, origin: origin, command: command) }

  /// The message and the command, for a table or a text.
  package var text: String { message + (command.map { "; \($0)" } ?? "") }

  /// The origin of a thrown error: its type, with the case of an enumeration. Associated values, such as a number
  /// found, differ between failing cases and are ignored.
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
  /// A generator failed, so there is no case.
  case generatorFailed(Failure)
  /// The drawn case was declined, because it has been evaluated before.
  case declined
}

/// A warning about a test, independent of its result.
public enum HealthWarning: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Most cases were discarded; carries the numbers of discarded and drawn cases.
  case manyDiscards(discarded: Int, drawn: Int)
  /// A case used most of a choice sequence, or exceeded it; carries the number of entries of the longest one, which is
  /// above the capacity if a case was discarded for its size.
  case largeCases(entries: Int, capacity: Int)
  /// Drawing took far longer than evaluating; carries the mean time to draw a case and its share of the time.
  case slowGenerator(perCase: Duration, share: Double)

  /// The advice for cases that are too large.
  static let smallerValues =
    "draw fewer or smaller values, and those that contain values of their own type by Gen.recursive"

  static func warnings(about total: CaseTally, timing: CaseTiming) -> [HealthWarning] {
    var warnings: [HealthWarning] = []
    let drawn = total.passed + total.discarded
    // Of cases that are too large another warning says what to do.
    if total.discarded * 2 > drawn, Set(total.discards.keys) != [.tooLarge] {
      warnings.append(.manyDiscards(discarded: total.discarded, drawn: drawn))
    }
    if total.discards[.tooLarge] != nil {
      warnings.append(.largeCases(entries: ChoiceSource.capacity + 1, capacity: ChoiceSource.capacity))
    } else if total.maxChoices * 4 > ChoiceSource.capacity * 3 {
      warnings.append(.largeCases(entries: total.maxChoices, capacity: ChoiceSource.capacity))
    }
    if let warning = timing.warning { warnings.append(warning) }
    return warnings
  }

  /// The warning and how to resolve it, in one or two sentences.
  public var description: String {
    switch self {
    case .manyDiscards(let discarded, let drawn):
      return "\(discarded) of \(drawn) cases were discarded; draw values that fit instead of filtering them."
    case .largeCases(let entries, let capacity) where entries > capacity:
      return
        "A case was discarded: it makes more than the \(capacity) entries that a tape holds, or its values are nested "
        + "deeper than \(ChoiceSource.depth); \(Self.smallerValues)."
    case .largeCases(let entries, let capacity):
      return "A case made \(entries) entries on its tape, which holds \(capacity); draw fewer or smaller values."
    case .slowGenerator(let perCase, let share):
      return "Drawing a case took \(perCase) on average, \(Int((share * 100).rounded()))% of the time; "
        + "draw smaller values or fewer."
    }
  }
}

/// The time of drawing and evaluating, over the timed cases.
struct CaseTiming: Sendable {
  private(set) var count = 0
  private(set) var drawing = Duration.zero
  private(set) var evaluating = Duration.zero

  mutating func add(drawing: Duration, evaluating: Duration) {
    count += 1
    self.drawing += drawing
    self.evaluating += evaluating
  }

  /// A warning for generators that a person must wait for: above 10 ms a case and at least nine tenths of the time.
  var warning: HealthWarning? {
    guard count > 0, drawing / count > .milliseconds(10), drawing >= evaluating * 9 else { return nil }
    return .slowGenerator(perCase: drawing / count, share: drawing / (drawing + evaluating))
  }
}
