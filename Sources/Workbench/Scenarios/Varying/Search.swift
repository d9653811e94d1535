// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// The values that are tried to find where a threshold begins or ceases to hold: both ends and three values between
/// them, and then the middles of open ranges. Their largest number is known beforehand.
struct Bisection {
  let low: Quantity
  let high: Quantity
  let precision: Double
  private(set) var verdicts: [(value: Quantity, verdict: Verdict)] = []

  /// The most looks at a value, and how many times the samples of the last look each has.
  private static let (looks, growth) = (4, 4)

  init(from low: Quantity, to high: Quantity, precision: Double) {
    (self.low, self.high, self.precision) = (low, high, precision)
  }

  init(_ range: SearchRange) { self.init(from: range.low, to: range.high, precision: range.precision) }

  /// The most looks at all values together.
  var maxLooks: Int { maximum * Self.looks }

  /// Tries values until no range is open; an undecided one is looked at again with more samples.
  ///
  /// - Parameters:
  ///   - start: prepares the first look at a value.
  ///   - look: what a look finds; `nil` after an interruption.
  ///   - verdict: the verdict of what was found.
  ///   - enlarged: the look with some times the samples; `nil` if there can be no more.
  /// - Returns: what the last look at each value found, and whether nothing was interrupted.
  mutating func run<Look, Found>(
    from start: (Quantity) throws -> Look, look: (Look) throws -> Found?, verdict: (Found) -> Verdict,
    enlarged: (Look, _ times: Int) -> Look?
  ) rethrows -> (found: [Found], isComplete: Bool) {
    var all: [Found] = []
    while let value = next {
      var current = try start(value)
      guard var found = try look(current) else { return (all, false) }
      for _ in 1..<Self.looks where verdict(found) == .undecided {
        guard let more = enlarged(current, Self.growth) else { break }
        guard let again = try look(more) else { return (all, false) }
        (current, found) = (more, again)
      }
      all.append(found)
      add(verdict(found), at: value)
    }
    return (all, true)
  }

  private mutating func add(_ verdict: Verdict, at value: Quantity) {
    verdicts.append((value, verdict))
    verdicts.sort { $0.value < $1.value }
  }

  private func middle(_ low: Quantity, _ high: Quantity, quarters: Int = 2) -> Quantity {
    let middle = low.advanced(by: quarters, of: 4, to: high, roundingDown: true)
    return if case .real(let number) = middle { .real(Threshold.LabelVerdict.tidied(number)) } else { middle }
  }

  private var first: [Quantity] { [low, high] + [2, 1, 3].map { middle(low, high, quarters: $0) } }

  /// The most values: a quarter of the range is halved to the precision, on both sides of undecided values.
  var maximum: Int { first.count + 2 * (Int(log2(max(1, low.distance(to: high) / 4 / precision)).rounded(.up)) + 2) }

  /// The neighbouring values between which the verdict changes; undecided values are skipped.
  var changes: [(Int, Int)] {
    let decided = verdicts.indices.filter { verdicts[$0].verdict != .undecided }
    return zip(decided, decided.dropFirst()).filter { verdicts[$0].verdict != verdicts[$1].verdict }
  }

  /// The next value to try; `nil` if no range is open.
  var next: Quantity? {
    if let untried = first.first(where: { value in !verdicts.contains { $0.value == value } }) { return untried }
    guard let (last, next) = changes.first, changes.count == 1, verdicts.count < maximum else { return nil }
    let gaps = last + 1 == next ? [(last, next)] : [(last, last + 1), (next - 1, next)]
    for (one, other) in gaps
    where verdicts[one].value.distance(to: verdicts[other].value) > precision * (1 + 1e-9) {
      let value = middle(verdicts[one].value, verdicts[other].value)
      if value > verdicts[one].value, value < verdicts[other].value { return value }
    }
    return nil
  }

  enum Finding: Hashable {
    /// It holds at one value and fails at the other, with no decided value between them.
    case between(holds: Quantity, fails: Quantity)
    case everywhere, nowhere
    /// It holds and fails in turns: the first value of each turn, in order.
    case inTurns([Quantity])
    case undecided
  }

  var finding: Finding {
    let decided = Set(verdicts.map(\.verdict))
    guard let (one, other) = changes.first else {
      return decided == [.holds] ? .everywhere : decided == [.fails] ? .nowhere : .undecided
    }
    guard changes.count == 1 else {
      return .inTurns(
        (verdicts.first { $0.verdict != .undecided }.map { [$0.value] } ?? []) + changes.map { verdicts[$0.1].value })
    }
    let (first, second) = (verdicts[one], verdicts[other])
    return first.verdict == .holds
      ? .between(holds: first.value, fails: second.value) : .between(holds: second.value, fails: first.value)
  }

  /// The largest or least value at which it is found to hold, and the range that contains the true one; `nil` if no
  /// such place was found.
  var answer: (estimate: Quantity, range: ClosedRange<Quantity>)? {
    guard case .between(let holds, let fails) = finding else { return nil }
    // For whole numbers the value that fails cannot be the answer.
    let inner = fails.next(up: fails < holds)
    return (holds, min(holds, inner)...max(holds, inner))
  }
}

/// A search as `find` plays it: the same values, looks and parts of the error, for the calibration of its answers.
package enum SearchTrial {
  /// Plays a search whose true answer is known.
  ///
  /// - Parameters:
  ///   - truth: where the threshold truly begins or ceases to hold, between the ends of `range`.
  ///   - range: the values that are searched.
  ///   - precision: the precision of the answer.
  ///   - samples: the number of samples of the first look at a value.
  ///   - verdict: the verdict at a value by a number of samples, where that number of verdicts shares the error.
  /// - Returns: whether its answer is wrong; `nil` if it has none.
  /// - Throws: an error of `verdict`.
  package static func isWrong(
    truth: Double, in range: ClosedRange<Double>, precision: Double, samples: Int,
    by verdict: (_ value: Double, _ samples: Int, _ bonferroniDivisor: Int) throws -> Verdict
  ) rethrows -> Bool? {
    var bisection = Bisection(from: .real(range.lowerBound), to: .real(range.upperBound), precision: precision)
    let bonferroniDivisor = bisection.maxLooks
    _ = try bisection.run(
      from: { ($0.rounded, samples) }, look: { try verdict($0.0, $0.1, bonferroniDivisor) }, verdict: \.self,
      enlarged: { ($0.0, $0.1 * $1) })
    if let answer = bisection.answer { return !answer.range.contains(.real(truth)) }
    // That it holds everywhere, nowhere or in turns is said of other thresholds only.
    return bisection.finding == .undecided ? nil : true
  }
}

/// The search for the least or the largest value of a parameter for which a threshold holds.
///
/// Every verdict has the same part of the threshold's error, which all possible looks share; their number is fixed
/// beforehand. So the probability that any verdict, or the answer, is wrong is at most that error, for any values tried
/// and any dependence between points (Bonferroni). An undecided value is looked at again with four times the samples.
struct Search<Base: Experiment> {
  private let range: SearchRange
  private let threshold: Threshold
  private let varied: Varied<Base>

  init(_ range: SearchRange, _ threshold: Threshold, _ varied: Varied<Base>) {
    var base = varied.base
    if !base.measures.contains(where: { $0.name == threshold.name }) { base.addMeasure(named: threshold.name) }
    let unit = base.measures.first { $0.name == threshold.name }?.unit ?? ""
    (self.range, self.threshold, self.varied) = (range, threshold.inUnit(unit), varied)
  }

  /// The measure of a search: where the threshold begins or ceases to hold.
  static func answer(_ range: SearchRange, _ until: Threshold?) -> Measure {
    Measure(
      "answer", of: range.key, meaning: "Where '\(until?.text ?? "")' begins or ceases to hold", unit: range.scale.unit,
      kind: .interval(confidence: until?.confidence?.value ?? 1)
    ).whole(range.scale.isDiscrete)
  }

  private struct Trial {
    let value: Quantity
    let verdict: Verdict
    let found: [(measurement: Measurement, text: String)]
  }

  private var maxLooks: Int { Bisection(range).maxLooks }

  /// The measures that the threshold names.
  ///
  /// - Throws: `ReportingError.badValue` if it names none, or requires more than the confidence of their intervals.
  func named(in experiment: Base) throws(ReportingError) -> [Measure] {
    try prepared(experiment).measures
  }

  /// The experiment with the measures of the threshold, at the confidence that the search needs.
  private func prepared(_ experiment: Base) throws(ReportingError) -> (experiment: Base, measures: [Measure]) {
    var experiment = experiment
    let field = ScenarioField(option: "--until", [threshold.text])
    if !experiment.measures.contains(where: { $0.name == threshold.name }) {
      experiment.addMeasure(named: threshold.name)
    }
    let same = experiment.measures.filter { $0.name == threshold.name }
    let isStated = same.contains { if case .interval = $0.kind { true } else { false } }
    if isStated, !varied.isGiven("confidence"), let parameter = Base.parameters.first(where: { $0.key == "confidence" })
    {
      let text = NumberFormat.shortest(confidence(of: same.count))
      try? parameter.read(&experiment, ScenarioField(option: "--confidence", [text]))
    }
    let named = try threshold.named(among: experiment.measures, in: field)
    let needed = confidence(of: named.count)
    for measure in named {
      guard case .interval(let own) = measure.kind, 1 - own > (1 - needed) * (1 + 1e-9) else { continue }
      throw field.bad(
        expected:
          "less: the interval of \(measure.fullName) holds at \(NumberFormat.shortest(own)), and "
          + "\(bonferroniDivisor(named.count)) verdicts share the error, so that each needs "
          + "\(NumberFormat.shortest(needed))"
      )
    }
    return (experiment, named)
  }

  /// The number of verdicts that share the error if each look has a verdict for each of `measures`.
  private func bonferroniDivisor(_ measures: Int) -> Int { maxLooks * measures }

  private func confidence(of measures: Int) -> Double {
    let exact = threshold.confidenceShared(among: bonferroniDivisor(measures))
    // Rounded down, it would be too low for the verdicts.
    return max(exact, Threshold.LabelVerdict.tidied(exact))
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    var bisection = Bisection(range)
    let (trials, isComplete) = try bisection.run(
      from: look, look: { try trial($0, on: context) }, verdict: \.verdict,
      enlarged: { look, times in
        guard let first = look.measures.first, let more = enlarged(look.experiment, first, times) else { return nil }
        return Look(value: look.value, label: look.label, experiment: more, measures: look.measures)
      })
    return result(trials, bisection, isComplete: isComplete)
  }

  private struct Look {
    let value: Quantity
    let label: String
    let experiment: Base
    let measures: [Measure]
  }

  /// The first look at a value.
  private func look(at value: Quantity) throws -> Look {
    let point = varied.point(try range.setting(value, of: Base.self))
    do throws(ParameterError) { try point.experiment.check() } catch {
      throw ScenarioField(option: "--find", [range.written]).bad(expected: "at \(point.label): \(error.expected)")
    }
    let (experiment, measures) = try prepared(point.experiment)
    return Look(value: value, label: point.label, experiment: experiment, measures: measures)
  }

  /// The result of a look; `nil` after an interruption.
  private func trial(_ look: Look, on context: RunContext) throws -> Trial? {
    let measures = look.measures
    var steered = look.experiment
    steered.setStoppingThresholds(
      threshold.confidence == nil
        ? []
        : measures.map {
          SampledThreshold(measure: $0, threshold: threshold, bonferroniDivisor: bonferroniDivisor(measures.count))
        })
    let result = try varied.run(steered, at: look.label, on: context)
    return result.isComplete ? evaluated(result, measures, at: look.value) : nil
  }

  /// The experiment with more samples; `nil` if no parameter sets their number or it allows no more.
  private func enlarged(_ experiment: Base, _ measure: Measure, _ times: Int) -> Base? {
    guard let size = experiment.sampleSize(of: measure), size.key != range.key,
      let parameter = Base.parameters.first(where: { $0.key == size.key })
    else { return nil }
    let (more, isTooMuch) = size.value.multipliedReportingOverflow(by: times)
    var larger = experiment
    guard !isTooMuch, (try? parameter.read(&larger, ScenarioField(option: size.key, ["\(more)"]))) != nil,
      (try? larger.check()) != nil
    else { return nil }
    return larger
  }

  private func evaluated(_ result: ScenarioResult, _ measures: [Measure], at value: Quantity) -> Trial {
    let found = measures.compactMap { measure in
      result.measurements.first { $0.measure.fullName == measure.fullName }
    }
    let evaluated = found.map { threshold.evaluated(by: $0, bonferroniDivisor: bonferroniDivisor(measures.count)) }
    let isSound = Base.conditions.allSatisfy { condition in
      result.measurements.filter { $0.measure.name == condition.name }
        .allSatisfy { condition.inUnit($0.measure.unit).evaluated(by: $0).verdict == .holds }
    }
    return Trial(
      value: value,
      verdict: found.count < measures.count || !isSound ? .undecided : .all(evaluated.map(\.verdict)),
      found: Array(zip(found, evaluated.map(\.found))))
  }
}

// MARK: What is reported

extension Search {
  private func result(_ trials: [Trial], _ bisection: Bisection, isComplete: Bool) -> ScenarioResult {
    let measure = Self.answer(range, threshold)
    var measurements: [Measurement] = []
    if isComplete {
      let samples = trials.flatMap { $0.found.compactMap(\.measurement.samples) }.max() ?? 0
      var (estimate, low, high) = (Double.nan, -Double.infinity, Double.infinity)
      if let (holds, range) = bisection.answer {
        (estimate, low, high) = (holds.rounded, range.lowerBound.rounded, range.upperBound.rounded)
      }
      let confidence = threshold.confidence?.value ?? 1
      measurements = [
        Measurement(measure, .interval(estimate, low: low, high: high, confidence: confidence, samples: samples))
      ]
    }
    let rows = trials.map { one in
      [range.text(one.value), one.verdict.rawValue, one.found.map(\.text).joined(separator: "; ")]
    }
    var result = ScenarioResult(
      measurements: measurements,
      data: [
        "key": .string(range.key), "threshold": .string(threshold.text),
        "finding": .string(isComplete ? statement(bisection) : "interrupted"),
        "maxVerdicts": .integer(maxLooks),
        "path": .array(
          rows.map { ["value": .string($0[0]), "verdict": .string($0[1]), "found": .string($0[2])] }),
      ],
      document: Document(
        id: "find",
        title: "\(range.key) from \(range.text(range.low)) to \(range.text(range.high)), until \(threshold.text)",
        [
          .paragraph(isComplete ? statement(bisection) : "Interrupted: the search is not complete."),
          .paragraph(certainty(trials)),
          .table(
            Table([range.key, "verdict", "found"], rows: rows),
            caption: "The values in the order in which they were tried"),
          .figure(figure(trials, bisection)),
        ], data: table(trials)),
      isComplete: isComplete)
    if isComplete { result.unanswered = unanswered(bisection) }
    return result
  }

  /// Fails where the threshold fails at all values; undecided where no single answer can be named.
  private func unanswered(_ bisection: Bisection) -> EvaluatedThreshold? {
    let verdict: Verdict
    switch bisection.finding {
    case .between, .everywhere: return nil
    case .nowhere: verdict = .fails
    case .inTurns, .undecided: verdict = .undecided
    }
    return EvaluatedThreshold(
      text: "until \(threshold.text)", measurement: Self.answer(range, threshold).fullName,
      source: threshold.source, line: threshold.line, verdict: verdict, found: statement(bisection),
      errorProbability: threshold.confidence.map { 1 - $0.value } ?? 0)
  }

  private func statement(_ bisection: Bisection) -> String {
    let (key, asked) = (range.key, "'\(threshold.text)'")
    switch bisection.finding {
    case .between(let holds, let fails):
      let (which, text) = (holds < fails ? "largest" : "least", range.text)
      let open = bisection.verdicts.filter {
        $0.verdict == .undecided && min(holds, fails) < $0.value && $0.value < max(holds, fails)
      }
      if range.scale.isDiscrete, min(holds, fails).next(up: true) == max(holds, fails) {
        return "The \(which) \(key) for which \(asked) holds is \(text(holds)): it fails at \(text(fails))."
      }
      return "The \(which) \(key) for which \(asked) holds is between \(text(min(holds, fails))) and "
        + "\(text(max(holds, fails))): it holds at \(text(holds)) and fails at \(text(fails))"
        + (open.isEmpty ? "." : ", and the values tried between them are undecided.")
    case .everywhere: return "\(asked) holds at every \(key) that was tried, both ends included."
    case .nowhere: return "\(asked) fails at every \(key) that was tried, both ends included."
    case .inTurns(let values):
      let turns = values.map { value in
        (bisection.verdicts.contains { $0.value == value && $0.verdict == .holds } ? "holds at " : "fails at ")
          + range.text(value)
      }
      return "\(asked) begins and ceases to hold more than once, so there is no single answer: it "
        + turns.joined(separator: ", ") + "."
    case .undecided: return "\(asked) is undecided: no two values that were tried differ, and not all are decided."
    }
  }

  private func certainty(_ trials: [Trial]) -> String {
    let monotone = "The search assumes that the verdict changes at most once between two values that were tried."
    guard let confidence = threshold.confidence else { return "No verdict has a sampling error. " + monotone }
    let looks = NumberFormat.grouped(bonferroniDivisor(trials.first?.found.count ?? 1))
    return "All verdicts hold together at \(confidence.text): there are at most \(looks) of them, a number fixed "
      + "beforehand, and each has its part of the error. " + monotone
  }

  private func table(_ trials: [Trial]) -> Table {
    let tables = trials.map { trial in
      Table(
        tidy: trial.found.map(\.measurement), at: confidence(of: trial.found.count),
        behind: [(range.key, range.text(trial.value)), ("verdict", trial.verdict.rawValue)])
    }
    return Table(tables.first?.columns ?? [], rows: tables.flatMap(\.rows))
  }

  private func figure(_ trials: [Trial], _ bisection: Bisection) -> Figure {
    let measurements = trials.flatMap { trial in trial.found.map { (trial.value.rounded, $0.measurement) } }
    let measure = measurements.first?.1.measure
    let scale = measure?.isShare == true ? 100.0 : 1
    let labels = measurements.reduce(into: [String]()) {
      if !$0.contains($1.1.measure.fullName) { $0.append($1.1.measure.fullName) }
    }
    var marks: [Figure.Series] = []
    if case .between(let holds, _) = bisection.finding {
      marks = [.moment("holds at \(range.text(holds))", at: holds.rounded)]
    }
    return Figure(
      id: "find-\(range.key)", title: "Where \(threshold.text) holds",
      alternative: "The measurements at each \(range.key) that was tried. " + statement(bisection),
      x: Figure.Axis(
        range.title,
        // The tried values gather at one place, which a linear axis of a wide range would crowd at its end.
        scale: range.low.rounded > 0 && range.high.rounded >= range.low.rounded * 10 ? .logarithmic : .linear),
      y: Figure.Axis(measure?.axisMeaning ?? threshold.name),
      series: labels.map { label in
        Figure.Series(
          label, style: .points,
          points: measurements.filter { $0.1.measure.fullName == label && $0.1.estimate.isFinite }
            .sorted { $0.0 < $1.0 }.map { value, one in
              Figure.Point(value, one, at: confidence(of: trials.first?.found.count ?? 1), scale: scale)
            })
      } + marks
    ).showing([Figure.Subject(threshold.name, scale: scale)]).marked(by: [threshold])
  }
}
