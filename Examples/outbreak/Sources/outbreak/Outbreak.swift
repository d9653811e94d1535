// SPDX-License-Identifier: GPL-3.0-or-later
import Workbench

/// The chain of Reed and Frost: who is ill infects each person with the same chance, and is immune the next day.
struct Town: SampledExperiment {
  static let kind = "outbreak.town"
  static let summary = "An infection in a town, and how far it spreads."

  var people = 60
  var contact = 0.03
  var immune = 0.0

  static let parameters: [Parameter<Self>] = [
    Parameter("people", \.people, .count(2...200), "People of the town.", example: "100"),
    Parameter("contact", \.contact, .number(0...0.9), "The chance that a case infects a person.", example: "0.02"),
    Parameter("immune", \.immune, .number(0...0.9), "The share of people who are immune.", example: "30%"),
  ]

  /// A sample has the new cases of each day, from the first case on.
  static let measures: [SampleMeasure<[Double]>] = [
    .mean("cases", "Cases of an outbreak.", unit: "people") { $0.reduce(0, +) },
    .exact("cases.exact", "The same, computed day by day.", unit: "people", \Town.expectedCases),
    .ratio("passed", "Cases that a case infects.", { $0.reduce(-1, +) }, over: { $0.reduce(0, +) }),
    .series("new", "New cases.", unit: "people", at: 0...30, along: "day") { $1 < $0.count ? $0[$1] : 0 },
  ]

  /// A worker's memory of who can be infected.
  func scratch() -> [Bool] { Array(repeating: false, count: people) }

  func sample(_ random: inout RandomStream, _ canBeInfected: inout [Bool]) -> [Double] {
    // Each part has its own stream, with a draw for every person, so that two settings meet the same people.
    var vaccine = random.substream("vaccine")
    var meetings = random.substream("meetings")
    for person in 1..<people { canBeInfected[person] = !vaccine.happens(immune) }
    var days = [1.0]
    while let ill = days.last, ill > 0 {
      let chance = chance(ofMeeting: Int(ill))
      var infected = 0.0
      for person in 1..<people where meetings.happens(chance) && canBeInfected[person] {
        canBeInfected[person] = false
        infected += 1
      }
      days.append(infected)
    }
    return days
  }

  /// The chance that some of the people who are ill infect a person.
  private func chance(ofMeeting ill: Int) -> Double { 1 - (0..<ill).reduce(1) { escape, _ in escape * (1 - contact) } }

  /// The mean number of cases, by the binomial distribution of each day's new cases.
  var expectedCases: Double {
    func mean(of value: (Int) -> Double, trials: Int, chance: Double) -> Double {
      if chance == 1 { return value(trials) }
      var (term, sum) = ((0..<trials).reduce(1) { term, _ in term * (1 - chance) }, 0.0)
      for count in 0...trials {
        sum += term * value(count)
        term *= Double(trials - count) / Double(count + 1) * chance / (1 - chance)
      }
      return sum
    }
    /// Later cases by the number of people who can be infected, and of those who are ill.
    var later = Array(repeating: Array(repeating: 0.0, count: people), count: people)
    for left in 1..<people {
      for ill in 1..<people {
        later[left][ill] = mean(
          of: { Double($0) + later[left - $0][$0] }, trials: left, chance: chance(ofMeeting: ill))
      }
    }
    return 1 + mean(of: { later[people - 1 - $0][1] }, trials: people - 1, chance: immune)
  }
}

@main struct Outbreak: WorkbenchProgram {
  static let experiments: [any Experiment.Type] = [Town.self]
}
