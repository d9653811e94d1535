// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// Has a process of its own judge one case after the other, and starts it again when one has ended it.
final class RemoteJudge: Sendable {
  /// After so many cases that took too long no more are tried: a search that meets one is likely to meet many.
  private static let mostHangs = 3

  private struct State {
    let worker: Worker
    var hangs = 0
  }

  private let property: String
  private let subject: String?
  private let caseLimit: Duration
  private let state: Mutex<State>

  init(_ command: [String], property: String, subject: String?, caseLimit: Duration) throws(WorkerError) {
    (self.property, self.subject, self.caseLimit) = (property, subject, caseLimit)
    state = Mutex(State(worker: try Worker(command, threads: 1)))
  }

  /// Judges a case; one that ends the process has failed, one that takes too long is not wanted.
  func judge(_ tape: Tape) -> Verdict {
    state.withLock { state in
      guard state.hangs < Self.mostHangs else { return .declined }
      let request = AddressedRequest(property: property, subject: subject, request: .judge(tape))
      switch try? state.worker.ask(request, Worker.Watch(caseLimit: caseLimit)) {
      case .answer(.verdict(let verdict)): return verdict
      case .ended(let end): return .failed(end.failure)
      case .hung:
        state.hangs += 1
        return .declined
      default: return .declined
      }
    }
  }
}

extension Trial {
  /// The same trial, drawn here and judged elsewhere.
  func judged(by judge: RemoteJudge) -> Trial {
    var remote = self
    let attempt = attempt
    remote.attempt = { draws, isWanted in
      var tape: Tape?
      let verdict = attempt(&draws) { drawn in
        if isWanted(drawn) { tape = drawn.tape }
        return false
      }
      return tape.map(judge.judge) ?? verdict
    }
    return remote
  }
}
