// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

extension LeagueReport {
  /// A line an estimate: `week,ranking,quantity,value,low,high,confidence,samples`.
  var csv: String {
    let columns = ["week", "ranking", "quantity", "value", "low", "high", "confidence", "samples"]
    var table = Table(columns.map { Table.Column($0) })
    let fixed = { NumberFormat.fixed($0, decimals: 10) }
    for estimate in ordered {
      table.add([
        "\(estimate.key.week)", estimate.key.ranking.rawValue, estimate.key.quantity.rawValue, fixed(estimate.value),
        fixed(estimate.interval.lowerBound), fixed(estimate.interval.upperBound),
        NumberFormat.shortest(result.confidence), "\(estimate.samples)",
      ])
    }
    return table.csv
  }

  /// By week, then by ranking, the end of the season last.
  private var ordered: [LeagueEstimate] {
    let estimates = result.estimates
    func group(_ key: LeagueEstimate.Key) -> [Int] {
      let isSingle = [.leadInBestIsFirst, .leadInCorrelation, .firstIsDecidedByPoints, .teamsLevelOnRecord].contains(
        key.quantity)
      return [key.quantity.isFinal ? 1 : 0, key.week, isSingle ? 1 : 0, key.ranking == .power ? 0 : 1]
    }
    return estimates.enumerated().sorted { left, right in
      let (one, other) = (group(left.element.key) + [left.offset], group(right.element.key) + [right.offset])
      return one.lexicographicallyPrecedes(other)
    }.map(\.element)
  }

  /// What determined the seasons, and the estimates.
  var json: JSONValue {
    [
      "kind": "league-simulation", "provenance": provenance, "seasons": .integer(result.seasons),
      "confidence": .number(result.confidence), "estimates": .array(ordered.map(Self.json)),
    ]
  }

  private static func json(_ estimate: LeagueEstimate) -> JSONValue {
    [
      "week": .integer(estimate.key.week), "ranking": .string(estimate.key.ranking.rawValue),
      "quantity": .string(estimate.key.quantity.rawValue), "value": .fixed(estimate.value, decimals: 10),
      "low": .fixed(estimate.interval.lowerBound, decimals: 10),
      "high": .fixed(estimate.interval.upperBound, decimals: 10), "samples": .integer(estimate.samples),
    ]
  }

  private var provenance: JSONValue {
    let shape = result.shape
    return [
      "version": .string(Version.current), "teams": .integer(shape.teams), "weeks": .integer(shape.weeks),
      "meanScore": .number(shape.meanScore), "scoreDeviation": .number(shape.scoreDeviation),
      "strengthDeviation": .number(shape.strengthDeviation), "tieRate": .number(shape.tieRate),
      "seed": .unsigned(result.seed), "generator": .string(result.generator),
    ]
  }
}
