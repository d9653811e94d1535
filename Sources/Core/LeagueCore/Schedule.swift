// SPDX-License-Identifier: Apache-2.0

extension League {
  /// The weeks of the regular season with games that are over, ascending, as far as the service sent them.
  public var playedWeeks: [Int] { Set(games.lazy.filter(\.counts).map(\.week)).sorted() }

  /// The teams with the records that the schedule gives them: from games of the regular season that are over, up to a
  /// week. Top players and roasts stay; a week off changes nothing.
  ///
  /// Where the league plays its median too, every week then adds a win to a team with more than the median of that
  /// week's points, a loss to one with less, and else a tie.
  ///
  /// - Throws: `LeagueError` with the team's name, for games or points beyond what a record holds.
  public func teams(afterWeek week: Int) throws(LeagueError) -> [Team] {
    var records: [Int: SeasonRecord] = [:]
    for games in countingWeeks(to: week) {
      for game in games {
        for (own, other) in game.meetings {
          try add(to: &records[own.team, default: SeasonRecord()], of: own.team) { record throws(LeagueError) in
            try record.add(pointsFor: own.points, against: other.points)
          }
        }
      }
      guard playsMedian else { continue }
      let sides = games.flatMap(\.sides)
      let doubled = Self.doubledMedian(of: sides.map(\.points.thousandths))
      for side in sides {
        let twice = 2 * side.points.thousandths
        let outcome: GameOutcome = twice > doubled ? .win : twice < doubled ? .loss : .tie
        try add(to: &records[side.team, default: SeasonRecord()], of: side.team) { record throws(LeagueError) in
          try record.add(outcome)
        }
      }
    }
    return teams.map { $0.with(season: records[$0.id] ?? SeasonRecord()) }
  }

  /// How each team would stand if it had met everybody every week up to a week, in the order of the teams.
  public func allPlay(toWeek week: Int) -> [AllPlayRecord] {
    var records = Dictionary(teams.map { ($0.id, AllPlayRecord(team: $0.id)) }) { first, _ in first }
    for games in countingWeeks(to: week) {
      let sides = games.flatMap(\.sides)
      for (place, side) in sides.enumerated() {
        var week = (wins: 0, losses: 0, ties: 0)
        for (index, other) in sides.enumerated() where index != place {
          switch GameOutcome(side.points, against: other.points) {
          case .win: week.wins += 1
          case .loss: week.losses += 1
          case .tie: week.ties += 1
          }
        }
        records[side.team]?.add(week)
      }
      for game in games {
        for (own, other) in game.meetings {
          records[own.team]?.add(GameOutcome(own.points, against: other.points))
        }
      }
    }
    return teams.compactMap { records[$0.id] }
  }

  /// The games that records count, week by week.
  private func countingWeeks(to week: Int) -> [[LeagueGame]] {
    let counting = games.filter { $0.counts && $0.week <= week }
    return Dictionary(grouping: counting, by: \.week).sorted { $0.key < $1.key }.map(\.value)
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
  /// Whether records count it: two teams met in the regular season, and it is over.
  fileprivate var counts: Bool { isPlayed && !isPlayoff && away != nil }

  fileprivate var sides: [Side] { [home] + (away.map { [$0] } ?? []) }

  /// The game as either team sees it.
  fileprivate var meetings: [(own: Side, other: Side)] { away.map { [(home, $0), ($0, home)] } ?? [] }
}

/// A team against everybody, every week: what its record would be without the luck of the schedule.
public struct AllPlayRecord: Hashable, Sendable {
  /// The team's id.
  public let team: Int
  /// How often another team had fewer points in the same week.
  public private(set) var wins = 0
  /// How often another team had more.
  public private(set) var losses = 0
  /// How often another team had as many.
  public private(set) var ties = 0
  /// Twice the games that it won of those it had; a tie is half a win.
  private var doubledWins = 0
  /// The games that a team with its points wins on average over all opponents that week could have given it.
  public private(set) var expectedWins = 0.0

  init(team: Int) { self.team = team }

  /// The games that it won of those that it had; a tie is half a win.
  public var actualWins: Double { Double(doubledWins) / 2 }

  /// How many more games it won than a schedule without luck would have given it; negative for bad luck.
  public var luck: Double { actualWins - expectedWins }

  /// How often it had more points than others, a tie as half a time, of all comparisons; 0 without any.
  public var share: Double {
    let all = wins + losses + ties
    return all == 0 ? 0 : Double(2 * wins + ties) / Double(2 * all)
  }

  fileprivate mutating func add(_ week: (wins: Int, losses: Int, ties: Int)) {
    wins += week.wins
    losses += week.losses
    ties += week.ties
    let all = week.wins + week.losses + week.ties
    if all > 0 { expectedWins += Double(2 * week.wins + week.ties) / Double(2 * all) }
  }

  fileprivate mutating func add(_ outcome: GameOutcome) { doubledWins += outcome == .win ? 2 : outcome == .tie ? 1 : 0 }
}
