// SPDX-License-Identifier: GPL-3.0-or-later
internal import FantasyCore
internal import MonteCarlo
internal import Randomness
internal import Statistics

/// The parameters of a simulated league: players' means, spreads of games, injuries, and the trades of a team.
struct FantasyShape: Hashable, Sendable {
  static let clubs = 18
  /// The slots of a squad, in order.
  static let slots: [Position] =
    Array(repeating: .defender, count: 6) + Array(repeating: .midfielder, count: 8)
    + Array(repeating: .ruck, count: 2) + Array(repeating: .forward, count: 6)

  var players = 132
  var teams = 30
  var rounds = 22
  var trades = 20
  /// The standard deviations of a player's games and of the players of a position, in points.
  var spread = 21.0
  var talent = 12.1
  /// The spread of games that the advice assumes; `nil` for the true one.
  var believed: Double?
  /// The standard deviation of the points that opponents concede.
  var opponents = 3.0
  /// The chance of an injury in a game.
  var injuries = 0.03
  /// The chance that a fit player is doubtful before a round.
  var doubts = 0.06
  /// The expected gain that a trade needs, in points.
  var minGain = 20.0

  var model: ProjectionModel {
    var model = ProjectionModel()
    (model.spread, model.talent, model.injuries) = (believed ?? spread, talent, injuries)
    // A doubtful player plays with a chance of 0.3 to 0.95.
    model.withdrawals = doubts * 0.375
    // A simulated season rests no players late.
    model.taper = 0
    return model
  }
}

/// Stated chances in percent, and the number of hits at each.
struct Calls: MergeableTally, Equatable {
  var trials = Array(repeating: 0, count: 101)
  var hits = Array(repeating: 0, count: 101)

  mutating func add(_ percent: Int, _ isHit: Bool) {
    trials[percent] += 1
    if isHit { hits[percent] += 1 }
  }

  mutating func merge(_ other: Calls) {
    for index in trials.indices {
      trials[index] += other.trials[index]
      hits[index] += other.hits[index]
    }
  }

  var groups: [ForecastGroup] {
    trials.indices.map { ForecastGroup(forecast: Double($0) / 100, trials: trials[$0], successes: hits[$0]) }
  }
}

/// The sums over seasons, as integers; a season is one sample, since seasons are independent.
struct SeasonTally: MergeableTally, Equatable {
  /// One call of a captain, a trade and 100 points in each season, so that the calls are independent.
  var captain = Calls()
  var trade = Calls()
  var hundred = Calls()
  /// The gain of a team in a season by following the advice, in thousandths of a point.
  var captainValue = MomentTally()
  var tradeValue = MomentTally()
  /// Trades that a team makes, in thousandths.
  var trades = MomentTally()
  /// Ranked probability scores of a game, in ten-thousandths of a point: of the advice, of the season's average (before
  /// the first game the position's mean), and of a forecast from the true means.
  var advice = MomentTally()
  var average = MomentTally()
  var truth = MomentTally()
  /// Of the person of every eighth season: alerts that sound, the useful share in thousandths, and late changes that no
  /// alert reported before the lockout.
  var alerts = MomentTally()
  var useful = MomentTally()
  var missed = MomentTally()

  mutating func merge(_ other: SeasonTally) {
    captain.merge(other.captain)
    trade.merge(other.trade)
    hundred.merge(other.hundred)
    for key in Self.moments { self[keyPath: key].merge(other[keyPath: key]) }
  }

  private static var moments: [WritableKeyPath<SeasonTally, MomentTally>] {
    [
      \.captainValue, \.tradeValue, \.trades, \.advice, \.average, \.truth, \.alerts, \.useful, \.missed,
    ]
  }
}

/// Plays seasons: players score, prices follow the core's rule, and thirty teams decide by the core's model and by
/// plain baselines, from the same draws.
struct SeasonWorld: ~Copyable {
  private let shape: FantasyShape
  private let generator: String
  private let model: ProjectionModel
  private let rule = PriceRule.aflFantasy
  private let positions: [Int]
  private let means: [Double]
  private var left: SeasonRounds
  private var random: RandomStream

  // State of the players.
  private var skill: [Double]
  private var prior: [(mean: Double, games: Double)]
  private var games: [Int]
  private var sum: [Int]
  /// The last five scores, the latest first.
  private var recent: [Int]
  private var price: [Int]
  private var outUntil: [Int]
  private var chance: [Double]
  private var mean: [Double]
  private var expected: [Double]
  private var outlook: [Double]
  private var score: [Int]
  private var hasPlayed: [Bool]
  /// Sums of scores before a round, by round and player.
  private var until: [Int]
  /// The players of each position, best outlook first.
  private var ranked: [[Int]]

  // State of the teams: 22 players each, as drafted and as traded.
  private var held: [Int]
  private var traded: [Int]
  private var owned: [Bool]
  private var bank: [Int]
  private var tradesLeft: [Int]
  private var alerts: AlertRun

  init(_ shape: FantasyShape, generator: String) throws {
    // Everything that can throw comes first: a noncopyable value must not be left partly initialised.
    let stream = try RandomStream(named: generator, seed: 1)
    (self.shape, self.generator, model) = (shape, generator, shape.model)
    let (players, rounds) = (shape.players, shape.rounds)
    let order = Position.allCases
    positions = (0..<players).map { order.firstIndex(of: FantasyShape.slots[$0 % 22]) ?? 0 }
    let model = shape.model
    means = order.map { model.means[$0] ?? 75 }
    left = SeasonRounds(rounds, model: model)
    random = stream
    skill = Array(repeating: 0, count: players)
    prior = Array(repeating: (0, 1), count: players)
    (mean, expected, outlook, chance) = (skill, skill, skill, skill)
    games = Array(repeating: 0, count: players)
    (sum, price, outUntil, score) = (games, games, games, games)
    recent = Array(repeating: 0, count: players * 5)
    hasPlayed = Array(repeating: false, count: players)
    until = Array(repeating: 0, count: players * (rounds + 1))
    let own = positions
    ranked = order.indices.map { index in (0..<players).filter { own[$0] == index } }
    held = Array(repeating: 0, count: shape.teams * 22)
    traded = held
    owned = Array(repeating: false, count: shape.teams * players)
    (bank, tradesLeft) = (Array(repeating: 0, count: shape.teams), Array(repeating: 0, count: shape.teams))
    alerts = AlertRun()
  }

  /// Plays seasons with these numbers by a seed.
  mutating func play(_ numbers: Range<Int>, seed: UInt32, into tally: inout SeasonTally) throws {
    random = try RandomStream(named: generator, seed: seed)
    for index in ranked.indices { ranked[index].sort() }
    for number in numbers { playSeason(number, into: &tally) }
  }

  private mutating func playSeason(_ number: Int, into tally: inout SeasonTally) {
    begin()
    draft()
    let (rounds, teams) = (shape.rounds, shape.teams)
    // The round, team and player whose calls count are fixed before anything is drawn.
    let (evaluatedRound, evaluatedTeam, evaluatedPlayer) = (number % rounds, number % teams, number % shape.players)
    let tradeRound = number % max(1, rounds / 2)
    let hasAlerts = number.isMultiple(of: 8)
    var call: (out: Int, into: Int, round: Int, percent: Int)?
    var (captains, trading, scores) = (0, 0, (advice: 0.0, average: 0.0, truth: 0.0, count: 0))
    if hasAlerts { alerts.begin() }
    for round in 0..<rounds {
      project(round)
      rank()
      for team in 0..<teams {
        guard let trade = bestTrade(team, round: round) else { continue }
        if team == evaluatedTeam, call == nil, round >= tradeRound {
          call = (trade.out, trade.into, round, Normal.percent(trade.chance))
        }
        if hasAlerts, team == evaluatedTeam { alerts.trade = (trade.out, trade.into, trade.gain) }
        make(trade, team)
      }
      let evaluated = captain(of: evaluatedTeam)
      let stated = evaluated.next.map { Normal.percent(odds(evaluated.best).chance(against: odds($0))) }
      playRound(round)
      for team in 0..<teams {
        captains += score[captain(of: team).best] - score[steadiest(of: team)]
        for index in team * 22..<team * 22 + 22 { trading += score[traded[index]] - score[held[index]] }
      }
      if round == evaluatedRound {
        if let next = evaluated.next, let stated { tally.captain.add(stated, score[evaluated.best] >= score[next]) }
        let player = evaluatedPlayer
        if chance[player] > 0 { tally.hundred.add(Normal.percent(odds(player).chance(of: 100)), score[player] >= 100) }
      }
      for player in stride(from: number % 8, to: shape.players, by: 8) where hasPlayed[player] {
        let seen = Double(score[player])
        let deviation = model.deviation(known: known(player))
        let shift = Double(left.concede[rival(of: player, in: round)])
        scores.advice += RankedProbabilityScore.normal(mean: mean[player], deviation: deviation, observed: seen)
        let own = games[player] == 0 ? means[positions[player]] : Double(sum[player]) / Double(games[player])
        scores.average += RankedProbabilityScore.normal(mean: own, deviation: shape.spread, observed: seen)
        scores.truth += RankedProbabilityScore.normal(
          mean: skill[player] + shift, deviation: shape.spread, observed: seen)
        scores.count += 1
      }
      if hasAlerts {
        alerts.play(
          round, squad: held[evaluatedTeam * 22..<evaluatedTeam * 22 + 22], captain: evaluated.best,
          isCaptainRight: evaluated.next.map { score[evaluated.best] >= score[$0] } ?? true, chance: chance,
          hasPlayed: hasPlayed, expected: expected, random: &random)
      }
      settle(round)
    }
    if let call {
      tally.trade.add(call.percent, points(call.into, from: call.round) > points(call.out, from: call.round))
    }
    func milli(_ sum: Int) -> Int { Int((Double(sum) * 1000 / Double(teams)).rounded()) }
    tally.captainValue.add(milli(captains))
    tally.tradeValue.add(milli(trading))
    tally.trades.add(milli(tradesLeft.reduce(0) { $0 + shape.trades - $1 }))
    if scores.count > 0 {
      func mean(_ sum: Double) -> Int { Int((sum * 10_000 / Double(scores.count)).rounded()) }
      tally.advice.add(mean(scores.advice))
      tally.average.add(mean(scores.average))
      tally.truth.add(mean(scores.truth))
    }
    if hasAlerts {
      let found = alerts.end { trade in
        points(trade.into, from: trade.round) > points(trade.out, from: trade.round)
      }
      tally.alerts.add(found.sounding)
      if found.sounding > 0 { tally.useful.add(found.useful * 1000 / found.sounding) }
      tally.missed.add(found.missed)
    }
  }

  // MARK: The truth

  private mutating func begin() {
    var concede: [Int] = []
    for _ in 0..<FantasyShape.clubs {
      concede.append(Int(random.gaussian(standardDeviation: shape.opponents).rounded()))
    }
    left.begin(concede)
    for player in skill.indices {
      skill[player] = means[positions[player]] + random.gaussian(standardDeviation: shape.talent)
      // Last season's average is as uncertain as `model.carried` games: the player has changed since.
      let before = skill[player] + random.gaussian(standardDeviation: shape.spread / model.carried.squareRoot())
      price[player] = rule.rounded(before * 6600)
      prior[player] = model.prior(mean: means[positions[player]], lastSeason: before)
      (games[player], sum[player], outUntil[player], until[player]) = (0, 0, 0, 0)
    }
  }

  private func rival(of player: Int, in round: Int) -> Int {
    left.rival(of: player % FantasyShape.clubs, in: round)
  }

  private func points(_ player: Int, from round: Int) -> Int {
    until[shape.rounds * shape.players + player] - until[round * shape.players + player]
  }

  /// Drafts squads at random, each player with the same chance; the bank is a tenth of a million dollars.
  private mutating func draft() {
    for index in owned.indices { owned[index] = false }
    for team in 0..<shape.teams {
      for slot in 0..<22 {
        let able = ranked[Position.allCases.firstIndex(of: FantasyShape.slots[slot]) ?? 0]
        var player = able[random.integer(in: 0..<able.count)]
        while owned[team * shape.players + player] { player = able[random.integer(in: 0..<able.count)] }
        owned[team * shape.players + player] = true
        (held[team * 22 + slot], traded[team * 22 + slot]) = (player, player)
      }
      (bank[team], tradesLeft[team]) = (100_000, shape.trades)
    }
  }

  private mutating func playRound(_ round: Int) {
    for player in score.indices {
      let plays = chance[player] >= 1 || chance[player] > 0 && random.happens(chance[player])
      hasPlayed[player] = plays
      let shift = plays ? Double(left.concede[rival(of: player, in: round)]) : 0
      score[player] =
        plays
        ? Int((skill[player] + shift + random.gaussian(standardDeviation: shape.spread)).rounded()) : 0
      until[(round + 1) * shape.players + player] = until[round * shape.players + player] + score[player]
    }
  }

  /// Updates prices, records and injuries after a round.
  private mutating func settle(_ round: Int) {
    var (value, scored) = (0, 0)
    for player in score.indices where hasPlayed[player] {
      for index in stride(from: player * 5 + 4, to: player * 5, by: -1) { recent[index] = recent[index - 1] }
      recent[player * 5] = score[player]
      games[player] += 1
      sum[player] += score[player]
      value += rule.weight(games: games[player]) * price[player]
      scored += weighted(player)
      if random.happens(shape.injuries) { outUntil[player] = round + 2 + random.geometric(chance: 0.4) }
    }
    guard scored > 0 else { return }
    let magic = Double(value) / Double(scored)
    for player in score.indices where hasPlayed[player] {
      price[player] = rule.rounded(
        rule.exactNext(price: price[player], games: games[player], weighted: weighted(player), magic: magic))
    }
  }

  private func weighted(_ player: Int) -> Int {
    // A loop by hand, since the core's sum over a slice takes 70 times as long.
    var sum = 0
    for index in 0..<min(5, games[player]) { sum += rule.weights[index] * recent[player * 5 + index] }
    return sum
  }

  // MARK: The advice, by the core's model

  private func odds(_ player: Int) -> GameOdds {
    GameOdds(mean: mean[player], deviation: model.deviation(known: known(player)), chance: chance[player])
  }

  private func known(_ player: Int) -> Double { Double(games[player]) + prior[player].games }

  private mutating func project(_ round: Int) {
    for player in score.indices {
      let other = rival(of: player, in: round)
      let isDoubtful = random.happens(shape.doubts)
      let count = games[player]
      chance[player] =
        other < 0 || round < outUntil[player] ? 0 : isDoubtful ? random.uniform(from: 0.3, to: 0.95) : 1
      let last = recent[player * 5..<player * 5 + 5].reduce(0, +)
      let worth =
        model.worth(prior[player], games: count, sum: sum[player])
        + model.formShift(games: count, sum: sum[player], lastFive: last)
      mean[player] = worth + (other < 0 ? 0 : Double(left.concede[other]))
      expected[player] = chance[player] * max(0, mean[player])
      outlook[player] = left.points(
        worth: worth, of: player % FantasyShape.clubs, from: max(round, outUntil[player]))
      if other >= 0, round >= outUntil[player] { outlook[player] += expected[player] - mean[player] }
    }
  }

  /// Insertion sort, since the order hardly changes between rounds.
  private mutating func rank() {
    for list in ranked.indices {
      for index in 1..<ranked[list].count {
        let player = ranked[list][index]
        var free = index
        while free > 0, outlook[ranked[list][free - 1]] < outlook[player] {
          ranked[list][free] = ranked[list][free - 1]
          free -= 1
        }
        ranked[list][free] = player
      }
    }
  }

  /// The best captain of the drafted squad, and the second best.
  private func captain(of team: Int) -> (best: Int, next: Int?) {
    var (best, next) = (held[team * 22], -1)
    for index in team * 22 + 1..<team * 22 + 22 {
      let player = held[index]
      if expected[player] > expected[best] {
        (best, next) = (player, best)
      } else if next < 0 || expected[player] > expected[next] {
        next = player
      }
    }
    return (best, next < 0 ? nil : next)
  }

  /// The baseline captain: the highest average of the players who may play.
  private func steadiest(of team: Int) -> Int {
    var (best, highest) = (held[team * 22], -1.0)
    for index in team * 22..<team * 22 + 22 {
      let player = held[index]
      guard chance[player] > 0 else { continue }
      let average = games[player] == 0 ? means[positions[player]] : Double(sum[player]) / Double(games[player])
      if average > highest { (best, highest) = (player, average) }
    }
    return best
  }

  private struct Trade {
    var index: Int
    var out: Int
    var into: Int
    var gain: Double
    var chance: Double
  }

  /// The trade that gains most over the remaining rounds, if it gains enough.
  private func bestTrade(_ team: Int, round: Int) -> Trade? {
    guard tradesLeft[team] > 0 else { return nil }
    var (best, index, into) = (shape.minGain, -1, -1)
    for slot in team * 22..<team * 22 + 22 {
      let out = traded[slot]
      let money = bank[team] + price[out]
      let own = outlook[out]
      for player in ranked[positions[out]] {
        guard outlook[player] - own > best else { break }
        if price[player] <= money, !owned[team * shape.players + player] {
          (best, index, into) = (outlook[player] - own, slot, player)
          break
        }
      }
    }
    guard index >= 0 else { return nil }
    let out = traded[index]
    let risk = (variance(out, round: round) + variance(into, round: round)).squareRoot()
    return Trade(
      index: index, out: out, into: into, gain: best, chance: Normal.chance(gain: best, risk: risk))
  }

  private func variance(_ player: Int, round: Int) -> Double {
    model.variance(
      known: known(player),
      played: left.games(of: player % FantasyShape.clubs, from: max(round, outUntil[player])), mean: mean[player],
      chance: chance[player] > 0 ? chance[player] : 1)
  }

  private mutating func make(_ trade: Trade, _ team: Int) {
    traded[trade.index] = trade.into
    owned[team * shape.players + trade.out] = false
    owned[team * shape.players + trade.into] = true
    bank[team] += price[trade.out] - price[trade.into]
    tradesLeft[team] -= 1
  }
}
