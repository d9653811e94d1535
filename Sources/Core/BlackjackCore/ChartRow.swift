// SPDX-License-Identifier: Apache-2.0

/// A row of a strategy chart: hard totals 5 to 19, soft totals 13 to 20, and the ten pairs.
///
/// Rows are keyed by kind: a pair of aces and a pair of sixes both total 12 and share no row with each other or with
/// 10,2.
@frozen
public struct ChartRow: Hashable, Sendable {
  /// The three tables of a chart.
  @frozen
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case hard, soft, pair
  }

  /// Which table.
  public let kind: Kind
  /// The total of a hard or soft row; the points of one card of a pair, 1 for aces.
  public let player: Int

  @inlinable
  init(kind: Kind, player: Int) {
    self.kind = kind
    self.player = player
  }

  /// The hard row of that total, if charts have it.
  public static func hard(_ total: Int) -> ChartRow? {
    (5...19).contains(total) ? ChartRow(kind: .hard, player: total) : nil
  }

  /// The soft row of that total, if charts have it.
  public static func soft(_ total: Int) -> ChartRow? {
    (13...20).contains(total) ? ChartRow(kind: .soft, player: total) : nil
  }

  /// The row of that pair.
  public static func pair(_ value: CardValue) -> ChartRow { ChartRow(kind: .pair, player: value.points) }

  /// The 33 rows in the order in which charts are printed: hard 5 to 19, soft 13 to 20, pairs 2 to 10 and aces.
  public static let all: [ChartRow] =
    (5...19).compactMap(hard) + (13...20).compactMap(soft) + CardValue.chartOrder.map(pair)

  /// The row of a hand of two or more cards that can be split apart only where `asPair` says so; `nil` without a row.
  @inlinable
  public init?(of hand: Hand, asPair: Bool) {
    if asPair, let pair = hand.pair {
      self.init(kind: .pair, player: pair.points)
    } else if hand.isSoft {
      guard (13...20).contains(hand.total) else { return nil }
      self.init(kind: .soft, player: hand.total)
    } else {
      guard (5...19).contains(hand.total), hand.size >= 2 else { return nil }
      self.init(kind: .hard, player: hand.total)
    }
  }

  /// The row's place among the 33 of `all`.
  @inlinable
  public var index: Int {
    switch kind {
    case .hard: player &- 5
    case .soft: player &+ 2
    case .pair: player == 1 ? 32 : player &+ 21
    }
  }

  /// How files name the row: `5` to `19`, `13` to `20`, `2` to `10` and `A`.
  public var label: String { kind == .pair && player == 1 ? "A" : String(player) }

  /// The two-card hands of the row, the larger card first, each once.
  public var twoCardHands: [(CardValue, CardValue)] {
    if kind == .pair { return CardValue(rawValue: UInt8(player)).map { [($0, $0)] } ?? [] }
    return CardValue.allCases.flatMap { first in
      CardValue.allCases.filter { $0 < first }.map { (first, $0) }
    }.filter { ChartRow(of: Hand($0.0, $0.1), asPair: true) == self }
  }
}

extension ChartRow: CustomStringConvertible {
  /// For example `hard 16`, `soft 18`, `pair 8,8`.
  public var description: String { kind == .pair ? "pair \(label),\(label)" : "\(kind.rawValue) \(player)" }
}

/// A cell of a chart: a row against an upcard.
@frozen
public struct ChartCellKey: Hashable, Sendable {
  /// The player's side.
  public let row: ChartRow
  /// The dealer's card.
  public let upcard: CardValue

  /// The cell of that row against that upcard.
  @inlinable
  public init(_ row: ChartRow, against upcard: CardValue) {
    self.row = row
    self.upcard = upcard
  }

  /// The 330 cells, row by row, upcards 2 to 10 and the ace.
  public static let all: [ChartCellKey] = ChartRow.all.flatMap { row in
    CardValue.chartOrder.map { ChartCellKey(row, against: $0) }
  }

  /// The cell's place among the 330 of `all`.
  @inlinable public var index: Int { row.index &* 10 &+ (upcard == .ace ? 9 : upcard.index &- 1) }
}

extension ChartCellKey: CustomStringConvertible {
  /// For example `hard 16 v 10`.
  public var description: String { "\(row) v \(upcard)" }
}
