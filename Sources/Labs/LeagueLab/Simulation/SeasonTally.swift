// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Statistics

/// What is counted of one ranking after one week, over all seasons.
struct RankingTally: MergeableTally, Equatable {
  /// Seasons in which the best team stands first, alone or with others.
  var bestIsFirst = 0
  /// Seasons in which a team stands first that is not among the best three.
  var firstIsNotAmongBestThree = 0
  /// Seasons in which teams share a rank.
  var rankIsShared = 0
  /// The best team's rank.
  var rankOfBest = MomentTally()
  /// The squared distance from the order of strengths, as `Places.squaredDistance(to:)` has it.
  var distance = MomentTally()

  /// Counts one season.
  mutating func add(_ places: Places, distance: Int, truth: Places, best: Int) {
    rankOfBest.add(places.ranks[best])
    if places.ranks[best] == 1 { bestIsFirst += 1 }
    for (rank, strength) in zip(places.ranks, truth.ranks) where rank == 1 && strength > 3 {
      firstIsNotAmongBestThree += 1
      break
    }
    if places.sharing > 0 { rankIsShared += 1 }
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

/// What is counted after one week.
struct WeekTally: MergeableTally, Equatable {
  /// Of the power ranking.
  var power = RankingTally()
  /// Of the ranking by record, with points to break ties.
  var record = RankingTally()
  /// Seasons in which several teams have the best record, so that points decide who stands first.
  var firstIsDecidedByPoints = 0
  /// Teams whose record another team of the league has too.
  var teamsLevelOnRecord = MomentTally()

  /// 1 where only the power ranking has the best team first, -1 where only the ranking by record has.
  var leadInBestIsFirst = MomentTally()
  /// How much farther the ranking by record is from the order of strengths than the power ranking.
  var leadInDistance = MomentTally()

  /// Counts one season.
  ///
  /// - Parameters:
  ///   - power: The power ranking.
  ///   - record: The ranking by record, with points to break ties.
  ///   - level: The ranking by record before points broke ties.
  ///   - truth: The ranking by strength.
  ///   - best: The strongest team.
  mutating func add(power: Places, record: Places, level: Places, truth: Places, best: Int) {
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
  var newSeason = MomentTally()
  /// Only the schedule, and which games are made level, drawn again.
  var newSchedule = MomentTally()
  /// The first less the second, season by season.
  var difference = MomentTally()

  /// Counts one season.
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
  /// How many seasons.
  var seasons = 0
  /// Week by week.
  var weeks: [WeekTally]
  /// The power ranking's final ranks under new luck.
  var power = LuckTally()
  /// The final ranks by record under new luck.
  var record = LuckTally()

  /// No season yet.
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
