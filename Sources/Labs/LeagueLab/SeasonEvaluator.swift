// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import Randomness

/// Simulates blocks of seasons and compares both rankings with the teams' true strengths.
///
/// Every season is played three times: once, then with a new schedule, then with new scores and a new schedule. The
/// correlation of the final ranks of two plays is the share of their variance that the causes in common explain
/// (pick-freeze estimators: Sobol, "Sensitivity estimates for nonlinear mathematical models", Mathematical Modelling
/// and Computational Experiments 1 (1993)).
struct SeasonEvaluator: ~Copyable {
  private var season: SeasonSimulator
  private var generator: GSLGenerator
  private var stream: WordStream
  private var powerRanker = PowerRanker()
  // Ranks by win percentage alone, with the core's exact arithmetic and shared ranks.
  private var recordRanker = PowerRanker(weights: PowerWeights(winPercentage: 1, pointsFor: 0, pointsAgainst: 0))
  private var byStrength = RankVector()
  private var power = RankVector()
  private var otherPower = RankVector()
  // The ranks by record alone; `record` breaks ties by points.
  private var level = RankVector()
  private var record = RankVector()
  private var otherRecord = RankVector()
  private var order: [Int] = []
  private var strengthRanks: [Int] = []

  init(shape: LeagueShape, generator: String) throws(RandomnessError) {
    // Everything that can throw comes first: a noncopyable value must not be left partly initialised.
    let season = try SeasonSimulator(shape: shape)
    let words = try GSLGenerator(named: generator, seed: 1)
    let stream = try WordStream(named: generator, seed: 1)
    self.season = season
    self.generator = words
    self.stream = stream
  }

  /// `scoreSeed` determines strengths and scores, `fixtureSeed` schedules and ties.
  mutating func play(seasons: Int, scoreSeed: UInt32, fixtureSeed: UInt32, into tally: inout SeasonTally) throws {
    try generator.reseed(scoreSeed)
    try stream.reseed(fixtureSeed)
    season.resetSeats()
    for _ in 0..<seasons { try playSeason(into: &tally) }
  }

  private mutating func playSeason(into tally: inout SeasonTally) throws(LeagueError) {
    season.drawStrengths(using: &generator)
    let best = rankStrengths()
    season.drawScores(using: &generator)
    season.drawSeats(using: &stream)
    season.begin()
    for week in 0..<season.shape.weeks {
      try season.play(week: week, using: &stream)
      rank()
      count(week: week, best: best, into: &tally)
    }
    try replay(into: &tally)
  }

  /// Counts both rankings after a week.
  private func count(week: Int, best: Int, into tally: inout SeasonTally) {
    let (near, far) = (power.squaredDistance(to: byStrength), record.squaredDistance(to: byStrength))
    count(power, .power, distance: near, week: week, best: best, into: &tally)
    count(record, .record, distance: far, week: week, best: best, into: &tally)
    let lead = (power.ranks[best] == 1 ? 1 : 0) - (record.ranks[best] == 1 ? 1 : 0)
    tally.add(lead, to: .leadInBestIsFirst, of: .power, week: week)
    tally.add(far - near, to: .leadInCorrelation, of: .power, week: week)
    if level.first > 1 { tally.add(1, to: .firstIsDecidedByPoints, of: .record, week: week) }
    tally.add(level.sharingTeams, to: .teamsLevelOnRecord, of: .record, week: week)
  }

  private func count(
    _ vector: RankVector, _ ranking: LeagueEstimate.Ranking, distance: Int, week: Int, best: Int,
    into tally: inout SeasonTally
  ) {
    tally.add(vector.ranks[best], to: .rankOfBest, of: ranking, week: week)
    tally.add(distance, to: .correlation, of: ranking, week: week)
    if vector.ranks[best] == 1 { tally.add(1, to: .bestIsFirst, of: ranking, week: week) }
    if vector.sharingTeams > 0 { tally.add(1, to: .rankIsShared, of: ranking, week: week) }
    for (rank, strength) in zip(vector.ranks, byStrength.ranks) where rank == 1 && strength > 3 {
      tally.add(1, to: .firstIsNotAmongBestThree, of: ranking, week: week)
      break
    }
  }

  /// Plays the season twice more with new luck, and adds the squared distances of the final ranks.
  private mutating func replay(into tally: inout SeasonTally) throws(LeagueError) {
    swap(&power, &otherPower)
    swap(&record, &otherRecord)
    season.drawSeats(using: &stream)
    try season.play(using: &stream)
    rank()
    let newSchedule = (power.squaredDistance(to: otherPower), record.squaredDistance(to: otherRecord))
    season.drawScores(using: &generator)
    season.drawSeats(using: &stream)
    try season.play(using: &stream)
    rank()
    count(.power, newSeason: power.squaredDistance(to: otherPower), newSchedule: newSchedule.0, into: &tally)
    count(.record, newSeason: record.squaredDistance(to: otherRecord), newSchedule: newSchedule.1, into: &tally)
  }

  private func count(
    _ ranking: LeagueEstimate.Ranking, newSeason: Int, newSchedule: Int, into tally: inout SeasonTally
  ) {
    let week = season.shape.weeks - 1
    tally.add(newSeason, to: .varianceOfStrength, of: ranking, week: week)
    tally.add(newSeason - newSchedule, to: .varianceOfScores, of: ranking, week: week)
    tally.add(newSchedule, to: .varianceOfSchedule, of: ranking, week: week)
  }

  private mutating func rank() {
    powerRanker.rank(season.records)
    power.assign(powerRanker.ranks)
    recordRanker.rank(season.records)
    level.assign(recordRanker.ranks)
    record.assign(recordRanker.ranks, breakingTiesByPointsOf: season.records)
  }

  private mutating func rankStrengths() -> Int {
    let strengths = season.strengths
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: strengths.indices)
    order.sort { (strengths[$0], $1) > (strengths[$1], $0) }
    strengthRanks.removeAll(keepingCapacity: true)
    strengthRanks.append(contentsOf: order)
    for (index, team) in order.enumerated() { strengthRanks[team] = index + 1 }
    byStrength.assign(strengthRanks)
    return order.first ?? 0
  }
}

/// A ranking with reusable storage: ranks, and mid-ranks where teams share a rank.
struct RankVector {
  /// Each team's rank, from 1; teams that share a rank have the best of their places: 1, 2, 2, 4.
  private(set) var ranks: [Int] = []
  /// Twice each team's mid-rank, which is the mean of the places shared by its rank: 2, 5, 5, 8.
  private(set) var doubledMidRanks: [Int] = []
  /// The number of teams that share their rank with another.
  private(set) var sharingTeams = 0
  private var teamsAtRank: [Int] = []
  private var keys: [Int] = []
  private var broken: [Int] = []

  var first: Int { teamsAtRank.count > 1 ? teamsAtRank[1] : 0 }

  mutating func assign(_ ranks: [Int]) {
    self.ranks.removeAll(keepingCapacity: true)
    self.ranks.append(contentsOf: ranks)
    teamsAtRank.removeAll(keepingCapacity: true)
    teamsAtRank.append(contentsOf: repeatElement(0, count: ranks.count + 1))
    for rank in ranks { teamsAtRank[rank] += 1 }
    doubledMidRanks.removeAll(keepingCapacity: true)
    sharingTeams = 0
    for rank in ranks {
      doubledMidRanks.append(2 * rank + teamsAtRank[rank] - 1)
      if teamsAtRank[rank] > 1 { sharingTeams += 1 }
    }
  }

  /// Assigns ranks by record, with ties broken by points, as in standings.
  mutating func assign(_ ranks: [Int], breakingTiesByPointsOf records: [SeasonRecord]) {
    // The absolute points are below 2^40 thousandths, so they never outweigh a rank.
    keys.removeAll(keepingCapacity: true)
    for (rank, record) in zip(ranks, records) { keys.append(rank << 41 - record.pointsFor.thousandths) }
    broken.removeAll(keepingCapacity: true)
    for key in keys {
      var better = 0
      // The sign is -1 for a smaller key and else 0: a branch here would be mispredicted every other time.
      for other in keys { better &-= (other &- key) >> 63 }
      broken.append(1 + better)
    }
    assign(broken)
  }

  /// The sum of squared differences between doubled mid-ranks: four times the sum in Spearman's formula.
  func squaredDistance(to other: RankVector) -> Int {
    var sum = 0
    for (left, right) in zip(doubledMidRanks, other.doubledMidRanks) { sum += (left - right) * (left - right) }
    return sum
  }
}
