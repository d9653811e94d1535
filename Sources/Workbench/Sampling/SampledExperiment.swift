// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import MonteCarlo
public import Randomness
internal import Reporting
public import Scenarios
internal import Statistics

/// An experiment that draws one sample after another, all alike: the workbench does the rest.
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
/// It has the parameters `samples`, `only`, `confidence`, `random.generator` and `random.seed` besides its own. Samples
/// are drawn on any number of workers; what comes out does not depend on how many.
public protocol SampledExperiment: Experiment {
  /// One sample: whatever the measures are read from.
  associatedtype Sample
  /// What is read of each sample, and what all of them state together; at least one, each name once.
  static var measures: [SampleMeasure<Sample>] { get }
  /// How many samples are drawn where nobody says: 10,000 unless stated.
  static var usualSamples: Int { get }
  /// Draws one sample. What it returns must depend on the parameters and the draws alone.
  ///
  /// - Throws: what is wrong with the parameters and only drawing can find; the run ends with it.
  func sample(_ random: inout RandomStream) throws -> Sample
}

extension SampledExperiment {
  /// 10,000.
  public static var usualSamples: Int { 10_000 }
  /// The experiment with how many samples are drawn, and how.
  public static var runnable: any Experiment.Type { Varied<Sampled<Self>>.self }
  /// What the samples state together.
  public var measures: [Measure] { Sampled(self).measures }
  /// Draws the usual samples.
  public func run(on bench: ScenarioBench) throws -> ScenarioResult { try Sampled(self).run(on: bench) }
}

/// A sampled experiment with how many samples are drawn, and how.
struct Sampled<Core: SampledExperiment>: Experiment {
  static var kind: String { Core.kind }
  static var command: [String] { Core.command }
  static var summary: String { Core.summary }
  static var discussion: String { Core.discussion }
  static var usualThresholds: [String] { Core.usualThresholds }
  static var preconditions: [Threshold] { Core.preconditions }

  var core = Core()
  var samples = Core.usualSamples
  /// The one sample that is drawn, instead of all.
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
          "only", \.only, ValueType<Int>.count(0...9_999_999_999).optional,
          "Draw this sample alone, counted from 0, and show what is read of it.", example: "4711"),
        Parameter(
          "confidence", \.confidence, .probability, "The confidence of each interval that tables show.",
          example: "0.999"),
      ] + Parameter.random(generator: \.generator, seed: \.seed)
  }

  var thresholds: [String] { core.thresholds }
  func check() throws(ParameterError) { try core.check() }
  func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("samples", samples) }
  var measures: [Measure] { Core.measures.flatMap { $0.measures(confidence: confidence) } }

  /// Samples that share a random stream: the least that is drawn again to draw one of them alone.
  private static var samplesPerStream: Int { 64 }

  /// Blocks hold whole streams. They grow with the samples, so that their moments stay few, up to half a MiB a measure.
  private var samplesPerBlock: Int {
    Self.samplesPerStream * min(1024, max(1, samples / (Self.samplesPerStream * 2048)))
  }

  /// Beyond it the squares of many samples would overflow.
  private static var largestValue: Double { 1e140 }

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let streams = try StreamFamily(rootSeed: seed, experiments: [Self.kind])
    if let only { return try result(ofSample: only, streams) }
    let meter = bench.meter(samples, "samples")
    defer { meter?.finish() }
    let (core, generator, samples, perBlock) = (core, generator, samples, samplesPerBlock)
    let interrupt = bench.interrupt
    let count: @Sendable (Int) -> Int = { min(perBlock, samples - $0 * perBlock) }
    let run = try BlockRunner(workers: bench.workers).run(
      blocks: 0..<(samples - 1) / perBlock + 1, into: SampleTallies(measures: Core.measures.count),
      interrupt: bench.interrupt, samples: count, progress: { meter?.advance(by: $0) },
      makeScratch: { () throws(any Error) -> RandomStream in try RandomStream(named: generator, seed: 1) },
      body: { (block, random: inout RandomStream) throws(any Error) -> SampleTallies in
        let (measures, first, size) = (Core.measures, block * perBlock, count(block))
        var values = measures.map { _ in [Double](repeating: 0, count: size) }
        for number in first..<first + size {
          if number.isMultiple(of: Self.samplesPerStream) {
            try interrupt.check()
            try random.reseed(streams.seed(ordinal: 0, block: number / Self.samplesPerStream))
          }
          let sample = try core.sample(&random)
          for place in measures.indices {
            let value = measures[place].read(sample)
            guard abs(value) <= Self.largestValue else {
              throw UnusableSample(measure: measures[place].name, value: value, number: number)
            }
            // A zero has no sign, or the order of merging would show in it.
            values[place][number - first] = value + 0
          }
        }
        return SampleTallies(samples: size, values.map { SampleTally($0, of: block, from: first) })
      })
    return result(of: run.tally)
  }

  private func result(of tallies: SampleTallies) -> ScenarioResult {
    let confidence = confidence
    let found = zip(Core.measures, tallies.measures).map { measure, tally in
      (measure, tally, tallies.samples == 0 ? [] : measure.measurements(in: tally, confidence: confidence))
    }
    let measurements = found.flatMap(\.2)
    return ScenarioResult(
      measurements: measurements, data: ["samples": .integer(tallies.samples)],
      document: Document(
        id: "measures", title: Self.summary.hasSuffix(".") ? String(Self.summary.dropLast()) : Self.summary,
        [
          .table(
            Table(measurements, at: confidence),
            caption: "\(NumberFormat.grouped(tallies.samples)) samples; each interval holds for itself at "
              + "\(NumberFormat.shortest(confidence)) confidence.")
        ] + found.compactMap { measure, tally, _ in measure.figure(of: tally).map(ReportBlock.figure) }
          + [
            .details(
              summary: "The most extreme samples",
              [.table(extremes(found.map { ($0.0, $0.1) }), caption: "--only draws one of them alone.")])
          ],
        data: Table(raw: measurements, at: confidence)),
      isComplete: tallies.samples == samples)
  }

  private func extremes(_ found: [(measure: SampleMeasure<Core.Sample>, tally: SampleTally)]) -> Table {
    Table(
      ["measure"], numbers: ["least", "in sample", "most", "in sample "],
      rows: found.filter { $0.measure.kind != .share }.map { measure, tally in
        [measure.name]
          + [tally.least, tally.most].flatMap {
            [$0.map { NumberFormat.significant($0.value) } ?? "", $0.map { "\($0.sample)" } ?? ""]
          }
      })
  }

  /// Draws the samples of a stream up to one of them, and shows what is read of that one.
  private func result(ofSample number: Int, _ streams: StreamFamily) throws -> ScenarioResult {
    let (stream, place) = number.quotientAndRemainder(dividingBy: Self.samplesPerStream)
    var random = try RandomStream(named: generator, seed: streams.seed(ordinal: 0, block: stream))
    for _ in 0..<place { _ = try core.sample(&random) }
    let sample = try core.sample(&random)
    let values = Core.measures.map { ($0, $0.read(sample)) }
    let table = Table(
      ["measure"], numbers: ["value"], ["unit"],
      rows: values.map { measure, value in
        [
          measure.name, measure.kind == .share ? (value == 1 ? "yes" : "no") : NumberFormat.shortest(value),
          measure.unit,
        ]
      })
    return ScenarioResult(
      measurements: [],
      data: [
        "sample": .integer(number), "values": .object(values.map { JSONMember($0.0.name, .figure($0.1)) }),
      ],
      document: Document(id: "sample", title: "Sample \(number)", [.table(table)], data: table))
  }
}

/// A sample of which a measure reads what is no finite number.
struct UnusableSample: Error, CustomStringConvertible {
  let measure: String
  let value: Double
  let number: Int

  var description: String {
    "sample \(number): '\(measure)' is \(value), expected a finite number up to 1e140; --only \(number) draws it alone "
      + "(in a scenario: --set only=\(number))."
  }
}

extension UnusableSample: FailureUnderTest {}

extension SampleMeasure {
  /// The measures that thresholds may name.
  func measures(confidence: Double) -> [Measure] {
    switch kind {
    case .mean(let range): [Measure(name, meaning: meaning, unit: unit, nature: .mean, range: range)]
    case .share: [Measure(name, meaning: meaning, nature: .proportion)]
    case .percentiles(let percents):
      percents.map {
        Measure(
          name, of: "p\(NumberFormat.shortest($0))", meaning: meaning, unit: unit,
          nature: .interval(confidence: confidence))
      }
    }
  }

  func measurements(in tally: SampleTally, confidence: Double) -> [Measurement] {
    let total = tally.total
    let values: [Measurement.Value] =
      switch kind {
      case .mean:
        [
          .mean(
            total.mean,
            standardDeviation: total.count < 2 ? 0 : (total.squares / Double(total.count - 1)).squareRoot(),
            samples: total.count)
        ]
      // Ones and noughts: their sum is exact.
      case .share:
        [.proportion(successes: Int((total.mean * Double(total.count)).rounded()), trials: total.count)]
      case .percentiles(let percents): percents.map { tally.percentile($0, confidence: confidence) }
      }
    return zip(measures(confidence: confidence), values).map { Measurement($0, $1) }
  }

  /// How the numbers of the samples spread; `nil` for shares and where all are alike.
  fileprivate func figure(of tally: SampleTally) -> Figure? {
    guard kind != .share, let histogram = tally.histogram(steps: 40) else { return nil }
    let title = unit.isEmpty ? name : "\(name), \(unit)"
    return Figure(
      id: "spread-" + name.replacing(".", with: "-"), title: "How \(name) spreads over the samples",
      alternative: "\(meaning) Shares of the samples by equal steps of \(title), without the outermost thousandths.",
      x: Figure.Axis(title), y: Figure.Axis("share of the samples, %"),
      series: [
        Figure.Series(
          "samples", style: .line,
          points: zip(histogram.places, histogram.shares).map { Figure.Point($0, $1 * 100) }),
        .moment("mean", at: tally.total.mean),
      ])
  }
}

extension Table {
  /// A row a measurement: the estimate, what it is known to lie in, and on how many samples it rests.
  fileprivate init(_ measurements: [Measurement], at confidence: Double) {
    self.init(
      ["measure"], numbers: ["estimate", "from", "to"], ["unit"],
      rows: measurements.map { one in
        let isShare = one.measure.nature == .proportion
        let range = one.knownRange(at: confidence)
        let width = max(one.estimate - range.lowerBound, range.upperBound - one.estimate) * (isShare ? 100 : 1)
        let decimals = width > 0 && width.isFinite ? min(12, max(0, Int((1 - log10(width)).rounded(.up)))) : 6
        func text(_ value: Double) -> String {
          value.isFinite
            ? isShare
              ? NumberFormat.percent(value, decimals: decimals) : NumberFormat.fixed(value, decimals: decimals)
            : ""
        }
        return [one.measure.fullName] + [one.estimate, range.lowerBound, range.upperBound].map(text)
          + [one.measure.unit]
      })
  }

  /// The same in full, for programs.
  fileprivate init(raw measurements: [Measurement], at confidence: Double) {
    self.init(
      ["measure", "label", "unit", "estimate", "low", "high", "confidence", "samples"],
      rows: measurements.map { one in
        let range = one.knownRange(at: confidence)
        return [one.measure.name, one.measure.label ?? "", one.measure.unit]
          + [one.estimate, range.lowerBound, range.upperBound, confidence].map {
            $0.isFinite ? NumberFormat.shortest($0) : ""
          } + ["\(one.samples ?? 0)"]
      })
  }
}

extension NumberFormat {
  /// In six significant digits.
  fileprivate static func significant(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return shortest(value) }
    let decimals = min(12, max(0, 5 - Int(log10(abs(value)).rounded(.down))))
    return fixed(value, decimals: decimals)
  }
}

extension Collection<Double> {
  /// The arithmetic mean; NaN where there is nothing.
  @inlinable public var mean: Double { reduce(0, +) / Double(count) }
}
