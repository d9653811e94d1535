// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Reporting
internal import Scenarios
internal import Statistics

/// A measure of samples: the figure read from each sample, and the statistic of all. A measure with labels is a family:
/// one figure for each label, such as a rank for each week.
public struct SampleMeasure<Sample>: Sendable {
  enum Kind: Hashable, Sendable {
    case mean(range: ClosedRange<Double>?)
    case share
    case percentiles([Double])
    /// Of two columns for each label.
    case ratio
    /// Of products with a weight, and the weights.
    case weighted
    /// Of numbers and those of a control variate, whose expectation is computed.
    case controlled
    /// Computed from the parameters, without a column.
    case exact(isShare: Bool)
  }

  let name: String
  let meaning: String
  let unit: String
  private(set) var kind: Kind
  /// True if each sample is a pair of antithetic draws.
  private(set) var isOfPairs = false
  /// The labels of a family; `[nil]` for a single measure.
  let labels: [String?]
  /// The points of a series, each of which is a label, and the title of their axis; `nil` for any other measure.
  let series: (points: [Int], axis: String)?
  /// Appends the columns of a sample for all labels, 1 or 0 for a share.
  let read: @Sendable (Sample, inout [Double]) -> Void
  /// The figure that an experiment computes for each label.
  private var compute: @Sendable (Any, _ label: Int) throws -> Double? = { _, _ in nil }

  private init(
    _ name: String, _ meaning: String, unit: String = "", _ kind: Kind, labels: [String?] = [nil],
    series: (points: [Int], axis: String)? = nil,
    columns: @escaping @Sendable (Sample, _ label: Int, inout [Double]) -> Void
  ) {
    (self.name, self.meaning, self.unit, self.kind, self.labels) = (name, meaning, unit, kind, labels)
    self.series = series
    let count = labels.count
    read = { sample, row in for index in 0..<count { columns(sample, index, &row) } }
  }

  /// A measure with a column for each label.
  private init(
    _ name: String, _ meaning: String, unit: String = "", _ kind: Kind, labels: [String?] = [nil],
    series: (points: [Int], axis: String)? = nil, _ value: @escaping @Sendable (Sample, Int) -> Double
  ) {
    self.init(name, meaning, unit: unit, kind, labels: labels, series: series) { $2.append(value($0, $1)) }
  }

  /// The mean of a number that every sample has.
  ///
  ///     let wait: SampleMeasure<[Double]> = .mean("wait", "How long customers wait.", unit: "min") { $0.mean }
  ///
  /// - Parameters:
  ///   - name: the name for thresholds: words joined by points.
  ///   - meaning: one sentence.
  ///   - unit: the number's unit; empty for a pure number.
  ///   - range: the range of every sample's number, if known: the interval is then valid for any number of samples.
  ///     Without it the mean decides only where the samples show that it is nearly normal.
  ///   - value: the number of a sample, finite.
  /// - Returns: the measure.
  public static func mean(
    _ name: String, _ meaning: String, unit: String = "", range: ClosedRange<Double>? = nil,
    _ value: @escaping @Sendable (Sample) -> Double
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .mean(range: range)) { sample, _ in value(sample) }
  }

  /// A mean for each label, by the label's index.
  ///
  ///     let waits: SampleMeasure<[Double]> =
  ///       .mean("wait", "How long customers wait.", unit: "min", labels: ["counter 1", "counter 2"]) { $0[$1] }
  public static func mean(
    _ name: String, _ meaning: String, unit: String = "", range: ClosedRange<Double>? = nil, labels: [String],
    _ value: @escaping @Sendable (Sample, Int) -> Double
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .mean(range: range), labels: labels, value)
  }

  /// A mean for each of many points, such as days, drawn as a curve with its band. The point is the label, `open[30]`,
  /// and the interval of a point holds individually, not for the whole curve.
  ///
  ///     let open: SampleMeasure<[Int]> =
  ///       .series("open", "Open orders.", at: 0...30, along: "day") { Double($0[$1]) }
  ///
  /// - Parameters:
  ///   - name: the name for thresholds: words joined by points.
  ///   - meaning: one sentence.
  ///   - unit: the numbers' unit; empty for pure numbers.
  ///   - range: the range of every number, if known.
  ///   - points: the points, in rising order.
  ///   - axis: what a point is, for tables and the axis of the curve.
  ///   - value: the number of a sample at a point.
  /// - Returns: the measure.
  public static func series(
    _ name: String, _ meaning: String, unit: String = "", range: ClosedRange<Double>? = nil,
    at points: some Sequence<Int>, along axis: String = "point",
    _ value: @escaping @Sendable (Sample, Int) -> Double
  ) -> SampleMeasure {
    let points = Array(points)
    return SampleMeasure(
      name, meaning, unit: unit, .mean(range: range), labels: points.map { "\($0)" }, series: (points, axis)
    ) { value($0, points[$1]) }
  }

  /// The share of the samples for which a condition is true, with Clopper and Pearson's interval.
  ///
  ///     let rush: SampleMeasure<[Double]> =
  ///       .share("rush", "Days on which somebody waits long.") { $0.contains { $0 > 10 } }
  public static func share(
    _ name: String, _ meaning: String, _ isSo: @escaping @Sendable (Sample) -> Bool
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, .share) { sample, _ in isSo(sample) ? 1 : 0 }
  }

  /// A share for each label, by the label's index.
  ///
  ///     let rush: SampleMeasure<[Double]> =
  ///       .share("rush", "Days with a long wait.", labels: ["counter 1", "counter 2"]) { $0[$1] > 10 }
  public static func share(
    _ name: String, _ meaning: String, labels: [String], _ isSo: @escaping @Sendable (Sample, Int) -> Bool
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, .share, labels: labels) { isSo($0, $1) ? 1 : 0 }
  }

  /// Percentiles of a number that every sample has, labelled `p50` and the like, with the interval of order statistics,
  /// which is valid for any distribution; each end is exact to a thousandth. Percents are above 0 and below 100.
  ///
  ///     let longest: SampleMeasure<[Double]> =
  ///       .percentiles("longest", "The longest wait of a day.", unit: "min", [50, 95]) { $0.max() ?? 0 }
  public static func percentiles(
    _ name: String, _ meaning: String, unit: String = "", _ percents: [Double],
    _ value: @escaping @Sendable (Sample) -> Double
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .percentiles(percents)) { sample, _ in value(sample) }
  }

  /// Percentiles for each label, by the label's index: `wait[counter 1, p95]`.
  ///
  ///     let waits: SampleMeasure<[Double]> =
  ///       .percentiles("wait", "A wait.", unit: "min", [50, 95], labels: ["counter 1", "counter 2"]) { $0[$1] }
  public static func percentiles(
    _ name: String, _ meaning: String, unit: String = "", _ percents: [Double], labels: [String],
    _ value: @escaping @Sendable (Sample, Int) -> Double
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .percentiles(percents), labels: labels, value)
  }

  /// The ratio of two sums over all samples, such as what was won over what was bet. It is not the mean of the samples'
  /// own ratios. Its interval is by the delta method; it decides only where the samples show that the ratio is nearly
  /// normal.
  ///
  ///     let late: SampleMeasure<(late: Int, all: Int)> =
  ///       .ratio("late", "Late orders of all.") { Double($0.late) } over: { Double($0.all) }
  ///
  /// - Parameters:
  ///   - name: the name for thresholds: words joined by points.
  ///   - meaning: one sentence.
  ///   - unit: the unit of the ratio; empty for a pure number.
  ///   - numerator: what a sample adds to the upper sum, finite.
  ///   - denominator: what it adds to the lower sum, finite.
  /// - Returns: the measure.
  public static func ratio(
    _ name: String, _ meaning: String, unit: String = "", _ numerator: @escaping @Sendable (Sample) -> Double,
    over denominator: @escaping @Sendable (Sample) -> Double
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .ratio) { sample, _, row in
      row.append(numerator(sample))
      row.append(denominator(sample))
    }
  }

  /// A ratio of sums for each label, by the label's index.
  ///
  ///     let late: SampleMeasure<[(late: Int, all: Int)]> =
  ///       .ratio("late", "Late orders of all.", labels: ["shop 1", "shop 2"]) { Double($0[$1].late) }
  ///       over: { Double($0[$1].all) }
  public static func ratio(
    _ name: String, _ meaning: String, unit: String = "", labels: [String],
    _ numerator: @escaping @Sendable (Sample, Int) -> Double,
    over denominator: @escaping @Sendable (Sample, Int) -> Double
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .ratio, labels: labels) { sample, label, row in
      row.append(numerator(sample, label))
      row.append(denominator(sample, label))
    }
  }

  /// The mean of a number, corrected by another number of the sample whose expectation is known, a control variate:
  /// samples that have too much of the one have too much of the other. The coefficient is that of their regression,
  /// estimated from the same samples, which costs a degree of freedom and a bias of the order of 1/n, next to an
  /// interval of the order of 1/sqrt(n) (Lavenberg and Welch 1981). The report states the gain. If the control is more
  /// than six standard errors from what is expected, it is not used, and the report warns: then the expectation is
  /// wrong. Between two settings, differences are those of the numbers themselves.
  ///
  ///     func wait<Counter: SampledExperiment>(
  ///       expecting service: @escaping @Sendable (Counter) -> Double
  ///     ) -> SampleMeasure<Counter.Sample> where Counter.Sample == (wait: Double, service: Double) {
  ///       .mean("wait", "The wait.", control: { $0.service }, expecting: service) { $0.wait }
  ///     }
  ///
  /// - Parameters:
  ///   - name: the name for thresholds: words joined by points.
  ///   - meaning: one sentence.
  ///   - unit: the number's unit; empty for a pure number.
  ///   - control: another number of a sample, finite, such as the mean of what was drawn.
  ///   - expectation: the exact expectation of that number for an experiment's parameters: `\Self.meanService`.
  ///   - value: the number of a sample, finite.
  /// - Returns: the measure.
  public static func mean<Core: SampledExperiment>(
    _ name: String, _ meaning: String, unit: String = "", control: @escaping @Sendable (Sample) -> Double,
    expecting expectation: @escaping @Sendable (Core) throws -> Double,
    _ value: @escaping @Sendable (Sample) -> Double
  ) -> SampleMeasure where Core.Sample == Sample {
    var measure = SampleMeasure(name, meaning, unit: unit, .controlled) { sample, _, row in
      row.append(value(sample))
      row.append(control(sample))
    }
    measure.compute = { core, _ in try (core as? Core).map(expectation) }
    return measure
  }

  /// The mean of a number times the weight of its sample, for samples that are drawn by another distribution than the
  /// one that is meant: the weight is the ratio of their probabilities, so that weights have the mean 1. The report
  /// states the effective number of samples, and warns where few of them carry the sum. For a mean by weights that are
  /// known up to a factor, use a ratio of `value * weight` over `weight`.
  ///
  ///     let overflow: SampleMeasure<(isFull: Bool, weight: Double)> =
  ///       .weighted("overflow", "The chance of an overflow.") { ($0.isFull ? 1 : 0, $0.weight) }
  ///
  /// - Parameters:
  ///   - name: the name for thresholds: words joined by points.
  ///   - meaning: one sentence.
  ///   - unit: the number's unit; empty for a pure number.
  ///   - value: the number of a sample and its weight, both finite.
  /// - Returns: the measure.
  public static func weighted(
    _ name: String, _ meaning: String, unit: String = "",
    _ value: @escaping @Sendable (Sample) -> (value: Double, weight: Double)
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .weighted) { sample, _, row in
      let (value, weight) = value(sample)
      row.append(value * weight)
      row.append(weight)
    }
  }

  /// A weighted mean for each label, by the label's index.
  ///
  ///     let overflow: SampleMeasure<(levels: [Int], weight: Double)> =
  ///       .weighted("overflow", "The chance of an overflow.", labels: ["tank 1", "tank 2"]) {
  ///         ($0.levels[$1] > 9 ? 1 : 0, $0.weight)
  ///       }
  public static func weighted(
    _ name: String, _ meaning: String, unit: String = "", labels: [String],
    _ value: @escaping @Sendable (Sample, Int) -> (value: Double, weight: Double)
  ) -> SampleMeasure {
    SampleMeasure(name, meaning, unit: unit, .weighted, labels: labels) { sample, label, row in
      let (value, weight) = value(sample, label)
      row.append(value * weight)
      row.append(weight)
    }
  }

  /// A figure that is computed from the parameters, without sampling error: a second witness next to a sampled one.
  ///
  ///     struct Die: SampledExperiment {
  ///       static let kind = "dice.throw", summary = "A die."
  ///       var sides = 6
  ///       static let parameters: [Parameter<Self>] = []
  ///       static let measures: [SampleMeasure<Int>] = [
  ///         .mean("pips", "The pips.") { Double($0) }, .exact("expected", "Their mean, computed.", \Die.expected),
  ///       ]
  ///       var expected: Double { Double(sides + 1) / 2 }
  ///       func sample(_ random: inout RandomStream) -> Int { random.integer(in: 1...sides) }
  ///     }
  ///
  /// - Parameters:
  ///   - name: the name for thresholds: words joined by points.
  ///   - meaning: one sentence.
  ///   - unit: the figure's unit; empty for a pure number.
  ///   - isShare: true if it is a share from 0 to 1, shown in percent.
  ///   - value: the figure of an experiment; `nil` if there is nothing to compute for its parameters.
  /// - Returns: the measure.
  public static func exact<Core: SampledExperiment>(
    _ name: String, _ meaning: String, unit: String = "", isShare: Bool = false,
    _ value: @escaping @Sendable (Core) throws -> Double?
  ) -> SampleMeasure where Core.Sample == Sample {
    var measure = SampleMeasure(name, meaning, unit: unit, .exact(isShare: isShare), columns: { _, _, _ in })
    measure.compute = { core, _ in try (core as? Core).flatMap(value) }
    return measure
  }

  /// A figure that a rare event computes from its parameters, such as its exact probability.
  ///
  ///     func exact<Overflow: RareEvent>(
  ///       _ chance: @escaping @Sendable (Overflow) -> Double
  ///     ) -> SampleMeasure<Replicate> { .exact("probability.exact", "The same, computed.", chance) }
  public static func exact<Core: RareEvent>(
    _ name: String, _ meaning: String, unit: String = "", isShare: Bool = false,
    _ value: @escaping @Sendable (Core) throws -> Double?
  ) -> SampleMeasure where Sample == Replicate {
    exact(name, meaning, unit: unit, isShare: isShare) { (splitting: Splitting<Core>) in try value(splitting.core) }
  }

  /// A computed figure for each label, by the label's index.
  ///
  ///     func expected<Dice: SampledExperiment>(
  ///       _ mean: @escaping @Sendable (Dice, Int) -> Double
  ///     ) -> SampleMeasure<Dice.Sample> {
  ///       .exact("expected", "Their mean, computed.", labels: ["first", "second"], mean)
  ///     }
  public static func exact<Core: SampledExperiment>(
    _ name: String, _ meaning: String, unit: String = "", isShare: Bool = false, labels: [String],
    _ value: @escaping @Sendable (Core, Int) throws -> Double?
  ) -> SampleMeasure where Core.Sample == Sample {
    var measure = SampleMeasure(
      name, meaning, unit: unit, .exact(isShare: isShare), labels: labels, columns: { _, _, _ in })
    measure.compute = { core, label in try (core as? Core).flatMap { try value($0, label) } }
    return measure
  }
}

extension SampleMeasure {
  /// True if it has a figure for each of several labels.
  var isFamily: Bool { labels != [nil] }

  /// The measures that thresholds may name, label by label.
  func measures(confidence: Double) -> [Measure] {
    labels.flatMap { label -> [Measure] in
      switch kind {
      case .mean(let range): [Measure(name, of: label, meaning: meaning, unit: unit, kind: .mean, range: range)]
      case .ratio, .weighted, .controlled: [Measure(name, of: label, meaning: meaning, unit: unit, kind: .mean)]
      case .share: [Measure(name, of: label, meaning: meaning, kind: .proportion)]
      case .exact(let isShare):
        [Measure(name, of: label, meaning: meaning, unit: unit, kind: .exact, isShare: isShare)]
      case .percentiles(let percents):
        percents.map {
          let percentile = "p\(NumberFormat.shortest($0))"
          return Measure(
            name, of: label.map { "\($0), \(percentile)" } ?? percentile, meaning: meaning, unit: unit,
            kind: .interval(confidence: confidence))
        }
      }
    }
  }

  // MARK: Columns

  /// The measure of antithetic pairs. A share is then a mean of 0, 1/2 and 1, whose interval in that range would be
  /// wider than what pairs gain; so it is one of numbers, whose interval is asymptotic.
  var ofPairs: SampleMeasure {
    var measure = self
    measure.isOfPairs = true
    if kind == .share { measure.kind = .mean(range: nil) }
    return measure
  }

  /// The names of the columns.
  var columnNames: [String] {
    labels.flatMap { label -> [String] in
      let full = label.map { "\(name)[\($0)]" } ?? name
      return switch kind {
      case .ratio: ["\(full).numerator", "\(full).denominator"]
      case .weighted: [full, "\(full).weight"]
      case .controlled: [full, "\(full).control"]
      case .mean, .share, .percentiles: [full]
      case .exact: []
      }
    }
  }

  /// The columns of a row; of pairs with a half of the difference of each.
  var columns: SampleColumns {
    ownColumns + SampleColumns(bucketed: isPaired ? ownColumns.bucketed.map { _ in false } : [])
  }

  /// True if the draws of a pair are averaged: of percentiles, which are not means, the first draw alone counts.
  var isPaired: Bool { if case .percentiles = kind { false } else { isOfPairs } }

  /// Those of a family have no distribution to draw, so that a hundred of them are light.
  private var ownColumns: SampleColumns {
    let one =
      switch kind {
      case .percentiles: SampleColumns(bucketed: [true])
      case .mean: SampleColumns(bucketed: [!isFamily])
      case .share: SampleColumns(bucketed: [false])
      case .ratio: SampleColumns(bucketed: [false, false], joint: [0..<2])
      case .weighted: SampleColumns(bucketed: [false, false])
      case .controlled: SampleColumns(bucketed: [true, false], joint: [0..<2])
      case .exact: SampleColumns()
      }
    return repeated(one)
  }

  /// The columns of a row that compares two settings, as `pair` gives it.
  var pairColumns: SampleColumns {
    switch kind {
    case .percentiles: ownColumns + ownColumns
    case .exact: ownColumns
    case .mean, .share, .weighted, .controlled: repeated(SampleColumns(bucketed: [false]))
    case .ratio: repeated(SampleColumns(bucketed: Array(repeating: false, count: 4), joint: [0..<4]))
    }
  }

  private func repeated(_ columns: SampleColumns) -> SampleColumns {
    labels.reduce(SampleColumns()) { all, _ in all + columns }
  }

  /// The row of a pair of samples: their differences, or both where two settings are compared by their own figures; of
  /// a ratio, both numerators and denominators.
  func pair(_ after: ArraySlice<Double>, _ before: ArraySlice<Double>) -> [Double] {
    switch kind {
    case .percentiles: return Array(after + before)
    case .mean, .share, .exact: return zip(after, before).map { $0 - $1 + 0 }
    case .weighted, .controlled:
      return zip(after, before).map { $0 - $1 + 0 }.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    case .ratio:
      let (after, before) = (Array(after), Array(before))
      return stride(from: 0, to: after.count, by: 2).flatMap { after[$0...($0 + 1)] + before[$0...($0 + 1)] }
    }
  }

  // MARK: Measurements

  /// The figures that an experiment computes; `nil` for a measure of samples.
  func computed(by core: Any) throws -> [Measurement]? {
    guard case .exact = kind else { return nil }
    return try measures(confidence: 0.5).enumerated().compactMap { label, measure in
      try compute(core, label).map { Measurement(measure, .exact($0)) }
    }
  }

  /// The differences of the figures that two settings compute; `nil` for a measure of samples.
  func computedDifferences(of core: Any, from other: Any) throws -> [Measurement]? {
    guard let (after, before) = try computed(by: core).flatMap({ after in try computed(by: other).map { (after, $0) } })
    else { return nil }
    return after.compactMap { one in
      before.first { $0.measure == one.measure }.map {
        Measurement(one.measure, .exact(one.estimate == $0.estimate ? 0 : one.estimate - $0.estimate))
      }
    }
  }

  /// The measurements at a look, with the divisor of its error; if that is `nil` the number of samples was not fixed
  /// beforehand, and percentiles have no interval. An experiment, `core`, computes the expectations of controls.
  func measurements(
    in tallies: SampleTallies, of core: Any? = nil, confidence: Double, bonferroniDivisor: Int?, lookedBefore: Bool
  ) -> [Measurement] {
    let found = labels.indices.flatMap { label -> [(Measurement.Value, Measurement.Evidence?)] in
      switch kind {
      case .exact: return []
      case .mean(let range):
        return [(.mean(of: tallies.columns[label].total), tallies.columns[label].evidence(in: range))]
      case .weighted:
        return [(.mean(of: tallies.columns[2 * label].total), tallies.columns[2 * label].evidence(in: nil))]
      case .ratio: return [ratio([.init(above: 0, below: 1)], of: label, in: tallies)]
      case .controlled: return [controlled(in: tallies, of: core).figures]
      // The sum of ones and zeros is exact.
      case .share:
        let total = tallies.columns[label].total
        return [(.proportion(successes: Int((total.mean * Double(total.count)).rounded()), trials: total.count), nil)]
      case .percentiles(let percents):
        return percents.map { percent in
          let one = tallies.columns[label].percentile(percent, error: (1 - confidence) / Double(bonferroniDivisor ?? 1))
          return (
            .interval(
              one.value, low: bonferroniDivisor == nil ? -.infinity : one.low,
              high: bonferroniDivisor == nil ? .infinity : one.high, confidence: confidence,
              samples: tallies.samples), nil
          )
        }
      }
    }
    return zip(measures(confidence: confidence), found).map { measure, found in
      // Percentiles have divided the error already. The looks before an interruption had up to half of it.
      Measurement(
        measure, found.0,
        bonferroniDivisor: measure.kind == .interval(confidence: confidence)
          ? 1 : bonferroniDivisor ?? (lookedBefore ? 2 : 1),
        evidence: found.1)
    }
  }

  /// The sum of ratios of a label's columns, as a mean of what a sample moves.
  private func ratio(
    _ parts: [JointMoments.Part], of label: Int, in tallies: SampleTallies
  ) -> (Measurement.Value, Measurement.Evidence?) {
    let width = 2 * parts.count
    let ranges = tallies.columns[label * width..<(label + 1) * width].map(\.reach)
    guard let found = tallies.joint[label].total?.ratios(parts, in: ranges) else {
      return (.mean(.nan, standardDeviation: 0, samples: tallies.samples), nil)
    }
    return (
      .mean(found.value, standardDeviation: found.deviation, samples: tallies.samples),
      found.shape.map { .shape($0) }
    )
  }

  /// The mean with its control; without one if its expectation cannot be computed.
  func controlled(in tallies: SampleTallies, of core: Any?) -> ControlledMean {
    ControlledMean(
      name, tallies.joint[0].total, in: tallies.columns.prefix(2).map(\.reach),
      expecting: core.flatMap { try? compute($0, 0) })
  }

  /// The differences from another setting: by the samples' differences, or by both settings' percentiles, each of whose
  /// intervals has half the error.
  func differences(in tallies: SampleTallies, confidence: Double) -> [Measurement] {
    func means(
      in range: ClosedRange<Double>?, _ value: (_ label: Int) -> (Measurement.Value, Measurement.Evidence?)
    ) -> [Measurement] {
      labels.enumerated().map { index, label in
        let (value, evidence) = value(index)
        return Measurement(
          Measure(name, of: label, meaning: meaning, unit: unit, kind: .mean, range: range), value, evidence: evidence)
      }
    }
    func differences(in range: ClosedRange<Double>?) -> [Measurement] {
      means(in: range) { (.mean(of: tallies.columns[$0].total), tallies.columns[$0].evidence(in: range)) }
    }
    switch kind {
    case .mean(let range):
      return differences(in: range.map { ($0.lowerBound - $0.upperBound)...($0.upperBound - $0.lowerBound) })
    case .exact: return []
    case .share: return differences(in: -1...1)
    case .weighted, .controlled: return differences(in: nil)
    case .ratio:
      return means(in: nil) {
        ratio([.init(above: 0, below: 1), .init(above: 2, below: 3, isNegative: true)], of: $0, in: tallies)
      }
    case .percentiles(let percents):
      let pairs = zip(tallies.columns.prefix(labels.count), tallies.columns.dropFirst(labels.count))
      let values = pairs.flatMap { after, before in
        percents.map { percent -> Measurement.Value in
          let one = after.percentile(percent, error: (1 - confidence) / 2)
          let other = before.percentile(percent, error: (1 - confidence) / 2)
          return .interval(
            one.value - other.value, low: one.low - other.high, high: one.high - other.low, confidence: confidence,
            samples: tallies.samples)
        }
      }
      return zip(measures(confidence: confidence), values).map { Measurement($0, $1) }
    }
  }
}

// MARK: Weights

/// The effective number of samples of a weighted measure, and how evenly they carry its sum.
struct WeightReport {
  let name: String
  let samples: Int
  /// The number of equal products that make as even a sum: (sum p)^2 / sum p^2, of the weights alone where products
  /// have both signs (Owen, "Monte Carlo theory, methods and examples" (2013), section 9.3).
  let effectiveSamples: Double
  let mean: Measurement
  /// The part of the sum that the ten largest products carry; above 1 where products of both signs cancel.
  let largestShare: Double

  /// True if few samples carry the sum, so that others like them may be missing.
  var isPoor: Bool { effectiveSamples < 100 || largestShare > 0.5 }

  /// A weight's tally follows that of its products.
  init(_ name: String, _ products: SampleTally, _ weights: SampleTally) {
    let isOneSided = products.minimum?.value ?? 0 >= 0 || products.maximum?.value ?? 0 <= 0
    let (total, counted) = (weights.total, isOneSided ? products.total : weights.total)
    self.name = name
    samples = total.count
    let (sum, square) = (abs(counted.mean) * Double(total.count), counted.mean * counted.mean * Double(total.count))
    effectiveSamples = sum > 0 ? sum * (sum / (counted.squares + square)) : 0
    mean = Measurement(
      Measure("\(name).weight", meaning: "The mean of the weights", kind: .mean), .mean(of: total),
      evidence: weights.evidence(in: nil))
    let ends = Dictionary((products.lowest + products.highest).map { ($0.sample, abs($0.value)) }) { one, _ in one }
    let all = abs(products.total.mean * Double(total.count))
    let largest = ends.values.sorted(by: >).prefix(SampleShape.farthest).reduce(0, +)
    largestShare = all > 0 ? largest / all : 0
  }

  func text(at confidence: Double) -> String {
    "\(name): the effective number of samples is \(NumberFormat.grouped(Int(effectiveSamples.rounded()))) of "
      + "\(NumberFormat.grouped(samples)). The mean of the weights is \(mean.text(at: confidence)); it is 1 if they "
      + "are right. The \(SampleShape.farthest) largest products carry "
      + "\(NumberFormat.percent(min(1, largestShare), decimals: 0)) of the sum."
      + (isPoor
        ? " Warning: few samples carry the sum, and others like them may be missing. Draw more samples, or from a "
          + "distribution in which large products are not rare." : "")
  }

  var json: JSONValue {
    [
      "name": .string(name), "effectiveSamples": .figure(effectiveSamples), "mean": .figure(mean.estimate),
      "largestShare": .figure(largestShare),
    ]
  }
}

extension SampleMeasure {
  /// The reports of the weights of each label; none for a measure without weights.
  func weights(in tallies: SampleTallies) -> [WeightReport] {
    guard kind == .weighted else { return [] }
    return measures(confidence: 0.5).enumerated().map { index, measure in
      WeightReport(measure.fullName, tallies.columns[2 * index], tallies.columns[2 * index + 1])
    }
  }
}

extension Measurement.Value {
  /// The mean of independent samples.
  fileprivate static func mean(of total: SampleTally.Moments) -> Self {
    .mean(total.mean, standardDeviation: total.deviation, samples: total.count)
  }
}
