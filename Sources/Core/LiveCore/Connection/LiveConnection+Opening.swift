// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  mutating func start(_ turn: inout Turn) {
    guard case .disconnected = state else { return }
    guard mayAttempt else {
      state = .waiting(Waiting(since: turn.now, due: nil, isCounted: true))
      return
    }
    connect(&turn)
  }

  /// Begins an attempt at the address the app gave.
  mutating func connect(_ turn: inout Turn) {
    (redirects, isRedirectSecure) = (0, false)
    open(.original, &turn)
  }

  /// Begins an attempt of a generation of its own, with fresh credentials first where they are needed.
  private mutating func open(_ target: OpenTarget, _ turn: inout Turn) {
    generation = generation.next
    lastAttempt = turn.now
    state = .connecting(
      Connecting(
        generation: generation, since: turn.now, deadline: turn.now + settings.connectTimeout,
        awaitsCredentials: needsCredentials))
    turn.add(needsCredentials ? .refreshCredentials(generation) : .open(generation, target))
  }

  mutating func credentials(_ generation: Generation, isFresh: Bool, _ turn: inout Turn) {
    guard case .connecting(var attempt) = state, attempt.generation == generation, attempt.awaitsCredentials else {
      return
    }
    needsCredentials = false
    guard isFresh else {
      lastProblem = .credentials
      return end(.unauthorised, &turn)
    }
    hasRefreshed = true
    attempt.awaitsCredentials = false
    attempt.deadline = turn.now + settings.connectTimeout
    state = .connecting(attempt)
    turn.add(.open(generation, .original))
  }

  mutating func opened(_ generation: Generation, _ turn: inout Turn) {
    guard isOpening(generation) else { return }
    let now = turn.now
    (redirects, isRedirectSecure, notBefore) = (0, false, .zero)
    state = .connected(
      Connected(
        generation: generation, ping: 0, since: now, lastHeard: now,
        nextPing: settings.heartbeat.interval.map { now + $0 } ?? .never, pongDeadline: nil,
        proofDeadline: now + settings.proof.minimumUptime,
        resumeDeadline: settings.resumesStream ? now + settings.connectTimeout : .never, isDoubtful: false,
        isProven: false, isCurrent: !settings.resumesStream))
    begin(generation, &turn)
  }

  /// A socket that reports an error when it is open already has ended, whether or not it says so again by `closed`.
  mutating func failed(_ generation: Generation, _ failure: ConnectFailure, _ turn: inout Turn) {
    if hasEnded(generation) { lose(.failed(failure), &turn) }
  }

  mutating func refused(_ generation: Generation, _ refusal: Refusal, _ turn: inout Turn) {
    guard isOpening(generation) else { return }
    let problem = Problem.refused(status: refusal.status)
    let verdict = settings.refusalRules.verdict(
      on: refusal, isSecure: settings.isSecure || isRedirectSecure, redirects: Int(redirects))
    switch verdict {
    case .retry: lose(problem, &turn)
    case .retryAfter(let wait):
      // Its own part of the spread belongs to the moment, so that no hint brings it back to where all were told to be.
      let moment = turn.now + wait + turn.draw(upTo: settings.refusalRules.spread(after: refusal))
      lose(problem, notBefore: moment, &turn)
    case .refreshCredentials:
      lastProblem = problem
      guard !hasRefreshed else { return end(.unauthorised, &turn) }
      needsCredentials = true
      connect(&turn)
    case .redirect:
      redirects += 1
      isRedirectSecure = isRedirectSecure || refusal.redirect == .secure
      open(.redirected, &turn)
    case .never:
      lastProblem = problem
      end(300...399 ~= refusal.status ? .badRedirect : .refused(refusal.status), &turn)
    }
  }

  /// Whether the socket of that generation is being opened now.
  func isOpening(_ generation: Generation) -> Bool {
    guard case .connecting(let attempt) = state else { return false }
    return attempt.generation == generation && !attempt.awaitsCredentials
  }
}
