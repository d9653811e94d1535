// SPDX-License-Identifier: GPL-3.0-or-later

/// Tests a statement that has to wait for something, such as an actor.
///
/// The cases are drawn and shrunk one after the other on a thread of their own; the body sees the caller's task-local
/// values. Under a virtual clock a synchronous body is enough: `VirtualClock.run` returns when its own has ended.
///
/// - Parameters:
///   - generators: What makes the arguments.
///   - settings: How much to test, and how.
///   - body: Returns for a case that passes; throws for one that fails; `assume` discards a case.
/// - Returns: What came of it.
/// - Throws: What is wrong with the settings; `CancellationError` when the task is cancelled.
public func searchAsync<each Value>(
  _ generators: repeat Gen<each Value>, settings: CheckSettings = CheckSettings(),
  body: @escaping @Sendable @concurrent (repeat each Value) async throws -> Void
) async throws -> CheckReport {
  let trial = Trial(repeat each generators, awaiting: body)
  return try await onThreadOfItsOwn { try Checker(trial, settings).run() }
}

extension Property {
  /// Creates a property whose body has to wait for something, such as an actor, and throws when it fails.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - reference: Where the statement comes from, in a few words.
  ///   - arguments: What the arguments are called in reports, in order.
  ///   - generators: What makes the arguments.
  ///   - body: Returns for a case that passes; throws for one that fails, best by `claim`; `assume` discards a case.
  @_disfavoredOverload
  public init<each Value>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ generators: repeat Gen<each Value>,
    body: @escaping @Sendable @concurrent (repeat each Value) async throws -> Void
  ) {
    self.id = id
    self.sentence = sentence
    self.reference = reference
    argumentNames = arguments
    trial = Trial(repeat each generators, awaiting: body)
  }

  /// Creates a property whose body has to wait for something, and returns what is judged.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - reference: Where the statement comes from, in a few words.
  ///   - arguments: What the arguments are called in reports, in order.
  ///   - generators: What makes the arguments.
  ///   - judge: Throws when what the body returned says that the case fails.
  ///   - body: Returns what is judged; throws for a case that fails otherwise; `assume` discards a case.
  @_disfavoredOverload
  public init<Result, each Value>(
    _ id: String, _ sentence: String, reference: String = "", arguments: [String] = [],
    _ generators: repeat Gen<each Value>,
    judging judge: @escaping @Sendable (Result) throws -> Void,
    body: @escaping @Sendable @concurrent (repeat each Value) async throws -> Result
  ) {
    self.id = id
    self.sentence = sentence
    self.reference = reference
    argumentNames = arguments
    trial = Trial(repeat each generators, judging: judge, awaiting: body)
  }

  /// Tests the property from asynchronous code, on a thread of its own if its body waits for anything.
  ///
  /// - Parameters:
  ///   - settings: How much, and how.
  ///   - environment: Who may stop it and who watches.
  /// - Returns: What came of it.
  /// - Throws: What is wrong with the settings, a `CheckError`; `CancellationError` when the task is cancelled.
  public func checkAsync(
    _ settings: CheckSettings = CheckSettings(), in environment: CheckEnvironment = CheckEnvironment()
  ) async throws -> CheckReport {
    try await perform { try check(settings, in: environment) }
  }

  /// Does something that judges cases of the property, on a thread of its own if that may wait.
  ///
  /// - Parameter work: What to do; it is part of the calling task.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws; `CancellationError` when the task is cancelled.
  public func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    trial.waits ? try await onThreadOfItsOwn(work) : try work()
  }
}

extension Trial {
  /// Creates a trial whose body is asynchronous: the thread that judges a case runs the body's jobs, and waits for
  /// those that run elsewhere.
  init<Result, each Value>(
    _ generators: repeat Gen<each Value>, judging judge: @escaping @Sendable (Result) throws -> Void = { _ in },
    awaiting body: @escaping @Sendable @concurrent (repeat each Value) async throws -> Result
  ) {
    self.init(repeat each generators) { (values: repeat each Value) in
      let values = Handover((repeat each values))
      try waiting { try judge(await body(repeat each values.content)) }
    }
    waits = true
  }
}

/// Takes the arguments of a case into the task that runs its body.
///
// The values are made for this one case and given away with it: nobody else holds them.
private struct Handover<Content>: @unchecked Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }
}
