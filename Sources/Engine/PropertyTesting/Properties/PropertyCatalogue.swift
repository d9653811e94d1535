// SPDX-License-Identifier: GPL-3.0-or-later

/// What is claimed about one core, and the mutants of the core by which the claims are tested themselves.
///
/// ```swift
/// static let catalogue = PropertyCatalogue(
///   core: "Sorting", production: Sorting(), properties: properties(of:),
///   mutants: [
///     Mutation("drops-equals", "equal numbers are dropped", caughtBy: "sort.1", within: 50, smallest: ["[0, 0]"]) {
///       $0.sort = { Array(Set($0)).sorted() }
///     }
///   ])
/// ```
public struct PropertyCatalogue: Sendable {
  /// The core that the properties are about, such as `BlackjackCore`.
  public let core: String
  /// The properties of the production code, in the order of their numbers.
  public let properties: [Property]
  /// The mutants, each with the same properties.
  public let mutants: [Mutant]
  /// Statements that one might expect to hold and that do not, kept for their smallest counterexamples.
  public let notPromised: [Property]

  /// Creates a catalogue.
  ///
  /// - Parameters:
  ///   - core: The core that the properties are about.
  ///   - production: The operations of the code that ships.
  ///   - properties: The claims about given operations, in the order of their numbers.
  ///   - mutants: What to change in the production code, once for each mutant.
  ///   - notPromised: Statements that do not hold.
  public init<Operations>(
    core: String, production: Operations, properties: (Operations) -> [Property], mutants: [Mutation<Operations>],
    notPromised: [Property] = []
  ) {
    self.init(
      core: core, properties: properties(production),
      subjects: mutants.map { mutation in
        var operations = production
        mutation.change(&operations)
        return Mutant(
          mutation.name, mutation.fault, expectation: mutation.expectation, properties: properties(operations))
      },
      notPromised: notPromised)
  }

  package init(core: String, properties: [Property], subjects: [Mutant] = [], notPromised: [Property] = []) {
    self.core = core
    self.properties = properties
    self.mutants = subjects
    self.notPromised = notPromised
  }

  package var subjects: [Mutant] { mutants }

  /// The property of that id, promised or not, if the catalogue has it.
  public func property(_ id: String) -> Property? { (properties + notPromised).first { $0.id == id } }

  /// The mutant of that name, if the catalogue has it.
  public func mutant(_ name: String) -> Mutant? { mutants.first { $0.name == name } }

  package func subject(_ name: String) -> Mutant? { mutant(name) }

  /// The same catalogue with the properties of those ids alone, for the production code and for each mutant.
  package func keeping(_ ids: Set<String>) -> PropertyCatalogue {
    func kept(_ properties: [Property]) -> [Property] { properties.filter { ids.contains($0.id) } }
    return PropertyCatalogue(
      core: core, properties: kept(properties),
      subjects: mutants.map {
        Mutant($0.name, $0.fault, expectation: $0.expectation, properties: kept($0.properties))
      },
      notPromised: notPromised)
  }
}
