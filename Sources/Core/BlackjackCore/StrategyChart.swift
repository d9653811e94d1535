// SPDX-License-Identifier: Apache-2.0
internal import CoreTables

/// A total-dependent strategy: an action for every kind of hand against every upcard, with a fallback where the rules
/// do not allow the action.
///
/// Some hands have no row: a hard 20 and any 21 stand; a pair of twos or of aces that cannot be split again hits,
/// unless the fallback of the pair's cell gives another action.
public struct StrategyChart: Hashable, Sendable {
  /// The content of a cell.
  @frozen public struct Cell: Hashable, Sendable {
    /// The best action.
    public let action: Action
    /// The action if that is not allowed: double else hit, double else stand, surrender else hit, stand or split.
    public let fallback: Action?

    /// A cell; a fallback that equals the action is dropped.
    @inlinable public init(_ action: Action, else fallback: Action? = nil) {
      self.action = action
      self.fallback = fallback == action ? nil : fallback
    }
  }

  @usableFromInline var cells: [Cell?]

  /// A chart without any cell.
  public init() { cells = Array(repeating: nil, count: ChartCellKey.all.count) }

  /// The content of a cell; `nil` if it is empty.
  ///
  /// Callers must not set an action that no rules allow in a cell (a split of a hand that is not a pair);
  /// `StrategyChart.init(csv:)` checks this for files.
  public subscript(key: ChartCellKey) -> Cell? {
    get { cells[key.index] }
    set { cells[key.index] = newValue }
  }

  /// The cell of a hand; a pair uses the pair's row.
  ///
  /// - Throws: `BlackjackError.noCell` with the hand and the upcard, for a hand of fewer than two cards, a bust hand,
  ///   or an empty cell.
  @inlinable public func cell(for hand: Hand, against upcard: CardValue) throws(BlackjackError) -> Cell {
    guard let cell = answer(to: hand, asPair: true, against: upcard) else {
      throw .noCell(hand: hand, upcard: upcard)
    }
    return cell
  }

  /// The first action of the chart that the rules allow: the cell's action, its fallback, then for a pair those of its
  /// total. A split ace that may not take a card stands if none of them is allowed.
  ///
  /// A doubled hand that may still be given up has no cell. It is with 16 or less against an 8 or more, where two bets
  /// lose more than one on average (wizardofodds.com, Super Fun 21: "double down rescue").
  ///
  /// - Throws: `BlackjackError.noCell` for an empty cell, `.noLegalAction` if no action of the chart is allowed.
  @inlinable public func action(
    for hand: Hand, against upcard: CardValue, options: ActionSet
  ) throws(BlackjackError) -> Action {
    if options == [.stand, .surrender] {
      return hand.total <= 16 && (upcard == .ace || upcard >= .eight) ? .surrender : .stand
    }
    let cell = try cell(for: hand, against: upcard)
    if options.contains(cell.action) { return cell.action }
    if let fallback = cell.fallback, options.contains(fallback) { return fallback }
    if hand.pair != nil, let total = answer(to: hand, asPair: false, against: upcard) {
      if options.contains(total.action) { return total.action }
      if let fallback = total.fallback, options.contains(fallback) { return fallback }
    }
    // Only a split ace may not hit: it has received its card, so it stands where the chart would hit or double.
    if !options.contains(Action.hit) && options.contains(Action.stand) { return .stand }
    throw .noLegalAction(hand: hand, upcard: upcard, options: options)
  }

  @inlinable func answer(to hand: Hand, asPair: Bool, against upcard: CardValue) -> Cell? {
    if let row = ChartRow(of: hand, asPair: asPair) {
      return cells[ChartCellKey(row, against: upcard).index]
    }
    guard hand.size >= 2 else { return nil }
    if hand.total == 20 || hand.total == 21 { return Cell(.stand) }
    return hand.hardTotal <= 4 ? Cell(.hit) : nil
  }

  /// Reads a chart from a table with the columns `kind`, `player`, `dealer`, `action` and optionally `fallback`; other
  /// columns are ignored.
  ///
  /// - Parameter csv: one line for each of the 330 cells in any order; kinds `hard`, `soft`, `pair`; players `5` to
  ///   `19`, `13` to `20`, `2` to `10` and `A`; dealers `2` to `10` and `A`; actions `H S D P R`. A cell without a
  ///   fallback gets the default one.
  /// - Throws: `BlackjackError.badChart` with the line, the field, the value found and the value expected.
  public init(csv: String) throws(BlackjackError) {
    do throws(BlackjackError) {
      try self.init(table: csv)
    } catch {
      // The form of a table is read first, but a line above may already hold what is no cell.
      guard case .badChart(let line?, _, _, _) = error, line > 1 else { throw error }
      let above = csv.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }.prefix(line - 1)
      do throws(BlackjackError) {
        _ = try StrategyChart(table: above.joined(separator: "\n"))
      } catch .badChart(let first?, let field, let found, let expected) {
        throw .badChart(line: first, field: field, found: found, expected: expected)
      } catch {}
      throw error
    }
  }

  private init(table csv: String) throws(BlackjackError) {
    self.init()
    let columns = ["kind", "player", "dealer", "action"]
    let lines = try BlackjackError.chart { () throws(TableError) in
      try TextTable(csv, file: "").columns(columns, optional: ["fallback"])
    }
    for line in lines {
      let (key, cell) = try BlackjackError.chart { () throws(TableError) in
        try Self.cell(kind: line[0], player: line[1], dealer: line[2], action: line[3], fallback: line[4])
      }
      if self[key] != nil {
        throw .badChart(line: line[0].line, field: "cell", found: "\(key) a second time", expected: "each cell once")
      }
      self[key] = cell
    }
    if let missing = ChartCellKey.all.first(where: { self[$0] == nil }) {
      let count = ChartCellKey.all.count { self[$0] == nil }
      throw .badChart(
        line: nil, field: "cell", found: "\(missing) missing (\(count) in all)", expected: "all 330 cells")
    }
  }

  private static func cell(
    kind: TableCell, player: TableCell, dealer: TableCell, action: TableCell, fallback: TableCell
  ) throws(TableError) -> (ChartCellKey, Cell) {
    guard let known = ChartRow.Kind(rawValue: kind.text) else { throw kind.bad("hard, soft or pair") }
    let total = Int(player.text).flatMap { String($0) == player.text ? $0 : nil }
    let (row, expected) =
      switch known {
      case .hard: (total.flatMap(ChartRow.hard), "5 to 19")
      case .soft: (total.flatMap(ChartRow.soft), "13 to 20")
      case .pair: (CardValue(player.text).map(ChartRow.pair), "2 to 10 or A")
      }
    guard let row else { throw player.bad("\(expected) for a \(kind.text) hand") }
    guard let upcard = CardValue(dealer.text) else { throw dealer.bad("2 to 10 or A") }
    func read(_ cell: TableCell) throws(TableError) -> Action {
      guard let action = Action(letter: cell.text) else { throw cell.bad("one of H, S, D, P, R") }
      guard action != .split || row.kind == .pair else { throw cell.bad("a split only of a pair, not of \(row)") }
      return action
    }
    let best = try read(action)
    let second = try fallback.text.isEmpty ? defaultFallback(of: best, in: row) : read(fallback)
    // A pair falls back to its total; for any other hand this is the last fallback, so it must always be allowed.
    if row.kind != .pair, best == .double || best == .surrender, second != .stand, second != .hit {
      throw fallback.bad("S or H for \(row), which no rule forbids")
    }
    return (ChartCellKey(row, against: upcard), Cell(best, else: second))
  }

  /// The chart that the trainer teaches: four to eight decks, dealer stands on soft 17, double after split, no
  /// surrender.
  public static let trainer: StrategyChart = {
    var chart = StrategyChart()
    for (row, letters) in zip(ChartRow.all, trainerRows) {
      for (upcard, letter) in zip(CardValue.chartOrder, letters) {
        guard let action = Action(letter: String(letter)) else { continue }
        chart[ChartCellKey(row, against: upcard)] = Cell(action, else: defaultFallback(of: action, in: row))
      }
    }
    return chart
  }()

  /// The default fallback of an action that is not allowed: a double hits, or stands on soft 18 and more; a surrender
  /// hits, stands on 17 and more (soft: 18), or splits eights; a split plays the total.
  public static func defaultFallback(of action: Action, in row: ChartRow) -> Action? {
    switch action {
    case .stand, .hit, .split: nil
    case .double: row.kind == .soft && row.player >= 18 ? .stand : .hit
    case .surrender:
      switch (row.kind, row.player) {
      case (.pair, 8): .split
      case (.hard, 17...), (.soft, 18...), (.pair, 9...): .stand
      default: .hit
      }
    }
  }

  /// Upcards 2 to 10 and the ace, in the order of `ChartRow.all`.
  private static let trainerRows = [
    // Hard 5 to 19.
    "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HHHHHHHHHH", "HDDDDHHHHH", "DDDDDDDDHH", "DDDDDDDDDH",
    "HHSSSHHHHH", "SSSSSHHHHH", "SSSSSHHHHH", "SSSSSHHHHH", "SSSSSHHHHH", "SSSSSSSSSS", "SSSSSSSSSS", "SSSSSSSSSS",
    // Soft 13 to 20.
    "HHHDDHHHHH", "HHHDDHHHHH", "HHDDDHHHHH", "HHDDDHHHHH", "HDDDDHHHHH", "SDDDDSSHHH", "SSSSSSSSSS", "SSSSSSSSSS",
    // Pairs 2 to 10 and aces.
    "PPPPPPHHHH", "PPPPPPHHHH", "HHHPPHHHHH", "DDDDDDDDHH", "PPPPPHHHHH", "PPPPPPHHHH", "PPPPPPPPPP",
    "PPPPPSPPSS", "SSSSSSSSSS", "PPPPPPPPPP",
  ]
}

/// A player who follows a chart.
@frozen public struct ChartPlayer: Strategy {
  @usableFromInline let chart: StrategyChart

  /// A player with a chart.
  @inlinable public init(_ chart: StrategyChart) { self.chart = chart }

  /// The chart's action for the active hand.
  ///
  /// - Throws: `BlackjackError.noCell` or `.noLegalAction` if the chart has no allowed action.
  @inlinable public mutating func decide(_ round: borrowing Round) throws(BlackjackError) -> Action {
    try chart.action(for: round.activeHand.hand, against: round.upcard, options: round.options)
  }
}

/// A row of a strategy chart: hard totals 5 to 19, soft totals 13 to 20, and the ten pairs.
///
/// The kind is part of a row's key: a pair of aces, a pair of sixes and 10,2 all total 12 and have different rows.
@frozen public struct ChartRow: Hashable, Sendable, CustomStringConvertible {
  /// The three tables of a chart.
  @frozen public enum Kind: String, CaseIterable, Hashable, Sendable {
    case hard, soft, pair
  }

  /// The table of the row.
  public let kind: Kind
  /// The total of a hard or soft row; for a pair the points of one card, 1 for aces.
  public let player: Int

  @inlinable init(kind: Kind, player: Int) {
    self.kind = kind
    self.player = player
  }

  /// The hard row of a total; `nil` if charts have none.
  public static func hard(_ total: Int) -> ChartRow? {
    (5...19).contains(total) ? ChartRow(kind: .hard, player: total) : nil
  }

  /// The soft row of a total; `nil` if charts have none.
  public static func soft(_ total: Int) -> ChartRow? {
    (13...20).contains(total) ? ChartRow(kind: .soft, player: total) : nil
  }

  /// The row of a pair.
  public static func pair(_ value: CardValue) -> ChartRow { ChartRow(kind: .pair, player: value.points) }

  /// The 33 rows in the order in which charts are printed: hard 5 to 19, soft 13 to 20, pairs 2 to 10 and aces.
  public static let all: [ChartRow] =
    (5...19).compactMap(hard) + (13...20).compactMap(soft) + CardValue.chartOrder.map(pair)

  /// The row of a hand of two or more cards; a pair has its pair's row only if `asPair` is true. `nil` without a row.
  @inlinable public init?(of hand: Hand, asPair: Bool) {
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

  /// The row's index in `all`.
  @inlinable public var index: Int {
    switch kind {
    case .hard: player &- 5
    case .soft: player &+ 2
    case .pair: player == 1 ? 32 : player &+ 21
    }
  }

  /// The row's name in files: `5` to `19`, `13` to `20`, `2` to `10` and `A`.
  public var label: String { kind == .pair && player == 1 ? "A" : String(player) }

  /// The distinct two-card hands of the row, the larger card first.
  public var twoCardHands: [(CardValue, CardValue)] {
    if kind == .pair { return CardValue(rawValue: UInt8(player)).map { [($0, $0)] } ?? [] }
    return CardValue.allCases.flatMap { first in
      CardValue.allCases.filter { $0 < first }.map { (first, $0) }
    }.filter { ChartRow(of: Hand($0.0, $0.1), asPair: true) == self }
  }

  /// For example `hard 16`, `soft 18`, `pair 8,8`.
  public var description: String { kind == .pair ? "pair \(label),\(label)" : "\(kind.rawValue) \(player)" }
}

/// A cell of a chart: a row against an upcard.
@frozen public struct ChartCellKey: Hashable, Sendable, CustomStringConvertible {
  /// The row of the player's hand.
  public let row: ChartRow
  /// The dealer's card.
  public let upcard: CardValue

  /// The cell of a row against an upcard.
  @inlinable public init(_ row: ChartRow, against upcard: CardValue) {
    self.row = row
    self.upcard = upcard
  }

  /// The 330 cells, row by row, upcards 2 to 10 and the ace.
  public static let all: [ChartCellKey] = ChartRow.all.flatMap { row in
    CardValue.chartOrder.map { ChartCellKey(row, against: $0) }
  }

  /// The cell's index in `all`.
  @inlinable public var index: Int { row.index &* 10 &+ (upcard == .ace ? 9 : upcard.index &- 1) }

  /// For example `hard 16 v 10`.
  public var description: String { "\(row) v \(upcard)" }
}
