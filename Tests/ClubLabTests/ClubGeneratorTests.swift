// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Foundation
import TestSupport
import Testing

@testable import ClubLab

@Suite("The generator of clubs")
struct ClubGeneratorTests {
  @Test("a block of a week is the same, whatever was read before")
  func anyOrder() throws {
    let club = try ClubGenerator(ClubShape(members: 2500, weeks: 3), seed: 1)
    var reader = try ClubReader(club)
    var fresh = try ClubReader(club)
    let last = try reader.members(inBlock: 2)
    _ = try reader.members(inBlock: 0)
    let activities = try reader.activities(inWeek: 2, block: 2, of: last)
    #expect(!activities.isEmpty)
    #expect(try fresh.activities(inWeek: 2, block: 2, of: last) == activities)
    #expect(try fresh.members(inBlock: 2) == last)
    #expect(last.map(\.number) == Array(2048..<2500))
  }

  @Test("every activity lies in its week, belongs to a person who is there and able, and is one the core can hold")
  func plausible() throws {
    let shape = ClubShape(members: 2000, weeks: 30, injuries: 0.05, newcomers: 0.5, leavers: 0.5)
    let club = try ClubGenerator(shape, seed: 3)
    let members = try club.members()
    for week in [0, 13, 29] {
      let activities = try club.activities(inWeek: week, of: members)
      #expect(activities.count > 1000)
      for one in activities {
        let member = members[Int(one.person)]
        #expect(member.isActive(in: week))
        #expect(WeekCalendar.utc.week(of: one.start(in: shape)) == shape.week(week))
        let activity = one.activity(of: member, in: shape, isDated: true)
        #expect(
          activity.distance.decimetres == Int(one.distance) && activity.elevation.decimetres == Int(one.elevation))
        #expect(activity.movingTime > 0 && activity.elapsedTime >= activity.movingTime)
        #expect(activity.elapsedTime <= Activity.maxSeconds)
      }
      #expect(activities.map(\.secondOfWeek) == activities.map(\.secondOfWeek).sorted())
    }
  }
}

@Suite("The shape of a club")
struct ClubShapeTests {
  @Test("the extremes of every value make a club: nobody does anything, everybody is injured, all share names")
  func extremes() throws {
    let idle = ClubShape(members: 30, weeks: 2, activitiesPerWeek: 0)
    let injured = ClubShape(members: 30, weeks: 2, injuries: 1, injuryWeeks: 1)
    for shape in [idle, injured] {
      let club = try ClubGenerator(shape, seed: 1)
      let members = try club.members()
      #expect(members.count == 30)
      #expect(try club.activities(inWeek: 0, of: members).isEmpty)
    }
    let busy = ClubShape(
      members: 3, weeks: 1, activitiesPerWeek: 1000, evenness: 1000, regularity: 0.05, seasonality: 0.9,
      otherSports: 0.5, speedCorrelation: -1, climbCorrelation: 1, injuries: 0, newcomers: 1, leavers: 1,
      commuters: 1, names: .distinct(shared: 1))
    let club = try ClubGenerator(busy, seed: 4)
    let members = try club.members()
    #expect(members.allSatisfy { $0.membership == 0..<1 })
    #expect(members.allSatisfy { $0.nameNumber != $0.number && (0..<3).contains($0.nameNumber) })
  }
}

@Suite("Names by number")
struct NameBookTests {
  @Test("three hundred thousand numbers give as many names, as the core distinguishes names")
  func distinct() {
    let names = Set((0..<300_000).map(NameBook.name))
    #expect(names.count == 300_000)
  }

  @Test("a name is a listed one first, and two with a hyphen once the list is used up")
  func spelling() {
    #expect(NameBook.name(0).description == "Tom A.")
    #expect(NameBook.name(27).description == "Anna B.")
    let listed = NameBook.firstNames.count
    let beyond = listed * NameBook.initials
    #expect(NameBook.name(beyond - 1).description == "Zara Z.")
    #expect(NameBook.name(beyond).description == "Tom-Tom A.")
    #expect(NameBook.name(beyond + 26).description == "Tom-Anna A.")
    #expect(NameBook.firstName(listed * (listed + 1)) == "Tom-Tom-Tom")
  }
}

@Suite("What invented members do in a week")
struct WeekDistributionTests {
  /// All activities of some weeks, with those who did them.
  private func play(
    _ shape: ClubShape, weeks: [Int], seed: UInt64 = 5
  ) throws -> (members: [ClubMember], weeks: [[TrueActivity]]) {
    let club = try ClubGenerator(shape, seed: seed)
    let members = try club.members()
    return (members, try weeks.map { try club.activities(inWeek: $0, of: members) })
  }

  private static func correlation(_ pairs: [(Double, Double)]) -> Double {
    let n = Double(pairs.count)
    let (x, y) = (pairs.reduce(0) { $0 + $1.0 } / n, pairs.reduce(0) { $0 + $1.1 } / n)
    let products = pairs.reduce((0.0, 0.0, 0.0)) { sum, pair in
      let (a, b) = (pair.0 - x, pair.1 - y)
      return (sum.0 + a * b, sum.1 + a * a, sum.2 + b * b)
    }
    return products.0 / (products.1 * products.2).squareRoot()
  }

  @Test("a week's count is negative binomial around the member's own mean: mean and variance", arguments: [1, 2.5, 20])
  func counts(regularity: Double) throws {
    let shape = ClubShape(
      members: 5000, weeks: 4, activitiesPerWeek: 3, evenness: 2, regularity: regularity, seasonality: 0, injuries: 0,
      newcomers: 0, leavers: 0)
    let (members, weeks) = try play(shape, weeks: [0, 1, 2, 3])
    var (mean, squares) = (Deviation(), [Double]())
    for week in weeks {
      var counts = Array(repeating: 0, count: members.count)
      for one in week { counts[Int(one.person)] += 1 }
      for (member, count) in zip(members, counts) {
        let expected = member.habits.activitiesPerWeek
        let variance = expected + expected * expected / regularity
        mean.add(Double(count), expected: expected, variance: variance)
        squares.append(pow(Double(count) - expected, 2) / variance)
      }
    }
    #expect(mean.isPlausible, "\(mean.sigmas)")
    let average = squares.reduce(0, +) / Double(squares.count)
    let spread = squares.reduce(0) { $0 + pow($1 - average, 2) } / Double(squares.count)
    #expect(abs(average - 1) < 4.5 * (spread / Double(squares.count)).squareRoot(), "\(average)")
  }

  @Test("January is as far below the year's mean as July is above it")
  func seasons() throws {
    let shape = ClubShape(
      members: 4000, weeks: 30, activitiesPerWeek: 3, evenness: 50, seasonality: 0.5, injuries: 0, newcomers: 0,
      leavers: 0)
    let (members, weeks) = try play(shape, weeks: [0, 28])
    for (week, height) in zip(weeks, [-1.0, 1.0]) {
      // Monday, 2026-01-05, and Monday, 2026-07-20, are within eight days of the extremes: the cosine is beyond 0.97.
      var deviation = Deviation()
      let factor = 1 + 0.5 * height * 0.985
      let mean = members.reduce(0) { $0 + $1.habits.activitiesPerWeek } * factor
      let squares = members.reduce(0) { $0 + pow($1.habits.activitiesPerWeek * factor, 2) }
      deviation.add(Double(week.count), expected: mean, variance: mean + squares / 2.5 + pow(0.01 * mean, 2))
      #expect(deviation.isPlausible, "\(deviation.sigmas)")
    }
    let indoors = weeks.map { week in week.count { $0.sport == .virtualRide } }
    #expect(indoors[0] > 500 && indoors[1] == 0)
  }

  @Test(
    "distances are lognormal around the person's own median, sport by sport", arguments: [ClubSport.ride, .run, .walk])
  func distances(sport: ClubSport) throws {
    let (members, weeks) = try play(ClubShape(members: 5000, weeks: 2, activitiesPerWeek: 7), weeks: [0, 1])
    let profile = sport.profile
    let sample = weeks.joined().filter { $0.sport == sport && !$0.isCommute }.map { one in
      (log(Double(one.distance) / 10 / profile.distance) - members[Int(one.person)].habits.endurance)
        / profile.distanceDeviation
    }
    #expect(sample.count > 1000)
    let test = KolmogorovSmirnovTest(sample: sample) { 0.5 * erfc(-$0 / 2.0.squareRoot()) }
    #expect(test.pValue > 1e-4, "\(test)")
  }

  @Test("speed and climb are correlated with distance as asked for", arguments: [(0.3, 0.4), (-0.5, 0.8), (0, 0)])
  func correlations(speed: Double, climb: Double) throws {
    let shape = ClubShape(
      members: 4000, weeks: 1, activitiesPerWeek: 8, speedCorrelation: speed, climbCorrelation: climb, commuters: 0)
    let (members, weeks) = try play(shape, weeks: [0])
    var (speeds, climbs): ([(Double, Double)], [(Double, Double)]) = ([], [])
    for one in weeks[0] where one.sport == .ride && one.elevation > 0 {
      let (habits, profile) = (members[Int(one.person)].habits, one.sport.profile)
      let distance = log(Double(one.distance) / profile.distance) - habits.endurance
      speeds.append((distance, log(Double(one.distance) / Double(one.movingTime)) - habits.fitness))
      climbs.append((distance, log(Double(one.elevation) / Double(one.distance)) - habits.hilliness))
    }
    // Fisher's transformation of a correlation is normal, with the variance 1 / (n - 3).
    for (pairs, expected) in [(speeds, speed), (climbs, climb)] {
      #expect(pairs.count > 5000)
      let difference = atanh(Self.correlation(pairs)) - atanh(expected)
      #expect(abs(difference) * Double(pairs.count - 3).squareRoot() < 4.5, "\(Self.correlation(pairs))")
    }
  }

  @Test("weekends have the share that the person's habits give them")
  func weekends() throws {
    let (members, weeks) = try play(
      ClubShape(members: 3000, weeks: 1, activitiesPerWeek: 5, commuters: 0), weeks: [0])
    var deviation = Deviation()
    for one in weeks[0] {
      deviation.add(one.secondOfWeek >= 5 * 86_400, chance: members[Int(one.person)].habits.weekendShare)
    }
    #expect(deviation.isPlausible, "\(deviation.sigmas)")
  }

  @Test("every other commute is the usual one to the decimetre and the second, from Monday to Friday")
  func commutes() throws {
    let (members, weeks) = try play(
      ClubShape(members: 3000, weeks: 1, activitiesPerWeek: 5, commuters: 1), weeks: [0])
    var (usual, share) = (Deviation(), Deviation())
    for one in weeks[0] {
      let commute = try #require(members[Int(one.person)].habits.commute)
      share.add(one.isCommute, chance: commute.share)
      guard one.isCommute else { continue }
      #expect(one.secondOfWeek < 5 * 86_400)
      let isUsual = Int(one.distance) == commute.distance && Int(one.movingTime) == commute.movingTime
      // One of 400 detours has no length, and few of those take no time.
      usual.add(isUsual, chance: 0.5)
    }
    #expect(usual.isPlausible && share.isPlausible, "\(usual.sigmas) \(share.sigmas)")
  }

  @Test("a member's activities do not overlap if the week has room and no watch ran on")
  func oneAfterTheOther() throws {
    let shape = ClubShape(members: 3000, weeks: 1, names: .distinct(shared: 0))
    let (_, weeks) = try play(shape, weeks: [0])
    var overlaps = 0
    for (_, own) in Dictionary(grouping: weeks[0], by: \.person) where own.count <= 30 {
      for (first, second) in zip(own, own.dropFirst()) where first.elapsedTime < 3 * first.movingTime + 3600 {
        if first.secondOfWeek + first.elapsedTime > second.secondOfWeek { overlaps += 1 }
      }
    }
    #expect(overlaps * 1000 < weeks[0].count, "\(overlaps) of \(weeks[0].count)")
  }
}

@Suite("The habits of invented members")
struct HabitTests {
  private static let count = 40_000

  private func members(_ shape: ClubShape, seed: UInt64 = 11) throws -> [ClubMember] {
    try ClubGenerator(shape, seed: seed).members()
  }

  @Test("members' own means are gamma: their mean and their spread are those asked for", arguments: [0.5, 0.8, 4])
  func skewed(evenness: Double) throws {
    let means = try members(ClubShape(members: Self.count, activitiesPerWeek: 3, evenness: evenness))
      .map { $0.habits.activitiesPerWeek / 3 }
    var (mean, spread) = (Deviation(), Deviation())
    for value in means {
      mean.add(value, expected: 1, variance: 1 / evenness)
      // The fourth central moment of a gamma of mean 1 and shape k is 3 / k^2 + 6 / k^3.
      let fourth = 3 / (evenness * evenness) + 6 / (evenness * evenness * evenness)
      spread.add((value - 1) * (value - 1), expected: 1 / evenness, variance: fourth - 1 / (evenness * evenness))
    }
    #expect(mean.isPlausible, "\(mean.sigmas)")
    #expect(spread.isPlausible, "\(spread.sigmas)")
  }

  @Test("newcomers, leavers and commuters are as many as asked for, and stay for a week at least")
  func comingAndGoing() throws {
    let shape = ClubShape(members: Self.count, weeks: 20, newcomers: 0.3, leavers: 0.2, commuters: 0.25)
    var (newcomers, leavers, commuters) = (Deviation(), Deviation(), Deviation())
    for member in try members(shape) {
      #expect(!member.membership.isEmpty && member.membership.upperBound <= 20)
      newcomers.add(member.membership.lowerBound > 0, chance: 0.3)
      // Who joins in the last week can leave in no earlier one.
      if member.membership.lowerBound < 19 { leavers.add(member.membership.upperBound < 20, chance: 0.2) }
      commuters.add(member.habits.commute != nil, chance: 0.25)
    }
    #expect(newcomers.isPlausible && leavers.isPlausible && commuters.isPlausible)
  }

  @Test("able members get injured at the rate asked for, for as long as asked for on average")
  func injuries() throws {
    let shape = ClubShape(members: 4000, weeks: 400, injuries: 0.02, injuryWeeks: 4, newcomers: 0, leavers: 0)
    var (rate, length) = (Deviation(), Deviation())
    for member in try members(shape) {
      let injured = member.injuries.reduce(0) { $0 + $1.count }
      #expect(zip(member.injuries, member.injuries.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
      let trials = 400 - injured + member.injuries.count
      rate.add(Double(member.injuries.count), expected: 0.02 * Double(trials), variance: 0.02 * 0.98 * Double(trials))
      // Injuries that the last week may have cut off would look too short.
      for injury in member.injuries where injury.lowerBound < 300 {
        length.add(Double(injury.count), expected: 4, variance: 12)
      }
    }
    #expect(rate.isPlausible, "\(rate.sigmas)")
    #expect(length.isPlausible, "\(length.sigmas)")
  }

  @Test("where everybody has a name of their own, as many as asked for bear somebody else's")
  func sharedNames() throws {
    var shared = Deviation()
    for member in try members(ClubShape(members: Self.count, names: .distinct(shared: 0.05))) {
      shared.add(member.nameNumber != member.number, chance: 0.05)
    }
    #expect(shared.isPlausible, "\(shared.sigmas)")
    #expect(
      try members(ClubShape(members: 3000, names: .distinct(shared: 0))).allSatisfy { $0.nameNumber == $0.number })
  }
}

/// How far a sum is from what it should be, in standard deviations. With fixed seeds a test that asks for less than 4.5
/// holds for good; of tests of something true, one in 150,000 seeds would not hold.
struct Deviation {
  private var (difference, variance) = (0.0, 0.0)

  /// Adds one observation to the sum.
  mutating func add(_ value: Double, expected: Double, variance: Double) {
    difference += value - expected
    self.variance += variance
  }

  /// Adds one trial.
  mutating func add(_ success: Bool, chance: Double) {
    add(success ? 1 : 0, expected: chance, variance: chance * (1 - chance))
  }

  var sigmas: Double { abs(difference) / variance.squareRoot() }

  /// True if the sum is what it should be, as far as that many observations tell.
  var isPlausible: Bool { variance > 0 && sigmas < 4.5 }
}
