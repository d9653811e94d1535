// SPDX-License-Identifier: Apache-2.0

/// A total-dependent strategy: what to do with every kind of hand against every upcard, and what instead where that
/// is not allowed.
///
/// Three hands have no row of their own: a hard 20 (and any 21) stands; a pair of twos or of aces that can be split no
/// further hits, where the fallback of the pair's cell says nothing else.
public struct StrategyChart: Hashable, Sendable {
  /// What a cell says.
  @frozen
  public struct Cell: Hashable, Sendable {
    /// The best action.
    public let action: Action
    /// What to do where that is not allowed: double else hit, double else stand, surrender else hit, stand or split.
    public let fallback: Action?

    /// A cell; a fallback that repeats the action is none.
    @inlinable
    public init(_ action: Action, else fallback: Action? = nil) {
      self.action = action
      self.fallback = fallback == action ? nil : fallback
    }
  }

  @usableFromInline var cells: [Cell?]

  /// A chart without any cell.
  public init() {
    cells = Array(repeating: nil, count: ChartCellKey.all.count)
  }

  /// What the chart says in a cell; `nil` where it says nothing yet.
  ///
  /// Setting an action that no rules allow there (a split of what is no pair) is the caller's mistake to avoid;
  /// charts read from files are checked by `StrategyChart.init(csv:)`.
  public subscript(key: ChartCellKey) -> Cell? {
    get { cells[key.index] }
    set { cells[key.index] = newValue }
  }

  /// What the chart says of a hand, as a pair where it is one.
  ///
  /// - Throws: `BlackjackError.noCell` naming the hand and the upcard, for a hand of fewer than two cards, a bust
  ///   one, or one whose cell is empty.
  @inlinable
  public func cell(for hand: Hand, against upcard: CardValue) throws(BlackjackError) -> Cell {
    guard let cell = answer(to: hand, asPair: true, against: upcard) else {
      throw .noCell(hand: hand, upcard: upcard)
    }
    return cell
  }

  /// The first of the chart's answers that the rules allow: the cell's action, its fallback, then for a pair those of
  /// its total. A split ace that may take no card stands where all of them ask for one.
  ///
  /// - Throws: `BlackjackError.noCell` where the chart says nothing, `.noLegalAction` where nothing it says is
  ///   allowed.
  @inlinable
  public func action(
    for hand: Hand, against upcard: CardValue, options: ActionSet
  ) throws(BlackjackError) -> Action {
    let cell = try cell(for: hand, against: upcard)
    if options.contains(cell.action) { return cell.action }
    if let fallback = cell.fallback, options.contains(fallback) { return fallback }
    if hand.pair != nil, let total = answer(to: hand, asPair: false, against: upcard) {
      if options.contains(total.action) { return total.action }
      if let fallback = total.fallback, options.contains(fallback) { return fallback }
    }
    // Only a split ace may not hit: it has had its card, so where the chart would hit or double it, it stays as it
    // is.
    if !options.contains(Action.hit) && options.contains(Action.stand) { return .stand }
    throw .noLegalAction(hand: hand, upcard: upcard, options: options)
  }

  @inlinable
  func answer(to hand: Hand, asPair: Bool, against upcard: CardValue) -> Cell? {
    if let row = ChartRow(of: hand, asPair: asPair) {
      return cells[ChartCellKey(row, against: upcard).index]
    }
    guard hand.size >= 2 else { return nil }
    if hand.total == 20 || hand.total == 21 { return Cell(.stand) }
    return hand.hardTotal <= 4 ? Cell(.hit) : nil
  }
}

/// A player who follows a chart.
@frozen
public struct ChartPlayer: Strategy {
  @usableFromInline let chart: StrategyChart

  /// The player of that chart.
  @inlinable
  public init(_ chart: StrategyChart) {
    self.chart = chart
  }

  /// The chart's action for the active hand.
  ///
  /// - Throws: `BlackjackError.noCell` or `.noLegalAction` where the chart has no answer.
  @inlinable
  public mutating func decide(_ round: borrowing Round) throws(BlackjackError) -> Action {
    try chart.action(for: round.activeHand.hand, against: round.upcard, options: round.options)
  }
}
