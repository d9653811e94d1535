// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Statistics

/// One ranking after one week, counted over all seasons.
struct RankingTally: MergeableTally, Equatable {
  /// Alone or with others.
  private(set) var bestIsFirst = 0
  private(set) var firstIsNotAmongBestThree = 0
  private(set) var rankIsShared = 0
  private(set) var rankOfBest = MomentTally()
  /// From the order of strengths, as `RankVector.squaredDistance(to:)` has it.
  private(set) var distance = MomentTally()

  mutating func add(_ ranking: RankVector, distance: Int, truth: RankVector, best: Int) {
    rankOfBest.add(ranking.ranks[best])
    if ranking.ranks[best] == 1 { bestIsFirst += 1 }
    for (rank, strength) in zip(ranking.ranks, truth.ranks) where rank == 1 && strength > 3 {
      firstIsNotAmongBestThree += 1
      break
    }
    if ranking.sharing > 0 { rankIsShared += 1 }
    self.distance.add(distance)
  }

  mutating func merge(_ other: RankingTally) {
    bestIsFirst += other.bestIsFirst
    firstIsNotAmongBestThree += other.firstIsNotAmongBestThree
    rankIsShared += other.rankIsShared
    rankOfBest.merge(other.rankOfBest)
    distance.merge(other.distance)
  }
}

/// One week, counted over all seasons.
struct WeekTally: MergeableTally, Equatable {
  private(set) var power = RankingTally()
  private(set) var record = RankingTally()
  /// Seasons in which several teams have the best record.
  private(set) var firstIsDecidedByPoints = 0
  /// Teams whose record another team of the league has too.
  private(set) var teamsLevelOnRecord = MomentTally()
  /// 1 where only the power ranking has the best team first, -1 where only the ranking by record has.
  private(set) var leadInBestIsFirst = MomentTally()
  /// How much farther the ranking by record is from the order of strengths than the power ranking.
  private(set) var leadInDistance = MomentTally()

  /// Counts one season; `level` is the ranking by record before points broke ties.
  mutating func add(power: RankVector, record: RankVector, level: RankVector, truth: RankVector, best: Int) {
    let (near, far) = (power.squaredDistance(to: truth), record.squaredDistance(to: truth))
    self.power.add(power, distance: near, truth: truth, best: best)
    self.record.add(record, distance: far, truth: truth, best: best)
    if level.first > 1 { firstIsDecidedByPoints += 1 }
    teamsLevelOnRecord.add(level.sharing)
    leadInBestIsFirst.add((power.ranks[best] == 1 ? 1 : 0) - (record.ranks[best] == 1 ? 1 : 0))
    leadInDistance.add(far - near)
  }

  mutating func merge(_ other: WeekTally) {
    power.merge(other.power)
    record.merge(other.record)
    leadInBestIsFirst.merge(other.leadInBestIsFirst)
    leadInDistance.merge(other.leadInDistance)
    firstIsDecidedByPoints += other.firstIsDecidedByPoints
    teamsLevelOnRecord.merge(other.teamsLevelOnRecord)
  }
}

/// How far final ranks move when part of the luck is drawn again: squared distances between doubled mid-ranks.
struct LuckTally: MergeableTally, Equatable {
  /// Everything but the strengths drawn again.
  private(set) var newSeason = MomentTally()
  /// Only the schedule, and which games are made level, drawn again.
  private(set) var newSchedule = MomentTally()
  /// The first less the second, season by season.
  private(set) var difference = MomentTally()

  mutating func add(newSeason: Int, newSchedule: Int) {
    self.newSeason.add(newSeason)
    self.newSchedule.add(newSchedule)
    difference.add(newSeason - newSchedule)
  }

  mutating func merge(_ other: LuckTally) {
    newSeason.merge(other.newSeason)
    newSchedule.merge(other.newSchedule)
    difference.merge(other.difference)
  }
}

/// Everything that seasons add up to; whole numbers only.
struct SeasonTally: MergeableTally, Equatable {
  var seasons = 0
  var weeks: [WeekTally]
  var power = LuckTally()
  var record = LuckTally()

  init(weeks: Int) {
    self.weeks = Array(repeating: WeekTally(), count: weeks)
  }

  mutating func merge(_ other: SeasonTally) {
    seasons += other.seasons
    for week in weeks.indices { weeks[week].merge(other.weeks[week]) }
    power.merge(other.power)
    record.merge(other.record)
  }
}
