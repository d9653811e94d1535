// SPDX-License-Identifier: GPL-3.0-or-later

/// A statement about the code under test, with the generators of its arguments.
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
  /// Whether a failing case is shown only by the property itself, so that a table of mutants has to print its token.
  package private(set) var isShownByToken = false
  /// The file that declares it, as the compiler was given it.
  package let file: String
  /// The line of that file.
  package let line: Int
  let trial: Trial

  /// Creates a property whose body throws when it fails.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - reference: Where the statement comes from, in a few words.
  ///   - arguments: What the arguments are called in reports, in order.
  ///   - generators: What makes the arguments.
  ///   - file: The file that declares it: build servers show there what fails.
  ///   - line: The line of that file.
  ///   - body: Returns for a case that passes; throws for one that fails, best by `claim`; `assume` discards a case.
  public init<each Value>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ generators: repeat Gen<each Value>, file: String = #filePath, line: Int = #line,
    body: @escaping @Sendable (repeat each Value) throws -> Void
  ) {
    (self.id, self.sentence, self.reference, argumentNames) = (id, sentence, reference, arguments)
    (self.file, self.line) = (file, line)
    trial = Trial(repeat each generators, body: body)
  }

  /// The same property, whose failing cases are shown by it alone: nothing in their messages shows them again.
  package var shownByToken: Property {
    var property = self
    property.isShownByToken = true
    return property
  }

  /// A counterexample's arguments, each after its name: `teams: [...]`.
  package func named(_ descriptions: [String]) -> [String] {
    descriptions.enumerated().map { position, description in
      argumentNames.indices.contains(position) ? "\(argumentNames[position]): \(description)" : description
    }
  }

  /// Tests the property; throws a `CheckError` for settings that make no sense.
  public func check(_ settings: CheckSettings = CheckSettings()) throws -> CheckReport {
    try check(settings, in: CheckEnvironment())
  }

  package func check(
    _ settings: CheckSettings = CheckSettings(), in environment: CheckEnvironment
  ) throws -> CheckReport {
    try Checker(trial: trial, settings: settings, environment: environment, argumentNames: argumentNames).run()
  }
}

extension Property {
  /// Creates a property whose body has to wait for something, such as an actor, and throws when it fails.
  @_disfavoredOverload
  public init<each Value>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ generators: repeat Gen<each Value>, file: String = #filePath, line: Int = #line,
    body: @escaping @Sendable @concurrent (repeat each Value) async throws -> Void
  ) {
    self.init(
      id, sentence, reference: reference, arguments: arguments, repeat each generators, file: file, line: line,
      evaluating: { (_: Void) in }, body: body)
  }

  /// The same with a body that returns something; `evaluate` throws when that means that the case fails.
  @_disfavoredOverload
  package init<Result, each Value>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ generators: repeat Gen<each Value>, file: String = #filePath, line: Int = #line,
    evaluating evaluate: @escaping @Sendable (Result) throws -> Void,
    body: @escaping @Sendable @concurrent (repeat each Value) async throws -> Result
  ) {
    (self.id, self.sentence, self.reference, argumentNames) = (id, sentence, reference, arguments)
    (self.file, self.line) = (file, line)
    trial = Trial(repeat each generators, evaluating: evaluate, awaiting: body)
  }

  /// Tests the property from asynchronous code, on a thread of its own if its body waits for anything; throws
  /// `CancellationError` when the task is cancelled.
  public func checkAsync(_ settings: CheckSettings = CheckSettings()) async throws -> CheckReport {
    try await perform { try check(settings) }
  }

  /// Runs work that evaluates cases of the property, on a thread of its own if that may wait.
  package func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    trial.waits ? try await onThreadOfItsOwn(work) : try work()
  }
}

extension Trial {
  /// Creates a trial whose body is asynchronous: the thread that evaluates a case runs the body's jobs, and waits for
  /// those that run elsewhere.
  init<Result, each Value>(
    _ generators: repeat Gen<each Value>, evaluating evaluate: @escaping @Sendable (Result) throws -> Void = { _ in },
    awaiting body: @escaping @Sendable @concurrent (repeat each Value) async throws -> Result
  ) {
    self.init(repeat each generators) { (values: repeat each Value) in
      let values = Handover((repeat each values))
      try waiting { try evaluate(await body(repeat each values.content)) }
    }
    waits = true
  }
}

/// Takes the arguments of a case into the task that runs its body.
// The values are made for this one case and given away with it: nothing else holds them.
private struct Handover<Content>: @unchecked Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }
}

/// Tests a statement about values that generators make.
///
/// ```swift
/// let report = try search(.arrays(of: Gen<Int>.integers())) { numbers in
///   try claim(numbers.reversed() == numbers, "it reads differently backwards")
/// }
/// print(report.counterexample?.arguments)  // ["[0, 1]"]
/// ```
///
/// The body returns for a case that passes and throws for one that fails; `assume` discards a case.
public func search<each Value>(
  _ generators: repeat Gen<each Value>, settings: CheckSettings = CheckSettings(),
  body: @escaping @Sendable (repeat each Value) throws -> Void
) throws -> CheckReport {
  try Checker(trial: Trial(repeat each generators, body: body), settings: settings).run()
}
