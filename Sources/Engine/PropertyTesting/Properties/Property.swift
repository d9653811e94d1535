// SPDX-License-Identifier: GPL-3.0-or-later

/// A statement about the code on trial, with the generators of what it speaks about.
///
/// It is a value: the test suite runs it a hundred times and the command line a million times.
///
/// ```swift
/// let order = Property(
///   "league.2", "The order of the teams never matters", reference: "ranking, order", arguments: ["teams", "order"],
///   teams, permutations
/// ) { teams, order in
///   try claim(rank(teams) == rank(order.map { teams[$0] }), "the ranks differ")
/// }
/// ```
public struct Property: Sendable, Identifiable {
  /// Its name, such as `league.2`: what replay tokens and the command line call it.
  public let id: String
  /// What is claimed, in a sentence.
  public let sentence: String
  /// Where the statement comes from, in a few words: the document or the rule; empty where it stands for itself.
  public let reference: String
  /// What the arguments are called, in order; there may be fewer names than arguments.
  public let argumentNames: [String]
  /// Whether a failing case is shown only by the property itself, so that a table of faults has to tell its token.
  public private(set) var isShownByToken = false
  let trial: Trial

  /// Creates a property whose body throws when it fails.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - reference: Where the statement comes from, in a few words.
  ///   - arguments: What the arguments are called in reports, in order.
  ///   - generators: What makes the arguments.
  ///   - body: Returns for a case that passes; throws for one that fails, best by `claim`; `assume` discards a case.
  public init<each Value>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ generators: repeat Gen<each Value>,
    body: @escaping @Sendable (repeat each Value) throws -> Void
  ) {
    self.id = id
    self.sentence = sentence
    self.reference = reference
    argumentNames = arguments
    trial = Trial(repeat each generators, body: body)
  }

  /// The same property, whose failing cases are shown by it alone: nothing in their messages shows them again.
  public var shownByToken: Property {
    var property = self
    property.isShownByToken = true
    return property
  }

  /// A counterexample's arguments, each after its name: `teams: [...]`.
  public func named(_ descriptions: [String]) -> [String] {
    descriptions.enumerated().map { position, description in
      argumentNames.indices.contains(position) ? "\(argumentNames[position]): \(description)" : description
    }
  }

  /// Tests the property.
  ///
  /// - Parameters:
  ///   - settings: How much, and how.
  ///   - environment: Who may stop it and who watches.
  /// - Returns: What came of it.
  /// - Throws: What is wrong with the settings, a `CheckError`.
  public func check(
    _ settings: CheckSettings = CheckSettings(), in environment: CheckEnvironment = CheckEnvironment()
  ) throws -> CheckReport {
    try Checker(trial, settings, environment, argumentNames: argumentNames).run()
  }
}
