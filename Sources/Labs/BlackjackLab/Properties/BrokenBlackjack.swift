// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The code that ships with one operation replaced by a wrong one.
struct BrokenBlackjack: Sendable {
  let name: String
  let fault: String
  let operations: BlackjackOperations

  init(_ name: String, _ fault: String, _ change: (inout BlackjackOperations) -> Void) {
    self.name = name
    self.fault = fault
    var operations = BlackjackOperations.shipping
    change(&operations)
    self.operations = operations
  }

  /// All of them, hands first.
  static let all = hands + charts + files + names + rounds + payoffs + shoes + values

  private static let hands = [
    BrokenBlackjack("soft-ace-stays", "an ace goes on counting eleven when the hand is over 21") { code in
      code.total = { cards in Hand(cards).hardTotal + (cards.contains(.ace) ? 10 : 0) }
    },
    BrokenBlackjack("soft-by-ace", "a hand with an ace is always called soft") { code in
      code.isSoft = { $0.contains(.ace) }
    },
    BrokenBlackjack("pair-by-rank", "a king and a queen are no pair") { code in
      code.pair = { $0.rank == $1.rank ? $0.value : nil }
    },
    BrokenBlackjack("dealer-hits-soft-17", "the dealer draws to a soft 17 under any rules") { code in
      code.dealerDraws = { _, hand in hand.total < 17 || (hand.total == 17 && hand.isSoft) }
    },
  ]

  private static let charts = [
    BrokenBlackjack("pair-again", "a pair that may not be split is still sent to its pair's row") { code in
      code.row = { hand, _ in ChartRow(of: hand, asPair: true) }
    },
    BrokenBlackjack("ace-first", "the ace's column stands before the two") { code in
      code.cellIndex = { $0.row.index * 10 + $0.upcard.index }
    },
    BrokenBlackjack("row-off-by-one", "soft rows are counted from 12, so that they overlap the hard ones") { code in
      code.cellIndex = { $0.row.kind == .soft ? $0.index - 10 : $0.index }
    },
    BrokenBlackjack("fallback-forgotten", "a chart's advice is its cell's action, allowed or not") { code in
      code.advice = { chart, hand, upcard, _ in try chart.cell(for: hand, against: upcard).action }
    },
    BrokenBlackjack("fallback-unread", "the fallback column of a chart file is not read") { code in
      code.readChart = { try StrategyChart(csv: $0.replacing(",fallback,", with: ",unread,")) }
    },
  ]

  private static let files = [
    BrokenBlackjack("heading-not-counted", "the lines of a chart file are counted from below the heading") { code in
      code.readChart = { text in
        do throws(BlackjackError) {
          return try StrategyChart(csv: text)
        } catch .badChart(let line?, let field, let found, let expected) {
          throw BlackjackError.badChart(line: line - 1, field: field, found: found, expected: expected)
        }
      }
    }
  ]

  private static let names = [
    BrokenBlackjack("name-drops-nodas", "the name leaves out that a split hand may not double") { code in
      code.name = { $0.name.replacing("-nodas", with: "") }
    },
    BrokenBlackjack("capitals-refused", "a rule name in capitals is refused") { code in
      code.rules = { name in try Rules(name: name == name.lowercased() ? name : "?" + name) }
    },
    BrokenBlackjack("last-word-wins", "a rule named twice is not refused: the last word counts") { code in
      code.rules = { name in
        try Rules(
          name: name.split(separator: "-").reduce(into: [Substring]()) { words, word in
            if !words.contains(word) { words.append(word) }
          }.joined(separator: "-"))
      }
    },
  ]

  private static let rounds = [
    BrokenBlackjack("illegal-ignored", "an action that is not allowed is ignored without an error") { code in
      code.act = { round, action in if round.options.contains(action) { try round.act(action) } }
    },
    BrokenBlackjack("late-double", "a hand of three cards may double") { code in
      code.options = { $0.need == .decision && $0.activeHand.hand.size == 3 ? $0.options.union(.double) : $0.options }
    },
    BrokenBlackjack("no-split-of-tens", "tens may not be split") { code in
      code.options = { $0.activeHand.hand.pair == .ten ? $0.options.subtracting(.split) : $0.options }
    },
    BrokenBlackjack("aces-split-once-more", "split aces may be split again under any rules") { code in
      code.options = { round in
        let isPairOfAces = round.activeHand.isSplitAce && round.activeHand.hand.pair == .ace
        return round.need == .decision && isPairOfAces ? round.options.union(.split) : round.options
      }
    },
  ]

  private static let payoffs = [
    BrokenBlackjack("double-pays-single", "a doubled bet wins and loses a single one") { code in
      code.payoffTenths = { $0.handCount == 1 && $0.hand(at: 0).isDoubled ? $0.payoffTenths / 2 : $0.payoffTenths }
    },
    BrokenBlackjack("split-natural", "an ace and a ten after a split are paid as a natural") { code in
      code.payoffTenths = {
        let (split, paid) = ($0.hand(at: 0), $0.payoffTenths)
        return split.isSplit && split.hand.isTwoCard21 && paid > 0 ? paid + 5 : paid
      }
    },
    BrokenBlackjack("surrender-takes-all", "a surrender costs the whole bet") { code in
      code.payoffTenths = { $0.isSurrendered ? -10 : $0.payoffTenths }
    },
    BrokenBlackjack("push-loses", "the dealer wins ties") { code in
      code.payoffTenths = { $0.payoffTenths == 0 && !$0.hasNatural && $0.stakes == 1 ? -10 : $0.payoffTenths }
    },
    BrokenBlackjack("natural-beats-natural", "a natural is paid against a natural too") { code in
      code.payoffTenths = { $0.hasNatural ? $0.rules.naturalPays.tenths : $0.payoffTenths }
    },
    BrokenBlackjack("original-bet-forgotten", "a natural takes doubled bets under original bets only") { code in
      code.payoffTenths = { $0.dealerHasNatural && $0.payoffTenths == -10 ? -10 * $0.stakes : $0.payoffTenths }
    },
  ]

  private static let shoes = [
    BrokenBlackjack("shoe-keeps-card", "a dealt card stays in the shoe") { code in
      code.draw = { shoe in
        var copy = shoe
        return try copy.draw(for: .player)
      }
    },
    BrokenBlackjack("shuffle-forgotten", "the cut card comes out and nobody shuffles") { code in
      code.beginRound = { _ in }
    },
  ]

  private static let values = [
    BrokenBlackjack("natural-not-excluded", "a dealer who has looked may still hold a natural") { code in
      code.dealerChances = { rules, upcard, seen in
        let dealer = try ExactDealer(rules: rules, upcard: upcard, seen: seen, givenNoNatural: false)
        return DealerFinal.allCases.map { dealer[$0] }
      }
    },
    BrokenBlackjack("stand-off-by-one", "the value of standing is looked up one total too high") { code in
      let standing = code.standing
      code.standing = { [-1] + (try standing($0, $1, $2)).dropFirst(2) + [1] }
    },
    BrokenBlackjack("das-inverted", "the analyser doubles split hands exactly where the rules forbid it") { code in
      let bestValues = code.bestValues
      code.bestValues = { rules, upcard in
        let name = rules.doubleAfterSplit ? rules.name + "-nodas" : rules.name.replacing("-nodas", with: "")
        return (try? Rules(name: name)).map { bestValues($0, upcard) } ?? []
      }
    },
  ]
}
