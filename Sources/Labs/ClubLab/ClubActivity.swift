// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import CoreDates
internal import Foundation
internal import Randomness

/// An activity of the ground truth, with its person and its time.
struct TrueActivity: Hashable, Sendable {
  /// The person, by `ClubMember.number`.
  let person: UInt32
  /// The week, counted from the club's first week.
  let week: UInt16
  let sport: ClubSport
  let isCommute: Bool
  /// Seconds since the week began, by UTC.
  var secondOfWeek: UInt32
  /// The distance in decimetres.
  let distance: UInt32
  /// Seconds in motion.
  let movingTime: UInt32
  /// Seconds from start to end.
  let elapsedTime: UInt32
  /// The elevation gain in decimetres.
  let elevation: UInt32

  func start(in shape: ClubShape) -> Moment {
    Moment(seconds: shape.week(Int(week)).monday * 86_400 + Int(secondOfWeek))
  }

  /// The activity as the core represents it; `isDated` for feeds with start times.
  func activity(of member: ClubMember, in shape: ClubShape, isDated: Bool = false) -> Activity {
    Activity(
      member: member.identity, title: title, sport: sport.sport,
      distance: Length(decimetres: Int(distance)) ?? .zero, movingTime: Int(movingTime),
      elapsedTime: Int(elapsedTime), elevation: Length(decimetres: Int(elevation)) ?? .zero,
      start: isDated ? start(in: shape) : nil)
  }

  /// The title that the service gives by default, such as `Morning Ride`.
  var title: String {
    let part =
      switch secondOfWeek % 86_400 / 3600 {
      case 4..<11: "Morning"
      case 11..<14: "Lunch"
      case 14..<18: "Afternoon"
      case 18..<22: "Evening"
      default: "Night"
      }
    return "\(part) \(Self.nouns[Int(sport.rawValue)])"
  }

  private static let nouns = [
    "Ride", "Gravel Ride", "Mountain Bike Ride", "E-Bike Ride", "Virtual Ride", "Run", "Trail Run", "Walk", "Hike",
    "Swim", "Workout",
  ]
}

enum ClubSport: UInt8, CaseIterable, Hashable, Sendable {
  case ride, gravelRide, mountainBikeRide, eBikeRide, virtualRide
  case run, trailRun, walk, hike, swim, workout

  /// Outdoor bicycles, most frequent first.
  static let bikes: [ClubSport] = [.ride, .gravelRide, .mountainBikeRide, .eBikeRide]
  /// The other sports of cyclists, most frequent first.
  static let others: [ClubSport] = [.run, .walk, .hike, .trailRun, .swim, .workout]

  var sport: Sport { Self.words[Int(rawValue)] }

  private static let words = [
    "Ride", "GravelRide", "MountainBikeRide", "EBikeRide", "VirtualRide", "Run", "TrailRun", "Walk", "Hike", "Swim",
    "Workout",
  ].map(Sport.init)

  var isCycling: Bool { rawValue <= Self.virtualRide.rawValue }

  /// The activities of an average person.
  struct Profile: Hashable, Sendable {
    /// The median distance in metres; 0 for a sport without distance.
    let distance: Double
    /// The standard deviation of the distance's natural logarithm; of the time's for a sport without distance.
    let distanceDeviation: Double
    /// The median speed in metres per second.
    let speed: Double
    /// The standard deviation of the speed's natural logarithm.
    let speedDeviation: Double
    /// The median climb in metres per kilometre.
    let climb: Double
    /// The standard deviation of the climb's natural logarithm, given the distance.
    static let climbDeviation = 0.5
  }

  var profile: Profile { Self.profiles[Int(rawValue)] }

  /// A workout's speed turns its median of 45 minutes into a distance, which is not used as one.
  private static let profiles: [Profile] = [
    (32_000, 0.50, 6.9, 0.12, 8), (38_000, 0.45, 5.6, 0.13, 11), (22_000, 0.45, 4.2, 0.16, 20),
    (26_000, 0.45, 5.8, 0.12, 9), (27_000, 0.35, 8.2, 0.10, 9), (8_000, 0.42, 2.9, 0.10, 6),
    (10_000, 0.45, 2.4, 0.14, 22), (5_000, 0.45, 1.4, 0.10, 5), (11_000, 0.45, 1.1, 0.14, 40),
    (1_800, 0.35, 0.8, 0.10, 0), (0, 0.40, 1, 0, 0),
  ].map {
    Profile(distance: $0, distanceDeviation: $1, speed: $2, speedDeviation: $3, climb: $4)
  }

  /// The median time in seconds of a sport without distance.
  static let workoutTime = 2700.0
}

struct ActivityDrawing {
  private let shape: ClubShape
  private let week: Int
  /// The seasonal factor on the number of activities.
  let season: Double
  /// The share of rides that happen indoors in this season.
  private let indoors: Double
  /// The standard deviations of speed and climb given the distance, relative to the unconditional ones.
  private let (speedRest, climbRest): (Double, Double)

  init(_ shape: ClubShape, week: Int) {
    (self.shape, self.week) = (shape, week)
    let date = CivilDate(day: shape.week(week).monday + 3)
    let dayOfYear = date.day - CivilDate(year: date.year, month: 1, dayOfMonth: 1).day
    // Day 196 is the middle of July.
    let height = cos(2 * .pi * Double(dayOfYear - 196) / 365.25)
    season = 1 + shape.seasonality * height
    indoors = max(0, -0.6 * height * shape.seasonality)
    speedRest = (1 - shape.speedCorrelation * shape.speedCorrelation).squareRoot()
    climbRest = (1 - shape.climbCorrelation * shape.climbCorrelation).squareRoot()
  }

  func draw(
    _ member: ClubMember, using dice: inout Dice, into activities: inout [TrueActivity]
  ) throws(RandomnessError) {
    guard member.isActive(in: week) else { return }
    let mean = member.habits.activitiesPerWeek * season
    let count = dice.sample(
      try NegativeBinomialDistribution(
        successes: shape.regularity, probability: shape.regularity / (shape.regularity + mean)))
    let first = activities.count
    defer { Self.separate(&activities[first...]) }
    for _ in 0..<count {
      if let commute = member.habits.commute, dice.chance(commute.share) {
        activities.append(ride(commute, of: member, using: &dice))
      } else {
        activities.append(activity(of: member, using: &dice))
      }
    }
  }

  /// Moves a person's overlapping activities behind one another within the week; does nothing if the week is too full.
  private static func separate(_ activities: inout ArraySlice<TrueActivity>) {
    guard (2...30).contains(activities.count) else { return }
    activities.sort { $0.secondOfWeek < $1.secondOfWeek }
    var free: UInt32 = 0
    for index in activities.indices {
      if activities[index].secondOfWeek < free && free < 604_800 { activities[index].secondOfWeek = free }
      let one = activities[index]
      // A watch that was left running does not delay the next activity.
      if one.elapsedTime < 3 * one.movingTime + 3600 { free = max(free, one.secondOfWeek + one.elapsedTime) }
    }
  }

  /// A commute; half of them have exactly the usual decimetres and seconds.
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
    // Speed and climb share part of the distance's normal variate, so that they correlate with it.
    let length = dice.normal()
    let pace = shape.speedCorrelation * length + speedRest * dice.normal()
    let scale = exp(habits.endurance + profile.distanceDeviation * length)
    let metres = min(profile.distance * scale, 2_000_000)
    let speed = profile.speed * exp(habits.fitness + profile.speedDeviation * pace)
    let moving = max(60, profile.distance > 0 ? metres / speed : ClubSport.workoutTime * scale)
    var climb = 0.0
    if profile.climb > 0 {
      let steepness = shape.climbCorrelation * length + climbRest * dice.normal()
      climb = metres / 1000 * profile.climb * exp(habits.hilliness + ClubSport.Profile.climbDeviation * steepness)
    }
    let rest = moving * 0.12 * -log1p(-dice.unit())
    // A watch left running adds up to two days.
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

  /// The second of the week, clamped to the day.
  private static func second(day: Int, hour: Double) -> UInt32 {
    UInt32(day * 86_400 + Int(min(max(hour, 0) * 3600, 86_399)))
  }
}
