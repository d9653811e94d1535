// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import VirtualTime

/// A parallel program with the points at which its branches yield to each other.
public struct Interleaving<Model: Sendable, System>: Sendable, CustomStringConvertible {
  /// The program to run.
  public let program: ParallelProgram<Model, System>
  /// For every branch, command and point at which another task could continue: the next task, counted from the one that
  /// became ready last. After the listed points, a task continues for as long as it can.
  public let turns: [[[Int]]]

  /// The number of points of a run at which each other task is tried.
  static var systematicMoments: Int { 200 }

  var hasTurns: Bool { turns.joined().joined().contains { $0 > 0 } }

  /// The commands, one on each line, with the turns at which they yield.
  public var description: String {
    program.lines { branch, index in
      let turns = turns[branch][index]
      return turns.contains { $0 > 0 } ? "  // turns: \(turns)" : ""
    }.joined(separator: "\n")
  }
}

extension StateMachine where Model: Hashable {
  /// Programs with the turns of their branches, for `execute(_: Interleaving)`: at a number of points of each command,
  /// the next task is drawn. They shrink towards few changes.
  public func interleavings(
    _ shape: ParallelShape = ParallelShape(), turns: ClosedRange<Int> = 0...10
  ) -> Gen<Interleaving<Model, System>> {
    let machine = self
    let moments = Gen<[Int]>.arrays(of: .integers(in: 0...max(1, shape.branches - 1)), count: turns)
    return Gen(span: .tuple) { draws in
      var drawn: [[[Int]]] = Array(repeating: [], count: shape.branches)
      let program = try machine.drawParallel(&draws, shape) { draws, branch in
        drawn[branch].append(try draws.draw(moments))
      }
      return Interleaving(program: program, turns: drawn)
    }
  }
}

extension StateMachine where Model: Hashable, System: AnyObject & Sendable {
  /// Runs the branches of a program on this thread, in turns, and checks that their results are linearizable: in every
  /// order with at most one change of turn, and then in the drawn order.
  ///
  /// Turns change only before commands, at calls of actors and at other `await`s of the system: the same interleaving
  /// gives the same run. This holds for actors without a custom executor and for tasks that inherit the executor; code
  /// that runs elsewhere is awaited briefly, in an undetermined order.
  ///
  /// Most faults need one change of turn, so these orders are tried systematically, and a fault found in one of them
  /// needs no turns in its counterexample. Source: Musuvathi and Qadeer, "Iterative context bounding", PLDI 2007.
  ///
  /// - Parameter interleaving: The program and the order of its turns.
  /// - Throws: `Failure` with the history that no order explains, or if the branches wait for each other forever or do
  ///   not end; they are then cancelled.
  public func execute(_ interleaving: Interleaving<Model, System>) throws {
    let program = interleaving.program
    let moments = try execute(program, .unchanged)
    for (moment, ready) in moments.enumerated().prefix(Interleaving<Model, System>.systematicMoments) {
      for other in 1..<ready { try execute(program, .changed(moment: moment, to: other)) }
    }
    if interleaving.hasTurns { try execute(program, .drawn(interleaving.turns)) }
  }

  /// Returns the number of ready tasks, at every point with more than one.
  @discardableResult
  private func execute(_ program: ParallelProgram<Model, System>, _ turns: TurnTaker.Turns) throws -> [Int] {
    let machine = self
    let executor = ManualExecutor()
    var tasks: [Task<Void, Never>] = []
    // Branches abandoned after a failure must end, wherever they run.
    defer {
      for task in tasks { task.cancel() }
      executor.retire()
    }
    let table = SymbolTable()
    let begun = executor.run {
      try await SymbolTable.$current.withValue(table) { try await machine.begin(program.prefix) }
    }
    let (system, model) = try begun.get()
    let clock = LogicalClock()
    // The branch that became ready last goes first, so the first branch is started last.
    let outcomes = program.branches.indices.reversed().map { branch in
      executor.start {
        try await SymbolTable.$current.withValue(table) {
          try await machine.record(program.branches[branch], system, clock) { index in
            executor.owner = ManualExecutor.Owner(branch: branch, command: index)
            if index > 0 { await Task.yield() }
          }
        }
      } started: {
        tasks.append($0)
      }
    }
    var taker = TurnTaker(turns, patience: patience)
    try taker.run(executor) { outcomes.allSatisfy { $0.value != nil } }
    let branches = try outcomes.reversed().map { try $0.value?.get() ?? [] }
    try ParallelRun(branches: branches).check(from: model)
    return taker.moments
  }
}

/// Decides which of several tasks continues.
struct TurnTaker {
  /// The next task when several are ready, counted from the one that became ready last.
  enum Turns: Sendable {
    /// Always the last one.
    case unchanged
    /// Always the last one, except at one point.
    case changed(moment: Int, to: Int)
    /// The drawn task at each point of every branch and command; the last one after these.
    case drawn([[[Int]]])
  }

  /// The number of jobs after which a task that only waits, again and again, no longer goes first.
  private static let favour = 1_000
  /// The number of jobs after which the tasks count as endless.
  private static let limit = 100_000

  private let turns: Turns
  private let patience: DispatchTimeInterval
  /// The number of turns taken, for every branch and command.
  private var taken: [[Int]] = []
  private var jobs = 0
  /// The number of ready tasks, at every point with more than one.
  private(set) var moments: [Int] = []

  init(_ turns: Turns, patience: Duration) {
    self.turns = turns
    self.patience = .nanoseconds(Int(min(max(patience, .zero), .seconds(60)).attoseconds / 1_000_000_000))
    if case .drawn(let turns) = turns { taken = turns.map { $0.map { _ in 0 } } }
  }

  mutating func run(_ executor: ManualExecutor, until isDone: () -> Bool) throws {
    while !isDone() {
      let ready = executor.readyCount
      if ready > 0 {
        executor.runJob(at: ready - 1 - turn(among: ready, executor.owner))
        jobs += 1
        if jobs > Self.limit {
          throw Failure("the branches do not end within \(Self.limit) turns", origin: "endless branches")
        }
      } else {
        // Code outside of the program may still make a task ready, within a short time.
        guard executor.waitForJob(atMost: patience) else {
          throw Failure("the branches wait for each other, or for something outside, for ever", origin: "deadlock")
        }
      }
    }
  }

  /// The task that continues, by the turns of the command that ran last.
  private mutating func turn(among ready: Int, _ owner: ManualExecutor.Owner?) -> Int {
    if ready == 1 { return 0 }
    if jobs > Self.favour { return ready - 1 }
    moments.append(ready)
    switch turns {
    case .unchanged: return 0
    case .changed(let moment, let other): return moments.count - 1 == moment ? min(other, ready - 1) : 0
    case .drawn(let turns):
      guard let owner else { return 0 }
      let own = turns[owner.branch][owner.command]
      let next = taken[owner.branch][owner.command]
      taken[owner.branch][owner.command] += 1
      return next < own.count ? min(own[next], ready - 1) : 0
    }
  }
}
