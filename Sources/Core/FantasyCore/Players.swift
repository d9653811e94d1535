// SPDX-License-Identifier: Apache-2.0

/// A place on the field, and the slot of a squad.
public enum Position: String, CaseIterable, Sendable {
  case defender = "DEF"
  case midfielder = "MID"
  case ruck = "RUC"
  case forward = "FWD"
}

/// Whether a player can play.
public enum Availability: Hashable, Sendable {
  case fit
  /// Late changes and test of an injury: plays with a chance from 0 to 1.
  case doubtful(chance: Double)
  /// Injured or suspended, back in a round.
  case out(until: Int)

  /// The chance to play in a round, where the club has a game.
  @inlinable public func chance(in round: Int, now: Int) -> Double {
    switch self {
    case .fit: 1
    case .doubtful(let chance): round == now ? chance : 1
    case .out(let until): round < until ? 0 : 1
    }
  }

  /// The round from which the player can be hurt: the coming one, or that of the return.
  @inlinable public func since(_ now: Int) -> Int {
    if case .out(let until) = self { max(now, until) } else { now }
  }
}

/// A player, with what is known before a round.
public struct Player: Hashable, Sendable {
  /// A stable name of lower-case letters, digits and hyphens.
  public var id: String
  /// The name, as shown.
  public var name: String
  /// The name of the club.
  public var club: String
  /// Where the player may stand: one or two.
  public var positions: [Position]
  /// In dollars.
  public var price: Int
  /// The rounds so far, the first first; `nil` where no game was played.
  public var scores: [Int?]
  /// The average of the season before, where there was one.
  public var lastSeason: Double?
  /// Whether the player is fit.
  public var availability = Availability.fit
  /// By how many points a game the player's role differs from that of earlier games.
  public var roleChange = 0
  /// Points a game above the player's own average, by venue, in points.
  public var venues: [String: Int] = [:]

  /// A player with the scores of the rounds so far, `nil` where not played.
  public init(id: String, name: String, club: String, positions: [Position], price: Int, scores: [Int?]) {
    (self.id, self.name, self.club, self.positions) = (id, name, club, positions)
    (self.price, self.scores) = (price, scores)
  }

  /// Scores of games played, the latest first.
  public var latest: [Int] { scores.reversed().compactMap(\.self) }

  /// The mean of the games played; `nil` without any.
  public var average: Double? {
    let played = latest
    return played.isEmpty ? nil : Double(played.reduce(0, +)) / Double(played.count)
  }
}

/// A game of two clubs.
public struct Fixture: Hashable, Sendable {
  /// The round, from 1.
  public var round: Int
  /// The club at home.
  public var home: String
  /// The visiting club.
  public var away: String
  /// The ground.
  public var venue: String
  /// The day it is played, counted from any day, for days of rest.
  public var day: Int

  /// A game on a day of the season.
  public init(round: Int, home: String, away: String, venue: String, day: Int) {
    (self.round, self.home, self.away, self.venue, self.day) = (round, home, away, venue, day)
  }

  /// Whether a club plays in it.
  public func has(_ club: String) -> Bool { home == club || away == club }
  /// The other club.
  public func opponent(of club: String) -> String { home == club ? away : home }
}

/// A club, with what it lets the players of a position score.
public struct Club: Hashable, Sendable {
  /// The name, as shown.
  public var name: String
  /// Points a game above what the players otherwise score, by position.
  public var concedes: [Position: Int]
  /// The round without a game, where it has been announced.
  public var bye: Int?

  /// A club, with what its opponents score above their average against it, and its bye.
  public init(name: String, concedes: [Position: Int] = [:], bye: Int? = nil) {
    (self.name, self.concedes, self.bye) = (name, concedes, bye)
  }
}

/// A player of a squad, in the slot of a position.
public struct Pick: Hashable, Sendable {
  /// The id of the player.
  public var player: String
  /// The position in which the player counts.
  public var slot: Position
  /// Whether the score counts twice.
  public var isCaptain: Bool

  /// A player of the squad, in a position.
  public init(_ player: String, as slot: Position, isCaptain: Bool = false) {
    (self.player, self.slot, self.isCaptain) = (player, slot, isCaptain)
  }
}

/// What is wrong with a team: the field, what was found, and what was expected.
public struct FantasyProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the file, such as `squad[3].player`.
  public var field: String
  /// The value found.
  public var found: String
  /// What was expected instead, and how to mend it.
  public var expected: String

  /// The problem in one line.
  public var description: String { "\(field): found \(found), expected \(expected)" }
}

/// A team in its league before a round: everything that advice is made from.
public struct FantasyTeam: Hashable, Sendable {
  /// The round that comes, from 1.
  public var round: Int
  /// The last round of the season.
  public var rounds: Int
  /// What the squad may cost, in dollars.
  public var salaryCap: Int
  /// Trades left for the season.
  public var trades: Int
  /// How many of a position a squad has.
  public var slots: [Position: Int]
  /// The clubs of the league.
  public var clubs: [Club]
  /// The games of the season.
  public var fixtures: [Fixture]
  /// All players of the league.
  public var players: [Player]
  /// The players of the team.
  public var squad: [Pick]
  /// When what is here was known, in minutes of the Unix epoch.
  public var asOf: Int
  /// When the round is locked, in minutes of the Unix epoch.
  public var lockout: Int

  /// A team in its league, checked by `problems`.
  public init(
    round: Int, rounds: Int, salaryCap: Int, trades: Int, slots: [Position: Int], clubs: [Club], fixtures: [Fixture],
    players: [Player], squad: [Pick], asOf: Int, lockout: Int
  ) {
    (self.round, self.rounds, self.salaryCap, self.trades) = (round, rounds, salaryCap, trades)
    (self.slots, self.clubs, self.fixtures, self.players) = (slots, clubs, fixtures, players)
    (self.squad, self.asOf, self.lockout) = (squad, asOf, lockout)
  }

  /// The player of an id.
  public func player(_ id: String) -> Player? { players.first { $0.id == id } }

  /// The players of the squad, in its order, with their slots.
  public var picked: [(player: Player, slot: Position)] {
    let byID = Dictionary(players.map { ($0.id, $0) }) { first, _ in first }
    return squad.compactMap { pick in byID[pick.player].map { ($0, pick.slot) } }
  }

  /// What is left below the cap, in dollars.
  public var bank: Int { salaryCap - picked.reduce(0) { $0 + $1.player.price } }

  /// The rounds that are left, the coming one first.
  public var remaining: ClosedRange<Int> { round...max(round, rounds) }

  /// Everything in which the team breaks a rule, in the order of the file; empty for a sound one.
  public var problems: [FantasyProblem] {
    var problems: [FantasyProblem] = []
    func add(_ field: String, _ found: String, _ expected: String) {
      problems.append(FantasyProblem(field: field, found: found, expected: expected))
    }
    let clubNames = Set(clubs.map(\.name))
    for (place, club) in clubs.enumerated() {
      guard let bye = club.bye else { continue }
      if let game = fixtures.first(where: { $0.round == bye && $0.has(club.name) }) {
        add(
          "clubs[\(place + 1)].bye", "round \(bye), in which \(club.name) plays \(game.opponent(of: club.name))",
          "a round without a game of it")
      } else if !(1...rounds).contains(bye) {
        add("clubs[\(place + 1)].bye", "round \(bye)", "a round from 1 to \(rounds)")
      }
    }
    var games: Set<String> = []
    for (place, game) in fixtures.enumerated() {
      for (field, club) in [("home", game.home), ("away", game.away)] {
        if !clubNames.contains(club) {
          add("fixtures[\(place + 1)].\(field)", "'\(club)'", "the name of one of the clubs")
        } else if !games.insert("\(game.round) \(club)").inserted {
          add("fixtures[\(place + 1)].\(field)", "a second game of \(club) in round \(game.round)", "one game a round")
        }
      }
    }
    var ids: Set<String> = []
    for (place, player) in players.enumerated() {
      let field = "players[\(place + 1)]"
      if !ids.insert(player.id).inserted { add("\(field).id", "'\(player.id)' a second time", "an id of its own") }
      if !Link.isIdentifier(player.id) {
        add("\(field).id", "'\(player.id)'", "lower-case letters, digits and hyphens, 1 to 64")
      }
      if !clubNames.contains(player.club) { add("\(field).club", "'\(player.club)'", "the name of one of the clubs") }
      if player.positions.isEmpty { add("\(field).positions", "nothing", "one or two of DEF, MID, RUC, FWD") }
      if player.scores.count > max(0, round - 1) {
        add("\(field).scores", "\(player.scores.count) rounds", "at most the \(round - 1) before round \(round)")
      }
    }
    var picked: Set<String> = []
    for (place, pick) in squad.enumerated() {
      let field = "squad[\(place + 1)].player"
      guard let player = player(pick.player) else {
        add(field, "'\(pick.player)'", "the id of one of the players")
        continue
      }
      if !picked.insert(pick.player).inserted { add(field, "'\(pick.player)' a second time", "each player once") }
      if !player.positions.contains(pick.slot) {
        let own = player.positions.map(\.rawValue).joined(separator: " or ")
        add("squad[\(place + 1)].slot", "\(pick.slot.rawValue) for \(player.name)", own)
      }
    }
    for position in Position.allCases {
      let (count, limit) = (squad.count { $0.slot == position }, slots[position] ?? 0)
      if count > limit { add("squad", "\(count) in the slots of \(position.rawValue)", "at most \(limit)") }
    }
    let captains = squad.filter(\.isCaptain).map(\.player)
    if captains.count > 1 { add("squad", "\(captains.count) captains, \(captains.joined(separator: ", "))", "one") }
    if bank < 0 { add("salaryCap", "$\(salaryCap) for a squad of $\(salaryCap - bank)", "a squad within the cap") }
    return problems
  }
}
