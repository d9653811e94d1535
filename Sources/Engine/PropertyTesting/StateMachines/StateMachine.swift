// SPDX-License-Identifier: GPL-3.0-or-later

/// A system under test beside a model of it: commands that both understand, and what must hold between the two.
///
/// Programs are drawn from the model alone and shrink command by command; a program fails when the system returns what
/// the model does not, when it throws, or when an invariant does not hold.
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
///     try claim(queue.count == model.count, "\(queue.count) is not \(model.count)")
///   }
/// }
/// let report = try queue.check()
/// // enqueue(0)
/// // dequeue()
/// // dequeue()
/// // postcondition failed at step 3: dequeue() returned 0, expected nil
/// ```
///
/// The system may be a class, a struct or an actor: what `run` is given may be awaited. Commands are declared simplest
/// first: counterexamples shrink towards the first.
public struct StateMachine<Model: Sendable, System>: Sendable {
  struct Invariant: Sendable {
    let name: String
    let check: @Sendable (Model, inout System) async throws -> Void
  }

  /// The state of the model before the first command.
  public let initial: Model
  /// How many commands a program has.
  public var length = 0...30
  /// How long an interleaved run in which all tasks wait gives others to wake one, before it is taken for a deadlock.
  public var patience = Duration.milliseconds(100)

  let makeSystem: @Sendable () async throws -> System
  private(set) var commands: [any Command<Model, System>] = []
  private(set) var invariants: [Invariant] = []

  /// Creates a state machine.
  ///
  /// - Parameters:
  ///   - model: The state of the model before the first command.
  ///   - system: Makes a fresh system; every run of every program gets its own.
  ///   - configure: Declares the commands and invariants.
  public init(
    model: Model, system: @escaping @Sendable () async throws -> System, _ configure: (inout StateMachine) -> Void
  ) {
    initial = model
    makeSystem = system
    configure(&self)
  }

  /// Declares what must hold between the model and the system before the first command and after every one.
  ///
  /// Parallel and interleaved runs do not look at invariants: the model is in no single state there.
  ///
  /// - Parameters:
  ///   - name: What holds, for people.
  ///   - check: Throws when it does not hold, best by `claim`.
  public mutating func invariant(
    _ name: String, _ check: @escaping @Sendable (Model, inout System) async throws -> Void
  ) {
    invariants.append(Invariant(name: name, check: check))
  }

  mutating func add(_ command: any Command<Model, System>) {
    commands.append(command)
  }
}

extension StateMachine {
  /// The statement that the system does what the model does, whatever the program.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  /// - Returns: A property of one argument, the program.
  public func property(_ id: String, _ sentence: String) -> Property {
    Property(id, sentence, programs()) { program in try execute(program) }
  }

  /// Looks for a program after which the system and the model differ.
  ///
  /// - Parameter settings: How much to test, and how.
  /// - Returns: The report.
  /// - Throws: What is wrong with the settings.
  public func check(_ settings: CheckSettings = CheckSettings()) throws -> CheckReport {
    try search(programs(), settings: settings) { program in try execute(program) }
  }
}

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// The statement that the system is linearizable: whatever runs at the same time, on threads, could have run in turn.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - shape: How large the programs are.
  ///   - repetitions: How often each program is run. From the first failure on it is ten times as often, because what
  ///     follows is shrinking, and a smaller program may fail more rarely.
  /// - Returns: A property of one argument, the program.
  public func parallelProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape(), repetitions: Int = 100
  ) -> Property {
    let machine = self
    let effort = RepetitionEffort(repetitions)
    return Property(id, sentence, parallelPrograms(shape)) { program in
      do {
        try machine.execute(program, repetitions: effort.repetitions)
      } catch {
        effort.raise()
        throw error
      }
    }
  }

  /// The statement that the system is linearizable however its tasks take turns where they await.
  ///
  /// - Parameters:
  ///   - id: A name that no other property has.
  ///   - sentence: What is claimed, for people.
  ///   - shape: How large the programs are.
  /// - Returns: A property of one argument, the program with its turns.
  public func interleavedProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape()
  ) -> Property {
    Property(id, sentence, interleavings(shape)) { interleaving in try execute(interleaving) }
  }
}

extension StateMachine {
  /// Runs a program on a fresh system, on this thread, and compares the system with the model after every command.
  ///
  /// Commands that wait for something are waited for, whoever brings it.
  ///
  /// - Parameter program: What to run.
  /// - Throws: `Failure` when they differ; `Discard` when a command does not hold an assumption.
  public func execute(_ program: Program<Model, System>) throws {
    let machine = self
    let executor = ManualExecutor()
    defer { executor.retire() }
    let outcome = executor.run { try await machine.run(program) }
    try outcome.get()
  }

  /// Runs a program on a fresh system, in this task, and compares the system with the model after every command.
  ///
  /// - Parameter program: What to run.
  /// - Throws: `Failure` when they differ; `Discard` when a command does not hold an assumption.
  public func run(_ program: Program<Model, System>) async throws {
    try await SymbolTable.$current.withValue(SymbolTable()) {
      var system = try await freshSystem()
      _ = try await advance(&system, by: program.steps, checkingInvariants: true)
    }
  }

  func freshSystem() async throws -> System {
    do {
      return try await makeSystem()
    } catch let error where !(error is Failure || error is Discard) {
      throw Failure("the system could not be made: \(error)", origin: "system \(type(of: error))")
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
      if checkingInvariants { try await checkInvariants(model, &system, "after \(place(of: step))") }
    }
    return model
  }

  func respond(_ step: any Step<Model, System>, _ system: inout System) async throws -> any Sendable {
    do {
      return try await step.run(&system)
    } catch let discard as Discard {
      throw discard
    } catch let failure as Failure {
      throw Failure("\(place(of: step)): \(failure.message)", origin: failure.origin)
    } catch {
      throw Failure("\(place(of: step)) threw \(error)", origin: "\(step.origin) threw \(type(of: error))")
    }
  }

  private func settle(_ step: any Step<Model, System>, _ response: any Sendable, _ model: inout Model) throws {
    var returned: String { "\(place(of: step)) returned \(CommandSpelling.value(response))" }
    do {
      try step.settle(response, &model)
    } catch let unexpected as UnexpectedResponse {
      throw Failure(
        "postcondition failed at \(returned), expected \(unexpected.expected)", origin: "\(step.origin) returned")
    } catch let failure as Failure {
      throw Failure("postcondition failed at \(returned): \(failure.message)", origin: failure.origin)
    } catch let error where !(error is Discard) {
      throw Failure("postcondition failed at \(returned): \(error)", origin: "\(step.origin) \(type(of: error))")
    }
  }

  private func checkInvariants(_ model: Model, _ system: inout System, _ place: String) async throws {
    for invariant in invariants {
      do {
        try await invariant.check(model, &system)
      } catch let failure as Failure {
        throw Failure("invariant failed \(place): \(invariant.name): \(failure.message)", origin: failure.origin)
      } catch let error where !(error is Discard) {
        throw Failure(
          "invariant failed \(place): \(invariant.name): \(error)", origin: "\(invariant.name) \(type(of: error))")
      }
    }
  }

  private func place(of step: any Step<Model, System>) -> String { "step \(step.number + 1): \(step.call)" }
}

/// Commands to be run one after the other. It prints as the code that would do the same.
public struct Program<Model: Sendable, System>: Sendable, CustomStringConvertible {
  let steps: [any Step<Model, System>]

  /// How many commands it has.
  public var count: Int { steps.count }
  /// One line for each command, such as `let v0 = create(capacity: 2)` and `v0.enqueue(1)`.
  public var lines: [String] { steps.map(\.description) }
  /// The commands, one on each line.
  public var description: String { steps.isEmpty ? "(no commands)" : lines.joined(separator: "\n") }
}
