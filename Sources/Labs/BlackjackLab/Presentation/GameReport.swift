// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore
package import Reporting

/// What a chart earns in whole rounds, ready to be written as text, Markdown, CSV or JSON.
package struct GameReport {
  /// How the earnings are known.
  package enum Evidence {
    /// Rounds played: their payoffs, what determined them, and an interval for the mean at a confidence.
    case played(GameResult, seed: UInt64, generator: String, confidence: Double, interval: ClosedRange<Double>)
    /// Computed: the mean and the standard deviation of one round's payoff, in bets, and the chance of every payoff by
    /// tenths of a bet where it can be computed.
    case computed(ev: Double, standardDeviation: Double?, chances: [(tenths: Int, probability: Double)]?)
  }

  /// The rules.
  package let rules: Rules
  /// The chart's name: `trainer`, or the file it was read from.
  package let chart: String
  /// How the earnings are known.
  package let evidence: Evidence

  /// The report of a chart's earnings.
  package init(rules: Rules, chart: String, evidence: Evidence) {
    self.rules = rules
    self.chart = chart
    self.evidence = evidence
  }

  /// The report in a format; `nil` for a picture, which there is none of.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: text
    case .markdown: markdown
    case .csv: csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }
}

extension GameReport {
  private var summary: Table {
    var table = Table([Table.Column("quantity"), Table.Column("value", .right)])
    switch evidence {
    case .played(let result, _, _, let confidence, let interval):
      table.add(["EV", Self.percent(result.ev)])
      table.add(["\(BlackjackLab.Evidence.percent(confidence)) interval, from", Self.percent(interval.lowerBound)])
      table.add(["to", Self.percent(interval.upperBound)])
      table.add(["standard error", NumberFormat.fixed(result.standardError * 100, decimals: 4) + "%"])
      table.add(["standard deviation", NumberFormat.fixed(result.standardDeviation, decimals: 4) + " bets"])
      table.add(["rounds", NumberFormat.grouped(result.rounds)])
    case .computed(let ev, let standardDeviation, _):
      table.add(["EV", NumberFormat.signed(ev * 100, decimals: 10) + "%"])
      if let standardDeviation {
        table.add(["standard deviation", NumberFormat.fixed(standardDeviation, decimals: 10) + " bets"])
      }
    }
    return table
  }

  private var distribution: Table? {
    switch evidence {
    case .played(let result, _, _, _, _):
      var table = Table(["payoff", "rounds", "share"].map { Table.Column($0, .right) })
      for (tenths, count) in result.payoffs {
        let share = Double(count) / Double(result.rounds) * 100
        table.add([Self.bets(tenths), NumberFormat.grouped(count), NumberFormat.fixed(share, decimals: 5) + "%"])
      }
      return table
    case .computed(_, _, let chances):
      guard let chances else { return nil }
      var table = Table(["payoff", "chance"].map { Table.Column($0, .right) })
      for (tenths, probability) in chances {
        table.add([Self.bets(tenths), NumberFormat.fixed(probability * 100, decimals: 7) + "%"])
      }
      return table
    }
  }

  private var origin: String {
    switch evidence {
    case .played(_, let seed, let generator, _, _):
      "Played with \(generator), seed \(seed). A negative EV is the house's edge, in percent of the bet."
    case .computed:
      "Computed exactly. A negative EV is the house's edge, in percent of the bet."
    }
  }

  private var text: String {
    let tables = [summary.text] + (distribution.map { [$0.text] } ?? [])
    return ([heading, rules.inWords, "", origin, ""].joined(separator: "\n") + "\n" + tables.joined(separator: "\n"))
  }

  private var markdown: String {
    let tables = [summary.markdown] + (distribution.map { [$0.markdown] } ?? [])
    return "# \(heading)\n\n\(rules.inWords).\n\n\(origin)\n\n" + tables.joined(separator: "\n")
  }

  private var heading: String { "The \(chart) chart under \(rules.name)" }

  private static func percent(_ bets: Double) -> String { NumberFormat.signed(bets * 100, decimals: 4) + "%" }

  /// A payoff in bets: `-1`, `1.5`.
  static func bets(_ tenths: Int) -> String { NumberFormat.shortest(Double(tenths) / 10) }
}
