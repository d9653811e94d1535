// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreTables
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Scenarios
internal import Statistics

/// The reliability of stated probabilities, compared with that of calibrated forecasts.
struct CalibrationFinding: Sendable {
  let name: String
  let found: Reliability
  let band: Reliability.Band
  let confidence: Double
  /// The mean of outcome minus forecast, with its standard deviation.
  private let bias: Measurement.Value
  private let brier: Measurement.Value
  /// Tenths of the stated probabilities, with the outcomes; the intervals hold together (Bonferroni).
  let tenths: [(stated: Double, hits: Int, trials: Int, interval: ClosedRange<Double>)]

  /// Returns `nil` without forecasts; the band has its own fixed random stream, so that it is the same in every run.
  init?(
    _ name: String, _ groups: [ForecastGroup], confidence: Double, resamples: Int = 1000
  ) throws {
    guard let found = Reliability(groups) else { return nil }
    (self.name, self.found, self.confidence) = (name, found, confidence)
    var random = try RandomStream(seed: 1)
    band = found.band(confidence: confidence, resamples: resamples) { random.binomial(trials: $0, chance: $1) }
    let count = Double(found.count)
    func moments(_ value: (_ forecast: Double, _ outcome: Double) -> Double) -> Measurement.Value {
      func sum(_ power: (Double) -> Double) -> Double {
        found.groups.reduce(0) { sum, group in
          sum + Double(group.successes) * power(value(group.forecast, 1))
            + Double(group.trials - group.successes) * power(value(group.forecast, 0))
        }
      }
      let mean = sum { $0 } / count
      let squares = sum { ($0 - mean) * ($0 - mean) }
      return .mean(
        mean, standardDeviation: count > 1 ? (squares / (count - 1)).squareRoot() : 0, samples: found.count)
    }
    bias = moments { $1 - $0 }
    brier = moments { ($1 - $0) * ($1 - $0) }
    let parts = (0..<10).compactMap { tenth in
      let inside = found.groups.filter { min(9, Int($0.forecast * 10 + 1e-9)) == tenth }
      return inside.isEmpty ? nil : inside
    }
    tenths = try parts.map { part in
      let (trials, hits) = (part.reduce(0) { $0 + $1.trials }, part.reduce(0) { $0 + $1.successes })
      let stated = part.reduce(0.0) { $0 + $1.forecast * Double($1.trials) } / Double(trials)
      let interval = try BinomialInterval(
        successes: hits, trials: trials, confidence: 1 - (1 - confidence) / Double(parts.count))
      return (stated, hits, trials, interval.lower...interval.upper)
    }
  }

  /// The number of tenths whose interval excludes the stated probability.
  var outside: Int { tenths.count { !$0.interval.contains($0.stated) } }

  static let rows: [MeasureRow<CalibrationFinding>] = [
    .mean(
      "calibration.brier", title: "Brier", "The mean squared difference of probability and outcome", range: 0...1,
      isShare: false
    ) { $0.brier },
    .exact("calibration.miscalibration", title: "miscalibration", "The score that recalibration would remove") {
      $0.found.miscalibration
    },
    .exact(
      "calibration.expected", title: "calibrated below", "The upper bound of the miscalibration of calibrated forecasts"
    ) { $0.band.miscalibration },
    .exact("calibration.discrimination", title: "discrimination", "The gain of recalibration over the base rate") {
      $0.found.discrimination
    },
    .exact("calibration.uncertainty", title: "uncertainty", "The score of the base rate") { $0.found.uncertainty },
    .mean("calibration.bias", title: "bias", "The mean of outcome minus probability", range: -1...1) { $0.bias },
    .count(
      "calibration.outside", title: "outside",
      "Tenths of the probabilities that came true more or less often than stated, by intervals that hold together"
    ) { $0.outside },
  ]

  var figure: Figure {
    Figure(
      id: "reliability-\(name)", title: "Reliability of \(name)",
      alternative: "How often forecasts came true, recalibrated by pooling adjacent violators, over the "
        + "stated probability, and the band in which it lies for calibrated forecasts "
        + "with \(NumberFormat.percent(confidence)).",
      x: Figure.Axis("stated probability, %"), y: Figure.Axis("came true, %"),
      series: [
        Figure.Series(
          "if calibrated", style: .line,
          points: zip(found.groups, band.ranges).map { group, range in
            Figure.Point(
              group.forecast * 100, group.forecast * 100,
              interval: min(range.lowerBound, group.forecast) * 100...max(range.upperBound, group.forecast) * 100)
          }),
        Figure.Series(
          "found", style: .line,
          points: zip(found.groups, found.recalibrated).map { Figure.Point($0.forecast * 100, $1 * 100) }),
      ])
  }

  var table: Table {
    Table(
      [], numbers: ["stated", "came true", "from", "to", "of"], ["calibrated"],
      rows: tenths.map { one in
        func percent(_ share: Double) -> String { NumberFormat.percent(share, decimals: 1) }
        return [
          percent(one.stated), percent(Double(one.hits) / Double(one.trials)), percent(one.interval.lowerBound),
          percent(one.interval.upperBound), NumberFormat.grouped(one.trials),
          one.interval.contains(one.stated)
            ? "may be" : one.stated > one.interval.upperBound ? "overstated" : "understated",
        ]
      })
  }

  var verdict: String {
    let (miscalibration, maximum) = (
      NumberFormat.fixed(found.miscalibration, decimals: 6), NumberFormat.fixed(band.miscalibration, decimals: 6)
    )
    let sum =
      "Brier \(NumberFormat.fixed(found.brier, decimals: 6)) = miscalibration \(miscalibration) - discrimination "
      + "\(NumberFormat.fixed(found.discrimination, decimals: 6)) + uncertainty "
      + "\(NumberFormat.fixed(found.uncertainty, decimals: 6)), of \(NumberFormat.grouped(found.count)) "
      + (found.count == 1 ? "forecast." : "forecasts.")
    let word =
      found.miscalibration > band.miscalibration
      ? "They are not calibrated: the miscalibration of calibrated forecasts stays below \(maximum) in "
        + "\(NumberFormat.percent(confidence)) of cases."
      : "The miscalibration of calibrated forecasts stays below \(maximum) in \(NumberFormat.percent(confidence)) of "
        + "cases, so they may be calibrated."
    return sum + " " + word
  }
}

/// Checks the forecasts of a file.
struct CalibrationRun: Experiment {
  static let kind = "fantasy.calibration"
  static let isDrawn = false
  static let summary = "Checks whether stated probabilities come true as often as they say, from a file of forecasts."
  static let discussion = """
    Example: assay fantasy calibration forecasts.csv
    Example: assay fantasy calibration rain.csv --probability EMOS --outcome obs --report

    The file has a line for each forecast, with the columns probability (0 to 1) and outcome (0 or 1); options give \
    other names. The Brier score is decomposed by CORP: isotonic recalibration, without bins. The band shows where \
    calibrated forecasts would lie if they were independent.
    """

  static let defaultThresholds = ["calibration.outside == 0"]

  var forecasts = ""
  var probability = "probability"
  var outcome = "outcome"
  var confidence = 0.99

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter(
      "forecasts", \.forecasts, .text("file", expected: "a file of forecasts"), "The forecasts to check.",
      example: "forecasts.csv", form: .positional, isRequired: true),
    Parameter(
      "probability", \.probability, .text("column", expected: "the name of a column"),
      "The column of probabilities.", example: "EMOS"),
    Parameter(
      "outcome", \.outcome, .text("column", expected: "the name of a column"), "The column of outcomes, 0 or 1.",
      example: "obs"),
    .confidence(\.confidence),
  ]

  var measures: [Measure] { CalibrationFinding.rows.measures() }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised else { return .interrupted }
    let table = try TextTable.read(forecasts)
    let columns = [("probability", probability), ("outcome", outcome)]
    let groups = try table.columns(named: columns).map { row throws(TableError) in
      ForecastGroup(
        forecast: try row[0].number(in: 0...1), trials: 1, successes: try row[1].whole(in: 0...1))
    }
    guard let finding = try CalibrationFinding(probability, groups, confidence: confidence) else {
      throw ReportingError.badMember(file: forecasts, field: "table", found: "no rows", expected: "a line a forecast")
    }
    let blocks = Table(
      [], numbers: ["from", "to", "came true", "of"],
      rows: finding.found.blocks.map { block in
        [block.from, block.to, block.value].map { NumberFormat.fixed($0, decimals: 4) } + ["\(block.trials)"]
      })
    return ScenarioResult(
      measurements: CalibrationFinding.rows.measurements(in: finding),
      document: Document(
        id: "calibration", title: "Calibration of \(probability) in \(table.file)",
        [
          .paragraph(finding.verdict), .table(finding.table, caption: "By tenths; intervals hold together"),
          .figure(finding.figure), .details(summary: "The recalibration", [.table(blocks)]),
        ]), confidence: confidence)
  }
}
