// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo
internal import Randomness

/// How much a property is tested, and how.
public struct CheckSettings: Sendable, Hashable, Codable {
  /// How many cases are to pass; discarded ones do not count.
  public var cases: Int
  /// How long the check takes at most, shrinking and explaining included; nil when only the number of cases counts.
  ///
  /// It is read between cases and between the candidates of shrinking: one case is evaluated however late it is, and a
  /// failing one is run again.
  public var timeLimit: Duration?
  /// How long one case may take; nil for any time, but for a minute inside a test whose body does not wait. A case that
  /// takes longer is reported with its token, and ends the process with exit code 1, because no thread can be ended
  /// alone.
  public var caseLimit: Duration?
  /// How many different faults are looked for, distinguished by where they are claimed, or by the type and
  /// case of the error thrown.
  public var failures: Int
  /// How many threads evaluate cases. It never changes the report.
  public var jobs: Int
  /// The seed from which all cases follow.
  public var seed: UInt64
  /// The random number generator by its name in GSL, such as `mt19937`.
  public var generator: String
  /// How cases are looked for.
  public var search: SearchMode
  /// How many cases may be discarded for every one that passes before the search is given up.
  public var discardRatio: Int
  /// The probability with which no verdict on a `cover` claim is wrong, all claims of the property together.
  public var coverageConfidence: Double
  /// How many times the property may be run to shrink one failure.
  public var shrinkLimit: Int
  /// Whether to find out which parts of the counterexample do not matter, by at most as many runs as shrinking took.
  public var explains: Bool
  /// The origins of the failures that are passed over.
  var known: Set<String> = []
  /// Whether the report is to have what guided the search and its corpus, or why nothing did.
  package var isGuided = false
  /// Stored cases that are tried first where the search is guided.
  package var corpus: [Tape] = []

  /// The most cases that one check can have: a number that its random streams suffice for.
  package static let mostCases = 500_000_000_000

  /// Creates settings. The property of the same name describes each argument; a check throws `CheckError` for values
  /// that make no sense. Without a name of a generator it is `mt19937`.
  public init(
    cases: Int = 100, timeLimit: Duration? = nil, caseLimit: Duration? = nil, jobs: Int = 1, seed: UInt64 = 0,
    generator: String? = nil,
    search: SearchMode = .uniform, discardRatio: Int = 10, coverageConfidence: Double = 0.999,
    shrinkLimit: Int = 5_000, explains: Bool = true, failures: Int = 1
  ) {
    (self.cases, self.timeLimit, self.caseLimit, self.jobs, self.seed) = (cases, timeLimit, caseLimit, jobs, seed)
    (self.generator, self.search) = (generator ?? GSLGenerator.defaultName, search)
    (self.discardRatio, self.coverageConfidence) = (discardRatio, coverageConfidence)
    (self.shrinkLimit, self.explains, self.failures) = (shrinkLimit, explains, failures)
  }

  package func validate() throws(CheckError) {
    let most = Self.mostCases
    try require((1...most).contains(cases), "cases", "\(cases)", "a number from 1 to \(most)")
    try require((1...1024).contains(jobs), "jobs", "\(jobs)", "a number of threads from 1 to 1024")
    try require(discardRatio >= 1, "discard ratio", "\(discardRatio)", "a number of at least 1")
    try require(shrinkLimit >= 0, "shrink limit", "\(shrinkLimit)", "a number of runs, 0 for no shrinking")
    try require(failures >= 1, "failures", "\(failures)", "a number of at least 1")
    let confidence = coverageConfidence
    try require(confidence > 0 && confidence < 1, "coverage confidence", "\(confidence)", "above 0 and below 1")
    if let timeLimit { try require(timeLimit > .zero, "time limit", "\(timeLimit)", "a duration above 0") }
    if let caseLimit { try require(caseLimit > .zero, "case limit", "\(caseLimit)", "a duration above 0") }
    guard GSLGenerator.names.contains(generator) else { throw .unknownGenerator(name: generator) }
  }

  private func require(
    _ condition: Bool, _ name: String, _ value: String, _ expected: String
  ) throws(CheckError) {
    guard condition else { throw .badSetting(name: name, value: value, expected: expected) }
  }
}

/// How cases are looked for.
public enum SearchMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// Independent cases, edges and repetitions more often than chance.
  case uniform
  /// Changed copies of the cases for which `target` gave the highest scores; one case in four stays independent.
  case target
  /// Independent cases, each with some alternatives of `oneOf` switched off, so that rare combinations of the others
  /// occur.
  case swarm
}

/// When work that looks for more is to stop: at a deadline, or when it is interrupted.
struct Cutoff: Sendable {
  var interrupt: Interrupt?
  var deadline: ContinuousClock.Instant?

  var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
  var isReached: Bool { interrupt?.isRaised == true || isLate }
}

/// The environment of a check, which does not change its findings.
package struct CheckEnvironment: Sendable {
  /// Read between cases: blocks that run are dropped, and a counterexample stays as simple as it is by then.
  let interrupt: Interrupt?
  let progress: ProgressMeter?
  /// Gets how far a guided search is.
  let guided: (@Sendable (GuidanceProgress) -> Void)?
  /// The time since some fixed moment, for the warning about slow generators; nil for no such warning.
  let clock: (@Sendable () -> Duration)?

  package init(
    interrupt: Interrupt? = nil, progress: ProgressMeter? = nil,
    guided: (@Sendable (GuidanceProgress) -> Void)? = nil,
    clock: (@Sendable () -> Duration)? = { [start = ContinuousClock.now] in start.duration(to: .now) }
  ) {
    (self.interrupt, self.progress, self.guided, self.clock) = (interrupt, progress, guided, clock)
  }
}

/// Why a property could not be tested, which is not the same as being false.
public enum CheckError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// A setting is outside what makes sense.
  case badSetting(name: String, value: String, expected: String)
  /// There is no random number generator of that name.
  case unknownGenerator(name: String)
  /// The body of a property returns something that is no verdict.
  case badResult(type: String)
  /// The generators give every case up, or nearly: what they can produce and what the property assumes hardly meet.
  case exhausted(passed: Int, discarded: Int)
  /// A generator has nothing to make a value of, such as a choice among no elements; carries what it lacks.
  case impossible(String)
  /// A generator threw something other than `Discard`; carries what, and which case it was drawing.
  case generatorFailed(_ message: String, case: Int)
  /// A stored tape no longer fits the generators: they ask for other choices than when it was recorded.
  case staleTape(property: String)

  /// The error and how to mend it, in one sentence or two.
  public var description: String {
    switch self {
    case .badSetting(let name, let value, let expected):
      return "\(name) is \(value); expected \(expected)."
    case .unknownGenerator(let name):
      return "There is no generator '\(name)'. Known generators: \(GSLGenerator.names.joined(separator: ", "))."
    case .badResult(let type):
      return "The body returns \(type); expected nothing, or a Bool that says whether the case passes. "
        + "Write `_ =` before what is not needed."
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
    case .staleTape(let property):
      return "The stored case no longer fits the generators of '\(property)': they ask for other choices than when it "
        + "was recorded. Delete it, or check the property again."
    }
  }
}
