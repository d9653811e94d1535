// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The endings of one and of two hands of a split, with the dealer's, from the exact shoe.
///
/// Two hands that end with cards A and B leave the shoe without the union of both, and by exchangeability the chance
/// of just these cards depends on the union alone: pairs of endings are grouped by it, and within it by their classes.
struct SplitJoint {
  private let value: Int
  private let unions: [Union]
  private let entries: [Entry]
  private var batch = DealerTrie.Batch()

  /// Cards that one or two hands hold in all, with their entries up to a position.
  private struct Union {
    let cards: UInt64
    var end: Int
  }

  /// In how many orders some cards make one hand, or an unordered pair of hands, of given classes.
  private struct Entry {
    let cards: UInt64
    /// The class of one hand; or `EndingClass.count` and a pair's place in a matrix, the smaller class first.
    let place: Int
    var open: Double
    var closed: Double
    /// For pairs, one hand closed and the other open, either way round.
    var mixed: Double
  }

  /// The endings of the hands that a split card makes, and all pairs of them.
  init(value: Int, in game: UpcardGame) {
    self.value = value
    let endings = SplitHand(value: value, in: game).endings(in: game)
    var all = endings.map {
      Entry(cards: $0.cards, place: $0.ending.index, open: $0.open, closed: $0.closed, mixed: 0)
    }
    if !game.shoe.isInfinite {
      all.reserveCapacity(endings.count * (endings.count + 3) / 2)
      for (index, first) in endings.enumerated() {
        for other in index..<endings.count { all.append(Self.pair(first, endings[other], isSame: other == index)) }
      }
    }
    all.sort { $0.cards == $1.cards ? $0.place < $1.place : $0.cards < $1.cards }
    var entries: [Entry] = []
    var unions: [Union] = []
    for entry in all {
      if let last = entries.last, last.cards == entry.cards, last.place == entry.place {
        entries[entries.count - 1].open += entry.open
        entries[entries.count - 1].closed += entry.closed
        entries[entries.count - 1].mixed += entry.mixed
        continue
      }
      entries.append(entry)
      if unions.last?.cards != entry.cards { unions.append(Union(cards: entry.cards, end: 0)) }
      unions[unions.count - 1].end = entries.count
    }
    self.entries = entries
    self.unions = unions
  }

  /// The orders of two hands, both ways round where they are not the same.
  private static func pair(_ first: SplitEnding, _ second: SplitEnding, isSame: Bool) -> Entry {
    let classes = (first.ending.index, second.ending.index)
    let ways = isSame ? 1.0 : 2.0
    return Entry(
      cards: first.cards + second.cards,
      place: EndingClass.count + min(classes.0, classes.1) * EndingClass.count + max(classes.0, classes.1),
      open: ways * first.open * second.open, closed: ways * first.closed * second.closed,
      mixed: (first.closed * second.open + first.open * second.closed) * ways / 2)
  }

  /// The chances with so many further pair cards gone.
  mutating func endings(level: Int, in game: UpcardGame) -> SplitEndings {
    var shoe = game.shoe
    shoe.remove(value, 2 + level)
    var weights = Array(repeating: 0.0, count: unions.count)
    var chances: [DealerChances] = []
    chances.reserveCapacity(unions.count)
    for (index, union) in unions.enumerated() {
      weights[index] = shoe.draw(union.cards, hidden: game.dealer.hidden)
      if weights[index] > 0 {
        batch.add(shoe, of: game.dealer)
        if batch.isFull { game.dealer.appendChances(of: &batch, to: &chances) }
      }
      shoe.putBack(union.cards)
    }
    game.dealer.appendChances(of: &batch, to: &chances)
    var sums = SplitEndings()
    var start = 0
    var place = 0
    for (index, union) in unions.enumerated() {
      defer { start = union.end }
      guard weights[index] > 0 else { continue }
      let weighted = chances[place] * weights[index]
      place += 1
      for entry in entries[start..<union.end] { Self.add(entry, weighted, to: &sums) }
    }
    sums.finish(isInfinite: shoe.isInfinite)
    return sums
  }

  private static func add(_ entry: Entry, _ chances: DealerChances, to sums: inout SplitEndings) {
    guard entry.place >= EndingClass.count else {
      sums.open[entry.place] += chances * entry.open
      sums.closed[entry.place] += chances * entry.closed
      return
    }
    let place = entry.place - EndingClass.count
    sums.bothOpen[place] += chances * entry.open
    if entry.mixed > 0 { sums.closedAndOpen[place] += chances * entry.mixed }
    if entry.closed > 0 { sums.bothClosed[place] += chances * entry.closed }
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
