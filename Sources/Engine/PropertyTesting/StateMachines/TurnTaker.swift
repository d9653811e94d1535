// SPDX-License-Identifier: GPL-3.0-or-later
internal import Dispatch

/// Decides which of several tasks goes on.
struct TurnTaker {
  /// After so many jobs a task that only waits for another, again and again, no longer goes first.
  private static let patience = 1_000
  /// After so many jobs the tasks are taken not to end.
  private static let limit = 100_000

  private let schedule: [Int]
  private var taken = 0
  private var jobs = 0

  init(_ schedule: [Int]) {
    self.schedule = schedule
  }

  /// Runs jobs until nothing is left to do.
  ///
  /// - Throws: `Failure` when the tasks wait for each other or do not end.
  mutating func run(_ executor: ProgramExecutor, until isDone: () -> Bool) throws {
    while !isDone() {
      let ready = executor.readyCount
      if ready > 0 {
        executor.runJob(turn(among: ready))
        jobs += 1
        if jobs > Self.limit {
          throw Failure("the branches do not end within \(Self.limit) turns", origin: "endless branches")
        }
      } else {
        try waitForOthers(executor)
      }
    }
  }

  private mutating func turn(among ready: Int) -> Int {
    if ready == 1 { return 0 }
    if jobs > Self.patience { return ready - 1 }
    defer { taken += 1 }
    return taken < schedule.count ? min(schedule[taken], ready - 1) : 0
  }

  /// Something outside of the program may still make a task ready: it gets a moment, and no more.
  private func waitForOthers(_ executor: ProgramExecutor) throws {
    while executor.readyCount == 0 {
      guard executor.waitForJob(atMost: .milliseconds(200)) else {
        throw Failure("the branches wait for each other, or for something outside, for ever", origin: "deadlock")
      }
    }
  }
}
