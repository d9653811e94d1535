// SPDX-License-Identifier: GPL-3.0-or-later

/// A threshold beside what was found.
public struct JudgedThreshold: Hashable, Sendable {
  /// The threshold as the scenario writes it, for example `ev[6d] in -0.0041..-0.0040 at 0.999`.
  public let text: String
  /// The full name of the measurement it judges.
  public let measurement: String
  /// Who says that it must hold; empty where nobody is named.
  public let source: String
  /// The line of the scenario's file, from 1.
  public let line: Int
  /// What it comes to.
  public let judgement: Judgement
  /// What was found, for people: the figure with its interval at the threshold's confidence, and the samples.
  public let found: String
  /// For an undecided one: what would decide it, for example `about 12,000 more samples`. Empty otherwise.
  public let remedy: String
  /// The chance, before sampling, that this judgement is wrong; 0 for what is exact or counted.
  public let errorProbability: Double

  /// A threshold beside what was found.
  public init(
    text: String, measurement: String, source: String, line: Int, judgement: Judgement, found: String,
    remedy: String = "", errorProbability: Double
  ) {
    (self.text, self.measurement, self.source, self.line) = (text, measurement, source, line)
    (self.judgement, self.found, self.remedy, self.errorProbability) = (judgement, found, remedy, errorProbability)
  }
}
