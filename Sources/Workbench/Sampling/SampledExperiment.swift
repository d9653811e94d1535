// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import MonteCarlo
public import Randomness
internal import Reporting
public import Scenarios
internal import Statistics

/// An experiment that draws independent samples. The workbench plays them, stops, estimates and reports.
///
///     struct Counter: SampledExperiment {
///       static let kind = "coffee.counter"
///       static let summary = "Customers at one counter, and how long they wait."
///       var arrivals = 0.8
///       static let parameters: [Parameter<Self>] = [
///         Parameter("arrivals", \.arrivals, .number(0...10, isOpen: true), "Customers a minute.", example: "0.9")
///       ]
///       static let measures: [SampleMeasure<Double>] = [.mean("wait", "The wait.", unit: "min") { $0 }]
///       func sample(_ random: inout RandomStream) -> Double { random.exponential(mean: 1 / arrivals) }
///     }
///
/// An experiment whose samples need state that is expensive to make, such as a shoe, tables or an evaluator, declares
/// `scratch()` and `sample(_:_:)` in place of `sample(_:)`; each worker has its own scratch.
///
/// It has the parameters `samples`, `end`, `only`, `confidence`, `random.generator` and `random.seed` in addition to
/// its own. Samples are drawn on any number of workers, which does not change the result. A run with thresholds ends at
/// the first `InterimAnalysis` at which all are decided.
public protocol SampledExperiment: Experiment {
  /// One sample, from which the measures are read.
  associatedtype Sample
  /// The state that a worker keeps from sample to sample; none unless `scratch()` is declared.
  associatedtype Scratch = Void
  /// The measures, each with a figure of every sample and a statistic of all; at least one, with different names.
  static var measures: [SampleMeasure<Sample>] { get }
  /// The default number of samples: 10,000 unless given.
  static var defaultSamples: Int { get }
  /// Draws one sample. What it returns must depend on the parameters and the draws alone.
  ///
  /// - Throws: An error of the parameters that only drawing can find, which ends the run.
  func sample(_ random: inout RandomStream) throws -> Sample
  /// Makes the scratch of a worker, on its thread.
  ///
  ///     func scratch() throws -> [Double] { Array(repeating: 0, count: customers) }
  ///
  /// - Throws: An error of the parameters, which ends the run.
  func scratch() throws -> Scratch
  /// Draws one sample with a worker's scratch. What it returns must depend on the parameters and the draws alone, not
  /// on what an earlier sample left in the scratch.
  ///
  ///     func sample(_ random: inout RandomStream, _ waits: inout [Double]) -> Double {
  ///       for index in waits.indices { waits[index] = random.exponential(mean: 1) }
  ///       return waits.max() ?? 0
  ///     }
  ///
  /// - Throws: An error of the parameters that only drawing can find, which ends the run.
  func sample(_ random: inout RandomStream, _ scratch: inout Scratch) throws -> Sample
}

extension SampledExperiment {
  /// Draws one sample with a new scratch.
  public func sample(_ random: inout RandomStream) throws -> Sample {
    var scratch = try scratch()
    return try sample(&random, &scratch)
  }
}

extension SampledExperiment where Scratch == Void {
  /// None.
  public func scratch() throws {}
  /// Draws one sample.
  public func sample(_ random: inout RandomStream, _ scratch: inout Void) throws -> Sample { try sample(&random) }

  /// Unavailable, so that an experiment that declares neither form does not compile; its forms would call each other.
  @available(*, unavailable, message: "declare sample(_:), or scratch() and sample(_:_:)")
  public func sample(_ random: inout RandomStream) throws -> Sample {
    throw UnusableSample(problem: "the experiment does not say how to draw it", number: 0, again: nil)
  }
}

extension SampledExperiment {
  /// 10,000.
  public static var defaultSamples: Int { 10_000 }
  /// The experiment with the parameters of sampling.
  public static var runnable: any Experiment.Type { Varied<Sampled<Self>>.self }
  /// The measures of all samples together.
  public var measures: [Measure] { Sampled(self).measures }
  /// Draws the default number of samples.
  public func run(on context: RunContext) throws -> ScenarioResult { try Sampled(self).run(on: context) }

  /// Draws samples and measures them, as a command with these `--samples` and this `--seed` does; for tests.
  ///
  ///     let wait = try Counter().run(samples: 2_000, seed: 7)["wait"]
  ///     #expect(wait.interval(at: 0.999).contains(4))
  ///
  /// - Parameters:
  ///   - samples: the number of samples, all of which are drawn.
  ///   - seed: the root seed: the same one gives the same measurements on every machine.
  ///   - confidence: the confidence of the intervals of percentiles; others have one at any confidence.
  /// - Returns: the measurements, in the order of the measures.
  /// - Throws: an error that names a parameter whose value no command accepts, with the expected ones; an error of a
  ///   sample, and one that names the sample and the measure if a number is not finite.
  public func run(samples: Int, seed: UInt64 = 1, confidence: Double = 0.99) throws -> [Measurement] {
    var sampled = Sampled(self)
    (sampled.samples, sampled.seed, sampled.confidence) = (samples, seed, confidence)
    try sampled.checkValues()
    var context = RunContext(workers: 1)
    context.samples.again = { "--only \($0) --seed \(seed)" }
    return try sampled.run(on: context).measurements
  }
}

/// A number of samples, fixed beforehand, at which a run evaluates its thresholds and may end.
///
/// Looks are at the whole, a half, a quarter of the blocks and so on. Intervals of a look get part of the error by a
/// linear spending function: half for the last, a quarter for the one before, and the rest for the first. The intervals
/// hold at their confidence at whichever look the run ends, since the errors of all looks add up to at most the error;
/// any dependence between looks is allowed.
///
/// Source: Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983), with
/// Bonferroni's bound in place of the joint distribution.
struct InterimAnalysis: Hashable {
  /// The number of blocks before the look.
  let blocks: Int
  /// The divisor of the error.
  let bonferroniDivisor: Int

  /// The fewest samples with which an unbounded mean ends a run: at early looks its interval needs far tails, which few
  /// skewed samples do not show.
  private static let fewestUnbounded = 1_000

  /// The samples of a random stream: to draw one alone, the earlier ones of its stream are drawn again.
  static let samplesPerStream = 64

  /// The samples of a block. Blocks hold whole streams; they grow with the number of samples, so that the moments of a
  /// measure take at most half a MiB.
  static func samplesPerBlock(of samples: Int) -> Int {
    samplesPerStream * min(1024, max(1, samples / (samplesPerStream * 2048)))
  }

  /// Returns true if a run of samples may end at a look before the last with this measurement.
  static func mayEnd(with measurement: Measurement) -> Bool {
    let isUnbounded = measurement.measure.kind == .mean && measurement.measure.range == nil
    return !isUnbounded || measurement.samples ?? 0 >= fewestUnbounded
  }

  /// All looks of a run of `blocks` blocks, in order.
  static func all(blocks: Int) -> [InterimAnalysis] {
    var looks = [InterimAnalysis(blocks: blocks, bonferroniDivisor: blocks > 1 ? 2 : 1)]
    while let next = looks.last, next.blocks > 1 {
      let count = (next.blocks + 1) / 2
      looks.append(
        InterimAnalysis(
          blocks: count, bonferroniDivisor: count > 1 ? next.bonferroniDivisor * 2 : next.bonferroniDivisor))
    }
    return looks.reversed()
  }
}

/// A sampled experiment with the parameters of sampling.
struct Sampled<Core: SampledExperiment>: Experiment {
  static var kind: String { Core.kind }
  static var command: [String] { Core.command }
  static var summary: String { Core.summary }
  static var discussion: String { Core.discussion }
  static var defaultThresholds: [String] { Core.defaultThresholds }
  static var preconditions: [(threshold: String, reason: String)] { Core.preconditions }

  var core = Core()
  var samples = Core.defaultSamples
  var end = RunEnd.decided
  /// The thresholds that samples decide.
  private var asked: [SampledThreshold] = []
  /// The number of the only sample to draw; `nil` for all.
  var only: Int?
  var confidence = 0.99
  var generator = GSLGenerator.defaultName
  var seed: UInt64 = 1

  init() {}

  init(_ core: Core) { self.core = core }

  static var parameters: [Parameter<Self>] {
    Core.parameters.map { $0.within(\.core) }
      + [
        Parameter("samples", \.samples, .count(1...10_000_000_000), "How many samples are drawn.", example: "1e6"),
        Parameter(
          "end", \.end, .choice,
          "When drawing ends: as soon as all thresholds that state a confidence are decided, or when all samples are "
            + "drawn.",
          example: "all"),
        Parameter(
          "only", \.only, ValueType<Int>.count(0...9_999_999_999).optional,
          "Draw this sample alone, counted from 0, and show its measures.", example: "4711"),
        Parameter(
          "confidence", \.confidence, .probability, "The confidence of each interval that tables show.",
          example: "0.999"),
      ] + Parameter.random(generator: \.generator, seed: \.seed)
  }

  var thresholds: [String] { core.thresholds }
  func check() throws(ParameterError) { try core.check() }
  mutating func setStoppingThresholds(_ thresholds: [SampledThreshold]) { asked = thresholds }
  var listsSamples: Bool { only == nil }
  func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("samples", samples) }
  var measures: [Measure] { Core.measures.flatMap { $0.measures(confidence: confidence) } }

  private static var samplesPerStream: Int { InterimAnalysis.samplesPerStream }

  private var samplesPerBlock: Int { InterimAnalysis.samplesPerBlock(of: samples) }

  /// The number of a measure for a sample, if it can be summed: beyond 1e140 sums of squares overflow.
  ///
  /// - Throws: `UnusableSample`.
  private static func usable(
    _ value: Double, of measure: SampleMeasure<Core.Sample>, _ number: Int, again: @autoclosure () -> String?
  ) throws -> Double {
    guard abs(value) <= 1e140 else {
      throw UnusableSample(
        problem: "'\(measure.name)' is \(value), expected a finite number up to 1e140", number: number, again: again())
    }
    // Turns -0 into 0; otherwise the order of merging could show.
    return value + 0
  }

  /// Draws a sample.
  ///
  /// - Throws: an error of the experiment, and `UnusableSample` if a draw had impossible parameters.
  private static func sample(
    _ core: Core, _ number: Int, _ random: inout RandomStream, _ scratch: inout Core.Scratch, seed: UInt64,
    again: @autoclosure () -> String?
  ) throws -> Core.Sample {
    random.begin(sample: number, rootSeed: seed)
    let sample = try core.sample(&random, &scratch)
    if let problem = random.problem {
      throw UnusableSample(problem: String("\(problem)".dropLast()), number: number, again: again())
    }
    return sample
  }

  /// True if samples can decide all thresholds, so that there are looks before the last.
  private var endsEarly: Bool { end == .decided && !asked.isEmpty && asked.allSatisfy(\.canBeDecided) }

  private var blocks: Int { (samples - 1) / samplesPerBlock + 1 }

  func run(on context: RunContext) throws -> ScenarioResult {
    if let only { return try result(ofSample: only, on: context) }
    let meter = context.meter(samples, "samples")
    defer { meter?.finish() }
    let (core, measures, seed) = (core, Core.measures, seed)
    let looks =
      endsEarly ? InterimAnalysis.all(blocks: blocks) : [InterimAnalysis(blocks: blocks, bonferroniDivisor: 1)]
    let file = try context.samples.file.map { path throws(ReportingError) in
      try SampleFile(path, columns: measures.map { ($0.name, $0.kind == .share) })
    }
    var (found, done) = (SampleTallies(columns: measures.count), 0)
    for look in looks {
      let part = try tally(
        done..<look.blocks, columns: measures.count, on: context, meter, to: file, scratch: { try core.scratch() }
      ) { number, random, scratch, row in
        let sample = try Self.sample(core, number, &random, &scratch, seed: seed, again: context.samples.again(number))
        for measure in measures {
          row.append(try Self.usable(measure.read(sample), of: measure, number, again: context.samples.again(number)))
        }
      }
      found.merge(part)
      let isWhole = found.samples == min(samples, look.blocks * samplesPerBlock)
      if !isWhole || look.blocks == blocks || isDecided(found, bonferroniDivisor: look.bonferroniDivisor) {
        try file?.keep()
        return result(
          of: found, bonferroniDivisor: isWhole ? look.bonferroniDivisor : nil, again: context.samples.again)
      }
      done = look.blocks
    }
    return result(of: found, bonferroniDivisor: nil, again: context.samples.again)
  }

  /// Draws the samples of blocks, each a row of numbers, and tallies their columns; fewer after an interruption.
  private func tally<Scratch>(
    _ blocks: Range<Int>, columns: Int, on context: RunContext, _ meter: ProgressMeter?, to file: SampleFile? = nil,
    scratch: @escaping @Sendable () throws -> Scratch,
    row: @escaping @Sendable (_ number: Int, inout RandomStream, inout Scratch, _ rows: inout [Double]) throws -> Void
  ) throws -> SampleTallies {
    let streams = try streams()
    let (generator, samples, perBlock, interrupt) = (generator, samples, samplesPerBlock, context.interrupt)
    let count: @Sendable (Int) -> Int = { min(perBlock, samples - $0 * perBlock) }
    let running = RunningSamples(context.samples) { context.workers.save() }
    return try TrapReporter.shared.watching(running) {
      try BlockRunner(workers: context.workers).run(
        blocks: blocks, into: SampleTallies(columns: columns), interrupt: interrupt, samples: count,
        progress: { meter?.advance(by: $0) },
        makeScratch: { () throws(any Error) in try Drawing(generator, running, scratch()) },
        body: { (block, drawing: inout Drawing<Scratch>) throws(any Error) -> SampleTallies in
          let (first, size) = (block * perBlock, count(block))
          file?.take(block) { interrupt.isRaised }
          defer {
            drawing.slot.end()
            file?.drop(block)
          }
          var rows: [Double] = []
          rows.reserveCapacity(size * columns)
          for number in first..<first + size {
            try interrupt.check()
            if number.isMultiple(of: Self.samplesPerStream) {
              try drawing.random.reseed(streams.seed(ordinal: 0, block: number / Self.samplesPerStream))
            }
            drawing.slot.begin(number)
            try row(number, &drawing.random, &drawing.scratch, &rows)
          }
          try file?.add(rows, of: block, from: first)
          return SampleTallies(rows, columns: columns, block: block, from: first)
        })
    }.tally
  }

  private func streams() throws -> StreamFamily { try StreamFamily(rootSeed: seed, experiments: [Self.kind]) }

  private func isDecided(_ found: SampleTallies, bonferroniDivisor: Int) -> Bool {
    let measurements = measurements(in: found, bonferroniDivisor: bonferroniDivisor)
    return asked.allSatisfy { threshold in
      measurements.first { $0.measure.fullName == threshold.measure.fullName }.map { one in
        InterimAnalysis.mayEnd(with: one) && threshold.isDecided(by: one)
      } ?? false
    }
  }

  private func measurements(in found: SampleTallies, bonferroniDivisor: Int?) -> [Measurement] {
    found.samples == 0
      ? []
      : zip(Core.measures, found.columns).flatMap {
        $0.measurements(in: $1, confidence: confidence, bonferroniDivisor: bonferroniDivisor, lookedBefore: endsEarly)
      }
  }

  /// `bonferroniDivisor` is the divisor of a look's error; `nil` after an interruption.
  private func result(
    of found: SampleTallies, bonferroniDivisor: Int?, again: @Sendable (Int) -> String
  ) -> ScenarioResult {
    let measurements = measurements(in: found, bonferroniDivisor: bonferroniDivisor)
    let isEarly = bonferroniDivisor != nil && found.samples < samples
    return ScenarioResult(
      measurements: measurements, data: ["samples": .integer(found.samples)],
      document: Document(
        id: "measures", title: Self.summary.hasSuffix(".") ? String(Self.summary.dropLast()) : Self.summary,
        [
          .table(
            Table(measurements, at: confidence),
            caption: "\(NumberFormat.grouped(found.samples)) "
              + (isEarly ? "of \(NumberFormat.grouped(samples)) samples, which decide all thresholds" : "samples")
              + "; each interval holds individually at \(NumberFormat.shortest(confidence)) confidence.")
        ] + zip(Core.measures, found.columns).compactMap { $0.figure(of: $1).map(ReportBlock.figure) }
          + [
            .details(summary: "The most extreme samples", [.table(extremes(found, again))])
          ]),
      confidence: confidence, isComplete: bonferroniDivisor != nil)
  }

  private func extremes(_ found: SampleTallies, _ again: @Sendable (Int) -> String) -> Table {
    Table(
      ["measure", "extreme"], numbers: ["value", "sample"], ["to draw it alone"],
      rows: zip(Core.measures, found.columns).filter { $0.0.kind != .share }.flatMap { measure, tally in
        [("least", tally.minimum), ("most", tally.maximum)].compactMap { name, extreme in
          extreme.map {
            [measure.name, name, NumberFormat.significant($0.value), "\($0.sample)", again($0.sample)]
          }
        }
      })
  }

  /// Draws the samples of a stream up to one of them, and shows that one's measures and draws.
  private func result(ofSample number: Int, on context: RunContext) throws -> ScenarioResult {
    let (stream, position) = number.quotientAndRemainder(dividingBy: Self.samplesPerStream)
    let record = DrawRecord(maximum: 20)
    let running = RunningSamples(context.samples, record: record)
    let sample = try TrapReporter.shared.watching(running) {
      var drawing = try Drawing(generator, running, core.scratch())
      defer { drawing.slot.end() }
      try drawing.random.reseed(streams().seed(ordinal: 0, block: stream))
      for before in number - position..<number {
        drawing.slot.begin(before)
        _ = try Self.sample(
          core, before, &drawing.random, &drawing.scratch, seed: seed, again: context.samples.again(before))
      }
      drawing.slot.begin(number)
      drawing.random.record = record
      return try Self.sample(
        core, number, &drawing.random, &drawing.scratch, seed: seed, again: context.samples.again(number))
    }
    let values = Core.measures.map { ($0, $0.read(sample)) }
    let table = Table(
      ["measure"], numbers: ["value"], ["unit"],
      rows: values.map { measure, value in
        [
          measure.name, measure.kind == .share ? (value == 1 ? "yes" : "no") : NumberFormat.shortest(value),
          measure.unit,
        ]
      })
    let draws = Table(
      [], numbers: ["draw", "value"], ["distribution"],
      rows: record.first.enumerated().map { position, draw in
        ["\(position + 1)", NumberFormat.shortest(draw.value), draw.kind]
      })
    let count = "\(NumberFormat.grouped(record.count)) \(record.count == 1 ? "value" : "values")"
    return ScenarioResult(
      measurements: [],
      data: [
        "sample": .integer(number), "values": .object(values.map { JSONMember($0.0.name, .figure($0.1)) }),
        "draws": .integer(record.count),
      ],
      document: Document(
        id: "sample", title: "Sample \(number)",
        [
          .table(table),
          .table(
            draws,
            caption: record.count > record.first.count
              ? "It drew \(count), of which these are the first." : "It drew \(count)."),
        ], data: table))
  }
}

/// The generator and the scratch of a worker, and the sample that it draws.
private struct Drawing<Scratch>: ~Copyable {
  var random: RandomStream
  var scratch: Scratch
  let slot: RunningSamples.Slot
  private let stack = SignalStack()

  /// Create it on the worker's thread.
  init(_ generator: String, _ running: RunningSamples, _ scratch: Scratch) throws(RandomnessError) {
    random = try RandomStream(named: generator, seed: 1)
    self.scratch = scratch
    slot = running.slot()
  }
}

extension Sampled: PairedExperiment {
  /// Each sample has its own stream here, so that settings stay paired even if they draw different numbers of values.
  func differences(from other: Self, on context: RunContext) throws -> [Measurement] {
    let (core, base, measures, rootSeed) = (core, other.core, Core.measures, seed)
    var context = context
    context.samples.again = { "not possible: sample \($0) is one of a comparison, with its own stream" }
    var pairs = self
    pairs.samples = min(samples, other.samples)
    let meter = context.meter(pairs.samples, "pairs")
    defer { meter?.finish() }
    let streams = try streams()
    let found = try pairs.tally(
      0..<pairs.blocks, columns: 2 * measures.count, on: context, meter,
      scratch: { (after: try core.scratch(), before: try base.scratch()) }
    ) { number, random, scratch, row in
      let seed = try streams.seed(ordinal: 0, block: number)
      try random.reseed(seed)
      let sample = try Self.sample(core, number, &random, &scratch.after, seed: rootSeed, again: nil)
      try random.reseed(seed)
      let earlier = try Self.sample(base, number, &random, &scratch.before, seed: rootSeed, again: nil)
      for measure in measures {
        let before = try Self.usable(measure.read(earlier), of: measure, number, again: nil)
        let after = try Self.usable(measure.read(sample), of: measure, number, again: nil)
        row += measure.isPaired ? [after - before, 0] : [after, before]
      }
    }
    guard found.samples == pairs.samples else { return [] }
    return measures.enumerated().flatMap { position, measure in
      measure.differences(in: found.columns[2 * position], found.columns[2 * position + 1], confidence: confidence)
    }
  }
}

/// A sample with a number for a measure that is not finite, or with a draw whose parameters were impossible.
struct UnusableSample: Error, CustomStringConvertible {
  /// Without a full stop.
  let problem: String
  let number: Int
  /// The command that draws the sample alone; `nil` in a comparison of settings.
  let again: String?

  var description: String {
    "sample \(number)\(again == nil ? " of a comparison" : ""): \(problem)"
      + (again.map { "; to draw it alone: \($0)" } ?? ".")
  }
}

extension UnusableSample: FailureUnderTest {}

extension SampleMeasure {
  /// The measures that thresholds may name.
  func measures(confidence: Double) -> [Measure] {
    switch kind {
    case .mean(let range): [Measure(name, meaning: meaning, unit: unit, kind: .mean, range: range)]
    case .share: [Measure(name, meaning: meaning, kind: .proportion)]
    case .percentiles(let percents):
      percents.map {
        Measure(
          name, of: "p\(NumberFormat.shortest($0))", meaning: meaning, unit: unit,
          kind: .interval(confidence: confidence))
      }
    }
  }

  /// The measurements at a look, with the divisor of its error; if that is `nil` the number of samples was not fixed
  /// beforehand, and percentiles have no interval.
  func measurements(
    in tally: SampleTally, confidence: Double, bonferroniDivisor: Int?, lookedBefore: Bool
  ) -> [Measurement] {
    let total = tally.total
    let values: [Measurement.Value] =
      switch kind {
      case .mean:
        [.mean(total.mean, standardDeviation: total.deviation, samples: total.count)]
      // The sum of ones and zeros is exact.
      case .share:
        [.proportion(successes: Int((total.mean * Double(total.count)).rounded()), trials: total.count)]
      case .percentiles(let percents):
        percents.map { percent in
          let one = tally.percentile(percent, error: (1 - confidence) / Double(bonferroniDivisor ?? 1))
          return .interval(
            one.value, low: bonferroniDivisor == nil ? -.infinity : one.low,
            high: bonferroniDivisor == nil ? .infinity : one.high,
            confidence: confidence, samples: total.count)
        }
      }
    let evidence = evidence(in: tally)
    return zip(measures(confidence: confidence), values).map { measure, value in
      // Percentiles have divided the error already. The looks before an interruption had up to half of it.
      Measurement(
        measure, value,
        bonferroniDivisor: measure.kind == .interval(confidence: confidence)
          ? 1 : bonferroniDivisor ?? (lookedBefore ? 2 : 1),
        evidence: evidence)
    }
  }

  /// The assumptions that the interval of a mean may use; `nil` for other measures.
  private func evidence(in tally: SampleTally) -> Measurement.Evidence? {
    if case .mean(let range) = kind { tally.evidence(in: range) } else { nil }
  }

  /// True if two settings are compared by the differences of their samples.
  fileprivate var isPaired: Bool { if case .percentiles = kind { false } else { true } }

  /// The differences from another setting: by the samples' differences, or by both settings' percentiles, each of whose
  /// intervals has half the error.
  fileprivate func differences(in after: SampleTally, _ before: SampleTally, confidence: Double) -> [Measurement] {
    func mean(in range: ClosedRange<Double>?) -> [Measurement] {
      let total = after.total
      return [
        Measurement(
          Measure(name, meaning: meaning, unit: unit, kind: .mean, range: range),
          .mean(total.mean, standardDeviation: total.deviation, samples: total.count),
          evidence: after.evidence(in: range))
      ]
    }
    switch kind {
    case .mean(let range):
      return mean(in: range.map { ($0.lowerBound - $0.upperBound)...($0.upperBound - $0.lowerBound) })
    case .share: return mean(in: -1...1)
    case .percentiles(let percents):
      return zip(measures(confidence: confidence), percents).map { measure, percent in
        let one = after.percentile(percent, error: (1 - confidence) / 2)
        let other = before.percentile(percent, error: (1 - confidence) / 2)
        return Measurement(
          measure,
          .interval(
            one.value - other.value, low: one.low - other.high, high: one.high - other.low, confidence: confidence,
            samples: after.total.count))
      }
    }
  }

  /// The distribution of the samples' numbers; `nil` for shares and if all are equal.
  fileprivate func figure(of tally: SampleTally) -> Figure? {
    guard kind != .share, let histogram = tally.histogram(steps: 40) else { return nil }
    let title = (meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning) + (unit.isEmpty ? "" : ", \(unit)")
    return Figure(
      id: "spread-" + name.replacing(".", with: "-"), title: "The distribution of \(name) over the samples",
      alternative:
        "\(meaning) Shares of the samples by \(histogram.isOfValues ? "values" : "equal steps") of \(name), "
        + "without the outermost thousandths.",
      x: Figure.Axis(title), y: Figure.Axis("share of the samples, %"),
      series: [
        Figure.Series(
          "samples", style: histogram.isOfValues ? .points : .line,
          points: zip(histogram.positions, histogram.shares).map { Figure.Point($0, $1 * 100) }),
        .moment("mean", at: tally.total.mean),
      ]
    ).showing([Figure.Subject(name, along: .across)])
  }
}

extension NumberFormat {
  /// A number in six significant digits.
  fileprivate static func significant(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return shortest(value) }
    let decimals = min(12, max(0, 5 - Int(log10(abs(value)).rounded(.down))))
    return fixed(value, decimals: decimals)
  }
}

extension Collection<Double> {
  /// The arithmetic mean; NaN of an empty array.
  @inlinable public var mean: Double { reduce(0, +) / Double(count) }
}
