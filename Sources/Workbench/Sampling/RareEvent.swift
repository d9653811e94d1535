// SPDX-License-Identifier: GPL-3.0-or-later
public import Randomness
public import Scenarios

/// An event too rare for plain samples: a process with a level reaches a top level before it ends. The workbench
/// estimates its probability by splitting, without bias: paths that rise are copied, and those that do not are given
/// up. A sample is one run of splitting with all its paths, so that samples are independent and the interval, resumed
/// runs, shards, thresholds and `--half-width` are those of any `SampledExperiment`.
///
///     struct Overflow: RareEvent {
///       static let kind = "queue.overflow"
///       static let summary = "Whether a queue with one customer overflows before it is empty."
///       var load = 0.6
///       static let parameters: [Parameter<Self>] = [
///         Parameter("load", \.load, .number(0...1, isOpen: true), "Arrivals for each departure.", example: "0.8")
///       ]
///       var top: Double { 60 }
///       func start(_ random: inout RandomStream) -> Int { 1 }
///       func step(_ inside: inout Int, _ random: inout RandomStream) -> Bool {
///         inside += random.happens(load / (1 + load)) ? 1 : -1
///         return inside > 0
///       }
///       func level(of inside: Int) -> Double { Double(inside) }
///     }
///
/// It has the measure `probability`, and the parameters `replicas`, `splitting` and `max-steps` in addition to its own
/// and those of samples. Any level that rises on the way to the event gives the right probability; a level that says
/// how likely the event still is gives it with the fewest paths.
///
/// Sources: Cérou and Guyader, "Adaptive multilevel splitting for rare event analysis", Stochastic Analysis and
/// Applications 25 (2007); Bréhier, Gazeau, Goudenège, Lelièvre and Rousset, "Unbiasedness of some generalized adaptive
/// multilevel splitting algorithms", The Annals of Applied Probability 26 (2016); for fixed levels, Garvels, "The
/// splitting method in rare event simulation" (2000).
public protocol RareEvent: Experiment {
  /// The state of a process, from which its future follows by draws alone. A copy must not share anything that a step
  /// changes.
  associatedtype State
  /// More measures than the probability, such as its exact value; none unless declared.
  static var measures: [SampleMeasure<Replicate>] { get }
  /// The level whose reaching is the event.
  var top: Double { get }
  /// Computes before the run, once, what all steps need, such as a table, and keeps it.
  ///
  /// - Throws: An error of the parameters, which ends the run.
  mutating func prepare(on context: RunContext) throws
  /// The state at which a path begins, which may be drawn.
  ///
  /// - Throws: An error of the parameters, which ends the run.
  func start(_ random: inout RandomStream) throws -> State
  /// Moves a state on by one step.
  ///
  /// Draw from `random` itself: a substream would begin again in each step.
  ///
  /// - Returns: false if the path ends here. Its level is read all the same.
  /// - Throws: An error of the parameters that only drawing can find, which ends the run.
  func step(_ state: inout State, _ random: inout RandomStream) throws -> Bool
  /// The level of a state; any number. A path keeps a copy of each state in which it was higher than before: where that
  /// is nearly every step, round the level to fewer values.
  func level(of state: State) -> Double
  /// One run of splitting. The default is compiled with the experiment, so that its steps are inlined.
  @_documentation(visibility: internal)
  func replicate(_ paths: inout SplitPaths<State>, _ random: inout RandomStream) throws -> Replicate
}

/// One run of splitting: a sample of a `RareEvent`.
public struct Replicate: Hashable, Sendable {
  /// The estimate of the probability, whose mean is the probability.
  public let probability: Double
  /// The number of levels at which paths were given up.
  package let levels: Int
  /// The steps of all paths.
  let steps: Int

  @usableFromInline init(probability: Double, levels: Int, steps: Int) {
    (self.probability, self.levels, self.steps) = (probability, levels, steps)
  }

  /// True if no path survived a level; the estimate is then 0.
  package var isExtinct: Bool { probability == 0 }
}

extension RareEvent {
  /// None.
  public static var measures: [SampleMeasure<Replicate>] { [] }
  /// Prepares nothing.
  public mutating func prepare(on context: RunContext) throws {}
  /// The experiment with the parameters of splitting and sampling.
  public static var runnable: any Experiment.Type { Splitting<Self>.runnable }
  /// The measures of all samples together.
  public var measures: [Measure] { Splitting(self).measures }
  /// Draws the default number of samples.
  public func run(on context: RunContext) throws -> ScenarioResult { try Splitting(self).run(on: context) }

  /// Draws samples and measures them, as a command with these options does; for tests.
  ///
  ///     let found = try Overflow().run(samples: 200, replicas: 500)["probability"]
  ///     #expect(found.interval(at: 0.999).contains(3.25825e-14))
  ///
  /// - Parameters:
  ///   - samples: the number of runs of splitting.
  ///   - replicas: the paths of each.
  ///   - seed: the root seed.
  /// - Returns: the measurements: `probability`, and those of the declared measures.
  /// - Throws: an error of a parameter or of a sample.
  public func run(samples: Int, replicas: Int = 100, seed: UInt64 = 1) throws -> [Measurement] {
    var splitting = Splitting(self)
    splitting.replicas = replicas
    return try splitting.run(samples: samples, seed: seed)
  }

  /// Adaptive or with fixed levels, as the paths say.
  @_documentation(visibility: internal)
  @inlinable public func replicate(
    _ paths: inout SplitPaths<State>, _ random: inout RandomStream
  ) throws -> Replicate {
    paths.passed.removeAll(keepingCapacity: true)
    paths.steps = 0
    guard !top.isNaN else { throw paths.noLevel("the top level") }
    return try paths.bounds.isEmpty ? adaptive(&paths, &random) : fixed(&paths, &random)
  }

  /// A path that begins, with its level.
  @inlinable func begun(
    _ paths: borrowing SplitPaths<State>, _ random: inout RandomStream
  ) throws -> SplitPaths<State>.Record {
    let state = try start(&random)
    let level = level(of: state)
    if level.isNaN { throw paths.noLevel("the level of a start") }
    return SplitPaths.Record(level: level, state: state, isOver: false)
  }

  /// Moves a state on until its level is above a bound. Returns `nil` if it ends before.
  @inlinable func risen(
    _ from: SplitPaths<State>.Record, above bound: Double, _ steps: inout Int, atMost limit: Int,
    _ random: inout RandomStream
  ) throws -> SplitPaths<State>.Record? {
    guard !from.isOver else { return nil }
    var (state, left) = (from.state, limit)
    while left > 0 {
      left -= 1
      let goesOn = try step(&state, &random)
      let level = level(of: state)
      // Also NaN, which is not above the bound.
      if !(level <= bound) {
        if level.isNaN { throw SplitPaths<State>.noLevel(after: limit - left) }
        steps += limit - left
        return SplitPaths.Record(level: level, state: state, isOver: !goesOn)
      }
      if !goesOn {
        steps += limit - left
        return nil
      }
    }
    throw SplitPaths<State>.endless(after: limit, above: bound)
  }

  /// Follows a path from its last record, which is the highest, and appends a record for each rise.
  @inlinable func follow(_ index: Int, _ paths: inout SplitPaths<State>, _ random: inout RandomStream) throws {
    let (top, limit) = (top, paths.maxSteps)
    var last = paths.records[index][paths.records[index].count - 1]
    while last.level < top,
      let next = try risen(last, above: last.level, &paths.steps, atMost: limit, &random)
    {
      last = next
      paths.records[index].append(next)
    }
    paths.highest[index] = last.level
  }

  /// Adaptive multilevel splitting: the lowest of all paths, and those as low, are given up, and each is replaced by a
  /// copy of a random survivor from where that first rose above them. With `k` of `n` given up at each level, the
  /// product of all `1 - k/n` has the probability as its mean (Bréhier and others 2016, theorem 3.2), also if levels
  /// tie; if none survives, the estimate is 0.
  @inlinable func adaptive(
    _ paths: inout SplitPaths<State>, _ random: inout RandomStream
  ) throws -> Replicate {
    let (count, top) = (paths.replicas, top)
    var probability = 1.0
    paths.heap.removeAll(keepingCapacity: true)
    for index in 0..<count {
      paths.records[index].removeAll(keepingCapacity: true)
      paths.records[index].append(try begun(paths, &random))
      try follow(index, &paths, &random)
      paths.push(index)
    }
    while case let lowest = paths.highest[paths.heap[0]], lowest < top {
      paths.givenUp.removeAll(keepingCapacity: true)
      while !paths.heap.isEmpty, paths.highest[paths.heap[0]] <= lowest { paths.givenUp.append(paths.pop()) }
      let survivors = paths.heap.count
      paths.passed.append((lowest, survivors))
      guard survivors > 0 else { return Replicate(probability: 0, levels: paths.passed.count, steps: paths.steps) }
      probability *= Double(survivors) / Double(count)
      guard probability >= SplitPaths<State>.least else { throw SplitPaths<State>.tooRare(above: lowest) }
      for index in paths.givenUp {
        let parent = paths.heap[random.integer(in: 0..<survivors)]
        paths.copy(parent, to: index, above: lowest)
        try follow(index, &paths, &random)
      }
      for index in paths.givenUp { paths.push(index) }
    }
    return Replicate(probability: probability, levels: paths.passed.count, steps: paths.steps)
  }

  /// Splitting with fixed effort: from each level the same number of paths starts, spread over the states in which the
  /// level was first passed. The product of the shares that pass the next one has the probability as its mean.
  @inlinable func fixed(
    _ paths: inout SplitPaths<State>, _ random: inout RandomStream
  ) throws -> Replicate {
    let count = paths.replicas
    var probability = 1.0
    var entries: [SplitPaths<State>.Record] = []
    for _ in 0..<count { entries.append(try begun(paths, &random)) }
    for bound in paths.bounds {
      var next: [SplitPaths<State>.Record] = []
      // Each entry is used equally often; who is used once more is drawn.
      var order = Array(entries.indices)
      for place in 0..<count % entries.count { order.swapAt(place, random.integer(in: place..<entries.count)) }
      for trial in 0..<count {
        let entry = entries[order[trial % entries.count]]
        if entry.level > bound {
          next.append(entry)
        } else if let risen = try risen(entry, above: bound, &paths.steps, atMost: paths.maxSteps, &random) {
          next.append(risen)
        }
      }
      paths.passed.append((bound, next.count))
      guard !next.isEmpty else { return Replicate(probability: 0, levels: paths.passed.count, steps: paths.steps) }
      probability *= Double(next.count) / Double(count)
      guard probability >= SplitPaths<State>.least else { throw SplitPaths<State>.tooRare(above: bound) }
      entries = next
    }
    return Replicate(probability: probability, levels: paths.passed.count, steps: paths.steps)
  }
}

/// The paths of a run of splitting, kept by a worker. Public only for the loops that are compiled with an experiment.
@_documentation(visibility: internal)
public struct SplitPaths<State> {
  /// A state in which a path was higher than before.
  @usableFromInline struct Record {
    @usableFromInline let level: Double
    @usableFromInline let state: State
    /// True if the path ends there.
    @usableFromInline let isOver: Bool

    @inlinable init(level: Double, state: State, isOver: Bool) {
      (self.level, self.state, self.isOver) = (level, state, isOver)
    }
  }

  @usableFromInline let replicas: Int
  /// The levels to pass with fixed effort, the last just below the top; empty for adaptive levels.
  @usableFromInline let bounds: [Double]
  @usableFromInline let maxSteps: Int
  /// The records of each path, of rising levels; those below the levels passed may be missing.
  @usableFromInline var records: [[Record]]
  /// The highest level of each path.
  @usableFromInline var highest: [Double]
  /// The paths that are not given up: a binary heap with the lowest first.
  @usableFromInline var heap: [Int] = []
  @usableFromInline var givenUp: [Int] = []
  /// The levels that were passed, and by how many paths.
  @usableFromInline var passed: [(above: Double, survivors: Int)] = []
  @usableFromInline var steps = 0

  package init(replicas: Int, bounds: [Double] = [], maxSteps: Int = 10_000_000) {
    (self.replicas, self.bounds, self.maxSteps) = (replicas, bounds, maxSteps)
    records = Array(repeating: [], count: bounds.isEmpty ? replicas : 0)
    highest = Array(repeating: 0, count: replicas)
  }

  /// Replaces a path by another from where that first rose above a level.
  @inlinable mutating func copy(_ parent: Int, to index: Int, above level: Double) {
    var place = 0
    while records[parent][place].level <= level { place += 1 }
    let record = records[parent][place]
    records[index].removeAll(keepingCapacity: true)
    records[index].append(record)
  }

  @inlinable mutating func push(_ path: Int) {
    heap.append(path)
    var place = heap.count - 1
    while place > 0, case let parent = (place - 1) / 2, highest[heap[place]] < highest[heap[parent]] {
      heap.swapAt(place, parent)
      place = parent
    }
  }

  @inlinable mutating func pop() -> Int {
    heap.swapAt(0, heap.count - 1)
    let path = heap.removeLast()
    var place = 0
    while case let child = 2 * place + 1, child < heap.count {
      let other = child + 1
      let lower = other < heap.count && highest[heap[other]] < highest[heap[child]] ? other : child
      guard highest[heap[lower]] < highest[heap[place]] else { break }
      heap.swapAt(place, lower)
      place = lower
    }
    return path
  }

  /// The least estimate: the cubes of smaller ones, which the shape of the samples needs, are not doubles.
  @usableFromInline static var least: Double { 1e-100 }

  @usableFromInline @inline(never) func noLevel(_ what: String) -> any Error {
    SplittingError(problem: "\(what) is nan, expected a number")
  }

  @usableFromInline @inline(never) static func noLevel(after steps: Int) -> any Error {
    SplittingError(problem: "the level is nan \(steps) steps after a start or a split, expected a number")
  }

  @usableFromInline @inline(never) static func endless(after steps: Int, above level: Double) -> any Error {
    SplittingError(
      problem: "a path neither ended nor rose above level \(level) in \(steps) steps, expected that 'step' returns "
        + "false at some time; 'max-steps' allows more")
  }

  @usableFromInline @inline(never) static func tooRare(above level: Double) -> any Error {
    SplittingError(
      problem: "the estimate is below 1e-100 above level \(level), where the top is not reached yet; expected a level "
        + "that reaches the top, and a more probable event")
  }
}

/// A state or a level with which splitting cannot go on.
struct SplittingError: Error, CustomStringConvertible {
  let problem: String
  var description: String { problem }
}
