// SPDX-License-Identifier: Apache-2.0

/// A player of the market or of the squad, as the planner sees one.
public struct PlannedPlayer: Hashable, Sendable {
  /// The place in the caller's list.
  public var index: Int
  /// In dollars.
  public var price: Int
  /// What the player is worth over the rounds planned, in hundredths of a point.
  public var points: Int
  /// Where the player may stand.
  public var positions: [Position]

  public init(index: Int, price: Int, points: Int, positions: [Position]) {
    (self.index, self.price, self.points, self.positions) = (index, price, points, positions)
  }
}

/// Trades that are made together.
public struct UpgradePath: Hashable, Sendable {
  public struct Step: Hashable, Sendable {
    /// Places in the lists of squad and market.
    public var out: Int
    public var into: Int
    /// Dollars left after it.
    public var bank: Int
  }

  /// In an order in which the bank is never empty: those that free money come first.
  public var steps: [Step]
  /// What is gained, in hundredths of a point.
  public var gain: Int
  /// What no plan can exceed, in hundredths of a point; as much as the gain where that is proven to be the best.
  public var bound: Int
  /// Nodes of the search.
  public var nodes: Int

  public var isBest: Bool { gain == bound }
}

/// Finds the trades that gain most within the bank, the slots and the trades left.
///
/// Each trade puts a player of the market into the slot of one who goes; slots are not shuffled. Branch and bound over
/// the slots: a price for money, found once by bisection, bounds what a set of open slots can gain (the Lagrangian
/// relaxation of Everett, "Generalized Lagrange multiplier method", Operations Research 11 (1963)); players who are
/// dearer and worse than as many others as there are trades cannot be part of the only best plan and are left out. With
/// nodes left the plan is the best of all; else the bound says how far at most it is from that.
public struct UpgradePlanner: Sendable {
  /// One exchange of a slot.
  private struct Choice {
    var into: Int
    var cost: Int
    var gain: Int
  }

  private let squad: [PlannedPlayer]
  private let market: [PlannedPlayer]
  private let bank: Int
  private let trades: Int
  /// Of each slot that can gain or free money, the best first by gain less the price of money.
  private var slots: [(out: Int, choices: [Choice])] = []
  /// The price of money, in hundredths of a point per dollar.
  private var price = 0.0

  /// A squad with the slot of each player, the players who are not in it, dollars in the bank, and trades.
  public init(
    squad: [(player: PlannedPlayer, slot: Position)], market: [PlannedPlayer], bank: Int, trades: Int
  ) {
    (self.squad, self.market, self.bank) = (squad.map(\.player), market, bank)
    self.trades = min(max(0, trades), squad.count, market.count)
    guard self.trades > 0, bank >= 0 else { return }
    // Dearer and worse than as many others as there are trades: one of those is free in any plan.
    let useful = Dictionary(
      uniqueKeysWithValues: Position.allCases.map { position in
        var kept: [Int] = []
        let able = market.indices.filter { market[$0].positions.contains(position) }
          .sorted { (market[$0].price, -market[$0].points, $0) < (market[$1].price, -market[$1].points, $1) }
        for one in able where kept.count(where: { market[$0].points >= market[one].points }) < self.trades {
          kept.append(one)
        }
        return (position, kept)
      })
    slots = squad.enumerated().map { place, pick in
      let choices = (useful[pick.slot] ?? []).map { one in
        Choice(
          into: one, cost: market[one].price - pick.player.price, gain: market[one].points - pick.player.points)
      }.filter { $0.gain > 0 || $0.cost < 0 }
      return (place, choices)
    }.filter { !$0.choices.isEmpty }
    price = bestPrice()
    let price = price
    for place in slots.indices {
      slots[place].choices.sort {
        let (one, other) = (Double($0.gain) - price * Double($0.cost), Double($1.gain) - price * Double($1.cost))
        return one == other ? $0.into < $1.into : one > other
      }
    }
    slots.sort { Self.value($0.choices[0], price) > Self.value($1.choices[0], price) }
  }

  private static func value(_ choice: Choice, _ price: Double) -> Double {
    Double(choice.gain) - price * Double(choice.cost)
  }

  /// What all slots can gain at a price of money, the bank sold at it too.
  private func bound(at price: Double) -> Double {
    let best = slots.map { slot in slot.choices.lazy.map { Self.value($0, price) }.max() ?? 0 }.filter { $0 > 0 }
    return best.sorted(by: >).prefix(trades).reduce(price * Double(bank), +)
  }

  /// The price at which the bound, which is convex in it, is least.
  private func bestPrice() -> Double {
    var (low, high) = (0.0, 1.0)
    while high < 1e6, bound(at: high) > bound(at: high / 2) * (1 + 1e-12), high > 1e-9 { high /= 2 }
    high *= 4
    for _ in 0..<60 {
      let (one, other) = (low + (high - low) / 3, high - (high - low) / 3)
      if bound(at: one) <= bound(at: other) { high = other } else { low = one }
    }
    return (low + high) / 2
  }

  /// The best path found within so many nodes, with what no path exceeds.
  ///
  /// - Complexity: O(nodes · slots); ten million nodes take about a second.
  public func path(nodes most: Int = 2_000_000) -> UpgradePath {
    guard !slots.isEmpty else { return UpgradePath(steps: [], gain: 0, bound: 0, nodes: 0) }
    var search = Search(planner: self, most: most)
    search.visit(0, bank: bank, gain: 0, value: 0, left: trades)
    let bound = search.isCut ? max(search.best, Int((search.open + 1e-6).rounded(.down))) : search.best
    // Money first; the whole is within the bank, so that each step is.
    var money = bank
    let chosen = search.plan.sorted { ($0.1.cost, $0.0) < ($1.1.cost, $1.0) }
    let steps = chosen.map { out, choice in
      money -= choice.cost
      return UpgradePath.Step(out: squad[out].index, into: market[choice.into].index, bank: money)
    }
    return UpgradePath(steps: steps, gain: search.best, bound: bound, nodes: search.nodes)
  }

  private struct Search {
    let planner: UpgradePlanner
    let most: Int
    var nodes = 0
    var best = 0
    var plan: [(Int, Choice)] = []
    /// The highest bound of what the limit of nodes cut off.
    var open = 0.0
    var isCut = false
    private var current: [(Int, Choice)] = []
    private var used: [Bool]
    /// `ahead[place][left]`: what the slots from a place on can gain with so many trades, at the price of money.
    private let ahead: [[Double]]

    init(planner: UpgradePlanner, most: Int) {
      (self.planner, self.most) = (planner, most)
      used = planner.market.map { _ in false }
      var ahead: [[Double]] = []
      // Slots are in falling order of their best value, so that the next ones are the best ones.
      for place in 0...planner.slots.count {
        var sums = [0.0]
        for slot in planner.slots.dropFirst(place).prefix(planner.trades) {
          sums.append((sums.last ?? 0) + max(0, UpgradePlanner.value(slot.choices[0], planner.price)))
        }
        while sums.count <= planner.trades { sums.append(sums.last ?? 0) }
        ahead.append(sums)
      }
      self.ahead = ahead
    }

    /// `value` is the gain so far less what its cost is worth.
    mutating func visit(_ place: Int, bank: Int, gain: Int, value: Double, left: Int) {
      if bank >= 0, gain > best { (best, plan) = (gain, current) }
      guard place < planner.slots.count, left > 0 else { return }
      let money = planner.price * Double(planner.bank)
      guard value + money + ahead[place][left] >= Double(best + 1) - 1e-6 else { return }
      guard nodes < most else {
        isCut = true
        open = max(open, value + money + ahead[place][left])
        return
      }
      nodes += 1
      let slot = planner.slots[place]
      for choice in slot.choices {
        let more = UpgradePlanner.value(choice, planner.price)
        // Choices are in falling order of value.
        guard value + more + money + ahead[place + 1][left - 1] >= Double(best + 1) - 1e-6 else { break }
        if used[choice.into] { continue }
        used[choice.into] = true
        current.append((slot.out, choice))
        visit(place + 1, bank: bank - choice.cost, gain: gain + choice.gain, value: value + more, left: left - 1)
        current.removeLast()
        used[choice.into] = false
      }
      visit(place + 1, bank: bank, gain: gain, value: value, left: left)
    }
  }
}

extension Projector {
  /// The best trades together over the rounds that are left, and who they are.
  public func path(trades: Int? = nil, nodes: Int = 2_000_000) -> (path: UpgradePath, squad: [Player], market: [Player]) {
    let owned = Set(team.squad.map(\.player))
    let (picked, market) = (team.picked, team.players.filter { !owned.contains($0.id) })
    func planned(_ player: Player, _ index: Int) -> PlannedPlayer {
      PlannedPlayer(
        index: index, price: player.price, points: outlook(of: player).reduce(0, +), positions: player.positions)
    }
    let planner = UpgradePlanner(
      squad: picked.enumerated().map { (planned($1.player, $0), $1.slot) },
      market: market.enumerated().map { planned($1, $0) }, bank: team.bank, trades: min(trades ?? team.trades, team.trades))
    return (planner.path(nodes: nodes), picked.map(\.player), market)
  }
}
