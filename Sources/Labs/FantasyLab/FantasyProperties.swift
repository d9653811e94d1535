// SPDX-License-Identifier: GPL-3.0-or-later
internal import FantasyCore
internal import Foundation
public import PropertyTesting

/// A small league: players of two positions, the first four of them in the squad.
struct SmallLeague: Hashable, Sendable, CustomStringConvertible {
  /// Prices in thousands of dollars, and scores; a score below 0 is a withdrawal.
  var players: [Entry]
  /// In thousands of dollars.
  var bank: Int

  struct Entry: Hashable, Sendable, CustomStringConvertible {
    var price: Int
    var scores: [Int]
    var description: String { "$\(price)k \(scores)" }
  }

  static func any(scores: ClosedRange<Int> = -1...160) -> Gen<SmallLeague> {
    let entry = zip(.integers(in: 100...900), Gen<[Int]>.arrays(of: .integers(in: scores), count: 7)).map {
      Entry(price: $0, scores: $1)
    }
    return zip(Gen<[Entry]>.arrays(of: entry, count: 6...10), .integers(in: 0...400)).map {
      SmallLeague(players: $0, bank: $1)
    }
  }

  var team: FantasyTeam {
    let clubs = ["A", "B", "C", "D"]
    let all = players.enumerated().map { position, one in
      Player(
        id: "p\(position)", name: "P\(position)", club: clubs[position % 4],
        positions: [position % 2 == 0 ? .midfielder : .forward],
        price: one.price * 1000, scores: one.scores.map { $0 < 0 ? nil : $0 })
    }
    return FantasyTeam(
      round: 8, rounds: 10, salaryCap: (bank + players.prefix(4).reduce(0) { $0 + $1.price }) * 1000, trades: 3,
      slots: [.midfielder: 2, .forward: 2], clubs: clubs.map { Club(name: $0) },
      fixtures: (1...10).flatMap { round in
        [
          Fixture(round: round, home: "A", away: "B", venue: "V", day: round * 7),
          Fixture(round: round, home: "C", away: "D", venue: "V", day: round * 7),
        ]
      }, players: all, squad: (0..<4).map { Pick("p\($0)", as: $0 % 2 == 0 ? .midfielder : .forward) }, asOf: 0,
      lockout: 600)
  }

  var description: String { "bank $\(bank)k, \(players)" }
}

/// A generated task for the trade planner.
struct PlanTask: Hashable, Sendable, CustomStringConvertible {
  /// A player's price in thousands of dollars, points, and allowed positions: either of two, or both.
  struct One: Hashable, Sendable, CustomStringConvertible {
    var price: Int
    var points: Int
    var position: Int
    var description: String { "($\(price)k, \(points), \(["D", "M", "DM"][position]))" }

    var planned: PlannedPlayer {
      PlannedPlayer(
        price: price * 1000, points: points,
        positions: [[.defender], [.midfielder], [.defender, .midfielder]][position])
    }
  }

  var squad: [One]
  var market: [One]
  var bank: Int
  var trades: Int

  static func any() -> Gen<PlanTask> {
    let one = zip(.integers(in: 1...20), .integers(in: 0...50), .integers(in: 0...2)).map {
      One(price: $0, points: $1, position: $2)
    }
    return zip(
      .arrays(of: one, count: 1...4), .arrays(of: one, count: 1...6), .integers(in: 0...12), .integers(in: 0...4)
    ).map { PlanTask(squad: $0, market: $1, bank: $2, trades: $3) }
  }

  func slot(_ position: Int) -> Position { squad[position].position == 0 ? .defender : .midfielder }

  var planner: UpgradePlanner {
    UpgradePlanner(
      squad: squad.enumerated().map { ($1.planned, slot($0)) }, market: market.map(\.planned), bank: bank * 1000,
      trades: trades)
  }

  /// The best possible gain, by trying every plan: a reference that shares no code with the planner.
  var best: Int {
    func visit(_ slot: Int, _ free: [Int], _ bank: Int, _ left: Int) -> Int {
      guard slot < squad.count else { return bank >= 0 ? 0 : .min / 2 }
      var best = visit(slot + 1, free, bank, left)
      guard left > 0 else { return best }
      for into in free where market[into].planned.positions.contains(self.slot(slot)) {
        let rest = visit(
          slot + 1, free.filter { $0 != into }, bank + squad[slot].price - market[into].price, left - 1)
        best = max(best, rest + market[into].points - squad[slot].points)
      }
      return best
    }
    return max(0, visit(0, Array(market.indices), bank, trades))
  }

  var description: String { "squad \(squad), market \(market), bank $\(bank)k, \(trades) trades" }
}

/// A person's preferences and the facts of a week.
struct AlertWeek: Hashable, Sendable, CustomStringConvertible {
  /// A fact: hours before the last lockout, key, category, relevance, and which lockout it belongs to.
  struct News: Hashable, Sendable, CustomStringConvertible {
    var before: Int
    var key: Int
    var category: Int
    var relevance: Int
    var isFirst: Bool
    var description: String {
      "\(key) \(AlertCategory.allCases[category].rawValue) \(relevance) \(before) min before the "
        + (isFirst ? "first" : "last")
    }
  }

  static let lockout = 29_686_170
  var news: [News]
  var maximum: Int
  var quietFrom: Int
  var quietUntil: Int
  var zone: Int

  static func any() -> Gen<AlertWeek> {
    let news = zip(
      .integers(in: 0...4000), .integers(in: 0...12), .integers(in: 0...5), .integers(in: 0...100), .booleans()
    ).map { News(before: $0, key: $1, category: $2, relevance: $3, isFirst: $4) }
    return zip(
      .arrays(of: news, count: 0...14), .integers(in: 0...4), .integers(in: 0...23), .integers(in: 0...23),
      .integers(in: -11...13)
    ).map { AlertWeek(news: $0, maximum: $1, quietFrom: $2, quietUntil: $3, zone: $4) }
  }

  var facts: [Fact] {
    news.map { one in
      let lockout = Self.lockout - (one.isFirst ? 1440 : 0)
      return Fact(
        key: "f\(one.key)", category: AlertCategory.allCases[one.category], relevance: one.relevance,
        at: lockout - one.before, lockout: lockout)
    }
  }

  var preferences: AlertPreferences {
    var preferences = AlertPreferences(zone: TimeZone(secondsFromGMT: zone * 3600) ?? .gmt)
    preferences.maxPerDay = maximum
    (preferences.quietFrom, preferences.quietUntil) = (quietFrom * 60, quietUntil * 60)
    return preferences
  }

  var description: String { "at most \(maximum), quiet \(quietFrom) to \(quietUntil), GMT\(zone), \(news)" }
}

/// The operations that the properties check: those of the core, one of which a mutant replaces.
struct FantasyOperations: Sendable {
  var projection: @Sendable (Projector, Player) -> Projection = { $0.projection(of: $1, in: 8) }
  var score: @Sendable (Projector, Player) -> Int = { $0.projection(of: $1, in: 8).score }
  var weighed: @Sendable (FactorWeights, Int, Factor) -> Int = { $0.weighed($1, $2) }
  var magic: @Sendable ([(price: Int, latest: [Int])]) -> Double? = { PriceRule.aflFantasy.magic(of: $0) }
  var breakEven: @Sendable (Int, [Int], Double) -> Double = {
    PriceRule.aflFantasy.breakEven(price: $0, older: $1, magic: $2)
  }
  var latest: @Sendable (Player) -> [Int] = { $0.latest }
  var trade: @Sendable (Projector, Player, Player) -> TradeAdvice? = { $0.trade($1, for: $2) }
  var beats: @Sendable (GameOdds, GameOdds) -> Double = { $0.chance(against: $1) }
  var path: @Sendable (PlanTask, Int) -> UpgradePath = { $0.planner.path(nodes: $1) }
  var deliver: @Sendable ([Fact], AlertPreferences) -> [Delivery] = { facts, preferences in
    var inbox = AlertInbox(preferences)
    return inbox.receive(facts, until: AlertWeek.lockout)
  }
  var url: @Sendable (Link) -> String = { $0.url }
  var link: @Sendable (String) -> Link? = { try? Link($0) }
  var freshness: @Sendable (Freshness.Answer, Int, Int) -> Freshness = {
    Freshness(of: $0, asOf: 0, now: $1, lockout: $2)
  }

  static let shipping = FantasyOperations()
}

/// Properties of the fantasy core: reasons, prices, trades, plans, alerts and links.
public enum FantasyProperties {
  public static let catalogue = PropertyCatalogue(
    core: "FantasyCore", production: .shipping, properties: all(of:), mutants: Mutation.fantasy)

  static func all(of code: FantasyOperations) -> [Property] {
    reasons(of: code) + prices(of: code) + plans(of: code) + messages(of: code)
  }

  static func reasons(of code: FantasyOperations) -> [Property] {
    let weights = Gen<[Int]>.arrays(of: .integers(in: 0...5), count: Factor.weighable.count)
    return [
      Property(
        "fantasy.1", "The reasons add up to the chance to play times the expected score of a game played",
        reference: "the parts of an explanation sum to the number explained",
        arguments: ["league", "chance in percent"], SmallLeague.any(), .integers(in: 0...100)
      ) { league, percent in
        var player = league.team.players[0]
        player.availability = .doubtful(chance: Double(percent) / 100)
        cover("not sure to play", percent < 100, atLeast: 0.5)
        let found = code.projection(Projector(league.team), player)
        let expected = Double(percent) / 100 * max(0, found.odds.mean)
        try require(
          abs(Double(found.contributions.reduce(0, +)) / 100 - expected) < 0.0051, "\(found.score), not \(expected)")
      },
      Property(
        "fantasy.2", "A player who is better in everything never ranks lower",
        reference: "dominance: every factor increases with its input",
        arguments: ["league", "by how much", "chances"],
        SmallLeague.any(scores: 0...160), .arrays(of: .integers(in: 0...30), count: 7),
        .arrays(of: .integers(in: 0...100), count: 2)
      ) { league, more, chances in
        let team = league.team
        var (one, other) = (team.players[0], team.players[0])
        // Later games improve more, so that the form does not get worse.
        other.scores = zip(one.scores, more.sorted()).map { score, more in score.map { $0 + more } }
        let sorted = chances.sorted().map { Double($0) / 100 }
        one.availability = .doubtful(chance: sorted[0])
        other.availability = .doubtful(chance: sorted[1])
        let projector = Projector(team)
        let (low, high) = (code.score(projector, one), code.score(projector, other))
        try require(high >= low, "\(high) below \(low)")
      },
      Property(
        "fantasy.3", "Weights in the same proportions give the same", reference: "only proportions of weights matter",
        arguments: ["weights", "times", "value"], weights, .integers(in: 2...9), .integers(in: -5000...5000)
      ) { weights, times, value in
        try assume(weights.contains { $0 > 0 })
        let (one, other) = (try Self.weights(weights), try Self.weights(weights.map { $0 * times }))
        for factor in Factor.weighable {
          let (there, here) = (code.weighed(one, value, factor), code.weighed(other, value, factor))
          try require(there == here, "\(factor.rawValue): \(there) and \(here)")
        }
      },
      Property(
        "fantasy.4", "A weight of 0 removes a factor and changes no other", reference: "the meaning of a weight of 0",
        arguments: ["factor", "value"], .integers(in: 0...(Factor.weighable.count - 1)), .integers(in: -5000...5000)
      ) { position, value in
        let weights = try Self.weights(Factor.weighable.indices.map { $0 == position ? 0 : 1 })
        for (other, factor) in Factor.weighable.enumerated() {
          let found = code.weighed(weights, value, factor)
          try require(found == (other == position ? 0 : value), "\(factor.rawValue): \(found)")
        }
      },
      Property(
        "fantasy.5", "A captain's chance is the sum over all pairs of scores, with ties and absences",
        reference: "a sum over integer scores", arguments: ["one", "other", "chances"],
        .integers(in: 20...120), .integers(in: 20...120), .arrays(of: .integers(in: 0...4), count: 2)
      ) { mean, other, chances in
        let one = GameOdds(mean: Double(mean), deviation: 22, chance: Double(chances[0]) / 4)
        let two = GameOdds(mean: Double(other), deviation: 25, chance: Double(chances[1]) / 4)
        func chance(of score: Int, _ odds: GameOdds) -> Double {
          let played =
            Normal.below((Double(score) + 0.5 - odds.mean) / odds.deviation)
            - Normal.below((Double(score) - 0.5 - odds.mean) / odds.deviation)
          return odds.chance * played + (score == 0 ? 1 - odds.chance : 0)
        }
        var (below, sum) = (0.0, 0.0)
        for score in -150...300 {
          below += chance(of: score, two)
          sum += chance(of: score, one) * below
        }
        let found = code.beats(one, two)
        try require(abs(found - sum) < 0.002, "\(found), not \(sum)")
      },
      Property(
        "fantasy.6", "Games that were not played change no record", reference: "a withdrawal is not a score of 0",
        arguments: ["scores"], .arrays(of: .integers(in: -1...160), count: 0...12)
      ) { scores in
        var player = Player(
          id: "a", name: "A", club: "A", positions: [.ruck], price: 1, scores: scores.map { $0 < 0 ? nil : $0 })
        let found = code.latest(player)
        player.scores = player.scores.filter { $0 != nil }
        try require(found == code.latest(player) && found == scores.filter { $0 >= 0 }.reversed(), "\(found)")
      },
    ]
  }

  private static func weights(_ values: [Int]) throws -> FactorWeights {
    try FactorWeights(Dictionary(zip(Factor.weighable, values)) { first, _ in first })
  }

  static func prices(of code: FantasyOperations) -> [Property] {
    let history = Gen<[Int]>.arrays(of: .integers(in: 1...160), count: 1...8)
    return [
      Property(
        "fantasy.7", "The magic number keeps the total value of the players who played",
        reference: "found in the prices of 2018: within 0.3% of the league's", arguments: ["prices", "histories"],
        .arrays(of: .integers(in: 100...1000), count: 6), .arrays(of: history, count: 2...6)
      ) { prices, histories in
        let market = zip(prices, histories).map { (price: $0 * 1000, latest: $1) }
        let magic = code.magic(market) ?? 0
        let after = market.reduce(0.0) {
          $0 + PriceRule.aflFantasy.exactNext(price: $1.price, latest: $1.latest, magic: magic)
        }
        let before = Double(market.reduce(0) { $0 + $1.price })
        try require(abs(after - before) < before * 1e-9, "\(after), not \(before)")
      },
      Property(
        "fantasy.8", "A score equal to the break-even keeps the price", reference: "the definition of a break-even",
        arguments: ["price", "older", "magic"], .integers(in: 100...1000), history, .integers(in: 4000...9000)
      ) { price, older, magic in
        let rule = PriceRule.aflFantasy
        let needed = code.breakEven(price * 1000, older, Double(magic))
        // The price is linear in the score, so that two integer scores give it for any score.
        func next(_ score: Int) -> Double {
          rule.exactNext(price: price * 1000, latest: [score] + older, magic: Double(magic))
        }
        let found = next(0) + needed * (next(1) - next(0))
        try require(abs(found - Double(price * 1000)) < 0.01, "\(found)")
      },
      Property(
        "fantasy.9", "A trade costs the difference of the prices, and its reverse gives everything back",
        reference: "no fee in the rules", arguments: ["league", "out", "in"], SmallLeague.any(), .integers(in: 0...3),
        .integers(in: 4...5)
      ) { league, out, into in
        var team = league.team
        let (one, other) = (team.players[out], team.players[into])
        guard let trade = code.trade(Projector(team), one, other) else { return }
        cover("a downgrade", one.price > other.price, atLeast: 0.1)
        try require(trade.bank == team.bank + one.price - other.price, "$\(trade.bank)")
        team.squad[out].player = other.id
        guard let back = code.trade(Projector(team), other, one) else { return try require(false, "no way back") }
        try require(back.bank == league.team.bank, "$\(back.bank), not $\(league.team.bank)")
        try require(back.byRound == trade.byRound.map { -$0 }, "\(back.byRound) is not the reverse of \(trade.byRound)")
      },
    ]
  }

  static func plans(of code: FantasyOperations) -> [Property] {
    [
      Property(
        "fantasy.10", "No plan breaks a limit: the bank after each step, slots, players once, trades",
        reference: "the rules of the league", arguments: ["task"], PlanTask.any()
      ) { task in
        let path = code.path(task, 500_000)
        cover("several steps", path.steps.count > 1, atLeast: 0.1)
        try require(path.steps.count <= task.trades, "\(path.steps.count) trades")
        try require(
          Set(path.steps.map(\.out)).count == path.steps.count && Set(path.steps.map(\.into)).count == path.steps.count,
          "a player twice")
        var bank = task.bank * 1000
        for step in path.steps {
          bank += (task.squad[step.out].price - task.market[step.into].price) * 1000
          try require(bank >= 0 && bank == step.bank, "$\(bank), stated as $\(step.bank)")
          try require(
            task.market[step.into].planned.positions.contains(task.slot(step.out)), "a player out of position")
        }
      },
      Property(
        "fantasy.11", "A plan proven best gains as much as the best of all plans",
        reference: "every plan, tried", arguments: ["task"], PlanTask.any()
      ) { task in
        let path = code.path(task, 500_000)
        cover("something to gain", task.best > 0, atLeast: 0.2)
        try require(path.gain == task.best, "\(path.gain), not \(task.best)")
      },
      Property(
        "fantasy.12", "No plan gains more than the bound of a search that was cut off", reference: "every plan, tried",
        arguments: ["task", "nodes"], PlanTask.any(), .integers(in: 0...3)
      ) { task, nodes in
        let path = code.path(task, nodes)
        try require(path.bound >= task.best && path.gain <= task.best, "\(path.gain)...\(path.bound), not \(task.best)")
      },
    ]
  }

  static func messages(of code: FantasyOperations) -> [Property] {
    let id = Gen<String>.strings(of: Alphabet("abz019-"), count: 1...8)
    let link = Gen<Link>.oneOf(
      id.map { .player($0) }, Gen<Int>.integers(in: 1...99).map { .captain(round: $0) },
      zip(id, id).map { $0 == $1 ? .alerts : .trade(out: $0, into: $1) })
    return [
      Property(
        "fantasy.13", "No day has more alerts than the person's limit", reference: "a cap against fatigue",
        arguments: ["week"], AlertWeek.any()
      ) { week in
        let sounding = code.deliver(week.facts, week.preferences).filter { $0.interruption > .passive }
        let days = Dictionary(grouping: sounding) { week.preferences.local($0.at).day }
        try require(
          days.values.allSatisfy { $0.count <= week.maximum }, "\(days.mapValues(\.count).values.max() ?? 0) on a day")
      },
      Property(
        "fantasy.14", "No fact is delivered twice", reference: "one fact, one alert", arguments: ["week"],
        AlertWeek.any()
      ) { week in
        let keys = code.deliver(week.facts, week.preferences).flatMap { $0.facts.map(\.key) }
        cover("a repeated fact", Set(week.news.map(\.key)).count < week.news.count, atLeast: 0.2)
        try require(Set(keys).count == keys.count, "\(keys)")
      },
      Property(
        "fantasy.15", "Every fact known before its lockout is delivered before it",
        reference: "the summary has the facts without an alert", arguments: ["week"], AlertWeek.any()
      ) { week in
        let deliveries = code.deliver(week.facts, week.preferences)
        // A key may come for both lockouts; it is delivered for the first.
        let due = Set(week.facts.filter { $0.at < $0.lockout }.map(\.key))
        let found = Set(deliveries.flatMap { one in one.facts.filter { one.at <= $0.lockout }.map(\.key) })
        try require(found == due, "lost: \(due.subtracting(found).sorted())")
      },
      Property(
        "fantasy.16", "Only urgent alerts sound in the person's quiet hours", reference: "quiet hours",
        arguments: ["week"], AlertWeek.any()
      ) { week in
        cover("through midnight", week.quietFrom > week.quietUntil, atLeast: 0.2)
        for one in code.deliver(week.facts, week.preferences) where one.interruption == .active {
          // By the local hour of the person.
          let hour = ((one.at / 60 + week.zone) % 24 + 24) % 24
          let isQuiet =
            week.quietFrom <= week.quietUntil
            ? (week.quietFrom..<max(week.quietUntil, week.quietFrom)).contains(hour)
            : hour >= week.quietFrom || hour < week.quietUntil
          try require(!isQuiet, "an alert at \(hour)")
        }
      },
      Property(
        "fantasy.17", "A link that is printed is read back", reference: "one table of routes", arguments: ["link"], link
      ) { link in
        let text = code.url(link)
        try require(code.link(text) == link, text)
      },
      Property(
        "fantasy.18", "A text accepted as a link is exactly the text that the link prints",
        reference: "nothing is decoded, trimmed or ignored", arguments: ["link", "place", "instead"], link,
        .integers(in: 0...40),
        .elements(of: ["", "/", "/../", "%2e", "A", "É", "\n", "\u{0}", "?", "0", "a", "://", " "])
      ) { link, position, instead in
        let text = link.url
        let cut = text.index(text.startIndex, offsetBy: min(position, text.count))
        let damaged = text[..<cut] + instead + text[cut...].dropFirst(position % 2)
        if let read = code.link(String(damaged)) {
          cover("still a link", true, atLeast: 0.02)
          try require(read.url.utf8.elementsEqual(damaged.utf8), "\(read)")
        } else {
          cover("still a link", false, atLeast: 0.02)
        }
      },
      Property(
        "fantasy.19", "An answer never becomes fresher, and an answer about a round ends with its lockout",
        reference: "age, and the round's beginning", arguments: ["answer", "lockout", "moment", "later"],
        Gen<Freshness.Answer>.cases(), .integers(in: 1...20_000), .integers(in: 0...100_000),
        .integers(in: 0...20_000)
      ) { answer, lockout, moment, later in
        let order = Freshness.allCases
        let (now, then) = (code.freshness(answer, moment, lockout), code.freshness(answer, moment + later, lockout))
        try require((order.firstIndex(of: then) ?? 0) >= (order.firstIndex(of: now) ?? 0), "\(then) after \(now)")
        let isLasting = answer == .byes || answer == .difficulty
        try require(isLasting || moment < lockout || now == .wrong, "\(now) after the lockout")
      },
    ]
  }
}

/// Mutants: the fantasy core with one operation replaced by a wrong one.
extension Mutation where Operations == FantasyOperations {
  private static func weight(
    _ weights: FactorWeights, _ value: Int, by divisor: (Int, Int) -> (Int, Int), _ factor: Factor
  ) -> Int {
    let all = Factor.weighable.map { weights[$0] }
    let (times, over) = divisor(all.count { $0 > 0 }, all.reduce(0, +))
    let part = value * weights[factor] * times
    return (2 * abs(part) + over) / (2 * over) * part.signum()
  }

  static let fantasy: [Self] = [
    Mutation(
      "absence-unexplained", "the chance to play lowers the score without a reason", caughtBy: "fantasy.1", within: 50
    ) {
      $0.projection = { projector, player in
        var found = projector.projection(of: player, in: 8)
        found.contributions[found.contributions.count - 1] = 0
        return found
      }
    },
    Mutation("form-twice-against", "a player in form is marked down", caughtBy: "fantasy.2", within: 2000) {
      $0.score = { projector, player in
        let found = projector.projection(of: player, in: 8)
        let form = found.contributions[Factor.allCases.firstIndex(of: .form) ?? 0]
        return found.score - 20 * form
      }
    },
    Mutation("weights-not-shares", "weights multiply, without normalisation", caughtBy: "fantasy.3", within: 100) {
      $0.weighed = { weights, value, factor in value * weights[factor] }
    },
    Mutation(
      "removed-still-counts", "a factor of weight 0 still takes a share", caughtBy: "fantasy.4",
      within: 50
    ) {
      $0.weighed = { weight($0, $1, by: { (Factor.weighable.count, $1) }, $2) }
    },
    Mutation("ties-lose", "a tie counts as a loss of the captain", caughtBy: "fantasy.5", within: 200) {
      $0.beats = { one, other in
        var lower = one
        lower.mean -= 1
        return lower.chance(against: other)
      }
    },
    Mutation("withdrawal-is-0", "a game that was not played is a score of 0", caughtBy: "fantasy.6", within: 50) {
      $0.latest = { $0.scores.reversed().map { $0 ?? 0 } }
    },
    Mutation(
      "magic-of-means", "the magic number is the value over the latest scores", caughtBy: "fantasy.7", within: 20
    ) {
      $0.magic = { market in
        let scored = market.reduce(0) { $0 + ($1.latest.first ?? 0) }
        return Double(market.reduce(0) { $0 + $1.price }) / Double(scored)
      }
    },
    Mutation("break-even-unshifted", "older games keep their old weights", caughtBy: "fantasy.8", within: 20) {
      $0.breakEven = { price, older, magic in
        let rule = PriceRule.aflFantasy
        let weight = Double(rule.weight(games: older.count + 1) * price) / magic
        return (weight - Double(rule.weighted(older))) / Double(rule.weights[0])
      }
    },
    Mutation("downgrade-pays-nothing", "money left over by a trade is lost", caughtBy: "fantasy.9", within: 200) {
      $0.trade = { projector, out, into in
        var trade = projector.trade(out, for: into)
        if let bank = trade?.bank { trade?.bank = min(bank, projector.team.bank) }
        return trade
      }
    },
    Mutation(
      "upgrades-first", "the dearest trade comes first, before it can be paid", caughtBy: "fantasy.10",
      within: 2000
    ) {
      $0.path = { task, nodes in
        var path = task.planner.path(nodes: nodes)
        var bank = task.bank * 1000
        path.steps = path.steps.reversed().map { step in
          bank += (task.squad[step.out].price - task.market[step.into].price) * 1000
          return UpgradePath.Step(out: step.out, into: step.into, bank: bank)
        }
        return path
      }
    },
    Mutation(
      "one-trade-at-a-time", "a plan starts with the trade that gains most alone", caughtBy: "fantasy.11",
      within: 2000
    ) {
      $0.path = { task, nodes in
        let whole = task.planner.path(nodes: nodes)
        guard nodes > 100, whole.steps.count > 1 else { return whole }
        var alone = task
        alone.trades = 1
        var path = alone.planner.path()
        path.bound = max(whole.bound, path.gain)
        return path
      }
    },
    Mutation(
      "cut-is-proof", "a search that was cut off claims the best plan", caughtBy: "fantasy.12", within: 500
    ) {
      $0.path = { task, nodes in
        var path = task.planner.path(nodes: nodes)
        path.bound = path.gain
        return path
      }
    },
    Mutation("cap-and-one", "a day may have one alert more than the limit", caughtBy: "fantasy.13", within: 100) {
      $0.deliver = { facts, preferences in
        var more = preferences
        more.maxPerDay += 1
        return FantasyOperations.shipping.deliver(facts, more)
      }
    },
    Mutation("again-and-again", "a fact that comes again alerts again", caughtBy: "fantasy.14", within: 200) {
      $0.deliver = { facts, preferences in
        let apart = facts.enumerated().map { position, fact in
          var fact = fact
          fact.key += "#\(position)"
          return fact
        }
        return FantasyOperations.shipping.deliver(apart, preferences).map { delivery in
          var delivery = delivery
          for position in delivery.facts.indices {
            delivery.facts[position].key =
              delivery.facts[position].key.split(separator: "#").first.map(String.init) ?? ""
          }
          return delivery
        }
      }
    },
    Mutation("no-summary", "facts without an alert are dropped", caughtBy: "fantasy.15", within: 50) {
      $0.deliver = { FantasyOperations.shipping.deliver($0, $1).filter { !$0.isSummary } }
    },
    Mutation("midnight-ends-quiet", "quiet hours across midnight are ignored", caughtBy: "fantasy.16", within: 500) {
      $0.deliver = { facts, preferences in
        var loud = preferences
        if loud.quietFrom > loud.quietUntil { loud.quietUntil = loud.quietFrom }
        return FantasyOperations.shipping.deliver(facts, loud)
      }
    },
    Mutation(
      "trade-turned-round", "a link to a trade exchanges the two players", caughtBy: "fantasy.17", within: 50
    ) {
      $0.url = { if case .trade(let out, let into) = $0 { Link.trade(out: into, into: out).url } else { $0.url } }
    },
    Mutation("trimmed", "spaces and slashes around a link are ignored", caughtBy: "fantasy.18", within: 2000) {
      $0.link = { text in try? Link(text.trimmingCharacters(in: CharacterSet(charactersIn: " /\n"))) }
    },
    Mutation("week-round", "data of a week ago counts as fresh", caughtBy: "fantasy.19", within: 200) {
      $0.freshness = { answer, now, lockout in Freshness(of: answer, asOf: 0, now: now % 10_080, lockout: lockout) }
    },
  ]
}
