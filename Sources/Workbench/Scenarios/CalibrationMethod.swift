// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
public import Randomness
package import Statistics

/// A statistical method, and small problems with known answers on which `assay calibrate` counts how often the method's
/// statements are wrong.
public struct CalibrationMethod: Sendable {
  /// Words joined by hyphens: `bounded-mean`.
  package let name: String
  /// The statement, and its basis.
  package let summary: String
  /// The method of which this is a mutant, which must be caught; `nil` for a method in use.
  package let mutantOf: String?
  package let problems: [CalibrationProblem]

  /// A method by its name, a summary of its statement, and the problems with known answers to test it on; a mutant
  /// names the method that it changes.
  public init(_ name: String, _ summary: String, mutantOf: String? = nil, _ problems: [CalibrationProblem]) {
    (self.name, self.summary, self.mutantOf, self.problems) = (name, summary, mutantOf, problems)
  }
}

/// A distribution of samples, and a method's statement about them, which may be wrong with a probability of at most one
/// minus the confidence.
public struct CalibrationProblem: Sendable {
  /// The statement of a method about one sample.
  public struct Statement: Sendable {
    let isWrong: Bool
    /// True if it excludes anything: an interval narrower than the possible range, or a decision.
    let isInformative: Bool
    let width: Double?

    /// The statement that a figure lies in an interval; `wasWrong` where an interval at an earlier look did not contain
    /// the truth.
    public static func interval(
      _ interval: ClosedRange<Double>, truth: Double, within range: ClosedRange<Double> = .everything,
      wasWrong: Bool = false
    ) -> Self {
      let width = interval.upperBound - interval.lowerBound
      let isInformative = width.isFinite && width < (range.upperBound - range.lowerBound) * (1 - 1e-9)
      return Self(
        isWrong: wasWrong || !interval.contains(truth), isInformative: isInformative,
        width: isInformative ? width : nil)
    }

    /// A decision, or none; for several, whether any is made and whether any is wrong.
    public static func decision(isMade: Bool, isWrong: Bool) -> Self {
      Self(isWrong: isWrong, isInformative: isMade, width: nil)
    }
  }

  /// Draws samples and lets the method state something about them, a number of times at a confidence.
  package typealias Trial =
    @Sendable (_ repeats: Int, _ confidence: Double, inout GSLGenerator) throws ->
    CalibrationTally

  /// The distribution: `skewed`.
  package let name: String
  /// The standard error of the best estimate if the distribution is known; widths are compared with the normal interval
  /// for it. `nil` for decisions, and where it is 0.
  package let standardError: Double?
  package let run: Trial

  /// A problem whose samples are looked at once; the statement about a repeated sample is not computed again.
  package init<Sample: Hashable & SendableMetatype>(
    _ name: String, standardError: Double? = nil,
    draw: @escaping @Sendable (inout GSLGenerator) throws -> Sample,
    state: @escaping @Sendable (Sample, _ confidence: Double) throws -> Statement
  ) {
    self.init(name, standardError) { repeats, confidence, generator in
      var tally = CalibrationTally()
      var stated: [Sample: Statement] = [:]
      for _ in 0..<repeats {
        let sample = try draw(&generator)
        let statement = try stated[sample] ?? state(sample, confidence)
        stated[sample] = statement
        tally.add(statement)
      }
      return tally
    }
  }

  /// A problem that looks at its samples while it draws, and may stop.
  public init(
    _ name: String, standardError: Double? = nil,
    state: @escaping @Sendable (inout GSLGenerator, _ confidence: Double) throws -> Statement
  ) {
    self.init(name, standardError) { repeats, confidence, generator in
      var tally = CalibrationTally()
      for _ in 0..<repeats { tally.add(try state(&generator, confidence)) }
      return tally
    }
  }

  private init(_ name: String, _ standardError: Double?, run: @escaping Trial) {
    (self.name, self.run) = (name, run)
    self.standardError = standardError.flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The sum of the repeats of one problem at one confidence.
package struct CalibrationTally: MergeableTally, Equatable {
  package private(set) var repeats = 0
  package private(set) var wrong = 0
  /// The number of statements that excluded anything.
  package private(set) var informative = 0
  /// The widths of the informative intervals, in millionths.
  package private(set) var widths = MomentTally()

  package static let widthUnit = 1e-6

  package init() {}

  package mutating func add(_ statement: CalibrationProblem.Statement) {
    repeats += 1
    if statement.isWrong { wrong += 1 }
    if statement.isInformative { informative += 1 }
    if let width = statement.width { widths.add(Int((width / Self.widthUnit).rounded())) }
  }

  package mutating func merge(_ other: CalibrationTally) {
    repeats += other.repeats
    wrong += other.wrong
    informative += other.informative
    widths.merge(other.widths)
  }
}

extension GSLGenerator {
  /// A number above 0 and below 1, in steps of 2^-32.
  public mutating func share() -> Double { (Double(next()) + 0.5) * 0x1p-32 }

  /// The number of successes among independent trials, each with a probability of `chance`.
  package mutating func successes(of trials: Int, chance: Double) -> Int {
    var successes = 0
    for _ in 0..<trials where share() < chance { successes += 1 }
    return successes
  }
}
