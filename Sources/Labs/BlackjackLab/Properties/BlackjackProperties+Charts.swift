// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

extension BlackjackProperties {
  static func charts(of code: BlackjackOperations) -> [Property] {
    [
      Property(
        "blackjack.6", "Every hand leads to the row of a chart that its definition gives, or to none",
        reference: "the chart: hard 5 to 19, soft 13 to 20, ten pairs", arguments: ["cards", "asPair"],
        Gen<CardValue>.deals(0...5), .booleans()
      ) { cards, asPair in
        let expected = HandSpecification(cards: cards).row(asPair: asPair)
        let row = code.row(Hand(cards), asPair)
        try claim(
          row == expected, "led to \(row?.description ?? "no row"), not to \(expected?.description ?? "none")")
      },
      Property(
        "blackjack.7", "Each of the 330 cells has a place of its own, and two cards that lead there",
        reference: "the chart: 33 rows against 10 upcards", arguments: ["cell"], Gen<ChartCellKey>.chartCells()
      ) { cell in
        let place = code.cellIndex(cell)
        let expected = HandSpecification.place(of: cell.row, against: cell.upcard)
        try claim(place == expected, "\(cell) has place \(place), not \(expected)")
        try claim(ChartCellKey.all[expected] == cell, "place \(expected) of all cells is another")
        let hands = HandSpecification.pairsOfCards.filter { code.row(Hand($0.0, $0.1), true) == cell.row }
        try claim(!hands.isEmpty, "no two cards lead to \(cell)")
      },
      Property(
        "blackjack.8", "What a chart advises is always allowed", reference: "the chart player asks nobody else",
        arguments: ["chart", "round"], EditedChart.any(), RoundScript.any()
      ) { edited, script in
        let chart = edited.chart
        _ = try script.play(.shipping) { round in
          guard round.need == .decision else { return }
          let hand = round.activeHand.hand
          let advice = try code.advice(chart, hand, round.upcard, round.options)
          try claim(
            round.options.contains(advice), "\(advice.name) with \(hand), allowed: \(round.options.names)")
        }
      },
      Property(
        "blackjack.9", "A chart written to a file and read back is the same chart, lines in any order",
        reference: "the chart file", arguments: ["chart", "turn", "line end"],
        EditedChart.any(), .integers(in: 0...329), .elements(of: ["\n", "\r\n"])
      ) { edited, turn, lineEnd in
        let chart = edited.chart
        let lines = code.writeChart(chart, try RuleTerms().rules()).split(whereSeparator: \.isNewline)
        try claim(lines.count == 331, "\(lines.count) lines instead of a heading and 330 cells")
        let body = lines.dropFirst()
        let text = ([lines[0]] + body.dropFirst(turn) + body.prefix(turn)).joined(separator: lineEnd)
        let read = try code.readChart(text)
        let changed = ChartCellKey.all.first { read[$0] != chart[$0] }
        try claim(changed == nil, "\(changed?.description ?? "") reads back differently")
      },
    ]
  }
}
