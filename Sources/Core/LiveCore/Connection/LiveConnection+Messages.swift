// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  /// The place in the server's stream up to which the app has everything, or knows what it misses; nil before the
  /// first.
  public var position: StreamPosition? { cursor.position }

  mutating func send(_ number: MessageNumber, bytes: Int, _ turn: inout Turn) {
    if case .closed = state { return turn.add(.dropped(number, .closed)) }
    outbox.limits = settings.outbox
    outbox.enqueue(number, bytes: bytes, at: turn.now, into: &turn.effects)
    if case .connected(let link) = state, link.isCurrent { flush(link.generation, &turn) }
  }

  /// What is done first on an open connection. Where a stream is resumed, the app's own messages wait for that.
  mutating func begin(_ generation: Generation, _ turn: inout Turn) {
    if settings.resumesStream {
      turn.add(.sendResume(generation, after: position))
    } else {
      flush(generation, &turn)
    }
  }

  mutating func received(_ frame: ServerFrame, of generation: Generation, _ turn: inout Turn) {
    guard case .connected(var link) = state, link.generation == generation else { return }
    link.lastHeard = turn.now
    switch frame {
    case .ping(let number): turn.add(.sendPong(generation, number))
    case .pong(let number): pong(number, &link)
    case .message: break  // Handed over by `takeMessage` already.
    case .acknowledged(let number):
      guard let last = outbox.acknowledge(through: number) else { break }
      turn.add(.acknowledged(through: last))
      if settings.proof.byAcknowledgement { prove(&link) }
    case .resumed(let start): resumed(after: start, &link, &turn)
    case .malformed(let code): return malformed(code, link, &turn)
    }
    state = .connected(link)
  }

  /// Hands a message over, once. One that comes before the stream is resumed is handed over like any other: it may have
  /// arrived in the same packet as the end of the handshake.
  mutating func takeMessage(
    _ position: StreamPosition?, bytes: Int, of generation: Generation, at now: Instant,
    into effects: inout LiveEffects
  ) {
    guard case .connected(var link) = state, link.generation == generation else { return }
    link.lastHeard = now
    state = .connected(link)
    if let position, settings.resumesStream {
      switch cursor.accept(position) {
      case .deliver: break
      case .duplicate: return
      case .gap(let gap): effects.append(.gap(after: gap.after, upTo: gap.upTo))
      }
    }
    effects.append(.deliver(position, bytes: bytes))
  }

  /// The server's first answer to the wish to go on; others mean nothing.
  private mutating func resumed(after start: StreamPosition, _ link: inout Connected, _ turn: inout Turn) {
    guard !link.isCurrent else { return }
    if let gap = cursor.resumed(after: start) { turn.add(.gap(after: gap.after, upTo: gap.upTo)) }
    link.isCurrent = true
    link.resumeDeadline = .never
    flush(link.generation, &turn)
  }

  /// Sends what waits, in order.
  private mutating func flush(_ generation: Generation, _ turn: inout Turn) {
    outbox.expire(at: turn.now, into: &turn.effects)
    while let number = outbox.nextToSend() { turn.add(.sendMessage(generation, number)) }
  }

  /// The connection has shown that it works: the attempts that led to it are forgotten, and only now. That the stream
  /// is resumed shows little: a server that resumes and closes at once would be met again and again without end.
  mutating func prove(_ link: inout Connected) {
    link.proofDeadline = .never
    guard !link.isProven else { return }
    link.isProven = true
    attempts.reset()
    lastProblem = nil
    hasRefreshed = false
  }

  /// What was open is no more.
  mutating func broke(_ turn: inout Turn) {
    outbox.connectionBroke(settings.unacknowledged, into: &turn.effects)
  }
}
