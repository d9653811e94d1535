// SPDX-License-Identifier: GPL-3.0-or-later

extension StateMachine {
  /// Declares a command that the model answers as well: the system must return the same.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model and returns what the system is to return.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Response: Equatable & Sendable>(
    _ name: String,
    when precondition: @escaping @Sendable (Model) -> Bool = { _ in true },
    model: @escaping @Sendable (inout Model) -> Response,
    run: @escaping @Sendable (inout System) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, Void, Response>(
        name, origin: "\(fileID):\(line)", binds: false, arguments: { _ in .just(()) }, list: { _ in [] },
        allows: { model, _ in precondition(model) },
        advance: { state, _, _ in _ = model(&state) },
        run: { system, _ in try await run(&system) },
        settle: { state, _, _, response in
          try expect(model(&state), response)
        }))
  }

  /// Declares a command that the model answers as well: the system must return the same.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - argument: Makes its argument.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model and returns what the system is to return.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Argument: Sendable, Response: Equatable & Sendable>(
    _ name: String, _ argument: Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, Argument) -> Response,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, Argument, Response>(
        name, origin: "\(fileID):\(line)", binds: false, arguments: { _ in argument }, list: { [$0] },
        allows: precondition,
        advance: { state, _, argument in _ = model(&state, argument) },
        run: run,
        settle: { state, _, argument, response in
          try expect(model(&state, argument), response)
        }))
  }

  /// Declares a command that the model answers as well: the system must return the same.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - first: Makes its first argument.
  ///   - second: Makes its second argument.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model and returns what the system is to return.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<First: Sendable, Second: Sendable, Response: Equatable & Sendable>(
    _ name: String, _ first: Gen<First>, _ second: Gen<Second>,
    when precondition: @escaping @Sendable (Model, First, Second) -> Bool = { _, _, _ in true },
    model: @escaping @Sendable (inout Model, First, Second) -> Response,
    run: @escaping @Sendable (inout System, First, Second) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    let arguments = zip(first, second)
    add(
      TypedCommand<Model, System, (First, Second), Response>(
        name, origin: "\(fileID):\(line)", binds: false, arguments: { _ in arguments }, list: { [$0.0, $0.1] },
        allows: { precondition($0, $1.0, $1.1) },
        advance: { state, _, pair in _ = model(&state, pair.0, pair.1) },
        run: { system, pair in try await run(&system, pair.0, pair.1) },
        settle: { state, _, pair, response in
          try expect(model(&state, pair.0, pair.1), response)
        }))
  }

  /// Declares a command that the model answers as well: the system must return the same.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - arguments: Makes the arguments after a state of the model; a generator of symbols is one such.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model and returns what the system is to return.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Argument: Sendable, Response: Equatable & Sendable>(
    _ name: String, given arguments: @escaping @Sendable (Model) -> Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, Argument) -> Response,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, Argument, Response>(
        name, origin: "\(fileID):\(line)", binds: false, arguments: arguments, list: { [$0] },
        allows: precondition,
        advance: { state, _, argument in _ = model(&state, argument) },
        run: run,
        settle: { state, _, argument, response in
          try expect(model(&state, argument), response)
        }))
  }

  /// Declares a command that the model answers as well: the system must return the same.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - arguments: Makes the arguments after a state of the model, by `zip`.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - model: Changes the model and returns what the system is to return.
  ///   - run: Runs the command on the system.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<First: Sendable, Second: Sendable, Response: Equatable & Sendable>(
    _ name: String, given arguments: @escaping @Sendable (Model) -> Gen<(First, Second)>,
    when precondition: @escaping @Sendable (Model, First, Second) -> Bool = { _, _, _ in true },
    model: @escaping @Sendable (inout Model, First, Second) -> Response,
    run: @escaping @Sendable (inout System, First, Second) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, (First, Second), Response>(
        name, origin: "\(fileID):\(line)", binds: false, arguments: arguments, list: { [$0.0, $0.1] },
        allows: { precondition($0, $1.0, $1.1) },
        advance: { state, _, pair in _ = model(&state, pair.0, pair.1) },
        run: { system, pair in try await run(&system, pair.0, pair.1) },
        settle: { state, _, pair, response in
          try expect(model(&state, pair.0, pair.1), response)
        }))
  }
}

/// Holds what a command returned against what the model returned.
///
/// - Throws: `UnexpectedResponse`.
func expect<Response: Equatable>(_ expected: Response, _ found: Response) throws {
  if found != expected { throw UnexpectedResponse(expected: CommandSpelling.value(expected)) }
}
