// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// A threshold beside what was found.
package struct JudgedThreshold: Hashable, Sendable {
  /// The threshold as the scenario writes it, for example `ev[6d] in -0.0041..-0.0040 at 0.999`.
  package let text: String
  /// The full name of the measurement it judges.
  package let measurement: String
  /// Who says that it must hold; empty where nobody is named.
  package let source: String
  /// The line of the scenario's file, from 1.
  package let line: Int
  /// What it comes to.
  package let judgement: Judgement
  /// What was found, for people: the figure with its interval at the threshold's confidence, and the samples.
  package let found: String
  /// For an undecided one: what would decide it, for example `about 12,000 more samples`. Empty otherwise.
  package let remedy: String
  /// The chance, before sampling, that this judgement is wrong; 0 for what is exact or counted.
  package let errorProbability: Double

  /// A threshold beside what was found.
  package init(
    text: String, measurement: String, source: String, line: Int, judgement: Judgement, found: String,
    remedy: String = "", errorProbability: Double
  ) {
    (self.text, self.measurement, self.source, self.line) = (text, measurement, source, line)
    (self.judgement, self.found, self.remedy, self.errorProbability) = (judgement, found, remedy, errorProbability)
  }
}

extension Table {
  /// Thresholds with what was found, and what would decide those that are undecided.
  package init(_ thresholds: [JudgedThreshold]) {
    let remedies = thresholds.contains { !$0.remedy.isEmpty }
    self.init((["verdict", "threshold", "found"] + (remedies ? ["decided by"] : [])).map { Column($0) })
    for one in thresholds { add([one.judgement.rawValue, one.text, one.found, one.remedy]) }
  }
}
