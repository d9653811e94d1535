// SPDX-License-Identifier: GPL-3.0-or-later
public import CGSL
internal import Synchronization

/// An endless sequence of random draws by one of GSL's generators.
///
/// Streams of the same generator and seed give the same draws on every machine. A parameter out of its range gives NaN,
/// or 0 for an integer: draws never fail, and a sample that is not finite ends a run with an error.
public struct RandomStream: ~Copyable {
  @usableFromInline var generator: GSLGenerator
  /// The record of the draws; `nil` if they are not recorded.
  @usableFromInline package var record: DrawRecord?

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - name: one of GSL's generators.
  ///   - seed: seed 0 is the generator's default seed.
  /// - Throws: `RandomnessError` for an unknown generator, and for a degenerate seed.
  public init(named name: String = "mt19937", seed: UInt32) throws(RandomnessError) {
    generator = try GSLGenerator(named: name, seed: seed)
  }

  /// Restarts from a seed, keeping the memory.
  package mutating func reseed(_ seed: UInt32) throws(RandomnessError) { try generator.reseed(seed) }

  // MARK: Integers and events

  /// 32 uniform random bits.
  @inlinable public mutating func word() -> UInt32 {
    let word = generator.next()
    record?.add("word", Double(word))
    return word
  }

  /// A uniform integer of a range, exact by Lemire's multiply-shift with rejection; the range has at most 2^32 numbers,
  /// and an empty or larger one gives its lower bound.
  @inlinable public mutating func integer(in range: Range<Int>) -> Int {
    let number = integer(drawnFrom: range)
    record?.add("integer", Double(number))
    return number
  }

  @inlinable mutating func integer(drawnFrom range: Range<Int>) -> Int {
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard !overflow, width > 0, width <= 1 << 32 else { return range.lowerBound }
    guard width < 1 << 32 else { return range.lowerBound + Int(generator.next()) }
    let bound = UInt64(width)
    var product = UInt64(generator.next()) &* bound
    if product & 0xffff_ffff < bound {
      let threshold = (1 << 32) % bound
      while product & 0xffff_ffff < threshold { product = UInt64(generator.next()) &* bound }
    }
    return range.lowerBound + Int(product >> 32)
  }

  /// A uniform integer of a range including both ends; see `integer(in:)` of a half-open range.
  @inlinable public mutating func integer(in range: ClosedRange<Int>) -> Int {
    guard range.upperBound < .max else { return range.lowerBound }
    return integer(in: range.lowerBound..<(range.upperBound + 1))
  }

  /// Whether an event with a probability from 0 to 1 happens, in steps of 2^-32.
  @inlinable public mutating func happens(_ chance: Double) -> Bool {
    noted("happens", Double(generator.next()) < chance * 0x1p32 ? 1 : 0) == 1
  }

  /// The number of successes in independent trials with a probability from 0 to 1 each; at most 2^31 trials.
  public mutating func binomial(trials: Int, chance: Double) -> Int {
    guard (0...1).contains(chance), (0...(1 << 31)).contains(trials) else { return 0 }
    return Int(noted("binomial", Double(unsafe gsl_ran_binomial(generator.state, chance, UInt32(trials)))))
  }

  /// The number of independent events with an expected number from 0 to 2^30.
  public mutating func poisson(mean: Double) -> Int {
    guard (0...0x1p30).contains(mean) else { return 0 }
    return Int(noted("poisson", Double(unsafe gsl_ran_poisson(generator.state, mean))))
  }

  /// The number of trials up to the first success, with a probability above 0 and at most 1 each; at least 1.
  public mutating func geometric(chance: Double) -> Int {
    guard chance > 0, chance <= 1 else { return 0 }
    return Int(noted("geometric", Double(unsafe gsl_ran_geometric(generator.state, chance))))
  }

  /// Puts elements in an order drawn uniformly from all orders (Fisher and Yates, in Durstenfeld's form).
  ///
  /// - Complexity: O(n), one bounded draw an element.
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    for place in elements.indices.dropLast() {
      elements.swapAt(place, integer(in: place..<elements.count))
    }
  }

  /// A uniform element; `nil` if there is none.
  public mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[integer(in: 0..<elements.count)]
  }

  // MARK: Real numbers

  /// A number of `[0, 1)`, in steps of 2^-32.
  @inlinable public mutating func uniform() -> Double { noted("uniform", Double(generator.next()) * 0x1p-32) }

  /// A uniform number of `[lower, upper)`; both finite and in order.
  @inlinable public mutating func uniform(from lower: Double, to upper: Double) -> Double {
    guard lower < upper, (upper - lower).isFinite else { return .nan }
    return noted("uniform", min(lower + Double(generator.next()) * 0x1p-32 * (upper - lower), upper.nextDown))
  }

  /// The waiting time for an event, exponential with a mean above 0.
  @inlinable public mutating func exponential(mean: Double) -> Double {
    guard mean > 0 else { return .nan }
    return noted("exponential", unsafe gsl_ran_exponential(generator.state, mean))
  }

  /// A normally distributed number, by the polar Box-Muller method; the deviation is 0 or more.
  @inlinable public mutating func gaussian(mean: Double = 0, standardDeviation: Double = 1) -> Double {
    guard standardDeviation >= 0 else { return .nan }
    return noted("gaussian", mean + (unsafe gsl_ran_gaussian(generator.state, standardDeviation)))
  }

  /// A positive number whose logarithm is normal with this mean and deviation, the latter 0 or more.
  public mutating func logNormal(mean: Double, standardDeviation: Double) -> Double {
    guard standardDeviation >= 0 else { return .nan }
    return noted("lognormal", unsafe gsl_ran_lognormal(generator.state, mean, standardDeviation))
  }

  /// The wait for the `shape`-th event with a mean interval of `scale`; both above 0, the mean is their product.
  public mutating func gamma(shape: Double, scale: Double) -> Double {
    guard shape > 0, scale > 0 else { return .nan }
    return noted("gamma", unsafe gsl_ran_gamma(generator.state, shape, scale))
  }

  /// A number from 0 to 1 of the beta distribution; both parameters above 0, the mean is `a / (a + b)`.
  public mutating func beta(_ a: Double, _ b: Double) -> Double {
    guard a > 0, b > 0 else { return .nan }
    return noted("beta", unsafe gsl_ran_beta(generator.state, a, b))
  }

  /// The number drawn, after it is recorded if requested.
  @inlinable func noted(_ kind: StaticString, _ value: Double) -> Double {
    record?.add(kind, value)
    return value
  }
}

/// The number of draws of a stream, and the first of them.
@usableFromInline
package final class DrawRecord: Sendable {
  /// A value with its distribution.
  package struct Draw: Hashable, Sendable {
    package let kind: String
    package let value: Double
  }

  private let most: Int
  private let draws = Mutex<(count: Int, first: [Draw])>((0, []))

  /// A record that keeps a number of draws.
  package init(most: Int) { self.most = most }

  @usableFromInline func add(_ kind: StaticString, _ value: Double) {
    draws.withLock { draws in
      draws.count += 1
      if draws.count <= most { draws.first.append(Draw(kind: "\(kind)", value: value)) }
    }
  }

  /// The number of draws.
  package var count: Int { draws.withLock(\.count) }

  package var first: [Draw] { draws.withLock(\.first) }
}
