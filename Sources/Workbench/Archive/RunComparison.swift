// SPDX-License-Identifier: GPL-3.0-or-later
package import Scenarios

/// The comparison of two runs: their measurements, their thresholds, and other differences.
package struct RunComparison: Hashable, Sendable {
  package struct ThresholdPair: Hashable, Sendable {
    package let text: String
    package let measurement: String
    package let before: EvaluatedThreshold?
    package let after: EvaluatedThreshold?

    /// True if both runs have the threshold, with different verdicts.
    package var differs: Bool { before.flatMap { before in after.map { before.verdict != $0.verdict } } ?? false }
  }

  package struct Circumstance: Hashable, Sendable {
    package let name: String
    package let before: String
    package let after: String

    package var differs: Bool { before != after }
  }

  typealias Side = (run: RecordedRun, findings: RecordedRun.Findings)

  package let before: RecordedRun
  package let after: RecordedRun
  package let confidence: Double
  package let relation: MeasurementDifference.Relation
  package let differences: [MeasurementDifference]
  package let onlyBefore: [Measurement]
  package let onlyAfter: [Measurement]
  package let thresholds: [ThresholdPair]
  /// The two scenarios, line by line; `nil` if the text of one was not available.
  package let settings: [LineChange]?

  /// The confidence is that of the intervals of all sampled differences together; each gets its share of the error
  /// (Bonferroni).
  init(_ before: Side, _ after: Side, confidence: Double) {
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

  /// A lower bound of the joint confidence of all intervals: less than requested if measurements are intervals of less
  /// confidence, and 0 if nothing can be stated.
  package var jointConfidence: Double {
    let sampled = differences.filter(\.isSampled)
    if sampled.allSatisfy({ $0.confidence >= 1 - (1 - confidence) / Double(max(1, sampled.count)) }) {
      return confidence
    }
    return max(0, 1 - sampled.map(\.errorProbability).reduce(0, +))
  }

  /// True if a figure differs or was not reproduced, a verdict changed, or a measure is in one run only.
  package var differs: Bool {
    !onlyBefore.isEmpty || !onlyAfter.isEmpty || thresholds.contains(where: \.differs)
      || differences.contains { $0.finding == .differs || $0.finding == .notReproduced }
  }

  /// The figure that differs most, by its share of the larger one; the first of several.
  package var largest: MeasurementDifference? {
    func share(_ one: MeasurementDifference) -> Double {
      abs(one.estimate) / max(abs(one.before.estimate), abs(one.after.estimate))
    }
    let differing = differences.filter { $0.finding == .differs || $0.finding == .notReproduced }
    return differing.reduce(nil) { maximum, one in maximum.map { share($0) >= share(one) ? $0 : one } ?? one }
  }

  /// The speed of the later run in multiples of the earlier one's; `nil` unless both did the same work, except for the
  /// seed, with as many workers on one machine.
  package var speed: Double? {
    let isSameWork = settings?.allSatisfy {
      $0.side == .both || $0.text.trimmingPrefix { $0 == " " }.hasPrefix("seed:")
    }
    guard isSameWork == true, before.machine == after.machine, before.workers == after.workers,
      before.status == .complete, after.status == .complete,
      let earlier = before.wallSeconds, let later = after.wallSeconds, later > 0, (earlier / later).isNormal,
      before.id != after.id
    else { return nil }
    return earlier / later
  }

  package var circumstances: [Circumstance] {
    func both(_ name: String, _ value: (RecordedRun) -> String) -> Circumstance {
      Circumstance(name: name, before: value(before), after: value(after))
    }
    return [
      both("scenario") { $0.slug }, both("kind") { $0.kind }, both("digest") { $0.digest },
      both("status") { $0.status.rawValue }, both("Assay") { $0.assay },
      both("commit") { $0.build.commitText }, both("binary") { $0.build.binary ?? "" }, both("GSL") { $0.gsl },
      both("host") { $0.machine.host }, both("system") { $0.machine.system },
      both("architecture") { $0.machine.architecture }, both("cores") { "\($0.machine.cores)" },
      both("workers") { "\($0.workers)" }, both("folder") { $0.folder }, both("command") { $0.command },
    ]
  }

  static func relation(_ before: Side, _ after: Side) -> MeasurementDifference.Relation {
    let (one, other) = (before.run, after.run)
    // Digests are short; if both texts are available they decide.
    let isSame = one.digest == other.digest && before.findings.scenario == after.findings.scenario
    if isSame, !one.isTimed, !other.isTimed, one.kind == other.kind, one.assay == other.assay, one.gsl == other.gsl,
      one.build.isSameCode(as: other.build),
      one.machine.architecture == other.machine.architecture, one.status == .complete, other.status == .complete
    {
      return .repeated
    }
    guard let text = before.findings.scenario.flatMap(randomness),
      let second = after.findings.scenario.flatMap(randomness)
    else { return .unknown }
    return text == second ? .unknown : .independent
  }

  /// The origin of a scenario's random numbers: its seed and its generator, at any level; `nil` if it names no seed or
  /// several.
  private static func randomness(of scenario: String) -> [String]? {
    let lines = scenario.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    guard lines.count(where: { $0.hasPrefix("seed:") }) == 1 else { return nil }
    return lines.filter { $0.hasPrefix("seed:") || $0.hasPrefix("generator:") }.map(String.init).sorted()
  }

  private static func pairs(_ before: [EvaluatedThreshold], _ after: [EvaluatedThreshold]) -> [ThresholdPair] {
    func key(_ threshold: EvaluatedThreshold) -> [String] { [threshold.text, threshold.measurement] }
    let kept = before.map { one in
      ThresholdPair(
        text: one.text, measurement: one.measurement, before: one, after: after.first { key($0) == key(one) })
    }
    let added = after.filter { one in !before.contains { key($0) == key(one) } }
    return kept + added.map { ThresholdPair(text: $0.text, measurement: $0.measurement, before: nil, after: $0) }
  }
}

extension History {
  package func comparison(
    of before: RecordedRun, with after: RecordedRun, confidence: Double
  ) throws(ArchiveError) -> RunComparison {
    RunComparison((before, try findings(of: before)), (after, try findings(of: after)), confidence: confidence)
  }
}

package struct LineChange: Hashable, Sendable {
  package enum Side: String, Hashable, Sendable {
    case both = " "
    case before = "-"
    case after = "+"
  }

  package let side: Side
  package let text: String

  /// Both texts, line by line, with the fewest changes; removed lines come before added ones.
  static func all(from before: String, to after: String) -> [LineChange] {
    let (old, new) = (lines(of: before), lines(of: after))
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (result, rest): ([LineChange], ArraySlice<String>) = ([], new[...])
    for (offset, line) in old.enumerated() {
      if removed.contains(offset) {
        result.append(LineChange(side: .before, text: line))
      } else {
        while inserted.contains(rest.startIndex) {
          result.append(LineChange(side: .after, text: rest.removeFirst()))
        }
        result.append(LineChange(side: .both, text: line))
        rest.removeFirst()
      }
    }
    return result + rest.map { LineChange(side: .after, text: $0) }
  }

  private static func lines(of text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.last == "" ? lines.dropLast() : lines
  }
}
