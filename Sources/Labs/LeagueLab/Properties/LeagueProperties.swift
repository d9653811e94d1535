// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting

/// What is claimed about the league core's records and its power ranking.
package enum LeagueProperties {
  /// The claims about the code that ships, and the broken variants that they have to tell from it.
  package static let catalogue = PropertyCatalogue(
    core: "LeagueCore", properties: all(of: .shipping),
    subjects: BrokenLeague.all.map { BrokenSubject($0.name, $0.fault, properties: all(of: $0.operations)) },
    notPromised: notPromised(of: .shipping))

  /// The properties of a variant, in the order of their numbers.
  static func all(of code: LeagueOperations) -> [Property] {
    scores(of: code) + ranks(of: code) + comparisons(of: code) + changes(of: code) + records(of: code)
  }
}
