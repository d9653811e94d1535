// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore
package import Reporting

/// Every action's value for one hand, from both witnesses, ready to be written as text, Markdown, CSV or JSON.
package struct HandReport {
  /// Values that were estimated.
  package struct Estimate {
    /// What determined them.
    package let simulation: Provenance.Simulation
    /// The means, in bets.
    package let values: ActionValues
    /// Bounds that hold together at the confidence, in bets.
    package let low: ActionValues
    /// See `low`.
    package let high: ActionValues
    /// How many times the hand was played, each time once with every action.
    package let samples: Int

    /// Values that were estimated.
    package init(
      simulation: Provenance.Simulation, values: ActionValues, low: ActionValues, high: ActionValues, samples: Int
    ) {
      self.simulation = simulation
      self.values = values
      self.low = low
      self.high = high
      self.samples = samples
    }
  }

  /// The rules.
  package let rules: Rules
  /// The player's cards, two or more.
  package let cards: [CardValue]
  /// The dealer's card.
  package let upcard: CardValue
  /// The computed values, in bets, later play by the cards themselves; `nil` where nobody computed them.
  package let exact: ActionValues?
  /// The computed values, in bets, later play by the chart that the simulation followed.
  package let exactByChart: ActionValues?
  /// The estimated values.
  package let estimate: Estimate

  /// The report of a hand against an upcard.
  package init(
    rules: Rules, cards: [CardValue], upcard: CardValue, exact: ActionValues? = nil,
    exactByChart: ActionValues? = nil, estimate: Estimate
  ) {
    self.rules = rules
    self.cards = cards
    self.upcard = upcard
    self.exact = exact
    self.exactByChart = exactByChart
    self.estimate = estimate
  }

  /// The report in a format; `nil` for a picture, which there is none of.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: [heading, rules.inWords, "", table(decimals: 6).text].joined(separator: "\n") + "\n" + origin + "\n"
    case .markdown: "# \(heading)\n\n\(rules.inWords).\n\n\(table(decimals: 6).markdown)\n\(origin)\n"
    case .csv: table(decimals: nil).csv
    case .json: json.text
    case .svg, .png, .junit: nil
    }
  }
}

extension HandReport {
  private var heading: String {
    let hand = Hand(cards)
    let kind = hand.pair == nil ? " (\(hand))" : ""
    return "\(cards.map(\.description).joined(separator: ","))\(kind) against \(upcard) under \(rules.name)"
  }

  private var origin: String {
    let peek = rules.holeCard == .peek ? "Values in bets, given that the dealer has no natural" : "Values in bets"
    let simulation = estimate.simulation
    let later =
      exact == nil
      ? ""
      : "\nexact: what follows is the best for the cards held; by chart: it follows the chart, as in the simulation."
    let confidence = Evidence.percent(simulation.confidence)
    return "\(peek).\(later)\nPlayed \(NumberFormat.grouped(estimate.samples)) times an action with "
      + "\(simulation.generator), seed \(simulation.seed); the intervals hold together with \(confidence) confidence."
  }

  /// The actions that anybody has a value for, the best first.
  private var actions: [Action] { (exact ?? estimate.values).ranked.map(\.action) }

  /// The values with these decimals, or with all that they are good for.
  private func table(decimals: Int?) -> Table {
    var columns = [Table.Column("action")]
    if exact != nil { columns.append(Table.Column("exact", .right)) }
    if exactByChart != nil { columns.append(Table.Column("by chart", .right)) }
    columns += ["simulated", "low", "high"].map { Table.Column($0, .right) }
    var table = Table(columns)
    for action in actions {
      var row = [action.name]
      if let exact { row.append(Self.value(exact[action], decimals ?? 12)) }
      if let exactByChart { row.append(Self.value(exactByChart[action], decimals ?? 12)) }
      row += [estimate.values, estimate.low, estimate.high].map { Self.value($0[action], decimals ?? 8) }
      table.add(row)
    }
    return table
  }

  private static func value(_ number: Double?, _ decimals: Int) -> String {
    number.map { NumberFormat.fixed($0, decimals: decimals) } ?? ""
  }

  private var json: JSONValue {
    func values(_ values: ActionValues, _ decimals: Int) -> JSONValue {
      .object(values.ranked.map { JSONMember($0.action.name, .fixed($0.value, decimals: decimals)) })
    }
    let simulation = estimate.simulation
    return [
      "kind": "blackjack-hand",
      "provenance": [
        "version": .string(Version.current), "rules": .string(rules.name), "seed": .unsigned(simulation.seed),
        "generator": .string(simulation.generator), "confidence": .number(simulation.confidence),
      ],
      "player": .array(cards.map { .string($0.description) }),
      "dealer": .string(upcard.description),
      "exact": exact.map { values($0, 12) } ?? .null,
      "exactByChart": exactByChart.map { values($0, 12) } ?? .null,
      "simulated": [
        "values": values(estimate.values, 8), "low": values(estimate.low, 8), "high": values(estimate.high, 8),
        "samples": .integer(estimate.samples),
      ],
    ]
  }
}
