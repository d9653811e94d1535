// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo
internal import Synchronization

extension Property {
  /// Runs work on the property in this process. If a case ends the process by a trap, a stack overflow or a bad access,
  /// the command that repeats the case is printed on stderr first. The same holds for a case that exceeds its time
  /// limit; the process then ends with exit code 1, because a single thread cannot be ended.
  ///
  /// - Parameters:
  ///   - caseLimit: The largest duration of a case; `nil` for no limit.
  ///   - threads: The largest number of threads that evaluate cases, without those that the body waits for.
  ///   - instructions: How to run a case again, given its token, or all cases, without one; one line each.
  ///   - work: Evaluates cases of the property passed to it.
  /// - Returns: The result of the work.
  /// - Throws: The errors of the work; `WorkerError` if there is no memory for the journal.
  package func reportingTraps<Value>(
    caseLimit: Duration?, threads: Int = 1, instructions: @escaping @Sendable (ReplayToken?) -> [String],
    _ work: (Property) throws -> Value
  ) throws -> Value {
    let journal = try ChoiceJournal(threads: threads + 1)
    let running = RunningCheck(self, journal, caseLimit: caseLimit, instructions: instructions)
    return try TrapReporter.shared.watching(running) { try work(evaluating(trial.journalled(in: journal))) }
  }
}

/// The current cases of a property on all threads.
private final class RunningCheck: TrapWitness {
  private let property: Property
  private let journal: ChoiceJournal
  private let caseLimit: Duration?
  private let watch = Mutex(CaseWatch())
  private let instructions: @Sendable (ReplayToken?) -> [String]

  init(
    _ property: Property, _ journal: ChoiceJournal, caseLimit: Duration?,
    instructions: @escaping @Sendable (ReplayToken?) -> [String]
  ) {
    (self.property, self.journal, self.caseLimit, self.instructions) = (property, journal, caseLimit, instructions)
  }

  var waits: Bool { property.trial.waits }

  /// The threads with a current case.
  var threads: [UInt64] {
    (0..<journal.slots).filter { journal.entry(in: $0).phase != .idle }.map(journal.owner).sorted()
  }

  /// Adds to the elapsed times of the current cases, and reports one that exceeds the limit.
  func reportStuck(after tick: Duration, write: (String) -> Void) -> Bool {
    guard let caseLimit,
      let stuck = watch.withLock({ $0.overdue(in: journal.entries, after: tick, limit: caseLimit) })
    else { return false }
    _ = describe("\nMore than \(caseLimit)", of: journal.owner(of: stuck), write: write)
    write("  The process is ended. Set a longer case limit, or fix the code that does not end.\n")
    return true
  }

  /// Prints the current case of a thread, and then runs it again if its body draws, because the body's draws are known
  /// only during its run. The repeated trap ends the process.
  func report(_ signal: String, of thread: UInt64, write: (String) -> Void) {
    guard let choices = describe(signal, of: thread, write: write), !waits,
      choices.entries.contains(.open(SpanKind.body.rawValue))
    else { return }
    var draws = ChoiceSource(seed: 0)
    _ = property.trial.replay(choices, &draws) {
      FileHandle.standardError.write(Data("  \(ReadableText.indented($0))\n".utf8))
    }
  }

  /// Prints a case and returns its choice sequence; the arguments come last, because generating them again may trap as
  /// well.
  private func describe(_ signal: String, of thread: UInt64, write: (String) -> Void) -> ChoiceSequence? {
    let name = "'\(property.sentence)' (\(property.id))"
    // A thread may have had other slots before.
    let slot = (0..<journal.slots).first {
      journal.owner(of: $0) == thread && journal.entry(in: $0).phase != .idle
    }
    guard let slot else { return nil }
    switch journal.entry(in: slot).phase {
    case .idle: return nil
    case .drawing:
      write("\(signal) while a generator of \(name) drew a case\n")
      for line in instructions(nil) { write("  \(line)\n") }
      return nil
    case .evaluating:
      write("\(signal) in a case of \(name)\n")
      guard let choices = journal.choices(in: slot) else { return nil }
      var draws = ChoiceSource(seed: 0)
      for line in instructions(ReplayToken(property: property.id, choices: choices)) { write("  \(line)\n") }
      draws.begin(reading: choices)
      for (index, text) in property.trial.describe(&draws).enumerated() {
        write("  \(argumentName(index, of: property.argumentNames)): \(ReadableText.indented(text))\n")
      }
      return choices
    }
  }
}
