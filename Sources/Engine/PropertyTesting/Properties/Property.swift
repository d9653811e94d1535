// SPDX-License-Identifier: GPL-3.0-or-later

/// A statement about the code on trial, with the generators of what it speaks about.
///
/// It is a value: the test suite runs it a hundred times and the command line a million times.
///
/// ```swift
/// let order = Property("league.2", "The order of the teams never matters", teams, permutations) { teams, order in
///   try claim(rank(teams) == rank(order.map { teams[$0] }), "the ranks differ")
/// }
/// ```
public struct Property: Sendable, Identifiable {
  /// Its name, such as `league.2`: what replay tokens and the command line call it.
  public let id: String
  /// What is claimed, in a sentence.
  public let sentence: String
  /// What the arguments are called in reports; those without a name have a number.
  public let argumentNames: [String]
  let trial: Trial

  /// Creates a property whose body throws when it fails.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - generators: What makes the arguments.
  ///   - arguments: What the arguments are called in reports.
  ///   - body: Returns for a case that passes; throws for one that fails, best by `claim`; `assume` discards a case.
  public init<each Value>(
    _ id: String, _ sentence: String, _ generators: repeat Gen<each Value>,
    arguments: [String] = [], body: @escaping @Sendable (repeat each Value) throws -> Void
  ) {
    self.id = id
    self.sentence = sentence
    argumentNames = arguments
    trial = Trial(repeat each generators, body: body)
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
