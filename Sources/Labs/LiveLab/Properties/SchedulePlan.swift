// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting

/// Schedules of faults for properties: few faults of whole seconds, so that what is left of a counterexample is short
/// and easily read.
enum SchedulePlan {
  /// Schedules of up to five faults within twenty minutes, or of outages in a row; the simplest has none.
  ///
  /// Some faults are found out only by what coincides with them: a deadline passes in a sleep only where a question
  /// was open when the device fell asleep, and an order of messages takes several that waited for one connection.
  /// So a sleep often follows what delays answers, and outages often go on for minutes.
  static func any() -> Gen<FaultSchedule> {
    let at = Gen<Int>.oneOf(.integers(in: 0...60), .integers(in: 0...600))
    let lasting = Gen<Int>.oneOf(.integers(in: 1...60), .integers(in: 1...600))
    let sleeps = Gen<Bool>.elements(of: [false, false, false, true])
    let asleep = zip(sleeps, Gen<Int>.integers(in: 0...60), Gen<Int>.integers(in: 1...120))
    let some = Gen<Fault>.oneOf(weighted: [(4, fault), (1, delay)])
    let mixed = zip(at, lasting, some, asleep).map { at, lasting, fault, asleep in
      let (sleeps, after, length) = asleep
      let first = timed(fault, at: at, lasting: lasting)
      return sleeps ? [first, timed(.sleep, at: at + after, lasting: length)] : [first]
    }
    let outages = zip(Gen<Int>.integers(in: 0...6_000), Gen<Int>.integers(in: 1...600), outage).map {
      [timed($2, at: $0, lasting: $1)]
    }
    return .oneOf(weighted: [(2, schedules(of: mixed, count: 0...5)), (1, schedules(of: outages, count: 0...12))])
  }

  /// Schedules in which every client loses its server at the same moment and can come back soon; the simplest is a
  /// reset after a minute.
  static func ofOneLoss() -> Gen<FaultSchedule> {
    let loss = Gen<Fault>.elements(of: [
      .reset, .restart(.killed, keepsHistory: true), .restart(.graceful, keepsHistory: true),
    ])
    return zip(loss, Gen<Int>.integers(in: 60...120), Gen<Int>.integers(in: 1...10)).map { fault, at, lasting in
      try schedule([timed(fault, at: at, lasting: lasting)])
    }
  }

  private static func schedules(of some: Gen<[TimedFault]>, count: ClosedRange<Int>) -> Gen<FaultSchedule> {
    // Most sessions go on long enough for everything to settle; some are closed in the midst of it.
    let quiet = Gen<Int>.elements(of: [900, 900, 900, 1])
    return zip(Gen<[[TimedFault]]>.arrays(of: some, count: count), quiet).map {
      try schedule($0.flatMap(\.self), quiet: $1)
    }
  }

  private static func timed(_ fault: Fault, at: Int, lasting: Int) -> TimedFault {
    TimedFault(
      fault, at: .zero + .seconds(Int64(at)), lasting: fault.kind.isMoment ? .zero : .seconds(Int64(lasting)))
  }

  /// Long enough for all of them, and quiet at the end.
  private static func schedule(_ faults: [TimedFault], quiet: Int = 900) throws -> FaultSchedule {
    let last = faults.map(\.end).max() ?? .zero
    return try FaultSchedule(faults, duration: last - .zero + .seconds(Int64(quiet)))
  }

  private static let fault: Gen<Fault> = .oneOf(link, way, answer, server, phone)

  private static let link: Gen<Fault> = {
    let codes = Gen<UInt16>.elements(of: [1000, 1001, 1002, 1011, 1012, 1013, 3000, 4000, 4999])
    let close = zip(codes, Gen<Int>.integers(in: 0...20)).map {
      Fault.close(CloseCode($0), delay: .seconds(Int64($1)))
    }
    return .oneOf(
      .just(.reset), .just(.halfOpen), close, .just(.garbage(CloseCode(1002))),
      Gen<Int>.elements(of: [1_000_000, 100_000_000]).map { .enormousFrame(bytes: UInt32($0)) })
  }()

  private static let way: Gen<Fault> = {
    let portion = Gen<Int>.integers(in: 1...10).map { Portion(millionths: UInt32(100_000 * $0)) }
    let direction = Gen<Fault.Direction>.cases()
    let latency = zip(Gen<Int>.integers(in: 0...12), Gen<Int>.integers(in: 0...6)).map {
      Fault.latency(added: .seconds(Int64($0)), jitter: .seconds(Int64($1)))
    }
    let cut = zip(Gen<Int>.integers(in: 1...60), Gen<Bool>.booleans()).map {
      Fault.idleCut(after: .seconds(Int64($0)), isSilent: $1)
    }
    return .oneOf(
      .just(.blackHole), direction.map { .partition($0) }, latency, portion.map { .loss($0) },
      zip(portion, portion).map { .burstLoss(enter: $0, leave: $1, good: .none, bad: .all) }, cut,
      Gen<Int>.elements(of: [100, 1_000, 20_000]).map { .bandwidth(bytesPerSecond: UInt32($0)) })
  }()

  private static let answer: Gen<Fault> = {
    let wait = Gen<Int?>.optionals(of: .integers(in: 1...120)).map { $0.map { Interval.seconds(Int64($0)) } }
    let status = Gen<UInt16>.elements(of: [503, 429, 500, 401, 403, 404, 408])
    return .oneOf(
      .just(.refused), Gen<Int>.integers(in: 0...20).map { .nameNotFound(after: .seconds(Int64($0))) },
      .just(.captivePortal), .just(.insecure), zip(status, wait).map { .refusal(status: $0, retryAfter: $1) },
      Gen<Redirect>.cases().map { .redirect($0) },
      zip(Gen<Int>.integers(in: 1...10), wait).map {
        .shedding(Portion(millionths: UInt32(100_000 * $0)), retryAfter: $1)
      },
      Gen<Bool>.booleans().map { .expiredCredentials(isRefreshable: !$0) })
  }()

  private static let server: Gen<Fault> = {
    let restart = zip(Gen<Fault.Departure>.cases(), Gen<Bool>.booleans()).map {
      Fault.restart($0, keepsHistory: !$1)
    }
    let acceptThenClose = Gen<Int>.integers(in: 0...41).map {
      Fault.acceptThenClose(CloseCode(1011), after: .seconds(Int64($0 % 21)), resumes: $0 > 20)
    }
    return .oneOf(
      restart, acceptThenClose, .just(.noPongs),
      Gen<Int>.integers(in: 1...30).map { .latePongs(delay: .seconds(Int64($0))) })
  }()

  /// What cuts every client off for as long as it lasts.
  private static let outage = Gen<Fault>.elements(of: [
    .blackHole, .offline, .partition(.up), .restart(.killed, keepsHistory: true),
  ])

  /// What keeps an answer from coming in time.
  private static let delay = Gen<Fault>.elements(of: [
    .noPongs, .blackHole, .halfOpen, .latency(added: .seconds(8), jitter: .zero), .partition(.down),
  ])

  private static let phone: Gen<Fault> = .oneOf(
    .just(.offline), .just(.networkChange), .just(.sleep), .just(.background),
    Gen<Int>.integers(in: -200...200).map { .clockSkew(millionths: Int32($0 * 1_000)) })
}
