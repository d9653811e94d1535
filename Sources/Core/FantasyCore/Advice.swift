// SPDX-License-Identifier: Apache-2.0

/// The freshness of an answer, which determines its display without a network.
public enum Freshness: String, CaseIterable, Sendable {
  case fresh
  /// Too old to be current; shown as old.
  case stale
  /// So old that it may be wrong; not shown as advice.
  case wrong

  /// The kinds of answers, with the ages in minutes at which they become stale and wrong.
  public enum Answer: String, CaseIterable, Sendable {
    case captain, trades, paths, prices, byes, difficulty, alerts

    /// Minutes after which the answer is shown as old.
    public var staleAfter: Int {
      switch self {
      case .captain, .alerts: 60
      case .trades, .paths: 12 * 60
      case .prices: 24 * 60
      case .byes, .difficulty: 7 * 24 * 60
      }
    }

    /// Minutes after which the answer is not shown as advice.
    public var wrongAfter: Int {
      switch self {
      case .captain, .alerts: 24 * 60
      case .trades, .paths, .prices: 7 * 24 * 60
      case .byes, .difficulty: 60 * 24 * 60
      }
    }
  }

  /// The freshness of an answer from data of a moment; all moments are minutes of the Unix epoch. A lockout between the
  /// two moments makes every answer except byes and difficulty wrong, because its round has begun.
  public init(of answer: Answer, asOf: Int, now: Int, lockout: Int) {
    let age = now - asOf
    let isRoundBegun = asOf < lockout && lockout <= now && answer != .byes && answer != .difficulty
    self = isRoundBegun || age >= answer.wrongAfter ? .wrong : age >= answer.staleAfter ? .stale : .fresh
  }
}

/// A player recommended as captain, with the reasons and the confidence.
public struct CaptainAdvice: Hashable, Sendable {
  /// The player advised as captain.
  public var player: Player
  /// The projection of the round.
  public var projection: Projection
  /// The chance to score at least as much as the next best player, for the best player: the confidence of the advice.
  /// For any other player: the chance to score at least as much as the best.
  public var chance: Double
}

/// The effect of a trade over the remaining rounds.
public struct TradeAdvice: Hashable, Sendable {
  /// The player traded out.
  public var out: Player
  /// The player traded in.
  public var into: Player
  /// The position of both.
  public var slot: Position
  /// Gain of expected points in each round, in hundredths, the coming round first.
  public var byRound: [Int]
  /// Standard deviation of the total gain, in points: the spread of games and the uncertainty of both players' worth.
  public var risk: Double
  /// The chance that the total gain is positive.
  public var chance: Double
  /// Dollars left after the trade.
  public var bank: Int
  /// The difference between the price growths of the two players over their next three games, in dollars.
  public var priceGain: Int

  /// The expected gain, in hundredths of a point.
  public var gain: Int { byRound.reduce(0, +) }
}

/// The players of a squad with and without a game in a round.
public struct ByeRound: Hashable, Sendable {
  /// The round.
  public var round: Int
  /// Players of the squad without a game.
  public var missing: [Player]
  /// Players of the squad with a game, by slot.
  public var covered: [Position: Int]
  /// Expected points of all players with a game, in hundredths.
  public var expected: Int
}

extension Projector {
  /// The squad, best captain first; equal scores keep the order of the squad.
  public func captains(in round: Int? = nil) -> [CaptainAdvice] {
    let round = round ?? team.round
    let all = team.picked.map { ($0.player, projection(of: $0.player, in: round)) }.enumerated()
      .sorted { ($1.element.1.score, $0.offset) < ($0.element.1.score, $1.offset) }.map(\.element)
    return all.enumerated().map { index, one in
      let other = index == 0 ? (all.count > 1 ? all[1].1 : nil) : all[0].1
      return CaptainAdvice(
        player: one.0, projection: one.1, chance: other.map { one.1.odds.chance(against: $0.odds) } ?? 1)
    }
  }

  /// The best captain of each remaining round.
  public func rotation() -> [(round: Int, best: CaptainAdvice)] {
    team.remaining.compactMap { round in captains(in: round).first.map { (round, $0) } }
  }

  /// Expected points of a player over the remaining rounds, in hundredths, round by round.
  public func outlook(of player: Player) -> [Int] { team.remaining.map { projection(of: player, in: $0).score } }

  /// The variance of a player's points over the remaining rounds.
  private func variance(of player: Player) -> Double {
    let rounds = team.remaining.map { projection(of: player, in: $0) }.filter { $0.odds.chance > 0 }
    guard let first = rounds.first else { return 0 }
    return model.variance(
      known: first.known, played: rounds.reduce(0) { $0 + $1.odds.chance }, mean: first.odds.mean,
      chance: player.availability.chance(in: team.round, now: team.round))
  }

  /// The effect of a trade; `nil` where it is not allowed: the player out is not in the squad, the player in is already
  /// or may not play in the slot, the cap is exceeded, or no trades are left.
  public func trade(_ out: Player, for into: Player) -> TradeAdvice? {
    guard let pick = team.squad.first(where: { $0.player == out.id }), into.positions.contains(pick.slot),
      !team.squad.contains(where: { $0.player == into.id }), team.bank + out.price - into.price >= 0, team.trades > 0
    else { return nil }
    let byRound = zip(outlook(of: into), outlook(of: out)).map { $0 - $1 }
    let risk = (variance(of: into) + variance(of: out)).squareRoot()
    let gain = Double(byRound.reduce(0, +)) / 100
    return TradeAdvice(
      out: out, into: into, slot: pick.slot, byRound: byRound, risk: risk,
      chance: Normal.chance(gain: gain, risk: risk), bank: team.bank + out.price - into.price,
      priceGain: priceGrowth(of: into) - priceGrowth(of: out))
  }

  /// The best trades, the largest gain first; at most `count`, each player in and out at most once.
  public func trades(atMost count: Int) -> [TradeAdvice] {
    let owned = Set(team.squad.map(\.player))
    let market = team.players.filter { !owned.contains($0.id) }.map { ($0, outlook(of: $0).reduce(0, +)) }
    let pairs = team.picked.flatMap { out, slot in
      let own = outlook(of: out).reduce(0, +)
      return market.filter { into, points in
        points > own && into.positions.contains(slot) && team.bank + out.price >= into.price
      }.map { (out: out, into: $0.0, gain: $0.1 - own) }
    }
    var (used, best): (Set<String>, [TradeAdvice]) = ([], [])
    for one in pairs.sorted(by: { ($1.gain, $0.out.id, $0.into.id) < ($0.gain, $1.out.id, $1.into.id) })
    where best.count < count && !used.contains(one.out.id) && !used.contains(one.into.id) {
      guard let advice = trade(one.out, for: one.into) else { continue }
      used.formUnion([one.out.id, one.into.id])
      best.append(advice)
    }
    return best
  }

  /// The magic number from the latest games of the market; `nil` where no player has played.
  public var magic: Double? {
    PriceRule.aflFantasy.magic(of: team.players.filter { !$0.latest.isEmpty }.map { ($0.price, $0.latest) })
  }

  /// The growth of a price over the next three games in dollars, if each score equals its projection.
  public func priceGrowth(of player: Player) -> Int {
    guard let magic else { return 0 }
    var (price, scores, played) = (Double(player.price), player.latest, 0)
    for round in team.remaining where played < 3 {
      let one = projection(of: player, in: round)
      guard one.odds.chance > 0 else { continue }
      scores.insert(Int(one.odds.mean.rounded()), at: 0)
      price = PriceRule.aflFantasy.exactNext(price: Int(price), latest: Array(scores.prefix(5)), magic: magic)
      played += 1
    }
    return Int(price) - player.price
  }

  /// The remaining rounds with the players without a game.
  public func byes() -> [ByeRound] {
    team.remaining.map { round in
      let all = team.picked.map { ($0.player, $0.slot, fixture(of: $0.player.club, in: round) != nil) }
      return ByeRound(
        round: round, missing: all.filter { !$0.2 }.map(\.0),
        covered: Dictionary(all.filter(\.2).map { ($0.1, 1) }) { $0 + $1 },
        expected: all.reduce(0) { $0 + projection(of: $1.0, in: round).score })
    }
  }

  /// The points that each club's opponents concede to a position above the average, by round; `nil` on a bye.
  public func difficulty(for position: Position) -> [(club: String, rounds: [Int?])] {
    let concedes = Dictionary(team.clubs.map { ($0.name, $0.concedes[position] ?? 0) }) { first, _ in first }
    return team.clubs.map { club in
      (
        club.name,
        team.remaining.map { round in
          fixture(of: club.name, in: round).map { concedes[$0.opponent(of: club.name)] ?? 0 }
        }
      )
    }
  }
}
