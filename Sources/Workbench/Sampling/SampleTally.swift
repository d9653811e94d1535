// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Scenarios
internal import Statistics

/// Sums of floating-point numbers over blocks, which depend on the order of adding: they are joined in pairs, by a tree
/// over the blocks' numbers, so that the same blocks give the same bits in any order of merging. Of n blocks in a row
/// it keeps at most 2 log2(n) sums.
struct BlockSums<Sum: BlockSum>: Codable, Hashable, Sendable {
  /// The sums of whole subtrees, none of which has its sibling: by the number of their first block and their height.
  private var nodes: [Int: Sum] = [:]

  init() {}
  init(_ sum: Sum, of block: Int) { nodes[block << 6] = sum }

  mutating func merge(_ other: BlockSums) { for (key, sum) in other.nodes { add(sum, key) } }

  private mutating func add(_ sum: Sum, _ key: Int) {
    let (height, block) = (key & 63, key >> 6)
    let size = 1 << height
    let isFirst = block & size == 0
    guard let sibling = nodes.removeValue(forKey: (isFirst ? block + size : block - size) << 6 | height) else {
      nodes[key] = sum
      return
    }
    add(
      isFirst ? sum.joined(with: sibling) : sibling.joined(with: sum),
      (isFirst ? block : block - size) << 6 | height + 1)
  }

  /// The sum of all blocks; `nil` if there are none.
  var total: Sum? {
    let ordered = nodes.sorted { $0.key < $1.key }.map(\.value)
    return ordered.dropFirst().reduce(ordered.first) { $0?.joined(with: $1) }
  }
}

/// A sum that two neighbouring parts of the samples give together.
protocol BlockSum: Codable, Hashable, Sendable {
  func joined(with later: Self) -> Self
}

/// The sum of a column of samples' numbers.
struct SampleTally: Codable, Hashable, Sendable {
  private var moments = BlockSums<Moments>()
  /// The moments of the first block; its number of samples does not depend on what they are.
  private var first: Moments?
  /// None unless a percentile or a distribution needs them.
  private(set) var buckets: [Int32: Bucket] = [:]
  /// The smallest values and the largest ones, the most extreme first.
  private(set) var lowest: [Extreme] = []
  private(set) var highest: [Extreme] = []

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

  struct Moments: BlockSum {
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
  init(_ rows: [Double], column: Int, of columns: Int, block: Int, from first: Int, keepsBuckets: Bool = true) {
    var sums = Moments()
    for (position, row) in stride(from: column, to: rows.count, by: columns).enumerated() {
      let value = rows[row]
      sums.add(value)
      if keepsBuckets {
        buckets[Self.bucket(of: value), default: Bucket(count: 0, minimum: value, maximum: value)].add(value)
      }
      Self.keep(Extreme(value: value, sample: first + position), in: &lowest, <)
      Self.keep(Extreme(value: value, sample: first + position), in: &highest, >)
    }
    moments = BlockSums(sums, of: block)
    if block == 0 { self.first = sums }
  }

  mutating func merge(_ other: SampleTally) {
    moments.merge(other.moments)
    first = first ?? other.first
    if !other.buckets.isEmpty { buckets.merge(other.buckets) { $0.joined(with: $1) } }
    for one in other.lowest { Self.keep(one, in: &lowest, <) }
    for one in other.highest { Self.keep(one, in: &highest, >) }
  }

  /// Inserts a value unless there are enough that come before it; of equal ones, the earlier sample comes first.
  private static func keep(_ one: Extreme, in kept: inout [Extreme], _ isMoreExtreme: (Double, Double) -> Bool) {
    func precedes(_ one: Extreme, _ other: Extreme) -> Bool {
      one.value == other.value ? one.sample < other.sample : isMoreExtreme(one.value, other.value)
    }
    if kept.count == SampleShape.farthest {
      guard precedes(one, kept[kept.count - 1]) else { return }
      kept.removeLast()
    }
    kept.insert(one, at: kept.firstIndex { precedes(one, $0) } ?? kept.count)
  }

  var minimum: Extreme? { lowest.first }
  var maximum: Extreme? { highest.first }
  var total: Moments { moments.total ?? Moments() }
  /// The range of the values; 0 without any.
  var reach: ClosedRange<Double> { (minimum?.value ?? 0)...(maximum?.value ?? 0) }

  /// The assumptions that the interval of the mean may use: first observations in a known range, otherwise the shape.
  func evidence(in range: ClosedRange<Double>?) -> Measurement.Evidence? {
    range == nil
      ? shape.map { .shape($0) }
      : first.map { .first(FirstObservations(count: $0.count, mean: $0.mean, squares: $0.squares)) }
  }

  /// The shape of all values; `nil` without two different ones.
  private var shape: SampleShape? {
    let total = total
    guard let minimum = minimum?.value, let maximum = maximum?.value, minimum < maximum else { return nil }
    // Up to twenty samples may be among the smallest and among the largest.
    let ends = Dictionary((lowest + highest).map { ($0.sample, $0.value) }) { one, _ in one }
    let squares = ends.values.map { ($0 - total.mean) * ($0 - total.mean) }.sorted(by: >)
    return SampleShape(
      skewness: total.skewness,
      farthestShare: min(1, squares.prefix(SampleShape.farthest).reduce(0, +) / total.squares),
      seen: minimum...maximum)
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
    guard !buckets.isEmpty, samples > 1, let first = minimum?.value, let last = maximum?.value, first < last else {
      return nil
    }
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

/// The columns of a row of numbers, and what is tallied of them.
struct SampleColumns: Sendable {
  /// For each column, whether a percentile or a distribution needs its values in buckets.
  var bucketed: [Bool] = []
  /// Columns of which the joint moments are needed.
  var joint: [Range<Int>] = []

  var count: Int { bucketed.count }

  static func + (one: Self, other: Self) -> Self {
    Self(
      bucketed: one.bucketed + other.bucketed,
      joint: one.joint + other.joint.map { ($0.lowerBound + one.count)..<($0.upperBound + one.count) })
  }
}

/// The sum of blocks of samples, with a tally for each column of their rows.
struct SampleTallies: MergeableTally {
  private(set) var samples = 0
  private(set) var columns: [SampleTally]
  private(set) var joint: [BlockSums<JointMoments>]

  init(_ layout: SampleColumns) {
    columns = Array(repeating: SampleTally(), count: layout.count)
    joint = Array(repeating: BlockSums(), count: layout.joint.count)
  }

  /// The tallies of a block of samples, whose rows follow one another in `rows`.
  init(_ rows: [Double], _ layout: SampleColumns, samples: Int, block: Int, from first: Int) {
    self.samples = samples
    columns = (0..<layout.count).map {
      SampleTally(
        rows, column: $0, of: layout.count, block: block, from: first, keepsBuckets: layout.bucketed[$0])
    }
    joint = layout.joint.map { BlockSums(JointMoments(rows, columns: $0, of: layout.count), of: block) }
  }

  mutating func merge(_ other: SampleTallies) {
    samples += other.samples
    for index in columns.indices { columns[index].merge(other.columns[index]) }
    for index in joint.indices { joint[index].merge(other.joint[index]) }
  }

  /// The tallies of each part of the columns.
  func split(_ parts: [SampleColumns]) -> [SampleTallies] {
    var (columns, joint) = (columns[...], joint[...])
    return parts.map { part in
      var tallies = SampleTallies(SampleColumns())
      tallies.samples = samples
      (tallies.columns, tallies.joint) = (Array(columns.prefix(part.count)), Array(joint.prefix(part.joint.count)))
      (columns, joint) = (columns.dropFirst(part.count), joint.dropFirst(part.joint.count))
      return tallies
    }
  }
}
