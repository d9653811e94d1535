// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Foundation
import Testing

@testable import ClubLab

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
    let shape = try ClubShape(members: Self.count, weeks: 20, newcomers: 0.3, leavers: 0.2, commuters: 0.25)
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
    let shape = try ClubShape(members: 4000, weeks: 400, injuries: 0.02, injuryWeeks: 4, newcomers: 0, leavers: 0)
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

  @Test("where names come from a list, pairs of one name are as many as the birthday effect makes them")
  func birthdays() throws {
    let (first, size) = (100, 800)
    let frequencies = (0..<first).map { 1 / Double($0 + 12) }
    let whole = frequencies.reduce(0, +)
    // The initials' frequencies, estimated by themselves from a hundred times as many members.
    let many = try members(ClubShape(members: 200_000, names: .list(firstNames: first)), seed: 99)
    var initials = Array(repeating: 0.0, count: NameBook.initials)
    for member in many { initials[member.nameNumber % NameBook.initials] += 1 / 200_000 }
    func moment(_ power: Double) -> Double {
      frequencies.reduce(0) { $0 + pow($1 / whole, power) } * initials.reduce(0) { $0 + pow($1, power) }
    }
    let (two, three) = (moment(2), moment(3))
    var pairs = Deviation()
    let n = Double(size)
    for seed in UInt64(1)...40 {
      let names = try members(ClubShape(members: size, names: .list(firstNames: first)), seed: seed).map(\.nameNumber)
      let found = Dictionary(grouping: names, by: \.self).values.reduce(0) { $0 + $1.count * ($1.count - 1) / 2 }
      pairs.add(
        Double(found), expected: n * (n - 1) / 2 * two,
        variance: n * (n - 1) / 2 * two * (1 - two) + n * (n - 1) * (n - 2) * (three - two * two))
    }
    #expect(pairs.isPlausible, "\(pairs.sigmas)")
  }
}
