// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

extension FeedReport {
  /// A line an estimate, and a line a count: `faults,measure,value,low,high,seasons`.
  var csv: String {
    var table = Table(["faults", "measure", "value", "low", "high", "seasons"].map { Table.Column($0) })
    let fixed = { (value: Double) in NumberFormat.fixed(value, decimals: 9) }
    for finding in result.findings {
      for estimate in finding.estimates {
        table.add([
          finding.variant.name, estimate.quantity.rawValue, fixed(estimate.mean), fixed(estimate.interval.lowerBound),
          fixed(estimate.interval.upperBound), "\(estimate.samples)",
        ])
      }
      for count in FeedMeasure.Count.allCases {
        let value = "\(count.value(in: finding.counts))"
        table.add([finding.variant.name, count.rawValue, value, value, value, "\(finding.seasons)"])
      }
    }
    return table.csv
  }

  /// What determined the seasons, and what came out by variant.
  var json: JSONValue {
    [
      "seasons": .integer(result.trial.seasons), "confidence": .number(result.confidence),
      "variants": .array(result.findings.map(Self.json)),
    ]
  }

  private static func json(_ finding: FeedResult.Finding) -> JSONValue {
    let rides = finding.counts.rides
    let unknown = Unknowable.allCases.enumerated().map { index, reason -> JSONValue in
      [
        "why": .string(reason.rawValue), "rides": .integer(rides.unknowable[index]),
        "right": .integer(rides.guessed[index]),
      ]
    }
    let estimates = finding.estimates.map { estimate in
      JSONMember(
        estimate.quantity.rawValue,
        [
          "value": .fixed(estimate.mean, decimals: 9), "low": .fixed(estimate.interval.lowerBound, decimals: 9),
          "high": .fixed(estimate.interval.upperBound, decimals: 9), "seasons": .integer(estimate.samples),
        ])
    }
    return [
      "faults": .string(finding.variant.name), "rides": .integer(rides.knowable), "right": .integer(rides.right),
      "wrong": .integer(rides.wrong), "lost": .integer(rides.lost),
      "counts": .object(
        FeedMeasure.Count.allCases.map { JSONMember($0.rawValue, .integer($0.value(in: finding.counts))) }),
      "estimates": .object(estimates), "unknowable": .array(unknown),
    ]
  }
}
