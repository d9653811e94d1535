// SPDX-License-Identifier: GPL-3.0-or-later

/// A system on trial beside a model of it: commands that both understand, and what must hold between the two.
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
  /// Something that must hold after every step.
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
