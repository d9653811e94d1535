// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Reporting
internal import Scenarios

extension ResultsReport {
  /// A line a measurement: `measurement,earlier,later,difference,low,high,confidence,unit,finding`.
  static func csv(_ comparison: RunComparison) -> Table {
    let names = ["measurement", "earlier", "later", "difference", "low", "high", "confidence", "unit", "finding"]
    var csv = Table(names.map { Table.Column($0) })
    for one in comparison.differences {
      csv.add([
        one.before.measure.fullName, one.before.estimate.digits, one.after.estimate.digits, one.estimate.digits,
        one.interval.lowerBound.digits, one.interval.upperBound.digits, one.confidence.digits, one.after.measure.unit,
        one.finding.name,
      ])
    }
    return csv
  }

  /// Everything that the comparison found.
  static func json(_ comparison: RunComparison, _ circumstances: [RunComparison.Circumstance]) -> JSONValue {
    [
      "earlier": comparison.before.json, "later": comparison.after.json, "confidence": .number(comparison.confidence),
      "jointConfidence": .number(comparison.jointConfidence), "relation": .string(comparison.relation.name),
      "differs": .bool(comparison.differs),
      "thresholds": .array(
        comparison.thresholds.map { pair in
          [
            "threshold": .string(pair.text), "measurement": .string(pair.measurement),
            "earlier": pair.before.map { .string($0.judgement.rawValue) } ?? .null,
            "later": pair.after.map { .string($0.judgement.rawValue) } ?? .null, "changed": .bool(pair.differs),
          ]
        }),
      "differences": .array(comparison.differences.map(json)),
      "onlyEarlier": .array(comparison.onlyBefore.map { .string($0.measure.fullName) }),
      "onlyLater": .array(comparison.onlyAfter.map { .string($0.measure.fullName) }),
      "circumstances": .array(
        circumstances.map { ["what": .string($0.name), "earlier": .string($0.before), "later": .string($0.after)] }),
      "settings": comparison.settings.map { lines in
        .array(lines.filter { $0.side != .both }.map { .string("\($0.side.rawValue) \($0.text)") })
      } ?? .null,
    ]
  }

  private static func json(_ difference: MeasurementDifference) -> JSONValue {
    [
      "measurement": .string(difference.before.measure.fullName), "earlier": .number(difference.before.estimate),
      "later": .number(difference.after.estimate), "difference": .number(difference.estimate),
      "low": .number(difference.interval.lowerBound), "high": .number(difference.interval.upperBound),
      "confidence": .number(difference.confidence), "unit": .string(difference.after.measure.unit),
      "finding": .string(difference.finding.name),
    ]
  }
}

extension MeasurementDifference.Relation {
  /// A stable name for programs.
  var name: String {
    switch self {
    case .repeated: "repeated"
    case .independent: "independent"
    case .unknown: "unknown"
    }
  }
}

extension Double {
  /// The number for JSON and CSV: all digits; nothing where it is not finite.
  var digits: String { isFinite ? NumberFormat.shortest(self) : "" }
}
