// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

extension ChartReport {
  /// The chart with its provenance; the cells carry what the CSV does and the bounds of every value.
  var json: JSONValue {
    [
      "kind": "blackjack-chart",
      "provenance": result.provenance.json,
      "verdicts": .object(
        Verdict.allCases.map { JSONMember($0.rawValue, .integer(result.count(of: $0))) }),
      "cells": .array(result.cells.map(Self.json)),
    ]
  }

  private static func json(of cell: ChartCell) -> JSONValue {
    let decimals = Evidence.decimals(of: cell.verdict)
    func values(_ values: ActionValues) -> JSONValue {
      .object(
        Action.allCases.compactMap { action in
          values[action].map { JSONMember(action.name, .fixed($0, decimals: decimals)) }
        })
    }
    func margin(_ number: Double) -> JSONValue { cell.runnerUp == nil ? .null : .fixed(number, decimals: decimals) }
    let bounds =
      cell.verdict == .exact
      ? [] : [JSONMember("valuesLow", values(cell.valuesLow)), JSONMember("valuesHigh", values(cell.valuesHigh))]
    let head: [JSONMember] = [
      JSONMember("kind", .string(cell.key.row.kind.rawValue)),
      JSONMember("player", .string(cell.key.row.label)),
      JSONMember("dealer", .string(cell.key.upcard.description)),
      JSONMember("action", .string(String(cell.decision.action.letter))),
      JSONMember("fallback", cell.decision.fallback.map { .string(String($0.letter)) } ?? .null),
      JSONMember("values", values(cell.values)),
    ]
    return .object(
      head + bounds + [
        JSONMember("margin", margin(cell.margin)),
        JSONMember("marginLow", margin(cell.marginLow)),
        JSONMember("marginHigh", margin(cell.marginHigh)),
        JSONMember("samples", .integer(cell.samples)),
        JSONMember("verdict", .string(cell.verdict.rawValue)),
      ])
  }
}

extension Provenance {
  /// Everything that determines a result; nothing of when, where or how fast.
  var json: JSONValue {
    let head: [JSONMember] = [
      JSONMember("assay", .string(Version.current)),
      JSONMember("rules", .string(rules.name)),
      JSONMember("method", .string(simulation == nil ? "exact" : "simulate")),
    ]
    let tail: [JSONMember] =
      simulation.map { simulation in
        [
          JSONMember("seed", .unsigned(simulation.seed)),
          JSONMember("generator", .string(simulation.generator)),
          JSONMember("estimator", .string(simulation.estimator)),
          JSONMember("confidence", .number(simulation.confidence)),
          JSONMember("indifference", .number(simulation.indifference)),
        ]
      } ?? []
    return .object(head + tail)
  }
}
