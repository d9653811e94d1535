// SPDX-License-Identifier: Apache-2.0

extension Session {
  /// Whether the token lasts longer than the leeway.
  func isFresh(at now: Moment) -> Bool {
    guard let credentials, !isTokenRefused else { return false }
    return now.bounded.adding(seconds: min(max(timing.leeway, 0), 1_000_000_000)) < credentials.expiry
  }

  /// The token, where it may still be used.
  private func usableToken(at now: Moment) -> Secret? {
    guard let credentials, !isTokenRefused, now < credentials.expiry else { return nil }
    return credentials.accessToken
  }

  func isCurrent(_ id: RefreshID) -> Bool {
    guard case .refreshing(let attempt) = phase else { return false }
    return attempt.current == id && id.generation == generation
  }

  mutating func want(_ ticket: Ticket, at now: Moment) -> [Effect] {
    switch phase {
    case .absent: return [.deny(ticket, .signedOut)]
    case .refused(let reason): return [.deny(ticket, .refused(reason: reason))]
    case .held, .refreshing: break
    }
    var effects: [Effect] = []
    if let token = usableToken(at: now) {
      effects = [.grant(ticket, token, generation: generation)]
    } else if !waiting.contains(ticket) {
      waiting.append(ticket)
    }
    if phase == .held, !isFresh(at: now) { effects += beginAttempt(count: 1, at: now) }
    return effects
  }

  mutating func unauthorised(_ ticket: Ticket, generation refused: Int, at now: Moment) -> [Effect] {
    // A token that has been replaced since says nothing about the present one.
    guard refused == generation, credentials != nil else { return want(ticket, at: now) }
    if case .refused = phase { return want(ticket, at: now) }
    if !waiting.contains(ticket) { waiting.append(ticket) }
    if isSecondChance { return refuse("the service refused a token that it had just given") }
    isTokenRefused = true
    return phase == .held ? beginAttempt(count: 1, at: now) : []
  }

  mutating func take(_ new: Credentials, secondChance: Bool) -> [Effect] {
    (credentials, phase) = (new, .held)
    (isTokenRefused, isSecondChance, attemptsBegun) = (false, secondChance, 0)
    generation += 1
    defer { waiting = [] }
    // Granted even where it has ended already: the service's word, 401, leads to one refresh and then to an end,
    // whereas a clock that runs ahead would ask for new tokens for ever.
    return [.store(new)] + waiting.map { .grant($0, new.accessToken, generation: generation) }
  }

  mutating func signOut() -> [Effect] {
    let hadCredentials = credentials != nil
    (credentials, phase) = (nil, .absent)
    (isTokenRefused, isSecondChance, attemptsBegun) = (false, false, 0)
    generation += 1
    return (hadCredentials ? [.forget] : []) + dismiss(.signedOut)
  }

  mutating func refuse(_ reason: String) -> [Effect] {
    phase = .refused(reason: reason)
    return dismiss(.refused(reason: reason))
  }

  mutating func attemptFailed(_ reason: String, at now: Moment) -> [Effect] {
    guard case .refreshing(var attempt) = phase else { return [] }
    guard attempt.count < max(1, timing.mostAttempts) else {
      phase = .held
      return dismiss(.unreachable(reason: reason))
    }
    attempt.current = nil
    attempt.until = now.adding(milliseconds: timing.backoff.delay(after: attempt.count))
    phase = .refreshing(attempt)
    return [.wake(attempt.until)]
  }

  mutating func clock(at now: Moment) -> [Effect] {
    guard case .refreshing(let attempt) = phase else { return [] }
    guard attempt.until <= now else { return [.wake(attempt.until)] }
    return attempt.current == nil
      ? beginAttempt(count: attempt.count + 1, at: now)
      : attemptFailed("no answer within \(timing.patience) s", at: now)
  }

  private mutating func beginAttempt(count: Int, at now: Moment) -> [Effect] {
    guard let credentials else { return [] }
    attemptsBegun += 1
    let id = RefreshID(generation: generation, attempt: attemptsBegun)
    let until = now.adding(seconds: min(max(timing.patience, 1), 1_000_000))
    phase = .refreshing(Attempt(count: count, current: id, until: until))
    return [.refresh(id, credentials.refreshToken), .wake(until)]
  }

  private mutating func dismiss(_ denial: Denial) -> [Effect] {
    defer { waiting = [] }
    return waiting.map { .deny($0, denial) }
  }
}
