// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// How much a property is tested, and how.
public struct CheckSettings: Sendable, Hashable, Codable {
  /// How many cases are to pass; discarded ones do not count.
  public var cases = 100
  /// How long cases are drawn at most, looked at between blocks of cases; nil when only their number counts.
  public var timeLimit: Duration?
  /// How many threads judge cases. It never changes what the report says.
  public var jobs = 1
  /// The seed from which all cases follow.
  public var seed: UInt64 = 0
  /// The random number generator, one of `GSLGenerator.names`.
  public var generator = GSLGenerator.defaultName
  /// How cases are looked for.
  public var search = SearchMode.uniform
  /// How many cases may be discarded for every one that passes before the search is given up.
  public var discardRatio = 10
  /// The probability with which no verdict on a `cover` claim is wrong, all claims of the property together.
  public var coverageConfidence = 0.999
  /// Whether a `cover` claim that is shown not to hold makes the property fail.
  public var coverageDecides = true
  /// How many times the property may be run to shrink one failure.
  public var shrinkLimit = 5_000
  /// Whether to find out which parts of the counterexample do not matter.
  public var explains = true
  /// How long one case may take; nil for ever. Only a host that runs cases in a process of its own can enforce it.
  public var caseTimeLimit: Duration?

  /// The most cases that one check can have: a number that its random streams suffice for.
  public static let mostCases = 500_000_000_000

  /// Creates settings: 100 cases from seed 0.
  public init() {}
}

extension CheckSettings {
  /// Refuses settings that make no sense.
  ///
  /// - Throws: `badSetting` naming the setting, `unknownGenerator`.
  public func validate() throws(CheckError) {
    let most = Self.mostCases
    try require((1...most).contains(cases), "cases", "\(cases)", "a number from 1 to \(most)")
    try require((1...1024).contains(jobs), "jobs", "\(jobs)", "a number of threads from 1 to 1024")
    try require(discardRatio >= 1, "discard ratio", "\(discardRatio)", "a number of at least 1")
    try require(shrinkLimit >= 0, "shrink limit", "\(shrinkLimit)", "a number of runs, 0 for no shrinking")
    let confidence = coverageConfidence
    try require(confidence > 0 && confidence < 1, "coverage confidence", "\(confidence)", "above 0 and below 1")
    if let timeLimit { try require(timeLimit > .zero, "time limit", "\(timeLimit)", "a duration above 0") }
    if let limit = caseTimeLimit { try require(limit > .zero, "case time limit", "\(limit)", "a duration above 0") }
    guard GSLGenerator.names.contains(generator) else { throw .unknownGenerator(name: generator) }
  }

  private func require(
    _ condition: Bool, _ name: String, _ value: String, _ expected: String
  ) throws(CheckError) {
    guard condition else { throw .badSetting(name: name, value: value, expected: expected) }
  }
}
