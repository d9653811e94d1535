// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Testing

@testable import BlackjackLab

@Suite("A cell is played from its own hands, in their natural weights")
struct CertificationStartTests {
  /// How often each (first card, second card, upcard), and how often without a dealer's natural, over all orders in
  /// which four cards of a deck can lie; positions are `100 * first + 10 * second + upcard`.
  private static let orders: (all: [Int], withoutNatural: [Int]) = {
    var all = Array(repeating: 0, count: 1000)
    var withoutNatural = all
    let deck = Card.deck.map(\.value)
    for first in 0..<52 {
      for second in 0..<52 where second != first {
        for upcard in 0..<52 where upcard != first && upcard != second {
          let place = 100 * deck[first].index + 10 * deck[second].index + deck[upcard].index
          for hole in 0..<52 where hole != first && hole != second && hole != upcard {
            all[place] += 1
            if !Hand(deck[upcard], deck[hole]).isTwoCard21 { withoutNatural[place] += 1 }
          }
        }
      }
    }
    return (all, withoutNatural)
  }()

  private func orders(_ table: [Int], _ deal: CellStart.Deal, _ upcard: CardValue) -> Int {
    let cards = CardValue.allCases.flatMap { Array(repeating: $0.index, count: deal.seen.count(of: $0)) }
    let one = table[100 * cards[0] + 10 * cards[1] + upcard.index]
    return cards[0] == cards[1] ? one : one + table[100 * cards[1] + 10 * cards[0] + upcard.index]
  }

  @Test("one deck: the weights are the numbers of orders of four cards, counted out", arguments: ["1d", "1d-enhc"])
  func weights(name: String) throws {
    let rules = try Rules(name: name)
    let table = rules.holeCard == .peek ? Self.orders.withoutNatural : Self.orders.all
    for key in ChartCellKey.all {
      let start = try CellStart(key, rules: rules)
      let counts = start.deals.map { orders(table, $0, key.upcard) }
      let total = counts.reduce(0, +)
      #expect(start.deals.count == key.row.twoCardHands.count)
      #expect(Int(start.totalWeight) == start.deals.reduce(0) { $0 + Int($1.weight) })
      for (deal, count) in zip(start.deals, counts) {
        #expect(Int(deal.weight) * total == count * Int(start.totalWeight), "\(key)")
        let all = Double(orders(Self.orders.all, deal, key.upcard))
        let natural = 1 - Double(orders(Self.orders.withoutNatural, deal, key.upcard)) / all
        #expect(abs(deal.naturalChance - natural) < 1e-12, "\(key)")
      }
    }
  }

  @Test("more decks: the weights are the exact analyser's", arguments: ["2d", "6d-enhc", "8d", "inf", "inf-obo"])
  func weightsOfAnalyser(name: String) throws {
    let rules = try Rules(name: name)
    let analysis = ExactAnalysis(rules: rules)
    for key in ChartCellKey.all {
      let start = try CellStart(key, rules: rules)
      let expected = analysis.handWeights(of: key.row, against: key.upcard)
      #expect(start.deals.count == expected.count)
      for (deal, hand) in zip(start.deals, expected) {
        #expect(abs(Double(deal.weight) / Double(start.totalWeight) - hand.weight) < 1e-12, "\(key)")
        #expect(deal.seen.count(of: hand.first) == (hand.first == hand.second ? 2 : 1))
      }
    }
  }

  @Test("the three cards on the table are three cards of the shoe, of the right values")
  func cards() throws {
    let rules = try Rules(name: "1d")
    let values = ShoeLayout.values(of: rules)
    for key in ChartCellKey.all {
      for deal in try CellStart(key, rules: rules).deals {
        let numbers = (0..<3).map { Int(deal.cards[$0]) }
        let cards = numbers.compactMap { CardValue(rawValue: values[$0] + 1) }
        #expect(Set(numbers).count == 3)
        #expect(cards[0] == key.upcard && deal.round.upcard == key.upcard)
        #expect(deal.round.activeHand.hand == Hand(cards.dropFirst()))
        #expect(ChartRow(of: Hand(cards.dropFirst()), asPair: true) == key.row)
      }
    }
  }
}
