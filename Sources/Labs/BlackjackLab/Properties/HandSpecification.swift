// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// What a hand is, by definition and without regard to speed: the second account that the core's hands are held to.
struct HandSpecification {
  let cards: [CardValue]

  /// Every sum that the cards can count for, ascending. Which of the aces count eleven makes no difference to a sum,
  /// only how many do.
  var counts: [Int] {
    let aces = cards.count { $0 == .ace }
    let others = cards.reduce(0) { $0 + ($1 == .ace ? 0 : $1.points) }
    return (0...aces).map { elevens in others + (aces - elevens) + 11 * elevens }
  }

  /// The largest sum that is not over 21, or the smallest if all are.
  var total: Int { counts.last { $0 <= 21 } ?? counts[0] }

  /// Whether an ace counts eleven in the best sum.
  var isSoft: Bool { total > counts[0] }

  /// Whether every sum is over 21.
  var isBust: Bool { counts.allSatisfy { $0 > 21 } }

  /// The chart row: by pair where allowed, else by soft or hard total, among those that charts have.
  func row(asPair: Bool) -> ChartRow? {
    guard cards.count >= 2 else { return nil }
    if asPair, cards.count == 2, cards[0] == cards[1] { return .pair(cards[0]) }
    return isSoft ? .soft(total) : .hard(total)
  }

  /// Where a chart prints a cell: hard 5 to 19, soft 13 to 20, pairs 2 to 10 and aces; in each row 2 to 10 and the ace.
  static func place(of row: ChartRow, against upcard: CardValue) -> Int {
    func aceLast(_ points: Int) -> Int { points == 1 ? 9 : points - 2 }
    let above =
      switch row.kind {
      case .hard: row.player - 5
      case .soft: 15 + row.player - 13
      case .pair: 23 + aceLast(row.player)
      }
    return 10 * above + aceLast(upcard.points)
  }

  /// The two-card hands, each once, the larger card first.
  static let pairsOfCards: [(CardValue, CardValue)] = CardValue.allCases.flatMap { first in
    CardValue.allCases.filter { $0 <= first }.map { (first, $0) }
  }
}
