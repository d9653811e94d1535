// SPDX-License-Identifier: Apache-2.0

/// The access to the service as a pure state machine: events in, effects out, the clock passed in.
///
/// One refresh is under way however many requests wait. The old token serves while it is valid and unrefused. A refresh
/// that finds no service is tried again with backoff; one that the service refuses ends the session. A 401 for a valid
/// token leads to one refresh; a 401 for the token that this gave ends the session.
///
/// Each set of credentials is a generation. Answers to refreshes of an earlier generation change nothing. Within a
/// generation new credentials count whichever attempt they answer, because the service may have ended the old ones with
/// them; that an attempt failed or was refused counts only while it is the one under way.
public struct Session: Hashable, Sendable {
  /// How a session deals with time.
  public struct Timing: Hashable, Sendable {
    /// How long before its end a token is renewed, in seconds.
    public var leeway = 1800
    /// How long an attempt to refresh may take, in seconds.
    public var patience = 30
    /// How many attempts fail before the waiting requests are given up.
    public var mostAttempts = 5
    /// What is waited for between attempts.
    public var backoff = Backoff(first: 1000, most: 60_000)

    /// The usual timing. The leeway is below the hour within which services renew tokens at all.
    public init() {}
  }

  enum Phase: Hashable {
    case absent
    case held
    case refreshing(Attempt)
    case refused(reason: String)
  }

  /// An attempt to refresh that is under way, or the wait for the next.
  struct Attempt: Hashable {
    /// How many attempts of this row were begun.
    var count: Int
    /// The one under way; nil while waiting.
    var current: RefreshID?
    /// When it is given up, or the next one is due.
    var until: Moment
  }

  /// How the session deals with time.
  public let timing: Timing
  /// The generation of the credentials; grows with each sign-in, sign-out and refresh.
  public internal(set) var generation = 0

  var phase = Phase.absent
  var credentials: Credentials?
  /// Whether the service answered 401 to the present token.
  var isTokenRefused = false
  /// Whether the present token was asked for because of a 401 and has not been accepted yet.
  var isSecondChance = false
  /// Attempts begun for the present generation: their numbers are never used again.
  var attemptsBegun = 0
  var waiting: [Ticket] = []

  /// A session in which nobody is signed in.
  ///
  /// - Parameter timing: How it deals with time.
  public init(timing: Timing = Timing()) {
    self.timing = timing
  }

  /// Where the session stands.
  ///
  /// - Parameter now: What the clock says.
  /// - Returns: The state, which the clock alone turns from valid to expiring.
  public func state(at now: Moment) -> State {
    switch phase {
    case .absent: .absent
    case .held: isFresh(at: now) ? .valid : .expiring
    case .refreshing: .refreshing
    case .refused: .refused
    }
  }

  /// Requests that wait for a token, in the order in which they came.
  public var waitingTickets: [Ticket] { waiting }

  /// Takes an event.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: What the clock says.
  /// - Returns: What is to be done, in this order.
  public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
    let now = now.bounded
    switch event {
    case .signedIn(let new):
      // What was asked of the session before is asked of this one.
      return take(new, secondChance: false)
    case .signedOut:
      return signOut()
    case .wanted(let ticket):
      return want(ticket, at: now)
    case .abandoned(let ticket):
      waiting.removeAll { $0 == ticket }
      return []
    case .accepted(let of):
      if of == generation { isSecondChance = false }
      return []
    case .unauthorised(let ticket, let of):
      return unauthorised(ticket, generation: of, at: now)
    case .refreshed(let id, let new):
      guard id.generation == generation, credentials != nil else { return [] }
      return take(new, secondChance: isTokenRefused)
    case .refreshRefused(let id, let reason):
      return isCurrent(id) ? refuse(reason) : []
    case .refreshFailed(let id, let reason):
      return isCurrent(id) ? attemptFailed(reason, at: now) : []
    case .clock:
      return clock(at: now)
    }
  }
}
