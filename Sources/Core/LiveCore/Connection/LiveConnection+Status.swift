// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  /// What the interface shows: made of the state whenever it is asked for, so that the two cannot disagree.
  public var status: LiveStatus {
    var status = LiveStatus(
      phase: .disconnected, attempt: Int(attempts.attempts), nextTry: nil, lastProblem: lastProblem, health: .none,
      isCurrent: false, queued: outbox.count)
    switch state {
    case .disconnected: break
    case .connecting: status.phase = .connecting
    case .connected(let link):
      status.phase = .connected
      status.health = link.isDoubtful ? .doubtful : .good
      status.isCurrent = link.isCurrent
    case .waiting(let waiting): (status.phase, status.nextTry) = (.waiting, waiting.due)
    case .suspended(let suspended): (status.phase, status.nextTry) = (.suspended, suspended.due)
    case .closed: status.phase = .closed
    }
    return status
  }
}
