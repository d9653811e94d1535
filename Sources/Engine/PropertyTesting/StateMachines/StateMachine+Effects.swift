// SPDX-License-Identifier: GPL-3.0-or-later

/// What a command returns that returns nothing.
private struct NoResponse: Hashable, Sendable, CustomDebugStringConvertible {
  var debugDescription: String { "()" }
}

extension StateMachine {
  /// Declares a command that returns nothing: what it did shows in others, or in an invariant.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command(
    _ name: String,
    when precondition: @escaping @Sendable (Model) -> Bool = { _ in true },
    model: @escaping @Sendable (inout Model) -> Void,
    run: @escaping @Sendable (inout System) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, when: precondition,
      model: { (state: inout Model) in
        model(&state)
        return NoResponse()
      },
      run: { (system: inout System) in
        try await run(&system)
        return NoResponse()
      }, fileID: fileID, line: line)
  }

  /// Declares a command that returns nothing: what it did shows in others, or in an invariant.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - argument: Makes its argument.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Argument: Sendable>(
    _ name: String, _ argument: Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, argument, when: precondition,
      model: { (state: inout Model, argument: Argument) in
        model(&state, argument)
        return NoResponse()
      },
      run: { (system: inout System, argument: Argument) in
        try await run(&system, argument)
        return NoResponse()
      }, fileID: fileID, line: line)
  }

  /// Declares a command that returns nothing: what it did shows in others, or in an invariant.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - first: Makes its first argument.
  ///   - second: Makes its second argument.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<First: Sendable, Second: Sendable>(
    _ name: String, _ first: Gen<First>, _ second: Gen<Second>,
    when precondition: @escaping @Sendable (Model, First, Second) -> Bool = { _, _, _ in true },
    model: @escaping @Sendable (inout Model, First, Second) -> Void,
    run: @escaping @Sendable (inout System, First, Second) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, first, second, when: precondition,
      model: { (state: inout Model, first: First, second: Second) in
        model(&state, first, second)
        return NoResponse()
      },
      run: { (system: inout System, first: First, second: Second) in
        try await run(&system, first, second)
        return NoResponse()
      }, fileID: fileID, line: line)
  }

  /// Declares a command that returns nothing: what it did shows in others, or in an invariant.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - arguments: Makes the arguments after a state of the model; a generator of symbols is one such.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Argument: Sendable>(
    _ name: String, given arguments: @escaping @Sendable (Model) -> Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: arguments, when: precondition,
      model: { (state: inout Model, argument: Argument) in
        model(&state, argument)
        return NoResponse()
      },
      run: { (system: inout System, argument: Argument) in
        try await run(&system, argument)
        return NoResponse()
      }, fileID: fileID, line: line)
  }

  /// Declares a command that returns nothing: what it did shows in others, or in an invariant.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - arguments: Makes the arguments after a state of the model, by `zip`.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<First: Sendable, Second: Sendable>(
    _ name: String, given arguments: @escaping @Sendable (Model) -> Gen<(First, Second)>,
    when precondition: @escaping @Sendable (Model, First, Second) -> Bool = { _, _, _ in true },
    model: @escaping @Sendable (inout Model, First, Second) -> Void,
    run: @escaping @Sendable (inout System, First, Second) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: arguments, when: precondition,
      model: { (state: inout Model, first: First, second: Second) in
        model(&state, first, second)
        return NoResponse()
      },
      run: { (system: inout System, first: First, second: Second) in
        try await run(&system, first, second)
        return NoResponse()
      }, fileID: fileID, line: line)
  }
}
