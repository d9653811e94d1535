// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import Randomness
internal import Reporting
internal import Scenarios

/// How paths are split.
enum SplittingMethod: String, CaseIterable, Sendable {
  /// Repeatedly at the lowest level of all paths.
  case adaptive
  /// At levels that a pilot run chose.
  case fixed
}

/// A rare event as an experiment that draws independent samples, each of which is a run of splitting.
struct Splitting<Core: RareEvent>: SampledExperiment, ExtendedExperiment {
  typealias Base = Core

  var core = Core()
  var replicas = 100
  var method = SplittingMethod.adaptive
  var maxSteps = 10_000_000
  /// The levels of fixed effort, which the pilot run chose.
  private var bounds: [Double] = []

  init() {}

  init(_ core: Core) { self.core = core }

  static var parameters: [Parameter<Self>] {
    Core.parameters.map { $0.within(\.core) } + [
      Parameter(
        "replicas", \.replicas, .count(1...1_000_000), "The paths of a sample that are split.", example: "500"),
      Parameter(
        "splitting", \.method, .choice,
        "Where paths are split: repeatedly at the lowest level of all paths, or at levels that a pilot run of "
          + "its own random numbers chose.", example: "fixed"),
      Parameter(
        "max-steps", \.maxSteps, .count(1...1_000_000_000_000),
        "The steps after which a path that neither rises nor ends is an error.", example: "1e9"),
    ]
  }

  static var measures: [SampleMeasure<Replicate>] {
    [.mean("probability", "The probability that the top level is reached.") { $0.probability }] + Core.measures + [
      .share("splitting.extinct", "Samples without a path that passed a level; they count as 0.") { $0.isExtinct },
      .mean("splitting.steps", "The steps of all paths of a sample.", unit: "steps") { Double($0.steps) },
    ]
  }

  static var defaultSamples: Int { 1_000 }
  var thresholds: [String] { core.thresholds }
  func check() throws(ParameterError) { try core.check() }

  mutating func prepare(on context: RunContext) throws {
    try core.prepare(on: context)
    bounds = method == .fixed ? try pilot().bounds : []
  }

  func scratch() -> SplitPaths<Core.State> { SplitPaths(replicas: replicas, bounds: bounds, maxSteps: maxSteps) }

  func sample(_ random: inout RandomStream, _ paths: inout SplitPaths<Core.State>) throws -> Replicate {
    try core.replicate(&paths, &random)
  }

  /// The part of the paths that pass a level chosen by the pilot run. Shares of 0.1 to 0.3 need nearly the same number
  /// of steps.
  private static var share: Double { 0.2 }

  /// The levels that a run with its own random stream passed, and those that fixed effort splits at. The stream depends
  /// on nothing, so that levels are the same for every worker, shard and seed, and the samples independent of them.
  ///
  /// - Throws: an error of the input or of the code under test, unchanged, and `PilotError` for any other.
  private func pilot() throws -> (passed: [(above: Double, survivors: Int)], bounds: [Double]) {
    do {
      return try piloted()
    } catch let error where !(error is any InputError || error is any FailureUnderTest) {
      throw PilotError(underlying: error)
    }
  }

  private func piloted() throws -> (passed: [(above: Double, survivors: Int)], bounds: [Double]) {
    let root = try RandomStream(seed: 1)
    var random = root.substream("splitting.pilot")
    var paths = SplitPaths<Core.State>(replicas: replicas, maxSteps: maxSteps)
    _ = try core.replicate(&paths, &random)
    var (bounds, share) = ([Double](), 1.0)
    for level in paths.passed {
      share *= Double(level.survivors) / Double(replicas)
      guard share <= Self.share, share > 0 else { continue }
      bounds.append(level.above)
      share = 1
    }
    bounds.append(core.top.nextDown)
    guard method == .fixed else { return (paths.passed, bounds) }
    paths = SplitPaths(replicas: replicas, bounds: bounds, maxSteps: maxSteps)
    _ = try core.replicate(&paths, &random)
    return (paths.passed, bounds)
  }

  /// The most levels of a table.
  private static var maxRows: Int { 10 }

  func sections(of measurements: [Measurement]) throws -> [ReportBlock] {
    // What the pilot run alone meets is no reason to lose the samples.
    let passed = (try? pilot().passed) ?? []
    var share = 1.0
    let rows = passed.map { level in
      share *= Double(level.survivors) / Double(replicas)
      return [
        NumberFormat.shortest(level.above), "\(level.survivors) of \(replicas)", NumberFormat.share(share, decimals: 4),
      ]
    }
    let step = Double(max(1, rows.count - 1)) / Double(Self.maxRows - 1)
    let shown =
      rows.count <= Self.maxRows ? rows : (0..<Self.maxRows).map { rows[Int((Double($0) * step).rounded())] }
    let table = Table([], numbers: ["above level", "paths", "probability"], rows: shown)
    return [.paragraph(gain(in: measurements))]
      + (rows.isEmpty
        ? []
        : [
          .table(
            table,
            caption: "The paths that passed each level, of a run with its own random numbers"
              + (rows.count > shown.count ? ": \(shown.count) of \(rows.count) levels." : "."))
        ])
  }

  /// The number of plain samples that would have given an interval as narrow: a plain one has the variance p (1 - p).
  private func gain(in measurements: [Measurement]) -> String {
    let found = measurements.first { $0.measure.name == "probability" }
    let extinct = measurements.first { $0.measure.name == "splitting.extinct" }?.estimate ?? 0
    let warning =
      extinct > 0.1
      ? " Warning: in \(NumberFormat.percent(extinct, decimals: 0)) of the samples no path passed a level. Set "
        + "'replicas' higher, or choose a level that rises in smaller steps." : ""
    guard case .mean(let mean, let deviation, let samples)? = found?.value, mean > 0, deviation > 0 else {
      return "Each sample is a run of splitting with \(NumberFormat.counted(replicas, "path"))." + warning
    }
    let plain = Double(samples) * mean * (1 - mean) / (deviation * deviation)
    let unit = pow(10, max(0, log10(plain).rounded(.down) - 1))
    let rounded = (plain / unit).rounded() * unit
    return "Each sample is a run of splitting with \(NumberFormat.counted(replicas, "path")). Plain simulation would "
      + "need about \(rounded < 1e9 ? NumberFormat.grouped(Int(rounded)) : NumberFormat.shortest(rounded)) samples for "
      + "an interval as narrow." + warning
  }
}

/// An error in the run of splitting that chooses levels.
struct PilotError: FailureUnderTest, CustomStringConvertible {
  let underlying: any Error
  var description: String { "the pilot run of 'splitting: fixed': \(underlying)" }
}
