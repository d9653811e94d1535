// SPDX-License-Identifier: GPL-3.0-or-later

extension StateMachine {
  /// Runs a program on a fresh system, on this thread, and compares the system with the model after every command.
  ///
  /// Commands that wait for something are waited for, whoever brings it.
  ///
  /// - Parameter program: What to run.
  /// - Throws: `Failure` when they differ; `Discard` when a command does not hold an assumption.
  public func execute(_ program: Program<Model, System>) throws {
    let machine = self
    let executor = ProgramExecutor()
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

  /// Makes a system for one run.
  func freshSystem() async throws -> System {
    do {
      return try await makeSystem()
    } catch let error where !(error is Failure || error is Discard) {
      throw Failure("the system could not be made: \(error)", origin: "system \(type(of: error))")
    }
  }

  /// Runs commands one after the other.
  ///
  /// - Returns: The state of the model after the last.
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

  /// Runs a command.
  ///
  /// - Throws: `Failure` when the command throws.
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

  /// Which command it is, as people count.
  private func place(of step: any Step<Model, System>) -> String { "step \(step.number + 1): \(step.call)" }
}
