// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Foundation
internal import Randomness

/// Draws what persons do in one week.
struct ActivityDrawing {
  private let shape: ClubShape
  private let week: Int
  /// How much more than usual is done at that time of the year.
  let season: Double
  /// The share of rides that happen indoors at that time of the year.
  private let indoors: Double
  /// What is left of the standard deviations of speed and climb once the distance is known.
  private let (speedRest, climbRest): (Double, Double)

  init(_ shape: ClubShape, week: Int) {
    (self.shape, self.week) = (shape, week)
    let date = CivilDate(day: shape.week(week).monday + 3)
    let dayOfYear = date.day - CivilDate(year: date.year, month: 1, dayOfMonth: 1).day
    // The middle of July is day 196.
    let height = cos(2 * .pi * Double(dayOfYear - 196) / 365.25)
    season = 1 + shape.seasonality * height
    indoors = max(0, -0.6 * height * shape.seasonality)
    speedRest = (1 - shape.speedCorrelation * shape.speedCorrelation).squareRoot()
    climbRest = (1 - shape.climbCorrelation * shape.climbCorrelation).squareRoot()
  }

  /// Hands over what a person does in the week, in no order.
  func draw(
    _ member: ClubMember, using dice: inout Dice, into activities: inout [TrueActivity]
  ) throws(RandomnessError) {
    guard member.isActive(in: week) else { return }
    let mean = member.habits.activitiesPerWeek * season
    let count = dice.sample(
      try NegativeBinomialDistribution(
        successes: shape.regularity, probability: shape.regularity / (shape.regularity + mean)))
    let first = activities.count
    defer { Self.part(&activities[first...]) }
    for _ in 0..<count {
      if let commute = member.habits.commute, dice.chance(commute.share) {
        activities.append(ride(commute, of: member, using: &dice))
      } else {
        activities.append(activity(of: member, using: &dice))
      }
    }
  }

  /// Moves activities that a person would have to do at the same time behind one another, as far as the week goes. In
  /// weeks too full for that nothing is moved.
  private static func part(_ activities: inout ArraySlice<TrueActivity>) {
    guard (2...30).contains(activities.count) else { return }
    activities.sort { $0.secondOfWeek < $1.secondOfWeek }
    var free: UInt32 = 0
    for index in activities.indices {
      if activities[index].secondOfWeek < free && free < 604_800 { activities[index].secondOfWeek = free }
      let one = activities[index]
      // Nobody waits for a watch that runs on.
      if one.elapsedTime < 3 * one.movingTime + 3600 { free = max(free, one.secondOfWeek + one.elapsedTime) }
    }
  }

  /// The way to work or back. Every other time it is the usual one to the decimetre and the second.
  private func ride(_ commute: Habits.Commute, of member: ClubMember, using dice: inout Dice) -> TrueActivity {
    let hour = (dice.chance(0.5) ? 7.2 : 16.8) + 0.3 * dice.normal()
    let second = Self.second(day: dice.below(5), hour: hour)
    let isUsual = dice.chance(0.5)
    let detour = isUsual ? 0 : dice.below(400)
    let moving = isUsual ? commute.movingTime : commute.movingTime + dice.below(1 + commute.movingTime / 6)
    return TrueActivity(
      person: UInt32(member.number), week: UInt16(week), sport: .ride, isCommute: true, secondOfWeek: second,
      distance: UInt32(commute.distance + detour), movingTime: UInt32(moving),
      elapsedTime: UInt32(isUsual ? moving : moving + dice.below(300)), elevation: UInt32(commute.elevation))
  }

  private func activity(of member: ClubMember, using dice: inout Dice) -> TrueActivity {
    let habits = member.habits
    let sport = sport(by: habits, using: &dice)
    let profile = sport.profile
    let second = second(by: habits, using: &dice)
    // One normal variate is the distance's; speed and climb take part of it over, which correlates them.
    let length = dice.normal()
    let pace = shape.speedCorrelation * length + speedRest * dice.normal()
    let scale = exp(habits.endurance + profile.distanceDeviation * length)
    let metres = min(profile.distance * scale, 2_000_000)
    let speed = profile.speed * exp(habits.fitness + profile.speedDeviation * pace)
    let moving = max(60, profile.distance > 0 ? metres / speed : ClubSport.workoutTime * scale)
    var climb = 0.0
    if profile.climb > 0 {
      let steepness = shape.climbCorrelation * length + climbRest * dice.normal()
      climb = metres / 1000 * profile.climb * exp(habits.hilliness + profile.climbDeviation * steepness)
    }
    let rest = moving * 0.12 * -log1p(-dice.unit())
    // A watch that nobody stopped runs on for up to two days.
    let forgotten = dice.chance(0.001) ? 172_800 * dice.unit() : 0
    return TrueActivity(
      person: UInt32(member.number), week: UInt16(week), sport: sport, isCommute: false, secondOfWeek: second,
      distance: UInt32(metres * 10 + 0.5), movingTime: UInt32(min(moving, 10_000_000)),
      elapsedTime: UInt32(min(moving + rest + forgotten, 20_000_000)), elevation: UInt32(min(climb, 50_000) * 10))
  }

  private func sport(by habits: Habits, using dice: inout Dice) -> ClubSport {
    if dice.chance(habits.otherShare) {
      return dice.chance(0.75) ? habits.otherSport : ClubSport.others[dice.below(ClubSport.others.count)]
    }
    if dice.chance(indoors) { return .virtualRide }
    return dice.chance(0.8) ? habits.bike : .ride
  }

  private func second(by habits: Habits, using dice: inout Dice) -> UInt32 {
    let unit = dice.unit()
    guard unit >= habits.weekendShare else {
      return Self.second(day: unit < habits.weekendShare / 2 ? 5 : 6, hour: 9.5 + 2 * dice.normal())
    }
    let day = Int((unit - habits.weekendShare) / (1 - habits.weekendShare) * 5)
    return Self.second(day: min(day, 4), hour: habits.weekdayHour + 0.8 * dice.normal())
  }

  /// The second of the week, within the day whatever the hour.
  private static func second(day: Int, hour: Double) -> UInt32 {
    UInt32(day * 86_400 + Int(min(max(hour, 0) * 3600, 86_399)))
  }
}
