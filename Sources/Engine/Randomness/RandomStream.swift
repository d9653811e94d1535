// SPDX-License-Identifier: GPL-3.0-or-later
public import CGSL
public import SeededWords
internal import Synchronization

/// An endless sequence of random draws by one of GSL's generators.
///
/// Streams of the same generator and seed give the same draws on every machine. A parameter out of its range gives NaN,
/// or 0 for an integer, and is kept in `problem`: a run ends with that error and the number of the sample.
public struct RandomStream: ~Copyable {
  @usableFromInline var generator: GSLGenerator
  /// The record of the draws; `nil` if they are not recorded.
  @usableFromInline package var record: DrawRecord?
  /// Shared with all substreams.
  private let refusals: Refusals
  private var origin: Origin

  /// The key that substreams are derived from.
  private struct Origin {
    var key: UInt64
    var sample: UInt64
  }

  private final class Refusals {
    var first: RandomnessError?
  }

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - name: one of GSL's generators.
  ///   - seed: seed 0 is the generator's default seed.
  /// - Throws: `RandomnessError` for an unknown generator, and for a degenerate seed.
  public init(named name: String = "mt19937", seed: UInt32) throws(RandomnessError) {
    generator = try GSLGenerator(named: name, seed: seed)
    (refusals, origin) = (Refusals(), Origin(key: UInt64(seed), sample: 0))
  }

  private init(_ generator: consuming GSLGenerator, _ origin: Origin, _ refusals: Refusals, _ record: DrawRecord?) {
    self.generator = generator
    (self.origin, self.refusals, self.record) = (origin, refusals, record)
  }

  /// Restarts from a seed, keeping the memory.
  package mutating func reseed(_ seed: UInt32) throws(RandomnessError) {
    try generator.reseed(seed)
    origin = Origin(key: UInt64(seed), sample: 0)
  }

  /// Begins a sample of a run, of which substreams are made from now on.
  package mutating func begin(sample: Int, rootSeed: UInt64) {
    origin = Origin(key: rootSeed, sample: UInt64(truncatingIfNeeded: sample))
  }

  /// A stream that draws the complement of each word that this one will draw, w' = 2^32 - 1 - w, and so do its
  /// substreams. It has the same distribution for every draw. What is drawn by inversion from one word is opposite, the
  /// larger the smaller: `uniform`, `happens`, `integer`, `element`, `exponential`, `weibull`, `triangular`,
  /// `geometric`, `empirical`, the truncated `gaussian`, and shuffles by their places; and so are `gaussian` and
  /// `logNormal`, by the polar method. What is drawn by rejection from several words, `gamma`, `erlang`, `beta`,
  /// `poisson` and `binomial`, is nearly independent.
  package func complemented() -> RandomStream { RandomStream(generator.complemented(), origin, refusals, nil) }

  // MARK: Substreams

  /// Another stream of the same sample, for one part of a model: it depends on the root seed, the sample, the name and
  /// the index alone, not on what was drawn before. So two variants of a model that draw for a part by its name get the
  /// same numbers there, whatever they draw elsewhere.
  ///
  ///     var machine = random.substream("machine", 3)
  ///     let life = machine.weibull(shape: 1.5, scale: 200)
  ///
  /// The same name and index give the same stream again, from its beginning. A substream has substreams in turn. The
  /// seeds of the first 2^32 samples of a name and index are distinct, by a permutation as in `StreamFamily`; those of
  /// two names are equal with a probability of 2^-32, as of two hashed seeds.
  ///
  /// - Parameters:
  ///   - name: the part of the model.
  ///   - index: one of several equal parts.
  /// - Returns: the stream, of the same generator.
  /// - Complexity: A seeding: about 7 µs for `mt19937`, and 0.8 µs for `taus2`.
  public func substream(_ name: String, _ index: Int = 0) -> RandomStream {
    let hash = name.utf8.reduce(mixed(origin.key ^ 0x9e37_79b9_7f4a_7c15)) { mixed($0 ^ UInt64($1)) }
    let key = mixed(mixed(hash &+ 1) ^ UInt64(bitPattern: Int64(index)))
    var generator = generator.copy()
    // A degenerate seed, of which some small generators have one or two, is passed over.
    for attempt in 0..<64 {
      let permutation = KeyedPermutation(key: key &+ mixed(origin.sample >> 32) &+ UInt64(attempt))
      let seed = permutation.image(of: UInt32(truncatingIfNeeded: origin.sample))
      if (try? generator.reseed(seed == 0 ? permutation.image(of: .max) : seed)) != nil { break }
    }
    return RandomStream(generator, Origin(key: key, sample: origin.sample), refusals, record)
  }

  /// The substreams of a name with the indices from 0, such as one for each machine.
  ///
  ///     var machines = random.substreams("machine", count: 5)
  ///     let life = machines[3].weibull(shape: 1.5, scale: 200)
  ///
  /// - Parameters:
  ///   - name: the part of the model.
  ///   - count: how many there are; none for a number below 1.
  /// - Returns: the streams; each is that of `substream` with its index.
  public func substreams(_ name: String, count: Int) -> RandomStreams {
    RandomStreams(count: max(0, count)) { substream(name, $0) }
  }

  // MARK: Impossible parameters

  /// The first draw whose parameters were impossible, of this stream and its substreams; `nil` if there was none.
  ///
  ///     _ = random.exponential(mean: -1)
  ///     print(random.problem?.description ?? "sound")
  public var problem: RandomnessError? { refusals.first }

  /// Keeps the error of an impossible parameter if it is the first one, and returns NaN. Of a concrete type, so that a
  /// loop that inlines a draw does not get longer.
  @usableFromInline @inline(never)
  mutating func impossible(_ draw: StaticString, _ name: StaticString, _ value: Double, expected: StaticString)
    -> Double
  {
    refuse("\(draw)", "\(name)", "\(value)", "\(expected)")
    return .nan
  }

  @usableFromInline @inline(never)
  mutating func impossibleExponential(_ mean: Double) -> Double {
    impossible("exponential", "mean", mean, expected: "a number above 0")
  }

  private func refused(_ draw: String, _ name: String, _ value: some Any, expected: String) -> Double {
    refuse(draw, name, "\(value)", expected)
    return .nan
  }

  private func zero(_ draw: String, _ name: String, _ value: some Any, expected: String) -> Int {
    refuse(draw, name, "\(value)", expected)
    return 0
  }

  @usableFromInline @inline(never)
  func refuse(_ draw: String, _ name: String, _ value: String, _ expected: String) {
    guard refusals.first == nil else { return }
    refusals.first = .invalidParameter(of: draw, name: name, value: value, expected: expected)
  }

  // MARK: Integers and events

  /// 32 uniform random bits.
  ///
  ///     let bits = random.word()
  @inlinable public mutating func word() -> UInt32 {
    let word = generator.next()
    record?.add("word", Double(word))
    return word
  }

  /// A uniform integer of a range, exact by Lemire's multiply-shift with rejection; the range has at most 2^32 numbers,
  /// and an empty or larger one gives its lower bound.
  ///
  ///     let place = random.integer(in: 0..<52)
  @inlinable public mutating func integer(in range: Range<Int>) -> Int {
    let number = integer(drawnFrom: range)
    record?.add("integer", Double(number))
    return number
  }

  @inlinable mutating func integer(drawnFrom range: Range<Int>) -> Int {
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard !overflow, width > 0, width <= 1 << 32 else {
      refuse("integer", "range", "\(range)", "a range of 1 to 2^32 numbers")
      return range.lowerBound
    }
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
  ///
  ///     let pips = random.integer(in: 1...6)
  @inlinable public mutating func integer(in range: ClosedRange<Int>) -> Int {
    guard range.upperBound < .max else {
      refuse("integer", "range", "\(range)", "a range that ends below the largest integer")
      return range.lowerBound
    }
    return integer(in: range.lowerBound..<(range.upperBound + 1))
  }

  /// Returns true if an event with a probability from 0 to 1 happens, in steps of 2^-32.
  ///
  ///     let isLate = random.happens(0.05)
  @inlinable public mutating func happens(_ chance: Double) -> Bool {
    noted("happens", Double(generator.next()) < chance * 0x1p32 ? 1 : 0) == 1
  }

  /// The number of successes in independent trials with a probability from 0 to 1 each; at most 2^31 trials.
  ///
  ///     let defects = random.binomial(trials: 100, chance: 0.02)
  public mutating func binomial(trials: Int, chance: Double) -> Int {
    guard (0...1).contains(chance) else { return zero("binomial", "chance", chance, expected: "0 to 1") }
    guard (0...(1 << 31)).contains(trials) else { return zero("binomial", "trials", trials, expected: "0 to 2^31") }
    return Int(noted("binomial", Double(unsafe gsl_ran_binomial(generator.state, chance, UInt32(trials)))))
  }

  /// The number of independent events with an expected number from 0 to 2^30.
  ///
  ///     let calls = random.poisson(mean: 12)
  public mutating func poisson(mean: Double) -> Int {
    guard (0...0x1p30).contains(mean) else { return zero("poisson", "mean", mean, expected: "0 to 2^30") }
    return Int(noted("poisson", Double(unsafe gsl_ran_poisson(generator.state, mean))))
  }

  /// The number of trials up to the first success, with a probability above 0 and at most 1 each; at least 1.
  ///
  ///     let attempts = random.geometric(chance: 0.25)
  public mutating func geometric(chance: Double) -> Int {
    guard chance > 0, chance <= 1 else { return zero("geometric", "chance", chance, expected: "above 0, at most 1") }
    return Int(noted("geometric", Double(unsafe gsl_ran_geometric(generator.state, chance))))
  }

  /// Puts elements in an order drawn uniformly from all orders (Fisher and Yates, in Durstenfeld's form).
  ///
  ///     var cards = Array(1...52)
  ///     random.shuffle(&cards)
  ///
  /// - Complexity: O(n), one bounded draw an element.
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    for position in elements.indices.dropLast() {
      elements.swapAt(position, integer(in: position..<elements.count))
    }
  }

  /// The elements in an order drawn uniformly from all orders.
  ///
  ///     let order = random.shuffled(["Ann", "Ben", "Cleo"])
  ///
  /// - Returns: all elements, each once.
  /// - Complexity: O(n), one bounded draw an element.
  public mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var shuffled = elements
    shuffle(&shuffled)
    return shuffled
  }

  /// Some of the elements, drawn without replacement: every subset of this size, in every order, is equally likely (the
  /// first steps of Fisher and Yates).
  ///
  ///     let hand = random.elements(of: Array(1...52), count: 5)
  ///
  /// - Parameters:
  ///   - elements: what is drawn from.
  ///   - count: how many are drawn, from 0 to their number; otherwise none are.
  /// - Returns: the drawn elements in the order of drawing.
  /// - Complexity: O(n), one bounded draw a drawn element.
  public mutating func elements<Element>(of elements: [Element], count: Int) -> [Element] {
    guard (0...elements.count).contains(count) else {
      refuse("elements", "count", "\(count)", "0 to the number of elements")
      return []
    }
    var drawn = elements
    for position in 0..<count { drawn.swapAt(position, integer(in: position..<drawn.count)) }
    return Array(drawn.prefix(count))
  }

  /// An element with a probability proportional to its weight, in steps of 2^-32 of the sum.
  ///
  ///     let meal = random.element(of: ["soup", "pasta", "salad"], weights: [5, 3, 2])
  ///
  /// - Parameters:
  ///   - elements: what is drawn from.
  ///   - weights: a weight for each element: finite numbers, at least 0, with a finite sum above 0.
  /// - Returns: an element whose weight is not 0; `nil` for impossible weights.
  /// - Complexity: O(n), one word.
  public mutating func element<Element>(of elements: [Element], weights: [Double]) -> Element? {
    let sum = weights.reduce(0, +)
    guard weights.count == elements.count, weights.allSatisfy({ $0 >= 0 }), sum > 0, sum.isFinite else {
      refuse("element", "weights", "\(weights)", "one for each element, at least 0, with a finite sum above 0")
      return nil
    }
    var (rest, drawn) = (unit() * sum, 0)
    for (position, weight) in weights.enumerated() where weight > 0 && rest >= 0 {
      (rest, drawn) = (rest - weight, position)
    }
    _ = noted("weighted", Double(drawn))
    return elements[drawn]
  }

  /// A uniform element; `nil` if there is none.
  ///
  ///     let name = random.element(of: ["Ann", "Ben", "Cleo"])
  public mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[integer(in: 0..<elements.count)]
  }

  // MARK: Real numbers

  /// A number of `[0, 1)`, in steps of 2^-32.
  ///
  ///     let share = random.uniform()
  @inlinable public mutating func uniform() -> Double { noted("uniform", Double(generator.next()) * 0x1p-32) }

  /// A uniform number of `[lower, upper)`; both finite and in order.
  ///
  ///     let degrees = random.uniform(from: 0, to: 360)
  @inlinable public mutating func uniform(from lower: Double, to upper: Double) -> Double {
    guard lower < upper, (upper - lower).isFinite else {
      return impossible("uniform", "upper", upper, expected: "a finite number above the lower end, which is finite too")
    }
    return noted("uniform", min(lower + Double(generator.next()) * 0x1p-32 * (upper - lower), upper.nextDown))
  }

  /// The waiting time for an event, exponential with a mean above 0.
  ///
  ///     let minutes = random.exponential(mean: 1.5)
  @inlinable public mutating func exponential(mean: Double) -> Double {
    guard mean > 0 else { return impossibleExponential(mean) }
    return noted("exponential", unsafe gsl_ran_exponential(generator.state, mean))
  }

  /// A normally distributed number, by the polar Box-Muller method; the deviation is 0 or more.
  ///
  ///     let metres = random.gaussian(mean: 1.75, standardDeviation: 0.07)
  @inlinable public mutating func gaussian(mean: Double = 0, standardDeviation: Double = 1) -> Double {
    guard standardDeviation >= 0 else {
      return impossible("gaussian", "standardDeviation", standardDeviation, expected: "a number, at least 0")
    }
    return noted("gaussian", mean + (unsafe gsl_ran_gaussian(generator.state, standardDeviation)))
  }

  /// A positive number whose logarithm is normal with this mean and deviation, the latter 0 or more.
  ///
  ///     let seconds = random.logNormal(mean: 0, standardDeviation: 0.5)
  public mutating func logNormal(mean: Double, standardDeviation: Double) -> Double {
    guard standardDeviation >= 0 else {
      return refused("lognormal", "standardDeviation", standardDeviation, expected: "a number, at least 0")
    }
    return noted("lognormal", unsafe gsl_ran_lognormal(generator.state, mean, standardDeviation))
  }

  /// The wait for the `shape`-th event with a mean interval of `scale`; both above 0, the mean is their product.
  ///
  ///     let hours = random.gamma(shape: 2.5, scale: 4)
  public mutating func gamma(shape: Double, scale: Double) -> Double {
    guard shape > 0 else { return refused("gamma", "shape", shape, expected: "a number above 0") }
    guard scale > 0 else { return refused("gamma", "scale", scale, expected: "a number above 0") }
    return noted("gamma", unsafe gsl_ran_gamma(generator.state, shape, scale))
  }

  /// A number from 0 to 1 of the beta distribution; both parameters above 0, the mean is `a / (a + b)`.
  ///
  ///     let share = random.beta(2, 3)
  public mutating func beta(_ a: Double, _ b: Double) -> Double {
    guard a > 0 else { return refused("beta", "a", a, expected: "a number above 0") }
    guard b > 0 else { return refused("beta", "b", b, expected: "a number above 0") }
    return noted("beta", unsafe gsl_ran_beta(generator.state, a, b))
  }

  /// The wait until something fails that wears out (shape above 1), fails early (below 1) or does not age (1, which is
  /// exponential), by the distribution of Weibull, "A statistical distribution function of wide applicability" (1951).
  ///
  ///     let hours = random.weibull(shape: 1.5, scale: 200)
  ///
  /// - Parameters:
  ///   - shape: how it ages; above 0.
  ///   - scale: the age that 36.8% (1/e) reach, in the unit of the result; above 0. The mean is
  ///     `scale` times Γ(1 + 1 / `shape`).
  /// - Returns: a number above 0, in the unit of `scale`.
  public mutating func weibull(shape: Double, scale: Double) -> Double {
    guard shape > 0 else { return refused("weibull", "shape", shape, expected: "a number above 0") }
    guard scale > 0 else { return refused("weibull", "scale", scale, expected: "a number above 0") }
    return noted("weibull", unsafe gsl_ran_weibull(generator.state, scale, shape))
  }

  /// The time of a job of several equal stages, one after the other and each exponential (Erlang 1917).
  ///
  ///     let minutes = random.erlang(stages: 3, mean: 12)
  ///
  /// - Parameters:
  ///   - stages: their number; at least 1, which is exponential. The more, the steadier: the deviation is the mean over
  ///     the root of the stages.
  ///   - mean: the mean of the whole, not of a stage, in the unit of the result; above 0.
  /// - Returns: a number above 0, in the unit of `mean`.
  public mutating func erlang(stages: Int, mean: Double) -> Double {
    guard stages >= 1 else { return refused("erlang", "stages", stages, expected: "1 or more") }
    guard mean > 0 else { return refused("erlang", "mean", mean, expected: "a number above 0") }
    return noted("erlang", unsafe gsl_ran_gamma(generator.state, Double(stages), mean / Double(stages)))
  }

  /// A number of which the least, the most and the likeliest value are estimated, as experts can; by inversion
  /// (Devroye, "Non-Uniform Random Variate Generation", 1986, section II.2), from one word.
  ///
  ///     let days = random.triangular(from: 2, to: 14, mode: 5)
  ///
  /// - Parameters:
  ///   - lower: the least value, finite.
  ///   - upper: the most, finite and above `lower`.
  ///   - mode: the likeliest, from `lower` to `upper`. The mean is that of the three.
  /// - Returns: a number from `lower` to `upper`, in their unit.
  public mutating func triangular(from lower: Double, to upper: Double, mode: Double) -> Double {
    guard lower < upper, (upper - lower).isFinite else {
      return refused("triangular", "upper", upper, expected: "a finite number above the lower end, which is finite too")
    }
    guard (lower...upper).contains(mode) else {
      return refused("triangular", "mode", mode, expected: "a number from the lower to the upper end")
    }
    let (share, width) = (unit(), upper - lower)
    return noted(
      "triangular",
      share * width < mode - lower
        ? lower + (share * width * (mode - lower)).squareRoot()
        : upper - ((1 - share) * width * (upper - mode)).squareRoot())
  }

  /// A normal number that is known to lie in a range, such as a length that cannot be negative: values outside have no
  /// probability, and those inside keep their proportions. By inversion (Devroye 1986, section II.2) with GSL's
  /// quantiles (Wichura 1988), from one word, so that two variants with other parameters stay in step.
  ///
  ///     let metres = random.gaussian(mean: 2, standardDeviation: 1.5, in: 0...(.infinity))
  ///
  /// - Parameters:
  ///   - mean: the mean without the range, finite.
  ///   - standardDeviation: the deviation without the range, finite and at least 0.
  ///   - range: the possible values; an end may be infinite. It must reach to within 37 deviations of the mean.
  /// - Returns: a number of the range, in the unit of `mean`.
  public mutating func gaussian(
    mean: Double = 0, standardDeviation: Double = 1, in range: ClosedRange<Double>
  ) -> Double {
    guard mean.isFinite else { return refused("truncated gaussian", "mean", mean, expected: "a finite number") }
    guard standardDeviation >= 0, standardDeviation.isFinite else {
      return refused(
        "truncated gaussian", "standardDeviation", standardDeviation, expected: "a finite number, at least 0")
    }
    let share = unit()
    if standardDeviation == 0, range.contains(mean) { return noted("truncated gaussian", mean) }
    let (low, high) = ((range.lowerBound - mean) / standardDeviation, (range.upperBound - mean) / standardDeviation)
    // Of a range above the mean by the upper tail: the probability below is too near to 1 to have digits.
    let isAbove = low > 0
    let (first, last) =
      isAbove
      ? (gsl_cdf_ugaussian_Q(low), gsl_cdf_ugaussian_Q(high)) : (gsl_cdf_ugaussian_P(low), gsl_cdf_ugaussian_P(high))
    guard max(first, last) > 0 else {
      return refused("truncated gaussian", "range", range, expected: "one within 37 deviations of the mean")
    }
    let tail = first + share * (last - first)
    let number = mean + standardDeviation * (isAbove ? gsl_cdf_ugaussian_Qinv(tail) : gsl_cdf_ugaussian_Pinv(tail))
    return noted("truncated gaussian", min(max(number, range.lowerBound), range.upperBound))
  }

  /// One of some numbers, such as measured times, each with the same probability: the bootstrap of Efron (1979).
  /// Numbers between or beyond them are never drawn.
  ///
  ///     let seconds = random.empirical([1.2, 0.8, 3.5, 0.9])
  ///
  /// - Parameter numbers: at least one number.
  /// - Returns: one of them.
  /// - Complexity: O(1).
  public mutating func empirical(_ numbers: [Double]) -> Double {
    guard !numbers.isEmpty else { return refused("empirical", "numbers", numbers, expected: "at least one") }
    return noted("empirical", numbers[integer(drawnFrom: 0..<numbers.count)])
  }

  /// A number above 0 and below 1, in steps of 2^-32.
  private mutating func unit() -> Double { (Double(generator.next()) + 0.5) * 0x1p-32 }

  /// The number drawn, after it is recorded if requested.
  @inlinable func noted(_ kind: StaticString, _ value: Double) -> Double {
    record?.add(kind, value)
    return value
  }
}

/// Substreams of one name: an array of streams, each of which is drawn from in place.
///
///     var machines = random.substreams("machine", count: 5)
///     for place in 0..<machines.count { print(machines[place].exponential(mean: 3)) }
@safe
public struct RandomStreams: ~Copyable {
  private let streams: UnsafeMutableBufferPointer<RandomStream>

  init(count: Int, _ make: (Int) -> RandomStream) {
    unsafe streams = .allocate(capacity: count)
    for index in 0..<count { unsafe streams.initializeElement(at: index, to: make(index)) }
  }

  deinit {
    unsafe streams.deinitialize()
    unsafe streams.deallocate()
  }

  /// The number of streams.
  ///
  ///     let five = random.substreams("machine", count: 5).count
  public var count: Int { unsafe streams.count }

  /// The stream with an index from 0 to below `count`; another one is an error of the program, as in an array.
  ///
  ///     var machines = random.substreams("machine", count: 5)
  ///     let hours = machines[3].exponential(mean: 20)
  public subscript(index: Int) -> RandomStream {
    _read {
      precondition(index >= 0 && index < count, "There is no random stream \(index) of \(count).")
      yield unsafe streams[index]
    }
    _modify {
      precondition(index >= 0 && index < count, "There is no random stream \(index) of \(count).")
      yield unsafe &streams[index]
    }
  }
}

/// The log of a sample that is drawn alone: the number of draws, and the first of them; and the events of its simulated
/// time, if it has one.
@usableFromInline
package final class DrawRecord: Sendable {
  /// A value with its distribution.
  package struct Draw: Hashable, Sendable {
    package let kind: String
    package let value: Double
  }

  /// An event of the simulated time.
  package struct Happening: Hashable, Sendable {
    /// Something that one begins to do or stops doing with a thing.
    package enum Change: Hashable, Sendable {
      case waits(String)
      case has(String)
      /// It neither waits for it nor has it any longer.
      case leaves(String)
      /// It has come to its end.
      case ended
      /// Something else.
      case told
    }

    package let time: Double
    /// The name of who does it.
    package let who: String
    package let text: String
    package let change: Change

    package init(time: Double, who: String, text: String, change: Change) {
      (self.time, self.who, self.text, self.change) = (time, who, text, change)
    }
  }

  private struct State {
    var draws = 0
    var first: [Draw] = []
    var happenings: [Happening] = []
  }

  private let maximum: Int
  private let state = Mutex(State())

  /// A record that keeps a number of draws, and 50 times as many events.
  package init(maximum: Int) { self.maximum = maximum }

  @usableFromInline func add(_ kind: StaticString, _ value: Double) {
    state.withLock { state in
      state.draws += 1
      if state.draws <= maximum { state.first.append(Draw(kind: "\(kind)", value: value)) }
    }
  }

  package func add(_ happening: Happening) {
    state.withLock { if $0.happenings.count < 50 * maximum { $0.happenings.append(happening) } }
  }

  /// The number of draws.
  package var count: Int { state.withLock(\.draws) }

  package var first: [Draw] { state.withLock(\.first) }

  /// The first events, in the order of their times.
  package var happenings: [Happening] { state.withLock(\.happenings) }
}
