// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

extension GameReport {
  /// A line a quantity, then a line a payoff: `quantity,payoff,value`.
  var csv: String {
    var table = Table(["quantity", "payoff", "value"].map { Table.Column($0) })
    for (name, value) in quantities { table.add([name, "", value]) }
    switch evidence {
    case .played(let result, _, _, _, _):
      for (tenths, count) in result.payoffs { table.add(["count", Self.bets(tenths), String(count)]) }
    case .computed(_, _, let chances):
      for (tenths, probability) in chances ?? [] {
        table.add(["chance", Self.bets(tenths), NumberFormat.fixed(probability, decimals: 12)])
      }
    }
    return table.csv
  }

  private var quantities: [(String, String)] {
    switch evidence {
    case .played(let result, _, _, let confidence, let interval):
      let fixed = { NumberFormat.fixed($0, decimals: 10) }
      return [
        ("ev", fixed(result.ev)), ("ev_low", fixed(interval.lowerBound)), ("ev_high", fixed(interval.upperBound)),
        ("confidence", NumberFormat.shortest(confidence)), ("standard_error", fixed(result.standardError)),
        ("standard_deviation", fixed(result.standardDeviation)), ("rounds", String(result.rounds)),
      ]
    case .computed(let ev, let standardDeviation, _):
      return [("ev", ev), ("standard_deviation", standardDeviation)].compactMap { name, value in
        value.map { (name, NumberFormat.fixed($0, decimals: 12)) }
      }
    }
  }

  /// The quantities, the payoffs by bets, and what determined them.
  var json: JSONValue {
    let head: [JSONMember] = [JSONMember("kind", "blackjack-play"), JSONMember("provenance", provenance)]
    switch evidence {
    case .played(let result, _, _, let confidence, let interval):
      return .object(
        head + [
          JSONMember("ev", .fixed(result.ev, decimals: 10)),
          JSONMember("standardError", .fixed(result.standardError, decimals: 10)),
          JSONMember("standardDeviation", .fixed(result.standardDeviation, decimals: 10)),
          JSONMember(
            "interval",
            [
              "low": .fixed(interval.lowerBound, decimals: 10), "high": .fixed(interval.upperBound, decimals: 10),
              "confidence": .number(confidence),
            ]),
          JSONMember("rounds", .integer(result.rounds)),
          JSONMember("payoffs", .object(result.payoffs.map { JSONMember(Self.bets($0.tenths), .integer($0.count)) })),
        ])
    case .computed(let ev, let standardDeviation, let chances):
      return .object(
        head + [
          JSONMember("ev", .fixed(ev, decimals: 12)),
          JSONMember("standardDeviation", standardDeviation.map { .fixed($0, decimals: 12) } ?? .null),
          JSONMember("chances", chances.map(Self.chances) ?? .null),
        ])
    }
  }

  private static func chances(_ chances: [(tenths: Int, probability: Double)]) -> JSONValue {
    .object(chances.map { JSONMember(bets($0.tenths), .fixed($0.probability, decimals: 12)) })
  }

  private var provenance: JSONValue {
    var members: [JSONMember] = [
      JSONMember("version", .string(Version.current)),
      JSONMember("rules", .string(rules.name)),
      JSONMember("chart", .string(chart)),
    ]
    switch evidence {
    case .played(_, let seed, let generator, _, _):
      members += [
        JSONMember("method", "simulate"), JSONMember("seed", .unsigned(seed)),
        JSONMember("generator", .string(generator)),
      ]
    case .computed:
      members.append(JSONMember("method", "exact"))
    }
    return .object(members)
  }
}
