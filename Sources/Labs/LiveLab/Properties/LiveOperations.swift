// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What the properties ask of the policies on trial: the core's own functions, or those of a broken variant.
struct LiveOperations: Sendable {
  /// The waits that a policy gives, one for each word, until there is none.
  var waits: @Sendable (Backoff, [UInt64]) -> [Interval] = { policy, words in
    var schedule = AttemptSchedule()
    var waits: [Interval] = []
    for word in words {
      guard let wait = schedule.next(policy, word: word) else { break }
      waits.append(wait)
    }
    return waits
  }
  /// How long the value of `Retry-After` says, with that of `Date`, by a clock.
  var retryAfter: @Sendable (String, String?, Int64) -> Interval? = { header, date, now in
    RetryAfter.interval(header, date: date, now: now)
  }
  /// What follows from how a connection ended.
  var closeVerdict: @Sendable (Closure) -> CloseVerdict = { CloseRules().verdict(on: $0) }
  /// What follows from a redirect, as one of so many in a row.
  var redirectVerdict: @Sendable (Redirect, Bool, Int) -> RefusalVerdict = { redirect, isSecure, before in
    RefusalRules().verdict(on: Refusal(status: 307, redirect: redirect), isSecure: isSecure, redirects: before)
  }
  /// The effects of some uses of an outbox.
  var outbox: @Sendable (OutboxUse, inout Outbox, inout LiveEffects) -> Void = { $0.apply(to: &$1, into: &$2) }
  /// What is to be done with a message that arrives.
  var arrival: @Sendable (inout StreamCursor, StreamPosition) -> StreamCursor.Arrival = { $0.accept($1) }

  /// The code that ships.
  static let shipping = LiveOperations()
}

/// The policies that ship with one operation replaced by a wrong one.
struct BrokenPolicy: Sendable {
  let name: String
  let fault: String
  let operations: LiveOperations

  init(_ name: String, _ fault: String, _ change: (inout LiveOperations) -> Void) {
    (self.name, self.fault) = (name, fault)
    var operations = LiveOperations.shipping
    change(&operations)
    self.operations = operations
  }

  /// All of them.
  static let all = [
    BrokenPolicy("live-forgets-the-cap", "waits grow without an end") { code in
      code.waits = { policy, words in
        var policy = policy
        policy.cap = .forever
        return LiveOperations.shipping.waits(policy, words)
      }
    },
    BrokenPolicy("live-one-attempt-more", "there is one attempt more than the policy says") { code in
      code.waits = { policy, words in
        var policy = policy
        policy.maximumAttempts += 1
        return LiveOperations.shipping.waits(policy, words)
      }
    },
    BrokenPolicy("live-dates-by-own-clock", "a date in `Retry-After` is measured from the device's clock") { code in
      code.retryAfter = { header, _, now in LiveOperations.shipping.retryAfter(header, nil, now) }
    },
    BrokenPolicy("live-forgets-who-closed", "a close code means the same, whoever closed") { code in
      code.closeVerdict = { LiveOperations.shipping.closeVerdict(Closure(.server, $0.code)) }
    },
    BrokenPolicy("live-follows-to-plain", "a redirect from wss may lead to ws") { code in
      code.redirectVerdict = { redirect, _, before in LiveOperations.shipping.redirectVerdict(redirect, false, before) }
    },
    BrokenPolicy("live-takes-acks-for-all", "an acknowledgement settles what was never sent, too") { code in
      code.outbox = { use, outbox, effects in
        if case .acknowledged(let number) = use, outbox.lastSent < MessageNumber(UInt64(number)) {
          while outbox.nextToSend() != nil {}
        }
        LiveOperations.shipping.outbox(use, &outbox, &effects)
      }
    },
    BrokenPolicy("live-forgets-epochs", "a place is told by its offset alone") { code in
      code.arrival = { cursor, place in
        cursor.accept(StreamPosition(epoch: cursor.position?.epoch ?? place.epoch, offset: place.offset))
      }
    },
  ]
}
