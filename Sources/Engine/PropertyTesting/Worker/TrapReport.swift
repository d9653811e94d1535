// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Synchronization

extension Property {
  /// Runs work on the property in this process. If a case ends the process by a trap, a stack overflow or a bad access,
  /// how to run the case again is printed on stderr first. So it is of a case that takes longer than it may, and then
  /// the process is ended with exit code 1: a thread cannot be ended alone.
  ///
  /// - Parameters:
  ///   - caseLimit: How long a case may take; nil for a minute, or any time if the body waits, which may be for tasks
  ///     that get no thread on a busy machine.
  ///   - instructions: What to do to run a case again, given its token, or all cases, without one; a line each.
  ///   - work: What evaluates cases, on this thread, of the property that it is given.
  /// - Returns: What the work returns.
  package func reportingTraps<Value>(
    caseLimit: Duration?, instructions: @escaping @Sendable (ReplayToken?) -> [String],
    _ work: (Property) throws -> Value
  ) rethrows -> Value {
    let limit = caseLimit ?? (trial.waits ? nil : .seconds(60))
    let running = RunningCheck(self, caseLimit: limit, instructions: instructions)
    return try TrapReporter.shared.watching(running) { try work(evaluating(trial.watched(by: running))) }
  }
}

extension Trial {
  /// The same trial; what it does shows in a running check.
  fileprivate func watched(by running: RunningCheck) -> Trial {
    var watched = self
    let attempt = attempt
    watched.attempt = { draws, isWanted in
      running.enter(.drawing)
      let verdict = attempt(&draws) { drawn in
        guard isWanted(drawn) else { return false }
        running.enter(.evaluating(drawn.tape))
        return true
      }
      running.enter(.idle)
      return verdict
    }
    return watched
  }
}

/// The cases of a property that threads have in hand.
private final class RunningCheck: TrapWitness {
  enum Phase {
    case idle
    case drawing
    case evaluating(Tape)
  }

  private struct Activity {
    var phase: Phase
    /// How long it has been so, as far as the reporter has seen.
    var seen = Duration.zero
  }

  private let property: Property
  private let caseLimit: Duration?
  private let activities = Mutex<[UInt64: Activity]>([:])
  private let instructions: @Sendable (ReplayToken?) -> [String]

  init(
    _ property: Property, caseLimit: Duration?, instructions: @escaping @Sendable (ReplayToken?) -> [String]
  ) {
    (self.property, self.caseLimit, self.instructions) = (property, caseLimit, instructions)
  }

  var waits: Bool { property.trial.waits }

  /// Notes what this thread does from now on.
  func enter(_ phase: Phase) { activities.withLock { $0[TrapReporter.thisThread] = Activity(phase: phase) } }

  /// The threads that have a case in hand.
  var threads: [UInt64] {
    activities.withLock { $0.filter { if case .idle = $0.value.phase { false } else { true } }.keys.sorted() }
  }

  /// Adds to the time for which cases have been in hand, and reports one that has taken longer than it may.
  func reportStuck(after tick: Duration, write: (String) -> Void) -> Bool {
    guard let caseLimit else { return false }
    let stuck = threads.first { thread in
      activities.withLock { activities in
        activities[thread]?.seen += tick
        return activities[thread].map { $0.seen > caseLimit } ?? false
      }
    }
    guard let stuck else { return false }
    report("\nMore than \(caseLimit)", of: stuck, write: write)
    write("  The process is ended: allow more by a longer limit for a case, or mend what does not end.\n")
    return true
  }

  /// Prints the case that a thread has in hand; the arguments come last, because making them again may trap as well.
  func report(_ signal: String, of thread: UInt64, write: (String) -> Void) {
    let name = "'\(property.sentence)' (\(property.id))"
    switch activities.withLock({ $0[thread]?.phase ?? .idle }) {
    case .idle: return
    case .drawing:
      write("\(signal) while a generator of \(name) drew a case\n")
      for line in instructions(nil) { write("  \(line)\n") }
    case .evaluating(let tape):
      write("\(signal) in a case of \(name)\n")
      for line in instructions(ReplayToken(property: property.id, tape: tape)) { write("  \(line)\n") }
      guard var draws = try? Draws(seed: 0) else { return }
      draws.begin(reading: tape)
      for (index, text) in property.trial.describe(&draws).enumerated() {
        write("  \(argumentName(index, of: property.argumentNames)): \(text)\n")
      }
    }
  }
}
