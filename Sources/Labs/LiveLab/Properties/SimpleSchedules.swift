// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The schedules of one fault, and of two, at round times and with round values: what a counterexample is to be made of
/// where it can be.
///
/// A schedule that was drawn is made smaller step by step, and where the steps end depends on where they began: a
/// client that notices no dead link may be shown by a sleep in which pongs fail, though one dead link shows it as well.
/// So all of these are tried in their order, and the first that fails is the smallest, from whichever seed. There are
/// about one and a half thousand; none is made for a client.
enum SimpleSchedules {
  /// In their order, the simplest first: nothing at all, one fault, two faults.
  static let all = [schedule([], quiet: 900)].compactMap(\.self) + singles + pairs

  /// One fault of every kind: the shorter before the longer, in an open connection before in the first attempt, and
  /// with time to recover before with none.
  static let singles = [900, 1].flatMap { quiet in
    [0, 10, 60, 300, 1_200].flatMap { lasting in
      [60, 0].flatMap { at in
        (lasting == 0 ? moments : lastings).compactMap { schedule([timed($0, at: at, lasting: lasting)], quiet: quiet) }
      }
    }
  }

  /// Two faults of the commonest kinds, the second at the end of the first or in the midst of it.
  static let pairs = [10, 20, 30, 60].flatMap { gap in
    common.flatMap { first in
      common.compactMap { second in
        schedule([timed(first, at: 60, lasting: 60), timed(second, at: 60 + gap, lasting: 60)], quiet: 900)
      }
    }
  }

  private static let moments: [Fault] = [
    .reset, .halfOpen, .close(.goingAway, delay: .zero), .close(.normal, delay: .zero), .networkChange,
    .garbage(CloseCode(1002)), .enormousFrame(bytes: 100_000_000),
  ]

  private static let lastings: [Fault] =
    [.offline, .sleep, .background, .blackHole, .partition(.up), .partition(.down)]
    + [.restart(.killed, keepsHistory: true), .restart(.graceful, keepsHistory: true)]
    + [.restart(.vanished, keepsHistory: true), .restart(.killed, keepsHistory: false)]
    + [.refused, .nameNotFound(after: .milliseconds(50)), .captivePortal, .insecure]
    + [401, 403, 404, 429, 503].map { .refusal(status: $0, retryAfter: nil) }
    + [.refusal(status: 503, retryAfter: .seconds(60)), .shedding(.all, retryAfter: .seconds(60))]
    + Redirect.allCases.map { .redirect($0) }
    + [.expiredCredentials(isRefreshable: true), .expiredCredentials(isRefreshable: false)]
    + [.acceptThenClose(CloseCode(1011), after: .zero), .acceptThenClose(CloseCode(1011), after: .seconds(20))]
    + [.acceptThenClose(CloseCode(1011), after: .zero, resumes: true), .noPongs, .latePongs(delay: .seconds(20))]
    + [.latency(added: .seconds(8), jitter: .zero), .loss(half), .bandwidth(bytesPerSecond: 100)]
    + [.burstLoss(enter: half, leave: half, good: .none, bad: .all)]
    + [.idleCut(after: .seconds(10), isSilent: false), .idleCut(after: .seconds(10), isSilent: true)]
    + [.clockSkew(millionths: 200_000), .clockSkew(millionths: -200_000)]

  private static let common: [Fault] = [
    .reset, .halfOpen, .close(.goingAway, delay: .zero), .networkChange, .offline, .sleep, .background, .blackHole,
    .restart(.killed, keepsHistory: true), .refused, .acceptThenClose(CloseCode(1011), after: .zero), .noPongs,
    .latency(added: .seconds(8), jitter: .zero),
  ]

  private static let half = Portion(millionths: 500_000)

  private static func timed(_ fault: Fault, at: Int, lasting: Int) -> TimedFault {
    TimedFault(
      fault, at: .zero + .seconds(Int64(at)), lasting: fault.kind.isMoment ? .zero : .seconds(Int64(lasting)))
  }

  private static func schedule(_ faults: [TimedFault], quiet: Int64) -> FaultSchedule? {
    let last = faults.map(\.end).max() ?? .zero
    return try? FaultSchedule(faults, duration: last - .zero + .seconds(quiet))
  }
}
