// SPDX-License-Identifier: Apache-2.0

extension League {
  /// The weeks of the regular season with finished games that the service sent, ascending.
  public var playedWeeks: [Int] { Set(games.lazy.filter(\.counts).map(\.week)).sorted() }

  /// The teams with records computed from the finished games of the regular season, up to a week. Top players and
  /// roasts are kept. A week off changes nothing, except where the league also plays against its median.
  ///
  /// There, every week adds a win to a team with more points than the median of that week, a loss to one with fewer,
  /// and a tie to one with as many. A team that has the week off plays against the median too, and its points count.
  ///
  /// - Throws: `LeagueError` with the team's name, for games or points beyond the bounds of a record.
  public func teams(afterWeek week: Int) throws(LeagueError) -> [Team] {
    var records: [Int: SeasonRecord] = [:]
    for games in countingWeeks(to: week) {
      for game in games {
        for (own, other, decision) in game.meetings {
          try add(to: &records[own.team, default: SeasonRecord()], of: own.team) { record throws(LeagueError) in
            try record.add(pointsFor: own.points, against: other.points, decision)
          }
        }
      }
      guard playsMedian else { continue }
      let sides = Self.sides(of: games)
      let resting = Set(games.lazy.filter { $0.away == nil }.map(\.home.team))
      let doubled = Self.doubledMedian(of: sides.map(\.points.thousandths))
      for side in sides {
        let twice = 2 * side.points.thousandths
        let outcome: GameOutcome = twice > doubled ? .win : twice < doubled ? .loss : .tie
        try add(to: &records[side.team, default: SeasonRecord()], of: side.team) { record throws(LeagueError) in
          try record.add(pointsFor: resting.contains(side.team) ? side.points : .zero, against: .zero, .init(outcome))
        }
      }
    }
    return teams.map { $0.with(season: records[$0.id] ?? SeasonRecord()) }
  }

  /// The record of each team if it had met every other team in every week up to a week, in the order of the teams. A
  /// team that has the week off is compared too, if its points are known; luck is about the games that were played.
  public func allPlay(toWeek week: Int) -> [AllPlayRecord] {
    var records = Dictionary(teams.map { ($0.id, AllPlayRecord(team: $0.id)) }) { first, _ in first }
    for games in countingWeeks(to: week) {
      let sides = Self.sides(of: games)
      let meetings = games.flatMap(\.meetings)
      for side in sides {
        var week = (wins: 0, losses: 0, ties: 0)
        for other in sides where other.team != side.team {
          switch GameOutcome(side.points, against: other.points) {
          case .win: week.wins += 1
          case .loss: week.losses += 1
          case .tie: week.ties += 1
          }
        }
        records[side.team]?.add(week, games: meetings.count { $0.own.team == side.team })
      }
      for (own, _, decision) in meetings { records[own.team]?.add(decision.outcome) }
    }
    return teams.compactMap { records[$0.id] }
  }

  /// The games that count for records, and weeks off beside them, grouped by week.
  private func countingWeeks(to week: Int) -> [[LeagueGame]] {
    let weeks = Set(playedWeeks)
    let counting = games.filter { $0.isPlayed && !$0.isPlayoff && $0.week <= week && weeks.contains($0.week) }
    return Dictionary(grouping: counting, by: \.week).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The teams of a week with their points, each once; one may have several games.
  private static func sides(of games: [LeagueGame]) -> [LeagueGame.Side] {
    var seen: Set<Int> = []
    return games.flatMap(\.sides).filter { seen.insert($0.team).inserted }
  }

  private func add(
    to record: inout SeasonRecord, of id: Int, _ change: (inout SeasonRecord) throws(LeagueError) -> Void
  ) throws(LeagueError) {
    do throws(LeagueError) {
      try change(&record)
    } catch {
      throw error.of(team: teams.first { $0.id == id }?.name ?? "\(id)")
    }
  }

  private static func doubledMedian(of values: [Int]) -> Int {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]
  }
}

extension LeagueGame {
  /// True if records count the game: two teams met in the regular season, and the game is over.
  var counts: Bool { isPlayed && !isPlayoff && away != nil }

  fileprivate var sides: [Side] { [home] + (away.map { [$0] } ?? []) }

  /// The game from the side of each team.
  fileprivate var meetings: [(own: Side, other: Side, decision: Decision)] {
    guard let away else { return [] }
    let decision = decision ?? Decision(GameOutcome(home.points, against: away.points))
    return [(home, away, decision), (away, home, decision.reversed)]
  }
}

/// A team's record against every other team in every week, which removes the luck of the schedule.
public struct AllPlayRecord: Hashable, Sendable {
  /// The team's id.
  public let team: Int
  /// The number of times that another team had fewer points in the same week.
  public private(set) var wins = 0
  /// The number of times that another team had more points.
  public private(set) var losses = 0
  /// The number of times that another team had equal points.
  public private(set) var ties = 0
  /// Twice the games that the team won in the schedule; a tie is half a win.
  private var doubledWins = 0
  /// The sum over its games of the probability that it beats an opponent drawn uniformly; a tie is half a win.
  public private(set) var expectedWins = 0.0

  init(team: Int) { self.team = team }

  /// The games that the team won in the schedule; a tie is half a win.
  public var actualWins: Double { Double(doubledWins) / 2 }

  /// The games won beyond the expectation over all schedules; negative for bad luck.
  public var luck: Double { actualWins - expectedWins }

  /// The share of comparisons won, from 0 to 1; a tie is half a win; 0 without comparisons.
  public var share: Double {
    let all = wins + losses + ties
    return all == 0 ? 0 : Double(2 * wins + ties) / Double(2 * all)
  }

  fileprivate mutating func add(_ week: (wins: Int, losses: Int, ties: Int), games: Int) {
    wins += week.wins
    losses += week.losses
    ties += week.ties
    let all = week.wins + week.losses + week.ties
    if all > 0 { expectedWins += Double(games) * Double(2 * week.wins + week.ties) / Double(2 * all) }
  }

  fileprivate mutating func add(_ outcome: GameOutcome) { doubledWins += outcome == .win ? 2 : outcome == .tie ? 1 : 0 }
}
