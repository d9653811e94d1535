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

/// What the lanes of a kernel share: the automaton's table, the cards' values, and the stamps of the cards on each lane's
/// table, side by side.
@safe
struct LaneTable<Marking: TableMarking> {
  static var laneCount: Int { 4 }

  let next: UnsafePointer<UInt16>
  let values: UnsafePointer<UInt8>
  let stamps: UnsafeMutablePointer<UInt32>
  let start: UInt16
  let payoffLimit: UInt16
  let exitLimit: UInt16

  /// Lays a card on a lane's table.
  ///
  /// - Returns: whether it lay there already.
  @inline(__always)
  func mark(_ card: Int, of lane: Int, in round: UInt32) -> Bool {
    guard Marking.isNeeded else { return false }
    let place = card &* Self.laneCount &+ lane
    let isDealt = unsafe stamps[place] == round
    unsafe stamps[place] = round
    return isDealt
  }

  /// Whether a position is a split, to be played on outside the table.
  @inline(__always)
  func isSplit(_ position: UInt16) -> Bool { position &- payoffLimit < exitLimit &- payoffLimit }
}

/// One of the rounds that a kernel plays abreast: where it is, and the number that stamps its cards.
struct RoundLane {
  private(set) var position: UInt16
  private(set) var round: UInt32 = 1

  init(start: UInt16) {
    position = start
  }

  /// The rounds played.
  var played: Int { Int(round) &- 1 }

  /// Deals a card, unless it lies on the table already.
  ///
  /// - Returns: 1 if the round ended with it in a payoff, which `position` then tells; 0 otherwise.
  @inline(__always)
  mutating func take<Marking>(_ card: UInt16, lane: Int, on table: LaneTable<Marking>) -> Int {
    let card = Int(card)
    let after = unsafe table.next[Int(position) &+ Int(table.values[card])]
    position = table.mark(card, of: lane, in: round) ? position : after
    let isPaid = position < table.payoffLimit
    round &+= isPaid ? 1 : 0
    return isPaid ? 1 : 0
  }

  /// Clears the table.
  mutating func beginRound(at start: UInt16) {
    position = start
    round &+= 1
  }
}
