// SPDX-License-Identifier: Apache-2.0
package import MonteCarlo

/// Tests properties in a separate process, so that a case that ends the process is a failure like any other.
///
/// The process runs whole checks and records each case before it evaluates it. If a case ends the process, a new one is
/// started, and the case is shrunk.
package final class IsolatedRunner {
  private let worker: Worker

  package init(command: [String], jobs: Int, caseLimit: Duration) throws(WorkerError) {
    worker = try Worker(command, threads: jobs, caseLimit: caseLimit)
  }

  /// The progress of the current or last guided search; `nil` for other searches.
  package var guidance: GuidanceProgress? { worker.journal.guidance }

  /// The cases that the last guided check has kept, however it ended.
  package var kept: [ChoiceSequence] { worker.kept }

  package func check(
    _ property: Property, mutant: String? = nil, settings: CheckSettings, interrupt: Interrupt? = nil,
    progress: ((Int) -> Void)? = nil
  ) throws -> CheckReport {
    try CheckReport.collecting(settings) { settings in
      try first(property, mutant, settings, interrupt, progress)
    }
  }

  private func first(
    _ property: Property, _ mutant: String?, _ settings: CheckSettings, _ interrupt: Interrupt?,
    _ progress: ((Int) -> Void)?
  ) throws -> CheckReport {
    let asked = AddressedRequest(property: property.id, mutant: mutant, request: .check(settings))
    let deadline = settings.timeLimit.map { ContinuousClock.now + $0 }
    let canRetry = settings.jobs > 1 && settings.timeLimit == nil
    switch try worker.ask(asked, interrupt: interrupt, progress: progress) {
    case .answer(.report(let report)): return report
    case .answer(let answer): throw Self.error(answer, asked)
    case .hung where canRetry, .ended where canRetry:
      // Another thread may have been about to find an earlier case: a single thread finds the first one.
      var settings = settings
      settings.jobs = 1
      return try first(property, mutant, settings, interrupt, progress)
    case let reply: return try report(failure(of: reply), about: property, settings, deadline, asked)
    }
  }

  package func replay(_ token: ReplayToken, of property: Property, mutant: String? = nil) throws -> ReplayOutcome {
    try token.belongs(to: property)
    let asked = AddressedRequest(property: property.id, mutant: mutant, request: .replay(token.choices))
    switch try worker.ask(asked) {
    case .answer(.replayed(let outcome)): return outcome
    case .answer(let answer): throw Self.error(answer, asked)
    case let reply:
      let failure = failure(of: reply)
      let notes = worker.notes
      _ = try passedBefore(failure, asked)
      guard let choices = worker.journal.sequencesInHand.first else {
        throw WorkerError.died(property: asked.property, cause: failure.message)
      }
      return .failed(failure, arguments: try arguments(of: choices, asked), notes: notes)
    }
  }

  // MARK: Traps and cases that do not end

  /// The failure of a case after which the process was gone.
  private func failure(of reply: Worker.Reply) -> Failure {
    if case .ended(let end) = reply { end.failure } else { worker.hang }
  }

  private func report(
    _ end: Failure, about property: Property, _ settings: CheckSettings, _ deadline: ContinuousClock.Instant?,
    _ asked: AddressedRequest
  ) throws -> CheckReport {
    var total = CaseTally()
    total.passed = try passedBefore(end, asked)
    let (choices, failure) = try culprit(end, asked)
    // Half of this process's limit, so that the other process gives up a candidate first.
    let limit = min(worker.caseLimit / 2, .seconds(1))
    var rest = settings
    rest.timeLimit = deadline.map { max(.nanoseconds(1), $0 - .now) }
    let reply = try worker.ask(
      asked.with(.examine(choices, failure, rest, casesUntilFound: total.passed + 1, caseLimit: limit)))
    var outcome: CheckReport.Outcome
    if case .answer(.examined(let examined)) = reply {
      outcome = examined
    } else {
      outcome = try unshrunk(choices, failure, casesUntilFound: total.passed + 1, asked)
    }
    // The process that shrank the case has not run its body, and waited for it less long.
    if case .falsified(var found) = outcome {
      let reply = try worker.ask(asked.with(.replay(found.choices)))
      if case .answer = reply {
        if failure.origin == Failure.hangOrigin {
          outcome = try unshrunk(choices, failure, casesUntilFound: total.passed + 1, asked)
        }
      } else {
        (found.failure, found.notes) = (self.failure(of: reply), worker.notes)
        outcome = .falsified(found)
      }
    }
    return CheckReport(
      outcome, total, ending: .completed, coverage: [], warnings: [], settings: settings,
      argumentNames: property.argumentNames)
  }

  /// The failure of a case that could not be shrunk, for example because its generators end the process for other
  /// cases: it is still run again for confirmation.
  private func unshrunk(
    _ choices: ChoiceSequence, _ failure: Failure, casesUntilFound: Int, _ asked: AddressedRequest
  ) throws -> CheckReport.Outcome {
    let again = try worker.evaluate(choices, like: asked)
    let arguments = try arguments(of: choices, asked)
    if case .failed(let other) = again, other.origin == failure.origin {
      return .falsified(
        Counterexample(
          choices, failure, arguments: arguments, casesUntilFound: casesUntilFound, evaluations: 2,
          isShrunk: false))
    }
    return .flaky(
      FlakyCase(
        arguments: arguments, redrawn: nil, first: failure, second: again, choices: choices,
        casesUntilFound: casesUntilFound)
    )
  }

  /// The case that ended the process: if several ran, the first one that ends another process.
  private func culprit(_ end: Failure, _ asked: AddressedRequest) throws -> (ChoiceSequence, Failure) {
    let sequences = worker.journal.sequencesInHand
    guard let first = sequences.first else { throw WorkerError.died(property: asked.property, cause: end.message) }
    if sequences.count == 1 { return (first, end) }
    for choices in sequences {
      let reply = try worker.ask(asked.with(.evaluate(choices)))
      if case .answer = reply { continue }
      return (choices, failure(of: reply))
    }
    return (first, end)
  }

  /// The number of cases that had passed; an end in a generator, or between cases, is not a failure of the property.
  private func passedBefore(_ end: Failure, _ asked: AddressedRequest) throws -> Int {
    let entries = worker.journal.entries
    let passed = entries.reduce(0) { $0 + Int(truncatingIfNeeded: $1.passed) }
    if worker.isEvaluating { return passed }
    guard entries.contains(where: { $0.phase == .drawing }) else {
      throw WorkerError.died(property: asked.property, cause: end.message)
    }
    if end == worker.hang { throw WorkerError.hung(property: asked.property, limit: worker.caseLimit) }
    throw WorkerError.generatorTrapped(property: asked.property, cause: end.message, cases: passed + 1)
  }

  private func arguments(of choices: ChoiceSequence, _ asked: AddressedRequest) throws -> [String] {
    if case .answer(.described(let arguments)) = try worker.ask(asked.with(.describe(choices))) { return arguments }
    return []
  }

  // MARK: Errors

  private static func error(_ answer: WorkerAnswer, _ asked: AddressedRequest) -> any Error {
    switch answer {
    case .refused(let error): error
    case .unknownProperty: WorkerError.unknownProperty(asked.property)
    case .failed(let message): WorkerError.misunderstood(message)
    default: WorkerError.misunderstood("an answer to another question")
    }
  }
}
