// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

extension ChartResult {
  /// The expected payoff of a round by the chart, the chart's method and its confidence, in a few sentences.
  var evidence: [String] {
    let edge = chartValue.map {
      "House edge \(NumberFormat.ofBet(-$0)): the mean loss of a round by this card, computed exactly."
    }
    guard let simulation = provenance.simulation else {
      let game = gameValue.map {
        "Play by composition instead of the total has a house edge of \(NumberFormat.ofBet(-$0))."
      }
      return provenance.rules.playBeyondCells
        + [edge, "Every cell is computed, by dynamic programming over the shoe's composition.", game].compactMap(\.self)
    }
    return provenance.rules.playBeyondCells + [edge].compactMap(\.self) + [
      "Simulated with \(simulation.generator), seed \(simulation.seed), "
        + "\(NumberFormat.grouped(samples)) rounds from a cell on.",
      certainty(at: simulation),
    ]
  }

  /// The number of cells that a simulation decided and its confidence, in a sentence.
  func certainty(at simulation: Provenance.SimulationSettings) -> String {
    "With \(NumberFormat.percent(simulation.confidence)) confidence in all cells together: \(count(of: .certified)) "
      + "of \(cells.count) cells certified, \(count(of: .indifferent)) indifferent (within "
      + "\(NumberFormat.shortest(simulation.indifference)) bets), \(count(of: .undecided)) undecided."
  }

  /// The cells with a choice, closest first.
  var closest: [ChartCell] {
    cells.filter { $0.runnerUp != nil }.sorted { ($0.margin, $0.key.index) < ($1.margin, $1.key.index) }
  }

  /// A table of the closest cells: their two best actions, some numbers of each, and how each was decided.
  func closestTable(
    _ heading: String = "cell", maximum: Int, numbers: [String], _ texts: (ChartCell) -> [String]
  ) -> Table {
    Table(
      [heading, "best", "second"], numbers: numbers, ["verdict"],
      rows: closest.prefix(maximum).map {
        [$0.key.description, $0.decision.action.name, $0.runnerUp?.name ?? ""] + texts($0) + [$0.verdict.rawValue]
      })
  }
}

extension ChartCell {
  /// The decimals of values: all significant ones of a computed value, fewer of an estimate.
  var decimals: Int { verdict == .exact ? 12 : 8 }

  /// True if the cell has no samples, so that its decision means nothing.
  var isUnplayed: Bool { verdict == .undecided && samples == 0 }

  /// A sentence such as `hard 16 v 10: hit over stand by 0.00530 (0.00480 to 0.00580)`.
  var sentence: String {
    if isUnplayed { return "\(key): undecided, not played yet" }
    let second = runnerUp.map { " over \($0.name)" } ?? ""
    let numbers = [margin, marginLow, marginHigh].map { NumberFormat.fixed($0, decimals: 5) }
    let bounds = verdict == .exact ? "" : " (\(numbers[1]) to \(numbers[2]))"
    let open = verdict == .indifferent || verdict == .undecided ? ", \(verdict.rawValue)" : ""
    return "\(key): \(decision.action.name)\(second) by \(numbers[0])\(bounds)\(open)"
  }

  var marginTexts: [String] { [margin, marginLow, marginHigh].map { NumberFormat.bets($0) } }
}

extension Verification {
  var decided: [Cell] { cells.filter { $0.simulated.verdict != .undecided } }
}

extension Verification.Cell {
  /// The exact value of the simulated best action minus that of its rival, which the simulated margin estimates.
  var exactMargin: Double? {
    guard let rival = simulated.runnerUp, let second = exact[rival], let first = exact[simulated.decision.action]
    else { return nil }
    return first - second
  }
}

extension Array where Element: RulesFinding {
  /// The sections on how simulated charts were decided; empty for elements without evidence.
  func evidence(_ evidence: (Element) -> ChartEvidence?) -> [ReportSection] {
    [
      section("margins", "Margins, from closest to clearest", isEvidence: true) { evidence($0)?.margins ?? [] },
      section("convergence", "How the estimate converged", isEvidence: true) { evidence($0)?.convergence ?? [] },
      section("agreement", "Simulated against exact", isEvidence: true) { evidence($0)?.agreement ?? [] },
    ]
  }
}

/// The evidence for a simulated chart: how it was decided, and how it compares with exact values.
struct ChartEvidence {
  let label: String
  let verification: Verification

  private static let unplayed = ReportBlock.paragraph("No cell was played.")

  // MARK: Margins, from closest to clearest

  private static let maxMargins = 20
  /// The least value of the logarithmic axis, in bets: the smallest indifference that a chart can have.
  private static let floor = 1e-5

  var margins: [ReportBlock] {
    let cells = verification.simulated.closest
    guard !cells.isEmpty else { return [Self.unplayed] }
    return [.figure(marginFigure(cells)), marginTable]
  }

  private var marginTable: ReportBlock {
    let numbers = ["margin", "from", "to", "exact margin", "rounds"]
    let table = verification.simulated.closestTable(maximum: Self.maxMargins, numbers: numbers) { cell in
      let exact = verification.cells[cell.key.index].exactMargin
      return cell.marginTexts + [NumberFormat.bets(exact), NumberFormat.grouped(cell.samples)]
    }
    let confidence = NumberFormat.percent(verification.confidence)
    return .table(
      table,
      caption: "The \(table.rows.count) closest cells under \(label), margins in bets with intervals that hold "
        + "together with all others at \(confidence) confidence.")
  }

  private func marginFigure(_ cells: [ChartCell]) -> Figure {
    let points = cells.enumerated().map { position, cell in
      let low = max(cell.marginLow, Self.floor)
      return Figure.Point(Double(position + 1), max(cell.margin, Self.floor), interval: low...max(low, cell.marginHigh))
    }
    let series = [CellVerdict.certified, .indifferent, .undecided].map { verdict in
      Figure.Series(
        verdict.rawValue, style: .points, points: zip(cells, points).filter { $0.0.verdict == verdict }.map(\.1))
    }.filter { !$0.points.isEmpty }
    let indifference = verification.indifference
    return Figure(
      id: "margins-\(label)", title: "Margins from closest to clearest, \(label)",
      alternative: "The margin of the best action over the second best in \(cells.count) cells, sorted, with "
        + "intervals, on a logarithmic axis; margins below \(NumberFormat.shortest(Self.floor)) bets are drawn "
        + "there.",
      x: Figure.Axis("cells, the closest first"), y: Figure.Axis("margin, bets", scale: .logarithmic),
      series: series + [.level("indifference, \(NumberFormat.shortest(indifference)) bets", at: indifference)]
    ).showing([Figure.Subject("margin.min", of: label)])
  }

  // MARK: How the closest cells were decided, wave by wave

  private static let maxCourses = 4
  /// The figure omits waves with intervals wider than this multiple of the last one's, which would flatten it.
  private static let widest = 12.0

  var convergence: [ReportBlock] {
    let cells = verification.simulated.closest.filter { !$0.course.isEmpty }.prefix(Self.maxCourses)
    guard !cells.isEmpty else { return [Self.unplayed] }
    return [.figure(courseFigure(cells)), .details(summary: "Every wave of these cells", [courseTable(cells)])]
  }

  private func courseFigure(_ cells: ArraySlice<ChartCell>) -> Figure {
    let series = cells.map { cell in
      let last = cell.course.last.map { $0.high - $0.low } ?? 0
      let shown = cell.course.filter { $0.high - $0.low <= Self.widest * last }
      return Figure.Series(
        "\(cell.key): \(cell.decision.action.name) over \(cell.runnerUp?.name ?? "")", style: .line,
        points: shown.map { Figure.Point(Double($0.samples), $0.margin, interval: $0.low...max($0.low, $0.high)) })
    }
    return Figure(
      id: "convergence-\(label)", title: "How the closest cells were decided, \(label)",
      alternative: "The margins of the \(cells.count) closest cells against the rounds played, with bands that narrow "
        + "wave by wave and hold at all times, until they leave zero or fit within the indifference.",
      x: Figure.Axis("rounds of the cell", scale: .logarithmic), y: Figure.Axis("margin, bets"),
      series: series + [.level("", at: 0)])
  }

  private func courseTable(_ cells: ArraySlice<ChartCell>) -> ReportBlock {
    let table = Table(
      ["cell"], numbers: ["rounds", "margin", "from", "to"],
      rows: cells.flatMap { cell in
        cell.course.map { stage in
          [cell.key.description, NumberFormat.grouped(stage.samples)]
            + [stage.margin, stage.low, stage.high].map { NumberFormat.bets($0) }
        }
      })
    return .table(table, caption: "Margins in bets after every wave, under \(label).")
  }

  // MARK: Simulated against exact

  private static let maxValues = 10

  /// A value that both methods have.
  private struct Value {
    let cell: Verification.Cell
    let action: Action
    let simulated: Double
    let low: Double
    let high: Double
    let exact: Double
    /// The deviation of the estimate from the exact value, in units of the interval's half-width on that side: inside
    /// from -1 to 1.
    let deviation: Double

    /// `nil` if a value is missing, or if the interval is a point because no card decides it.
    init?(_ cell: Verification.Cell, _ action: Action) {
      guard let simulated = cell.simulated.values[action], let low = cell.simulated.valuesLow[action],
        let high = cell.simulated.valuesHigh[action], let exact = cell.exact[action]
      else { return nil }
      let half = simulated > exact ? simulated - low : high - simulated
      guard half > 1e-9 else { return nil }
      (self.cell, self.action, self.simulated, self.low, self.high) = (cell, action, simulated, low, high)
      (self.exact, deviation) = (exact, (simulated - exact) / half)
    }
  }

  var agreement: [ReportBlock] {
    let values = verification.cells.flatMap { cell in Action.allCases.compactMap { Value(cell, $0) } }
    guard !values.isEmpty else { return [Self.unplayed] }
    let inside = values.count { abs($0.deviation) <= 1 }
    let summary =
      "\(inside) of \(values.count) exact values lie inside their simulated intervals, which hold together with "
      + "\(NumberFormat.percent(verification.confidence)) confidence at all times, so most estimates "
      + "are much closer than that."
    return [
      .paragraph(summary), .figure(agreementFigure(values)),
      .details(summary: "The values farthest from the exact ones", [agreementTable(values)]),
    ]
  }

  private func agreementFigure(_ values: [Value]) -> Figure {
    let series = Action.allCases.map { action in
      Figure.Series(
        action.name, style: .points,
        points: values.filter { $0.action == action }.map {
          Figure.Point(Double($0.cell.key.index + 1), $0.deviation)
        })
    }.filter { !$0.points.isEmpty }
    return Figure(
      id: "agreement-\(label)", title: "Simulated minus exact, \(label)",
      alternative: "For each of \(values.count) values the simulated one minus the exact one, in units of the "
        + "interval's half-width; straight lines at 1 and -1.",
      x: Figure.Axis("cells in the order of the card"), y: Figure.Axis("simulated minus exact, half-widths"),
      series: series + [.level("end of the interval", at: 1), .level("", at: -1)])
  }

  private func agreementTable(_ values: [Value]) -> ReportBlock {
    let farthest = values.sorted {
      (abs($0.deviation), $1.cell.key.index, $1.action.rawValue)
        > (abs($1.deviation), $0.cell.key.index, $0.action.rawValue)
    }.prefix(Self.maxValues)
    let table = Table(
      ["cell", "action"], numbers: ["simulated", "from", "to", "exact", "half-widths"],
      rows: farthest.map { value in
        [value.cell.key.description, value.action.name]
          + [value.simulated, value.low, value.high, value.exact].map { NumberFormat.bets($0) }
          + [NumberFormat.signed(value.deviation, decimals: 2)]
      })
    return .table(
      table,
      caption: "The \(farthest.count) values farthest from the exact ones under \(label), in bets; later "
        + "play follows the simulated chart.")
  }
}

extension Rules {
  /// The play under these rules that no cell of a chart can state.
  var playBeyondCells: [String] {
    var sentences: [String] = []
    if surrenderAfterDouble {
      sentences.append("Surrender after a double: give up one of the two bets with 16 or less against 8 to A.")
    }
    if charlieCards > 0 {
      sentences.append(
        "A hand of \(charlieCards) cards wins, except after a split. The cells are for two cards and do not "
          + "count them: with \(charlieCards - 1) cards the best play takes another card more often.")
    }
    return sentences
  }
}
