// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The endings of one and of two hands of a split, with the dealer's, from the exact shoe.
///
/// Two hands that end with cards A and B leave the shoe without the union of both, and by exchangeability the chance of just
/// these cards depends on the union alone: pairs of endings are grouped by it.
struct SplitJoint {
  private let value: Int
  private let endings: [SplitEnding]
  private let unions: [Union]
  private var batch = DealerTrie.Batch()

  /// Pairs of endings with the same cards in all; the second is -1 where there is one hand only.
  private struct Union {
    let cards: UInt64
    var members: [(first: Int, second: Int)]
  }

  /// All pairs of endings of the hands that a split card makes.
  init(value: Int, in game: UpcardGame) {
    self.value = value
    let endings = SplitHand(value: value, in: game).endings(in: game)
    self.endings = endings
    var pairs: [(cards: UInt64, first: Int, second: Int)] = []
    for (first, ending) in endings.enumerated() {
      pairs.append((ending.cards, first, -1))
      if game.shoe.isInfinite { continue }
      for second in first..<endings.count { pairs.append((ending.cards + endings[second].cards, first, second)) }
    }
    pairs.sort { $0.cards < $1.cards }
    var unions: [Union] = []
    for pair in pairs {
      if unions.last?.cards != pair.cards { unions.append(Union(cards: pair.cards, members: [])) }
      unions[unions.count - 1].members.append((pair.first, pair.second))
    }
    self.unions = unions
  }

  /// The chances with so many further pair cards gone.
  mutating func endings(level: Int, in game: UpcardGame) -> SplitEndings {
    var shoe = game.shoe
    shoe.remove(value, 2 + level)
    var weights: [Double] = []
    var chances: [DealerChances] = []
    chances.reserveCapacity(unions.count)
    var possible: [Int] = []
    for (index, union) in unions.enumerated() {
      let weight = shoe.draw(union.cards, hidden: game.dealer.hidden)
      if weight > 0 {
        possible.append(index)
        weights.append(weight)
        batch.add(shoe, of: game.dealer)
        if batch.isFull { game.dealer.appendChances(of: &batch, to: &chances) }
      }
      shoe.putBack(union.cards)
    }
    game.dealer.appendChances(of: &batch, to: &chances)
    var sums = SplitEndings()
    for (place, index) in possible.enumerated() {
      for (first, second) in unions[index].members {
        add(first, second, chances[place] * weights[place], to: &sums)
      }
    }
    sums.tellBusts()
    if shoe.isInfinite { sums.combineIndependently() }
    return sums
  }

  private func add(_ first: Int, _ second: Int, _ chances: DealerChances, to sums: inout SplitEndings) {
    let one = endings[first]
    let row = one.ending.index
    guard second >= 0 else {
      sums.open[row] += chances * one.open
      sums.closed[row] += chances * one.closed
      return
    }
    let other = endings[second]
    let column = other.ending.index
    let (place, mirrored) = (row * EndingClass.count + column, column * EndingClass.count + row)
    sums.bothOpen[place] += chances * (one.open * other.open)
    sums.bothClosed[place] += chances * (one.closed * other.closed)
    sums.closedAndOpen[place] += chances * (one.closed * other.open)
    guard first != second else { return }
    sums.bothOpen[mirrored] += chances * (one.open * other.open)
    sums.bothClosed[mirrored] += chances * (one.closed * other.closed)
    sums.closedAndOpen[mirrored] += chances * (other.closed * one.open)
  }
}

extension ShoeContents {
  /// Takes cards out, packed as in `SplitEnding`, and tells the chance that they come in one given order.
  ///
  /// - Parameters:
  ///   - cards: six bits a value.
  ///   - hidden: the value that the dealer's second card is known not to have.
  /// - Returns: the chance; 0 where the shoe has not so many.
  mutating func draw(_ cards: UInt64, hidden: Int?) -> Double {
    let before = hidden.map { 1 - chance(of: $0) } ?? 1
    var product = 1 / before
    for value in 0..<10 {
      for _ in 0..<(Int(truncatingIfNeeded: cards >> UInt64(6 * value)) & 63) {
        product *= counts[value] > 0 ? chance(of: value) : 0
        remove(value)
      }
    }
    return product * (hidden.map { 1 - chance(of: $0) } ?? 1)
  }

  /// Puts packed cards back.
  mutating func putBack(_ cards: UInt64) {
    for value in 0..<10 { remove(value, -(Int(truncatingIfNeeded: cards >> UInt64(6 * value)) & 63)) }
  }
}
