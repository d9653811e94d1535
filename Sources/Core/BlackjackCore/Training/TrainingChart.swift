// SPDX-License-Identifier: Apache-2.0

/// A chart to learn, with the cost of every mistake: the right action for each cell's two-card hands under the rules,
/// and the loss of every other action in bets.
public struct TrainingChart: Hashable, Sendable {
  /// The rules of the game.
  public let rules: Rules
  /// The chart that is taught.
  public let chart: StrategyChart
  /// The actions that the rules allow, by the cell's index.
  private let options: [ActionSet]
  private let right: [Action]
  /// The costs in bets, by the cell's index times 5 plus the action's raw value; NaN where the rules forbid the action.
  private let costs: [Double]
  private let margins: [Double]

  /// The largest loss of the chart's action, in bets, that still counts as indifferent.
  private static let indifference = 0.001

  /// A chart with the values of all actions.
  ///
  /// - Parameters:
  ///   - chart: all 330 cells.
  ///   - rules: the game that it was made for.
  ///   - value: the value of an action on the two-card hands of a cell, in bets; `nil` if unknown.
  /// - Throws: `TrainingError.chart` for a missing cell, an action without a value, and an action of the chart that
  ///   is more than 0.001 bets worse than another, which means that the chart belongs to other rules.
  public init(
    _ chart: StrategyChart, rules: Rules, value: (ChartCellKey, Action) -> Double?
  ) throws(TrainingError) {
    (self.chart, self.rules) = (chart, rules)
    var (options, right, costs, margins) = ([ActionSet](), [Action](), [Double](), [Double]())
    for key in ChartCellKey.all {
      guard let hand = key.row.twoCardHands.first,
        let allowed = Self.options(of: hand, against: key.upcard, rules),
        let action = try? chart.action(for: Hand(hand.0, hand.1), against: key.upcard, options: allowed)
      else { throw .chart(key, "has no action that \(rules.name) allows", expected: "all 330 cells") }
      var values = [Double](repeating: .nan, count: Action.allCases.count)
      for one in allowed.actions {
        guard let found = value(key, one), found.isFinite else {
          throw .chart(key, "has no value of \(one.name)", expected: "a value of every allowed action")
        }
        values[Int(one.rawValue)] = found
      }
      let best = values[Int(action.rawValue)]
      let losses = allowed.actions.filter { $0 != action }.map { best - values[Int($0.rawValue)] }
      let margin = losses.min() ?? 0
      guard margin >= -Self.indifference else {
        let loss = Double(Int(min(-margin, 1e6) * 1e4 + 0.5)) / 1e4
        throw .chart(key, "says \(action.name), which loses \(loss) bets", expected: "a chart of \(rules.name)")
      }
      options.append(allowed)
      right.append(action)
      costs += values.map { best - $0 < 0 ? 0 : best - $0 }
      margins.append(max(0, margin))
    }
    (self.options, self.right, self.costs, self.margins) = (options, right, costs, margins)
  }

  /// The right action for the two-card hands of a cell: the chart's first action that the rules allow.
  public func right(in key: ChartCellKey) -> Action { right[key.index] }

  /// The actions that the rules allow on the two-card hands of a cell.
  public func options(in key: ChartCellKey) -> ActionSet { options[key.index] }

  /// The loss of an action compared with the right one, in bets, 0 or more; NaN where the rules forbid it.
  public func cost(of action: Action, in key: ChartCellKey) -> Double {
    costs[key.index * Action.allCases.count + Int(action.rawValue)]
  }

  /// The loss of the next best action, in bets: the value of the decision.
  public func margin(of key: ChartCellKey) -> Double { margins[key.index] }

  /// The mean margin of a row over its ten upcards, in bets.
  func meanMargin(of row: ChartRow) -> Double {
    CardValue.chartOrder.reduce(0) { $0 + margin(of: ChartCellKey(row, against: $1)) } / 10
  }

  /// The allowed first actions of a round; `nil` if the round has no decision.
  private static func options(
    of hand: (CardValue, CardValue), against upcard: CardValue, _ rules: Rules
  ) -> ActionSet? {
    var round = Round(rules: rules)
    // With a five as hole card the dealer has no natural; other cards would do as well.
    for card in [hand.0, upcard, hand.1, .five] where round.need != .decision {
      do { try round.receive(card) } catch { return nil }
    }
    return round.need == .decision ? round.options : nil
  }
}

/// The difficulty of a session: the range of values of its decisions.
public enum Difficulty: String, CaseIterable, Hashable, Sendable {
  /// Decisions worth 0.1 bets and more.
  case easy
  /// All decisions.
  case normal
  /// Decisions worth less than 0.05 bets.
  case hard

  /// The range that a margin in bets belongs to: 0.1 or more is easy, below 0.05 hard, otherwise normal.
  public init(of margin: Double) { self = margin >= 0.1 ? .easy : margin < 0.05 ? .hard : .normal }

  /// Returns true if a decision with a margin in bets is asked.
  public func asks(margin: Double) -> Bool { self == .normal || self == Difficulty(of: margin) }
}

/// A rule of a chart that applies to all upcards.
public struct Absolute: Hashable, Sendable, CustomStringConvertible {
  /// The rule for the rows.
  public enum Rule: Hashable, Sendable {
    /// The same action against every upcard.
    case always(Action)
    /// Never split; the right action may vary.
    case neverSplit
  }

  /// The rows that the rule applies to, adjacent rows of one kind.
  public let rows: [ChartRow]
  /// The rule for these rows.
  public let rule: Rule

  /// For example `split A,A`, `never split 5,5`, `stand on hard 17 to 19`.
  public var description: String {
    let (first, last) = (rows.first?.description ?? "", rows.last?.label ?? "")
    let hands = rows.first?.kind == .pair ? String(first.dropFirst("pair ".count)) : first
    let span = rows.count > 1 ? "\(hands) to \(last)" : hands
    switch rule {
    case .neverSplit: return "never split \(span)"
    case .always(.split): return "split \(span)"
    case .always(let action): return "\(action.name) on \(span)"
    }
  }
}

extension TrainingChart {
  /// The rules of the chart that apply to all upcards, in the order of its rows: rows with a single action, adjacent
  /// ones with the same action joined, and pairs that are never split.
  public var absolutes: [Absolute] {
    var found: [Absolute] = []
    for row in ChartRow.all {
      guard let rule = rule(of: row) else { continue }
      if row.kind != .pair, let last = found.last, last.rule == rule, let before = last.rows.last,
        before.kind == row.kind, before.player + 1 == row.player
      {
        found[found.count - 1] = Absolute(rows: last.rows + [row], rule: rule)
      } else {
        found.append(Absolute(rows: [row], rule: rule))
      }
    }
    return found
  }

  private func rule(of row: ChartRow) -> Absolute.Rule? {
    let actions = Set(CardValue.chartOrder.map { right(in: ChartCellKey(row, against: $0)) })
    if row.kind == .pair, !actions.contains(.split) { return .neverSplit }
    return actions.count == 1 ? actions.first.map { .always($0) } : nil
  }
}

/// The trainer's groups of upcards.
public enum DealerGroup: String, CaseIterable, Hashable, Sendable {
  case weak, medium, strong

  /// The group of an upcard: weak 4 5 6, medium 2 3 7 8, strong 9 10 A.
  public init(of upcard: CardValue) {
    switch upcard {
    case .four, .five, .six: self = .weak
    case .two, .three, .seven, .eight: self = .medium
    case .nine, .ten, .ace: self = .strong
    }
  }

  /// The upcards of the group, in chart order.
  public var upcards: [CardValue] { CardValue.chartOrder.filter { DealerGroup(of: $0) == self } }
}

extension TrainingChart {
  /// A mnemonic of a cell, chosen by the kind of hand, the right action and the dealer's group.
  public func mnemonic(of key: ChartCellKey) -> String {
    let (row, group) = (key.row, DealerGroup(of: key.upcard))
    switch (row.kind, right(in: key)) {
    case (.pair, .split) where row.player == 1: return "Two aces are two elevens waiting: split them."
    case (.pair, .split) where row.player == 8: return "Sixteen is the worst hand there is; two eights are two starts."
    case (.pair, .split) where group == .weak: return "A weak dealer pays for two hands: split."
    case (.pair, .split): return "Each card starts a better hand than both together: split."
    case (.pair, .stand) where row.player == 10: return "Twenty is won already: never take it apart."
    case (.pair, .stand) where row.player == 9: return "Eighteen is good enough against this card: stand."
    case (.pair, .double): return "Two fives are a ten, and a ten doubles: never split them."
    case (.pair, .hit) where row.player == 5: return "Two fives are a ten: draw to it, never split them."
    case (.pair, .hit): return "Apart they are two weak hands against this card: draw."
    case (_, .surrender): return "Less than one win in four to hope for: half a bet back is the better deal."
    case (.soft, .stand) where row.player >= 19: return "Soft nineteen and twenty are winners as they lie: stand."
    case (.soft, .double): return "A soft hand cannot break with one card, and this dealer often does: double."
    case (.soft, .stand): return "Eighteen is good enough against this card: stand."
    case (.soft, .hit) where row.player == 18: return "Eighteen loses to a strong card more often than not: draw."
    case (.soft, _): return "No card can break a soft hand, and the total is too low to win: draw."
    case (.hard, .double): return "One card makes a strong hand more often than not: put twice the money on it."
    case (.hard, .stand) where row.player >= 17: return "From seventeen on, more cards break than help: stand."
    case (_, .stand) where group == .strong: return "Too many cards would break it: stand."
    case (_, .stand): return "The dealer breaks often from here: do not break first."
    case (.hard, _) where row.player <= 11: return "No card can break it: draw."
    case (.hard, _) where row.player == 12 && group != .strong && key.upcard.points < 7:
      return "Only tens break a twelve, and the dealer is not weak enough to wait for: draw."
    default: return "The dealer makes seventeen or more too often to wait for: draw."
    }
  }
}
