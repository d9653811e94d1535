// SPDX-License-Identifier: GPL-3.0-or-later
internal import GRDB
internal import Scenarios

/// A measurement as columns of the history's table.
enum MeasurementRow {
  /// The columns behind `run` and `position`, in the order of `values(of:)`.
  static let columns = [
    "name", "label", "meaning", "unit", "nature", "nature_confidence", "form", "value", "count", "undecided",
    "deviation", "low", "high", "confidence", "samples",
  ]

  /// What stands in the columns for a measurement.
  static func values(of measurement: Measurement) -> [(any DatabaseValueConvertible)?] {
    let measure = measurement.measure
    let (nature, promised) = natureColumns(measure.nature)
    let head: [(any DatabaseValueConvertible)?] = [
      measure.name, measure.label, measure.meaning, measure.unit, nature, promised,
    ]
    let tail: [(any DatabaseValueConvertible)?] =
      switch measurement.value {
      case .exact(let value): ["exact", value, nil, nil, nil, nil, nil, nil, nil]
      case .count(let count, let undecided): ["count", nil, count, undecided, nil, nil, nil, nil, nil]
      case .proportion(let successes, let trials): ["proportion", nil, successes, nil, nil, nil, nil, nil, trials]
      case .mean(let mean, let deviation, let samples): ["mean", mean, nil, nil, deviation, nil, nil, nil, samples]
      case .interval(let value, let low, let high, let confidence, let samples):
        ["interval", value, nil, nil, nil, low, high, confidence, samples]
      }
    return head + tail
  }

  /// The measurement that stands in a row.
  ///
  /// - Throws: GRDB's decoding error where a column holds what it may not.
  static func measurement(of row: Row) throws -> Measurement {
    // SQLite keeps what is no number as nothing.
    func number(_ column: String) throws -> Double { try row.decode(Double?.self, forColumn: column) ?? .nan }
    func whole(_ column: String) throws -> Int { try row.decode(Int.self, forColumn: column) }
    let value: Measurement.Value =
      switch try row.decode(String.self, forColumn: "form") {
      case "count": try .count(whole("count"), undecided: whole("undecided"))
      case "proportion": try .proportion(successes: whole("count"), trials: whole("samples"))
      case "mean": try .mean(number("value"), standardDeviation: number("deviation"), samples: whole("samples"))
      case "interval":
        try .interval(
          number("value"), low: number("low"), high: number("high"), confidence: number("confidence"),
          samples: whole("samples"))
      default: try .exact(number("value"))
      }
    let nature: Measure.Nature =
      switch try row.decode(String.self, forColumn: "nature") {
      case "count": .count
      case "proportion": .proportion
      case "mean": .mean
      case "interval": .interval(confidence: try number("nature_confidence"))
      default: .exact
      }
    let measure = Measure(
      try row.decode(String.self, forColumn: "name"), of: try row.decode(String?.self, forColumn: "label"),
      meaning: try row.decode(String.self, forColumn: "meaning"),
      unit: try row.decode(String.self, forColumn: "unit"), nature: nature)
    return Measurement(measure, value)
  }

  private static func natureColumns(_ nature: Measure.Nature) -> (name: String, confidence: Double?) {
    switch nature {
    case .exact: ("exact", nil)
    case .count: ("count", nil)
    case .proportion: ("proportion", nil)
    case .mean: ("mean", nil)
    case .interval(let confidence): ("interval", confidence)
    }
  }
}
