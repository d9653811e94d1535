// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import Randomness

/// Plays blocks of seasons and holds both rankings against the strengths that nobody in a real league knows.
///
/// Every season is played three times: as it is; with the schedule drawn again; and with scores and schedule drawn
/// again. How much the final ranks of two plays have in common is the share of their variance that comes from what the
/// plays share (pick-freeze estimators: Sobol, "Sensitivity estimates for nonlinear mathematical models", Mathematical
/// Modelling and Computational Experiments 1 (1993)).
struct SeasonJudge: ~Copyable {
  private var player: SeasonPlayer
  private var generator: GSLGenerator
  private var stream: WordStream
  private var powerRanker = PowerRanker()
  // The win percentage alone, by the core's own exact arithmetic and shared ranks.
  private var recordRanker = PowerRanker(weights: PowerWeights(winPercentage: 1, pointsFor: 0, pointsAgainst: 0))
  private var truth = Places()
  private var power = Places()
  private var otherPower = Places()
  // By record alone, and with ties broken by points.
  private var level = Places()
  private var record = Places()
  private var otherRecord = Places()
  private var order: [Int] = []
  private var strengthRanks: [Int] = []

  init(shape: LeagueShape, generator: String) throws(RandomnessError) {
    self.init(
      try SeasonPlayer(shape: shape), try GSLGenerator(named: generator, seed: 1),
      try WordStream(named: generator, seed: 1))
  }

  private init(_ player: SeasonPlayer, _ generator: consuming GSLGenerator, _ stream: consuming WordStream) {
    self.player = player
    self.generator = generator
    self.stream = stream
  }

  /// Plays seasons from two seeds.
  ///
  /// - Parameters:
  ///   - seasons: How many.
  ///   - scoreSeed: Determines strengths and scores.
  ///   - fixtureSeed: Determines schedules and ties.
  /// - Returns: What was counted.
  /// - Throws: Errors of the generator.
  mutating func play(seasons: Int, scoreSeed: UInt32, fixtureSeed: UInt32) throws -> SeasonTally {
    try generator.reseed(scoreSeed)
    try stream.reseed(fixtureSeed)
    player.resetSeats()
    var tally = SeasonTally(weeks: player.shape.weeks)
    for _ in 0..<seasons { try playSeason(into: &tally) }
    return tally
  }

  private mutating func playSeason(into tally: inout SeasonTally) throws(LeagueError) {
    tally.seasons += 1
    player.drawStrengths(using: &generator)
    let best = rankStrengths()
    player.drawScores(using: &generator)
    player.drawSeats(using: &stream)
    player.beginSeason()
    for week in 0..<player.shape.weeks {
      try player.play(week: week, using: &stream)
      rank()
      tally.weeks[week].add(power: power, record: record, level: level, truth: truth, best: best)
    }
    try replay(into: &tally)
  }

  /// Plays the season twice more under new luck, and counts how far the final ranks move.
  private mutating func replay(into tally: inout SeasonTally) throws(LeagueError) {
    swap(&power, &otherPower)
    swap(&record, &otherRecord)
    player.drawSeats(using: &stream)
    try player.playSeason(using: &stream)
    rank()
    let newSchedule = (power.squaredDistance(to: otherPower), record.squaredDistance(to: otherRecord))
    player.drawScores(using: &generator)
    player.drawSeats(using: &stream)
    try player.playSeason(using: &stream)
    rank()
    tally.power.add(newSeason: power.squaredDistance(to: otherPower), newSchedule: newSchedule.0)
    tally.record.add(newSeason: record.squaredDistance(to: otherRecord), newSchedule: newSchedule.1)
  }

  private mutating func rank() {
    powerRanker.rank(player.records)
    power.take(powerRanker.ranks)
    recordRanker.rank(player.records)
    level.take(recordRanker.ranks)
    record.take(recordRanker.ranks, breakingTiesByPointsOf: player.records)
  }

  /// Puts the teams in the order of their strengths, and returns the strongest.
  private mutating func rankStrengths() -> Int {
    let strengths = player.strengths
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: strengths.indices)
    order.sort { (strengths[$0], $1) > (strengths[$1], $0) }
    strengthRanks.removeAll(keepingCapacity: true)
    strengthRanks.append(contentsOf: order)
    for (place, team) in order.enumerated() { strengthRanks[team] = place + 1 }
    truth.take(strengthRanks)
    return order.first ?? 0
  }
}
