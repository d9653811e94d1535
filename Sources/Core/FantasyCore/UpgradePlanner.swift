// SPDX-License-Identifier: Apache-2.0

/// A player of the market or of the squad, with the values that the planner needs.
public struct PlannedPlayer: Hashable, Sendable {
  /// The price in dollars.
  public var price: Int
  /// The expected points over the planned rounds, in hundredths.
  public var points: Int
  /// The positions in which the player may be picked.
  public var positions: [Position]

  /// A candidate with a price in dollars and expected points in hundredths.
  public init(price: Int, points: Int, positions: [Position]) {
    (self.price, self.points, self.positions) = (price, points, positions)
  }
}

/// A set of trades.
public struct UpgradePath: Hashable, Sendable {
  /// A trade of a path.
  public struct Step: Hashable, Sendable {
    /// The index in the squad of the player traded out.
    public var out: Int
    /// The index in the market of the player traded in.
    public var into: Int
    /// Dollars left after the trade.
    public var bank: Int

    /// A trade, and the money in the bank after it.
    public init(out: Int, into: Int, bank: Int) { (self.out, self.into, self.bank) = (out, into, bank) }
  }

  /// The trades in an order in which the bank is never below 0: those that free money come first.
  public var steps: [Step]
  /// The total gain, in hundredths of a point.
  public var gain: Int
  /// An upper bound of any plan's gain, in hundredths of a point; equal to the gain where the plan is proven optimal.
  public var bound: Int
  /// The number of nodes searched.
  public var nodes: Int

  /// True if the plan is proven optimal.
  public var isBest: Bool { gain == bound }
}

/// Finds the trades with the largest gain within the bank, the slots and the trades left.
///
/// Each trade puts a player of the market into the slot of a player of the squad; slots are not exchanged. Within a
/// position any player in can replace any player out, so a plan is a set of players out and an equally large set of
/// players in. The search is branch and bound: a price of money, computed once, turns each player into a value, and the
/// best k values of the market less the worst k of the squad bound the remaining gain (the Lagrangian relaxation of
/// Everett, "Generalized Lagrange multiplier method", Operations Research 11 (1963)). A player is left out if as many
/// cheaper players as there are trades are at least as good. The plan is optimal if the nodes suffice; otherwise
/// `bound` limits its distance from the optimum.
public struct UpgradePlanner: Sendable {
  /// A player with the value at the price of money.
  private struct Item {
    var index: Int
    var price: Int
    var points: Int
    var value = 0.0
  }

  /// The players of a position: those who may go, least valuable first, and those who may come, most valuable first.
  private struct Group {
    var outs: [Item]
    var ins: [Item]
  }

  private let squad: [PlannedPlayer]
  private let market: [PlannedPlayer]
  private let bank: Int
  private let trades: Int
  private var groups: [Group] = []
  /// The price of money, in hundredths of a point per dollar.
  private var price = 0.0

  /// Plans for a squad with the slot of each player, the other players, dollars in the bank, and trades left.
  public init(
    squad: [(player: PlannedPlayer, slot: Position)], market: [PlannedPlayer], bank: Int, trades: Int
  ) {
    (self.squad, self.market, self.bank) = (squad.map(\.player), market, bank)
    self.trades = min(max(0, trades), squad.count, market.count)
    guard self.trades > 0, bank >= 0 else { return }
    func item(_ index: Int, _ player: PlannedPlayer) -> Item {
      Item(index: index, price: player.price, points: player.points)
    }
    for position in Position.allCases {
      var ins: [Item] = []
      let able = market.indices.filter { market[$0].positions.contains(position) }.map { item($0, market[$0]) }
        .sorted { ($0.price, -$0.points, $0.index) < ($1.price, -$1.points, $1.index) }
      for one in able where ins.count(where: { $0.points >= one.points }) < self.trades { ins.append(one) }
      let outs = squad.enumerated().filter { $1.slot == position }.map { item($0, $1.player) }
      if !outs.isEmpty, !ins.isEmpty { groups.append(Group(outs: outs, ins: ins)) }
    }
    // The bound is convex in the price: ternary search finds the minimum.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<100 {
      let (one, other) = (low + (high - low) / 3, high - (high - low) / 3)
      if bound(at: one) <= bound(at: other) { high = other } else { low = one }
    }
    price = (low + high) / 2
    groups = groups.map { Self.valued($0, at: price) }
  }

  private static func valued(_ group: Group, at price: Double) -> Group {
    func valued(_ items: [Item]) -> [Item] {
      items.map { one in
        var one = one
        one.value = Double(one.points) - price * Double(one.price)
        return one
      }
    }
    return Group(
      outs: valued(group.outs).sorted { ($0.value, $0.index) < ($1.value, $1.index) },
      ins: valued(group.ins).sorted { ($1.value, $0.index) < ($0.value, $1.index) })
  }

  /// Upper bounds of the gain of each further trade of a group, descending.
  private static func margins(_ group: Group) -> [Double] {
    zip(group.ins, group.outs).map { $0.value - $1.value }.filter { $0 > 0 }
  }

  /// An upper bound of the gain of all groups at a price of money, including the value of the bank.
  private func bound(at price: Double) -> Double {
    groups.flatMap { Self.margins(Self.valued($0, at: price)) }.sorted(by: >).prefix(trades)
      .reduce(price * Double(bank), +)
  }

  /// The best path found within a number of nodes, with an upper bound.
  ///
  /// - Complexity: O(nodes · trades).
  public func path(nodes maximum: Int = 500_000) -> UpgradePath {
    guard !groups.isEmpty else { return UpgradePath(steps: [], gain: 0, bound: 0, nodes: 0) }
    var search = Search(planner: self, maximum: maximum)
    search.visit(0, 0, 0, bank: bank, gain: 0, value: 0, left: trades)
    let bound = search.isCut ? max(search.best, Int((search.open + 1e-6).rounded(.down))) : search.best
    // Trades that free money come first; the whole plan is within the bank, so each step is.
    var money = bank
    let chosen = search.plan.sorted { one, other in
      (market[one.into].price - squad[one.out].price, one.out)
        < (market[other.into].price - squad[other.out].price, other.out)
    }
    let steps = chosen.map { out, into in
      money -= market[into].price - squad[out].price
      return UpgradePath.Step(out: out, into: into, bank: money)
    }
    return UpgradePath(steps: steps, gain: search.best, bound: bound, nodes: search.nodes)
  }

  private struct Search {
    let maximum: Int
    let groups: [Group]
    /// The value of the bank at the price of money.
    let money: Double
    var nodes = 0
    var best = 0
    var plan: [(out: Int, into: Int)] = []
    /// The highest bound of the branches cut off by the limit of nodes.
    var open = 0.0
    var isCut = false
    private var current: [(out: Int, into: Int)] = []
    private var used: [Bool]
    /// `later[group][trades]`: the largest gain of the groups from that one on with that many trades, in values.
    private let later: [[Double]]

    init(planner: UpgradePlanner, maximum: Int) {
      (self.maximum, groups) = (maximum, planner.groups)
      money = planner.price * Double(planner.bank)
      used = planner.market.map { _ in false }
      later = (0...planner.groups.count).map { first in
        let margins = planner.groups[first...].flatMap(UpgradePlanner.margins).sorted(by: >)
        var sums = [0.0]
        for trade in 0..<planner.trades { sums.append(sums[trade] + (trade < margins.count ? margins[trade] : 0)) }
        return sums
      }
    }

    /// An upper bound of a plan whose next trades in the group use players from the positions `out` and `into` on.
    private func reach(_ group: Int, _ out: Int, _ into: Int, _ value: Double, _ left: Int) -> Double {
      let (outs, ins) = (groups[group].outs, groups[group].ins)
      var (sum, highest) = (0.0, later[group + 1][left])
      var trade = 0
      while trade < left, out + trade < outs.count, into + trade < ins.count {
        let margin = ins[into + trade].value - outs[out + trade].value
        guard margin > 0 else { break }
        sum += margin
        trade += 1
        highest = max(highest, sum + later[group + 1][left - trade])
      }
      return value + money + highest
    }

    /// Chooses the next trade of a group among players from the positions `out` and `into` on; `value` is the gain so
    /// far at the price of money.
    mutating func visit(_ group: Int, _ out: Int, _ into: Int, bank: Int, gain: Int, value: Double, left: Int) {
      if bank >= 0, gain > best { (best, plan) = (gain, current) }
      guard group < groups.count, left > 0 else { return }
      let minimum = { (best: Int) in Double(best + 1) - 1e-6 }
      let highest = reach(group, out, into, value, left)
      guard highest >= minimum(best) else { return }
      guard nodes < maximum else {
        isCut = true
        open = max(open, highest)
        return
      }
      nodes += 1
      for index in into..<max(into, groups[group].ins.count) {
        guard reach(group, out, index, value, left) >= minimum(best) else { break }
        let one = groups[group].ins[index]
        if used[one.index] { continue }
        for goes in out..<max(out, groups[group].outs.count) {
          let other = groups[group].outs[goes]
          let more = value + one.value - other.value
          guard reach(group, goes + 1, index + 1, more, left - 1) >= minimum(best) else { break }
          used[one.index] = true
          current.append((other.index, one.index))
          visit(
            group, goes + 1, index + 1, bank: bank - one.price + other.price, gain: gain + one.points - other.points,
            value: more, left: left - 1)
          current.removeLast()
          used[one.index] = false
        }
      }
      visit(group + 1, 0, 0, bank: bank, gain: gain, value: value, left: left)
    }
  }
}

extension Projector {
  /// The best set of trades over the remaining rounds, with the players that its indices refer to.
  public func path(trades: Int? = nil, nodes: Int = 500_000) -> (path: UpgradePath, squad: [Player], market: [Player]) {
    let owned = Set(team.squad.map(\.player))
    let (picked, market) = (team.picked, team.players.filter { !owned.contains($0.id) })
    func planned(_ player: Player) -> PlannedPlayer {
      PlannedPlayer(price: player.price, points: outlook(of: player).reduce(0, +), positions: player.positions)
    }
    let planner = UpgradePlanner(
      squad: picked.map { (planned($0.player), $0.slot) }, market: market.map(planned), bank: team.bank,
      trades: min(trades ?? team.trades, team.trades))
    return (planner.path(nodes: nodes), picked.map(\.player), market)
  }
}
