// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo

/// A process that judges cases for this one, started when it is first asked something, and again after it has ended.
final class Worker {
  /// What came of a request.
  enum Reply: Sendable {
    case answer(WorkerAnswer)
    /// The process ended before it could answer.
    case ended(ProcessEnd)
    /// A case took too long, and the process was ended.
    case hung
  }

  /// Who is told, and who may stop it, while an answer is waited for.
  struct Watch {
    /// How long a case may take.
    var caseLimit: Duration
    /// Passed on to the process once it is raised.
    var interrupt: Interrupt?
    /// Told now and then how many cases have passed.
    var progress: ((Int) -> Void)?
  }

  /// How often a process that has not answered is looked at.
  private static let tick: Int32 = 20

  /// What the process writes down.
  let journal: TapeJournal
  private let command: [String]
  private let journalFile: Int32
  private var child: ChildProcess?

  /// Makes ready what two processes share.
  ///
  /// - Parameters:
  ///   - command: The executable and the arguments that make it serve.
  ///   - threads: How many threads judge cases at once.
  /// - Throws: `WorkerError.refused`.
  init(_ command: [String], threads: Int) throws(WorkerError) {
    self.command = command
    journalFile = try ChildProcess.temporaryFile()
    do {
      journal = try TapeJournal(descriptor: journalFile, slots: threads + 2)
    } catch {
      close(journalFile)
      throw error
    }
  }

  deinit { close(journalFile) }

  /// Asks for something, and waits for the answer.
  ///
  /// - Throws: `WorkerError` when there is no process to ask.
  func ask(_ request: AddressedRequest, _ watch: Watch) throws -> Reply {
    let child = try self.child ?? started()
    // It waits for the request, so nobody writes now; what it wrote about the last one is done with.
    journal.clear()
    guard try WorkerPipe.write(request, to: child.requests) else { return ended(child, killing: false) }
    var seen: [Int: (begun: UInt64, since: ContinuousClock.Instant)] = [:]
    while !isReady(child.answers) {
      child.trimRemarks()
      if watch.interrupt?.isRaised == true { journal.wantsStop = true }
      let entries = (0..<journal.slots).map(journal.entry)
      watch.progress?(entries.reduce(0) { $0 + Int(truncatingIfNeeded: $1.passed) })
      let now = ContinuousClock.now
      for (slot, entry) in entries.enumerated() {
        if entry.phase == .idle || seen[slot]?.begun != entry.begun { seen[slot] = (entry.begun, now) }
        if let since = seen[slot]?.since, now - since > watch.caseLimit {
          _ = ended(child, killing: true)
          return .hung
        }
      }
    }
    guard let answer = try WorkerPipe.read(WorkerAnswer.self, from: child.answers) else {
      return ended(child, killing: false)
    }
    return .answer(answer)
  }

  /// What the process has written to its standard error since it was started.
  var remarks: String { child?.said() ?? "" }

  private func started() throws(WorkerError) -> ChildProcess {
    let child = try ChildProcess(command, journal: journalFile)
    self.child = child
    return child
  }

  private func ended(_ child: ChildProcess, killing: Bool) -> Reply {
    self.child = nil
    return .ended(child.end(killing: killing))
  }

  /// Waits a moment for an answer, or for the end of who should give it.
  private func isReady(_ descriptor: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wanted, 1, Self.tick) > 0
  }
}
