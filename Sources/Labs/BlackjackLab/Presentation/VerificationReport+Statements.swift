// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

extension VerificationReport {
  /// What the trial found, a sentence each.
  var statements: [String] {
    let trial = verification
    let simulated = trial.simulated
    let same = trial.cells.count { $0.simulatedCost == 0 }
    let equal = trial.cells.count { $0.simulatedCost > 0 && $0.simulatedCost <= trial.indifference }
    let inside = trial.cells.count - trial.surprises.count
    var lines = Evidence(result: simulated).lines
    lines.append(
      "The witnesses name the same action in \(same) cells, actions of equal worth in \(equal), "
        + "different ones in \(trial.disagreements.count).")
    lines.append(
      "Every exact value lies inside its simulated interval in \(inside) of \(trial.cells.count) cells "
        + "(promised: all of them together, with \(Evidence.percent(trial.confidence)) confidence).")
    lines += trial.disagreements.map(Self.disagreement)
    lines.append(
      "The game played by the \(trial.chartName) chart is worth \(Self.edge(trial.testedValue)), by the simulated "
        + "chart \(Self.edge(trial.simulatedValue)): the chart costs \(Self.edge(trial.totalCost)).")
    lines.append(
      "Play that looks at the cards and not at their total alone is worth "
        + "\(Self.edge((trial.compositionDependent.gameValue ?? 0))), that is "
        + "\(Self.edge((trial.compositionDependent.gameValue ?? 0) - trial.simulatedValue)) more.")
    if let largest = trial.largestLaterPlayDifference {
      let mean = NumberFormat.fixed(trial.meanLaterPlayDifference, decimals: 7)
      lines.append(
        "Later play by composition moves the value of a cell's best action by "
          + "\(mean) bets in the mean, most \(largest.cell.key) \(largest.action.name), by "
          + "\(NumberFormat.signed(largest.difference, decimals: 7)).")
    }
    return lines
  }

  private static func disagreement(_ cell: Verification.Cell) -> String {
    "\(cell.key): the simulation says \(cell.simulated.decision.action.name), the analyser "
      + "\(cell.exact.best?.action.name ?? "nothing"), by \(NumberFormat.fixed(cell.simulatedCost, decimals: 6)) bets."
  }

  private static func edge(_ bets: Double) -> String { NumberFormat.signed(bets * 100, decimals: 6) + "%" }

  /// The trial with every cell, and what determined it.
  var json: JSONValue {
    let trial = verification
    return [
      "kind": "blackjack-verify",
      "provenance": trial.simulated.provenance.json,
      "chart": .string(trial.chartName),
      "holds": .bool(trial.holds),
      "wrong": .integer(trial.wrong.count),
      "disagreements": .integer(trial.disagreements.count),
      "surprises": .integer(trial.surprises.count),
      "ev": [
        "chart": .fixed(trial.testedValue, decimals: 12),
        "simulatedChart": .fixed(trial.simulatedValue, decimals: 12),
        "compositionDependent": .fixed((trial.compositionDependent.gameValue ?? 0), decimals: 12),
      ],
      "cells": .array(trial.cells.map(Self.json)),
    ]
  }

  private static func json(of cell: Verification.Cell) -> JSONValue {
    func values(_ values: ActionValues, decimals: Int) -> JSONValue {
      .object(
        Action.allCases.compactMap { action in
          values[action].map { JSONMember(action.name, .fixed($0, decimals: decimals)) }
        })
    }
    return [
      "kind": .string(cell.key.row.kind.rawValue),
      "player": .string(cell.key.row.label),
      "dealer": .string(cell.key.upcard.description),
      "chart": cell.tested.map { .string(String($0.letter)) } ?? .null,
      "simulatedAction": .string(String(cell.simulated.decision.action.letter)),
      "exactAction": cell.exact.best.map { .string(String($0.action.letter)) } ?? .null,
      "cost": .fixed(cell.cost, decimals: 12),
      "outside": .array(cell.outside.map { .string($0.name) }),
      "simulated": values(cell.simulated.values, decimals: 8),
      "low": values(cell.simulated.valuesLow, decimals: 8),
      "high": values(cell.simulated.valuesHigh, decimals: 8),
      "exact": values(cell.exact, decimals: 12),
      "exactByComposition": values(cell.compositionDependent, decimals: 12),
      "verdict": .string(cell.simulated.verdict.rawValue),
    ]
  }
}
