// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting

/// What is claimed about the club core: its sums, names, standings, trends, ledger, budget and decoding.
package enum ClubProperties {
  /// The claims about the code that ships, and the broken variants that they have to tell from it.
  package static let catalogue = PropertyCatalogue(
    core: "ClubCore", properties: all(of: .shipping),
    subjects: BrokenClub.all.map { BrokenSubject($0.name, $0.fault, properties: all(of: $0.operations)) })

  /// The properties of a variant, in the order of their numbers.
  static func all(of code: ClubOperations) -> [Property] {
    sums(of: code) + members(of: code) + ranks(of: code) + changes(of: code) + trends(of: code) + ledger(of: code)
      + budget(of: code) + decoding(of: code)
  }
}
