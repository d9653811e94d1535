// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes a failing case simpler until nothing simpler that it can think of fails in the same way.
///
/// It edits the tape, has the generators make a case of it, and keeps the case if it is simpler and still fails.
struct Shrinker: ~Copyable {
  /// What shrinking came to.
  struct Result: Sendable {
    let tape: Tape
    let failure: Failure
    let arguments: [String]
    let evaluations: Int
  }

  private let trial: Trial
  private let limit: Int
  private var draws: Draws
  private(set) var best: Tape
  private(set) var failure: Failure
  private(set) var evaluations = 1
  private var seen: Set<Tape> = []

  init(_ trial: Trial, _ tape: Tape, _ failure: Failure, limit: Int, draws: consuming Draws) {
    self.trial = trial
    self.limit = limit
    self.draws = draws
    self.best = tape
    self.failure = failure
    seen.insert(tape)
  }

  mutating func run() -> Result {
    draws.begin(reading: best)
    return Result(tape: best, failure: failure, arguments: trial.describe(&draws), evaluations: evaluations)
  }
}
