// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// Runs the branches of a program on threads, at the same time, and checks that what they returned is linearizable:
  /// that each command could have happened at one moment between its beginning and its end.
  ///
  /// A failure is a proof; that none is found is not. Threads meet by chance: hence the repetitions, each on a fresh
  /// system and with other delays. `execute(_: Interleaving)` leaves nothing to chance for systems that await.
  ///
  /// - Parameters:
  ///   - program: What to run.
  ///   - repetitions: How often, at most; a failure ends it.
  /// - Throws: `Failure` with the history that no order explains; `Discard` when an assumption does not hold.
  public func execute(_ program: ParallelProgram<Model, System>, repetitions: Int = 100) throws {
    let threads = BranchThreads(program.branches.count)
    defer { threads.close() }
    for repetition in 0..<max(1, repetitions) {
      try execute(program, on: threads, repetition)
    }
  }

  private func execute(
    _ program: ParallelProgram<Model, System>, on threads: BranchThreads, _ repetition: Int
  ) throws {
    let machine = self
    let table = SymbolTable()
    let beginner = ProgramExecutor()
    defer { beginner.retire() }
    let begun = beginner.run {
      try await SymbolTable.$current.withValue(table) { try await machine.begin(program.prefix) }
    }
    let (system, model) = try begun.get()
    let (clock, gate) = (LogicalClock(), StartingGate(program.branches.count))
    let arrivals = DispatchSemaphore(value: 0)
    let outcomes = program.branches.indices.map { branch in
      let outcome = Outcome<[CommandRecord<Model, System>]>()
      let delay = Self.delay(repetition, branch)
      Task(executorPreference: threads) {
        gate.pass(delay: delay)
        do {
          let records = try await SymbolTable.$current.withValue(table) {
            try await machine.record(program.branches[branch], system, clock) { place in
              gate.linger(place * delay & 0x1ff)
            }
          }
          outcome.value = .success(records)
        } catch {
          outcome.value = .failure(error)
        }
        arrivals.signal()
      }
      return outcome
    }
    for _ in outcomes { arrivals.wait() }
    try ConcurrentHistory(branches: outcomes.map { try $0.value?.get() ?? [] }).check(from: model)
  }

  /// How long a branch waits after the start: other lengths in every repetition, none in the first.
  private static func delay(_ repetition: Int, _ branch: Int) -> Int {
    let mixed = UInt64(repetition) &* 0x9E37_79B9_7F4A_7C15 >> UInt64(8 * (branch & 3))
    return Int(mixed & 0xff) << Int(mixed >> 8 & 3)
  }
}
