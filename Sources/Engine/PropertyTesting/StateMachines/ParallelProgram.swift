// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Commands to be run one after the other, and then branches of commands to be run at the same time.
public struct ParallelProgram<Model: Sendable, System>: Sendable, CustomStringConvertible {
  let prefix: [any Step<Model, System>]
  let branches: [[any Step<Model, System>]]

  /// How many commands it has.
  public var count: Int { branches.reduce(prefix.count) { $0 + $1.count } }

  /// One line for each command and each branch; the commands of a branch stand under it.
  public var lines: [String] { lines(remark: { _, _ in "" }) }

  /// One line for each command and each branch, with something after each command of a branch.
  func lines(remark: (_ branch: Int, _ place: Int) -> String) -> [String] {
    prefix.map(\.description)
      + branches.indices.flatMap { branch in
        let steps = branches[branch].enumerated().map { "  \($1.description)\(remark(branch, $0))" }
        return ["branch \(branch + 1):"] + (steps.isEmpty ? ["  (no commands)"] : steps)
      }
  }
  /// The commands, one on each line.
  public var description: String { lines.joined(separator: "\n") }
}

/// How large parallel programs are.
public struct ParallelShape: Sendable, Hashable {
  /// How many commands run before the branches part.
  public var prefix = 0...5
  /// How many branches run at the same time.
  public var branches = 2
  /// How many commands a branch has.
  public var branch = 0...4

  /// Two branches of at most four commands, after at most five.
  public init() {}

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - prefix: How many commands run before the branches part.
  ///   - branches: How many branches run at the same time, 1 to 8.
  ///   - branch: How many commands a branch has. Checking takes time exponential in the branches: keep them short.
  public init(prefix: ClosedRange<Int> = 0...5, branches: Int = 2, branch: ClosedRange<Int> = 0...4) {
    self.prefix = prefix
    self.branches = min(max(branches, 1), 8)
    self.branch = branch
  }
}

extension StateMachine where Model: Hashable {
  /// Programs for `execute(_:repetitions:)`: in whatever order the branches' commands happen, their preconditions hold.
  ///
  /// - Parameter shape: How large they are.
  /// - Returns: A generator of programs; commands that other branches could make impossible are left out.
  public func parallelPrograms(_ shape: ParallelShape = ParallelShape()) -> Gen<ParallelProgram<Model, System>> {
    let machine = self
    return Gen(span: .tuple) { draws in try machine.drawParallel(&draws, shape) }
  }

  func drawParallel(
    _ draws: inout Draws, _ shape: ParallelShape, companion: ((inout Draws, Int) throws -> Void)? = nil
  ) throws -> ParallelProgram<Model, System> {
    var forked = initial
    let prefix = try ProgramDrawing(self, length: shape.prefix).draw(&draws, &forked, first: 0)
    let drawing = ProgramDrawing(self, length: shape.branch)
    var branches: [[any Step<Model, System>]] = []
    var number = prefix.count
    for branch in 0..<shape.branches {
      var model = forked
      let steps = try drawing.draw(
        &draws, &model, first: number,
        accepts: { steps, step in
          let candidates = (branches + [steps + [step]]).map { $0.map(Proposal.init) }
          return Interleavings(candidates).allAllow(from: forked)
        },
        companion: companion.map { companion in { draws in try companion(&draws, branch) } })
      number += steps.count
      branches.append(steps)
    }
    return ParallelProgram(prefix: prefix, branches: branches)
  }
}

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
    let threads = ManualExecutor()
    threads.serve(threads: program.branches.count)
    defer { threads.retire() }
    for repetition in 0..<max(1, repetitions) {
      try execute(program, on: threads, repetition)
    }
  }

  private func execute(
    _ program: ParallelProgram<Model, System>, on threads: ManualExecutor, _ repetition: Int
  ) throws {
    let machine = self
    let table = SymbolTable()
    let beginner = ManualExecutor()
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

/// Where branches wait until all have come, so that they start together.
final class StartingGate: Sendable {
  /// So many looks are free of a call to the system, so that threads which both run start within nanoseconds.
  private static let patience = 10_000

  private let missing: Atomic<Int>

  init(_ count: Int) {
    missing = Atomic(count)
  }

  /// Waits for the others without giving up the thread, and then for a little longer.
  func pass(delay: Int) {
    missing.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    var looks = 0
    while missing.load(ordering: .sequentiallyConsistent) > 0 {
      looks += 1
      if looks > Self.patience { sched_yield() }
    }
    linger(delay)
  }

  func linger(_ delay: Int) {
    for _ in 0..<delay { _ = missing.load(ordering: .sequentiallyConsistent) }
  }
}

/// How often a parallel program is run before it is believed to be right.
final class RepetitionEffort: Sendable {
  private let count: Atomic<Int>
  private let most: Int

  init(_ repetitions: Int) {
    count = Atomic(repetitions)
    most = repetitions.multipliedReportingOverflow(by: 10).partialValue
  }

  var repetitions: Int { count.load(ordering: .relaxed) }

  /// Makes it ten times as often: a program has failed, and smaller ones are to be tried.
  func raise() { count.store(max(repetitions, most), ordering: .relaxed) }
}
