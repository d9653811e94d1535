// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

// A command has one argument or none: the compiler does not match a closure's parameters with a pack of unknown length,
// and then treats the model, which is `inout`, as a constant.
extension StateMachine {
  /// Declares a command with a model of its result: the system must return the same as the model.
  ///
  /// Several arguments form one tuple, drawn by `zip`; its parts are printed as arguments of the call.
  ///
  /// - Parameters:
  ///   - name: The printed name: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - a: The generator of the argument.
  ///   - precondition: Whether the command may run in a state of the model; always by default.
  ///   - model: Changes the model and returns the expected result.
  ///   - run: Runs the command on the system.
  ///   - fileID: The file of the declaration, which identifies the command's faults.
  ///   - line: The line of the declaration.
  public mutating func command<A: Sendable, Response: Equatable & Sendable>(
    _ name: String, _ a: Gen<A>,
    when precondition: @escaping @Sendable (Model, A) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, A) -> Response,
    run: @escaping @Sendable (inout System, A) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: { _ in a }, when: precondition, model: model, run: run, fileID: fileID, line: line)
  }

  /// Declares a command without arguments, with a model of its result.
  public mutating func command<Response: Equatable & Sendable>(
    _ name: String, when precondition: @escaping @Sendable (Model) -> Bool = { _ in true },
    model: @escaping @Sendable (inout Model) -> Response,
    run: @escaping @Sendable (inout System) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: { _ in .just(()) }, when: { state, _ in precondition(state) }, model: { state, _ in model(&state) },
      run: { system, _ in try await run(&system) }, fileID: fileID, line: line)
  }

  /// Declares a command without arguments and result.
  public mutating func command(
    _ name: String, when precondition: @escaping @Sendable (Model) -> Bool = { _ in true },
    model: @escaping @Sendable (inout Model) -> Void,
    run: @escaping @Sendable (inout System) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: { _ in .just(()) }, when: { state, _ in precondition(state) }, model: { state, _ in model(&state) },
      run: { system, _ in try await run(&system) }, fileID: fileID, line: line)
  }

  /// Declares a command without a result: its effect is visible in other commands, or in an invariant.
  public mutating func command<A: Sendable>(
    _ name: String, _ a: Gen<A>,
    when precondition: @escaping @Sendable (Model, A) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, A) -> Void,
    run: @escaping @Sendable (inout System, A) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: { _ in a }, when: precondition, model: model, run: run, fileID: fileID, line: line)
  }

  /// Declares a command with a model of its result and an argument that depends on the state of the model.
  public mutating func command<Argument: Sendable, Response: Equatable & Sendable>(
    _ name: String, given argument: @escaping @Sendable (Model) -> Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, Argument) -> Response,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand(name, "\(fileID):\(line)", argument, when: precondition, model: model, run: run, agrees: ==))
  }

  /// Declares a command without a result, with an argument that depends on the state of the model.
  public mutating func command<Argument: Sendable>(
    _ name: String, given argument: @escaping @Sendable (Model) -> Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    model: @escaping @Sendable (inout Model, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Void,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(
      TypedCommand(
        name, "\(fileID):\(line)", argument, when: precondition, model: model, run: run, agrees: { _, _ in true }))
  }

  // MARK: Commands with named results

  /// Declares a command whose result later commands can refer to, or that no model can predict.
  ///
  /// - Parameters:
  ///   - name: The printed name: `create(capacity:)`, `enqueue`, `.enqueue` for `v0.enqueue(1)`.
  ///   - a: The generator of the argument.
  ///   - precondition: Whether the command may run in a state of the model; always by default.
  ///   - next: Changes the model; the symbol represents the result of the command.
  ///   - run: Runs the command on the system.
  ///   - check: The postcondition: throws an error, preferably by `require`, for a wrong result after that state.
  ///   - fileID: The file of the declaration, which identifies the command's faults.
  ///   - line: The line of the declaration.
  public mutating func command<A: Sendable, Response: Sendable>(
    _ name: String, _ a: Gen<A>,
    when precondition: @escaping @Sendable (Model, A) -> Bool = { _, _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>, A) -> Void,
    run: @escaping @Sendable (inout System, A) async throws -> Response,
    check: @escaping @Sendable (Model, Response, A) throws -> Void = { _, _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: { _ in a }, when: precondition, next: next, run: run, check: check, fileID: fileID, line: line)
  }

  /// The same without arguments.
  public mutating func command<Response: Sendable>(
    _ name: String, when precondition: @escaping @Sendable (Model) -> Bool = { _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>) -> Void,
    run: @escaping @Sendable (inout System) async throws -> Response,
    check: @escaping @Sendable (Model, Response) throws -> Void = { _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    command(
      name, given: { _ in .just(()) }, when: { state, _ in precondition(state) },
      next: { state, symbol, _ in next(&state, symbol) }, run: { system, _ in try await run(&system) },
      check: { state, response, _ in try check(state, response) }, fileID: fileID, line: line)
  }

  /// The same with an argument that depends on the state of the model.
  public mutating func command<Argument: Sendable, Response: Sendable>(
    _ name: String, given argument: @escaping @Sendable (Model) -> Gen<Argument>,
    when precondition: @escaping @Sendable (Model, Argument) -> Bool = { _, _ in true },
    next: @escaping @Sendable (inout Model, Symbol<Response>, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    check: @escaping @Sendable (Model, Response, Argument) throws -> Void = { _, _, _ in },
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    add(TypedCommand(name, "\(fileID):\(line)", argument, when: precondition, next: next, run: run, check: check))
  }

  private mutating func add<Argument: Sendable, Response>(_ command: TypedCommand<Model, System, Argument, Response>) {
    commands.append(command.draw)
  }
}

private final class TypedCommand<Model: Sendable, System, Argument: Sendable, Response: Sendable>: Sendable {
  let spelling: CommandSpelling
  /// The place of the declaration, which identifies the faults of the command.
  let origin: String
  /// True if later commands can refer to its result.
  let binds: Bool
  let argument: @Sendable (Model) -> Gen<Argument>
  let allows: @Sendable (Model, Argument) -> Bool
  let advance: @Sendable (inout Model, Symbol<Response>, Argument) -> Void
  let run: @Sendable (inout System, Argument) async throws -> Response
  /// Advances the model, and throws an error for a wrong result of the system; the model is then invalid.
  let settle: @Sendable (inout Model, Symbol<Response>, Argument, Response) throws -> Void

  init(
    _ spelling: String, _ origin: String, _ argument: @escaping @Sendable (Model) -> Gen<Argument>,
    when allows: @escaping @Sendable (Model, Argument) -> Bool,
    model: @escaping @Sendable (inout Model, Argument) -> Response,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    agrees: @escaping @Sendable (Response, Response) -> Bool
  ) {
    (self.spelling, self.origin, binds) = (CommandSpelling(spelling), origin, false)
    (self.argument, self.allows, self.run) = (argument, allows, run)
    advance = { state, _, argument in _ = model(&state, argument) }
    settle = { state, _, argument, response in
      let expected = model(&state, argument)
      if !agrees(expected, response) { throw UnexpectedResponse(expected: CommandSpelling.value(expected)) }
    }
  }

  init(
    _ spelling: String, _ origin: String, _ argument: @escaping @Sendable (Model) -> Gen<Argument>,
    when allows: @escaping @Sendable (Model, Argument) -> Bool,
    next: @escaping @Sendable (inout Model, Symbol<Response>, Argument) -> Void,
    run: @escaping @Sendable (inout System, Argument) async throws -> Response,
    check: @escaping @Sendable (Model, Response, Argument) throws -> Void
  ) {
    (self.spelling, self.origin, binds) = (CommandSpelling(spelling), origin, true)
    (self.argument, self.allows, self.run) = (argument, allows, run)
    advance = next
    settle = { state, symbol, argument, response in
      try check(state, response, argument)
      next(&state, symbol, argument)
    }
  }

  func draw(_ draws: inout ChoiceSource, _ model: Model, number: Int) throws -> any Step<Model, System> {
    TypedStep(command: self, number: number, argument: try argument(model).make(&draws))
  }
}

/// A command with its argument, as part of a program.
protocol Step<Model, System>: Sendable, CustomStringConvertible {
  associatedtype Model: Sendable
  associatedtype System

  /// The index in the printed program, from 0.
  var number: Int { get }
  var origin: String { get }
  /// The name of the command.
  var name: String { get }
  /// The command with its arguments, without the name of its result.
  var call: String { get }

  func allows(_ model: Model) -> Bool
  func advance(_ model: inout Model)
  func run(_ system: inout System) async throws -> any Sendable
  /// Advances the model and compares the command's result with the model's.
  func settle(_ response: any Sendable, _ model: inout Model) throws
}

private struct TypedStep<Model: Sendable, System, Argument: Sendable, Response: Sendable>: Step {
  let command: TypedCommand<Model, System, Argument, Response>
  let number: Int
  let argument: Argument

  var origin: String { command.origin }
  var name: String { command.spelling.name }
  var call: String { command.spelling.call(CommandSpelling.arguments(argument)) }
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

/// The result of a command differs from the model's.
struct UnexpectedResponse: Error {
  let expected: String
}

/// The notation of a command: its name, the labels of its arguments, and whether the first argument precedes the name.
///
/// The name is written like Swift functions: `create(capacity:)`, `enqueue`, and `.enqueue` for `v0.enqueue(1)`.
struct CommandSpelling: Sendable {
  let name: String
  private let labels: [String]
  private let hasReceiver: Bool

  init(_ spelling: String) {
    let parts = spelling.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    let base = parts.first.map(String.init) ?? ""
    hasReceiver = base.hasPrefix(".")
    name = hasReceiver ? String(base.dropFirst()) : base
    labels = parts.count > 1 ? parts[1].split(separator: ":").map(String.init).filter { $0 != ")" } : []
  }

  func call(_ arguments: [String]) -> String {
    let receiver = hasReceiver && !arguments.isEmpty ? "\(arguments[0])." : ""
    let listed = receiver.isEmpty ? arguments[...] : arguments.dropFirst()
    let written = listed.enumerated().map { index, argument in
      index < labels.count && labels[index] != "_" ? "\(labels[index]): \(argument)" : argument
    }
    return "\(receiver)\(name)(\(written.joined(separator: ", ")))"
  }

  /// The parts of a tuple, or the single argument.
  static func arguments(_ argument: Any) -> [String] {
    let mirror = Mirror(reflecting: argument)
    return mirror.displayStyle == .tuple ? mirror.children.map { value($0.value) } : [value(argument)]
  }

  /// A value in Swift notation; the content of an optional is written without its wrapping.
  static func value(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return String(reflecting: value) }
    return mirror.children.first.map { Self.value($0.value) } ?? "nil"
  }
}

/// The result of a command before the program has run: the model and later commands refer to it by its symbol.
///
/// It contains the number of the command. While a program runs, `value` is the command's result.
public struct Symbol<Value: Sendable>: Sendable, Hashable, Comparable, CustomStringConvertible,
  CustomDebugStringConvertible
{
  /// The number of the command, from 0, in the order of the printed program.
  public let step: Int

  init(step: Int) {
    self.step = step
  }

  /// The result of the command.
  ///
  /// - Throws: `SymbolError` if no program is running in this task, or the command has not returned in it.
  public var value: Value {
    get throws {
      guard let table = SymbolTable.current else { throw SymbolError.notRunning(symbol: description) }
      guard let value = table[step] as? Value else { throw SymbolError.unbound(symbol: description) }
      return value
    }
  }

  /// The name of the value in a printed program, such as `v0`.
  public var description: String { "v\(step)" }
  /// The name of the value in a printed program, such as `v0`.
  public var debugDescription: String { description }

  /// Orders symbols by their commands.
  public static func < (left: Symbol, right: Symbol) -> Bool { left.step < right.step }
}

/// The reason why a symbol has no value.
public enum SymbolError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value was read outside of a command's `run`.
  case notRunning(symbol: String)
  /// The symbol's command has not returned in this run.
  case unbound(symbol: String)

  /// The error, and how to correct it.
  public var description: String {
    switch self {
    case .notRunning(let symbol):
      "\(symbol) has no value outside of a running program: ask for it in a command's run, in the same task"
    case .unbound(let symbol):
      "\(symbol) has no value yet: the command that makes it has not returned; keep only symbols of the model"
    }
  }
}

/// The results of the commands of one run so far, by the number of the command.
final class SymbolTable: Sendable {
  @TaskLocal static var current: SymbolTable?

  private let values = Mutex<[Int: any Sendable]>([:])

  subscript(step: Int) -> (any Sendable)? {
    get { values.withLock { $0[step] } }
    set { values.withLock { $0[step] = newValue } }
  }
}

extension Gen {
  /// One of the values that earlier commands returned. Counterexamples shrink towards the latest one.
  ///
  /// The choice is counted from the latest, so that a reference keeps its meaning when earlier commands are removed.
  ///
  /// - Parameter symbols: The symbols to choose from, in any order; without symbols, the command is not drawn.
  /// - Returns: A generator of one choice.
  public static func symbols<Made>(among symbols: some Sequence<Symbol<Made>>) -> Gen<Symbol<Made>>
  where Value == Symbol<Made> {
    Gen.elements(of: symbols.sorted(by: >))
  }
}
