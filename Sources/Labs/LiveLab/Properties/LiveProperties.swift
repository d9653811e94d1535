// SPDX-License-Identifier: GPL-3.0-or-later
public import PropertyTesting

/// What is claimed about the live core: the connection, and the policies that it follows.
public enum LiveProperties {
  /// The claims about the code that ships, and the broken variants that they have to tell from it.
  public static let catalogue = PropertyCatalogue(
    core: "LiveCore", properties: all(of: LiveSubjects.production),
    subjects: LiveSubjects.broken.map { BrokenSubject($0.name, $0.fault, properties: all(of: $0)) })

  /// The properties of a variant, in the order of their numbers.
  static func all(of variant: LiveVariant) -> [Property] {
    sessions(of: variant.type, named: variant.name)
  }
}
