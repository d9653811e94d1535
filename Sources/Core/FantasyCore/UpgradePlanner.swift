// SPDX-License-Identifier: Apache-2.0

/// A player of the market or of the squad, as the planner sees one.
public struct PlannedPlayer: Hashable, Sendable {
  /// In dollars.
  public var price: Int
  /// What the player is worth over the rounds planned, in hundredths of a point.
  public var points: Int
  /// Where the player may stand.
  public var positions: [Position]

  /// A candidate with a price in dollars and expected points in hundredths.
  public init(price: Int, points: Int, positions: [Position]) {
    (self.price, self.points, self.positions) = (price, points, positions)
  }
}

/// Trades that are made together.
public struct UpgradePath: Hashable, Sendable {
  /// A trade of a path.
  public struct Step: Hashable, Sendable {
    /// The place in the squad of the player who goes.
    public var out: Int
    /// The place in the market of the player who comes.
    public var into: Int
    /// Dollars left after it.
    public var bank: Int

    /// A trade, and the money in the bank after it.
    public init(out: Int, into: Int, bank: Int) { (self.out, self.into, self.bank) = (out, into, bank) }
  }

  /// In an order in which the bank is never empty: those that free money come first.
  public var steps: [Step]
  /// What is gained, in hundredths of a point.
  public var gain: Int
  /// What no plan can exceed, in hundredths of a point; as much as the gain where that is proven to be the best.
  public var bound: Int
  /// Nodes of the search.
  public var nodes: Int

  /// Whether no other path gains more.
  public var isBest: Bool { gain == bound }
}

/// Finds the trades that gain most within the bank, the slots and the trades left.
///
/// Each trade puts a player of the market into the slot of one who goes; slots are not shuffled. Of a position it does
/// not matter who comes for whom, so that a plan is a set of players who go and one of as many who come. Branch and
/// bound over these: a price of money, found once, turns each player into a value, and the best so many of a position
/// less the worst so many of the squad bound what is left to gain (the Lagrangian relaxation of Everett, "Generalized
/// Lagrange multiplier method", Operations Research 11 (1963)). One dearer and worse than as many others as there are
/// trades is part of no plan that all others are worse than, and left out. Where the nodes suffice the plan is the best
/// of all; else the bound says how far at most it is from that.
public struct UpgradePlanner: Sendable {
  /// A player of a position with the value at the price of money.
  private struct Item {
    var place: Int
    var price: Int
    var points: Int
    var value = 0.0
  }

  /// Of a position: who may go, the least valuable first, and who may come, the most valuable first.
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

  /// A squad with the slot of each player, the players who are not in it, dollars in the bank, and trades.
  public init(
    squad: [(player: PlannedPlayer, slot: Position)], market: [PlannedPlayer], bank: Int, trades: Int
  ) {
    (self.squad, self.market, self.bank) = (squad.map(\.player), market, bank)
    self.trades = min(max(0, trades), squad.count, market.count)
    guard self.trades > 0, bank >= 0 else { return }
    func item(_ place: Int, _ player: PlannedPlayer) -> Item {
      Item(place: place, price: player.price, points: player.points)
    }
    for position in Position.allCases {
      var ins: [Item] = []
      let able = market.indices.filter { market[$0].positions.contains(position) }.map { item($0, market[$0]) }
        .sorted { ($0.price, -$0.points, $0.place) < ($1.price, -$1.points, $1.place) }
      for one in able where ins.count(where: { $0.points >= one.points }) < self.trades { ins.append(one) }
      let outs = squad.enumerated().filter { $1.slot == position }.map { item($0, $1.player) }
      if !outs.isEmpty, !ins.isEmpty { groups.append(Group(outs: outs, ins: ins)) }
    }
    // The bound is convex in the price: the least is where thirds do not get lower any more.
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
      outs: valued(group.outs).sorted { ($0.value, $0.place) < ($1.value, $1.place) },
      ins: valued(group.ins).sorted { ($1.value, $0.place) < ($0.value, $1.place) })
  }

  /// What each further trade of a group gains at most, falling.
  private static func margins(_ group: Group) -> [Double] {
    zip(group.ins, group.outs).map { $0.value - $1.value }.filter { $0 > 0 }
  }

  /// What all groups can gain at a price of money, the bank sold at it too.
  private func bound(at price: Double) -> Double {
    groups.flatMap { Self.margins(Self.valued($0, at: price)) }.sorted(by: >).prefix(trades)
      .reduce(price * Double(bank), +)
  }

  /// The best path found within so many nodes, with what no path exceeds.
  ///
  /// - Complexity: O(nodes · trades).
  public func path(nodes most: Int = 500_000) -> UpgradePath {
    guard !groups.isEmpty else { return UpgradePath(steps: [], gain: 0, bound: 0, nodes: 0) }
    var search = Search(planner: self, most: most)
    search.visit(0, 0, 0, bank: bank, gain: 0, value: 0, left: trades)
    let bound = search.isCut ? max(search.best, Int((search.open + 1e-6).rounded(.down))) : search.best
    // Money first; the whole is within the bank, so that each step is.
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
    let most: Int
    let groups: [Group]
    /// What the bank is worth.
    let money: Double
    var nodes = 0
    var best = 0
    var plan: [(out: Int, into: Int)] = []
    /// The highest bound of what the limit of nodes cut off.
    var open = 0.0
    var isCut = false
    private var current: [(out: Int, into: Int)] = []
    private var used: [Bool]
    /// `later[group][trades]`: what the groups from one on can gain with so many trades, at the price of money.
    private let later: [[Double]]

    init(planner: UpgradePlanner, most: Int) {
      (self.most, groups) = (most, planner.groups)
      money = planner.price * Double(planner.bank)
      used = planner.market.map { _ in false }
      later = (0...planner.groups.count).map { first in
        let margins = planner.groups[first...].flatMap(UpgradePlanner.margins).sorted(by: >)
        var sums = [0.0]
        for trade in 0..<planner.trades { sums.append(sums[trade] + (trade < margins.count ? margins[trade] : 0)) }
        return sums
      }
    }

    /// What a plan may reach whose next trade in the group is with players from those places on.
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

    /// Chooses the next trade of a group among players from those places on; `value` is the gain so far at the price
    /// of money.
    mutating func visit(_ group: Int, _ out: Int, _ into: Int, bank: Int, gain: Int, value: Double, left: Int) {
      if bank >= 0, gain > best { (best, plan) = (gain, current) }
      guard group < groups.count, left > 0 else { return }
      let least = { (best: Int) in Double(best + 1) - 1e-6 }
      let highest = reach(group, out, into, value, left)
      guard highest >= least(best) else { return }
      guard nodes < most else {
        isCut = true
        open = max(open, highest)
        return
      }
      nodes += 1
      for place in into..<max(into, groups[group].ins.count) {
        guard reach(group, out, place, value, left) >= least(best) else { break }
        let one = groups[group].ins[place]
        if used[one.place] { continue }
        for goes in out..<max(out, groups[group].outs.count) {
          let other = groups[group].outs[goes]
          let more = value + one.value - other.value
          guard reach(group, goes + 1, place + 1, more, left - 1) >= least(best) else { break }
          used[one.place] = true
          current.append((other.place, one.place))
          visit(
            group, goes + 1, place + 1, bank: bank - one.price + other.price, gain: gain + one.points - other.points,
            value: more, left: left - 1)
          current.removeLast()
          used[one.place] = false
        }
      }
      visit(group + 1, 0, 0, bank: bank, gain: gain, value: value, left: left)
    }
  }
}

extension Projector {
  /// The best trades together over the rounds that are left, and who they are.
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
