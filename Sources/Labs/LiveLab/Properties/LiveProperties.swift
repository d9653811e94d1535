// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting

/// What is claimed about the live core: the connection, and the policies that it follows.
package enum LiveProperties {
  /// The claims about the code that ships, and the broken variants that they have to tell from it.
  package static let catalogue = PropertyCatalogue(
    core: "LiveCore", properties: all(of: LiveSubjects.production),
    subjects: LiveSubjects.broken.map { BrokenSubject($0.name, $0.fault, properties: all(of: $0)) }
      + BrokenPolicy.all.map {
        BrokenSubject($0.name, $0.fault, properties: all(of: LiveSubjects.production, $0.operations))
      })

  /// The properties of a client and of policies, in the order of their numbers.
  static func all(of variant: LiveVariant, _ policies: LiveOperations = .shipping) -> [Property] {
    sessions(of: variant.type, named: variant.name) + waits(of: policies) + answers(of: policies)
      + continuity(of: policies) + [dates(of: variant.type)]
  }
}
