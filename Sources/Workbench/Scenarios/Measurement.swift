// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
package import Reporting
public import Statistics

/// A quantity that a scenario measures: its name for thresholds, and its meaning.
public struct Measure: Hashable, Sendable {
  /// The kind of figure, which decides which thresholds are possible.
  public enum Kind: Hashable, Sendable {
    /// Computed, without sampling error; a threshold takes no confidence.
    case exact
    /// Counted; undecided samples may add to it. A threshold takes no confidence.
    case count
    /// A share of independent trials; a threshold states its confidence.
    case proportion
    /// The mean of independent observations; a threshold states its confidence.
    case mean
    /// In an interval of this confidence; a threshold can ask for no higher one.
    case interval(confidence: Double)
  }

  /// The name that thresholds use: words joined by points, for example `chart.mismatches`.
  public let name: String
  /// The subject of the measure, where a scenario measures several: for example the rules `6d`.
  public fileprivate(set) var label: String?
  /// The heading of its column: the last word of the name, split at capitals, unless given.
  package let title: String
  /// The meaning of the figure, in a line for people.
  package let meaning: String
  /// The unit, for example `bets`; empty for a pure number.
  package let unit: String
  /// The kind of figure.
  package let kind: Kind
  /// The range of every observation, and so of the figure; `nil` if no bound is known.
  package let range: ClosedRange<Double>?
  /// True if it is a share or a probability, from 0 to 1 and shown in percent.
  let isShare: Bool
  /// True if its figures are shown in percent: those of a share, and differences of shares.
  package private(set) var isPercent: Bool
  /// True if only whole numbers are possible, so that an interval can shrink to one of them.
  private(set) var isWhole = false

  /// A measure; a proportion always lies from 0 to 1. A measure from 0 to 1 is a share unless stated otherwise.
  public init(
    _ name: String, of label: String? = nil, title: String? = nil, meaning: String, unit: String = "", kind: Kind,
    range: ClosedRange<Double>? = nil, isShare: Bool? = nil
  ) {
    (self.name, self.label, self.meaning, self.unit, self.kind) = (name, label, meaning, unit, kind)
    self.title = title ?? Self.words(of: name)
    self.range = kind == .proportion ? 0...1 : range
    self.isShare = isShare ?? (self.range == 0...1)
    isPercent = self.isShare
  }

  /// The last part of a name, split at capitals: `feed.rightWeek` gives `right week`.
  private static func words(of name: String) -> String {
    (name.split(separator: ".").last ?? "").map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
  }

  /// The name with its label, as thresholds write it: `ev[6d]`.
  package var fullName: String { label.map { "\(name)[\($0)]" } ?? name }

  /// The measure of a figure of which only whole numbers are possible, or not.
  func whole(_ isWhole: Bool) -> Measure {
    var measure = self
    measure.isWhole = isWhole
    return measure
  }

  /// The measure of a figure that is shown in percent, or not.
  func inPercent(_ isPercent: Bool) -> Measure {
    var measure = self
    measure.isPercent = isPercent
    return measure
  }

  /// The measure of a figure that is known exactly.
  var exactly: Measure {
    Measure(name, of: label, title: title, meaning: meaning, unit: unit, kind: .exact, isShare: isShare)
      .inPercent(isPercent)
  }

  /// The measure with another label.
  func labelled(_ label: String?) -> Measure {
    var measure = self
    measure.label = label
    return measure
  }
}

/// One row of a lab's table of measures: a measure, and how its value is read from a finding.
public struct MeasureRow<Finding>: Sendable {
  private let measure: Measure
  /// `nil` if there was nothing to measure.
  private let value: @Sendable (Finding) -> Measurement.Value?
  /// More about the observations of a mean than its value.
  private let evidence: @Sendable (Finding) -> Measurement.Evidence?

  /// The name that thresholds use.
  public var name: String { measure.name }

  private init(
    _ name: String, of label: String? = nil, _ title: String?, _ meaning: String, _ unit: String,
    _ kind: Measure.Kind, range: ClosedRange<Double>? = nil, isShare: Bool? = nil,
    evidence: @escaping @Sendable (Finding) -> Measurement.Evidence? = { _ in nil },
    _ value: @escaping @Sendable (Finding) -> Measurement.Value?
  ) {
    measure = Measure(
      name, of: label, title: title, meaning: meaning, unit: unit, kind: kind, range: range, isShare: isShare)
    (self.value, self.evidence) = (value, evidence)
  }

  /// Computed, without sampling error; `nil` if there is nothing to compute. A share is shown in percent.
  public static func exact(
    _ name: String, of label: String? = nil, title: String? = nil, _ meaning: String, unit: String = "",
    isShare: Bool = false, _ value: @escaping @Sendable (Finding) -> Double?
  ) -> Self {
    Self(name, of: label, title, meaning, unit, .exact, isShare: isShare) { value($0).map { .exact($0) } }
  }

  /// Counted; undecided samples may add to it.
  public static func count(
    _ name: String, of label: String? = nil, title: String? = nil, _ meaning: String, unit: String = "",
    undecided: @escaping @Sendable (Finding) -> Int = { _ in 0 }, _ value: @escaping @Sendable (Finding) -> Int?
  ) -> Self {
    Self(name, of: label, title, meaning, unit, .count) { finding in
      value(finding).map { .count($0, undecided: undecided(finding)) }
    }
  }

  /// A share of independent trials whose number was fixed beforehand.
  public static func proportion(
    _ name: String, title: String? = nil, _ meaning: String,
    _ value: @escaping @Sendable (Finding) -> (successes: Int, trials: Int)
  ) -> Self {
    Self(name, title, meaning, "", .proportion) {
      let (successes, trials) = value($0)
      return .proportion(successes: successes, trials: trials)
    }
  }

  /// The mean of independent observations, each of which lies in the range if there is one; `value` returns
  /// `Measurement.Value.mean`. A mean from 0 to 1 is a share, shown in percent, unless stated otherwise.
  public static func mean(
    _ name: String, title: String? = nil, _ meaning: String, unit: String = "", range: ClosedRange<Double>?,
    isShare: Bool? = nil, _ value: @escaping @Sendable (Finding) -> Measurement.Value?
  ) -> Self {
    Self(name, title, meaning, unit, .mean, range: range, isShare: isShare, value)
  }

  /// The mean of independent observations without known bounds, all of which `values` returns; it decides only where
  /// they show that it is nearly normal.
  public static func mean(
    _ name: String, title: String? = nil, _ meaning: String, unit: String = "",
    of values: @escaping @Sendable (Finding) -> [Double]
  ) -> Self {
    Self(
      name, title, meaning, unit, .mean, evidence: { SampleShape(of: values($0)).map { .shape($0) } },
      { finding in
        let all = values(finding)
        let mean = all.reduce(0, +) / Double(max(1, all.count))
        let squares = all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let deviation = all.count > 1 ? (squares / Double(all.count - 1)).squareRoot() : 0
        return .mean(mean, standardDeviation: deviation, samples: all.count)
      })
  }

  /// In an interval of a confidence; `value` returns `Measurement.Value.interval`.
  public static func interval(
    _ name: String, of label: String? = nil, title: String? = nil, _ meaning: String, unit: String = "",
    confidence: Double, range: ClosedRange<Double>? = nil,
    _ value: @escaping @Sendable (Finding) -> Measurement.Value?
  ) -> Self {
    Self(name, of: label, title, meaning, unit, .interval(confidence: confidence), range: range, value)
  }

  /// The measure, with a label unless the row has its own.
  public func measure(of label: String? = nil) -> Measure {
    var measure = measure
    measure.label = measure.label ?? label
    return measure
  }

  /// The measurement; `nil` if there was nothing to measure.
  public func measurement(of label: String? = nil, in finding: Finding) -> Measurement? {
    value(finding).map { Measurement(measure(of: label), $0, evidence: evidence(finding)) }
  }
}

extension Array {
  /// Every measure of every label, label by label.
  public func measures<Finding>(of labels: [String?] = [nil]) -> [Measure] where Element == MeasureRow<Finding> {
    labels.flatMap { label in map { $0.measure(of: label) } }
  }

  /// The measurements of all measures that have a value in the finding.
  public func measurements<Finding>(of label: String? = nil, in finding: Finding) -> [Measurement]
  where Element == MeasureRow<Finding> {
    compactMap { $0.measurement(of: label, in: finding) }
  }
}

/// The figure found for a measure, with all that its interval needs.
public struct Measurement: Hashable, Sendable {
  /// A figure with all that its interval at any confidence needs.
  public enum Value: Hashable, Sendable {
    case exact(Double)
    /// A count, which may grow by up to `undecided` once everything is decided.
    case count(Int, undecided: Int)
    /// Successes among independent trials whose number was fixed beforehand, or is one of the `bonferroniDivisor`
    /// possible numbers.
    case proportion(successes: Int, trials: Int)
    /// The mean of independent observations, whose number was fixed in the same way.
    case mean(Double, standardDeviation: Double, samples: Int)
    /// An estimate with an interval that holds at one confidence, for example across all cells or at any stopping time.
    case interval(Double, low: Double, high: Double, confidence: Double, samples: Int)
  }

  /// The measure that was taken.
  public let measure: Measure
  /// The figure that was found.
  public let value: Value
  /// The divisor of the error of its interval: above 1 where the run might have ended at any of several numbers of
  /// samples, fixed beforehand.
  package let bonferroniDivisor: Int
  /// More about the observations of a mean than its moments; `nil` if no more is known.
  package let evidence: Evidence?

  /// The assumptions that the interval of a mean may use.
  public enum Evidence: Hashable, Sendable {
    /// Of observations without known bounds.
    case shape(SampleShape)
    /// Of observations in a known range.
    case first(FirstObservations)
  }

  /// A measurement; the value must be of the measure's nature.
  public init(_ measure: Measure, _ value: Value, bonferroniDivisor: Int = 1, evidence: Evidence? = nil) {
    (self.measure, self.value, self.bonferroniDivisor, self.evidence) = (measure, value, bonferroniDivisor, evidence)
  }

  /// The single figure to show: the value, the count, the share or the mean.
  public var estimate: Double {
    switch value {
    case .exact(let value), .mean(let value, _, _), .interval(let value, _, _, _, _): value
    case .count(let count, _): Double(count)
    case .proportion(let successes, let trials): trials == 0 ? 0 : Double(successes) / Double(trials)
    }
  }

  /// The number of trials or observations; `nil` for computed and counted figures.
  package var samples: Int? {
    switch value {
    case .exact, .count: nil
    case .proportion(_, let trials): trials
    case .mean(_, _, let samples), .interval(_, _, _, _, let samples): samples
    }
  }
}

extension Array<Measurement> {
  /// The measurement with this name, as thresholds write it: `wait`, or `longest[p95]` with a label.
  ///
  ///     #expect(try Counter().run(samples: 2_000)["longest[p95]"].estimate < 40)
  ///
  /// - Throws: an error that names all measures, and the nearest, if none has the name.
  public subscript(name: String) -> Measurement {
    get throws {
      guard let found = first(where: { $0.measure.fullName == name }) else {
        throw UnknownMeasure(name: name, known: map(\.measure.fullName))
      }
      return found
    }
  }
}

/// A measure that a test names, and that the experiment does not have.
private struct UnknownMeasure: Error, CustomStringConvertible {
  let name: String
  let known: [String]

  var description: String {
    "there is no measure '\(name)', expected one of \(known.joined(separator: ", "))"
      + Spelling.hint(for: name, among: known)
  }
}

extension Measurement {
  /// The measurement as in `result.json`: the measure, then the figures of its nature.
  package var json: JSONValue {
    var members = [JSONMember("name", .string(measure.name))]
    if let label = measure.label { members.append(JSONMember("label", .string(label))) }
    members.append(JSONMember("meaning", .string(measure.meaning)))
    if !measure.unit.isEmpty { members.append(JSONMember("unit", .string(measure.unit))) }
    let range = measure.kind == .mean ? measure.range : nil
    let ends = range.map { [("min", JSONValue.figure($0.lowerBound)), ("max", .figure($0.upperBound))] } ?? []
    let shared = bonferroniDivisor > 1 ? [("divisor", JSONValue.integer(bonferroniDivisor))] : []
    return .object(
      members + (value.figures + ends + shared).map { JSONMember($0.0, $0.1) } + (evidence.map { [$0.json] } ?? []))
  }

  /// Reads a measurement back.
  ///
  /// - Throws: `ReportingError.badMember`.
  package init(json: JSONField) throws(ReportingError) {
    let (kind, value) = try Self.figures(in: json)
    var range: ClosedRange<Double>?
    if kind == .mean, let minimum = try json.member("min")?.figure() {
      let maximum = try json.required("max")
      // The comparison also excludes NaN.
      guard let end = try? maximum.figure(from: minimum), minimum <= end else {
        throw maximum.bad(expected: "a number from 'min' on")
      }
      range = minimum...end
    }
    let measure = Measure(
      try json.required("name").string(), of: try json.member("label")?.string(),
      meaning: try json.required("meaning").string(),
      unit: try json.member("unit")?.string() ?? "", kind: kind,
      range: range)
    self.init(
      measure, value, bonferroniDivisor: try json.member("divisor")?.integer(in: 1...Int.max) ?? 1,
      evidence: kind == .mean ? try Evidence(json: json) : nil)
  }

  private static func figures(in json: JSONField) throws(ReportingError) -> (Measure.Kind, Value) {
    func figure(_ key: String, from minimum: Double = -.infinity) throws(ReportingError) -> Double {
      try json.required(key).figure(from: minimum)
    }
    func count(_ key: String, from minimum: Int = 0) throws(ReportingError) -> Int {
      try json.required(key).integer(in: minimum...Int.max)
    }
    let kind = try json.required("kind")
    switch try kind.string() {
    case "exact":
      return (.exact, .exact(try figure("value")))
    case "count":
      return (.count, .count(try count("count", from: .min), undecided: try count("undecided")))
    case "proportion":
      let successes = try count("successes")
      return (.proportion, .proportion(successes: successes, trials: try count("trials", from: successes)))
    case "mean":
      let (mean, deviation) = (try figure("mean"), try figure("standardDeviation", from: 0))
      return (.mean, .mean(mean, standardDeviation: deviation, samples: try count("samples")))
    case "interval":
      let (value, low) = (try figure("value"), try figure("low"))
      let (high, confidence) = (try figure("high", from: low), try json.required("confidence").number(in: 0...1))
      let samples = try count("samples")
      return (
        .interval(confidence: confidence),
        .interval(value, low: low, high: high, confidence: confidence, samples: samples)
      )
    default:
      throw kind.bad(expected: "one of exact, count, proportion, mean, interval")
    }
  }
}

/// Equality by the figures; NaN equals NaN.
extension Measurement.Value {
  /// Returns true if the figures of both are the same; NaN equals NaN.
  public static func == (one: Self, other: Self) -> Bool { one.key == other.key }

  /// Hashes the figures; all NaN alike.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  private var key: [JSONValue] { figures.map(\.1) }

  /// The figures, headed by the nature's name, which determines the others.
  fileprivate var figures: [(String, JSONValue)] {
    switch self {
    case .exact(let value):
      [("kind", "exact"), ("value", .figure(value))]
    case .count(let count, let undecided):
      [("kind", "count"), ("count", .integer(count)), ("undecided", .integer(undecided))]
    case .proportion(let successes, let trials):
      [("kind", "proportion"), ("successes", .integer(successes)), ("trials", .integer(trials))]
    case .mean(let mean, let deviation, let samples):
      [
        ("kind", "mean"), ("mean", .figure(mean)), ("standardDeviation", .figure(deviation)),
        ("samples", .integer(samples)),
      ]
    case .interval(let value, let low, let high, let confidence, let samples):
      [
        ("kind", "interval"), ("value", .figure(value)), ("low", .figure(low)), ("high", .figure(high)),
        ("confidence", .number(confidence)), ("samples", .integer(samples)),
      ]
    }
  }
}

extension Measurement.Evidence {
  /// The member of a measurement's JSON.
  package var json: JSONMember {
    switch self {
    case .shape(let shape):
      JSONMember(
        "shape",
        .object(
          [
            JSONMember("skewness", .figure(shape.skewness)),
            JSONMember("farthestShare", .figure(shape.farthestShare)),
            JSONMember("min", .figure(shape.seen.lowerBound)), JSONMember("max", .figure(shape.seen.upperBound)),
          ]
            + (shape.coefficients > 0 ? [JSONMember("coefficients", .integer(shape.coefficients))] : [])))
    case .first(let first):
      JSONMember(
        "first",
        ["samples": .integer(first.count), "mean": .figure(first.mean), "squares": .figure(first.squares)])
    }
  }

  /// Reads the evidence of a measurement's JSON; `nil` if it has none.
  ///
  /// - Throws: `ReportingError.badMember`.
  package init?(json: JSONField) throws(ReportingError) {
    if let shape = try json.member("shape") {
      let minimum = try shape.required("min").figure()
      let maximum = try shape.required("max")
      let end = try maximum.figure(from: minimum)
      guard minimum <= end else { throw maximum.bad(expected: "a number from 'min' on") }
      self = .shape(
        SampleShape(
          skewness: try shape.required("skewness").figure(),
          farthestShare: try shape.required("farthestShare").figure(),
          seen: minimum...end, coefficients: try shape.member("coefficients")?.integer(in: 1...9) ?? 0))
    } else if let first = try json.member("first") {
      self = .first(
        FirstObservations(
          count: try first.required("samples").integer(in: 0...Int.max), mean: try first.required("mean").figure(),
          squares: try first.required("squares").figure(from: 0)))
    } else {
      return nil
    }
  }
}

extension Measurement.Value {
  /// The mean of a tally's values, each multiplied by `slope` and moved by `offset`.
  public static func mean(of tally: MomentTally, slope: Double = 1, offset: Double = 0) -> Self {
    .mean(
      offset + tally.mean * slope, standardDeviation: tally.standardDeviation * abs(slope), samples: tally.count)
  }
}

extension Measurement {
  /// The interval of the true figure, both ends together holding at a confidence.
  ///
  /// A proportion has Clopper and Pearson's interval and a mean in a known range that of `BoundedSample`, with the same
  /// error at both ends: these are valid for any number of samples. An unbounded mean has that of `UnboundedSample`, if
  /// it is nearly normal, from `fewestUnbounded` samples that are not all alike. An exact value has an interval
  /// of no width; a count's includes the undecided samples. A measurement that is an interval returns it for its own
  /// confidence and any lower one. Otherwise the interval is the whole range of the figure. The confidence is above 0
  /// and below 1.
  public func interval(at confidence: Double) -> ClosedRange<Double> {
    ends(tail: (1 - confidence) / 2, error: 1 - confidence)
  }

  /// The interval from the one-sided lower bound of the true figure to its one-sided upper bound, each at the
  /// confidence.
  ///
  /// At 0.99 these are the ends of the two-sided interval at 0.98. A measurement that is an interval cannot be split
  /// and keeps its ends. The confidence is above 0.5 and below 1.
  package func bounds(at confidence: Double) -> ClosedRange<Double> {
    ends(tail: 1 - confidence, error: 1 - confidence)
  }

  /// The interval of the figure at the confidence, or at its own if the measurement is an interval.
  package func knownRange(at confidence: Double) -> ClosedRange<Double> { interval(at: ownConfidence(confidence)) }

  /// The confidence of `knownRange(at:)`: 1 for computed and counted figures.
  package func ownConfidence(_ confidence: Double) -> Double {
    switch value {
    case .exact, .count: 1
    case .proportion, .mean: confidence
    case .interval(_, _, _, let own, _): own
    }
  }

  /// The ends of the interval. `tail` is the probability, before sampling, that the figure lies below the lower end,
  /// and that it lies above the upper; `error` is the largest error allowed for an interval with a fixed confidence.
  private func ends(tail: Double, error: Double) -> ClosedRange<Double> {
    switch value {
    case .exact(let value):
      .spanning(value, value)
    case .count(let count, let undecided):
      .spanning(Double(count), Double(count) + Double(max(0, undecided)))
    case .proportion(let successes, let trials):
      Self.proportion(successes, of: trials, tail: tail / Double(bonferroniDivisor))
    case .mean(let mean, let deviation, let samples):
      if let range = measure.range, mean.isFinite {
        boundedSample?.interval(tail: tail, looks: bonferroniDivisor) ?? (samples < 1 ? range : .everything)
      } else {
        UnboundedSample(mean: mean, standardDeviation: deviation, count: samples, shape: shape)
          .interval(tail: tail / Double(bonferroniDivisor)) ?? .everything
      }
    case .interval(_, let low, let high, let confidence, _):
      // The error is 1 minus a decimal; rounding must not refuse the interval's own confidence.
      1 - confidence <= error * (1 + 1e-9) ? .spanning(low, high) : .everything
    }
  }

  private static func proportion(_ successes: Int, of trials: Int, tail: Double) -> ClosedRange<Double> {
    guard let interval = try? BinomialInterval(successes: successes, trials: trials, confidence: 1 - 2 * tail) else {
      return 0...1
    }
    return .spanning(interval.lower, interval.upper)
  }

  /// The fewest unbounded observations whose mean is nearly normal.
  public static var fewestUnbounded: Int { UnboundedSample.fewest }

  /// The sample of a mean in a known range; `nil` for anything else and without observations.
  var boundedSample: BoundedSample? {
    guard case .mean(let mean, let deviation, let samples) = value, let range = measure.range else { return nil }
    var first: FirstObservations?
    if case .first(let found) = evidence { first = found }
    return BoundedSample(mean: mean, standardDeviation: deviation, count: samples, range: range, first: first)
  }

  /// The sample of a mean without a known range; `nil` for anything else.
  var unboundedSample: UnboundedSample? {
    guard case .mean(let mean, let deviation, let samples) = value, measure.range == nil else { return nil }
    return UnboundedSample(mean: mean, standardDeviation: deviation, count: samples, shape: shape)
  }

  private var shape: SampleShape? { if case .shape(let shape) = evidence { shape } else { nil } }

  /// The basis of an interval: `exact`, `bounded`, `asymptotic` with the samples' skewness, or `own` for an
  /// interval that the experiment computed.
  package var basis: String {
    switch value {
    case .exact, .count, .proportion: "exact"
    case .interval: "own"
    case .mean: unboundedSample?.basis ?? "bounded"
    }
  }
}

extension UnboundedSample {
  /// The statistics that show whether the mean is nearly normal.
  var signs: String {
    guard let shape else { return "skewness not measured" }
    let size = log10(max(abs(shape.skewness), 1e-9))
    let skewness = NumberFormat.fixed(shape.skewness, decimals: size < 1 ? 1 : 0)
    return "skewness \(skewness), \(min(count, SampleShape.farthest)) of the samples carry "
      + "\(NumberFormat.percent(shape.farthestShare, decimals: 0)) of the variance"
  }

  /// The basis of its interval, or the reason why it has none.
  var basis: String { "\(isNearlyNormal ? "asymptotic" : "not nearly normal") (\(signs))" }
}

extension ClosedRange<Double> {
  /// All numbers.
  public static var everything: Self { -.infinity ... .infinity }

  /// The range of two numbers; everything if they are not in order or one is NaN.
  static func spanning(_ low: Double, _ high: Double) -> Self { low <= high ? low...high : everything }
}
