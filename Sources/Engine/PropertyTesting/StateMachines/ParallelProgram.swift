// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
internal import Synchronization
internal import VirtualTime

/// Commands to run one after another, followed by branches of commands to run concurrently.
public struct ParallelProgram<Model: Sendable, System>: Sendable, CustomStringConvertible {
  let prefix: [any Step<Model, System>]
  let branches: [[any Step<Model, System>]]

  var steps: [any Step<Model, System>] { prefix + branches.joined() }

  /// The number of commands.
  public var count: Int { branches.reduce(prefix.count) { $0 + $1.count } }

  /// One line for each command and each branch; the commands of a branch follow it, indented.
  public var lines: [String] { lines(remark: { _, _ in "" }) }

  /// One line for each command and each branch, with a remark after each command of a branch.
  func lines(remark: (_ branch: Int, _ position: Int) -> String) -> [String] {
    prefix.map(\.description)
      + branches.indices.flatMap { branch in
        let steps = branches[branch].enumerated().map { "  \($1.description)\(remark(branch, $0))" }
        return ["branch \(branch + 1):"] + (steps.isEmpty ? ["  (no commands)"] : steps)
      }
  }

  /// The commands, one on each line.
  public var description: String { lines.joined(separator: "\n") }
}

/// The size of parallel programs.
public struct ParallelShape: Sendable, Hashable {
  /// The number of commands before the branches.
  public var prefix: ClosedRange<Int>
  /// The number of concurrent branches.
  public var branches: Int
  /// The number of commands of a branch.
  public var branch: ClosedRange<Int>

  /// Creates a shape of 1 to 8 branches. Checking takes time exponential in their commands: keep them short.
  public init(prefix: ClosedRange<Int> = 0...5, branches: Int = 2, branch: ClosedRange<Int> = 0...4) {
    self.prefix = prefix
    self.branches = min(max(branches, 1), 8)
    self.branch = branch
  }
}

extension StateMachine where Model: Hashable {
  /// Programs for `execute(_:repetitions:)`: the preconditions hold in any order of the branches' commands. Commands
  /// that other branches could make impossible are left out.
  public func parallelPrograms(_ shape: ParallelShape = ParallelShape()) -> Gen<ParallelProgram<Model, System>> {
    let machine = self
    return Gen(span: .tuple) { draws in try machine.drawParallel(&draws, shape) }
  }

  func drawParallel(
    _ draws: inout ChoiceSource, _ shape: ParallelShape, companion: ((inout ChoiceSource, Int) throws -> Void)? = nil
  ) throws -> ParallelProgram<Model, System> {
    var forked = initial
    let prefix = try ProgramDrawing(machine: self, length: shape.prefix).draw(&draws, &forked, first: 0)
    let drawing = ProgramDrawing(machine: self, length: shape.branch)
    var branches: [[any Step<Model, System>]] = []
    var number = prefix.count
    for branch in 0..<shape.branches {
      var model = forked
      let steps = try drawing.draw(
        &draws, &model, first: number,
        accepts: { steps, step in
          allAllow(branches + [steps + [step]], from: forked)
        },
        companion: companion.map { companion in { draws in try companion(&draws, branch) } })
      number += steps.count
      branches.append(steps)
    }
    return ParallelProgram(prefix: prefix, branches: branches)
  }

  /// Returns true if every command may run wherever an order of the branches may place it.
  func allAllow(_ branches: [[any Step<Model, System>]], from model: Model) -> Bool {
    var seen: Set<BranchState<Model>> = []
    func allow(_ state: BranchState<Model>) -> Bool {
      guard seen.insert(state).inserted else { return true }
      for branch in branches.indices where state.positions[branch] < branches[branch].count {
        let step = branches[branch][state.positions[branch]]
        var next = state
        next.positions[branch] += 1
        guard step.allows(state.model) else { return false }
        step.advance(&next.model)
        if !allow(next) { return false }
      }
      return true
    }
    return allow(BranchState(positions: branches.map { _ in 0 }, model: model))
  }
}

/// The number of commands of each branch that have run, and the resulting model.
private struct BranchState<Model: Hashable>: Hashable {
  var positions: [Int]
  var model: Model
}

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// Runs the branches of a program on threads, concurrently, and checks that their results are linearizable: that each
  /// command could have happened at a single time between its call and its return.
  ///
  /// A failure is a proof; its absence is not. Threads meet by chance, hence the repetitions, each on a fresh system
  /// and with other delays. `execute(_: Interleaving)` is deterministic for systems that await.
  ///
  /// - Parameters:
  ///   - program: The program to run.
  ///   - repetitions: The largest number of runs; a failure ends them.
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
    let (system, model) = try waiting {
      try await SymbolTable.$current.withValue(table) { try await machine.begin(program.prefix) }
    }
    let (clock, gate) = (LogicalClock(), StartingGate(program.branches.count))
    let arrivals = DispatchSemaphore(value: 0)
    let outcomes = program.branches.indices.map { branch in
      let delay = Self.delay(repetition, branch)
      return threads.start {
        gate.pass(delay: delay)
        return try await SymbolTable.$current.withValue(table) {
          try await machine.record(program.branches[branch], system, clock) { position in
            gate.linger(position * delay & 0x1ff)
          }
        }
      } ended: {
        arrivals.signal()
      }
    }
    for _ in outcomes { arrivals.wait() }
    try ParallelRun(branches: outcomes.map { try $0.value?.get() ?? [] }).check(from: model)
  }

  /// The delay of a branch after the start: different in every repetition, none in the first.
  private static func delay(_ repetition: Int, _ branch: Int) -> Int {
    let mixed = UInt64(repetition) &* 0x9E37_79B9_7F4A_7C15 >> UInt64(8 * (branch & 3))
    return Int(mixed & 0xff) << Int(mixed >> 8 & 3)
  }
}

/// A barrier at which branches wait for each other, so that they start together.
final class StartingGate: Sendable {
  /// The reads before the first call to the system, so that two running threads start within nanoseconds.
  private static let patience = 10_000

  private let missing: Atomic<Int>

  init(_ count: Int) {
    missing = Atomic(count)
  }

  /// Waits for the others without yielding the thread, and then for the delay.
  func pass(delay: Int) {
    missing.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    var reads = 0
    while missing.load(ordering: .sequentiallyConsistent) > 0 {
      reads += 1
      if reads > Self.patience { sched_yield() }
    }
    linger(delay)
  }

  func linger(_ delay: Int) {
    for _ in 0..<delay { _ = missing.load(ordering: .sequentiallyConsistent) }
  }
}

/// The history of one parallel run: the times of the call and the return of every command, and its result.
struct ParallelRun<Model: Hashable & Sendable, System>: Sendable {
  let branches: [[CommandRecord<Model, System>]]

  /// Fails unless the commands could have happened one at a time, between their calls and their returns.
  func check(from model: Model) throws {
    var history = ConcurrentHistory<CommandRecord<Model, System>>()
    for record in branches.joined() { history.append(record, invoked: record.invoked, returned: record.returned) }
    if history.isLinearizable(from: model, step: { $1.apply(to: &$0) }) { return }
    let message = (["no order of the commands explains what they returned:"] + lines).joined(separator: "\n  ")
    throw Failure(message, origin: "not linearizable")
  }

  private var lines: [String] {
    var events: [(time: Int, text: String)] = []
    for (index, records) in branches.enumerated() {
      for record in records {
        events.append((record.invoked, "branch \(index + 1) calls \(record.step.description)"))
        let returned = CommandSpelling.value(record.response)
        events.append((record.returned, "branch \(index + 1) gets \(returned) from \(record.step.call)"))
      }
    }
    return events.sorted { $0.time < $1.time }.map(\.text)
  }
}

/// A clock that advances with every reading.
final class LogicalClock: Sendable {
  private let ticks = Atomic<Int>(0)

  /// The time, later than all earlier readings.
  func tick() -> Int { ticks.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}

extension StateMachine where System: Sendable {
  func record(
    _ steps: [any Step<Model, System>], _ system: System, _ clock: LogicalClock,
    pausing pause: @Sendable (Int) async -> Void
  ) async throws -> [CommandRecord<Model, System>] {
    var records: [CommandRecord<Model, System>] = []
    var system = system
    for (position, step) in steps.enumerated() {
      await pause(position)
      let invoked = clock.tick()
      let response = try await respond(step, &system)
      records.append(CommandRecord(step: step, response: response, invoked: invoked, returned: clock.tick()))
    }
    return records
  }

  func begin(_ steps: [any Step<Model, System>]) async throws -> (system: System, model: Model) {
    var system = try await freshSystem()
    let model = try await advance(&system, by: steps, checkingInvariants: false)
    return (system, model)
  }
}

/// A command that has run: it can have happened wherever the model allows its result.
struct CommandRecord<Model: Sendable, System>: Sendable {
  let step: any Step<Model, System>
  let response: any Sendable
  let invoked: Int
  let returned: Int

  func apply(to model: inout Model) -> Bool {
    do {
      try step.settle(response, &model)
      return true
    } catch {
      return false
    }
  }
}
