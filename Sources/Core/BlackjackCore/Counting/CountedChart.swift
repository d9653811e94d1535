// SPDX-License-Identifier: Apache-2.0

/// An index: the count at which the action for a hand changes.
public struct PlayIndex: Hashable, Sendable, CustomStringConvertible {
  /// The cell; `nil` for insurance.
  public let key: ChartCellKey?
  /// The action below the index; `stand` for insurance.
  public let below: Action
  /// The action at the index and above; `stand` for insurance.
  public let above: Action
  /// The index, a count as the player reads it.
  public let index: Double

  /// A play and its index.
  public init(_ key: ChartCellKey?, below: Action = .stand, above: Action = .stand, at index: Double) {
    (self.key, self.below, self.above, self.index) = (key, below, above, index)
  }

  /// The action at a count.
  public func action(at count: Double) -> Action { count >= index ? above : below }

  /// The play without its index, for example `hard 16 v 10: stand over hit`.
  public var play: String { key.map { "\($0): \(above.name) over \(below.name)" } ?? "insurance" }

  /// For example `hard 16 v 10: stand over hit from 0`.
  public var description: String { "\(play) from \(index == index.rounded() ? "\(Int(index))" : "\(index)")" }
}

/// A chart with indices, for a card counter.
public struct CountedChart: Hashable, Sendable {
  /// The action for hands without an applicable index.
  public let chart: StrategyChart
  /// The indices, at most one for each play.
  public let indices: [PlayIndex]
  /// The count from which insurance is taken; `nil` for never.
  public let insurance: Double?
  /// The positions in `indices` by the cell's index.
  private let positions: [[Int]]

  /// A chart with indices.
  ///
  /// - Throws: `BlackjackError.outOfRange` for an index whose action the rules do not allow, and for a play with two
  ///   indices.
  public init(_ chart: StrategyChart, indices: [PlayIndex] = [], rules: Rules) throws(BlackjackError) {
    (self.chart, self.indices) = (chart, indices)
    insurance = indices.first { $0.key == nil }?.index
    var positions = Array(repeating: [Int](), count: ChartCellKey.all.count)
    for (position, one) in indices.enumerated() {
      guard !indices[..<position].contains(where: { $0.play == one.play }) else {
        throw .outOfRange(what: "index", found: "\(one.play) a second time", expected: "each play once")
      }
      guard let key = one.key else { continue }
      for action in [one.below, one.above] where !rules.allows(action, in: key) {
        throw .outOfRange(
          what: "index of \(key)", found: action.name,
          expected: "an action that \(rules) allows: \(rules.actions(in: key).map(\.name).joined(separator: ", "))")
      }
      positions[key.index].append(position)
    }
    // An index for surrender is checked before the others.
    self.positions = positions.map { $0.sorted { indices[$0].above == .surrender && indices[$1].above != .surrender } }
  }

  /// The action at a count as the player reads it: the action of an applicable index that the rules allow, else the
  /// chart's. A pair that is not split here uses the indices of its total.
  ///
  /// - Throws: as `StrategyChart.action(for:against:options:)`.
  public func action(
    for hand: Hand, against upcard: CardValue, options: ActionSet, count: Double
  ) throws(BlackjackError) -> Action {
    let `default` = try chart.action(for: hand, against: upcard, options: options)
    if options == [.stand, .surrender] { return `default` }
    for isPair in hand.pair == nil || `default` == .split ? [true] : [true, false] {
      guard let row = ChartRow(of: hand, asPair: isPair) else { continue }
      for position in positions[ChartCellKey(row, against: upcard).index] {
        let action = indices[position].action(at: count)
        // If the chart's action is neither of the two, it is better than both.
        let isAbout = `default` == indices[position].below || `default` == indices[position].above
        if isAbout, options.contains(action), action != `default` { return action }
      }
    }
    return `default`
  }

  /// The counts at which the action for a hand changes, ascending.
  public func changes(for hand: Hand, against upcard: CardValue) -> [Double] {
    var counts: Set<Double> = []
    for isPair in [true, false] {
      guard let row = ChartRow(of: hand, asPair: isPair) else { continue }
      for position in positions[ChartCellKey(row, against: upcard).index] { counts.insert(indices[position].index) }
    }
    return counts.sorted()
  }
}

extension Rules {
  /// The actions that the rules allow as the first action on a two-card hand of a cell.
  public func actions(in key: ChartCellKey) -> [Action] { Action.allCases.filter { allows($0, in: key) } }

  /// Returns true if the rules allow an action as the first one on a two-card hand of a cell.
  public func allows(_ action: Action, in key: ChartCellKey) -> Bool {
    switch action {
    case .stand, .hit: true
    case .double: key.row.twoCardHands.contains { mayDouble(Hand($0.0, $0.1)) }
    case .split: key.row.kind == .pair
    case .surrender: surrender(against: key.upcard) != .none
    }
  }
}

/// The bet of a card counter as a function of the count before a round.
public struct BetRamp: Hashable, Sendable {
  /// The bets with the counts from which they apply, ascending; the first also applies to all lower counts.
  public let steps: [(from: Double, bet: Int)]

  /// The largest bet, in units.
  public static let maxBet = 10_000

  private init(checked steps: [(from: Double, bet: Int)]) { self.steps = steps }

  /// A ramp from one to eight units between the counts 0 and 4.
  public static let `default` = BetRamp(checked: [(0, 1), (1, 2), (2, 4), (3, 6), (4, 8)])

  /// A ramp.
  ///
  /// - Throws: `BlackjackError.outOfRange` for more than 100 steps, without a bet above 0, for two steps at the same
  ///   count, and for a bet outside 0 to 10,000 units.
  public init(_ steps: [(from: Double, bet: Int)]) throws(BlackjackError) {
    let sorted = steps.sorted { $0.from < $1.from }
    guard sorted.count <= 100 else {
      throw .outOfRange(what: "ramp", found: "\(sorted.count) steps", expected: "1 to 100")
    }
    guard !sorted.isEmpty, sorted.contains(where: { $0.bet > 0 }) else {
      throw .outOfRange(what: "ramp", found: "no bet", expected: "at least one above 0")
    }
    if let bad = sorted.first(where: { !(0...Self.maxBet).contains($0.bet) }) {
      throw .outOfRange(what: "ramp", found: "a bet of \(bad.bet)", expected: "0 to \(Self.maxBet) units")
    }
    for (one, next) in zip(sorted, sorted.dropFirst()) where one.from == next.from {
      throw .outOfRange(what: "ramp", found: "two bets from \(one.from)", expected: "one bet from each count")
    }
    self.steps = sorted
  }

  /// The bet at a count, in units; 0 means to sit the round out.
  public func bet(at count: Double) -> Int { steps[step(at: count)].bet }

  /// The index of the step for a count.
  public func step(at count: Double) -> Int { max(0, (steps.firstIndex { $0.from > count } ?? steps.count) - 1) }

  /// Warnings of probable mistakes: bets that fall while the count rises, and gaps above one true count between steps;
  /// ramps by a running count have such gaps.
  public func doubts(ofRunningCount isRunning: Bool) -> [String] {
    func text(_ count: Double) -> String {
      count == count.rounded() && abs(count) < 1e15 ? "\(Int(count))" : "\(count)"
    }
    return zip(steps, steps.dropFirst()).flatMap { one, next in
      let falls = next.bet < one.bet ? ["the bet falls from \(one.bet) to \(next.bet) at \(text(next.from))"] : []
      let gap =
        !isRunning && next.from - one.from > 1
        ? ["no step between \(text(one.from)) and \(text(next.from)): \(one.bet) stays"] : []
      return falls + gap
    }
  }

  /// Returns true if both have the same steps.
  public static func == (one: BetRamp, other: BetRamp) -> Bool {
    one.steps.map(\.from) == other.steps.map(\.from) && one.steps.map(\.bet) == other.steps.map(\.bet)
  }

  /// Hashes the steps.
  public func hash(into hasher: inout Hasher) {
    for step in steps {
      hasher.combine(step.from)
      hasher.combine(step.bet)
    }
  }
}
