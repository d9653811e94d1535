// SPDX-License-Identifier: Apache-2.0

extension Session {
  /// A request that wants a token, by a number of the caller's choice.
  public typealias Ticket = Int

  /// Which refresh an answer belongs to.
  public struct RefreshID: Hashable, Sendable {
    /// The generation of the credentials that it renews.
    public let generation: Int
    /// The attempt, from 1; every attempt for a generation has a number of its own.
    public let attempt: Int

    /// A refresh.
    public init(generation: Int, attempt: Int) {
      (self.generation, self.attempt) = (generation, attempt)
    }
  }

  /// What happens to a session.
  public enum Event: Hashable, Sendable {
    /// The person signed in, or kept credentials were read.
    case signedIn(Credentials)
    /// The person signed out.
    case signedOut
    /// A request wants a token.
    case wanted(Ticket)
    /// A request does not want one any more.
    case abandoned(Ticket)
    /// The service took the token of a generation.
    case accepted(generation: Int)
    /// The service answered 401 to the token of a generation; the request waits for another.
    case unauthorised(Ticket, generation: Int)
    /// A refresh gave new credentials.
    case refreshed(RefreshID, Credentials)
    /// The service refused to refresh, and why.
    case refreshRefused(RefreshID, reason: String)
    /// A refresh found no service, or one in trouble, and why.
    case refreshFailed(RefreshID, reason: String)
    /// The clock reached a moment that was asked for; may come at any time.
    case clock
  }

  /// What is to be done, in this order.
  public enum Effect: Hashable, Sendable {
    /// Send the request with this token, and tell its generation with what the service says to it.
    case grant(Ticket, Secret, generation: Int)
    /// Give the request up.
    case deny(Ticket, Denial)
    /// Ask the service for new credentials.
    case refresh(RefreshID, Secret)
    /// Send the event `clock` at that moment.
    case wake(Moment)
    /// Keep these credentials in place of those kept so far.
    case store(Credentials)
    /// Forget the credentials kept.
    case forget
  }

  /// Why a request gets no token.
  public enum Denial: Hashable, Sendable {
    /// Nobody is signed in.
    case signedOut
    /// The service refuses the session, and why; the person has to sign in again.
    case refused(reason: String)
    /// No refresh came through, and why the last one did not; it may be tried again later.
    case unreachable(reason: String)
  }

  /// Where a session stands.
  public enum State: Hashable, Sendable {
    /// Nobody is signed in.
    case absent
    /// The token lasts.
    case valid
    /// The token ends soon or has ended; the next request that wants one starts a refresh.
    case expiring
    /// A refresh is under way, or waits for its next attempt.
    case refreshing
    /// The service refuses; the person has to sign in again.
    case refused
  }
}
