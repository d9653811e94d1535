// SPDX-License-Identifier: GPL-3.0-or-later

/// A parallel program with the order in which its branches take turns.
public struct Interleaving<Model: Sendable, System>: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// What is run.
  public let program: ParallelProgram<Model, System>
  /// At every moment when more than one task could go on: which does, counted from the one that went on last.
  public let schedule: [Int]

  /// The commands, one on each line, and the turns.
  public var description: String { (program.lines + ["turns: \(schedule)"]).joined(separator: "\n") }
  /// The commands, one on each line, and the turns.
  public var debugDescription: String { description }
}

extension StateMachine where Model: Hashable {
  /// Programs with the turns of their branches, for `execute(_: Interleaving)`. They shrink towards few changes of turn.
  ///
  /// - Parameters:
  ///   - shape: How large they are.
  ///   - turns: How many turns are drawn; after these a branch goes on for as long as it can.
  /// - Returns: A generator of programs with turns.
  public func interleavings(
    _ shape: ParallelShape = ParallelShape(), turns: ClosedRange<Int> = 0...40
  ) -> Gen<Interleaving<Model, System>> {
    let schedules = Gen<[Int]>.arrays(of: .integers(in: 0...max(1, shape.branches - 1)), count: turns)
    return zip(parallelPrograms(shape), schedules).map { Interleaving(program: $0, schedule: $1) }
  }
}

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// Runs the branches of a program on this thread, in turns, and checks that what they returned is linearizable.
  ///
  /// Before every command, at every call of an actor and wherever else the system awaits, the schedule says who goes on:
  /// the same schedule gives the same run. This holds for actors without an executor of their own and for tasks that
  /// inherit the executor; what runs elsewhere is waited for briefly, in no fixed order.
  ///
  /// - Parameter interleaving: What to run, and in what order.
  /// - Throws: `Failure` with the history that no order explains, or when the branches wait for each other for ever.
  public func execute(_ interleaving: Interleaving<Model, System>) throws {
    let machine = self
    let program = interleaving.program
    let executor = ProgramExecutor()
    let table = SymbolTable()
    let begun = executor.run {
      try await SymbolTable.$current.withValue(table) { try await machine.begin(program.prefix) }
    }
    let (system, model) = try begun.get()
    let clock = LogicalClock()
    // The branch that became ready last goes first, so the first branch is to become ready last.
    let outcomes = program.branches.reversed().map { steps in
      executor.start {
        try await SymbolTable.$current.withValue(table) {
          try await machine.record(steps, system, clock, pausing: { await Task.yield() })
        }
      }
    }
    var turns = TurnTaker(interleaving.schedule)
    try turns.run(executor) { outcomes.allSatisfy { $0.value != nil } }
    let branches = try outcomes.reversed().map { try $0.value?.get() ?? [] }
    try ConcurrentHistory(branches: branches).check(from: model)
  }
}
