// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import Randomness

/// Simulates seasons, week by week, in reusable storage.
///
/// Strengths, scores and schedules are drawn separately. The core keeps the records, so wins balance losses and points
/// for balance points against by construction.
struct SeasonSimulator {
  let shape: LeagueShape
  private let schedule: RoundRobin
  private let strength: GaussianDistribution
  private let luck: GaussianDistribution
  private let tieThreshold: UInt64

  /// The mean score of each team in a week.
  private(set) var strengths: [Double]
  /// The teams' records after the weeks played so far.
  private(set) var records: [SeasonRecord]
  /// Scores in hundredths of a point, week after week.
  private var scores: [Int]
  /// The seat of the schedule that each team has.
  private var seats: [Int]

  init(shape: LeagueShape) throws(RandomnessError) {
    self.shape = shape
    schedule = RoundRobin(teams: shape.teams)
    strength = try GaussianDistribution(mean: shape.meanScore, standardDeviation: shape.strengthDeviation)
    luck = try GaussianDistribution(standardDeviation: shape.scoreDeviation)
    tieThreshold = UInt64((shape.tieRate * 0x1p32).rounded())
    strengths = Array(repeating: 0, count: shape.teams)
    records = Array(repeating: SeasonRecord(), count: shape.teams)
    scores = Array(repeating: 0, count: shape.teams * shape.weeks)
    seats = Array(0..<shape.teams)
  }

  mutating func drawStrengths(using generator: inout GSLGenerator) {
    for team in strengths.indices { strengths[team] = strength.sample(using: &generator) }
  }

  /// Draws every team's score in every week, rounded to hundredths of a point, as most leagues count.
  mutating func drawScores(using generator: inout GSLGenerator) {
    for row in stride(from: 0, to: scores.count, by: strengths.count) {
      for team in strengths.indices {
        let score = strengths[team] + luck.sample(using: &generator)
        scores[row + team] = Int((score * 100).rounded())
      }
    }
  }

  /// Gives every team the seat of its own number, so that later draws do not depend on earlier seasons.
  mutating func resetSeats() {
    for team in seats.indices { seats[team] = team }
  }

  mutating func drawSeats(using stream: inout WordStream) { shuffle(&seats, using: &stream) }

  /// Clears the records; strengths, scores and seats stay.
  mutating func begin() {
    for team in records.indices { records[team] = SeasonRecord() }
  }

  /// Plays one week, counted from 0; the stream draws which games are made ties, at the mean of both scores.
  mutating func play(week: Int, using stream: inout WordStream) throws(LeagueError) {
    let row = week * shape.teams
    for game in schedule.games(in: week) {
      let (first, second) = (seats[game.first], seats[game.second])
      var (own, other) = (scores[row + first], scores[row + second])
      if tieThreshold > 0 && UInt64(stream.next()) < tieThreshold {
        own = (own + other) / 2
        other = own
      }
      let (scored, conceded) = (try Points(thousandths: own * 10), try Points(thousandths: other * 10))
      try records[first].add(pointsFor: scored, against: conceded)
      try records[second].add(pointsFor: conceded, against: scored)
    }
  }

  mutating func play(using stream: inout WordStream) throws(LeagueError) {
    begin()
    for week in 0..<shape.weeks { try play(week: week, using: &stream) }
  }
}

/// A schedule by the circle method: everybody meets everybody once, then it repeats.
///
/// One seat stays fixed and the others rotate. With an odd number of teams the fixed seat is empty, and its opponent
/// has a bye.
///
/// Source: Kirkman, "On a problem in combinations", Cambridge and Dublin Mathematical Journal 2 (1847).
struct RoundRobin {
  struct Game: Equatable {
    let first: Int
    let second: Int
  }

  /// The weeks until everybody has met everybody: one less than the number of teams, or as many if that is odd.
  let cycle: [[Game]]

  /// With fewer than two teams the schedule has no games.
  init(teams: Int) {
    guard teams >= 2 else {
      cycle = [[]]
      return
    }
    let rotating = teams.isMultiple(of: 2) ? teams - 1 : teams
    cycle = (0..<rotating).map { week in
      let meetsFixedSeat = teams.isMultiple(of: 2) ? [Game(first: rotating, second: week)] : []
      return meetsFixedSeat
        + (1...max(1, rotating / 2)).compactMap { step in
          let (left, right) = ((week + step) % rotating, (week + rotating - step) % rotating)
          return left == right ? nil : Game(first: left, second: right)
        }
    }
  }

  /// The games of a week, counted from 0; every seat is in at most one of them.
  func games(in week: Int) -> [Game] { cycle[week % cycle.count] }
}
