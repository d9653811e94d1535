// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
public import Randomness
package import Statistics

/// A way of turning samples into a statement, and small problems whose truth is known: on these `assay calibrate`
/// counts how often it is wrong.
public struct CalibrationMethod: Sendable {
  /// Words joined by hyphens: `bounded-mean`.
  package let name: String
  /// The statement, and its basis.
  package let summary: String
  /// The method of which this is a mutant, which must be caught; `nil` for what is in use.
  package let mutantOf: String?
  package let problems: [CalibrationProblem]

  /// A method by its name, what it states, and the problems with known answers that it is tried on; a mutant names the
  /// method that it is a wrong version of.
  public init(_ name: String, _ summary: String, mutantOf: String? = nil, _ problems: [CalibrationProblem]) {
    (self.name, self.summary, self.mutantOf, self.problems) = (name, summary, mutantOf, problems)
  }
}

/// A law that samples are drawn from, and what a method states of them, which may be wrong with a chance of at most one
/// minus the confidence.
public struct CalibrationProblem: Sendable {
  /// The statement of a method about one sample.
  public struct Statement: Sendable {
    let isWrong: Bool
    /// Whether it excludes anything: an interval narrower than all there can be, or a decision.
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

    /// A decision, or none; of several, whether any is made, and any wrong.
    public static func decision(isMade: Bool, isWrong: Bool) -> Self {
      Self(isWrong: isWrong, isInformative: isMade, width: nil)
    }
  }

  /// Draws samples and has the method make its statements of them, so many times at a confidence.
  package typealias Trial =
    @Sendable (_ repeats: Int, _ confidence: Double, inout GSLGenerator) throws ->
    CalibrationTally

  /// The law: `skewed`.
  package let name: String
  /// The standard error of the estimate of somebody who knows the law; the normal interval with it is the best known.
  /// `nil` for decisions, and where it is 0.
  package let standardError: Double?
  package let run: Trial

  /// One whose samples are looked at once; what is stated of a sample that comes again is not computed again.
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

  /// One that draws as it goes on: looks, and may stop.
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
  /// How many excluded anything.
  package private(set) var informative = 0
  /// Of the informative intervals, in millionths.
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
  /// A number between 0 and 1, neither of them, in steps of 2^-32.
  public mutating func share() -> Double { (Double(next()) + 0.5) * 0x1p-32 }

  /// How many of so many independent trials succeed, each with a chance.
  package mutating func successes(of trials: Int, chance: Double) -> Int {
    var successes = 0
    for _ in 0..<trials where share() < chance { successes += 1 }
    return successes
  }
}
