// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreDates
internal import LiveCore
internal import PropertyTesting

extension LiveProperties {
  /// The claims about waits.
  static func waits(of code: LiveOperations) -> [Property] {
    let words = Gen<[UInt64]>.arrays(of: .oneOf(.elements(of: [0, .max]), .integers()), count: 1...14)
    return [
      Property(
        "live.4", "Every wait lies between the floor and what base, factor and cap allow",
        reference: "exponential backoff", arguments: ["policy", "words"], BackoffPlan.any(), words
      ) { plan, words in
        for (attempt, wait) in code.waits(plan.policy, words).enumerated() {
          let longest = max(plan.longest(attempt), plan.policy.floor)
          try claim(
            wait >= plan.policy.floor && wait <= longest + .milliseconds(1),
            "attempt \(attempt + 1) waits \(wait.inSeconds), which should lie from \(plan.policy.floor.inSeconds) to "
              + longest.inSeconds)
        }
      },
      Property(
        "live.5", "There are as many waits as the policy has attempts", reference: "ten attempts, then suspended",
        arguments: ["policy", "words"], BackoffPlan.any(), words
      ) { plan, words in
        let (found, expected) = (code.waits(plan.policy, words).count, min(words.count, plan.attempts))
        try claim(found == expected, "\(found) waits, where there should be \(expected)")
      },
    ]
  }

  /// The claims about the server's answers.
  static func answers(of code: LiveOperations) -> [Property] {
    // From 1: a wait of no time and one of a second are equally simple where the clock is wrong by a second.
    let seconds = Gen<Int>.oneOf(.integers(in: 1...200), .integers(in: 0...10_000_000))
    let moment = Gen<Int>.oneOf(.integers(in: 1_600_000_000...2_000_000_000), .integers(in: 0...4_000_000_000))
    return [
      Property(
        "live.6", "`Retry-After` in seconds is that long, and as a date the time until it by the server's clock",
        reference: "RFC 9110, section 10.2.3", arguments: ["seconds", "moment", "skew"], seconds, moment,
        .integers(in: -100_000...100_000)
      ) { seconds, moment, skew in
        let now = Int64(moment + skew)
        let plain = code.retryAfter("\(seconds)", nil, now)
        try claim(plain == .seconds(Int64(seconds)), "\(seconds) is read as \(plain?.inSeconds ?? "nothing")")
        let date = HTTPDate(unixSeconds: Int64(moment)).description
        let until = HTTPDate(unixSeconds: Int64(moment + seconds)).description
        let dated = code.retryAfter(until, date, now)
        try claim(
          dated == .seconds(Int64(seconds)), "\(until), sent at \(date), is read as \(dated?.inSeconds ?? "nothing")")
      },
      Property(
        "live.7", "Only the server's own word keeps a client away", reference: "who closed decides what a code means",
        arguments: ["code", "origin"], .integers(in: 1000...4999), .elements(of: [Closure.Origin.client, .network])
      ) { value, origin in
        let verdict = code.closeVerdict(Closure(origin, CloseCode(UInt16(value))))
        try claim(verdict == .reconnect, "it is to \(verdict)")
      },
      Property(
        "live.8", "No redirect leads to a weaker scheme, and none is followed for ever",
        reference: "wss stays wss, five in a row at the most", arguments: ["target", "secure", "before"],
        Gen<Redirect>.cases(), .booleans(), .integers(in: 0...10)
      ) { target, isSecure, before in
        let verdict = code.redirectVerdict(target, isSecure, before)
        let isAllowed = before < 5 && (target == .secure || target == .plain && !isSecure)
        try claim(verdict == (isAllowed ? .redirect : .never), "it is to \(verdict)")
      },
    ]
  }

  /// The claims about what waits to be sent, what has come, and how a schedule is written.
  static func continuity(of code: LiveOperations) -> [Property] {
    [
      Property(
        "live.9", "The outbox holds, sends and settles what a plain list would", reference: "a list of messages",
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
          try claim(
            Array(effects) == expected,
            "after \(use): \(words(of: Array(effects))), where \(words(of: expected)) was to come")
          try claim(outbox.map(\.number) == naive.numbers, "after \(use): it holds \(outbox.map(\.number.value))")
          try claim(outbox.count <= limits.count && outbox.bytes <= limits.bytes, "after \(use): it is too full")
        }
      },
      Property(
        "live.10", "What the cursor lets through is in order, once, and every hole in it is told",
        reference: "exactly once by epoch and offset", arguments: ["places"],
        Gen<[StreamPlace]>.arrays(of: places, count: 0...12)
      ) { places in
        var cursor = StreamCursor()
        var last: StreamPosition?
        for place in places.map(\.position) {
          let arrival = code.arrival(&cursor, place)
          let isKnown = last.map { $0.epoch == place.epoch && place.offset <= $0.offset } ?? false
          let isNext = last.map { $0.epoch == place.epoch && place.offset == $0.offset + 1 } ?? true
          let (isRight, said) =
            switch arrival {
            case .duplicate: (isKnown, "is kept back, and is new")
            case .deliver: (isNext, "is let through, and is not next")
            case .gap: (!isKnown && !isNext, "is said to follow a hole")
            }
          try claim(isRight, "\(place.epoch)/\(place.offset) \(said)")
          if arrival != .duplicate { last = place }
        }
      },
      Property(
        "live.11", "A schedule written down is read back the same", reference: "the text form live/1",
        arguments: ["schedule"], SchedulePlan.any()
      ) { schedule in
        let read = try FaultSchedule(reading: schedule.description)
        try claim(read == schedule, "it is read as \(read)")
      },
    ]
  }

  private static let places = zip(Gen<Int>.integers(in: 1...2), Gen<Int>.integers(in: 1...6)).map {
    StreamPlace(position: StreamPosition(epoch: UInt32($0), offset: UInt64($1)))
  }

  private static func words(of effects: [LiveEffect]) -> String {
    effects.isEmpty ? "nothing" : effects.map(\.name).joined(separator: ", ")
  }
}

/// A place in a stream, as people read it: `2/5` is the fifth message of the second epoch.
struct StreamPlace: Hashable, Sendable, CustomStringConvertible {
  let position: StreamPosition

  var description: String { "\(position.epoch)/\(position.offset)" }
}
