// SPDX-License-Identifier: GPL-3.0-or-later

extension StateMachine {
  /// Declares a command whose result later commands can refer to, or that no model can foretell.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - next: Changes the model; the symbol stands for what the command will return.
  ///   - run: Runs the command on the system.
  ///   - check: The postcondition: throws, best by `claim`, when the system may not return this after that state.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Response: Sendable>(
    _ name: String,
    when precondition: @escaping @Sendable (Model) -> Bool = { _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>) -> Void,
    run: @escaping @Sendable (inout System) async throws -> Response,
    check: @escaping @Sendable (Model, Response) throws -> Void = { _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, Void, Response>(
        name, origin: "\(fileID):\(line)", binds: true, arguments: { _ in .just(()) }, list: { _ in [] },
        allows: { model, _ in precondition(model) },
        advance: { model, symbol, _ in next(&model, symbol) },
        run: { system, _ in try await run(&system) },
        settle: { model, symbol, _, response in
          try check(model, response)
          next(&model, symbol)
        }))
  }

  /// Declares a command whose result later commands can refer to, or that no model can foretell.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - argument: Makes its argument.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - next: Changes the model; the symbol stands for what the command will return.
  ///   - run: Runs the command on the system.
  ///   - check: The postcondition: throws, best by `claim`, when the system may not return this after that state.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Argument: Sendable, Response: Sendable>(
    _ name: String, _ argument: Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    check: @escaping @Sendable (Model, Response, Argument) throws -> Void = { _, _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, Argument, Response>(
        name, origin: "\(fileID):\(line)", binds: true, arguments: { _ in argument }, list: { [$0] },
        allows: precondition,
        advance: next,
        run: run,
        settle: { model, symbol, argument, response in
          try check(model, response, argument)
          next(&model, symbol, argument)
        }))
  }

  /// Declares a command whose result later commands can refer to, or that no model can foretell.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - first: Makes its first argument.
  ///   - second: Makes its second argument.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - next: Changes the model; the symbol stands for what the command will return.
  ///   - run: Runs the command on the system.
  ///   - check: The postcondition: throws, best by `claim`, when the system may not return this after that state.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<First: Sendable, Second: Sendable, Response: Sendable>(
    _ name: String, _ first: Gen<First>, _ second: Gen<Second>,
    when precondition: @escaping @Sendable (Model, First, Second) -> Bool = { _, _, _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>, First, Second) -> Void,
    run: @escaping @Sendable (inout System, First, Second) async throws -> Response,
    check: @escaping @Sendable (Model, Response, First, Second) throws -> Void = { _, _, _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    let arguments = zip(first, second)
    add(
      TypedCommand<Model, System, (First, Second), Response>(
        name, origin: "\(fileID):\(line)", binds: true, arguments: { _ in arguments }, list: { [$0.0, $0.1] },
        allows: { precondition($0, $1.0, $1.1) },
        advance: { model, symbol, pair in next(&model, symbol, pair.0, pair.1) },
        run: { system, pair in try await run(&system, pair.0, pair.1) },
        settle: { model, symbol, pair, response in
          try check(model, response, pair.0, pair.1)
          next(&model, symbol, pair.0, pair.1)
        }))
  }

  /// Declares a command whose result later commands can refer to, or that no model can foretell.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - arguments: Makes the arguments after a state of the model; a generator of symbols is one such.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - next: Changes the model; the symbol stands for what the command will return.
  ///   - run: Runs the command on the system.
  ///   - check: The postcondition: throws, best by `claim`, when the system may not return this after that state.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<Argument: Sendable, Response: Sendable>(
    _ name: String, given arguments: @escaping @Sendable (Model) -> Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    check: @escaping @Sendable (Model, Response, Argument) throws -> Void = { _, _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, Argument, Response>(
        name, origin: "\(fileID):\(line)", binds: true, arguments: arguments, list: { [$0] },
        allows: precondition,
        advance: next,
        run: run,
        settle: { model, symbol, argument, response in
          try check(model, response, argument)
          next(&model, symbol, argument)
        }))
  }

  /// Declares a command whose result later commands can refer to, or that no model can foretell.
  ///
  /// - Parameters:
  ///   - name: How it is printed: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - arguments: Makes the arguments after a state of the model, by `zip`.
  ///   - precondition: Whether the command may run after a state of the model; always, when nothing is said.
  ///   - next: Changes the model; the symbol stands for what the command will return.
  ///   - run: Runs the command on the system.
  ///   - check: The postcondition: throws, best by `claim`, when the system may not return this after that state.
  ///   - fileID: Where the command is declared, which tells its faults from others.
  ///   - line: Where the command is declared.
  public mutating func command<First: Sendable, Second: Sendable, Response: Sendable>(
    _ name: String, given arguments: @escaping @Sendable (Model) -> Gen<(First, Second)>,
    when precondition: @escaping @Sendable (Model, First, Second) -> Bool = { _, _, _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>, First, Second) -> Void,
    run: @escaping @Sendable (inout System, First, Second) async throws -> Response,
    check: @escaping @Sendable (Model, Response, First, Second) throws -> Void = { _, _, _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand<Model, System, (First, Second), Response>(
        name, origin: "\(fileID):\(line)", binds: true, arguments: arguments, list: { [$0.0, $0.1] },
        allows: { precondition($0, $1.0, $1.1) },
        advance: { model, symbol, pair in next(&model, symbol, pair.0, pair.1) },
        run: { system, pair in try await run(&system, pair.0, pair.1) },
        settle: { model, symbol, pair, response in
          try check(model, response, pair.0, pair.1)
          next(&model, symbol, pair.0, pair.1)
        }))
  }
}
