// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Foundation
internal import Randomness

/// A person of a generated club, with the facts that a feed does not show.
struct ClubMember: Hashable, Sendable {
  /// The person's number, from 0: the ground truth behind shared names.
  let number: Int
  /// The number of the name in `NameBook`; several persons may have one.
  let nameNumber: Int
  let habits: Habits
  /// The weeks of membership, counted from the club's first week.
  let membership: Range<Int>
  /// Weeks without activities, counted from the club's first week, ascending and disjoint.
  let injuries: [Range<Int>]

  var name: AthleteName { NameBook.name(nameNumber) }

  var identity: MemberIdentity { MemberIdentity(name: name) }

  func isActive(in week: Int) -> Bool {
    membership.contains(week) && !injuries.contains { $0.contains(week) }
  }
}

struct Habits: Hashable, Sendable {
  /// A fixed way to work.
  struct Commute: Hashable, Sendable {
    /// The distance in decimetres.
    let distance: Int
    /// The moving time on a usual day, in seconds.
    let movingTime: Int
    /// The elevation gain in decimetres.
    let elevation: Int
    /// The share of the person's activities that are commutes.
    let share: Double
  }

  /// Mean activities in a week, over the year.
  let activitiesPerWeek: Double
  /// The natural logarithm of how much longer than average the person's activities are.
  let endurance: Double
  /// The natural logarithm of how much faster they are.
  let fitness: Double
  /// The natural logarithm of how much hillier they are.
  let hilliness: Double
  /// The share of activities that are not cycling.
  let otherShare: Double
  let bike: ClubSport
  let otherSport: ClubSport
  /// The usual hour of the day from Monday to Friday, by UTC.
  let weekdayHour: Double
  /// The share of activities at weekends.
  let weekendShare: Double
  let commute: Commute?
}

struct MemberDrawing: ~Copyable {
  private let shape: ClubShape
  private let names: NameSource
  private let activity: GammaDistribution

  init(_ shape: ClubShape) throws(RandomnessError) {
    // The mean is 1; it is multiplied by the club's average, which may be 0.
    let activity = try GammaDistribution(shape: shape.evenness, scale: 1 / shape.evenness)
    let names = try NameSource(shape)
    (self.shape, self.activity) = (shape, activity)
    self.names = names
  }

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
    // Some ride before work, more after it.
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

  /// The weeks of the person's membership: late joiners may also leave early.
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

  /// One of `choices`; `chances` are cumulative, without the last.
  private static func pick(_ unit: Double, of choices: [ClubSport], chances: [Double]) -> ClubSport {
    choices[chances.firstIndex { unit < $0 } ?? choices.count - 1]
  }
}

/// Distinct names for all numbers: an initial and a first name, from a list or, beyond it, several of them joined by
/// hyphens.
enum NameBook {
  static let initials = 26

  static func name(_ number: Int) -> AthleteName {
    AthleteName(first: firstName(number / initials), last: "\(letters[number % initials]).")
  }

  /// The first name of a number, by bijective numeration over the list.
  static func firstName(_ number: Int) -> String {
    var (rest, parts) = (number, [firstNames[number % firstNames.count]])
    while rest >= firstNames.count {
      rest = rest / firstNames.count - 1
      parts.append(firstNames[rest % firstNames.count])
    }
    return parts.reversed().joined(separator: "-")
  }

  private static let letters = (0..<initials).map { Character(Unicode.Scalar(UInt8(65 + $0))) }

  static let firstNames =
    """
    Tom Anna Sarah Jan Maria Paul Lena Tim Laura Max Julia Ben Lisa Nico Eva Lukas Nina Jonas Lea Felix Mia Leon Sofia \
    Finn Emma Noah Clara Elias Hanna Luca Marie David Ida Simon Lina Erik Ella Jakob Alina Oskar Paula Anton Greta \
    Karl Frida Emil Marta Theo Ines Hugo Carla Moritz Nora Philip Vera Adam Ruth Marc Iris Ralf Heike Uwe Silke Jens \
    Birgit Bernd Petra Klaus Sabine Dirk Anja Frank Tanja Sven Katja Lars Britta Olaf Imke Kai Wiebke Nils Maren Per \
    Astrid Ole Ingrid Arne Solveig Leif Sigrid Jack Emily Harry Grace Oliver Amelia George Freya Arthur Poppy Alfie \
    Ivy Henry Alice Oscar Florence Archie Daisy Freddie Rosie Theodore Matilda Jean Camille Louis Chloé Hugues Manon \
    Arnaud Inès Gaël Zoé Rémi Anaïs Loïc Maëlle Yann Élise Luc Margot Enzo Giulia Matteo Chiara Marco Elena Paolo \
    Francesca Sandro Bianca Diego Lucía Javier Carmen Pablo Alba Álvaro Irene Iker Nerea João Inácia Tiago Beatriz \
    Rui Leonor Piotr Zofia Paweł Agata Marek Ewa Tomasz Kinga Jakub Ola Milan Jana Petr Lenka Karel Hana Ondřej Eliška \
    Yuki Haruto Sakura Ren Aoi Wei Mei Jin Lan Minh Linh An Ravi Priya Arjun Anika Dev Maya Omar Layla Yusuf Amira \
    Sami Noor Tariq Zara
    """.split(separator: " ").map(String.init)
}

/// Draws the names of a club's members, as numbers of `NameBook`.
struct NameSource: ~Copyable {
  private let members: Int
  /// The share of members with somebody else's name; nil if names come from a list.
  private let shared: Double?
  private let firstNames: DiscreteDistribution
  private let initials: DiscreteDistribution

  init(_ shape: ClubShape) throws(RandomnessError) {
    let (shared, listed): (Double?, Int) =
      switch shape.names {
      case .list(let count): (nil, count)
      case .distinct(let share): (share, 1)
      }
    let firstNames = try DiscreteDistribution(weights: (0..<listed).map { 1 / Double($0 + 12) })
    let initials = try DiscreteDistribution(weights: Self.initialWeights)
    (members, self.shared) = (shape.members, shared)
    self.firstNames = firstNames
    self.initials = initials
  }

  /// Draws a name's number. A sharer takes the own name of somebody, who may have taken another: then nobody shares it.
  borrowing func draw(for person: Int, using dice: inout Dice) -> Int {
    guard let shared else { return dice.sample(firstNames) * NameBook.initials + dice.sample(initials) }
    guard members > 1, dice.chance(shared) else { return person }
    return (person + 1 + dice.below(members - 1)) % members
  }

  /// The approximate number of last names with each initial, per thousand.
  private static let initialWeights: [Double] = [
    34, 94, 65, 49, 21, 46, 52, 72, 8, 29, 63, 53, 91, 24, 15, 49, 2, 54, 108, 34, 5, 22, 70, 1, 6, 13,
  ]
}
