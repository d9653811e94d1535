// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// Whether cards on the table have to be remembered.
protocol TableMarking {
  static var isNeeded: Bool { get }
}

/// A finite shoe: a card is dealt once.
enum WithoutReplacement: TableMarking {
  static var isNeeded: Bool { true }
}

/// An infinite shoe: any card may come again.
enum WithReplacement: TableMarking {
  static var isNeeded: Bool { false }
}

/// What the lanes of a kernel share: the automaton's table, the cards' values, and the stamps of the cards on each
/// lane's table, side by side.
@safe
struct LaneTable<Marking: TableMarking> {
  let next: UnsafePointer<UInt16>
  let values: UnsafePointer<UInt8>
  let stamps: UnsafeMutablePointer<UInt32>
  let exitLimit: Int
}

/// One of the rounds that a kernel plays abreast: where it is, and the number that stamps its cards.
struct RoundLane {
  private(set) var position: Int
  private var round: UInt32 = 1

  init(start: UInt16) {
    position = Int(start)
  }

  /// The rounds that have left the table.
  var played: Int { Int(round) &- 1 }

  /// Deals a card, unless it lies on the table already.
  ///
  /// - Returns: 1 if the round left the table with it, by the exit that `position` then tells; 0 otherwise.
  @inline(__always)
  mutating func take<Marking>(_ card: UInt16, lane: Int, on table: LaneTable<Marking>) -> Int {
    let card = Int(card)
    if Marking.isNeeded {
      let place = card &* RoundKernel.laneCount &+ lane
      if unsafe table.stamps[place] == round { return 0 }
      unsafe table.stamps[place] = round
    }
    position = unsafe Int(table.next[position &+ Int(table.values[card])])
    let left = position < table.exitLimit
    round &+= left ? 1 : 0
    return left ? 1 : 0
  }
}
