// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
public import PropertyTesting
internal import Reporting

/// Properties of card counting; the mutants are bugs seen in other simulators.
public enum CountingProperties {
  public static let catalogue = PropertyCatalogue(
    core: "Counting", production: .shipping, properties: all(of:), mutants: mutations)

  private static func all(of code: CountingOperations) -> [Property] {
    [
      Property(
        "counting.1", "The tables of the fast player agree with the core's rounds, card by card",
        reference: "the core's own round", arguments: ["game"], DrawnCount.any()
      ) { drawn in
        let game = try drawn.game()
        var kernel = try drawn.kernel()
        try kernel.reseed(UInt32(drawn.seed), late: UInt32(drawn.seed + 1))
        for _ in 0..<3 {
          try kernel.playShoe()
          guard let order = kernel.order, let sums = try PlainCounter(game: game, code: code).play(order) else {
            continue
          }
          try require(sums == kernel.shoeTotals, "\(sums) by the core, \(kernel.shoeTotals) by the tables")
        }
      },
      Property(
        "counting.2", "The true count is the running count over the decks not seen, at the last card too",
        reference: "Hi-Lo: running count / (cards left / 52)", arguments: ["points", "seen"],
        Gen<Int>.integers(in: -40...40), Gen<Int>.integers(in: 0...311)
      ) { points, seen in
        let unseen = code.unseen(312, seen)
        let value = code.value(CountReading(.exact, .none), 2 * points, unseen)
        try require(
          value * Double(312 - seen) == Double(52 * points)
            || abs(value * Double(312 - seen) - Double(52 * points)) < 1e-9,
          "\(points) with \(312 - seen) cards left is \(value)")
      },
      Property(
        "counting.3", "Rounding down never reads more than the count, and less than one below it",
        reference: "floor, truncate, round", arguments: ["points", "unseen", "rounding"],
        Gen<Int>.integers(in: -40...40), Gen<Int>.integers(in: 1...416), Gen<CountReading.Rounding>.cases()
      ) { points, unseen, rounding in
        let (exact, read) = (
          code.value(CountReading(.exact, .none), 2 * points, unseen),
          code.value(CountReading(.exact, rounding), 2 * points, unseen)
        )
        let isRight =
          switch rounding {
          case .none: read == exact
          case .floor: read <= exact && exact < read + 1
          case .truncate: abs(read) <= abs(exact) && abs(exact) < abs(read) + 1
          case .round: abs(read - exact) <= 0.5
          }
        try require(isRight && (rounding == .none || read == read.rounded()), "\(exact) is read as \(read)")
      },
      Property(
        "counting.4", "On one side of its index a hand is played by the index, on the other by the chart",
        reference: "Schlesinger 1986", arguments: ["play", "count"],
        Gen.elements(of: Array((PublishedIndices.list("full") ?? []).filter { $0.key != nil }.indices)),
        Gen<Int>.integers(in: -8...8)
      ) { position, count in
        let plays = (PublishedIndices.list("full") ?? []).filter { $0.key != nil }
        guard let key = plays[position].key, let cards = key.row.twoCardHands.last else { return }
        let rules = try Rules(name: "6d-ls")
        let chart = try CountedChart(.trainer, indices: plays, rules: rules)
        let hand = Hand(cards.0, cards.1)
        var options = ActionSet([.stand, .hit, .double])
        if hand.pair != nil { options.insert(.split) }
        let action = try code.action(chart, hand, key.upcard, options, Double(count))
        let wanted = Double(count) >= plays[position].index ? plays[position].above : plays[position].below
        try require(action == wanted, "\(plays[position]): \(action.name) at \(count)")
      },
      Property(
        "counting.5", "A published list, which is for S17, is refused if the dealer hits soft 17",
        reference: "11 v A and 15 v A change by a point and a half", arguments: ["list", "decks"],
        Gen.elements(of: PublishedIndices.names), Gen<Int>.integers(in: 4...8)
      ) { list, decks in
        for rule in ["s17", "h17"] {
          let name = "\(decks)d-\(rule)-ls-cut75"
          let rules = NamedRules(label: name, rules: try Rules(name: name))
          let refusal = code.refusal(rules, NamedIndices(text: list, value: PublishedIndices.list(list) ?? []))
          try require((refusal != nil) == (rule == "h17"), "\(name): \(refusal ?? "played")")
        }
      },
      Property(
        "counting.6", "A trip is ruined if the bankroll is gone after any round, not only the last",
        reference: "an absorbing walk", arguments: ["wins", "bankroll"],
        Gen.arrays(of: Gen<Int>.integers(in: -20...20), count: 1...30), Gen<Int>.integers(in: 1...60)
      ) { wins, bankroll in
        var (money, minimum, ended) = (bankroll, bankroll, false)
        for (position, win) in wins.enumerated() where !ended {
          money += win
          minimum = min(minimum, money)
          ended = code.isOver(money, position == wins.count - 1)
        }
        var (sum, isGone) = (bankroll, false)
        for win in wins {
          sum += win
          isGone = isGone || sum <= 0
        }
        try require(ended == isGone, "\(ended ? "ruined" : "not ruined") with a least bankroll of \(minimum)")
      },
      Property(
        "counting.7", "No safe ramp with one unit more or less at one count wins more than the best bets",
        reference: "the best of its neighbours", arguments: ["edges", "bankroll"],
        Gen.arrays(of: Gen<Int>.integers(in: -20...40), count: 2...8), Gen<Int>.integers(in: 50...2000)
      ) { edges, bankroll in
        let table = BetTable(
          rows: edges.sorted().enumerated().map { position, edge in
            let share = 1 / Double(edges.count)
            return .init(count: position, rounds: 1000, share: share, edge: Double(edge) / 1000, square: 1.3)
          })
        guard let bets = code.bets(table, 6, Double(bankroll), 0.05) else { return }
        try require(table.ruin(bets, bankroll: Double(bankroll)) <= 0.05, "\(bets) are not safe")
        for (_, other) in table.neighbours(of: bets, spread: 6) {
          let isBetter = table.win(other) > table.win(bets) + 1e-12
          try require(
            !isBetter || table.ruin(other, bankroll: Double(bankroll)) > 0.05, "\(other) win more than \(bets)")
        }
      },
    ]
  }

  /// The bugs of `simulator_bugs.json`, with their sources.
  private static let mutations: [Mutation<CountingOperations>] = [
    Mutation(
      "bet-after-deal", "the bet is made after the cards are dealt and counted", caughtBy: "counting.1", within: 50
    ) { $0.betCount = { _, after in after } },
    Mutation(
      "cards-left-off-by-one", "the cards left are one too few, and none at the end", caughtBy: "counting.2", within: 50
    ) { $0.unseen = { max($0 - $1 - 1, 0) } },
    Mutation("ruin-at-the-end", "ruin is checked after the last round only", caughtBy: "counting.6", within: 200) {
      $0.isOver = { money, isLast in isLast && money <= 0 }
    },
    Mutation(
      "deviation-that-is-basic", "the stored action of an index is the chart's own", caughtBy: "counting.4", within: 100
    ) { code in
      code.action = { chart, hand, upcard, options, _ in
        try chart.chart.action(for: hand, against: upcard, options: options)
      }
    },
    Mutation("one-table-for-both", "indices for S17 are accepted with H17", caughtBy: "counting.5", within: 20) {
      $0.refusal = { _, _ in nil }
    },
    Mutation("two-spots", "only one of two hands is paid", caughtBy: "counting.1", within: 100) {
      $0.total = { $0.first ?? 0 }
    },
    Mutation(
      "natural-wins-at-once", "a natural is paid without looking for the dealer's", caughtBy: "counting.1", within: 500
    ) { code in
      code.payoff = { $0.hasNatural ? $0.rules.naturalPays.tenths : $0.payoffTenths }
    },
    Mutation(
      "bets-by-proportion", "the best bets are those in proportion to the edge", caughtBy: "counting.7", within: 500
    ) {
      $0.bets = { table, spread, bankroll, ruin in
        table.ramps(spread: spread).last { table.ruin($0, bankroll: bankroll) <= ruin }
      }
    },
    Mutation("truncated", "rounding down truncates towards zero", caughtBy: "counting.3", within: 100) { code in
      code.value = { reading, running, unseen in
        let rounding = reading.rounding == .floor ? CountReading.Rounding.truncate : reading.rounding
        return CountReading(reading.division, rounding).value(running: running, unseen: unseen)
      }
    },
  ]
}
