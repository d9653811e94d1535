// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// How a hand of a split ends, as far as its payoff depends on it: its stake and its total.
///
/// Until busts are told apart, "any ending with that stake" takes the place of the bust one: it needs no more than the
/// second card, and a bust is what the other endings leave of it.
struct EndingClass: Hashable {
  /// How many classes there are.
  static let count = 14
  /// How many totals are told apart: up to 16, 17 to 21, and bust (or any).
  static let totals = 7
  /// The place of a bust among the totals.
  static let bust = 6

  /// Bets on the hand, 1 or 2.
  let stake: Int
  /// The place of the total among `totals`.
  let total: Int

  /// The class's number.
  var index: Int { (stake - 1) * Self.totals + total }

  /// The class with that number.
  init(index: Int) {
    stake = index / Self.totals + 1
    total = index % Self.totals
  }

  /// The class of a hand that stands on a total.
  init(stake: Int, standingOn total: Int) {
    self.stake = stake
    self.total = max(total - 16, 0)
  }

  /// The class of a bust hand, or of any ending.
  init(stake: Int) {
    self.stake = stake
    total = Self.bust
  }

  /// The payoff in bets against an ending of the dealer.
  func payoff(against final: DealerFinal) -> Int {
    if total == Self.bust || final == .natural { return -stake }
    return stake * (total + 16 - final.total).signum()
  }
}

/// Some cards that a hand of a split can be dealt after its split card, and how it then ends.
struct SplitEnding {
  /// How many cards of each value, six bits a value: the word of a union is the sum.
  let cards: UInt64
  /// How the hand ends.
  let ending: EndingClass
  /// In how many orders the cards lead there.
  let open: Double
  /// The same, of those that do not begin with another pair card.
  let closed: Double
}

extension SplitHand {
  /// All endings but busts, and for each second card any ending.
  func endings(in game: UpcardGame) -> [SplitEnding] {
    let tree = game.tree
    let half = tree.child(HandTree.empty, value)
    var ways = Ways(hands: tree.count)
    var endings: [SplitEnding] = []
    for second in 0..<10 {
      let hand = tree.child(half, second)
      ways.open[hand] = 1
      ways.closed[hand] = second == value ? 0 : 1
      let stake = game.action(afterSplitting: value, with: hand) == .double ? 2 : 1
      endings.append(ending(hand, EndingClass(stake: stake), ways, tree))
    }
    var doubled = Ways(hands: tree.count)
    for hand in reached {
      let total = tree.hands[hand].total
      if doubled.open[hand] > 0 {
        endings.append(ending(hand, EndingClass(stake: 2, standingOn: total), doubled, tree))
      }
      guard ways.open[hand] > 0 else { continue }
      switch game.action(afterSplitting: value, with: hand) {
      case .stand: endings.append(ending(hand, EndingClass(stake: 1, standingOn: total), ways, tree))
      case .double:
        let (open, closed) = (ways.open[hand], ways.closed[hand])
        for card in 0..<10 { doubled.add(open, closed, to: tree.child(hand, card)) }
      default:
        let (open, closed) = (ways.open[hand], ways.closed[hand])
        for card in 0..<10 { ways.add(open, closed, to: tree.child(hand, card)) }
      }
    }
    return endings
  }

  /// The number of orders in which the policy comes to each hand.
  private struct Ways {
    var open: [Double]
    var closed: [Double]

    init(hands: Int) {
      open = Array(repeating: 0, count: hands)
      closed = open
    }

    mutating func add(_ openWays: Double, _ closedWays: Double, to next: Int) {
      open[next] += openWays
      closed[next] += closedWays
    }
  }

  private func ending(_ hand: Int, _ ending: EndingClass, _ ways: Ways, _ tree: HandTree) -> SplitEnding {
    var cards: UInt64 = 0
    for card in 0..<10 { cards += UInt64(tree.count(card, in: hand)) << UInt64(6 * card) }
    cards -= 1 << UInt64(6 * value)
    return SplitEnding(cards: cards, ending: ending, open: ways.open[hand], closed: ways.closed[hand])
  }
}
