// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Draws the names of a club's members, as numbers of `NameBook`.
struct NameSource: ~Copyable {
  private let members: Int
  /// The share of members with somebody else's name; nil where names come from a list.
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

  /// The name of a person.
  ///
  /// Whoever shares a name takes the own name of somebody else, who may have taken another one: then nobody shares it.
  borrowing func draw(for person: Int, using dice: inout Dice) -> Int {
    guard let shared else { return dice.sample(firstNames) * NameBook.initials + dice.sample(initials) }
    guard members > 1, dice.chance(shared) else { return person }
    return (person + 1 + dice.below(members - 1)) % members
  }

  /// How many of a thousand last names begin with each letter, roughly.
  private static let initialWeights: [Double] = [
    34, 94, 65, 49, 21, 46, 52, 72, 8, 29, 63, 53, 91, 24, 15, 49, 2, 54, 108, 34, 5, 22, 70, 1, 6, 13,
  ]
}
