// SPDX-License-Identifier: GPL-3.0-or-later
public import LeagueCore
internal import MonteCarlo
public import Reporting
internal import Sampling
public import Scenarios

/// A report of a league's power ranking, with the share of luck by simulation and by the schedule.
public struct RankingReport {
  private let league: League
  /// The week whose records are ranked; nil for the records that the service sends.
  private let week: Int?
  private let ranking: PowerRanking
  /// The weeks from which the schedule's luck is computed: those that are over, in a league that points decide.
  private let weeks: [Int]
  private let certainty: Certainty?
  private let origin: String
  /// The ranks of the week before, by team id; empty if they are unknown.
  private let earlier: [Int: Int]

  /// Ranks by the records that the service sends, or by those that the schedule gives after a week.
  ///
  /// - Parameters:
  ///   - league: The league; for a week, with the games of all weeks until then.
  ///   - week: The week to rank after, from 1; nil for the service's records.
  ///   - origin: The file or service that the league was read from.
  ///   - simulatesSeasons: Whether the report states the certainty of first place, from 4,096 simulated seasons.
  /// - Throws: `LeagueError` if a record is out of bounds or two teams share an id.
  public init(
    _ league: League, afterWeek week: Int?, origin: String, simulatesSeasons: Bool = true
  ) throws {
    (self.league, self.week, self.origin) = (league, week, origin)
    ranking = try PowerRanking(week.map { try league.teams(afterWeek: $0) } ?? league.teams)
    let over = league.playedWeeks.filter { $0 <= week ?? .max }
    weeks = league.kind == .points ? over : []
    let played = week.map { $0 - league.firstWeek + 1 } ?? Self.weeksPlayed(in: league)
    certainty =
      simulatesSeasons && league.kind == .points ? try Certainty(teams: league.teams.count, weeks: played) : nil
    // Earlier records are known only if the games of all weeks up to them are there.
    let isWhole = over.count > 1 && over.elementsEqual(league.firstWeek..<league.firstWeek + over.count)
    let before =
      isWhole && over.count == played ? try PowerRanking(league.teams(afterWeek: over[over.count - 2])).teams : []
    earlier = Dictionary(before.map { ($0.team.id, $0.rank) }) { first, _ in first }
  }

  /// The weeks of the records: those of the schedule, in which a team may play twice or have a week off; if the records
  /// have other games than the schedule, one for each game.
  private static func weeksPlayed(in league: League) -> Int {
    let games = { (teams: [Team]) in teams.map(\.season.games).max() ?? 0 }
    let (sent, over) = (games(league.teams), league.playedWeeks)
    if let last = over.last, let computed = try? league.teams(afterWeek: last), games(computed) == sent {
      return over.count
    }
    return league.playsMedian ? sent / 2 : sent
  }

  /// The chance that the first team of the power ranking is the strongest, from simulated seasons of as many weeks.
  private struct Certainty {
    static let seasons = 4096
    static let confidence = 0.99

    let shape: LeagueShape
    let seed: UInt64 = 1
    let chance: Double
    let interval: ClosedRange<Double>

    /// Returns nil outside 2 to 64 teams and 1 to 100 weeks, which the simulation does not cover.
    init?(teams: Int, weeks: Int) throws {
      guard (2...64).contains(teams), (1...100).contains(weeks) else { return nil }
      shape = LeagueShape(teams: teams, weeks: weeks)
      var run = Seasons()
      run.shape = shape
      let found = try run.run(samples: Self.seasons, seed: seed)["power.bestIsFirst[week \(weeks)]"]
      (chance, interval) = (found.estimate, found.interval(at: Self.confidence))
    }

    var sentence: String {
      let number = NumberFormat.shortest
      func percent(_ share: Double) -> String { NumberFormat.percent(share, decimals: 1) }
      return "After \(NumberFormat.counted(shape.weeks, "week")) the strongest of \(shape.teams) teams stands "
        + "first in \(percent(chance)) of simulated seasons "
        + "(\(percent(interval.lowerBound)) to \(percent(interval.upperBound)) "
        + "at \(NumberFormat.percent(Self.confidence)) confidence, from "
        + "\(NumberFormat.grouped(Self.seasons)) seasons). Their weekly scores spread by "
        + "\(number(shape.scoreDeviation)) points around strengths that spread by \(number(shape.strengthDeviation))."
    }

    var json: JSONValue {
      [
        "weeks": .integer(shape.weeks), "chance": .number(chance), "low": .number(interval.lowerBound),
        "high": .number(interval.upperBound), "confidence": .number(Self.confidence),
        "seasons": .integer(Self.seasons), "seed": .unsigned(seed),
      ]
    }
  }

  // MARK: For people

  public var document: Document {
    let players = ranking.teams.filter { !$0.team.topPlayers.isEmpty }.map { ranked in
      "\(ranked.team.name): " + ranked.team.topPlayers.map(Self.shown).joined(separator: ", ")
    }
    return Document(
      id: "league-ranking", title: "\(league.name): the power ranking" + (week.map { " after week \($0)" } ?? ""),
      [.paragraph(source)] + (remarks.isEmpty ? [] : [.list(remarks)]) + (caution.map { [.paragraph($0)] } ?? [])
        + [.table(standings)]
        + (isUnplayed
          ? [] : [.part("What is the score made of?", [.paragraph(formula), .figure(figure), .table(parts)])])
        + (players.isEmpty ? [] : [.part("Top players, with the points they scored for the team", [.list(players)])])
        + (certainty.map { [.part("How sure can it be?", [.paragraph($0.sentence)])] } ?? [])
        + (weeks.isEmpty ? [] : [luck]),
      data: Table(
        records: ranking.teams.map { ranked in
          guard case .object(let members) = row(ranked, players: { .string($0.name) }) else { return .null }
          return .object(members + [JSONMember("remark", .string(caution ?? ""))])
        }))
  }

  private var source: String {
    guard isOfService else { return "\(origin): a table of results, which give the records." }
    let service = league.connection.platform == .espn ? "ESPN" : "Sleeper"
    let number = league.connection.leagueID.isEmpty ? "" : " \(league.connection.leagueID)"
    let season = league.connection.season == 0 ? "" : ", season \(league.connection.season)"
    let records =
      week != nil
      ? "Records computed from the schedule."
      : league.recordsAreSent
        ? "Records as sent by the service." : "No record was sent: records computed from the schedule."
    return "\(origin): \(service) league\(number)\(season). \(records)"
      + (league.playsMedian ? " Every week counts twice: against the opponent and against the median." : "")
  }

  /// True if no team has played, so that there is nothing to rank by.
  private var isUnplayed: Bool {
    ranking.teams.allSatisfy { $0.team.season.games == 0 && $0.team.season.pointsFor == .zero }
  }

  private var remarks: [String] { league.remarks }

  /// The basis of the ranks in a league without points or games, or a warning if the records lack data for meaningful
  /// ranks.
  private var caution: String? {
    switch league.kind {
    case .points: break
    case .categories:
      return
        "In this league games are about categories and not about points: the ranks use wins, losses and ties alone."
    case .seasonPoints: return "This league has no games: the ranks use the points of the season alone."
    case .elimination:
      return
        "This league has no games: the team with the fewest points of a week leaves it. The ranks use points alone."
    }
    let seasons = ranking.teams.map(\.team.season)
    let advice =
      week == nil ? weeks.last.map { " --week \($0) ranks by records computed from the schedule." } ?? "" : ""
    if isUnplayed { return "No game is over by these records: there are no scores and no ranks yet." + advice }
    guard seasons.allSatisfy({ $0.pointsFor == .zero }) else { return nil }
    return "These records are without points, as in a file of box scores: the ranks use wins alone." + advice
  }

  private var standings: Table {
    Table(
      columns: ["rank"] + (earlier.isEmpty ? [] : ["moved"])
        + ["team", "owner", "record", "points for", "against", "streak", "score"],
      numbers: ["rank", "moved", "record", "points for", "against", "score"],
      rows: ranking.teams.map { ranked in
        let season = ranked.team.season
        return [isUnplayed ? "" : "\(ranked.rank)"] + (earlier.isEmpty ? [] : [movement(of: ranked)]) + [
          ranked.team.name, ranked.team.owner ?? "", season.standing,
          Self.two(season.pointsFor.value), Self.two(season.pointsAgainst.value),
          season.streak.map { "\($0)" } ?? "",
          isUnplayed ? "" : NumberFormat.fixed(ranked.score.value, decimals: 4),
        ]
      })
  }

  /// By how many ranks a team rose or fell since the week before: `+2`, `-1`, `=`.
  private func movement(of ranked: RankedTeam) -> String {
    let steps = (earlier[ranked.team.id] ?? ranked.rank) - ranked.rank
    return steps == 0 ? "=" : NumberFormat.signed(steps)
  }

  private var formula: String {
    guard let parts = ranking.teams.first?.score.explanation else { return "" }
    let weights = parts.map { NumberFormat.shortest($0.weight) }
    return
      "\(weights[0]) of the share of games won (a tie is half a win), \(weights[1]) of the points scored, as a share "
      + "of the most that a team scored, and \(weights[2]) of the points not conceded, as a share of the most conceded."
  }

  private var parts: Table {
    let names = ["games won", "points for", "points against"]
    return Table(
      ["team"], numbers: names + ["score"],
      rows: ranking.teams.map { ranked in
        [ranked.team.name]
          + (ranked.score.explanation.map(\.value) + [ranked.score.value]).map {
            NumberFormat.fixed($0, decimals: 4)
          }
      })
  }

  /// A figure of the ranking, also for sharing.
  private var figure: Figure {
    let teams = ranking.teams
    let names = teams.map { "\($0.rank) " + (earlier.isEmpty ? "" : "(\(movement(of: $0))) ") + $0.team.name }
    return Figure(
      id: "league-ranking",
      title: "\(league.name): the power ranking"
        + ((week ?? weeks.last).map { " after week \($0)" } ?? ""),
      alternative: "A bar for each team, as long as its score, the best first"
        + (earlier.isEmpty ? "." : "; in brackets how many ranks it came up since the week before."),
      x: Figure.Axis("team", scale: .names(names)), y: Figure.Axis("score, 0 to 1"),
      series: [
        Figure.Series(
          "", style: .bars,
          points: teams.enumerated().map { Figure.Point(Double($0), $1.score.value) })
      ])
  }

  private var luck: ReportBlock {
    let table = Table(
      ["team"], numbers: ["all-play", "share", "wins", "expected", "luck"],
      rows: allPlay.map { team, record in
        [
          team.name, "\(record.wins)-\(record.losses)-\(record.ties)", NumberFormat.percent(record.share, decimals: 1),
          NumberFormat.shortest(record.actualWins), Self.two(record.expectedWins),
          NumberFormat.signed(record.luck, decimals: 2),
        ]
      })
    let span = weeks.count == 1 ? "that week" : "each of \(weeks.count) weeks"
    let caption =
      "Each team against all others in \(span): its wins, those that its points would have brought on average, and the "
      + "difference."
    return .part("How much is due to the schedule's luck?", [.table(table, caption: caption)])
  }

  private static func two(_ value: Double) -> String { NumberFormat.fixed(value, decimals: 2) }

  private static func shown(_ player: Player) -> String {
    player.name + (player.position.map { " \($0)" } ?? "") + (player.points.map { " \($0)" } ?? "")
  }

  /// The all-play records of the teams, in the order of their ranks.
  private var allPlay: [(team: Team, record: AllPlayRecord)] {
    let records = Dictionary(
      league.allPlay(toWeek: weeks.last ?? 0).map { ($0.team, $0) }, uniquingKeysWith: { first, _ in first })
    return ranking.teams.compactMap { ranked in records[ranked.team.id].map { (ranked.team, $0) } }
  }

  // MARK: For programs

  private var isOfService: Bool { league.connection != .none }

  public var json: JSONValue {
    [
      "teams": .array(
        ranking.teams.map { ranked in
          row(ranked) { player in
            [
              "id": .string(player.id), "name": .string(player.name),
              "position": player.position.map(JSONValue.string) ?? .null,
              "points": player.points.map { .number($0.value) } ?? .null,
            ]
          }
        }),
      "league": [
        "platform": isOfService ? .string(league.connection.platform.rawValue) : .null,
        "id": isOfService ? .string(league.connection.leagueID) : .null,
        "season": isOfService ? .integer(league.connection.season) : .null, "name": .string(league.name),
      ],
      "week": week.map(JSONValue.integer) ?? .null,
      "remark": caution.map(JSONValue.string) ?? .null,
      "kind": .string(league.kind.rawValue), "remarks": .array(remarks.map(JSONValue.string)),
      "certainty": certainty?.json ?? .null,
      "schedule": weeks.isEmpty
        ? .null
        : [
          "weeks": .array(weeks.map(JSONValue.integer)),
          "teams": .array(
            allPlay.map { team, record in
              [
                "id": .integer(team.id), "wins": .integer(record.wins), "losses": .integer(record.losses),
                "ties": .integer(record.ties), "actualWins": .number(record.actualWins),
                "expectedWins": .number(record.expectedWins), "luck": .number(record.luck),
              ]
            }),
        ],
    ]
  }

  private func row(_ ranked: RankedTeam, players: (Player) -> JSONValue) -> JSONValue {
    let (team, season) = (ranked.team, ranked.team.season)
    return [
      "id": .integer(team.id), "name": .string(team.name), "owner": team.owner.map(JSONValue.string) ?? .null,
      "record": .string(season.standing), "pointsFor": .number(season.pointsFor.value),
      "pointsAgainst": .number(season.pointsAgainst.value),
      "powerScore": isUnplayed ? .null : .number(ranked.score.value),
      "rank": isUnplayed ? .null : .integer(ranked.rank),
      "rankBefore": earlier[team.id].map(JSONValue.integer) ?? .null,
      "streak": season.streak.map { .string($0.description) } ?? .null,
      "topPlayers": .array(team.topPlayers.map(players)),
    ]
  }
}
