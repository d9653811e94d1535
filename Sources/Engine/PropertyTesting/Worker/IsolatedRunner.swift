// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo

/// Tests properties in a process of its own, so that a case that ends the process is a failure like any other.
///
/// The other process runs whole checks by itself and writes down each case before it judges it; only when it ends over
/// a case is a new one started, and the case made simpler.
public final class IsolatedRunner {
  private let worker: Worker
  private let caseLimit: Duration

  /// Creates a runner; its process is started with the first check.
  ///
  /// - Parameters:
  ///   - command: The executable and the arguments that make it call `WorkerHost.serve()`.
  ///   - jobs: How many threads judge cases at once.
  ///   - caseLimit: How long one case may take.
  /// - Throws: `WorkerError.refused` when the system does not give what it takes.
  public init(command: [String], jobs: Int, caseLimit: Duration = .seconds(10)) throws(WorkerError) {
    worker = try Worker(command, threads: jobs)
    self.caseLimit = caseLimit
  }

  /// Tests a property.
  ///
  /// - Parameters:
  ///   - property: What to test; the other process finds it by its id.
  ///   - subject: The broken variant that it is about; nil for the code that ships.
  ///   - settings: How much, and how.
  ///   - interrupt: Ends the check early when it is raised.
  ///   - progress: Told now and then how many cases have passed.
  /// - Returns: What came of it; a case that ended the process is its counterexample.
  /// - Throws: `CheckError` about the settings; `WorkerError.hung` for a case that took too long, and others.
  public func check(
    _ property: Property, subject: String? = nil, settings: CheckSettings, interrupt: Interrupt? = nil,
    progress: ((Int) -> Void)? = nil
  ) throws -> CheckReport {
    let watch = Worker.Watch(caseLimit: caseLimit, interrupt: interrupt, progress: progress)
    let asked = AddressedRequest(property: property.id, subject: subject, request: .check(settings))
    switch try worker.ask(asked, watch) {
    case .answer(.report(let report)): return report
    case .answer(let answer): throw Self.error(answer, asked)
    case .hung: throw hung(asked)
    case .ended(let end):
      let passed = try passedBeforeTrap(end, asked)
      let (tape, failure) = try confirmed(end, asked)
      let found = try simplified(tape, failure, settings, asked, casesUntilFound: passed + 1)
      return CheckReport(outcome: .falsified(found), passed: passed, discards: [:])
    }
  }

  /// Runs a case of a property again.
  ///
  /// - Returns: What came of it; a case that ends the process fails.
  /// - Throws: `ReplayError` for a case of another property, `WorkerError`.
  public func replay(_ token: ReplayToken, of property: Property, subject: String? = nil) throws -> ReplayOutcome {
    try token.belongs(to: property)
    let asked = AddressedRequest(property: property.id, subject: subject, request: .replay(token.tape))
    switch try worker.ask(asked, Worker.Watch(caseLimit: caseLimit)) {
    case .answer(.replayed(let outcome)): return outcome
    case .answer(let answer): throw Self.error(answer, asked)
    case .hung: throw hung(asked)
    case .ended(let end):
      let (tape, failure) = try trapped(end, asked)
      let unshrunk = CheckSettings.unshrunk
      let described = try simplified(tape, failure, unshrunk, asked, casesUntilFound: 1)
      return .failed(failure, arguments: described.arguments)
    }
  }

  // MARK: Traps

  /// The case over which the process ended, judged once more to be sure of it.
  private func confirmed(_ end: ProcessEnd, _ asked: AddressedRequest) throws -> (Tape, Failure) {
    let tapes = (0..<worker.journal.slots).filter { worker.journal.entry(in: $0).phase == .judging }
      .compactMap(worker.journal.tape)
    for tape in tapes {
      let again = AddressedRequest(property: asked.property, subject: asked.subject, request: .judge(tape))
      switch try worker.ask(again, Worker.Watch(caseLimit: caseLimit)) {
      case .ended(let end): return (tape, end.failure)
      case .answer(.verdict(.failed(let failure))): return (tape, failure)
      default: continue
      }
    }
    guard let tape = tapes.first else { throw WorkerError.died(property: asked.property, cause: end.cause) }
    return (tape, Failure("\(end.cause); not again when the case was run once more", origin: end.cause))
  }

  /// The only case that was being judged.
  private func trapped(_ end: ProcessEnd, _ asked: AddressedRequest) throws -> (Tape, Failure) {
    _ = try passedBeforeTrap(end, asked)
    let slot = (0..<worker.journal.slots).first { worker.journal.entry(in: $0).phase == .judging }
    guard let tape = slot.flatMap(worker.journal.tape) else {
      throw WorkerError.died(property: asked.property, cause: end.cause)
    }
    return (tape, end.failure)
  }

  /// How many cases had passed; an end over a generator, or between cases, is no failure of the property.
  private func passedBeforeTrap(_ end: ProcessEnd, _ asked: AddressedRequest) throws -> Int {
    let entries = (0..<worker.journal.slots).map(worker.journal.entry)
    let passed = entries.reduce(0) { $0 + Int(truncatingIfNeeded: $1.passed) }
    if entries.contains(where: { $0.phase == .judging }) { return passed }
    guard entries.contains(where: { $0.phase == .drawing }) else {
      throw WorkerError.died(property: asked.property, cause: end.cause)
    }
    throw WorkerError.generatorTrapped(property: asked.property, cause: end.cause, cases: passed + 1)
  }

  /// A case made simpler by a process that has another one judge the candidates; as it is where that fails.
  private func simplified(
    _ tape: Tape, _ failure: Failure, _ settings: CheckSettings, _ asked: AddressedRequest, casesUntilFound: Int
  ) throws -> Counterexample {
    let limit = min(caseLimit, .seconds(1))
    let request = AddressedRequest(
      property: asked.property, subject: asked.subject,
      request: .shrink(tape, failure, settings, caseLimit: limit))
    let reply = try worker.ask(request, Worker.Watch(caseLimit: caseLimit))
    guard case .answer(.counterexample(let found)) = reply else {
      return Counterexample(
        arguments: [], failure: failure, tape: tape, original: tape, casesUntilFound: casesUntilFound, evaluations: 1)
    }
    return Counterexample(
      arguments: found.arguments, failure: found.failure, tape: found.tape, original: found.original,
      casesUntilFound: casesUntilFound, evaluations: found.evaluations)
  }

  // MARK: Errors

  private func hung(_ asked: AddressedRequest) -> WorkerError {
    let judging = (0..<worker.journal.slots).filter { worker.journal.entry(in: $0).phase == .judging }
    let token = judging.compactMap(worker.journal.tape).first.map { ReplayToken(property: asked.property, tape: $0) }
    return .hung(property: asked.property, limit: caseLimit, token: token)
  }

  private static func error(_ answer: WorkerAnswer, _ asked: AddressedRequest) -> any Error {
    switch answer {
    case .unknownProperty: WorkerError.unknownProperty(asked.property)
    case .failed(let message): WorkerError.misunderstood(message)
    default: WorkerError.misunderstood("an answer to another question")
    }
  }
}

extension CheckSettings {
  fileprivate static var unshrunk: CheckSettings {
    var settings = CheckSettings()
    settings.shrinkLimit = 0
    return settings
  }
}
