// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo
public import Randomness
public import Reporting
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
/// A figure of all samples that is no statistic of one number of each, such as a matrix of counts, has a tally: what
/// `add(_:to:)` counts of every sample is given to `sections(of:)`. A kernel that draws millions of samples a second
/// is a `BatchedExperiment`.
///
/// It has the parameters `samples`, `end`, `only`, `confidence`, `random.generator` and `random.seed` in addition to
/// its own. Samples are drawn on any number of workers, which does not change the result. A run with thresholds ends at
/// the first interim analysis at which all are decided.
public protocol SampledExperiment: Experiment {
  /// One sample, from which the measures are read.
  associatedtype Sample
  /// The state that a worker keeps from sample to sample; none unless `scratch()` is declared.
  associatedtype Scratch = Void
  /// Counts of all samples other than those of the measures; none unless `tally()` is declared.
  associatedtype Tally: MergeableTally = NoTally
  /// The measures, each with a figure of every sample and a statistic of all; at least one, with different names.
  static var measures: [SampleMeasure<Sample>] { get }
  /// The default number of samples: 10,000 unless given.
  static var defaultSamples: Int { get }
  /// The plural name of the samples, which is the key of their number: `samples` unless given.
  static var samplesName: String { get }
  /// The default confidence of the intervals that tables show: 0.99 unless given.
  static var defaultConfidence: Double { get }
  /// The default generator of GSL: that of all experiments unless given.
  static var defaultGenerator: String { get }
  /// The default thresholds where tables show intervals at this confidence: `thresholds` unless given.
  func thresholds(at confidence: Double) -> [String]
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
  /// More of its document than the measures, which the workbench shows: a card, a timeline, what the figures mean.
  ///
  ///     func sections(of measurements: [Measurement]) throws -> [ReportBlock] {
  ///       [.paragraph("Customers arrive every \(1 / arrivals) minutes on average.")]
  ///     }
  ///
  /// - Parameter measurements: All measurements of the run, also after an interruption.
  /// - Returns: The blocks, which stand behind the measures.
  /// - Throws: An error of the parameters, which ends the run.
  func sections(of measurements: [Measurement]) throws -> [ReportBlock]

  // MARK: A tally

  /// The tally of no samples.
  func tally() -> Tally
  /// Further files of the run's folder.
  func files(of run: SampledRun<Tally>) -> [ScenarioResult.File]
  /// Adds a sample to the tally, on any worker: sums of integers, so that the order of samples does not matter.
  ///
  ///     func add(_ day: [Double], to tally: inout Counts) { tally.add(day.count { $0 > 10 }) }
  func add(_ sample: Sample, to tally: inout Tally)
  /// More of the document, as `sections(of:)` of measurements, with the tally.
  ///
  /// - Throws: An error of the parameters, which ends the run.
  func sections(of run: SampledRun<Tally>) throws -> [ReportBlock]
  /// Further members of `data` in `result.json`.
  ///
  /// - Throws: An error of the parameters, which ends the run.
  func data(of run: SampledRun<Tally>) throws -> [JSONMember]
  /// Computes before the run, once, what all samples need, and keeps it: a chart, a distribution of wins.
  ///
  /// - Throws: An error of the parameters, which ends the run.
  mutating func prepare(on context: RunContext) throws
  /// The kernel of an experiment that draws batches; do not declare it.
  @_documentation(visibility: internal)
  static var kernel: BatchKernel<Self>? { get }
}

extension SampledExperiment {
  /// None.
  public func sections(of measurements: [Measurement]) throws -> [ReportBlock] { [] }
  /// Those of the measurements.
  public func sections(of run: SampledRun<Tally>) throws -> [ReportBlock] { try sections(of: run.measurements) }
  /// Adds nothing.
  public func add(_ sample: Sample, to tally: inout Tally) {}
  /// None.
  public func data(of run: SampledRun<Tally>) throws -> [JSONMember] { [] }
  /// Prepares nothing.
  public mutating func prepare(on context: RunContext) throws {}
  /// None: the samples are drawn one by one.
  @_documentation(visibility: internal)
  public static var kernel: BatchKernel<Self>? { nil }
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

extension SampledExperiment where Tally == NoTally {
  /// None.
  public func tally() -> NoTally { NoTally() }
}

extension SampledExperiment {
  /// 10,000.
  public static var defaultSamples: Int { 10_000 }
  /// `samples`.
  public static var samplesName: String { "samples" }
  /// 0.99.
  public static var defaultConfidence: Double { 0.99 }
  /// That of all experiments.
  public static var defaultGenerator: String { GSLGenerator.defaultName }
  /// Those at any confidence.
  public func thresholds(at confidence: Double) -> [String] { thresholds }
  /// None.
  public func files(of run: SampledRun<Tally>) -> [ScenarioResult.File] { [] }
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
    do {
      return try sampled.run(on: context).measurements
    } catch let error as UnusableSample {
      throw error.underlying ?? error
    }
  }
}

/// The blocks of samples of a run.
enum SampleBlocks {
  /// The samples of a random stream unless an experiment has another number: to draw one alone, the earlier ones of
  /// its stream are drawn again.
  static let samplesPerStream = 64

  /// The samples of a block. Blocks hold whole streams; they grow with the number of samples, so that fast samples are
  /// not held up by adding blocks.
  static func samplesPerBlock(of samples: Int, perStream: Int = samplesPerStream) -> Int {
    perStream * min(max(1, 65_536 / perStream), max(1, samples / (perStream * 2048)))
  }
}

extension Measurement {
  /// True if a run of samples may end with it at a look before the last. At early looks the interval of an unbounded
  /// mean needs far tails, which few skewed samples do not show.
  var mayEndRun: Bool { measure.kind != .mean || measure.range != nil || samples ?? 0 >= 1_000 }
}

/// A sampled experiment with the parameters of sampling.
struct Sampled<Core: SampledExperiment>: ExtendedExperiment {
  typealias Base = Core

  var core = Core()
  var samples = Core.defaultSamples
  var end = RunEnd.decided
  /// The half-width at which the run ends; `nil` for none.
  var goal: WidthGoal?
  /// The time after which no block of samples begins; `nil` for no limit.
  var deadline: Duration?
  /// The thresholds that samples decide.
  private var asked: [SampledThreshold] = []
  /// The number of the only sample to draw; `nil` for all.
  var only: Int?
  /// True if each sample is a pair of antithetic draws.
  var isAntithetic = false
  var confidence = Core.defaultConfidence
  var generator = Core.defaultGenerator
  var seed: UInt64 = 1

  init() {}

  init(_ core: Core) { self.core = core }

  static var parameters: [Parameter<Self>] {
    Core.parameters.map { $0.within(\.core) }
      + [
        Parameter(
          Core.samplesName, \.samples, .count(1...maxSamples), "How many \(Core.samplesName) are drawn.",
          example: "1e6"),
        Parameter(
          "end", \.end, .choice,
          "When drawing ends: as soon as all thresholds that state a confidence are decided, or when all samples are "
            + "drawn.",
          example: "all"),
        Parameter(
          "half-width", \.goal, WidthGoal.type.optional,
          "Drawing ends when the interval of the first measure, at the confidence of the tables, has this half-width: "
            + "in its unit, or as a percentage of the estimate. NAME=WIDTH is for another measure. At most "
            + "'\(Core.samplesName)' are drawn.",
          example: "5%"),
        Parameter(
          "deadline", \.deadline, ValueType<Duration>.duration(.milliseconds(1)...(.seconds(1_000_000))).optional,
          "Drawing ends after this time with what is drawn, a number of samples that depends on the machine.",
          example: "30s"),
      ]
      + (isBatched
        ? []
        : [
          Parameter(
            "only", \.only, ValueType<Int>.count(0...9_999_999_999).optional,
            "Draw this sample alone, counted from 0, and show its measures.", example: "4711"),
          Parameter(
            "antithetic", \.isAntithetic, .flag,
            "Each sample is the mean of a pair: what was drawn, and the same with the complement of every random word, "
              + "so that what was large is small."),
        ])
      + [
        Parameter(
          "confidence", \.confidence, .probability, "The confidence of each interval that tables show.",
          example: "0.999")
      ] + Parameter.random(generator: \.generator, seed: \.seed)
  }

  var thresholds: [String] { core.thresholds(at: confidence) }
  func check() throws(ParameterError) {
    try core.check()
    if let reason = reasonForNone {
      let isDefault = samples == Core.defaultSamples
      let given = isDefault ? goal != nil ? "half-width" : deadline != nil ? "deadline" : nil : Core.samplesName
      if let given { throw ParameterError(given, expected: "nothing: \(reason)") }
    }
    guard let goal else { return }
    if end == .all {
      throw ParameterError("half-width", "end", expected: "no 'end: all' with it, which draws all samples")
    }
    if only != nil {
      throw ParameterError("half-width", "only", expected: "no 'only' with it, which draws a single sample")
    }
    let names = measures.filter { $0.kind != .exact && $0.kind != .count }.map(\.fullName)
    if let name = goal.measure, !names.contains(where: { $0 == name || $0.hasPrefix(name + "[") }) {
      throw ParameterError(
        "half-width", expected: "one of \(names.joined(separator: ", "))\(Spelling.hint(for: name, among: names))")
    }
  }
  mutating func setStoppingThresholds(_ thresholds: [SampledThreshold]) { asked = thresholds }
  mutating func addMeasure(named name: String) { core.addMeasure(named: name) }
  var listsSamples: Bool { only == nil && !Self.isBatched }
  var isTimed: Bool { deadline != nil }
  func sampleSize(of measure: Measure) -> SampleSize? {
    core.sampleSize(of: measure) ?? SampleSize(Core.samplesName, samples)
  }
  var measures: [Measure] {
    sampled.flatMap { $0.measures(confidence: confidence) } + (Core.kernel?.measures(core, confidence) ?? [])
  }

  /// The measures of the samples, which may be pairs.
  private var sampled: [SampleMeasure<Core.Sample>] { isAntithetic ? Core.measures.map(\.ofPairs) : Core.measures }

  /// True if samples are drawn in batches, and none alone.
  private static var isBatched: Bool { Core.kernel != nil }
  private typealias Drawn = DrawnSamples<Core.Tally>
  /// As many random streams as 10,000,000,000 samples have that are drawn one by one, up to 10^12 samples.
  private static var maxSamples: Int { min(1_000_000_000_000, 10_000_000_000 / 64 * samplesPerStream) }
  /// The reason why nothing is drawn; `nil` to draw samples.
  private var reasonForNone: String? { Core.kernel?.reasonForNone(core) }

  /// The columns of each measure in a row.
  private var columns: [SampleColumns] { sampled.map(\.columns) }

  private static var samplesPerStream: Int { Core.kernel?.samplesPerBatch ?? SampleBlocks.samplesPerStream }

  private var samplesPerBlock: Int { SampleBlocks.samplesPerBlock(of: samples, perStream: Self.samplesPerStream) }

  /// Appends the numbers of a sample for a measure, if they can be summed: beyond 1e140 sums of squares overflow.
  ///
  /// - Throws: `UnusableSample`.
  static func read(
    _ sample: Core.Sample, _ measure: SampleMeasure<Core.Sample>, _ number: Int, into row: inout [Double],
    again: @autoclosure () -> String?
  ) throws {
    let first = row.count
    measure.read(sample, &row)
    for index in first..<row.count {
      guard abs(row[index]) <= 1e140 else {
        throw UnusableSample(
          problem: "'\(measure.columnNames[index - first])' is \(row[index]), expected a finite number up to 1e140",
          number: number, again: again())
      }
      // Turns -0 into 0; otherwise the order of merging could show.
      row[index] += 0
    }
  }

  /// Draws a sample.
  ///
  /// - Throws: an error of the input or of the code under test, unchanged; for any other and if a draw had impossible
  ///   parameters, `UnusableSample`.
  static func sample(
    _ core: Core, _ number: Int, _ random: inout RandomStream, _ scratch: inout Core.Scratch, seed: UInt64,
    again: @autoclosure () -> String?
  ) throws -> Core.Sample {
    random.begin(sample: number, rootSeed: seed)
    let sample: Core.Sample
    do {
      sample = try core.sample(&random, &scratch)
    } catch let error where !(error is any InputError || error is any FailureUnderTest || error is Abandoned) {
      throw UnusableSample(problem: "\(error)", number: number, again: again(), underlying: error)
    }
    if let problem = random.problem {
      throw UnusableSample(problem: String("\(problem)".dropLast()), number: number, again: again())
    }
    return sample
  }

  /// True if samples can decide all thresholds and reach the half-width, so that there are looks before the last.
  private var endsEarly: Bool {
    end == .decided && !(asked.isEmpty && goal == nil) && asked.allSatisfy(\.canBeDecided)
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    var prepared = self
    try prepared.core.prepare(on: context)
    return try prepared.drawn(on: context)
  }

  /// Runs the experiment after its preparation.
  private func drawn(on context: RunContext) throws -> ScenarioResult {
    if let only { return try result(ofSample: only, on: context) }
    var context = context
    let kernel = Core.kernel
    if kernel != nil { context.samples.again = { "not possible: sample \($0) is one of a batch" } }
    let again = context.samples.again
    if reasonForNone != nil {
      guard !context.interrupt.isRaised else { return .interrupted }
      let none = Drawn(rows: SampleTallies(SampleColumns()), own: core.tally())
      return try result(of: none, bonferroniDivisor: 1, isComplete: true, again: again)
    }
    let meter = context.meter(samples, Core.samplesName)
    defer { meter?.finish() }
    let (core, measures, inPairs, seed) = (core, sampled, isAntithetic, seed)
    let hasTally = Core.Tally.self != NoTally.self
    let file = try context.samples.file.map { path throws(ReportingError) in
      try SampleFile(
        path,
        columns: measures.flatMap { measure in
          (measure.columnNames + (measure.isPaired ? measure.columnNames.map { "\($0).half-difference" } : []))
            .map { ($0, measure.kind == .share) }
        })
    }
    let columns = columns.reduce(SampleColumns(), +)
    let outcome = try draw(
      endsEarly ? .interim(atMost: samples) : .rounds(samples), columns, core.tally(), on: context, meter, to: file,
      scratch: { try kernel?.scratch(core, $0) ?? core.scratch() },
      batch: kernel.map { kernel in { try kernel.draw(core, $0, &$1, &$2) } },
      until: { try isDecided($0, bonferroniDivisor: $1) }
    ) { (number, random: inout RandomStream, scratch: inout Core.Scratch, row: inout [Double], own) in
      let sample = try Self.draw(
        core, measures, inPairs: inPairs, number, &random, &scratch, seed: seed, again: again(number), into: &row)
      if hasTally { core.add(sample, to: &own) }
    }
    try file?.keep()
    // A run that its deadline ended is complete unless samples had to decide thresholds.
    return try result(
      of: outcome.tally, bonferroniDivisor: outcome.bonferroniDivisor,
      isComplete: outcome.bonferroniDivisor != nil || outcome.reason == .deadline && asked.isEmpty, again: again)
  }

  /// Draws samples until the rule, the deadline or an interruption ends it, and tallies them. Each is a row of numbers
  /// and what it adds to a tally, or `batch` draws those of a random stream in one call.
  private func draw<Scratch, Own>(
    _ rule: StoppingRule, _ columns: SampleColumns, _ empty: Own, on context: RunContext, _ meter: ProgressMeter?,
    to file: SampleFile? = nil,
    scratch: @escaping @Sendable (_ generator: String) throws -> Scratch,
    batch: (@Sendable (SampleBatch, inout Scratch, inout Own) throws -> Void)? = nil,
    until isEnough: (DrawnSamples<Own>, _ bonferroniDivisor: Int) throws -> Bool = { _, _ in false },
    row:
      @escaping @Sendable (
        _ number: Int, inout RandomStream, inout Scratch, _ rows: inout [Double], inout Own
      ) throws -> Void
  ) throws -> RunOutcome<DrawnSamples<Own>> {
    let streams = try streams()
    let plan = try BlockPlan(rule, roundsPerBlock: samplesPerBlock)
    let deadline = deadline.map { ContinuousClock.now + $0 }
    let (generator, perBlock, interrupt, perStream) = (
      generator, samplesPerBlock, context.interrupt, Self.samplesPerStream
    )
    let running = RunningSamples(context.samples) { context.workers.save() }
    return try TrapReporter.shared.watching(running) {
      try BlockRunner(workers: context.workers).run(
        plan, into: DrawnSamples(rows: SampleTallies(columns), own: empty), interrupt: interrupt, deadline: deadline,
        progress: { meter?.advance(by: $0) },
        makeScratch: { () throws(any Error) in try Drawing(generator, running, scratch(generator)) },
        body: { (block, drawing: inout Drawing<Scratch>) throws(any Error) -> DrawnSamples<Own> in
          let (block, first, size) = (block.index, block.index * perBlock, block.rounds)
          file?.take(block) { interrupt.isRaised }
          defer {
            drawing.slot.end()
            file?.drop(block)
          }
          var (rows, own): ([Double], Own) = ([], empty)
          rows.reserveCapacity(size * columns.count)
          for number in stride(from: first, to: first + size, by: batch == nil ? 1 : perStream) {
            try interrupt.check()
            // The first block is drawn, so that there is a result.
            if let deadline, block > 0, ContinuousClock.now >= deadline { throw Abandoned() }
            drawing.slot.begin(number)
            if let batch {
              let end = min(number + perStream, first + size)
              try batch(SampleBatch(number / perStream, number..<end, streams), &drawing.scratch, &own)
              continue
            }
            if number.isMultiple(of: perStream) {
              try drawing.random.reseed(streams.seed(ordinal: 0, block: number / perStream))
            }
            try row(number, &drawing.random, &drawing.scratch, &rows, &own)
          }
          try file?.add(rows, of: block, from: first)
          return DrawnSamples(
            rows: SampleTallies(rows, columns, samples: size, block: block, from: first), own: own)
        },
        evaluate: { (look) throws(any Error) in try !look.isLast && isEnough(look.total, look.bonferroniDivisor) })
    }
  }

  private func streams() throws -> StreamFamily {
    try StreamFamily(rootSeed: seed, experiments: Core.kernel?.streams ?? [Core.kind])
  }

  private func isDecided(_ found: Drawn, bonferroniDivisor: Int) throws -> Bool {
    let measurements =
      try measurements(in: found.rows, bonferroniDivisor: bonferroniDivisor).flatMap(\.self)
      + tallied(in: run(found, bonferroniDivisor))
    guard goal?.isReached(in: measurements, at: confidence) != false else { return false }
    return asked.allSatisfy { threshold in
      measurements.first { $0.measure.fullName == threshold.measure.fullName }.map { one in
        one.mayEndRun && threshold.isDecided(by: one)
      } ?? false
    }
  }

  /// The measurements of samples, for each measure.
  private func measurements(in found: SampleTallies, bonferroniDivisor: Int?) -> [[Measurement]] {
    zip(sampled, found.split(columns)).map {
      $0.measurements(
        in: $1, of: core, confidence: confidence, bonferroniDivisor: bonferroniDivisor, lookedBefore: endsEarly)
    }
  }

  private func run(_ found: Drawn, _ bonferroniDivisor: Int?) -> SampledRun<Core.Tally> {
    SampledRun(
      tally: found.own, samples: found.samples, maxSamples: samples, generator: generator, seed: seed,
      confidence: confidence, bonferroniDivisor: bonferroniDivisor)
  }

  /// The measurements of the experiment's own tally. The looks before an interruption had up to half of the error.
  private func tallied(in run: SampledRun<Core.Tally>) throws -> [Measurement] {
    let divisor = run.bonferroniDivisor ?? (endsEarly ? 2 : 1)
    return try (Core.kernel?.measurements(core, run) ?? []).map {
      switch $0.value {
      case .proportion, .mean: Measurement($0.measure, $0.value, bonferroniDivisor: divisor, evidence: $0.evidence)
      case .exact, .count, .interval: $0
      }
    }
  }

  /// `bonferroniDivisor` is the divisor of a look's error; `nil` if the run ended between looks.
  private func result(
    of found: Drawn, bonferroniDivisor: Int?, isComplete: Bool, again: @Sendable (Int) -> String
  ) throws -> ScenarioResult {
    var run = run(found, bonferroniDivisor)
    let isEmpty = found.samples == 0 && reasonForNone == nil
    let own = isEmpty ? [] : try tallied(in: run)
    let rows =
      found.samples == 0
      ? []
      : try zip(Core.measures, measurements(in: found.rows, bonferroniDivisor: bonferroniDivisor)).flatMap {
        try $0.computed(by: core) ?? $1
      }
    run.measurements = rows + own
    let report = SampleReport(
      measures: sampled, tallies: found.rows.split(columns), measurements: rows, confidence: confidence)
    let unlabelled = own.filter { $0.measure.label == nil }
    let caption =
      reasonForNone.map { "Nothing is drawn: \($0)." }
      ?? caption(
        of: found.samples, bonferroniDivisor,
        // An interval of the experiment's own is its own statement.
        hasIntervals: rows.contains { ![.exact, .count].contains($0.measure.kind) }
          || own.contains { [.proportion, .mean].contains($0.measure.kind) })
    let controls = rows.isEmpty ? [] : report.controls(of: core)
    var result = ScenarioResult(
      measurements: run.measurements,
      data: .object(
        [JSONMember("samples", .integer(found.samples))]
          + (report.weights.isEmpty ? [] : [JSONMember("weights", .array(report.weights.map(\.json)))])
          + (controls.isEmpty ? [] : [JSONMember("controls", .array(controls.map(\.json)))])
          + (report.gains.isEmpty ? [] : [JSONMember("antithetic", .object(report.gains.map(\.json)))])
          + (isEmpty ? [] : try core.data(of: run))),
      document: Document(
        id: "measures", title: Self.summary.hasSuffix(".") ? String(Self.summary.dropLast()) : Self.summary,
        (Self.isBatched
          ? unlabelled.isEmpty
            ? [.paragraph(caption)] : [.table(Table(unlabelled, at: confidence), caption: caption)]
          : report.tables(caption: caption))
          + (report.weights.map { $0.text(at: confidence) } + controls.compactMap(\.text) + report.gainTexts)
          .map { .paragraph($0) } + report.figures
          + (run.measurements.isEmpty ? [] : try core.sections(of: run))
          + (Self.isBatched
            ? [] : [.details(summary: "The most extreme samples", [.table(report.extremes(again))])])),
      files: core.files(of: run), confidence: confidence, isComplete: isComplete)
    if isComplete {
      result.unanswered = goal?.unreached(
        in: run.measurements, at: confidence, samples: found.samples, isWhole: bonferroniDivisor != nil)
    }
    return result
  }

  /// The number of samples, the reason why there are no more, and the confidence of the intervals if there are any.
  private func caption(of count: Int, _ bonferroniDivisor: Int?, hasIntervals: Bool) -> String {
    let (found, all) = (NumberFormat.grouped(count), NumberFormat.grouped(samples))
    let pairs = isAntithetic ? " Each sample is the mean of a pair of antithetic draws." : ""
    guard bonferroniDivisor != nil else {
      return
        "\(found) of \(all) \(Core.samplesName): the run ended before. How many there are is not reproducible, and the "
        + "intervals hold at \(NumberFormat.shortest(confidence)) only if that does not depend on what was found."
        + pairs
    }
    let reasons = [asked.isEmpty ? nil : "decide all thresholds", goal.map { "reach the half-width \($0.text)" }]
    let why =
      count < samples
      ? "of \(all) \(Core.samplesName), which \(reasons.compactMap(\.self).joined(separator: " and "))"
      : Core.samplesName
    let confident = "; each interval holds individually at \(NumberFormat.shortest(confidence)) confidence"
    return "\(found) \(why)\(hasIntervals ? confident : "").\(pairs)"
  }

  /// Draws the samples of a stream up to one of them, and shows that one's measures and draws.
  private func result(ofSample number: Int, on context: RunContext) throws -> ScenarioResult {
    let (stream, position) = number.quotientAndRemainder(dividingBy: Self.samplesPerStream)
    let record = DrawRecord(maximum: 20)
    let running = RunningSamples(context.samples, record: record)
    let (sample, opposite) = try TrapReporter.shared.watching(running) { () throws -> (Core.Sample, Core.Sample?) in
      var drawing = try Drawing(generator, running, core.scratch())
      defer { drawing.slot.end() }
      try drawing.random.reseed(streams().seed(ordinal: 0, block: stream))
      for before in number - position..<number {
        drawing.slot.begin(before)
        _ = try Self.sample(
          core, before, &drawing.random, &drawing.scratch, seed: seed, again: context.samples.again(before))
      }
      drawing.slot.begin(number)
      var opposite = drawing.random.complemented()
      drawing.random.record = record
      let sample = try Self.sample(
        core, number, &drawing.random, &drawing.scratch, seed: seed, again: context.samples.again(number))
      guard isAntithetic else { return (sample, nil) }
      return (
        sample,
        try Self.sample(core, number, &opposite, &drawing.scratch, seed: seed, again: context.samples.again(number))
      )
    }
    let values = Core.measures.flatMap { measure in
      let rows = [sample, opposite].compactMap(\.self).map { sample in
        var row: [Double] = []
        measure.read(sample, &row)
        return row
      }
      return measure.columnNames.enumerated().map { column, name in
        (measure: measure, name: name, values: rows.map { $0[column] })
      }
    }
    let table = Table(
      ["measure"], numbers: ["value"] + (opposite == nil ? [] : ["complement"]), ["unit"],
      rows: values.map { measure, name, values in
        [name]
          + values.map { measure.kind == .share ? ($0 == 1 ? "yes" : "no") : NumberFormat.shortest($0) }
          + [measure.unit]
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
        "sample": .integer(number), "values": .object(values.map { JSONMember($0.name, .figure($0.values[0])) }),
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
        ] + SampleLog(happenings: record.happenings).blocks, data: table))
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
  static var isPaired: Bool { Core.kernel.map { $0.pairs != nil } ?? true }

  /// Single samples have a stream each here, so that settings stay paired even if they draw different numbers of
  /// values.
  func differences(from other: Self, on context: RunContext) throws -> [Measurement] {
    var (core, base) = (core, other.core)
    try core.prepare(on: context)
    try base.prepare(on: context)
    let samples = min(samples, other.samples)
    return try Core.kernel.map { try differences(of: core, from: base, samples: samples, by: $0, on: context) }
      ?? differences(of: core, from: base, samples: samples, on: context)
  }

  /// The differences by batches of pairs.
  private func differences(
    of core: Core, from base: Core, samples: Int, by kernel: BatchKernel<Core>, on context: RunContext
  ) throws -> [Measurement] {
    guard let pairs = kernel.pairs else { return [] }
    var paired = self
    paired.samples = samples
    let meter = context.meter(samples, "pairs")
    defer { meter?.finish() }
    let outcome = try paired.draw(
      .rounds(samples), SampleColumns(), pairs.tally(core), on: context, meter,
      scratch: { (after: try kernel.scratch(core, $0), before: try kernel.scratch(base, $0)) },
      batch: { try pairs.draw(core, $0, &$1.after, &$1.before, &$2) }, row: { _, _, _, _, _ in })
    guard outcome.reason == .completed || outcome.reason == .deadline && asked.isEmpty else { return [] }
    return try pairs.differences(core, run(outcome.tally, 1))
  }

  private func differences(
    of core: Core, from base: Core, samples: Int, on context: RunContext
  ) throws -> [Measurement] {
    let (measures, inPairs, rootSeed) = (sampled, isAntithetic, seed)
    var context = context
    context.samples.again = { "not possible: sample \($0) is one of a comparison, with its own stream" }
    var pairs = self
    pairs.samples = samples
    let meter = context.meter(pairs.samples, "pairs")
    defer { meter?.finish() }
    let (streams, columns) = (try streams(), measures.map(\.pairColumns))
    let outcome = try pairs.draw(
      .rounds(samples), columns.reduce(SampleColumns(), +), NoTally(), on: context, meter,
      scratch: { _ in (after: try core.scratch(), before: try base.scratch()) }
    ) { number, random, scratch, row, _ in
      let seed = try streams.seed(ordinal: 0, block: number)
      var (after, before) = ([Double](), [Double]())
      try random.reseed(seed)
      try Self.draw(
        core, measures, inPairs: inPairs, number, &random, &scratch.after, seed: rootSeed, again: nil, into: &after)
      try random.reseed(seed)
      try Self.draw(
        base, measures, inPairs: inPairs, number, &random, &scratch.before, seed: rootSeed, again: nil, into: &before)
      var first = 0
      for measure in measures {
        let columns = first..<first + measure.columnNames.count
        row += measure.pair(after[columns], before[columns])
        first += measure.columns.count
      }
    }
    guard outcome.reason == .completed || outcome.reason == .deadline && asked.isEmpty else { return [] }
    return try zip(measures, outcome.tally.rows.split(columns)).flatMap {
      try $0.computedDifferences(of: core, from: base) ?? $0.differences(in: $1, confidence: confidence)
    }
  }
}

/// A sample that ends with an error, has a number for a measure that is not finite, or a draw whose parameters were
/// impossible.
struct UnusableSample: Error, CustomStringConvertible {
  /// Without a full stop.
  let problem: String
  let number: Int
  /// The command that draws the sample alone; `nil` in a comparison of settings.
  let again: String?
  /// The error of the experiment.
  var underlying: (any Error)?

  var description: String {
    "sample \(number)\(again == nil ? " of a comparison" : ""): \(problem)"
      + (again.map { "; to draw it alone: \($0)" } ?? ".")
  }
}

extension UnusableSample: FailureUnderTest {}

extension Collection<Double> {
  /// The arithmetic mean; NaN of an empty array.
  @inlinable public var mean: Double { reduce(0, +) / Double(count) }
}
