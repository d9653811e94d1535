// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A statement about the code under test, with the generators of its arguments.
///
/// It is a value: a test suite runs it with a hundred cases and the command line with a million.
///
/// ```swift
/// let order = Property(
///   "league.2", "The order of the teams never matters", reference: "ranking, order", arguments: ["teams", "order"],
///   teams, permutations
/// ) { teams, order in
///   try require(rank(teams) == rank(order.map { teams[$0] }), "the ranks differ")
/// }
/// ```
public struct Property: Sendable, Identifiable {
  /// The name, such as `league.2`, in replay tokens and on the command line.
  public let id: String
  /// The claim, as a sentence.
  public let sentence: String
  /// The source of the statement in a few words: a document or a rule; empty if it has none.
  public let reference: String
  /// The names of the arguments, in order; there may be fewer names than arguments.
  public let argumentNames: [String]
  /// True if only the property itself reproduces a failing case, so that a table of mutants must print its token.
  package private(set) var isShownByToken = false
  /// The file of the declaration, as given to the compiler.
  package let file: String
  /// The line of the declaration.
  package let line: Int
  private(set) var trial: Trial

  /// Creates a property whose body throws an error for a failing case, or returns a condition.
  ///
  /// - Parameters:
  ///   - id: A unique name.
  ///   - sentence: The claim, as a sentence.
  ///   - reference: The source of the statement, in a few words.
  ///   - arguments: The names of the arguments in reports, in order.
  ///   - a: The generator of the argument.
  ///   - file: The file of the declaration, to which build servers attach failures.
  ///   - line: The line of the declaration.
  ///   - body: Returns for a passing case; throws an error for a failing one, preferably by `require`, or returns
  ///     false; `assume` discards a case. Other results than a Bool are ignored.
  public init<A, Result>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ a: Gen<A>, file: String = #filePath, line: Int = #line, body: @escaping @Sendable (A) throws -> Result
  ) {
    self.init(id, sentence, reference, arguments, file, line, Trial(a, body: body))
  }

  // One declaration for each usual number of arguments, as for `search` and `check`: the compiler does not match a
  // closure's parameters with a pack of unknown length, and then tries every overload of every operator in the body.

  /// Creates a property of two arguments.
  public init<A, B, Result>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ a: Gen<A>, _ b: Gen<B>, file: String = #filePath, line: Int = #line,
    body: @escaping @Sendable (A, B) throws -> Result
  ) {
    self.init(id, sentence, reference, arguments, file, line, Trial(a, b, body: body))
  }

  /// Creates a property of three arguments.
  public init<A, B, C, Result>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, file: String = #filePath, line: Int = #line,
    body: @escaping @Sendable (A, B, C) throws -> Result
  ) {
    self.init(id, sentence, reference, arguments, file, line, Trial(a, b, c, body: body))
  }

  /// Creates a property of four arguments or more.
  ///
  /// With five and more, a body may have to name their types: `{ (a: Int, b: Int, c: Int, d: Int, e: Int) in`.
  public init<A, B, C, D, each More, Result>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ more: repeat Gen<each More>, file: String = #filePath,
    line: Int = #line,
    body: @escaping @Sendable (A, B, C, D, repeat each More) throws -> Result
  ) {
    self.init(id, sentence, reference, arguments, file, line, Trial(a, b, c, d, repeat each more, body: body))
  }

  private init(
    _ id: String, _ sentence: String, _ reference: String, _ arguments: [String], _ file: String, _ line: Int,
    _ trial: Trial
  ) {
    (self.id, self.sentence, self.reference) = (id, sentence, reference)
    (self.file, self.line) = (file, line)
    (argumentNames, self.trial) = (arguments, trial)
  }

  /// Creates a property of any number of arguments.
  ///
  /// Evaluating a case may block its thread if the body `waits` for other tasks.
  package init<each Value, Result>(
    _ id: String, _ sentence: String, of generators: repeat Gen<each Value>, waits: Bool = false,
    file: String = #filePath, line: Int = #line, body: @escaping @Sendable (repeat each Value) throws -> Result
  ) {
    self.init(id, sentence, "", [], file, line, Trial(repeat each generators, body: body))
    trial.waits = waits
  }

  /// The same property with `isShownByToken`: its messages do not reproduce a failing case.
  public var shownByToken: Property {
    var property = self
    property.isShownByToken = true
    return property
  }

  /// The same property with arguments that show their stored properties after their own descriptions.
  package var showingParts: Property {
    var property = self
    property.trial.showsParts = true
    return property
  }

  /// The arguments of the first cases of a check, which are drawn as in the check, but not evaluated.
  ///
  /// A body that draws values itself uses words of the check, so that its later cases differ.
  ///
  /// - Returns: The arguments, and the report with the number of discarded cases, or the obstacle.
  package func sampled(_ settings: CheckSettings) throws -> (cases: [[String]], report: CheckReport) {
    let sequences = Mutex<[ChoiceSequence]>([])
    var drawing = trial
    let attempt = trial.attempt
    drawing.attempt = { draws, isWanted in
      var isCase = false
      let outcome = attempt(&draws) { drawn in
        isCase = isWanted(drawn)
        return false
      }
      guard isCase, outcome == .declined else { return outcome }
      let choices = draws.choices
      sequences.withLock { $0.append(choices) }
      return .passed
    }
    var settings = settings
    settings.jobs = 1
    let report = try Checker(trial: drawing, settings: settings).run()
    var draws = ChoiceSource(seed: 0)
    let cases = sequences.withLock(\.self).map { choices in
      draws.begin(reading: choices)
      return trial.describe(&draws)
    }
    return (cases, report)
  }

  /// The arguments of a case, which is drawn but not evaluated.
  package func arguments(of token: ReplayToken) throws -> [String] {
    try token.belongs(to: self)
    var draws = ChoiceSource(seed: 0)
    draws.begin(reading: token.choices)
    var isFaithful = false
    _ = trial.attempt(&draws) { drawn in
      isFaithful = drawn.isFaithfulReplay
      return false
    }
    guard isFaithful else { throw CheckError.staleChoices(property: id) }
    draws.begin(reading: token.choices)
    return trial.describe(&draws)
  }

  /// The same property with another evaluation of its cases.
  func evaluating(_ trial: Trial) -> Property {
    var property = self
    property.trial = trial
    return property
  }

  /// A counterexample's arguments, each preceded by its name: `teams: [...]`.
  package func named(_ descriptions: [String]) -> [String] {
    descriptions.enumerated().map { position, description in
      argumentNames.indices.contains(position) ? "\(argumentNames[position]): \(description)" : description
    }
  }

  /// The arguments of a case as indented lines of a text.
  package func lines(of descriptions: [String]) -> [String] {
    named(descriptions).map { "  \(ReadableText.indented($0))" }
  }

  /// Tests the property; throws a `CheckError` for invalid settings.
  ///
  /// A case that ends the process, or exceeds `CheckSettings.caseLimit`, is printed on stderr first.
  public func check(_ settings: CheckSettings = CheckSettings()) throws -> CheckReport {
    try settings.validate()
    return try reportingTraps(caseLimit: settings.caseLimit, threads: settings.jobs) { token in
      token.map { ["token: \($0)"] } ?? []
    } _: {
      try $0.check(settings, in: CheckEnvironment())
    }
  }

  /// Tests the property when the caller reports traps.
  package func check(
    _ settings: CheckSettings = CheckSettings(), in environment: CheckEnvironment
  ) throws -> CheckReport {
    for text in settings.pinned {
      let token = ReplayToken(property: id, choices: try ReplayToken(parsing: text).choices)
      let outcome = try replay(token)
      if case .stale = outcome { throw CheckError.staleChoices(property: id) }
      if let report = CheckReport(replaying: self, outcome, of: token, settings: settings) { return report }
    }
    return try CheckReport.collecting(settings) { settings in
      try Checker(trial: trial, settings: settings, environment: environment, argumentNames: argumentNames).run()
    }
  }
}

extension Property {
  /// True if evaluating a case may block its thread.
  package var waits: Bool { trial.waits }

  /// Runs work that evaluates cases of the property, on a separate thread if that may wait.
  package func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    trial.waits ? try await onThreadOfItsOwn(work) : try work()
  }
}

/// Transfers the arguments of a case into the task that runs its body.
// The values are created for this case and passed on with it: nothing else holds them.
package struct UncheckedTransfer<Content>: @unchecked Sendable {
  package let content: Content

  package init(_ content: Content) { self.content = content }
}

/// Tests a statement about generated values.
///
/// ```swift
/// let report = try search(.arrays(of: Gen<Int>.integers())) { numbers in
///   try require(numbers.reversed() == numbers, "it reads differently backwards")
/// }
/// print(report.counterexample?.arguments)  // ["[0, 1]"]
/// ```
///
/// The body returns for a passing case and throws an error for a failing one, or it returns a Bool; `assume` discards a
/// case.
public func search<A, Result>(
  _ a: Gen<A>, settings: CheckSettings = CheckSettings(), fileID: String = #fileID, line: Int = #line,
  body: @escaping @Sendable (A) throws -> Result
) throws -> CheckReport {
  try Property("search", "search at \(fileID):\(line)", a, body: body).showingParts.check(settings)
}

/// Tests a statement about two values.
public func search<A, B, Result>(
  _ a: Gen<A>, _ b: Gen<B>, settings: CheckSettings = CheckSettings(), fileID: String = #fileID, line: Int = #line,
  body: @escaping @Sendable (A, B) throws -> Result
) throws -> CheckReport {
  try Property("search", "search at \(fileID):\(line)", a, b, body: body).showingParts.check(settings)
}

/// Tests a statement about three values.
public func search<A, B, C, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, settings: CheckSettings = CheckSettings(), fileID: String = #fileID,
  line: Int = #line, body: @escaping @Sendable (A, B, C) throws -> Result
) throws -> CheckReport {
  try Property("search", "search at \(fileID):\(line)", a, b, c, body: body).showingParts.check(settings)
}

/// Tests a statement about four values or more.
public func search<A, B, C, D, each More, Result>(
  _ a: Gen<A>, _ b: Gen<B>, _ c: Gen<C>, _ d: Gen<D>, _ more: repeat Gen<each More>,
  settings: CheckSettings = CheckSettings(), fileID: String = #fileID, line: Int = #line,
  body: @escaping @Sendable (A, B, C, D, repeat each More) throws -> Result
) throws -> CheckReport {
  try Property("search", "search at \(fileID):\(line)", a, b, c, d, repeat each more, body: body).showingParts.check(
    settings)
}

/// Tests a statement about values whose types the closure names; otherwise like the `search` of one generator.
///
/// ```swift
/// let report = try search { (number: Int, text: String) in text.count + 0 * number == text.count }
/// ```
public func search<A: Generable, each More: Generable, Result>(
  settings: CheckSettings = CheckSettings(), fileID: String = #fileID, line: Int = #line,
  body: @escaping @Sendable (A, repeat each More) throws -> Result
) throws -> CheckReport {
  try Property("search", "search at \(fileID):\(line)", of: A.generator, repeat (each More).generator, body: body)
    .check(settings)
}
