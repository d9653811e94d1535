// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

/// What a chart states besides its letters, in sentences.
struct Evidence {
  let result: ChartResult

  /// How many decimals values have: all that a computed one is good for, fewer where it is estimated.
  static func decimals(of verdict: Verdict) -> Int { verdict == .exact ? 12 : 8 }

  /// Where the chart comes from and how sure it is, in two lines.
  var lines: [String] {
    guard let simulation = result.provenance.simulation else {
      let game = result.gameValue.map { NumberFormat.signed($0 * 100, decimals: 6) }
      return ["Computed exactly: every cell's values by dynamic programming over the shoe's composition."]
        + (game.map { ["The whole game, played by the cards held and not their total alone, is worth \($0)%."] } ?? [])
    }
    let certified = result.count(of: .certified)
    let indifferent = result.count(of: .indifferent)
    let undecided = result.count(of: .undecided)
    return [
      "Simulated with \(simulation.generator), seed \(simulation.seed), estimator \(simulation.estimator), "
        + "\(NumberFormat.grouped(samples)) rounds from a cell on.",
      "With \(Self.percent(simulation.confidence)) confidence in all of it together: \(certified) of "
        + "\(result.cells.count) cells certified, \(indifferent) indifferent (within "
        + "\(NumberFormat.shortest(simulation.indifference)) bets), \(undecided) undecided.",
    ]
  }

  /// The number of rounds played from a cell on, over all cells.
  var samples: Int { result.cells.reduce(0) { $0 + $1.samples } }

  /// The cells with a choice, the closest first.
  var closest: [ChartCell] {
    result.cells.filter { $0.runnerUp != nil }.sorted { ($0.margin, $0.key.index) < ($1.margin, $1.key.index) }
  }

  /// A close cell in words, for example `hard 16 v 10: hit over stand by 0.00530 (0.00480 to 0.00580)`.
  static func sentence(about cell: ChartCell) -> String {
    let second = cell.runnerUp.map { " over \($0.name)" } ?? ""
    let margin = NumberFormat.fixed(cell.margin, decimals: 5)
    let low = NumberFormat.fixed(cell.marginLow, decimals: 5)
    let high = NumberFormat.fixed(cell.marginHigh, decimals: 5)
    let bounds = cell.verdict == .exact ? "" : " (\(low) to \(high))"
    let verdict = cell.verdict == .indifferent || cell.verdict == .undecided ? ", \(cell.verdict.rawValue)" : ""
    return "\(cell.key): \(cell.decision.action.name)\(second) by \(margin)\(bounds)\(verdict)"
  }

  /// For example `99.9%`.
  static func percent(_ probability: Double) -> String {
    let digits = NumberFormat.fixed(probability * 100, decimals: 8)
    let trimmed = digits.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(String(trimmed.reversed())) + "%"
  }
}

extension ChartRow.Kind {
  /// The heading of the table of this kind.
  var heading: String {
    switch self {
    case .hard: "Hard totals"
    case .soft: "Soft totals"
    case .pair: "Pairs"
    }
  }
}

extension ChartRow {
  /// How people read the row: `16`, `A,7`, `8,8`.
  var face: String {
    switch kind {
    case .hard: label
    case .soft: "A,\(player - 11)"
    case .pair: "\(label),\(label)"
    }
  }
}
