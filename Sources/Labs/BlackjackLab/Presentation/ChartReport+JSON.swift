// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

extension ChartReport {
  /// The chart with its provenance; the cells carry what the CSV does and the bounds of every value.
  var json: JSONValue {
    [
      "kind": "blackjack-chart",
      "provenance": result.provenance.json,
      "ev": result.gameValue.map { .fixed($0, decimals: 12) } ?? .null,
      "verdicts": .object(
        Verdict.allCases.map { JSONMember($0.rawValue, .integer(result.count(of: $0))) }),
      "cells": .array(result.cells.map(Self.json)),
    ]
  }

  /// A cell, under the names that the CSV's columns have, and the bounds of its values where they are estimated.
  private static func json(of cell: ChartCell) -> JSONValue {
    let decimals = Evidence.decimals(of: cell.verdict)
    func values(_ values: ActionValues, isTotal: Bool) -> [JSONMember] {
      Action.allCases.compactMap { action in
        guard let value = values[action] else { return isTotal ? JSONMember(action.name, .null) : nil }
        return JSONMember(action.name, .fixed(value, decimals: decimals))
      }
    }
    func margin(_ number: Double) -> JSONValue { cell.runnerUp == nil ? .null : .fixed(number, decimals: decimals) }
    let head: [JSONMember] = [
      JSONMember("kind", .string(cell.key.row.kind.rawValue)),
      JSONMember("player", .string(cell.key.row.label)),
      JSONMember("dealer", .string(cell.key.upcard.description)),
      JSONMember("action", .string(String(cell.decision.action.letter))),
      JSONMember("fallback", cell.decision.fallback.map { .string(String($0.letter)) } ?? .null),
    ]
    let tail: [JSONMember] = [
      JSONMember("margin", margin(cell.margin)),
      JSONMember("margin_low", margin(cell.marginLow)),
      JSONMember("margin_high", margin(cell.marginHigh)),
      JSONMember("samples", .integer(cell.samples)),
      JSONMember("verdict", .string(cell.verdict.rawValue)),
    ]
    let bounds = [
      JSONMember("low", .object(values(cell.valuesLow, isTotal: false))),
      JSONMember("high", .object(values(cell.valuesHigh, isTotal: false))),
    ]
    return .object(head + values(cell.values, isTotal: true) + tail + (cell.verdict == .exact ? [] : bounds))
  }
}

extension Provenance {
  /// Everything that determines a result; nothing of when, where or how fast.
  var json: JSONValue {
    let head: [JSONMember] = [
      JSONMember("version", .string(Version.current)),
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
