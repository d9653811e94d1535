// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A system under test and its model: the commands of both, and the invariants between them.
///
/// Programs are drawn from the model alone and shrink command by command. A program fails if the result of the system
/// differs from that of the model, if the system throws an error, or if an invariant does not hold.
///
/// ```swift
/// let queue = StateMachine(model: [Int](), system: { BoundedQueue(capacity: 2) }) { machine in
///   machine.command("enqueue", .integers(in: 0...9)) { model, value in
///     if model.count < 2 { model.append(value) }
///   } run: { queue, value in
///     queue.enqueue(value)
///   }
///   machine.command("dequeue") { model in
///     model.isEmpty ? nil : model.removeFirst()
///   } run: { queue in
///     queue.dequeue()
///   }
///   machine.invariant("the counts agree") { model, queue in
///     try require(queue.count == model.count, "\(queue.count) is not \(model.count)")
///   }
/// }
/// let report = try queue.check()
/// // enqueue(0)
/// // dequeue()
/// // dequeue()
/// // postcondition failed at step 3: dequeue() returned 0, expected nil
/// ```
///
/// The system may be a class, a struct or an actor: `run` may await it. Declare the simplest commands first, because
/// counterexamples shrink towards the first.
public struct StateMachine<Model: Sendable, System>: Sendable {
  struct Invariant: Sendable {
    let name: String
    /// The place of the declaration and the name, because several may be declared in one place.
    let origin: String
    let check: @Sendable (Model, inout System) async throws -> Void
  }

  /// The state of the model before the first command.
  public let initial: Model
  /// The number of commands of a program.
  public var length = 0...30
  /// The time that an interleaved run waits for outside code if all its tasks wait, before it counts as a deadlock.
  public var patience = Duration.milliseconds(100)

  let makeSystem: @Sendable () async throws -> System
  /// Each draws a command with its arguments for a state of the model, as the step with a number.
  var commands: [@Sendable (inout ChoiceSource, Model, _ number: Int) throws -> any Step<Model, System>] = []
  private(set) var invariants: [Invariant] = []

  /// Creates a state machine from the initial state of the model, a function that creates a fresh system for every run,
  /// and one that declares the commands and invariants.
  public init(
    model: Model, system: @escaping @Sendable () async throws -> System, _ configure: (inout StateMachine) -> Void
  ) {
    initial = model
    makeSystem = system
    configure(&self)
  }

  /// Declares a condition between the model and the system, checked before the first command and after every command.
  ///
  /// The check throws an error if it does not hold, preferably by `require`, or returns false. Parallel and interleaved
  /// runs do not check invariants, because the model is then in no single state.
  public mutating func invariant<Result>(
    _ name: String, _ check: @escaping @Sendable (Model, inout System) async throws -> Result,
    fileID: StaticString = #fileID, line: Int = #line
  ) {
    let origin = "\(fileID):\(line) \(name)"
    invariants.append(
      Invariant(name: name, origin: origin) { model, system in
        let result = try await check(model, &system)
        if Result.self == Void.self { return }
        guard let holds = result as? Bool else { throw CheckError.badResult(type: "\(Result.self)") }
        if !holds { throw Failure("the condition is false", origin: origin) }
      })
  }

  /// The statement that the system agrees with the model for every program, which is the single argument.
  public func property(
    _ id: String, _ sentence: String, file: String = #filePath, line: Int = #line
  ) -> Property {
    Property(id, sentence, programs(), file: file, line: line) { program in try execute(program) }
  }

  /// Searches for a program after which the system and the model differ.
  public func check(
    _ settings: CheckSettings = CheckSettings(), fileID: String = #fileID, line: Int = #line
  ) throws -> CheckReport {
    try search(programs(), settings: settings, fileID: fileID, line: line) { program in try execute(program) }
  }
}

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// The statement that the system is linearizable: concurrent commands on threads have results of some sequential
  /// order.
  ///
  /// Each program is run `repetitions` times, and ten times as often after the first failure, when shrinking follows,
  /// because smaller programs may fail more rarely.
  public func parallelProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape(), repetitions: Int = 100,
    file: String = #filePath, line: Int = #line
  ) -> Property {
    let hasFailed = Atomic(false)
    let maximum = repetitions.multipliedReportingOverflow(by: 10).partialValue
    return Property(id, sentence, parallelPrograms(shape), file: file, line: line) { program in
      countCommands(program.steps)
      do {
        try execute(program, repetitions: hasFailed.load(ordering: .relaxed) ? max(repetitions, maximum) : repetitions)
      } catch {
        hasFailed.store(true, ordering: .relaxed)
        throw error
      }
    }
  }

  /// The statement that the system is linearizable for every order in which its tasks take turns at `await`.
  public func interleavedProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape(), file: String = #filePath,
    line: Int = #line
  ) -> Property {
    Property(id, sentence, interleavings(shape), file: file, line: line) { interleaving in
      countCommands(interleaving.program.steps)
      try execute(interleaving)
    }
  }
}

extension StateMachine {
  /// Runs a program on a fresh system, on this thread, and compares the system with the model after every command.
  ///
  /// - Throws: `Failure` if they differ; `Discard` if an assumption of a command does not hold.
  public func execute(_ program: Program<Model, System>) throws {
    try waiting { try await run(program) }
  }

  /// Runs a program on a fresh system, in this task, and compares the system with the model after every command.
  public func run(_ program: Program<Model, System>) async throws {
    countCommands(program.steps)
    try await SymbolTable.$current.withValue(SymbolTable()) {
      var system = try await freshSystem()
      _ = try await advance(&system, by: program.steps, checkingInvariants: true)
    }
  }

  /// Counts the commands of a case if the report must show their shares.
  func countCommands(_ steps: [any Step<Model, System>]) {
    guard CaseContext.current?.countsCommands == true else { return }
    for step in steps { classify("commands", by: step.name) }
    let fives = steps.count / 5 * 5
    classify("commands of a program", by: "\(fives) to \(fives + 4)")
  }

  func freshSystem() async throws -> System {
    do {
      return try await makeSystem()
    } catch let error where !(error is Failure || error is Discard) {
      throw Failure("the system could not be made: \(error)", origin: "system \(Failure.origin(of: error))")
    }
  }

  func advance(
    _ system: inout System, by steps: [any Step<Model, System>], checkingInvariants: Bool
  ) async throws -> Model {
    var model = initial
    if checkingInvariants { try await checkInvariants(model, &system, "at the start") }
    for step in steps {
      let response = try await respond(step, &system)
      try settle(step, response, &model)
      if checkingInvariants { try await checkInvariants(model, &system, "after \(index(of: step))") }
    }
    return model
  }

  func respond(_ step: any Step<Model, System>, _ system: inout System) async throws -> any Sendable {
    do {
      return try await step.run(&system)
    } catch let discard as Discard {
      throw discard
    } catch let failure as Failure {
      throw failure.prefixed(by: "\(index(of: step)): ")
    } catch {
      throw Failure("\(index(of: step)) threw \(error)", origin: "\(step.origin) threw \(Failure.origin(of: error))")
    }
  }

  private func settle(_ step: any Step<Model, System>, _ response: any Sendable, _ model: inout Model) throws {
    var returned: String { "\(index(of: step)) returned \(CommandSpelling.value(response))" }
    do {
      try step.settle(response, &model)
    } catch let unexpected as UnexpectedResponse {
      throw Failure("postcondition failed at \(returned), expected \(unexpected.expected)", origin: step.origin)
    } catch let failure as Failure {
      throw failure.prefixed(by: "postcondition failed at \(returned): ")
    } catch let error where !(error is Discard) {
      throw Failure(
        "postcondition failed at \(returned): \(error)", origin: "\(step.origin) \(Failure.origin(of: error))")
    }
  }

  private func checkInvariants(_ model: Model, _ system: inout System, _ index: String) async throws {
    for invariant in invariants {
      do {
        try await invariant.check(model, &system)
      } catch let failure as Failure {
        throw failure.prefixed(by: "invariant failed \(index): \(invariant.name): ")
      } catch let error where !(error is Discard) {
        throw Failure(
          "invariant failed \(index): \(invariant.name): \(error)",
          origin: "\(invariant.origin) threw \(Failure.origin(of: error))")
      }
    }
  }

  private func index(of step: any Step<Model, System>) -> String { "step \(step.number + 1): \(step.call)" }
}

/// Commands to run one after another. Its description is the equivalent code.
public struct Program<Model: Sendable, System>: Sendable, CustomStringConvertible {
  let steps: [any Step<Model, System>]

  /// The number of commands.
  public var count: Int { steps.count }
  /// One line for each command, such as `let v0 = create(capacity: 2)` and `v0.enqueue(1)`.
  public var lines: [String] { steps.map(\.description) }
  /// The commands, one on each line.
  public var description: String { steps.isEmpty ? "(no commands)" : lines.joined(separator: "\n") }
}

/// Draws commands for the states of a model, as a collection in the choice sequence: its length, and a span for each
/// command.
///
/// A command on a choice sequence that may no longer run is left out, also in the choice sequence. A shrinker that
/// deletes a command therefore need not know which later ones depend on it.
struct ProgramDrawing<Model: Sendable, System>: Sendable {
  /// The number of consecutive refusals of random commands after which a program ends early.
  private static var attempts: Int { 100 }
  /// The number of refusals after which all commands are tried, those disabled in this case included.
  private static var featuredAttempts: Int { 10 }

  let machine: StateMachine<Model, System>
  let length: ClosedRange<Int>

  func draw(
    _ draws: inout ChoiceSource, _ model: inout Model, first: Int,
    accepts: ([any Step<Model, System>], any Step<Model, System>) -> Bool = { _, _ in true },
    companion: ((inout ChoiceSource) throws -> Void)? = nil
  ) throws -> [any Step<Model, System>] {
    var steps: [any Step<Model, System>] = []
    try draws.open(SpanKind.collection.label([any Step<Model, System>].self))
    let beginning = draws.position
    let count = machine.commands.isEmpty ? 0 : try draws.length(length)
    for _ in 0..<count {
      let step = try step(&draws, after: model, number: first + steps.count, companion) { accepts(steps, $0) }
      if let step {
        step.advance(&model)
        steps.append(step)
      } else if !draws.isReplaying {
        break
      }
    }
    if steps.count < length.lowerBound { throw Discard.filtered }
    if !machine.commands.isEmpty { draws.overwrite(at: beginning, to: UInt64(steps.count)) }
    try draws.close()
    return steps
  }

  /// Draws one command: the first random one that may run, or the next one of a choice sequence, `nil` if that one may
  /// not run.
  private func step(
    _ draws: inout ChoiceSource, after model: Model, number: Int,
    _ companion: ((inout ChoiceSource) throws -> Void)?, accepts: (any Step<Model, System>) -> Bool
  ) throws -> (any Step<Model, System>)? {
    for attempt in 0..<(draws.isReplaying ? 1 : Self.attempts) {
      let checkpoint = draws.checkpoint
      do {
        if companion != nil { try draws.open(SpanKind.tuple.label((any Step<Model, System>).self)) }
        let isFeatured = !draws.isReplaying && attempt < Self.featuredAttempts
        let step = try candidate(&draws, after: model, number: number, isFeatured: isFeatured)
        if step.allows(model), accepts(step) {
          guard let companion else { return step }
          try companion(&draws)
          try draws.close()
          return step
        }
      } catch let discard as Discard where discard != .tooLarge {
        // Its generator has no values in this state: another command is drawn.
      }
      draws.drop(to: checkpoint)
    }
    return nil
  }

  private func candidate(
    _ draws: inout ChoiceSource, after model: Model, number: Int, isFeatured: Bool
  ) throws -> any Step<Model, System> {
    try draws.open(SpanKind.choice.label((any Step<Model, System>).self))
    let kind = try draws.branch(machine.commands.count, isFeatured: isFeatured)
    let step = try machine.commands[kind](&draws, model, number)
    try draws.close()
    return step
  }
}

extension StateMachine {
  /// Programs for `execute`, drawn from the model alone: the precondition of every command holds at its place.
  public func programs() -> Gen<Program<Model, System>> {
    let drawing = ProgramDrawing(machine: self, length: length)
    let initial = initial
    return Gen(node: { draws in
      var model = initial
      return Program(steps: try drawing.draw(&draws, &model, first: 0))
    })
  }
}
