// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness
internal import Reporting
package import Scenarios
internal import Statistics

/// The source of the methods: the statements of every lab about its samples.
package protocol CalibrationSource: Sendable {
  static var methods: [CalibrationMethod] { get }
}

/// The error of each statistical method, compared with its stated error.
package struct Calibration<Source: CalibrationSource>: Experiment {
  package static var kind: String { "calibration" }
  package static var command: [String] { ["calibrate"] }
  package static var summary: String {
    "Repeats small problems with known answers, and counts how often each statistical method is wrong."
  }
  package static var discussion: String {
    """
    Example: assay calibrate --methods proportion bounded-mean --repeats 20k

    Every method makes its statements at 0.8, 0.9 and 0.99, for each of its distributions. A method fails only if an \
    exact binomial bound, which holds for all rows together, shows that it is wrong more often than it promises.
    Methods:
    \(Source.methods.map { "  \($0.name): \($0.summary)\($0.mutantOf.map { "; a mutant of \($0)" } ?? "")" }
      .joined(separator: "\n"))
    """
  }
  package static var isDrawn: Bool { false }
  package static var defaultThresholds: [String] { ["calibration.excess == 0"] }

  var methods = Source.methods.filter { $0.mutantOf == nil }.map(\.name)
  var repeats = 2_000
  var confidence = 0.999
  var generator = GSLGenerator.defaultName
  var seed: UInt64 = 1

  package init() {}

  package static var parameters: [Parameter<Self>] {
    [
      Parameter(
        "methods", \.methods, ValueType<String>.choice(Source.methods.map(\.name), named: "method").list(),
        "The methods under test; mutants only where they are named.", example: "bounded-mean"),
      Parameter(
        "repeats", \.repeats, .count(100...1_000_000), "The repeats of each problem at each confidence.",
        example: "20k"),
      Parameter(
        "confidence", \.confidence, .probability,
        "The probability that no method is found wrong more often than it promises where none is.", example: "0.99"),
    ] + Parameter.random(generator: \.generator, seed: \.seed)
  }

  package func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("repeats", repeats) }

  package var measures: [Measure] {
    CalibrationCell.all(of: Source.methods, named: methods).flatMap(\.measures) + CalibrationAudit.rows.measures()
  }

  package func run(on context: RunContext) throws -> ScenarioResult {
    let cells = CalibrationCell.all(of: Source.methods, named: methods)
    // A cell's stream does not depend on the other methods under test.
    let names = CalibrationCell.all(of: Source.methods).map(\.label)
    let streams = cells.map { names.firstIndex(of: $0.label) ?? 0 }
    let generator = generator
    let tallies = try context.draw(
      each: cells.map { _ in repeats }, "repeats", perBatch: 500, seed: seed, streams: names, into: CalibrationTally(),
      scratch: { try GSLGenerator(named: generator, seed: 1) },
      body: { index, batch, numbers in
        try numbers.reseed(batch.seed(streams[index]))
        return try cells[index].problem.run(batch.count, cells[index].confidence, &numbers)
      })
    let audit = CalibrationAudit(cells: Array(zip(cells, tallies)), repeats: repeats, confidence: confidence)
    return ScenarioResult(
      measurements: audit.measurements,
      document: audit.document(of: Source.methods.filter { methods.contains($0.name) }, experiment: self),
      confidence: confidence,
      isComplete: tallies.allSatisfy { $0.repeats == repeats })
  }
}

/// One row of the table: a method, a distribution, and the confidence of its statements.
struct CalibrationCell: Sendable {
  static let confidences = [0.8, 0.9, 0.99]

  let method: String
  let problem: CalibrationProblem
  let confidence: Double

  /// Every cell of the methods, or of the named ones, in the order of the methods.
  static func all(of methods: [CalibrationMethod], named names: [String]? = nil) -> [Self] {
    methods.filter { names?.contains($0.name) ?? true }.flatMap { method in
      method.problems.flatMap { problem in
        confidences.map { Self(method: method.name, problem: problem, confidence: $0) }
      }
    }
  }

  var label: String { "\(method)/\(problem.name)/\(NumberFormat.shortest(confidence))" }

  var promise: Double { 1 - confidence }

  /// The width of the normal interval for a known deviation.
  var bestWidth: Double? {
    guard let error = problem.standardError, let quantile = try? Quantile.normal((1 + confidence) / 2) else {
      return nil
    }
    return 2 * quantile * error
  }

  var measures: [Measure] {
    Self.rows.filter { $0.name != "calibration.width" || bestWidth != nil }.map { $0.measure(of: label) }
  }

  static let rows: [MeasureRow<CalibrationAudit.Row>] = [
    .proportion(
      "calibration.error", "The probability of a wrong statement; at most one minus the confidence is promised"
    ) { ($0.tally.wrong, $0.tally.repeats) },
    .proportion("calibration.states", "The probability that a statement excludes anything") {
      ($0.tally.informative, $0.tally.repeats)
    },
    .mean(
      "calibration.width",
      "The mean width of the intervals that exclude anything, in widths of the normal interval for a known "
        + "deviation", unit: "widths", range: nil
    ) { row in
      row.cell.bestWidth.map { .mean(of: row.tally.widths, slope: CalibrationTally.widthUnit / $0) }
    },
  ]
}

/// The conclusions from the counts of each cell, which hold together at a confidence.
struct CalibrationAudit: Sendable {
  struct Row: Sendable {
    let cell: CalibrationCell
    let tally: CalibrationTally
    /// The lower bound of the probability of an error.
    let minError: Double

    /// True if it is certainly wrong more often than stated. The double of the stated error is inexact.
    var isExcessive: Bool { minError > cell.promise * (1 + 1e-9) }

    /// True if no statement excluded anything.
    var isUseless: Bool { tally.repeats > 0 && tally.informative == 0 }

    fileprivate var measurements: [Measurement] {
      CalibrationCell.rows.measurements(of: cell.label, in: self)
    }
  }

  let rows: [Row]
  let repeats: Int
  let confidence: Double

  init(cells: [(CalibrationCell, CalibrationTally)], repeats: Int, confidence: Double) {
    (self.repeats, self.confidence) = (repeats, confidence)
    // One-sided bounds share the error: the two-sided interval has twice that error.
    let each = 1 - 2 * (1 - confidence) / Double(max(2, cells.count))
    rows = cells.map { cell, tally in
      let interval = try? BinomialInterval(
        successes: tally.wrong, trials: tally.repeats, confidence: each)
      return Row(cell: cell, tally: tally, minError: interval?.lower ?? 0)
    }
  }

  static let rows: [MeasureRow<CalibrationAudit>] = [
    .count(
      "calibration.excess", "rows whose error is certainly above the promised one, for all rows together",
      unit: "rows", undecided: \.unfinished
    ) { $0.rows.count(where: \.isExcessive) },
    .count(
      "calibration.useless", "rows in which no statement excluded anything", unit: "rows",
      undecided: \.unfinished
    ) { $0.rows.count(where: \.isUseless) },
  ]

  /// Rows that an interruption cut short and that are not found wrong so far.
  private var unfinished: Int { rows.count { $0.tally.repeats < repeats && !$0.isExcessive } }

  var measurements: [Measurement] { rows.flatMap(\.measurements) + Self.rows.measurements(in: self) }

  func document<Source>(of methods: [CalibrationMethod], experiment: Calibration<Source>) -> Document {
    let (excessive, useless) = (rows.filter(\.isExcessive), rows.filter(\.isUseless))
    let origin =
      [
        "\(NumberFormat.grouped(repeats)) repeats a row, each with new samples; "
          + "\(experiment.generator), seed \(experiment.seed). A row is a method, a distribution, and a confidence; "
          + "one minus the confidence is the promised error.",
        "Width: the mean of the intervals that exclude anything, in widths of the normal interval for a known "
          + "deviation and a single look. States: the share of statements that exclude anything.",
        excessive.isEmpty
          ? "No row is certainly wrong more often than promised. Bounds are Clopper and Pearson's, for all "
            + "\(rows.count) rows together at \(NumberFormat.shortest(confidence))."
          : "\(excessive.count) of \(rows.count) rows are certainly wrong more often than promised, for all "
            + "of them together at \(NumberFormat.shortest(confidence)):",
      ]
      + excessive.map {
        "\($0.cell.label) is wrong too often: at least \(NumberFormat.percent($0.minError, decimals: 2)), where "
          + "\(NumberFormat.percent($0.cell.promise, decimals: 0)) is promised."
      }
      + (useless.isEmpty ? [] : ["\(useless.count) rows exclude nothing: their samples are too few for any statement."])
    let parts: [ReportBlock] = methods.map { method in
      let mine = rows.filter { $0.cell.method == method.name }
      let note = method.mutantOf.map { "A mutant of \($0), which must be caught. " } ?? ""
      return .part(
        method.name,
        [
          .paragraph("\(note)\(method.summary.prefix(1).uppercased())\(method.summary.dropFirst())."),
          .table(Table(mine.flatMap(\.measurements), by: "row", at: confidence)),
        ])
    }
    return Document(
      id: "calibration", title: "How often statements are wrong, and the promised error",
      [.list(origin)] + parts)
  }
}
