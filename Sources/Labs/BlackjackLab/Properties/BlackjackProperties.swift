// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting

/// What is claimed about the blackjack core, and about the exact analyser that is the second witness to it.
package enum BlackjackProperties {
  /// The claims about the code that ships, and the broken variants that they have to tell from it.
  package static let catalogue = PropertyCatalogue(
    core: "BlackjackCore", properties: all(of: .shipping),
    subjects: BrokenBlackjack.all.map { BrokenSubject($0.name, $0.fault, properties: all(of: $0.operations)) })

  /// The properties of a variant, in the order of their numbers.
  static func all(of code: BlackjackOperations) -> [Property] {
    hands(of: code) + charts(of: code) + names(of: code) + payoffs(of: code) + moves(of: code) + shoes(of: code)
      + values(of: code)
      + files(of: code)
  }
}
