// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreDates
internal import LiveCore
public import PropertyTesting
internal import Reporting

/// Properties of the live core: the connection and its policies.
public enum LiveProperties {
  public static let catalogue = PropertyCatalogue(
    core: "LiveCore", production: LiveCode(), properties: all(of:),
    mutants: LiveVariant.mutants.map { variant in
      Mutation(
        variant.name, variant.fault, caughtBy: "live.\(variant.caughtBy)", within: variant.cases,
        smallest: variant.smallest
      ) { $0.client = variant }
    } + Mutation.policies)

  static func all(of code: LiveCode) -> [Property] {
    sessions(of: code.client.type, named: code.client.name) + waits(of: code.policies) + answers(of: code.policies)
      + continuity(of: code.policies) + [dates(of: code.client.type), slowLink(of: code.client.type)]
  }
}

struct LiveCode: Sendable {
  var client = LiveVariant.production
  var policies = LiveOperations.shipping
}

/// The operations of the policies that the properties check: those of the core, or mutants.
struct LiveOperations: Sendable {
  /// The waits of a policy, one for each random word, until there are no more.
  var waits: @Sendable (Backoff, [UInt64]) -> [Interval] = { policy, words in
    var schedule = AttemptSchedule()
    var waits: [Interval] = []
    for word in words {
      guard let wait = schedule.next(policy, word: word) else { break }
      waits.append(wait)
    }
    return waits
  }
  /// The wait that `Retry-After` asks for, given `Date` and a clock.
  var retryAfter: @Sendable (String, String?, Int64) -> Interval? = { header, date, now in
    RetryAfter.interval(header, date: date, now: now)
  }
  var closeVerdict: @Sendable (Closure) -> CloseVerdict = { CloseRules().verdict(on: $0) }
  /// The verdict on a redirect, given the number of redirects before it.
  var redirectVerdict: @Sendable (Redirect, Bool, Int) -> RefusalVerdict = { redirect, isSecure, before in
    RefusalRules().verdict(on: Refusal(status: 307, redirect: redirect), isSecure: isSecure, redirects: before)
  }
  var outbox: @Sendable (OutboxUse, inout Outbox, inout LiveEffects) -> Void = { $0.apply(to: &$1, into: &$2) }
  var arrival: @Sendable (inout StreamCursor, StreamPosition) -> StreamCursor.Arrival = { $0.accept($1) }

  static let shipping = LiveOperations()
}

extension Mutation where Operations == LiveCode {
  fileprivate static let policies: [Self] = [
    Mutation("live-forgets-the-cap", "waits grow without a bound", caughtBy: "live.4", within: 500) { code in
      code.policies.waits = { policy, words in
        var policy = policy
        policy.cap = .forever
        return LiveOperations.shipping.waits(policy, words)
      }
    },
    Mutation("live-one-attempt-more", "there is one attempt more than allowed", caughtBy: "live.5", within: 200) {
      code in
      code.policies.waits = { policy, words in
        var policy = policy
        policy.maximumAttempts = policy.maximumAttempts.map { $0 + 1 }
        return LiveOperations.shipping.waits(policy, words)
      }
    },
    Mutation(
      "live-dates-by-own-clock", "a date in `Retry-After` is measured from the device's clock", caughtBy: "live.6",
      within: 50, smallest: ["1", "1600000000", "1"]
    ) { code in
      code.policies.retryAfter = { header, _, now in LiveOperations.shipping.retryAfter(header, nil, now) }
    },
    Mutation(
      "live-forgets-who-closed", "a close code means the same for both sides", caughtBy: "live.7", within: 500,
      smallest: ["1002", ".client"]
    ) { code in
      code.policies.closeVerdict = { LiveOperations.shipping.closeVerdict(Closure(.server, $0.code)) }
    },
    Mutation(
      "live-follows-to-plain", "a redirect from wss may lead to ws", caughtBy: "live.8", within: 200,
      smallest: [".plain", "true", "0"]
    ) { code in
      code.policies.redirectVerdict = { redirect, _, before in
        LiveOperations.shipping.redirectVerdict(redirect, false, before)
      }
    },
    Mutation(
      "live-takes-acks-for-all", "an acknowledgement also settles messages never sent", caughtBy: "live.9", within: 500,
      smallest: ["1 message, 1 byte, 1 s, then the oldest goes", "[message of 0 bytes at 0 s, acknowledged 1]"]
    ) { code in
      code.policies.outbox = { use, outbox, effects in
        if case .acknowledged(let number) = use, outbox.lastSent < MessageNumber(UInt64(number)) {
          while outbox.nextToSend() != nil {}
        }
        LiveOperations.shipping.outbox(use, &outbox, &effects)
      }
    },
    Mutation(
      "live-forgets-epochs", "a position is compared by its offset alone", caughtBy: "live.10", within: 500,
      smallest: ["[1/1, 2/1]"]
    ) { code in
      code.policies.arrival = { cursor, position in
        cursor.accept(StreamPosition(epoch: cursor.position?.epoch ?? position.epoch, offset: position.offset))
      }
    },
  ]
}

extension LiveProperties {
  /// The common origin of all breaches. A fault breaks several invariants, and the schedule decides which one is found
  /// first: with separate origins the smallest counterexample would depend on the draw.
  private static let anyBreach = "an invariant of the connection"

  private static func sessions<Client: ClientUnderTest>(of type: Client.Type, named name: String) -> [Property] {
    let seeds = Gen<Int>.integers(in: 1...1_000)
    return [
      Property(
        "live.1", "No schedule of faults makes a client break an invariant",
        reference: "the connection's invariants, at every step", arguments: ["session"], ScheduledSession.any()
      ) { drawn in
        let seed = UInt32(drawn.seed)
        var session = try Session<Client, InvariantChecker>(observer: InvariantChecker())
        try session.run(drawn.schedule, seed: seed)
        guard let breach = session.observer.breach else { return }
        let replay = LiveReplay.command(drawn.schedule, seed: seed, subject: name)
        throw Failure("\(breach)", origin: anyBreach, command: replay)
      },
      Property(
        "live.2", "No order of events makes a client break an invariant",
        reference: "the connection's invariants, at every step", arguments: ["story"], LimitedStory.any()
      ) { drawn in
        let run = StoryRun<Client>(drawn.story, drawn.limits.settings)
        guard let breach = run.breach else { return }
        throw Failure("\(breach)", origin: anyBreach)
      },
      Property(
        "live.3", "Clients that lost their server at the same time do not return at the same time",
        reference: "no thundering herd after a restart", arguments: ["schedule", "seed"], SchedulePlan.ofOneLoss(),
        seeds
      ) { schedule, seed in
        let spread = try ReturnSpread(of: type, schedule, seed: UInt32(seed))
        try require(spread.isSpread, "\(Invariant.spreadReturns.name): \(spread)")
      }.shownByToken,
    ]
  }

  private static func dates<Client: ClientUnderTest>(of type: Client.Type) -> Property {
    Property(
      "live.12", "Clients that get one date in `Retry-After` come later, and not at the same time",
      reference: "RFC 9110, section 10.2.3: no sooner; no thundering herd",
      arguments: ["ahead", "width", "hinted", "seed"],
      .integers(in: 1...3_000), .integers(in: 0...1_000), .booleans(), .integers(in: 1...1_000)
    ) { ahead, width, hinted, seed in
      let spread = try ReturnSpread(of: type, refusedAhead: ahead, width: width, hinted: hinted, seed: UInt32(seed))
      try require(
        spread.waits.count == ReturnSpread.size, "only \(spread.waits.count) of \(ReturnSpread.size) come at all")
      if let first = spread.waits.first {
        try require(first >= .zero, "one comes \((Interval.zero - first).inSeconds) too soon")
      }
      try require(spread.isSpread, "\(spread)")
    }.shownByToken
  }
}

extension LiveProperties {
  private static func slowLink<Client: ClientUnderTest>(of type: Client.Type) -> Property {
    Property(
      "live.13", "A link is not dropped while bytes arrive or leave, however long a message takes",
      reference: "a session without faults has one connection",
      arguments: ["way", "bandwidth", "seconds"], Gen<Fault.Direction>.elements(of: [.down, .up]),
      .integers(in: 100...8_000), .integers(in: 1...120)
    ) { way, bandwidth, seconds in
      var world = SessionWorld(bandwidth: bandwidth, messageSize: bandwidth * seconds)
      (world.server.publishes, world.phone.sends) = (nil, nil)
      world.phone.stopsAtEnd = false
      if way == .down { world.server.publishes = .seconds(600) } else { world.phone.sends = .seconds(600) }
      var session = try Session<Client, InvariantChecker>(world: world, observer: InvariantChecker())
      try session.run(FaultSchedule([], duration: .seconds(7_200)), seed: 1)
      if let breach = session.observer.breach { throw Failure("\(breach)", origin: anyBreach) }
      let attempts = session.result.attempts
      try require(attempts == 1, "the client connected \(attempts) times")
    }
  }

  private static func waits(of code: LiveOperations) -> [Property] {
    let words = Gen<[UInt64]>.arrays(of: .oneOf(.elements(of: [0, .max]), .integers()), count: 1...14)
    return [
      Property(
        "live.4", "Every wait lies between the floor and the bound by base, factor and cap",
        reference: "exponential backoff", arguments: ["policy", "words"], BackoffPlan.any(), words
      ) { plan, words in
        for (attempt, wait) in code.waits(plan.policy, words).enumerated() {
          let longest = max(plan.longest(attempt), plan.policy.floor)
          try require(
            wait >= plan.policy.floor && wait <= longest + .milliseconds(1),
            "attempt \(attempt + 1) waits \(wait.inSeconds), not from \(plan.policy.floor.inSeconds) to "
              + longest.inSeconds)
        }
      },
      Property(
        "live.5", "There are as many waits as the policy has attempts", reference: "ten attempts, then suspended",
        arguments: ["policy", "words"], BackoffPlan.any(), words
      ) { plan, words in
        let (found, expected) = (code.waits(plan.policy, words).count, min(words.count, plan.attempts))
        try require(found == expected, "\(found) waits, where there should be \(expected)")
      },
    ]
  }

  private static func answers(of code: LiveOperations) -> [Property] {
    // Waits from 1 s: for a clock that is wrong by a second, waits of 0 s and 1 s would be equally simple
    // counterexamples.
    let seconds = Gen<Int>.oneOf(.integers(in: 1...200), .integers(in: 0...10_000_000))
    let moment = Gen<Int>.oneOf(.integers(in: 1_600_000_000...2_000_000_000), .integers(in: 0...4_000_000_000))
    return [
      Property(
        "live.6", "`Retry-After` is a number of seconds, or the time until a date by the server's clock",
        reference: "RFC 9110, section 10.2.3", arguments: ["seconds", "moment", "skew"], seconds, moment,
        .integers(in: -100_000...100_000)
      ) { seconds, moment, skew in
        let now = Int64(moment + skew)
        let plain = code.retryAfter("\(seconds)", nil, now)
        try require(plain == .seconds(Int64(seconds)), "\(seconds) is read as \(plain?.inSeconds ?? "nothing")")
        let date = HTTPDate(unixSeconds: Int64(moment)).description
        let until = HTTPDate(unixSeconds: Int64(moment + seconds)).description
        let dated = code.retryAfter(until, date, now)
        try require(
          dated == .seconds(Int64(seconds)), "\(until), sent at \(date), is read as \(dated?.inSeconds ?? "nothing")")
      },
      Property(
        "live.7", "Only the server's own close keeps a client away", reference: "who closed decides what a code means",
        arguments: ["code", "origin"], .integers(in: 1000...4999), .elements(of: [Closure.Origin.client, .network])
      ) { value, origin in
        let verdict = code.closeVerdict(Closure(origin, CloseCode(UInt16(value))))
        try require(verdict == .reconnect, "the verdict is \(verdict)")
      },
      Property(
        "live.8", "No redirect leads to a weaker scheme, and redirects are limited",
        reference: "wss stays wss, at most five in a row", arguments: ["target", "secure", "before"],
        Gen<Redirect>.cases(), .booleans(), .integers(in: 0...10)
      ) { target, isSecure, before in
        let verdict = code.redirectVerdict(target, isSecure, before)
        let isAllowed = before < 5 && (target == .secure || target == .plain && !isSecure)
        try require(verdict == (isAllowed ? .redirect : .never), "the verdict is \(verdict)")
      },
    ]
  }

  private static func continuity(of code: LiveOperations) -> [Property] {
    [
      Property(
        "live.9", "The outbox holds, sends and settles messages like a plain list", reference: "a list of messages",
        arguments: ["limits", "uses"], OutboxUse.limits(), Gen<[OutboxUse]>.arrays(of: OutboxUse.any(), count: 0...20)
      ) { drawn, uses in
        let limits = drawn.limits
        var outbox = Outbox(limits)
        var naive = NaiveOutbox(limits)
        for use in uses {
          var effects = LiveEffects()
          let use = use.numbered(after: naive.last)
          code.outbox(use, &outbox, &effects)
          let expected = naive.apply(use)
          try require(
            Array(effects) == expected,
            "after \(use): \(words(of: Array(effects))), where \(words(of: expected)) was to come")
          try require(outbox.numbers == naive.numbers, "after \(use): it holds \(outbox.numbers.map(\.value))")
          try require(outbox.count <= limits.count && outbox.bytes <= limits.bytes, "after \(use): it is too full")
        }
      },
      Property(
        "live.10", "The cursor delivers messages in order, once, and reports every gap",
        reference: "exactly once by epoch and offset", arguments: ["places"],
        Gen<[StreamPlace]>.arrays(of: places, count: 0...12)
      ) { places in
        var cursor = StreamCursor()
        var last: StreamPosition?
        for position in places.map(\.position) {
          let arrival = code.arrival(&cursor, position)
          let isKnown = last.map { $0.epoch == position.epoch && position.offset <= $0.offset } ?? false
          let isNext = last.map { $0.epoch == position.epoch && position.offset == $0.offset + 1 } ?? true
          let (isRight, said) =
            switch arrival {
            case .duplicate: (isKnown, "is kept back, and is new")
            case .deliver: (isNext, "is delivered but is not next")
            case .gap: (!isKnown && !isNext, "is reported to follow a gap")
            }
          try require(isRight, "\(position.epoch)/\(position.offset) \(said)")
          if arrival != .duplicate { last = position }
        }
      },
      Property(
        "live.11", "A schedule that is written and read is unchanged", reference: "the text form live/1",
        arguments: ["schedule"], SchedulePlan.any()
      ) { schedule in
        let read = try FaultSchedule(reading: schedule.description)
        try require(read == schedule, "it is read as \(read)")
      },
    ]
  }

  private static let places = zip(Gen<Int>.integers(in: 1...2), Gen<Int>.integers(in: 1...6)).map {
    StreamPlace(position: StreamPosition(epoch: UInt32($0), offset: UInt64($1)))
  }

  private static func words(of effects: [LiveEffect]) -> String {
    effects.isEmpty ? "nothing" : effects.map { TimelineWords.text(of: $0) }.joined(separator: ", ")
  }
}

// MARK: What is drawn, and what is printed

/// A backoff policy with small integers.
private struct BackoffPlan: Sendable, CustomStringConvertible {
  /// The longest first wait, in milliseconds.
  let base: Int
  let factor: Int
  /// The cap, in milliseconds.
  let cap: Int
  /// The floor, in milliseconds.
  let floor: Int
  let attempts: Int
  let jitter: Backoff.Jitter

  var description: String {
    "\(jitter) from \(base) ms by \(factor) to \(cap) ms, at least \(floor) ms, \(attempts) attempts"
  }

  var policy: Backoff {
    var policy = Backoff()
    policy.base = .milliseconds(Int64(base))
    policy.factor = Double(factor)
    policy.cap = .milliseconds(Int64(cap))
    policy.floor = .milliseconds(Int64(floor))
    (policy.maximumAttempts, policy.jitter) = (attempts, jitter)
    return policy
  }

  /// The longest possible wait before an attempt, in integer arithmetic.
  func longest(_ attempt: Int) -> Interval {
    var longest = base
    switch jitter {
    case .decorrelated: longest = cap
    default: for _ in 0..<attempt where longest < cap { longest *= factor }
    }
    let maximum = Interval.milliseconds(Int64(min(longest, cap)))
    // Proportional jitter is on either side of the longest wait, also beyond the cap.
    guard case .proportional(let share) = jitter else { return maximum }
    return Interval(seconds: maximum.seconds * (1 + share))
  }

  static func any() -> Gen<BackoffPlan> {
    let jitters = Gen<Backoff.Jitter>.elements(of: [.none, .equal, .full, .decorrelated, .proportional(0.2)])
    return zip(
      Gen<Int>.integers(in: 1...2_000), Gen<Int>.integers(in: 1...4), Gen<Int>.integers(in: 0...60_000),
      Gen<Int>.integers(in: 0...500), Gen<Int>.integers(in: 1...12), jitters
    ).map { base, factor, above, floor, attempts, jitter in
      BackoffPlan(base: base, factor: factor, cap: base + above, floor: floor, attempts: attempts, jitter: jitter)
    }
  }
}

/// A position in a stream, written as `2/5` for the fifth message of the second epoch.
private struct StreamPlace: Hashable, Sendable, CustomStringConvertible {
  let position: StreamPosition

  var description: String { "\(position.epoch)/\(position.offset)" }
}

/// The command that shows a session event by event.
enum LiveReplay {
  static func command(_ schedule: FaultSchedule, seed: UInt32, subject: String) -> String {
    let subject = subject == LiveVariant.production.name ? [] : ["--subject", subject]
    return ShellLine.text(["assay", "live", "timeline", "--schedule", "\(schedule)", "--seed", "\(seed)"] + subject)
  }
}
