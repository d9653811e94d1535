// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting

/// Schedules of faults for properties: few faults at whole seconds, so that a shrunk counterexample is short and easy
/// to read.
enum SchedulePlan {
  /// Schedules of up to five faults within twenty minutes, or of outages in a row; the simplest has none.
  ///
  /// Some mistakes show only if faults coincide: a deadline passes in a sleep only if a ping was open when the device
  /// fell asleep, and the order of messages matters only if several wait for one connection. So a sleep often follows a
  /// fault that delays answers, and outages often last minutes.
  static func any() -> Gen<FaultSchedule> {
    let at = Gen<Int>.oneOf(.integers(in: 0...60), .integers(in: 0...600))
    let lasting = Gen<Int>.oneOf(.integers(in: 1...60), .integers(in: 1...600))
    let sleeps = Gen<Bool>.elements(of: [false, false, false, true])
    let asleep = zip(sleeps, Gen<Int>.integers(in: 0...60), Gen<Int>.integers(in: 1...120))
    let some = Gen<Fault>.oneOf(weighted: [(4, fault), (1, delay)])
    let mixed = zip(at, lasting, some, asleep).map { at, lasting, fault, asleep in
      let (sleeps, after, length) = asleep
      let first = timed(fault, at: at, lasting: lasting)
      return sleeps ? [first, timed(Fault(.sleep), at: at + after, lasting: length)] : [first]
    }
    let outages = zip(Gen<Int>.integers(in: 0...6_000), Gen<Int>.integers(in: 1...600), outage).map {
      [timed($2, at: $0, lasting: $1)]
    }
    return .oneOf(weighted: [(2, schedules(of: mixed, count: 0...5)), (1, schedules(of: outages, count: 0...12))])
  }

  /// Schedules in which every client loses its server at the same time and can come back soon; the simplest is a reset
  /// after a minute.
  static func ofOneLoss() -> Gen<FaultSchedule> {
    let loss = Gen<Fault>.elements(of: faults("reset", "restart how=killed", "restart how=graceful"))
    return zip(loss, Gen<Int>.integers(in: 60...120), Gen<Int>.integers(in: 1...10)).map { fault, at, lasting in
      try schedule([timed(fault, at: at, lasting: lasting)])
    }
  }

  private static func schedules(of some: Gen<[TimedFault]>, count: ClosedRange<Int>) -> Gen<FaultSchedule> {
    // Most sessions last long enough for everything to settle; some are closed earlier.
    let quiet = Gen<Int>.elements(of: [900, 900, 900, 1])
    return zip(Gen<[[TimedFault]]>.arrays(of: some, count: count), quiet).map {
      try schedule($0.flatMap(\.self), quiet: $1)
    }
  }

  fileprivate static func timed(_ fault: Fault, at: Int, lasting: Int) -> TimedFault {
    TimedFault(fault, at: .zero + .seconds(Int64(at)), lasting: fault.kind.isMoment ? .zero : .seconds(Int64(lasting)))
  }

  /// A schedule long enough for all faults, with a quiet end.
  fileprivate static func schedule(_ faults: [TimedFault], quiet: Int = 900) throws -> FaultSchedule {
    let last = faults.map(\.end).max() ?? .zero
    return try FaultSchedule(faults, duration: last - .zero + .seconds(Int64(quiet)))
  }

  /// Faults from their texts. Invalid texts are skipped; a test checks that there are none.
  fileprivate static func faults(_ texts: String...) -> [Fault] {
    texts.compactMap { try? TimedFault(reading: $0).fault }
  }

  private static func seconds(_ range: ClosedRange<Int>) -> Gen<Int64> {
    Gen<Int>.integers(in: range).map { Int64($0) * 1_000_000_000 }
  }

  private static let fault: Gen<Fault> = .oneOf(link, way, answer, server, phone)

  private static let link: Gen<Fault> = {
    let codes = Gen<Int64>.elements(of: [1000, 1001, 1002, 1011, 1012, 1013, 3000, 4000, 4999])
    return .oneOf(
      .just(Fault(.reset)), .just(Fault(.halfOpen)), zip(codes, seconds(0...20)).map { Fault(.close, $0, $1) },
      .just(Fault(.garbage, 1002)),
      Gen<Int64>.elements(of: [1_000_000, 100_000_000]).map { Fault(.enormousFrame, $0) })
  }()

  private static let way: Gen<Fault> = {
    let portion = Gen<Int>.integers(in: 1...10).map { Int64($0) * 100_000 }
    return .oneOf(
      .just(Fault(.blackHole)), Gen<Fault.Direction>.cases().map { Fault(.partition, Int64($0.rawValue)) },
      zip(seconds(0...12), seconds(0...6)).map { Fault(.latency, $0, $1) }, portion.map { Fault(.loss, $0) },
      zip(portion, portion).map { Fault(.burstLoss, $0, $1, 0, FaultParameter.whole) },
      zip(seconds(1...60), Gen<Bool>.booleans()).map { Fault(.idleCut, $0, $1 ? 1 : 0) },
      Gen<Int64>.elements(of: [100, 1_000, 20_000]).map { Fault(.bandwidth, $0) })
  }()

  private static let answer: Gen<Fault> = {
    let wait = Gen<Int64?>.optionals(of: seconds(1...120)).map { $0 ?? FaultParameter.none }
    let status = Gen<Int64>.elements(of: [503, 429, 500, 401, 403, 404, 408])
    return .oneOf(
      .just(Fault(.refused)), seconds(0...20).map { Fault(.nameNotFound, $0) }, .just(Fault(.captivePortal)),
      .just(Fault(.insecure)), zip(status, wait).map { Fault(.refusal, $0, $1) },
      Gen<Redirect>.cases().map { Fault(.redirect, Int64($0.rawValue)) },
      zip(Gen<Int>.integers(in: 1...10), wait).map { Fault(.shedding, Int64($0) * 100_000, $1) },
      Gen<Bool>.booleans().map { Fault(.expiredCredentials, $0 ? 0 : 1) })
  }()

  private static let server: Gen<Fault> = {
    let restart = zip(Gen<Fault.Departure>.cases(), Gen<Bool>.booleans()).map {
      Fault(.restart, Int64($0.rawValue), $1 ? 0 : 1, 1)
    }
    let acceptThenClose = Gen<Int>.integers(in: 0...41).map {
      Fault(.acceptThenClose, 1011, Int64($0 % 21) * 1_000_000_000, $0 > 20 ? 1 : 0)
    }
    return .oneOf(
      restart, acceptThenClose, .just(Fault(.noPongs)), seconds(1...30).map { Fault(.latePongs, $0) })
  }()

  /// Faults that cut every client off for as long as they last.
  private static let outage = Gen<Fault>.elements(
    of: faults("black-hole", "offline", "partition way=up", "restart how=killed"))

  /// Faults that prevent an answer in time.
  private static let delay = Gen<Fault>.elements(
    of: faults("no-pongs", "black-hole", "half-open", "latency added=8s", "partition way=down"))

  private static let phone: Gen<Fault> = .oneOf(
    .just(Fault(.offline)), .just(Fault(.networkChange)), .just(Fault(.sleep)), .just(Fault(.background)),
    Gen<Int>.integers(in: -200...200).map { Fault(.clockSkew, Int64($0) * 1_000) })
}

/// A session that a property runs: its faults, and the seed of all other draws.
///
/// Both are drawn together, because they shrink together: otherwise the smallest failing schedule would depend on the
/// seed with which the first one was found.
struct ScheduledSession: Sendable, CustomStringConvertible {
  let schedule: FaultSchedule
  let seed: Int

  var description: String { "\(schedule), seed \(seed)" }

  /// Generated schedules with generated seeds, and the simple ones with the first seed, to which all others shrink if
  /// possible.
  static func any() -> Gen<ScheduledSession> {
    let seeds = Gen<Int>.integers(in: 1...1_000)
    let drawn = zip(SchedulePlan.any(), seeds).map(ScheduledSession.init)
    let round = zip(Gen<FaultSchedule>.elements(of: SimpleSchedules.all), seeds).map(ScheduledSession.init)
    let simple = SimpleSchedules.all.map { (weight: 1, generator: Gen.just(ScheduledSession(schedule: $0, seed: 1))) }
    // One case in twenty is simple; of the others, three in ten have a simple schedule with another seed.
    return .oneOf(weighted: simple + [(6 * simple.count, round), (13 * simple.count, drawn)])
  }
}

/// The schedules of one fault and of two, at round times and with round values, which are counterexamples if possible.
///
/// A generated schedule shrinks step by step, and the result depends on the start: a client that does not notice a dead
/// link may be caught by a sleep without pongs, though one dead link is enough. So all of these are tried in order, and
/// the first that fails is the smallest for any seed. There are about 1,500; none is designed for a particular client.
enum SimpleSchedules {
  /// All of them, simplest first: no fault, one fault, two faults.
  static let all = [try? SchedulePlan.schedule([])].compactMap(\.self) + singles + pairs

  /// One fault of each kind: shorter ones first, those in an open connection before those in the first attempt, and
  /// those with time to recover before those without.
  static let singles = [900, 1].flatMap { quiet in
    [0, 10, 60, 300, 1_200].flatMap { lasting in
      [60, 0].flatMap { at in
        (lasting == 0 ? moments : lastings).compactMap {
          try? SchedulePlan.schedule([SchedulePlan.timed($0, at: at, lasting: lasting)], quiet: quiet)
        }
      }
    }
  }

  /// Two faults of the most common kinds, the second at the end of the first or in the middle of it.
  static let pairs = [10, 20, 30, 60].flatMap { gap in
    common.flatMap { first in
      common.compactMap { second in
        try? SchedulePlan.schedule([
          SchedulePlan.timed(first, at: 60, lasting: 60), SchedulePlan.timed(second, at: 60 + gap, lasting: 60),
        ])
      }
    }
  }

  private static let moments = SchedulePlan.faults(
    "reset", "half-open", "close code=1001", "close code=1000", "network-change", "garbage code=1002",
    "enormous-frame bytes=100000000")

  private static let lastings = SchedulePlan.faults(
    "offline", "sleep", "background", "black-hole", "partition way=up", "partition way=down", "restart how=killed",
    "restart how=graceful", "restart how=vanished", "restart how=killed history=lost", "refused",
    "name-not-found after=50ms", "captive-portal", "insecure", "refusal status=401", "refusal status=403",
    "refusal status=404", "refusal status=429", "refusal status=503", "refusal status=503 retry-after=60s",
    "shedding share=100% retry-after=60s", "redirect to=secure", "redirect to=plain", "redirect to=unusable",
    "expired-credentials refreshable=yes", "expired-credentials refreshable=no", "accept-then-close code=1011",
    "accept-then-close code=1011 after=20s", "accept-then-close code=1011 resumes=yes", "no-pongs",
    "late-pongs delay=20s", "latency added=8s", "loss share=50%", "bandwidth rate=100",
    "burst-loss enter=50% leave=50%", "idle-cut after=10s", "idle-cut after=10s silent=yes",
    "clock-skew millionths=200000", "clock-skew millionths=-200000")

  private static let common = SchedulePlan.faults(
    "reset", "half-open", "close code=1001", "network-change", "offline", "sleep", "background", "black-hole",
    "restart how=killed", "refused", "accept-then-close code=1011", "no-pongs", "latency added=8s")
}
