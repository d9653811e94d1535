// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  /// What the interface shows: made of the state whenever it is asked for, so that the two cannot disagree.
  ///
  /// Inlined, so that whoever looks after each event reads the few fields it wants; otherwise the whole connection
  /// would be copied to be asked.
  @inlinable public var status: LiveStatus {
    @inline(__always) get {
      let (attempt, queued) = (Int(attempts.attempts), outbox.count)
      switch state {
      case .disconnected:
        return LiveStatus(.disconnected, attempt: attempt, lastProblem: lastProblem, queued: queued)
      case .connecting:
        return LiveStatus(.connecting, attempt: attempt, lastProblem: lastProblem, queued: queued)
      case .connected(let link):
        return LiveStatus(
          .connected, attempt: attempt, lastProblem: lastProblem, health: link.isDoubtful ? .doubtful : .good,
          isCurrent: link.isCurrent, queued: queued)
      case .waiting(let waiting):
        return LiveStatus(
          .waiting, attempt: attempt, nextTry: waiting.due, lastProblem: lastProblem, queued: queued)
      case .suspended(let suspended):
        return LiveStatus(
          .suspended, attempt: attempt, nextTry: suspended.due, lastProblem: lastProblem, queued: queued)
      case .closed:
        return LiveStatus(.closed, attempt: attempt, lastProblem: lastProblem, queued: queued)
      }
    }
  }
}
