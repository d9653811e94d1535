// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch

/// Decides which of several tasks goes on.
struct TurnTaker {
  /// Who goes on when several could, counted from the one that became ready last.
  enum Turns: Sendable {
    /// Always the last.
    case unchanged
    /// Always the last, but for one moment.
    case changed(moment: Int, to: Int)
    /// Of every branch and command: what was drawn for its moments; after these the last.
    case drawn([[[Int]]])
  }

  /// After so many jobs a task that only waits for another, again and again, no longer goes first.
  private static let favour = 1_000
  /// After so many jobs the tasks are taken not to end.
  private static let limit = 100_000

  private let turns: Turns
  private let patience: DispatchTimeInterval
  /// Of every branch and command: how many of its turns were taken.
  private var taken: [[Int]] = []
  private var jobs = 0
  /// How many tasks could go on, at every moment when there was more than one.
  private(set) var moments: [Int] = []

  /// Creates what decides for one run.
  ///
  /// - Parameters:
  ///   - turns: Who goes on.
  ///   - patience: How long something outside of the program may take to make a task ready when none is; at most 60 s.
  init(_ turns: Turns, patience: Duration) {
    self.turns = turns
    let longest = Duration.seconds(60)
    let components = min(max(patience, .zero), longest).components
    self.patience = .nanoseconds(Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000))
    if case .drawn(let turns) = turns { taken = turns.map { $0.map { _ in 0 } } }
  }

  /// Runs jobs until nothing is left to do.
  ///
  /// - Throws: `Failure` when the tasks wait for each other or do not end.
  mutating func run(_ executor: ProgramExecutor, until isDone: () -> Bool) throws {
    while !isDone() {
      let ready = executor.readyCount
      if ready > 0 {
        executor.runJob(turn(among: ready, executor.owner))
        jobs += 1
        if jobs > Self.limit {
          throw Failure("the branches do not end within \(Self.limit) turns", origin: "endless branches")
        }
      } else {
        try waitForOthers(executor)
      }
    }
  }

  /// The task that goes on, as the command says that went on last.
  private mutating func turn(among ready: Int, _ owner: ProgramExecutor.Owner?) -> Int {
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

  /// Something outside of the program may still make a task ready: it gets a moment, and no more.
  private func waitForOthers(_ executor: ProgramExecutor) throws {
    while executor.readyCount == 0 {
      guard executor.waitForJob(atMost: patience) else {
        throw Failure("the branches wait for each other, or for something outside, for ever", origin: "deadlock")
      }
    }
  }
}
