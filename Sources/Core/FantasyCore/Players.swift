// SPDX-License-Identifier: Apache-2.0

/// A position on the field, and a slot of a squad.
public enum Position: String, CaseIterable, Sendable {
  case defender = "DEF"
  case midfielder = "MID"
  case ruck = "RUC"
  case forward = "FWD"
}

/// True if a player can play.
public enum Availability: Hashable, Sendable {
  case fit
  /// Doubtful for the coming round, with a chance to play from 0 to 1.
  case doubtful(chance: Double)
  /// Injured or suspended until a round, in which the player is back.
  case out(until: Int)

  /// The chance to play in a round, where the club has a game.
  @inlinable public func chance(in round: Int, now: Int) -> Double {
    switch self {
    case .fit: 1
    case .doubtful(let chance): round == now ? chance : 1
    case .out(let until): round < until ? 0 : 1
    }
  }

  /// The first round in which the player can be injured: the coming one, or the round of the return.
  @inlinable public func since(_ now: Int) -> Int {
    if case .out(let until) = self { max(now, until) } else { now }
  }
}

/// A player, with the data known before a round.
public struct Player: Hashable, Sendable {
  /// A stable identifier of lower-case letters, digits and hyphens.
  public var id: String
  /// The name, as shown.
  public var name: String
  /// The name of the club.
  public var club: String
  /// The positions in which the player may be picked: one or two.
  public var positions: [Position]
  /// The price in dollars.
  public var price: Int
  /// The scores of the past rounds in order; `nil` where the player did not play.
  public var scores: [Int?]
  /// The average of the previous season, if the player played in it.
  public var lastSeason: Double?
  /// True if the player is fit.
  public var availability = Availability.fit
  /// The expected change of points a game from a change of role.
  public var roleChange = 0
  /// Points a game above the player's own average, by venue.
  public var venues: [String: Int] = [:]

  /// A player with the scores of the past rounds, `nil` where not played.
  public init(id: String, name: String, club: String, positions: [Position], price: Int, scores: [Int?]) {
    (self.id, self.name, self.club, self.positions) = (id, name, club, positions)
    (self.price, self.scores) = (price, scores)
  }

  /// Scores of games played, the latest first.
  public var latest: [Int] { scores.reversed().compactMap(\.self) }

  /// The mean of the games played; `nil` without a game.
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
  /// The day of the game, counted from any fixed day, to compute days of rest.
  public var day: Int

  /// A game on a day of the season.
  public init(round: Int, home: String, away: String, venue: String, day: Int) {
    (self.round, self.home, self.away, self.venue, self.day) = (round, home, away, venue, day)
  }

  /// Returns true if a club plays in it.
  public func has(_ club: String) -> Bool { home == club || away == club }
  /// The other club.
  public func opponent(of club: String) -> String { home == club ? away : home }
}

/// A club, with the points that its opponents score above their average.
public struct Club: Hashable, Sendable {
  /// The name, as shown.
  public var name: String
  /// Points a game that opposing players score above their average, by position.
  public var concedes: [Position: Int]
  /// The round without a game, if announced.
  public var bye: Int?

  /// A club with its concessions and its bye.
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
  /// True if the player is captain, whose score counts twice.
  public var isCaptain: Bool

  /// A player of the squad, in a position.
  public init(_ player: String, as slot: Position, isCaptain: Bool = false) {
    (self.player, self.slot, self.isCaptain) = (player, slot, isCaptain)
  }
}

/// A violated rule of a team: the field, the value found, and the expected value.
public struct FantasyProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path in the file, such as `squad[3].player`.
  public var field: String
  /// The value found.
  public var found: String
  /// The expected value, and how to correct it.
  public var expected: String

  /// The problem in one line.
  public var description: String { "\(field): found \(found), expected \(expected)" }
}

/// A team in its league before a round: the data of all advice.
public struct FantasyTeam: Hashable, Sendable {
  /// The coming round, from 1.
  public var round: Int
  /// The last round of the season.
  public var rounds: Int
  /// The largest price of a squad, in dollars.
  public var salaryCap: Int
  /// Trades left for the season.
  public var trades: Int
  /// The number of players of each position in a squad.
  public var slots: [Position: Int]
  /// The clubs of the league.
  public var clubs: [Club]
  /// The games of the season.
  public var fixtures: [Fixture]
  /// All players of the league.
  public var players: [Player]
  /// The players of the team.
  public var squad: [Pick]
  /// The time of the data, in minutes of the Unix epoch.
  public var asOf: Int
  /// The time of the round's lockout, in minutes of the Unix epoch.
  public var lockout: Int

  /// A team in its league; `problems` lists its violated rules.
  public init(
    round: Int, rounds: Int, salaryCap: Int, trades: Int, slots: [Position: Int], clubs: [Club], fixtures: [Fixture],
    players: [Player], squad: [Pick], asOf: Int, lockout: Int
  ) {
    (self.round, self.rounds, self.salaryCap, self.trades) = (round, rounds, salaryCap, trades)
    (self.slots, self.clubs, self.fixtures, self.players) = (slots, clubs, fixtures, players)
    (self.squad, self.asOf, self.lockout) = (squad, asOf, lockout)
  }

  /// The player with an id.
  public func player(_ id: String) -> Player? { players.first { $0.id == id } }

  /// The players of the squad, in its order, with their slots.
  public var picked: [(player: Player, slot: Position)] {
    let byID = Dictionary(players.map { ($0.id, $0) }) { first, _ in first }
    return squad.compactMap { pick in byID[pick.player].map { ($0, pick.slot) } }
  }

  /// Dollars left below the cap.
  public var bank: Int { salaryCap - picked.reduce(0) { $0 + $1.player.price } }

  /// The remaining rounds, the coming one first.
  public var remaining: ClosedRange<Int> { round...max(round, rounds) }

  /// All violated rules, in the order of the file; empty for a valid team.
  public var problems: [FantasyProblem] {
    var problems: [FantasyProblem] = []
    func add(_ field: String, _ found: String, _ expected: String) {
      problems.append(FantasyProblem(field: field, found: found, expected: expected))
    }
    let clubNames = Set(clubs.map(\.name))
    for (index, club) in clubs.enumerated() {
      guard let bye = club.bye else { continue }
      if let game = fixtures.first(where: { $0.round == bye && $0.has(club.name) }) {
        add(
          "clubs[\(index + 1)].bye", "round \(bye), in which \(club.name) plays \(game.opponent(of: club.name))",
          "a round without a game of it")
      } else if !(1...rounds).contains(bye) {
        add("clubs[\(index + 1)].bye", "round \(bye)", "a round from 1 to \(rounds)")
      }
    }
    var games: Set<String> = []
    for (index, game) in fixtures.enumerated() {
      for (field, club) in [("home", game.home), ("away", game.away)] {
        if !clubNames.contains(club) {
          add("fixtures[\(index + 1)].\(field)", "'\(club)'", "the name of one of the clubs")
        } else if !games.insert("\(game.round) \(club)").inserted {
          add("fixtures[\(index + 1)].\(field)", "a second game of \(club) in round \(game.round)", "one game a round")
        }
      }
    }
    var ids: Set<String> = []
    for (index, player) in players.enumerated() {
      let field = "players[\(index + 1)]"
      if !ids.insert(player.id).inserted { add("\(field).id", "'\(player.id)' a second time", "a unique id") }
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
    for (index, pick) in squad.enumerated() {
      let field = "squad[\(index + 1)].player"
      guard let player = player(pick.player) else {
        add(field, "'\(pick.player)'", "the id of one of the players")
        continue
      }
      if !picked.insert(pick.player).inserted { add(field, "'\(pick.player)' a second time", "each player once") }
      if !player.positions.contains(pick.slot) {
        let own = player.positions.map(\.rawValue).joined(separator: " or ")
        add("squad[\(index + 1)].slot", "\(pick.slot.rawValue) for \(player.name)", own)
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
