// SPDX-License-Identifier: GPL-3.0-or-later

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// Runs the branches of a program on this thread, in turns, and checks that what they returned is linearizable: in
  /// every order with at most one change of turn, and then in the order that was drawn.
  ///
  /// Turns change before commands, at calls of actors and wherever else the system awaits, and nowhere else: the same
  /// interleaving gives the same run. This holds for actors without an executor of their own and for tasks that inherit
  /// the executor; what runs elsewhere is waited for briefly, in no fixed order.
  ///
  /// Most faults need one change of turn, so these orders are not left to chance, and a fault found in one needs no
  /// turns in its counterexample. Source: Musuvathi and Qadeer, "Iterative context bounding", PLDI 2007.
  ///
  /// - Parameter interleaving: What to run, and in what order.
  /// - Throws: `Failure` with the history that no order explains, or when the branches wait for each other for ever.
  public func execute(_ interleaving: Interleaving<Model, System>) throws {
    let program = interleaving.program
    var moments: [Int] = []
    try execute(program, .unchanged, &moments)
    for (moment, ready) in moments.enumerated().prefix(Interleaving<Model, System>.systematicMoments) {
      for other in 1..<ready {
        var ignored: [Int] = []
        try execute(program, .changed(moment: moment, to: other), &ignored)
      }
    }
    if interleaving.hasTurns { try execute(program, .drawn(interleaving.turns), &moments) }
  }

  /// Runs the branches once.
  ///
  /// - Parameters:
  ///   - program: What to run.
  ///   - turns: Who goes on.
  ///   - moments: How many tasks could go on, at every moment when there was more than one.
  /// - Throws: `Failure` when no order explains the history, or when the branches do not end.
  private func execute(
    _ program: ParallelProgram<Model, System>, _ turns: TurnTaker.Turns, _ moments: inout [Int]
  ) throws {
    let machine = self
    let executor = ProgramExecutor()
    let table = SymbolTable()
    let begun = executor.run {
      try await SymbolTable.$current.withValue(table) { try await machine.begin(program.prefix) }
    }
    let (system, model) = try begun.get()
    let clock = LogicalClock()
    // The branch that became ready last goes first, so the first branch is to become ready last.
    let outcomes = program.branches.indices.reversed().map { branch in
      executor.start {
        try await SymbolTable.$current.withValue(table) {
          try await machine.record(program.branches[branch], system, clock) { place in
            executor.owner = ProgramExecutor.Owner(branch: branch, command: place)
            if place > 0 { await Task.yield() }
          }
        }
      }
    }
    var taker = TurnTaker(turns, patience: patience)
    try taker.run(executor) { outcomes.allSatisfy { $0.value != nil } }
    moments = taker.moments
    executor.retire()
    let branches = try outcomes.reversed().map { try $0.value?.get() ?? [] }
    try ConcurrentHistory(branches: branches).check(from: model)
  }
}
