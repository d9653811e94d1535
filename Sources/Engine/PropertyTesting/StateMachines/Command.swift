// SPDX-License-Identifier: GPL-3.0-or-later

/// A kind of command, with the types of its argument and of what it returns.
final class TypedCommand<Model: Sendable, System, Argument: Sendable, Response: Sendable>: Sendable {
  let spelling: CommandSpelling
  /// Where it was declared: what makes two faults of commands the same.
  let origin: String
  /// Whether later commands can refer to what it returns.
  let binds: Bool
  let arguments: @Sendable (Model) -> Gen<Argument>
  let list: @Sendable (Argument) -> [Any]
  let allows: @Sendable (Model, Argument) -> Bool
  let advance: @Sendable (inout Model, Symbol<Response>, Argument) -> Void
  let run: @Sendable (inout System, Argument) async throws -> Response
  /// Advances the model, and throws when the system should not have returned this; the model is then of no use.
  let settle: @Sendable (inout Model, Symbol<Response>, Argument, Response) throws -> Void

  init(
    _ spelling: String, origin: String, binds: Bool, arguments: @escaping @Sendable (Model) -> Gen<Argument>,
    list: @escaping @Sendable (Argument) -> [Any], allows: @escaping @Sendable (Model, Argument) -> Bool,
    advance: @escaping @Sendable (inout Model, Symbol<Response>, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    settle: @escaping @Sendable (inout Model, Symbol<Response>, Argument, Response) throws -> Void
  ) {
    self.spelling = CommandSpelling(spelling)
    self.origin = origin
    self.binds = binds
    self.arguments = arguments
    self.list = list
    self.allows = allows
    self.advance = advance
    self.run = run
    self.settle = settle
  }
}

/// A kind of command, whatever the types of its argument and result.
protocol Command<Model, System>: Sendable {
  associatedtype Model: Sendable
  associatedtype System

  /// Draws the argument of a command after a state of the model.
  func draw(_ draws: inout Draws, after model: Model, number: Int) throws -> any Step<Model, System>
}

extension TypedCommand: Command {
  func draw(_ draws: inout Draws, after model: Model, number: Int) throws -> any Step<Model, System> {
    TypedStep(command: self, number: number, argument: try arguments(model).make(&draws))
  }
}

/// A command with its argument, as part of a program.
protocol Step<Model, System>: Sendable, CustomStringConvertible {
  associatedtype Model: Sendable
  associatedtype System

  /// Its place in the program as printed, from 0.
  var number: Int { get }
  /// Where the command was declared.
  var origin: String { get }
  /// The command with its arguments, without the name of what it makes.
  var call: String { get }

  func allows(_ model: Model) -> Bool
  func advance(_ model: inout Model)
  /// Runs the command and keeps what it returned for later commands.
  func run(_ system: inout System) async throws -> any Sendable
  /// Advances the model and compares what the command returned with what the model says.
  ///
  /// - Throws: `UnexpectedResponse`, or what the check of the command's author throws; the model is then of no use.
  func settle(_ response: any Sendable, _ model: inout Model) throws
}

struct TypedStep<Model: Sendable, System, Argument: Sendable, Response: Sendable>: Step {
  let command: TypedCommand<Model, System, Argument, Response>
  let number: Int
  let argument: Argument

  var origin: String { command.origin }
  var call: String { command.spelling.call(command.list(argument).map(CommandSpelling.value)) }
  var description: String { command.binds ? "let v\(number) = \(call)" : call }

  func allows(_ model: Model) -> Bool { command.allows(model, argument) }

  func advance(_ model: inout Model) { command.advance(&model, Symbol(step: number), argument) }

  func run(_ system: inout System) async throws -> any Sendable {
    let response = try await command.run(&system, argument)
    if command.binds { SymbolTable.current?[number] = response }
    return response
  }

  func settle(_ response: any Sendable, _ model: inout Model) throws {
    guard let response = response as? Response else { return }
    try command.settle(&model, Symbol(step: number), argument, response)
  }
}

/// A command returned something else than the model.
struct UnexpectedResponse: Error {
  /// What the model returned.
  let expected: String
}
