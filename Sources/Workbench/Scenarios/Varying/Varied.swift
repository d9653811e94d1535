// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Reporting

/// An experiment that can be run at several values of its parameters: in a sweep, against other settings, or in a
/// search for the value up to which a threshold holds. If none of these is given, it is the experiment itself.
///
/// All points draw the same random numbers: streams depend on the seed, the experiment and the block alone.
package struct Varied<Base: Experiment>: VariedExperiment, ExtendedExperiment {
  private(set) var base = Base()
  /// The keys whose values were given.
  private var given: Set<String> = []
  private(set) var sweep: [SweepAxis] = []
  private(set) var versus: [Alternative] = []
  private(set) var find: SearchRange?
  private(set) var until: Threshold?
  private(set) var best: SweepAxis?
  private(set) var by: Goal?
  /// The thresholds that the samples have to decide, by the full name of the measure.
  private var asked: [String: [SampledThreshold]] = [:]

  package init() {}

  package static var runnable: any Experiment.Type { Self.self }

  package static var parameters: [Parameter<Self>] {
    Base.parameters.map { one in
      let key = one.key
      return one.within(
        \.base, noting: { $0.given.insert(key) },
        when: { varied in
          // A search raises the default confidence, so it is not written to files.
          !varied.varying.contains(key)
            && !(key == "confidence" && varied.find != nil && !varied.given.contains(key))
        })
    } + [
      Parameter(
        "sweep", \.sweep, ValueType<SweepAxis>.axis(of: Base.self).list(),
        "Values of a parameter at which to run, all with the same random numbers; several sweeps give every "
          + "combination.", example: Base.example { "\($0)=\($1)..\($2):2" }, when: { !$0.sweep.isEmpty }),
      Parameter(
        "versus", \.versus, ValueType<Alternative>.alternative(of: Base.self).list(),
        "Other values to compare with, with the same random numbers.", example: Base.example { "\($0)=\($2)" },
        when: { !$0.versus.isEmpty }),
    ] + (Base.isSearchable ? searched : []) + (isPaired ? chosen : [])
  }

  private static var chosen: [Parameter<Self>] {
    [
      Parameter(
        "best", \.best, ValueType<SweepAxis>.axis(of: Base.self).optional,
        "Values of a parameter, of which the best is searched with the same random numbers.",
        example: Base.example { "\($0)=\($1),\($2)" }),
      Parameter(
        "by", \.by, ValueType<Goal>.goal(of: Base.self).optional,
        "The measure by which the best value is chosen, and the confidence of the answer.",
        example: Base().measures.first.map { "min \($0.fullName) at 0.99" } ?? ""),
    ]
  }

  private static var searched: [Parameter<Self>] {
    [
      Parameter(
        "find", \.find, ValueType<SearchRange>.searchRange(of: Base.self).optional,
        "The parameter to search for the smallest or largest value at which 'until' holds.",
        example: Base.example { "\($0)=\($1)..\($2)" }),
      Parameter(
        "until", \.until, ValueType<Threshold>.threshold.optional,
        "The threshold of the search; its confidence is that of the whole answer.",
        example: Base().measures.first.map { measure in
          let isExact = measure.kind == .exact || measure.kind == .count
          let unit = TimeSpan.seconds(ofMeasuresIn: measure.unit) == nil ? "" : measure.unit
          return "\(measure.fullName) <= 0.5\(unit)" + (isExact ? "" : " at 0.9")
        } ?? ""),
    ]
  }

  /// The keys that have no value of their own.
  private var varying: [String] { sweep.map(\.key) + [find?.key, best?.key].compactMap(\.self) }

  private var isPlain: Bool { variation == nil }

  package var variation: String? {
    find != nil ? "find" : best != nil ? "best" : !sweep.isEmpty ? "sweep" : !versus.isEmpty ? "versus" : nil
  }

  package var thresholds: [String] { find == nil && best == nil ? base.thresholds : [] }
  package var isTimed: Bool { base.isTimed }
  package var listsSamples: Bool { isPlain && base.listsSamples }

  /// The confidence of the intervals that are shown.
  var confidence: Double {
    let shown = Base.parameters.first { $0.key == "confidence" }?.write(base)
    return if case .number(let value)? = shown { value } else { 0.99 }
  }

  package func check() throws(ParameterError) {
    if isPlain {
      if until != nil { throw ParameterError("until", expected: "a parameter to search as well, by 'find'") }
      if by != nil { throw ParameterError("by", expected: "values to choose from as well, by 'best'") }
      return try base.check()
    }
    let kinds = [("find", find != nil), ("best", best != nil), ("sweep", !sweep.isEmpty), ("versus", !versus.isEmpty)]
      .filter(\.1)
    let kind = kinds[0].0
    if kinds.count > 1 {
      throw ParameterError(kinds[1].0, expected: "only one of 'find', 'best', 'sweep' and 'versus'")
    }
    guard Set(versus.map(\.label)).count == versus.count else {
      throw ParameterError("versus", expected: "each setting once")
    }
    if versus.contains(where: { $0.settings.contains { $0.key == "confidence" } }) {
      throw ParameterError("versus", expected: "no 'confidence', which changes no figure")
    }
    for key in ["half-width", "deadline"] where (find != nil || best != nil) && given.contains(key) {
      throw ParameterError(key, kind, expected: "no '\(kind)' with it: a search has its own numbers of samples")
    }
    if given.contains("only") {
      throw ParameterError(kind, expected: "'\(kind)' or 'only', not both: 'only' draws a single sample")
    }
    for (index, key) in varying.enumerated() {
      if given.contains(key) { throw ParameterError(kind, expected: "a key that is not given as well, and \(key) is") }
      if varying[..<index].contains(key) {
        throw ParameterError(kind, expected: "each key once, and \(key) comes twice")
      }
    }
    let count = sweep.reduce(1.0) { $0 * Double($1.settings.count) }
    guard count <= Double(SweepAxis.maxPoints) else {
      throw ParameterError(
        kind,
        expected: "at most \(NumberFormat.grouped(SweepAxis.maxPoints)) points, and these are "
          + NumberFormat.shortest(count))
    }
    if let best {
      for setting in best.settings { try check(point(setting), kind) }
      guard let by else { throw ParameterError("best", expected: "a measure as well, by 'by'") }
      return try BestSetting(best, by, self).check()
    }
    guard let find else {
      for point in points { try check(point, kind) }
      return
    }
    guard let until else { throw ParameterError("find", expected: "a threshold as well, by 'until'") }
    func read<Found>(
      _ key: String, _ body: () throws(ReportingError) -> Found
    ) throws(ParameterError) -> Found {
      do throws(ReportingError) { return try body() } catch {
        guard case .badValue(_, _, _, _, let expected) = error else {
          throw ParameterError(key, expected: "another one: \(error)")
        }
        throw ParameterError(key, expected: expected)
      }
    }
    let ends = try read(kind) { () throws(ReportingError) in
      [point(try find.setting(find.low, of: Base.self)), point(try find.setting(find.high, of: Base.self))]
    }
    for point in ends { try check(point, kind) }
    _ = try read("until") { () throws(ReportingError) in
      try Search(find, until, self).named(in: ends[0].experiment)
    }
  }

  private func check(_ point: Point, _ kind: String) throws(ParameterError) {
    do throws(ParameterError) {
      try point.experiment.check()
    } catch {
      let key = error.keys.first.map { "\($0), " } ?? ""
      throw ParameterError(kind, expected: "at \(point.label): \(key)\(error.expected)")
    }
  }

  // MARK: Points

  /// The experiment with some of its values.
  struct Point: Sendable {
    let settings: [Setting]
    let experiment: Base

    var label: String { settings.map(\.label).joined(separator: ", ") }
  }

  /// The experiment with other values, each read before.
  func point(_ settings: Setting...) -> Point { point(settings) }

  private func point(_ settings: [Setting]) -> Point {
    var experiment = base
    for parameter in Base.parameters {
      for one in settings where one.key == parameter.key {
        try? parameter.read(&experiment, ScenarioField(option: one.key, [one.text]))
      }
    }
    return Point(settings: settings, experiment: experiment)
  }

  /// Every combination of a sweep's values, in which the last parameter changes fastest; or the baseline and
  /// its alternatives.
  private var points: [Point] {
    guard sweep.isEmpty else {
      return sweep.reduce([[Setting]()]) { points, axis in
        points.flatMap { point in axis.settings.map { point + [$0] } }
      }.map { point($0) }
    }
    return [point()] + versus.map { point($0.settings) }
  }

  // MARK: Measures

  package var measures: [Measure] {
    if let find { return [Search<Base>.answer(find, until)] }
    if let best, let by { return BestSetting.measures(best, by, of: base, confidence: confidence) }
    guard !isPlain else { return base.measures }
    let own = base.measures
    return points.flatMap { point in
      let measures = point.experiment.measures
      return measures.map { $0.of(point.label) }
        + (versus.isEmpty || point.settings.isEmpty ? [] : differences(own, at: point, measures))
    }
  }

  private func differences(_ own: [Measure], at point: Point, _ others: [Measure]) -> [Measure] {
    let names = Set(others.map(\.fullName))
    return own.filter { names.contains($0.fullName) }.map {
      $0.difference(at: point.label, confidence: confidence, isPaired: Self.isPaired)
    }
  }

  package mutating func addMeasure(named name: String) { base.addMeasure(named: name) }

  package mutating func setStoppingThresholds(_ thresholds: [SampledThreshold]) {
    if isPlain { return base.setStoppingThresholds(thresholds) }
    asked = Dictionary(grouping: thresholds, by: \.measure.fullName)
  }

  package func sampleSize(of measure: Measure) -> SampleSize? {
    guard let size = base.sampleSize(of: measure) else { return nil }
    let labels = measure.label?.split(separator: ", ").map(String.init) ?? []
    let swept = (sweep.map(\.settings) + versus.map(\.settings)).joined()
      .first { $0.key == size.key && labels.contains($0.label) }
    return if case .integer(let value)? = swept?.shown { SampleSize(size.key, value) } else { size }
  }

  // MARK: Running

  package func run(on context: RunContext) throws -> ScenarioResult {
    if let find, let until { return try Search(find, until, self).run(on: context) }
    if let best, let by { return try BestSetting(best, by, self).run(on: context) }
    guard !isPlain else { return try base.run(on: context) }
    var (rows, cases, isComplete, isShared) = ([VariedRow](), [JUnitReport.Case](), true, false)
    var unanswered: EvaluatedThreshold?
    /// Plays a part of the run: the end of a shard's share ends only the part, any other interrupt ends all parts.
    func play<Found>(_ number: Int, _ body: (RunContext) throws -> Found) rethrows -> Found? {
      guard !context.interrupt.isRaised else {
        isComplete = false
        return nil
      }
      let part = context.part(number)
      let found = try body(part)
      if part.interrupt.cause == .share {
        isShared = true
      } else if let cause = part.interrupt.cause {
        context.interrupt.raise(cause)
      }
      return found
    }
    let points = points
    for (number, point) in points.enumerated() {
      guard let result = try play(number, { try run(point, on: $0) }) else { break }
      rows.append(VariedRow(settings: point.settings, measurements: result.measurements))
      cases += result.cases.map { $0.of(point.label) }
      unanswered = unanswered ?? result.unanswered?.of(point.label)
      isComplete = isComplete && result.isComplete
    }
    for number in rows.indices.dropFirst() where Self.isPaired && !versus.isEmpty {
      let point = points[number]
      var compared = point.experiment
      // Thresholds need all pairs.
      compared.setStoppingThresholds(asked.values.flatMap(\.self))
      let found = try play(points.count + number) { try pairs(compared, from: base, at: point.label, on: $0) } ?? []
      isComplete = isComplete && !found.isEmpty
      rows[number].pairs = found
    }
    if isShared { context.interrupt.raise(.share) }
    let report = VariedReport(
      summary: Base.summary, axes: sweep, rows: rows, confidence: confidence)
    var result = ScenarioResult(
      measurements: report.measurements, data: report.json, document: report.document, cases: cases,
      isComplete: isComplete)
    if isComplete { result.unanswered = unanswered }
    return result
  }

  /// True if settings are compared by the differences of their samples.
  private static var isPaired: Bool { (Base.self as? any PairedExperiment.Type)?.isPaired == true }

  /// The differences of an experiment from another, sample by sample; errors name the point.
  func pairs(_ one: Base, from other: Base, at label: String, on context: RunContext) throws -> [Measurement] {
    func pairs<Paired: PairedExperiment>(_ one: Paired) throws -> [Measurement] {
      try (other as? Paired).map { try one.differences(from: $0, on: context) } ?? []
    }
    return try naming(label) { try (one as? any PairedExperiment).map { try pairs($0) } ?? [] }
  }

  func isGiven(_ key: String) -> Bool { given.contains(key) }

  private func run(_ point: Point, on context: RunContext) throws -> ScenarioResult {
    var experiment = point.experiment
    let measures = experiment.measures
    experiment.setStoppingThresholds(
      measures.flatMap { measure in
        (asked[measure.of(point.label).fullName] ?? []).map { $0.of(measure) }
      })
    return try run(experiment, at: point.label, on: context)
  }

  /// Runs an experiment at a point; errors name the point.
  func run(_ experiment: Base, at label: String, on context: RunContext) throws -> ScenarioResult {
    var context = context
    if let command = context.samples.command?(experiment) { context.samples.again = { "\(command) --only \($0)" } }
    return try naming(label) { try experiment.run(on: context) }
  }

  private func naming<Found>(_ label: String, _ body: () throws -> Found) throws -> Found {
    do {
      return try body()
    } catch let error as any FailureUnderTest {
      throw FailureAtPoint(label: label, error: error)
    } catch let error as any InputError {
      throw InputErrorAtPoint(label: label, error: error)
    }
  }
}

/// The measurements at a point.
struct VariedRow: Sendable {
  /// The settings of the point; empty for the baseline.
  let settings: [Setting]
  let measurements: [Measurement]
  /// The difference of each measure from the baseline, if samples are compared in pairs.
  var pairs: [Measurement]?

  var label: String { settings.map(\.label).joined(separator: ", ") }
}

private struct FailureAtPoint: FailureUnderTest, CustomStringConvertible {
  let label: String
  let error: any FailureUnderTest
  var description: String { label.isEmpty ? "\(error)" : "at \(label): \(error)" }
}

private struct InputErrorAtPoint: InputError {
  let label: String
  let error: any InputError
  var description: String { label.isEmpty ? "\(error)" : "at \(label): \(error)" }
}

extension Measure {
  /// The measure at a point; its own label comes first.
  func of(_ point: String) -> Measure {
    point.isEmpty ? self : labelled(label.map { "\($0), \(point)" } ?? point)
  }

  /// The measure of another setting's difference from this one: computed and counted figures differ exactly, pairs of
  /// samples on average, and all others by an interval that is valid for any dependence.
  func difference(at point: String, confidence: Double, isPaired: Bool) -> Measure {
    let kind: Kind =
      switch kind {
      case .exact, .count: kind
      case .proportion, .mean: isPaired ? .mean : .interval(confidence: confidence)
      case .interval(let own):
        .interval(confidence: isPaired ? own : Threshold.LabelVerdict.tidied(max(0, 2 * own - 1)))
      }
    return Measure(
      name + ".difference", of: label, meaning: "The figure with \(point) minus the baseline figure: \(meaning)",
      unit: unit, kind: kind,
      range: range.map { $0.lowerBound - $0.upperBound...$0.upperBound - $0.lowerBound }
    ).inPercent(isPercent).of(point)
  }
}

extension SampledThreshold {
  /// The threshold for the measure without the label of its point.
  fileprivate func of(_ measure: Measure) -> SampledThreshold {
    SampledThreshold(measure: measure, threshold: threshold, bonferroniDivisor: bonferroniDivisor)
  }
}

extension EvaluatedThreshold {
  /// The threshold at a point.
  fileprivate func of(_ point: String) -> EvaluatedThreshold {
    point.isEmpty
      ? self
      : EvaluatedThreshold(
        text: "\(text), at \(point)", measurement: measurement, source: source, line: line, verdict: verdict,
        found: found, advice: advice, errorProbability: errorProbability, basis: basis)
  }
}

extension JUnitReport.Case {
  fileprivate func of(_ point: String) -> JUnitReport.Case {
    point.isEmpty
      ? self
      : JUnitReport.Case(
        name: "\(name) [\(point)]", group: group, outcome: outcome, output: output, seconds: seconds, location: location
      )
  }
}
