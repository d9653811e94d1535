// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// Two runs beside each other: what was measured, what was asked, and what else differs.
package struct RunComparison: Hashable, Sendable {
  /// A threshold that at least one of the runs was judged by.
  package struct ThresholdPair: Hashable, Sendable {
    /// The threshold, as the scenario writes it.
    package let text: String
    /// The full name of the measurement.
    package let measurement: String
    /// How the earlier run was judged; `nil` where it was not asked for.
    package let before: JudgedThreshold?
    /// How the later run was judged; `nil` where it was not asked for.
    package let after: JudgedThreshold?

    /// Whether the judgement changed.
    package var differs: Bool { before?.judgement != after?.judgement }
  }

  /// Something about the runs that is not their result.
  package struct Circumstance: Hashable, Sendable {
    /// What it is.
    package let name: String
    /// What the earlier run had.
    package let before: String
    /// What the later run had.
    package let after: String

    /// Whether they differ.
    package var differs: Bool { before != after }
  }

  /// The earlier run.
  package let before: RecordedRun
  /// The later run.
  package let after: RecordedRun
  /// What all intervals of sampled differences were to have together.
  package let confidence: Double
  /// What the runs have in common.
  package let relation: MeasurementDifference.Relation
  /// What both measured, in the order of the earlier.
  package let differences: [MeasurementDifference]
  /// What only the earlier measured.
  package let onlyBefore: [Measurement]
  /// What only the later measured.
  package let onlyAfter: [Measurement]
  /// The thresholds of both, those of the earlier first.
  package let thresholds: [ThresholdPair]
  /// The two scenarios, line by line; `nil` where the text of one was not to be had.
  package let settings: [LineChange]?

  /// Compares two runs.
  ///
  /// - Parameters:
  ///   - before: the earlier run with its findings.
  ///   - after: the later.
  ///   - confidence: what the intervals of all sampled differences shall have together, above 0 and below 1: each gets
  ///     its share of the error (Bonferroni).
  package init(
    _ before: (run: RecordedRun, findings: RecordedRun.Findings),
    _ after: (run: RecordedRun, findings: RecordedRun.Findings), confidence: Double
  ) {
    let relation = Self.relation(before, after)
    let (old, new) = (before.findings.measurements, after.findings.measurements)
    let pairs = old.compactMap { one in
      new.first { $0.measure.fullName == one.measure.fullName }.map { (before: one, after: $0) }
    }
    let plain = pairs.map { MeasurementDifference(from: $0, to: $1, relation: relation, confidence: confidence) }
    let sampled = relation == .repeated ? 0 : plain.count { $0.isSampled }
    let share = 1 - (1 - confidence) / Double(max(1, sampled))
    differences = pairs.map { MeasurementDifference(from: $0, to: $1, relation: relation, confidence: share) }
    let (oldNames, newNames) = (Set(old.map(\.measure.fullName)), Set(new.map(\.measure.fullName)))
    onlyBefore = old.filter { !newNames.contains($0.measure.fullName) }
    onlyAfter = new.filter { !oldNames.contains($0.measure.fullName) }
    thresholds = Self.pairs(before.findings.thresholds, after.findings.thresholds)
    (self.before, self.after) = (before.run, after.run)
    (self.confidence, self.relation) = (confidence, relation)
    settings =
      if let text = before.findings.scenario, let other = after.findings.scenario {
        LineChange.all(from: text, to: other)
      } else {
        nil
      }
  }

  /// What all intervals have together, at least: less than was asked for where measurements brought intervals of less
  /// confidence along, and 0 where nothing can be said.
  package var jointConfidence: Double {
    let sampled = differences.filter(\.isSampled)
    if sampled.allSatisfy({ $0.confidence >= 1 - (1 - confidence) / Double(max(1, sampled.count)) }) {
      return confidence
    }
    return max(0, 1 - sampled.map(\.errorProbability).reduce(0, +))
  }

  /// Whether a figure differs or was not reproduced, a judgement changed, or something was measured in one run only.
  package var differs: Bool {
    !onlyBefore.isEmpty || !onlyAfter.isEmpty || thresholds.contains(where: \.differs)
      || differences.contains { $0.finding == .differs || $0.finding == .notReproduced }
  }

  /// Everything about the runs beside their results, equal or not.
  package var circumstances: [Circumstance] {
    func both(_ name: String, _ value: (RecordedRun) -> String) -> Circumstance {
      Circumstance(name: name, before: value(before), after: value(after))
    }
    return [
      both("scenario") { $0.slug }, both("kind") { $0.kind }, both("digest") { $0.digest },
      both("status") { $0.status.rawValue }, both("Assay") { $0.version }, both("GSL") { $0.gsl },
      both("host") { $0.machine.host }, both("system") { $0.machine.system },
      both("architecture") { $0.machine.architecture }, both("cores") { "\($0.machine.cores)" },
      both("workers") { "\($0.workers)" }, both("folder") { $0.folder }, both("command") { $0.command },
    ]
  }

  private static func relation(
    _ before: (run: RecordedRun, findings: RecordedRun.Findings),
    _ after: (run: RecordedRun, findings: RecordedRun.Findings)
  ) -> MeasurementDifference.Relation {
    let (one, other) = (before.run, after.run)
    // Digests are short; where both texts are there they decide.
    let isSame = one.digest == other.digest && before.findings.scenario == after.findings.scenario
    if isSame, one.kind == other.kind, one.version == other.version, one.gsl == other.gsl,
      one.machine.architecture == other.machine.architecture, one.status == .complete, other.status == .complete
    {
      return .repeated
    }
    guard let text = before.findings.scenario.flatMap(randomness),
      let second = after.findings.scenario.flatMap(randomness)
    else { return .unknown }
    return text == second ? .unknown : .independent
  }

  /// What a scenario's random numbers follow from: its seed and its generator, wherever they stand; `nil` where it
  /// names no seed, or several.
  private static func randomness(of scenario: String) -> [String]? {
    let lines = scenario.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    guard lines.count(where: { $0.hasPrefix("seed:") }) == 1 else { return nil }
    return lines.filter { $0.hasPrefix("seed:") || $0.hasPrefix("generator:") }.map(String.init).sorted()
  }

  private static func pairs(_ before: [JudgedThreshold], _ after: [JudgedThreshold]) -> [ThresholdPair] {
    func key(_ threshold: JudgedThreshold) -> [String] { [threshold.text, threshold.measurement] }
    let kept = before.map { one in
      ThresholdPair(
        text: one.text, measurement: one.measurement, before: one, after: after.first { key($0) == key(one) })
    }
    let added = after.filter { one in !before.contains { key($0) == key(one) } }
    return kept + added.map { ThresholdPair(text: $0.text, measurement: $0.measurement, before: nil, after: $0) }
  }
}

extension History {
  /// Compares two runs.
  ///
  /// - Parameters:
  ///   - before: the earlier run.
  ///   - after: the later.
  ///   - confidence: what the intervals of all sampled differences shall have together, above 0 and below 1.
  /// - Returns: the comparison.
  /// - Throws: `ArchiveError.history`.
  package func comparison(
    of before: RecordedRun, with after: RecordedRun, confidence: Double
  ) throws(ArchiveError) -> RunComparison {
    let (old, new) = (try findings(of: before), try findings(of: after))
    return RunComparison((before, old), (after, new), confidence: confidence)
  }
}
