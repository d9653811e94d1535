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
  body: @escaping @Sendable (repeat each Value) async throws -> Void
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
  ///   - generators: What makes the arguments.
  ///   - body: Returns for a case that passes; throws for one that fails, best by `claim`; `assume` discards a case.
  @_disfavoredOverload
  public init<each Value>(
    _ id: String, _ sentence: String, _ generators: repeat Gen<each Value>,
    body: @escaping @Sendable (repeat each Value) async throws -> Void
  ) {
    self.id = id
    self.sentence = sentence
    trial = Trial(repeat each generators, awaiting: body)
  }

  /// Creates a property whose body has to wait for something, and returns false when it fails.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - generators: What makes the arguments.
  ///   - origin: What makes a case that returns false the same fault as another: a place in the source.
  ///   - body: Returns whether the case passes; throws for one that fails otherwise; `assume` discards a case.
  @_disfavoredOverload
  public init<each Value>(
    _ id: String, _ sentence: String, _ generators: repeat Gen<each Value>, origin: String,
    body: @escaping @Sendable (repeat each Value) async throws -> Bool
  ) {
    self.id = id
    self.sentence = sentence
    trial = Trial(repeat each generators, awaiting: body, origin: origin)
  }

  /// Tests the property from asynchronous code, on a thread of its own if its body waits for anything.
  ///
  /// - Parameter settings: How much, and how.
  /// - Returns: What came of it.
  /// - Throws: What is wrong with the settings; `CancellationError` when the task is cancelled.
  public func checkAsync(_ settings: CheckSettings = CheckSettings()) async throws -> CheckReport {
    guard trial.waits else { return try check(settings) }
    return try await onThreadOfItsOwn { try check(settings) }
  }
}

extension Trial {
  /// Creates a trial whose body is asynchronous: the thread that judges a case runs the body's jobs, and waits for
  /// those that run elsewhere.
  init<each Value>(
    _ generators: repeat Gen<each Value>, awaiting body: @escaping @Sendable (repeat each Value) async throws -> Void
  ) {
    self.init(repeat each generators) { (values: repeat each Value) in
      let values = Handover((repeat each values))
      try waiting { try await body(repeat each values.content) }
    }
    waits = true
  }

  /// Creates a trial whose body is asynchronous and returns false for a case that fails.
  init<each Value>(
    _ generators: repeat Gen<each Value>, awaiting body: @escaping @Sendable (repeat each Value) async throws -> Bool,
    origin: String
  ) {
    self.init(repeat each generators) { (values: repeat each Value) in
      let values = Handover((repeat each values))
      try waiting {
        if !(try await body(repeat each values.content)) { throw Failure("the condition is false", origin: origin) }
      }
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
