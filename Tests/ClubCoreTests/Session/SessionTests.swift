// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Session")
struct SessionTests {
  private let now = Sample.monday
  private var later: Moment { now.adding(seconds: 6 * 3600) }

  private func credentials(_ number: Int, expiry: Moment? = nil) throws -> Credentials {
    Credentials(
      accessToken: try #require(Secret("access \(number)")), refreshToken: try #require(Secret("refresh \(number)")),
      expiry: expiry ?? later)
  }

  private func signedIn(_ credentials: Credentials) -> Session {
    var session = Session()
    _ = session.handle(.signedIn(credentials), at: now)
    return session
  }

  /// The refreshes that effects ask for.
  private func refreshes(in effects: [Session.Effect]) -> [Session.RefreshID] {
    effects.compactMap { if case .refresh(let id, _) = $0 { id } else { nil } }
  }

  @Test("nobody signed in: requests are denied")
  func absent() {
    var session = Session()
    #expect(session.state(at: now) == .absent)
    #expect(session.handle(.wanted(1), at: now) == [.deny(1, .signedOut)])
  }

  @Test("a valid token is granted, and credentials are kept as they come")
  func valid() throws {
    var session = Session()
    let first = try credentials(1)
    #expect(session.handle(.signedIn(first), at: now) == [.store(first)])
    #expect(session.state(at: now) == .valid)
    #expect(session.handle(.wanted(1), at: now) == [.grant(1, first.accessToken, generation: 1)])
  }

  @Test("a token that ends soon is granted still, and one refresh begins")
  func expiring() throws {
    let first = try credentials(1)
    var session = signedIn(first)
    let soon = later.adding(seconds: -1800)
    #expect(session.state(at: soon.adding(milliseconds: -1)) == .valid)
    #expect(session.state(at: soon) == .expiring)
    let effects = session.handle(.wanted(1), at: soon)
    #expect(effects.first == .grant(1, first.accessToken, generation: 1))
    #expect(refreshes(in: effects) == [.init(generation: 1, attempt: 1)])
    #expect(session.state(at: soon) == .refreshing)
    #expect(session.handle(.wanted(2), at: soon) == [.grant(2, first.accessToken, generation: 1)])
  }

  @Test("however many requests wait, one refresh is under way, and all get the new token in their order")
  func oneRefresh() throws {
    var session = signedIn(try credentials(1))
    var effects: [Session.Effect] = []
    for ticket in 1...50 { effects += session.handle(.wanted(ticket), at: later) }
    #expect(refreshes(in: effects).count == 1)
    _ = session.handle(.abandoned(7), at: later)
    let second = try credentials(2, expiry: later.adding(seconds: 20_000))
    let granted = session.handle(.refreshed(.init(generation: 1, attempt: 1), second), at: later)
    #expect(
      granted == [.store(second)]
        + (1...50).filter { $0 != 7 }.map { .grant($0, second.accessToken, generation: 2) })
    #expect(session.waitingTickets == [])
  }

  @Test("the rotated refresh token is the one used next")
  func rotated() throws {
    var session = signedIn(try credentials(1))
    _ = session.handle(.wanted(1), at: later)
    let second = try credentials(2, expiry: later.adding(seconds: 7200))
    _ = session.handle(.refreshed(.init(generation: 1, attempt: 1), second), at: later)
    let effects = session.handle(.wanted(2), at: later.adding(seconds: 7200))
    #expect(effects.first == .refresh(.init(generation: 2, attempt: 1), second.refreshToken))
  }

  @Test("a refresh that finds no service is tried again with backoff while the old token serves")
  func networkFailure() throws {
    let first = try credentials(1)
    var session = signedIn(first)
    let soon = later.adding(seconds: -600)
    _ = session.handle(.wanted(1), at: soon)
    let failed = session.handle(.refreshFailed(.init(generation: 1, attempt: 1), reason: "no route"), at: soon)
    guard case .wake(let retry) = failed.first else {
      Issue.record("nothing is to be done after a failure")
      return
    }
    #expect((500...1000).contains(retry.milliseconds - soon.milliseconds))
    #expect(session.handle(.wanted(2), at: soon) == [.grant(2, first.accessToken, generation: 1)])
    #expect(refreshes(in: session.handle(.clock, at: retry)) == [.init(generation: 1, attempt: 2)])
  }

  @Test("after the last attempt the waiting requests are given up, and the next one starts anew")
  func givenUp() throws {
    var session = signedIn(try credentials(1))
    var effects = session.handle(.wanted(1), at: later)
    var moment = later
    for _ in 1...5 {
      let id = try #require(refreshes(in: effects).first)
      effects = session.handle(.refreshFailed(id, reason: "no route"), at: moment)
      if case .wake(let retry) = effects.first {
        moment = retry
        effects = session.handle(.clock, at: retry)
      }
    }
    #expect(effects == [.deny(1, .unreachable(reason: "no route"))])
    #expect(session.state(at: moment) == .expiring)
    #expect(refreshes(in: session.handle(.wanted(2), at: moment)) == [.init(generation: 1, attempt: 6)])
  }

  @Test("an attempt without an answer ends by the clock")
  func noAnswer() throws {
    var session = signedIn(try credentials(1))
    let effects = session.handle(.wanted(1), at: later)
    let deadline = later.adding(seconds: 30)
    #expect(effects.last == .wake(deadline))
    #expect(session.handle(.clock, at: later.adding(seconds: 29)) == [.wake(deadline)])
    guard case .wake(let retry) = session.handle(.clock, at: deadline).first else {
      Issue.record("nothing follows an attempt without an answer")
      return
    }
    #expect(refreshes(in: session.handle(.clock, at: retry)) == [.init(generation: 1, attempt: 2)])
  }

  @Test("a refused refresh ends the session, until the person signs in again")
  func refused() throws {
    var session = signedIn(try credentials(1))
    _ = session.handle(.wanted(1), at: later)
    let id = Session.RefreshID(generation: 1, attempt: 1)
    #expect(
      session.handle(.refreshRefused(id, reason: "invalid grant"), at: later)
        == [.deny(1, .refused(reason: "invalid grant"))])
    #expect(session.state(at: later) == .refused)
    #expect(session.handle(.wanted(2), at: later) == [.deny(2, .refused(reason: "invalid grant"))])
    _ = session.handle(.signedIn(try credentials(3, expiry: later.adding(seconds: 9000))), at: later)
    #expect(session.state(at: later) == .valid)
  }

  @Test("a 401 for a valid token leads to one refresh, and a second one to the end")
  func unauthorised() throws {
    var session = signedIn(try credentials(1))
    let effects = session.handle(.unauthorised(1, generation: 1), at: now)
    #expect(refreshes(in: effects) == [.init(generation: 1, attempt: 1)])
    // The refused token is not granted any more, though it lasts.
    #expect(session.handle(.wanted(2), at: now) == [])
    let second = try credentials(2)
    let granted = session.handle(.refreshed(.init(generation: 1, attempt: 1), second), at: now)
    #expect(granted.contains(.grant(1, second.accessToken, generation: 2)))
    guard case .deny(1, .refused) = session.handle(.unauthorised(1, generation: 2), at: now).first else {
      Issue.record("a second 401 does not end the session")
      return
    }
    #expect(session.state(at: now) == .refused)
  }

  @Test("a token that was accepted once may be refreshed after a later 401 again")
  func acceptedBetween() throws {
    var session = signedIn(try credentials(1))
    _ = session.handle(.unauthorised(1, generation: 1), at: now)
    _ = session.handle(.refreshed(.init(generation: 1, attempt: 1), try credentials(2)), at: now)
    _ = session.handle(.accepted(generation: 2), at: now)
    #expect(refreshes(in: session.handle(.unauthorised(2, generation: 2), at: now)).count == 1)
  }

  @Test("a 401 for a token that has been replaced since gets the new one without a refresh")
  func old401() throws {
    var session = signedIn(try credentials(1))
    let second = try credentials(2)
    _ = session.handle(.signedIn(second), at: now)
    #expect(session.handle(.unauthorised(5, generation: 1), at: now) == [.grant(5, second.accessToken, generation: 2)])
  }

  @Test("signing out forgets the credentials and dismisses those who wait")
  func signedOut() throws {
    var session = signedIn(try credentials(1))
    _ = session.handle(.wanted(1), at: later)
    #expect(session.handle(.signedOut, at: later) == [.forget, .deny(1, .signedOut)])
    #expect(session.state(at: later) == .absent)
  }
}

@Suite("Late answers to refreshes")
struct LateAnswerTests {
  private let expiry = Sample.monday

  private func credentials(_ number: Int) throws -> Credentials {
    Credentials(
      accessToken: try #require(Secret("access \(number)")), refreshToken: try #require(Secret("refresh \(number)")),
      expiry: expiry.adding(seconds: number * 10_000))
  }

  /// A session whose second attempt is under way.
  private func secondAttempt() throws -> Session {
    var session = Session()
    _ = session.handle(.signedIn(try credentials(0)), at: expiry)
    _ = session.handle(.wanted(1), at: expiry)
    _ = session.handle(.clock, at: expiry.adding(seconds: 30))
    _ = session.handle(.clock, at: expiry.adding(seconds: 32))
    return session
  }

  private let first = Session.RefreshID(generation: 1, attempt: 1)

  @Test("that an earlier attempt failed or was refused changes nothing")
  func earlierFailure() throws {
    var session = try secondAttempt()
    let before = session
    #expect(session.handle(.refreshFailed(first, reason: "late"), at: expiry.adding(seconds: 33)) == [])
    #expect(session.handle(.refreshRefused(first, reason: "late"), at: expiry.adding(seconds: 33)) == [])
    #expect(session == before)
  }

  @Test("new credentials of an earlier attempt count, for the service may have ended the old ones with them")
  func earlierSuccess() throws {
    var session = try secondAttempt()
    let new = try credentials(1)
    let effects = session.handle(.refreshed(first, new), at: expiry.adding(seconds: 33))
    #expect(effects == [.store(new), .grant(1, new.accessToken, generation: 2)])
    let after = session
    let second = Session.RefreshID(generation: 1, attempt: 2)
    #expect(session.handle(.refreshed(second, try credentials(2)), at: expiry.adding(seconds: 34)) == [])
    #expect(session.handle(.refreshRefused(second, reason: "used"), at: expiry.adding(seconds: 34)) == [])
    #expect(session == after)
  }

  @Test("answers of before a sign-out or another sign-in change nothing")
  func otherPerson() throws {
    var session = try secondAttempt()
    _ = session.handle(.signedOut, at: expiry)
    let absent = session
    #expect(session.handle(.refreshed(first, try credentials(1)), at: expiry) == [])
    #expect(session == absent)
    _ = session.handle(.signedIn(try credentials(5)), at: expiry)
    let other = session
    #expect(session.handle(.refreshed(first, try credentials(1)), at: expiry) == [])
    #expect(session.handle(.refreshRefused(first, reason: "late"), at: expiry) == [])
    #expect(session == other)
  }

  @Test(
    "in any order of events at most one attempt is under way, and each request is answered at most once",
    arguments: 0..<40)
  func anyOrder(seed: Int) throws {
    var numbers = TestNumbers(seed: seed)
    var (session, now, ticket) = (Session(), expiry, 0)
    var open: Set<Session.Ticket> = []
    var ids: [Session.RefreshID] = []
    var (begun, ended): (Set<Session.RefreshID>, Set<Session.RefreshID>) = ([], [])
    for step in 0..<400 {
      let id = ids.randomElement(using: &numbers) ?? first
      var event = Session.Event.clock
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0: event = .signedIn(try credentials(step))
      case 1: event = numbers.happens(20) ? .signedOut : .clock
      case 2, 3, 4:
        ticket += 1
        open.insert(ticket)
        event = .wanted(ticket)
      case 5:
        ticket += 1
        open.insert(ticket)
        event = .unauthorised(ticket, generation: session.generation - Int.random(in: 0...1, using: &numbers))
      case 6: event = .refreshed(id, try credentials(step))
      case 7: event = .refreshFailed(id, reason: "x")
      case 8: event = numbers.happens(20) ? .refreshRefused(id, reason: "x") : .clock
      case 9: event = .accepted(generation: session.generation)
      default: now = now.adding(seconds: Int.random(in: 0...4000, using: &numbers))
      }
      let generation = session.generation
      let effects = session.handle(event, at: now)
      for effect in effects {
        switch effect {
        case .grant(let ticket, _, let generation):
          #expect(open.remove(ticket) != nil)
          #expect(generation == session.generation)
        case .deny(let ticket, _):
          #expect(open.remove(ticket) != nil)
        case .refresh(let id, _):
          #expect(begun.insert(id).inserted)
          ids.append(id)
        case .wake, .store, .forget: break
        }
      }
      #expect(effects.filter { if case .refresh = $0 { true } else { false } }.count <= 1)
      if session.generation != generation { ended.formUnion(begun) }
      #expect(Set(session.waitingTickets) == open)
    }
    #expect(ended.isSubset(of: begun))
  }
}
