// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  /// What is done first on an open connection.
  mutating func begin(_ generation: Generation, _ turn: inout Turn) {
    if settings.resumesStream { turn.add(.sendResume(generation, after: nil)) }
  }

  mutating func received(_ frame: ServerFrame, of generation: Generation, _ turn: inout Turn) {
    guard case .connected(var link) = state, link.generation == generation else { return }
    link.lastHeard = turn.now
    switch frame {
    case .ping(let number): turn.add(.sendPong(generation, number))
    case .pong(let number): pong(number, &link)
    case .message(let position, let bytes): turn.add(.deliver(position, bytes: bytes))
    case .acknowledged(let number):
      turn.add(.acknowledged(through: number))
      if settings.proof.byAcknowledgement { prove(&link) }
    case .resumed:
      link.isCurrent = true
      link.resumeDeadline = .never
      if settings.proof.byAcknowledgement { prove(&link) }
    case .malformed(let code): return malformed(code, link, &turn)
    }
    state = .connected(link)
  }

  /// The connection has shown that it works: the attempts that led to it are forgotten, and only now.
  mutating func prove(_ link: inout Connected) {
    link.proofDeadline = .never
    guard !link.isProven else { return }
    link.isProven = true
    attempts.reset()
    lastProblem = nil
    hasRefreshed = false
  }

  /// What was open is no more.
  mutating func broke(_ turn: inout Turn) {}

  /// Nothing is sent any more.
  mutating func abandonMessages(_ turn: inout Turn) {}
}
