// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Randomness

/// Draws persons with their habits.
struct MemberDrawing: ~Copyable {
  private let shape: ClubShape
  private let names: NameSource
  private let activity: GammaDistribution

  init(_ shape: ClubShape) throws(RandomnessError) {
    // Its mean is 1: what the club does on average is multiplied with it, and may be nothing.
    let activity = try GammaDistribution(shape: shape.evenness, scale: 1 / shape.evenness)
    let names = try NameSource(shape)
    (self.shape, self.activity) = (shape, activity)
    self.names = names
  }

  /// The next person.
  borrowing func draw(_ number: Int, using dice: inout Dice) -> ClubMember {
    let name = names.draw(for: number, using: &dice)
    let habits = habits(using: &dice)
    let membership = membership(using: &dice)
    return ClubMember(
      number: number, nameNumber: name, habits: habits, membership: membership,
      injuries: injuries(within: membership, using: &dice))
  }

  private borrowing func habits(using dice: inout Dice) -> Habits {
    let mean = shape.activitiesPerWeek * dice.sample(activity)
    let (endurance, fitness, hilliness) = (0.30 * dice.normal(), 0.12 * dice.normal(), 0.40 * dice.normal())
    let otherShare = 2 * shape.otherSports * dice.unit()
    let bike = Self.pick(dice.unit(), of: ClubSport.bikes, chances: [0.72, 0.84, 0.93])
    let other = Self.pick(dice.unit(), of: ClubSport.others, chances: [0.5, 0.7, 0.8, 0.87, 0.94])
    // Some go before work, more go after it.
    let hour = dice.chance(0.3) ? 6.5 + 0.6 * dice.normal() : 17.3 + dice.normal()
    let weekend = 0.25 + 0.4 * dice.unit()
    let commute = dice.chance(shape.commuters) ? Self.commute(fitness: fitness, using: &dice) : nil
    return Habits(
      activitiesPerWeek: mean, endurance: endurance, fitness: fitness, hilliness: hilliness, otherShare: otherShare,
      bike: bike, otherSport: other, weekdayHour: hour, weekendShare: weekend, commute: commute)
  }

  private static func commute(fitness: Double, using dice: inout Dice) -> Habits.Commute {
    let metres = min(60_000, 7000 * exp(0.5 * dice.normal()))
    let speed = 5.6 * exp(fitness)
    return Habits.Commute(
      distance: Int(metres * 10), movingTime: Int(metres / speed) + 1,
      elevation: Int(metres * 0.06 * dice.unit()), share: 0.3 + 0.4 * dice.unit())
  }

  /// From when to when the person belongs to the club: whoever comes late and leaves early is there in between.
  private borrowing func membership(using dice: inout Dice) -> Range<Int> {
    let weeks = shape.weeks
    let first = dice.chance(shape.newcomers) && weeks > 1 ? 1 + dice.below(weeks - 1) : 0
    let end = dice.chance(shape.leavers) && first + 1 < weeks ? first + 1 + dice.below(weeks - first - 1) : weeks
    return first..<end
  }

  private borrowing func injuries(within membership: Range<Int>, using dice: inout Dice) -> [Range<Int>] {
    guard shape.injuries > 0 else { return [] }
    var (injuries, week): ([Range<Int>], Int) = ([], membership.lowerBound)
    while true {
      let start = week + dice.failures(beforeSuccessOf: shape.injuries)
      guard start < membership.upperBound else { return injuries }
      week = start + 1 + dice.failures(beforeSuccessOf: 1 / shape.injuryWeeks)
      injuries.append(start..<min(week, membership.upperBound))
    }
  }

  /// One of some, by the chances of being among the first one, the first two and so on.
  static func pick(_ unit: Double, of choices: [ClubSport], chances: [Double]) -> ClubSport {
    choices[chances.firstIndex { unit < $0 } ?? choices.count - 1]
  }
}
