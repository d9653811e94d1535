// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MonteCarlo

/// A process that evaluates cases for this one; it is started by the first request, and again after it has ended.
final class Worker {
  enum Reply: Sendable {
    case answer(WorkerAnswer)
    /// The process ended before it answered.
    case ended(ProcessEnd)
    /// A case exceeded its time limit, and the process was ended.
    case hung
  }

  /// The interval of checks of a process that has not answered, in milliseconds.
  private static let tick: Int32 = 20

  let journal: ChoiceJournal
  /// The largest duration of a case.
  let caseLimit: Duration
  /// The cases that the last check has kept, however it ended.
  private(set) var kept: [ChoiceSequence] = []
  /// The notes of the last case.
  private(set) var notes: [String] = []
  private let command: [String]
  private let journalFile: Int32
  private var child: ChildProcess?

  init(_ command: [String], threads: Int, caseLimit: Duration) throws(WorkerError) {
    (self.command, self.caseLimit) = (command, caseLimit)
    journalFile = try ChildProcess.temporaryFile()
    do {
      journal = try ChoiceJournal(descriptor: journalFile, slots: threads + 2)
    } catch {
      close(journalFile)
      throw error
    }
  }

  deinit { close(journalFile) }

  func ask(
    _ request: AddressedRequest, interrupt: Interrupt? = nil, progress: ((Int) -> Void)? = nil
  ) throws -> Reply {
    let child = try self.child ?? started()
    // The process waits for the request: nothing writes to the journal now, and its earlier entries have been read.
    journal.clear()
    notes = []
    if case .check = request.request { kept = [] }
    guard try WorkerPipe.write(request, to: child.requests) else { return ended(child, killing: false) }
    var watch = CaseWatch()
    var looked = ContinuousClock.now
    while true {
      if isReady(child.answers) {
        switch try WorkerPipe.read(WorkerAnswer.self, from: child.answers) {
        case nil: return ended(child, killing: false)
        case .kept(let choices): kept.append(choices)
        case .noted(let note): notes.append(note)
        case let answer?: return .answer(answer)
        }
        continue
      }
      child.trimOutput()
      if interrupt?.isRaised == true { journal.wantsStop = true }
      let entries = journal.entries
      progress?(entries.reduce(0) { $0 + Int(truncatingIfNeeded: $1.passed) })
      let now = ContinuousClock.now
      if watch.overdue(in: entries, after: now - looked, limit: caseLimit) != nil {
        _ = ended(child, killing: true)
        return .hung
      }
      looked = now
    }
  }

  /// Evaluates a case in the process; a case that ends it, or takes too long, has failed.
  func evaluate(_ choices: ChoiceSequence, like asked: AddressedRequest) throws -> CaseOutcome {
    switch try ask(asked.with(.evaluate(choices))) {
    case .answer(.verdict(let verdict)): verdict
    case .ended(let end): isEvaluating ? .failed(end.failure) : .generatorFailed(end.failure)
    case .hung: isEvaluating ? .failed(hang) : .declined
    case .answer: .declined
    }
  }

  /// True if the body of a property runs, or ran when the process ended.
  var isEvaluating: Bool { journal.entries.contains { $0.phase == .evaluating } }

  /// The failure of a case that exceeded the time limit.
  var hang: Failure { Failure("it did not end within \(caseLimit)", origin: Failure.hangOrigin) }

  private func started() throws(WorkerError) -> ChildProcess {
    let child = try ChildProcess(command, journal: journalFile)
    self.child = child
    return child
  }

  private func ended(_ child: ChildProcess, killing: Bool) -> Reply {
    self.child = nil
    return .ended(child.end(killing: killing))
  }

  /// Waits briefly for an answer, or for the end of the process.
  private func isReady(_ descriptor: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wanted, 1, Self.tick) > 0
  }
}

extension Failure {
  /// The origin of all failures of cases that do not end.
  static let hangOrigin = "a case that does not end"
}

/// The reason why a property could not be tested in a separate process.
package enum WorkerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A generator exceeded the time limit of a case and was ended.
  case hung(property: String, limit: Duration)
  case generatorTrapped(property: String, cause: String, cases: Int)
  case died(property: String, cause: String)
  case unknownProperty(String)
  case misunderstood(String)
  case refused(task: String, cause: String)

  package var description: String {
    switch self {
    case .hung(let property, let limit):
      "'\(property)': one case took longer than \(limit) to be drawn, and was ended; set a longer case limit, or fix "
        + "the generator that does not end."
    case .generatorTrapped(let property, let cause, let cases):
      "'\(property)': a generator \(cause). It was drawing case \(cases), and has to make a value or discard the case."
    case .died(let property, let cause):
      "'\(property)': the process that tests it \(cause) between two cases."
    case .unknownProperty(let property):
      "the process that tests properties does not know '\(property)'."
    case .misunderstood(let what):
      "the process that tests properties: \(what)."
    case .refused(let task, let cause):
      "\(task): \(cause)."
    }
  }

  /// A refusal with the message of an error number.
  static func system(_ task: String, _ code: Int32) -> WorkerError {
    let cause = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return .refused(task: task, cause: cause)
  }
}
