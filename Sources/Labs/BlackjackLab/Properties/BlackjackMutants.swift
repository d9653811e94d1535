// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting
internal import Randomness
internal import Reporting

extension BlackjackProperties {
  /// Mutants: the shipped code with one operation replaced by a wrong one.
  static let mutations: [Mutation<BlackjackOperations>] = [
    Mutation(
      "soft-ace-stays", "an ace goes on counting eleven when the hand is over 21",
      caughtBy: "blackjack.1", within: 50, smallest: ["[10, 10, A]"]
    ) { code in code.total = { cards in Hand(cards).hardTotal + (cards.contains(.ace) ? 10 : 0) } },
    Mutation(
      "soft-by-ace", "a hand with an ace is always called soft",
      caughtBy: "blackjack.2", within: 50, smallest: ["[10, 10, A]"]
    ) { code in code.isSoft = { $0.contains(.ace) } },
    Mutation(
      "pair-by-rank", "a king and a queen are not a pair", caughtBy: "blackjack.4", within: 200,
      smallest: ["10♠", "J♠"]
    ) { code in code.pair = { $0.rank == $1.rank ? $0.value : nil } },
    Mutation(
      "dealer-hits-soft-17", "the dealer draws to a soft 17 under any rules", caughtBy: "blackjack.5", within: 2000
    ) { code in code.dealerDraws = { _, hand in hand.total < 17 || (hand.total == 17 && hand.isSoft) } },
    Mutation(
      "pair-again", "a pair that may not be split is still sent to its pair's row",
      caughtBy: "blackjack.6", within: 500, smallest: ["[10, 10]", "false"]
    ) { code in code.row = { hand, _ in ChartRow(of: hand, asPair: true) } },
    Mutation(
      "ace-first", "the ace's column stands before the two",
      caughtBy: "blackjack.7", within: 20, smallest: ["hard 5 v 2"]
    ) { code in code.cellIndex = { $0.row.index * 10 + $0.upcard.index } },
    Mutation(
      "row-off-by-one", "soft rows are counted from 12, so that they overlap the hard ones",
      caughtBy: "blackjack.7", within: 100, smallest: ["soft 13 v 2"]
    ) { code in code.cellIndex = { $0.row.kind == .soft ? $0.index - 10 : $0.index } },
    Mutation(
      "fallback-forgotten", "a chart's advice is its cell's action, allowed or not",
      caughtBy: "blackjack.8", within: 1000
    ) { code in code.advice = { chart, hand, upcard, _ in try chart.cell(for: hand, against: upcard).action } },
    Mutation(
      "fallback-unread", "the fallback column of a chart file is not read", caughtBy: "blackjack.9", within: 20
    ) { code in code.readChart = { try StrategyChart(csv: $0.replacing(",fallback,", with: ",unread,")) } },
    Mutation(
      "heading-not-counted", "the lines of a chart file are counted from below the heading",
      caughtBy: "blackjack.23", within: 100
    ) { code in
      code.readChart = { text in
        do throws(BlackjackError) {
          return try StrategyChart(csv: text)
        } catch .badChart(let line?, let field, let found, let expected) {
          throw BlackjackError.badChart(line: line - 1, field: field, found: found, expected: expected)
        }
      }
    },
    Mutation(
      "name-drops-nodas", "the name leaves out that a split hand may not double",
      caughtBy: "blackjack.10", within: 50, smallest: ["6d-nodas"]
    ) { code in code.name = { $0.name.replacing("-nodas", with: "") } },
    Mutation(
      "capitals-refused", "a rule name in capitals is refused",
      caughtBy: "blackjack.11", within: 50, smallest: ["6d", "0", "true"]
    ) { code in code.rules = { name in try Rules(name: name == name.lowercased() ? name : "?" + name) } },
    Mutation(
      "last-word-wins", "a rule named twice is accepted, and the last word counts",
      caughtBy: "blackjack.12", within: 5000, smallest: ["[\"6d\", \"6d\"]"]
    ) { code in
      code.rules = { name in
        try Rules(
          name: name.split(separator: "-").reduce(into: [Substring]()) { words, word in
            if !words.contains(word) { words.append(word) }
          }.joined(separator: "-"))
      }
    },
    Mutation(
      "illegal-ignored", "an action that is not allowed is ignored without an error",
      caughtBy: "blackjack.16", within: 20
    ) { code in code.act = { round, action in if round.options.contains(action) { try round.act(action) } } },
    Mutation(
      "late-double", "a hand of three cards may double",
      caughtBy: "blackjack.15", within: 200, smallest: ["6d: A 10 A; hit"]
    ) { code in
      code.options = { $0.need == .decision && $0.activeHand.hand.size == 3 ? $0.options.union(.double) : $0.options }
    },
    Mutation(
      "no-split-of-tens", "tens may not be split", caughtBy: "blackjack.15", within: 100, smallest: ["6d: tens; stand"]
    ) { code in code.options = { $0.activeHand.hand.pair == .ten ? $0.options.subtracting(.split) : $0.options } },
    Mutation(
      "aces-split-once-more", "split aces may be split again under any rules", caughtBy: "blackjack.15", within: 3000
    ) { code in
      code.options = { round in
        let isPairOfAces = round.activeHand.isSplitAce && round.activeHand.hand.pair == .ace
        return round.need == .decision && isPairOfAces ? round.options.union(.split) : round.options
      }
    },
    Mutation(
      "double-pays-single", "a doubled bet wins and loses a single one",
      caughtBy: "blackjack.14", within: 200, smallest: ["6d: tens; double"]
    ) { code in
      code.payoffTenths = { $0.handCount == 1 && $0.hand(at: 0).isDoubled ? $0.payoffTenths / 2 : $0.payoffTenths }
    },
    Mutation(
      "split-natural", "an ace and a ten after a split are paid as a natural", caughtBy: "blackjack.13", within: 3000
    ) { code in
      code.payoffTenths = {
        let (split, paid) = ($0.hand(at: 0), $0.payoffTenths)
        return split.isSplit && split.hand.isTwoCard21 && paid > 0 ? paid + 5 : paid
      }
    },
    Mutation(
      "surrender-takes-all", "a surrender costs the whole bet",
      caughtBy: "blackjack.13", within: 200, smallest: ["6d-ls: tens; surrender"]
    ) { code in code.payoffTenths = { $0.isSurrendered ? -10 : $0.payoffTenths } },
    Mutation(
      "push-loses", "the dealer wins ties", caughtBy: "blackjack.14", within: 500, smallest: ["6d: tens; stand"]
    ) { code in
      code.payoffTenths = { $0.payoffTenths == 0 && !$0.hasNatural && $0.stakes == 1 ? -10 : $0.payoffTenths }
    },
    Mutation(
      "natural-beats-natural", "a natural is also paid against a natural",
      caughtBy: "blackjack.14", within: 300, smallest: ["6d: A A; stand"]
    ) { code in code.payoffTenths = { $0.hasNatural ? $0.rules.naturalPays.tenths : $0.payoffTenths } },
    Mutation(
      "original-bet-forgotten", "a natural takes doubled bets under original bets only",
      caughtBy: "blackjack.14", within: 2000
    ) { code in
      code.payoffTenths = { $0.dealerHasNatural && $0.payoffTenths == -10 ? -10 * $0.stakes : $0.payoffTenths }
    },
    Mutation(
      "shoe-keeps-card", "a dealt card stays in the shoe", caughtBy: "blackjack.18", within: 20
    ) { code in
      code.draw = { shoe in
        var copy = shoe
        return try copy.draw(for: .player)
      }
    },
    Mutation(
      "shuffle-forgotten", "the cut card comes out without a shuffle", caughtBy: "blackjack.19", within: 100
    ) { code in code.beginRound = { _ in } },
    Mutation(
      "natural-not-excluded", "a dealer who has looked may still hold a natural",
      caughtBy: "blackjack.20", within: 300, smallest: ["6d", "10", "[]"]
    ) { code in
      code.dealerChances = { rules, upcard, seen in
        let dealer = try ExactDealer(rules: rules, upcard: upcard, seen: seen, givenNoNatural: false)
        return DealerFinal.allCases.map { dealer[$0] }
      }
    },
    Mutation(
      "stand-off-by-one", "the value of standing is looked up one total too high",
      caughtBy: "blackjack.21", within: 20, smallest: ["6d", "10", "[]"]
    ) { code in
      let standing = code.standing
      code.standing = { [-1] + (try standing($0, $1, $2)).dropFirst(2) + [1] }
    },
    Mutation(
      "das-inverted", "the analyser doubles split hands exactly where the rules forbid it",
      caughtBy: "blackjack.22", within: 300
    ) { code in
      let bestValues = code.bestValues
      code.bestValues = { rules, upcard in
        let name = rules.doubleAfterSplit ? rules.name + "-nodas" : rules.name.replacing("-nodas", with: "")
        return (try? Rules(name: name)).map { bestValues($0, upcard) } ?? []
      }
    },
  ]
}

/// The operations that the properties check: those of the core, or a mutant's.
struct BlackjackOperations: Sendable {
  /// The shoe of the properties, whose order follows from a number.
  typealias NumberedShoe = Shoe<RandomWords>

  // MARK: Hands

  var total: @Sendable ([CardValue]) -> Int = { Hand($0).total }
  var isSoft: @Sendable ([CardValue]) -> Bool = { Hand($0).isSoft }
  var isBust: @Sendable ([CardValue]) -> Bool = { Hand($0).isBust }
  var pair: @Sendable (Card, Card) -> CardValue? = { Hand($0.value, $1.value).pair }

  // MARK: Charts

  var row: @Sendable (Hand, _ asPair: Bool) -> ChartRow? = { ChartRow(of: $0, asPair: $1) }
  var cellIndex: @Sendable (ChartCellKey) -> Int = { $0.index }
  var advice: @Sendable (StrategyChart, Hand, CardValue, ActionSet) throws -> Action = {
    try $0.action(for: $1, against: $2, options: $3)
  }
  var readChart: @Sendable (String) throws -> StrategyChart = { try StrategyChart(csv: $0) }
  var writeChart: @Sendable (StrategyChart, Rules) -> String = { $0.csv(under: $1) }

  // MARK: Names

  var name: @Sendable (Rules) -> String = { $0.name }
  var rules: @Sendable (String) throws -> Rules = { try Rules(name: $0) }

  // MARK: Rounds

  var options: @Sendable (Round) -> ActionSet = { $0.options }
  var act: @Sendable (inout Round, Action) throws -> Void = { try $0.act($1) }
  var receive: @Sendable (inout Round, CardValue) throws -> Void = { try $0.receive($1) }
  var payoffTenths: @Sendable (Round) -> Int = { $0.payoffTenths }
  var dealerDraws: @Sendable (Rules, Hand) -> Bool = { $0.dealerDraws(to: $1) }

  // MARK: Shoes

  var draw: @Sendable (inout NumberedShoe) throws -> CardValue = { try $0.draw(for: .player) }
  var beginRound: @Sendable (inout NumberedShoe) -> Void = { $0.beginRound() }

  // MARK: Values

  var dealerChances: @Sendable (Rules, _ upcard: CardValue, _ seen: [CardValue]) throws -> [Double] = {
    let dealer = try ExactDealer(rules: $0, upcard: $1, seen: $2, givenNoNatural: $0.holeCard == .peek)
    return DealerFinal.allCases.map { dealer[$0] }
  }
  /// The value of standing on each total from 0 to 21, in bets.
  var standing: @Sendable (Rules, _ upcard: CardValue, _ seen: [CardValue]) throws -> [Double] = {
    let dealer = try ExactDealer(rules: $0, upcard: $1, seen: $2, givenNoNatural: $0.holeCard == .peek)
    return (0...21).map { total in
      let results = DealerFinal.results(of: total)
      return DealerFinal.allCases.reduce(0) { $0 + dealer[$1] * results[Int($1.rawValue)] }
    }
  }
  var bestValues: @Sendable (Rules, CardValue) -> [Double] = { rules, upcard in
    FirstActions(of: UpcardGame(rules: rules, upcard: upcard, policy: nil)).values.map { $0.best?.value ?? 0 }
  }

  static let shipping = BlackjackOperations()
}

extension StrategyChart {
  fileprivate func csv(under rules: Rules) -> String {
    let cells = ChartCellKey.all.map { key in
      ChartCell(exact: ActionValues(), of: key, decision: self[key] ?? Cell(.stand))
    }
    return ChartResult(provenance: Provenance(rules: rules, simulation: nil), cells: cells).table.csv
  }
}
