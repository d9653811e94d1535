// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness
internal import Synchronization

/// A system under test and a model of it: commands of both, and what must hold between the two.
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
  /// Each draws a command with its arguments after a state of the model, as the step of that number.
  var commands: [@Sendable (inout Draws, Model, _ number: Int) throws -> any Step<Model, System>] = []
  private(set) var invariants: [Invariant] = []

  /// Creates a state machine from the state of the model before the first command, a function that makes a fresh
  /// system for every run, and one that declares the commands and invariants.
  public init(
    model: Model, system: @escaping @Sendable () async throws -> System, _ configure: (inout StateMachine) -> Void
  ) {
    initial = model
    makeSystem = system
    configure(&self)
  }

  /// Declares what must hold between the model and the system before the first command and after every one.
  ///
  /// The check throws when it does not hold, best by `claim`, or returns false. Parallel and interleaved runs do not
  /// look at invariants: the model is in no single state there.
  public mutating func invariant<Result>(
    _ name: String, _ check: @escaping @Sendable (Model, inout System) async throws -> Result
  ) {
    invariants.append(
      Invariant(name: name) { model, system in
        let result = try await check(model, &system)
        if Result.self == Void.self { return }
        guard let holds = result as? Bool else { throw CheckError.badResult(type: "\(Result.self)") }
        if !holds { throw Failure("the condition is false", origin: name) }
      })
  }

  /// The statement that the system does what the model does, whatever the program, which is the one argument.
  public func property(
    _ id: String, _ sentence: String, file: String = #filePath, line: Int = #line
  ) -> Property {
    Property(id, sentence, programs(), file: file, line: line) { program in try execute(program) }
  }

  /// Looks for a program after which the system and the model differ.
  public func check(_ settings: CheckSettings = CheckSettings()) throws -> CheckReport {
    try search(programs(), settings: settings) { program in try execute(program) }
  }
}

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// The statement that the system is linearizable: whatever runs at the same time, on threads, could have run in turn.
  ///
  /// Each program is run as often as `repetitions` says. From the first failure on it is ten times as often, because
  /// what follows is shrinking, and a smaller program may fail more rarely.
  public func parallelProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape(), repetitions: Int = 100,
    file: String = #filePath, line: Int = #line
  ) -> Property {
    let hasFailed = Atomic(false)
    let most = repetitions.multipliedReportingOverflow(by: 10).partialValue
    return Property(id, sentence, parallelPrograms(shape), file: file, line: line) { program in
      do {
        try execute(program, repetitions: hasFailed.load(ordering: .relaxed) ? max(repetitions, most) : repetitions)
      } catch {
        hasFailed.store(true, ordering: .relaxed)
        throw error
      }
    }
  }

  /// The statement that the system is linearizable however its tasks take turns where they await.
  public func interleavedProperty(
    _ id: String, _ sentence: String, _ shape: ParallelShape = ParallelShape(), file: String = #filePath,
    line: Int = #line
  ) -> Property {
    Property(id, sentence, interleavings(shape), file: file, line: line) { interleaving in try execute(interleaving) }
  }
}

extension StateMachine {
  /// Runs a program on a fresh system, on this thread, and compares the system with the model after every command.
  ///
  /// - Throws: `Failure` when they differ; `Discard` when a command does not hold an assumption.
  public func execute(_ program: Program<Model, System>) throws {
    try waiting { try await run(program) }
  }

  /// Runs a program on a fresh system, in this task, and compares the system with the model after every command.
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
      throw Failure("\(place(of: step)) threw \(error)", origin: "\(step.origin) threw \(Failure.origin(of: error))")
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
      throw Failure(
        "postcondition failed at \(returned): \(error)", origin: "\(step.origin) \(Failure.origin(of: error))")
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
          "invariant failed \(place): \(invariant.name): \(error)",
          origin: "\(invariant.name) \(Failure.origin(of: error))")
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

/// Draws commands after a state of a model, as a collection on the tape: its length, and a span for each command.
///
/// A command that a tape asks for and that may not run there any more is left out, on the tape as well. So a shrinker
/// that deletes a command need not know which later ones depend on it.
struct ProgramDrawing<Model: Sendable, System>: Sendable {
  /// How many random commands may be refused in a row before a program ends early.
  private static var attempts: Int { 100 }
  /// After so many refusals all kinds of commands are tried, not only the program's own.
  private static var retriesBeforeMixing: Int { 10 }

  let machine: StateMachine<Model, System>
  let length: ClosedRange<Int>

  func draw(
    _ draws: inout Draws, _ model: inout Model, first: Int,
    accepts: ([any Step<Model, System>], any Step<Model, System>) -> Bool = { _, _ in true },
    companion: ((inout Draws) throws -> Void)? = nil
  ) throws -> [any Step<Model, System>] {
    var steps: [any Step<Model, System>] = []
    try draws.open(SpanKind.collection.label([any Step<Model, System>].self))
    let beginning = draws.position
    let count = machine.commands.isEmpty ? 0 : try draws.length(length)
    let kinds = draws.isReplaying ? [] : mix(&draws)
    for _ in 0..<count {
      let step = try step(&draws, after: model, number: first + steps.count, kinds, companion) { accepts(steps, $0) }
      if let step {
        step.advance(&model)
        steps.append(step)
      } else if !draws.isReplaying {
        break
      }
    }
    if steps.count < length.lowerBound { throw Discard.filtered }
    if !machine.commands.isEmpty { draws.amend(beginning, to: UInt64(steps.count)) }
    try draws.close()
    return steps
  }

  /// Draws one command: of random ones the first that may run, of a tape's the next, or nil if that may not.
  private func step(
    _ draws: inout Draws, after model: Model, number: Int, _ kinds: [UInt64],
    _ companion: ((inout Draws) throws -> Void)?, accepts: (any Step<Model, System>) -> Bool
  ) throws -> (any Step<Model, System>)? {
    for attempt in 0..<(draws.isReplaying ? 1 : Self.attempts) {
      let checkpoint = draws.checkpoint
      do {
        if companion != nil { try draws.open(SpanKind.tuple.label((any Step<Model, System>).self)) }
        let step = try candidate(&draws, after: model, number: number, attempt < Self.retriesBeforeMixing ? kinds : [])
        if step.allows(model), accepts(step) {
          guard let companion else { return step }
          try companion(&draws)
          try draws.close()
          return step
        }
      } catch let discard as Discard where discard != .tooLarge {
        // Its generator has nothing to choose from in this state: another command is drawn.
      }
      draws.drop(to: checkpoint)
    }
    return nil
  }

  private func candidate(
    _ draws: inout Draws, after model: Model, number: Int, _ kinds: [UInt64]
  ) throws -> any Step<Model, System> {
    try draws.open(SpanKind.choice.label((any Step<Model, System>).self))
    let kind = try draws.choose(.index(below: machine.commands.count, .branch)) { draws in
      if kinds.isEmpty { return UInt64(draws.words.below(UInt32(machine.commands.count))) }
      return kinds[Int(draws.words.below(UInt32(kinds.count)))]
    }
    let step = try machine.commands[Int(kind)](&draws, model, number)
    try draws.close()
    return step
  }

  /// Which kinds of commands a random program uses: all in half of the programs, a random half of them in the others.
  ///
  /// A fault that needs many of one kind and none of another is rare when every program has all.
  /// Source: Groce et al., "Swarm testing", ISSTA 2012.
  private func mix(_ draws: inout Draws) -> [UInt64] {
    let all = (0..<UInt64(machine.commands.count)).map { $0 }
    if draws.words.next() & 1 == 0 { return all }
    let some = all.filter { _ in draws.words.next() & 1 == 0 }
    return some.isEmpty ? all : some
  }
}

extension StateMachine {
  /// Programs for `execute`, drawn from the model alone: every command's precondition holds where it stands.
  public func programs() -> Gen<Program<Model, System>> {
    let drawing = ProgramDrawing(machine: self, length: length)
    let initial = initial
    return Gen(node: { draws in
      var model = initial
      return Program(steps: try drawing.draw(&draws, &model, first: 0))
    })
  }
}
