// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import Randomness

/// Plays seasons, week by week, in memory of its own.
///
/// A season is made of three things that can be drawn apart: how strong the teams are, what they score, and whom they
/// meet. Records are kept by the core, so wins balance losses and points for balance points against by construction.
struct SeasonPlayer {
  let shape: LeagueShape
  private let schedule: RoundRobin
  private let strength: GaussianDistribution
  private let luck: GaussianDistribution
  private let tieThreshold: UInt64

  /// How strong each team is: what it scores in a week on average.
  private(set) var strengths: [Double]
  /// The teams' records after the weeks played so far.
  private(set) var records: [SeasonRecord]
  /// What the teams scored, in hundredths of a point, week after week.
  private var scores: [Int]
  /// Which team sits on which seat of the schedule.
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

  /// Draws new teams.
  mutating func drawStrengths(using generator: inout GSLGenerator) {
    for team in strengths.indices { strengths[team] = strength.sample(using: &generator) }
  }

  /// Draws what every team scores in every week, to the hundredth, as most leagues count.
  mutating func drawScores(using generator: inout GSLGenerator) {
    for index in scores.indices {
      let score = strengths[index % shape.teams] + luck.sample(using: &generator)
      scores[index] = Int((score * 100).rounded())
    }
  }

  /// Takes every team to the seat of its own number, so that nothing played before shows in what is drawn next.
  mutating func resetSeats() {
    for team in seats.indices { seats[team] = team }
  }

  /// Draws who sits on which seat of the schedule.
  mutating func drawSeats(using stream: inout WordStream) {
    shuffle(&seats, using: &stream)
  }

  /// Goes back to the time before the first week; strengths, scores and seats stay.
  mutating func beginSeason() {
    for team in records.indices { records[team] = SeasonRecord() }
  }

  /// Plays one week: every team meets its opponent, or has a bye.
  ///
  /// - Parameters:
  ///   - week: From 0.
  ///   - stream: Draws which games are made level, at the mean of both scores.
  /// - Throws: What the core throws for points beyond its range, which no shape reaches.
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

  /// Plays all weeks from the first.
  mutating func playSeason(using stream: inout WordStream) throws(LeagueError) {
    beginSeason()
    for week in 0..<shape.weeks { try play(week: week, using: &stream) }
  }
}
