// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Scenarios
internal import Statistics

/// A measure of samples: the figure read from each sample, and the statistic of all.
public struct SampleMeasure<Sample>: Sendable {
  enum Kind: Hashable, Sendable {
    case mean(range: ClosedRange<Double>?)
    case share
    case percentiles([Double])
  }

  let name: String
  let meaning: String
  let unit: String
  let kind: Kind
  /// The figure of a sample; 1 or 0 for a share.
  let read: @Sendable (Sample) -> Double

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
    SampleMeasure(name: name, meaning: meaning, unit: unit, kind: .mean(range: range), read: value)
  }

  /// The share of the samples for which a condition is true, with Clopper and Pearson's interval.
  ///
  ///     let rush: SampleMeasure<[Double]> =
  ///       .share("rush", "Days on which somebody waits long.") { $0.contains { $0 > 10 } }
  public static func share(
    _ name: String, _ meaning: String, _ isSo: @escaping @Sendable (Sample) -> Bool
  ) -> SampleMeasure {
    SampleMeasure(name: name, meaning: meaning, unit: "", kind: .share) { isSo($0) ? 1 : 0 }
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
    SampleMeasure(name: name, meaning: meaning, unit: unit, kind: .percentiles(percents), read: value)
  }
}

/// The sum of a column of samples' numbers.
struct SampleTally: Codable, Hashable, Sendable {
  /// The moments by block number, joined in the order of blocks, since sums of floating-point numbers depend on their
  /// order.
  private(set) var moments: [Int: Moments] = [:]
  private(set) var buckets: [Int32: Bucket] = [:]
  private(set) var minimum: Extreme?
  private(set) var maximum: Extreme?

  /// Values that are equal to a thousandth.
  struct Bucket: Codable, Hashable, Sendable {
    var count: Int
    var minimum: Double
    var maximum: Double

    mutating func add(_ value: Double) {
      count += 1
      minimum = min(minimum, value)
      maximum = max(maximum, value)
    }

    func joined(with other: Bucket) -> Bucket {
      Bucket(count: count + other.count, minimum: min(minimum, other.minimum), maximum: max(maximum, other.maximum))
    }
  }

  struct Moments: Codable, Hashable, Sendable {
    var count = 0
    var mean = 0.0
    /// The sum of squared distances from the mean.
    var squares = 0.0
    /// The sum of cubed distances from the mean.
    var cubes = 0.0

    /// The deviation of a single value: the root of the unbiased variance; 0 for fewer than two.
    var deviation: Double { count < 2 ? 0 : (squares / Double(count - 1)).squareRoot() }

    /// The third central moment, divided by the cube of the deviation; NaN if all values are alike.
    var skewness: Double {
      let deviation = (squares / Double(count)).squareRoot()
      return cubes / Double(count) / deviation / deviation / deviation
    }

    /// By Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4 (1962).
    mutating func add(_ value: Double) {
      let before = Double(count)
      count += 1
      let distance = value - mean
      let step = distance / Double(count)
      mean += step
      cubes += step * (step * distance * before * (before - 1) - 3 * squares)
      squares += distance * (value - mean)
    }

    /// By Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances" (1979);
    /// the cubes by Pébay, "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
    /// statistical moments", SAND2008-6212 (2008).
    func joined(with other: Moments) -> Moments {
      guard count > 0 else { return other }
      let (total, distance) = (Double(count + other.count), other.mean - mean)
      let (mine, its) = (Double(count) / total, Double(other.count) / total)
      let product = distance * distance * Double(count) * Double(other.count) / total
      return Moments(
        count: count + other.count, mean: mean + distance * Double(other.count) / total,
        squares: squares + other.squares + product,
        cubes: cubes + other.cubes + distance * (product * (mine - its) + 3 * (mine * other.squares - its * squares)))
    }
  }

  /// A value, and the first sample that has it.
  struct Extreme: Codable, Hashable, Sendable {
    let value: Double
    let sample: Int
  }

  init() {}

  /// The tally of a column of a block's rows, one row for each sample, numbered from `first`.
  init(_ rows: [Double], column: Int, of columns: Int, block: Int, from first: Int) {
    var sums = Moments()
    for (position, row) in stride(from: column, to: rows.count, by: columns).enumerated() {
      let value = rows[row]
      sums.add(value)
      buckets[Self.bucket(of: value), default: Bucket(count: 0, minimum: value, maximum: value)].add(value)
      if value < minimum?.value ?? .infinity { minimum = Extreme(value: value, sample: first + position) }
      if value > maximum?.value ?? -.infinity { maximum = Extreme(value: value, sample: first + position) }
    }
    moments = [block: sums]
  }

  mutating func merge(_ other: SampleTally) {
    moments.merge(other.moments) { one, _ in one }
    buckets.merge(other.buckets) { $0.joined(with: $1) }
    minimum = Self.first(minimum, other.minimum) { $0 < $1 }
    maximum = Self.first(maximum, other.maximum) { $0 > $1 }
  }

  private static func first(
    _ one: Extreme?, _ other: Extreme?, _ isMoreExtreme: (Double, Double) -> Bool
  ) -> Extreme? {
    guard let one, let other else { return one ?? other }
    if one.value == other.value { return one.sample <= other.sample ? one : other }
    return isMoreExtreme(one.value, other.value) ? one : other
  }

  var total: Moments {
    moments.sorted { $0.key < $1.key }.reduce(Moments()) { $0.joined(with: $1.value) }
  }

  /// The assumptions that the interval of the mean may use: first observations in a known range, otherwise the shape.
  func evidence(in range: ClosedRange<Double>?) -> Measurement.Evidence? {
    range == nil ? shape.map { .shape($0) } : first.map { .first($0) }
  }

  /// The first block of samples; its number does not depend on what they are.
  private var first: FirstObservations? {
    moments.min { $0.key < $1.key }.map {
      FirstObservations(count: $0.value.count, mean: $0.value.mean, squares: $0.value.squares)
    }
  }

  /// The shape of all values, with the farthest ones exact to a thousandth; `nil` without two different ones.
  private var shape: SampleShape? {
    let total = total
    guard let minimum = minimum?.value, let maximum = maximum?.value, minimum < maximum else { return nil }
    let sorted = buckets.sorted { $0.key < $1.key }.map(\.value)
    let few = SampleShape.farthest
    let outer = sorted.count > 2 * few ? Array(sorted.prefix(few) + sorted.suffix(few)) : sorted
    let ends = outer.flatMap { bucket in
      Array(
        repeating: max(total.mean - bucket.minimum, bucket.maximum - total.mean), count: min(bucket.count, few))
    }
    let squares = ends.sorted(by: >).prefix(few).reduce(0) { $0 + $1 * $1 }
    return SampleShape(
      skewness: total.skewness, farthestShare: min(1, squares / total.squares), seen: minimum...maximum)
  }

  // MARK: Buckets

  /// The bits that buckets ignore: values of one sign, exponent and ten binary digits differ by at most a thousandth.
  private static let droppedBits: UInt64 = 42

  private static func bucket(of value: Double) -> Int32 {
    let magnitude = Int32(value.magnitude.bitPattern >> droppedBits)
    return value < 0 ? -magnitude - 1 : magnitude
  }

  /// The interval of the value of a rank, from 1.
  func value(ofRank rank: Int) -> ClosedRange<Double> {
    var left = rank
    for (_, bucket) in buckets.sorted(by: { $0.key < $1.key }) {
      left -= bucket.count
      if left <= 0 { return bucket.minimum...bucket.maximum }
    }
    return .everything
  }

  /// A percentile with its interval of order statistics, to the width of the buckets; NaN without samples.
  func percentile(_ percent: Double, error: Double) -> (value: Double, low: Double, high: Double) {
    let samples = total.count
    guard samples > 0, percent > 0, percent < 100 else { return (.nan, -.infinity, .infinity) }
    let ranks = QuantileRanks(share: percent / 100, samples: samples, confidence: 1 - error)
    let middle = value(ofRank: min(samples, max(1, Int((percent / 100 * Double(samples)).rounded(.up)))))
    return (
      (middle.lowerBound + middle.upperBound) / 2, ranks.lower.map { value(ofRank: $0).lowerBound } ?? -.infinity,
      ranks.upper.map { value(ofRank: $0).upperBound } ?? .infinity
    )
  }

  /// The distribution of the values as shares: over equal steps, or over the single values if these are few and
  /// repeated.
  func histogram(steps: Int) -> (positions: [Double], shares: [Double], isOfValues: Bool)? {
    let samples = total.count
    guard samples > 1, let first = minimum?.value, let last = maximum?.value, first < last else { return nil }
    // The outermost thousandths are cut off, since they would compress the rest.
    let low = samples < 1000 ? first : value(ofRank: max(1, samples / 1000)).lowerBound
    let high = samples < 1000 ? last : value(ofRank: samples - samples / 1000).upperBound
    let found = buckets.values.map { (value: ($0.minimum + $0.maximum) / 2, count: $0.count) }
      .filter { $0.value >= low && $0.value <= high }.sorted { $0.value < $1.value }
    if found.count <= steps / 2, samples >= 10 * found.count {
      return (found.map(\.value), found.map { Double($0.count) / Double(samples) }, true)
    }
    let step = (high - low) / Double(steps)
    guard step > 0, step.isFinite else { return nil }
    var counts = Array(repeating: 0, count: steps)
    for one in found {
      let position = (one.value - low) / step
      if position < Double(steps) { counts[Int(position)] += one.count }
    }
    return (
      (0..<steps).map { low + (Double($0) + 0.5) * step }, counts.map { Double($0) / Double(samples) }, false
    )
  }
}

/// The sum of blocks of samples, with a tally for each column of their rows.
struct SampleTallies: MergeableTally {
  var samples = 0
  var columns: [SampleTally]

  init(columns: Int) { self.columns = Array(repeating: SampleTally(), count: columns) }

  /// The tallies of a block's rows, which follow one another in `rows`.
  init(_ rows: [Double], columns count: Int, block: Int, from first: Int) {
    samples = rows.count / count
    columns = (0..<count).map { SampleTally(rows, column: $0, of: count, block: block, from: first) }
  }

  mutating func merge(_ other: SampleTallies) {
    samples += other.samples
    for index in columns.indices { columns[index].merge(other.columns[index]) }
  }
}
