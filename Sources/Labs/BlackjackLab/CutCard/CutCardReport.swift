// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

extension CutCardChart {
  static func rows(confidence: Double) -> [MeasureRow<ChartFinding>] {
    func row(
      _ name: String, _ meaning: String, _ read: @escaping @Sendable (CutCardChart) -> Estimate?
    ) -> MeasureRow<ChartFinding> {
      .interval(name, meaning, unit: "bets", confidence: confidence) { finding in
        guard let chart = finding.cutCard, let one = read(chart) else { return nil }
        return .interval(one.value, low: one.low, high: one.high, confidence: confidence, samples: chart.shoes)
      }
    }
    return [
      row("cut.ev", "the mean win of a round dealt before the cut card and played by the chart", \.value),
      row("cut.effect", "the difference from the same play with a fresh shoe every round", \.effect),
      row("cut.worth", "the gain per round of the cells that differ over the fresh shoe's actions", \.worth),
      .count(
        "cut.differs", "cells whose action certainly differs from that with a fresh shoe", unit: "cells",
        undecided: \.open
      ) { $0.cutCard?.differences.count ?? 0 },
      .exact("cut.rounds", "rounds of a shoe on average", unit: "rounds") { $0.cutCard?.rounds },
      .count("shoes", "shoes played", unit: "shoes") { $0.cutCard?.shoes },
    ]
  }

  private var value: Estimate? {
    guard let effect, let value = result.chartValue else { return nil }
    return Estimate(
      value: value, low: value + effect.low - effect.value, high: value + effect.high - effect.value)
  }

  private var worth: Estimate? {
    differences.reduce(Estimate(value: 0, low: 0, high: 0)) {
      Estimate(value: $0.value + $1.worth.value, low: $0.low + $1.worth.low, high: $0.high + $1.worth.high)
    }
  }

  private static func percent(_ one: Estimate, sign: Double = 1) -> String {
    let ends = [one.low, one.high].map { NumberFormat.fixed(sign * $0 * 100, decimals: 5) }
    return "\(NumberFormat.fixed(sign * one.value * 100, decimals: 5))% (\(ends[sign < 0 ? 1 : 0]) to "
      + "\(ends[sign < 0 ? 0 : 1]))"
  }

  /// The confidence of the chart, in a few sentences.
  var evidence: [String] {
    guard let simulation = result.provenance.simulation else { return [] }
    let edge = value.map { "House edge \(Self.percent($0, sign: -1)) in the rounds that are really dealt." }
    return [edge].compactMap(\.self) + [
      "Simulated with \(simulation.generator), seed \(simulation.seed): \(NumberFormat.grouped(shoes)) shoes"
        + (rounds.map { " of \(NumberFormat.fixed($0, decimals: 3)) rounds" } ?? "") + ".",
      result.certainty(at: simulation),
    ]
  }

  private static let mostMargins = 12

  /// The cells that differ, their worth, and the closest cells of both charts.
  var comparison: [ReportBlock] {
    guard let effect, let freshValue = fresh.chartValue else { return [.paragraph("Interrupted before an estimate.")] }
    let summary = ReportBlock.paragraph(
      "The cut-card effect: by this chart the EV of a round before the cut card is \(Self.percent(effect)) of a bet "
        + "above that with a fresh shoe every round. There the EV of the fresh shoe's chart is "
        + "\(NumberFormat.ofBet(freshValue)), computed.")
    let differing = Table(
      ["cell", "fresh", "cut card"], numbers: ["loss, fresh", "gain, cut", "from", "to", "per million rounds"],
      rows: differences.map { one in
        [one.key.description, one.fresh.name, one.action.name]
          + [one.loss, one.gain.value, one.gain.low, one.gain.high].map { NumberFormat.bets($0) }
          + [NumberFormat.fixed(one.worth.value * 1e6, decimals: 3)]
      })
    let numbers = ["fresh", "cut card", "from", "to"]
    let margins = result.closestTable(most: Self.mostMargins, numbers: numbers) { cell in
      let values = fresh.cells[cell.key.index].values
      let usual = (values[cell.decision.action] ?? 0) - (cell.runnerUp.flatMap { values[$0] } ?? 0)
      return [NumberFormat.bets(usual)] + cell.marginTexts
    }
    return [
      summary,
      differences.isEmpty
        ? .paragraph("No cell certainly differs from the fresh shoe's chart.")
        : .table(
          differing,
          caption: "The \(differences.count) cells whose action certainly differs: the loss of the cut card's action "
            + "with a fresh shoe and its gain here, in bets each time the cell comes up, and in bets of a million "
            + "rounds."),
      .table(
        margins,
        caption:
          "The \(margins.rows.count) closest cells, by the best action's margin, in bets: computed for a "
          + "fresh shoe, and with the cut card."),
    ]
  }
}
