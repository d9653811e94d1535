// SPDX-License-Identifier: Apache-2.0
package import MonteCarlo

/// The amount and the method of testing a property.
public struct CheckSettings: Sendable, Hashable, Codable {
  /// The number of cases that must pass; discarded ones do not count.
  public var cases: Int
  /// The largest duration of the check, including shrinking and explaining; `nil` for no limit.
  ///
  /// It is checked between cases and between the candidates of shrinking: one case is always evaluated, and a failing
  /// one is run again.
  public var timeLimit: Duration?
  /// The largest duration of one case; `nil` for no limit, except for a minute in tests with synchronous bodies. A case
  /// that exceeds it is reported with its token, and ends the process with exit code 1, because a single thread cannot
  /// be ended.
  public var caseLimit: Duration?
  /// The number of distinct faults to find, distinguished by the place of the claim, or by the type and case of the
  /// thrown error.
  public var failures: Int
  /// The number of threads that evaluate cases. It never changes the report.
  public var jobs: Int
  /// The seed that determines all cases.
  public var seed: UInt64
  /// The method of the search for failing cases.
  public var search: SearchMode
  /// The largest number of discarded cases for each passing one; the search ends beyond it.
  public var discardRatio: Int
  /// The probability that no verdict on any `cover` claim of the property is wrong.
  public var coverageConfidence: Double
  /// The largest number of runs of the property to shrink one failure.
  public var shrinkLimit: Int
  /// True if to find the irrelevant parts of the counterexample, with at most as many runs as shrinking took.
  public var explains: Bool
  /// The origins of the failures to ignore.
  var known: Set<String> = []
  /// True if the report must contain the guidance of the search with its corpus, or the reason for its absence.
  package var isGuided = false
  /// Stored cases that are tried first, if cases are independent.
  package var corpus: [ChoiceSequence] = []

  /// The texts of tokens whose cases are run first.
  package var pinned: [String] = []

  /// The largest number of cases of a check, for which its random streams suffice.
  package static let maxCases = 500_000_000_000

  /// Creates settings. The properties of the same names describe the arguments; a check throws a `CheckError` for
  /// invalid values.
  public init(
    cases: Int = 100, timeLimit: Duration? = nil, caseLimit: Duration? = nil, jobs: Int = 1, seed: UInt64 = 0,
    search: SearchMode = .uniform, discardRatio: Int = 10, coverageConfidence: Double = 0.999,
    shrinkLimit: Int = 5_000, explains: Bool = true, failures: Int = 1
  ) {
    (self.cases, self.timeLimit, self.caseLimit, self.jobs, self.seed) = (cases, timeLimit, caseLimit, jobs, seed)
    (self.search, self.discardRatio, self.coverageConfidence) = (search, discardRatio, coverageConfidence)
    (self.shrinkLimit, self.explains, self.failures) = (shrinkLimit, explains, failures)
  }

  /// The default settings, with cases that must be run first in every check, such as those of fixed bugs.
  ///
  /// ```swift
  /// try await check(.strings(), settings: .replaying("AppTests.sorting:1:AQgAAAkBAwYdYCXw")) { text in … }
  /// ```
  ///
  /// - Parameter tokens: What failures printed; the name of the property in a token may be another one. A check throws
  ///   a `ReplayError` for what is no token, and `CheckError.staleChoices` if the generators ask for other choices than
  ///   when it was printed.
  /// - Returns: Settings that can be changed further.
  public static func replaying(_ tokens: String...) -> CheckSettings {
    var settings = CheckSettings()
    settings.pinned = tokens
    return settings
  }

  package func validate() throws(CheckError) {
    let maximum = Self.maxCases
    try require((1...maximum).contains(cases), "cases", "\(cases)", "a number from 1 to \(maximum)")
    try require((1...1024).contains(jobs), "jobs", "\(jobs)", "a number of threads from 1 to 1024")
    try require(discardRatio >= 1, "discard ratio", "\(discardRatio)", "a number of at least 1")
    try require(shrinkLimit >= 0, "shrink limit", "\(shrinkLimit)", "a number of runs, 0 for no shrinking")
    try require(failures >= 1, "failures", "\(failures)", "a number of at least 1")
    let confidence = coverageConfidence
    try require(confidence > 0 && confidence < 1, "coverage confidence", "\(confidence)", "above 0 and below 1")
    if let timeLimit { try require(timeLimit > .zero, "time limit", "\(timeLimit)", "a duration above 0") }
    if let caseLimit { try require(caseLimit > .zero, "case limit", "\(caseLimit)", "a duration above 0") }
  }

  private func require(
    _ condition: Bool, _ name: String, _ value: String, _ expected: String
  ) throws(CheckError) {
    guard condition else { throw .badSetting(name: name, value: value, expected: expected) }
  }
}

/// The method of the search for failing cases.
public enum SearchMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// Independent cases, with edge values and repetitions more frequent than by chance.
  case uniform
  /// Changed copies of the cases with the highest `target` scores; one case in four is independent.
  case target
  /// Independent cases, half of them with some alternatives of `oneOf` disabled, so that rare combinations of others
  /// occur. In every search half of a state machine's programs have some commands disabled.
  case swarm
}

/// The end of optional work: at a deadline, or after an interrupt.
struct Cutoff: Sendable {
  var interrupt: Interrupt?
  var deadline: ContinuousClock.Instant?

  var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
  var isReached: Bool { interrupt?.isRaised == true || isLate }
}

/// The environment of a check, which does not change its findings.
package struct CheckEnvironment: Sendable {
  /// Checked between cases: running blocks are dropped, and a counterexample remains as simple as it is then.
  let interrupt: Interrupt?
  let progress: ProgressMeter?
  /// Receives the progress of a guided search.
  let guided: (@Sendable (GuidanceProgress) -> Void)?
  /// Receives each case that a block of a guided search keeps.
  let kept: (@Sendable (GuidedCase) -> Void)?
  /// The time since a fixed moment, for the warning about slow generators; `nil` disables the warning.
  let clock: (@Sendable () -> Duration)?
  /// True if the report has the shares of the commands of state machines, and the lengths of their programs.
  let countsCommands: Bool

  package init(
    interrupt: Interrupt? = nil, progress: ProgressMeter? = nil,
    guided: (@Sendable (GuidanceProgress) -> Void)? = nil, kept: (@Sendable (GuidedCase) -> Void)? = nil,
    countsCommands: Bool = false,
    clock: (@Sendable () -> Duration)? = { [start = ContinuousClock.now] in start.duration(to: .now) }
  ) {
    (self.interrupt, self.progress, self.guided, self.clock) = (interrupt, progress, guided, clock)
    (self.kept, self.countsCommands) = (kept, countsCommands)
  }
}

/// The reason why a property could not be tested, which differs from being false.
public enum CheckError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// A setting is out of range.
  case badSetting(name: String, value: String, expected: String)
  /// The body of a property returns a condition that may be `nil`.
  case badResult(type: String)
  /// All or nearly all cases are discarded: the generators rarely produce values that satisfy the assumptions.
  case exhausted(passed: Int, discarded: Int)
  /// A generator cannot produce any value, such as a choice among no elements; carries the reason.
  case impossible(String)
  /// A generator threw an error other than `Discard`; carries the message and the number of the case.
  case generatorFailed(_ message: String, case: Int)
  /// A stored choice sequence no longer fits the generators: they ask for other choices than when it was recorded.
  case staleChoices(property: String)

  /// The error and how to correct it, in one or two sentences.
  public var description: String {
    switch self {
    case .badSetting(let name, let value, let expected):
      return "\(name) is \(value); expected \(expected)."
    case .badResult(let type):
      return "The body returns \(type); expected nothing, or a Bool that says whether the case passes. "
        + "Say which of the two nil is, as by `== true`."
    case .exhausted(0, let discarded):
      return "The generator can produce nothing: \(discarded) cases were drawn and all were discarded. "
        + "Draw values that fit instead of filtering them, or loosen the assumptions."
    case .exhausted(let passed, let discarded):
      return "Too few cases can be drawn: \(passed) passed and \(discarded) were discarded. "
        + "Draw values that fit instead of filtering them, or loosen the assumptions."
    case .impossible(let reason):
      return "The generator can produce nothing: \(reason)."
    case .generatorFailed(let message, let number):
      return
        "A generator failed: \(message). It was drawing case \(number), and has to make a value or discard the case; "
        + "nothing is known about the property."
    case .staleChoices(let property):
      return "The stored case no longer fits the generators of '\(property)': they ask for other choices than when it "
        + "was recorded. Delete it, or check the property again."
    }
  }
}
