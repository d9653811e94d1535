// SPDX-License-Identifier: GPL-3.0-or-later

/// What is claimed about one core, and the broken variants that the claims have to tell from it.
public struct PropertyCatalogue: Sendable {
  /// The core that the properties speak about, such as `BlackjackCore`.
  public let core: String
  /// The properties of the code that ships, in the order of their numbers.
  public let properties: [Property]
  /// The broken variants, each with the same properties.
  public let subjects: [BrokenSubject]
  /// Statements that one might expect to hold and that do not, kept for their smallest counterexamples.
  public let notPromised: [Property]

  /// Creates a catalogue.
  public init(
    core: String, properties: [Property], subjects: [BrokenSubject], notPromised: [Property] = []
  ) {
    self.core = core
    self.properties = properties
    self.subjects = subjects
    self.notPromised = notPromised
  }

  /// The property of that id, promised or not, if the catalogue has it.
  public func property(_ id: String) -> Property? { (properties + notPromised).first { $0.id == id } }

  /// The broken subject of that name, if the catalogue has it.
  public func subject(_ name: String) -> BrokenSubject? { subjects.first { $0.name == name } }
}
