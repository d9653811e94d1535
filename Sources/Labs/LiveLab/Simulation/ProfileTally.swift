// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import MonteCarlo
internal import Reporting

/// The sums over the sessions of one profile: whole numbers, so that the result is the same at any number of workers.
public struct ProfileTally: MergeableTally, Hashable {
  public init() {}

  public var sessions = 0
  /// Outages from which the client was back in time, of those that can be evaluated.
  public var success = ClusteredShare()
  /// How long after it could have been the client was back, in the outages that can be evaluated.
  public var returns = ReturnTimes()
  /// `success` by cause: by the place of the fault's kind in `Fault.Kind.simulated`, the last for none.
  public var causes = [ClusteredShare](repeating: ClusteredShare(), count: OutageCause.count)
  /// Outages in which no attempt could have succeeded before the session was over.
  public var unrecoverable = 0
  /// Outages that began so late that their limit was not over before the session was.
  public var late = 0
  /// Outages that the open connection outlived: no attempt was made, and none was needed.
  public var outlived = 0
  /// By kind of fault: sessions in which it took effect.
  var effects = [Int](repeating: 0, count: Fault.Kind.allCases.count)
  /// Sessions with an outage from which the client was not back in time.
  public var troubledSessions = 0
  /// Sessions that were cut short by a livelock: far more happened than ever should.
  var runaways = 0
  /// Sessions in which an invariant was broken, or that a livelock cut short.
  public var brokenSessions = 0
  /// By invariant: sessions in which it was broken.
  public var breaches = [Int](repeating: 0, count: Invariant.allCases.count)
  public var failures = FailureList()
  public var counts = SessionCounts()

  public mutating func merge(_ other: ProfileTally) {
    sessions += other.sessions
    success.merge(other.success)
    returns.merge(other.returns)
    for index in causes.indices { causes[index].merge(other.causes[index]) }
    unrecoverable += other.unrecoverable
    late += other.late
    outlived += other.outlived
    for kind in effects.indices { effects[kind] += other.effects[kind] }
    troubledSessions += other.troubledSessions
    runaways += other.runaways
    brokenSessions += other.brokenSessions
    for index in breaches.indices { breaches[index] += other.breaches[index] }
    failures.merge(other.failures)
    counts.merge(other.counts)
  }
}

extension ProfileTally {
  /// The invariants that were broken, and in how many sessions.
  public var broken: [(invariant: Invariant, sessions: Int)] {
    zip(Invariant.allCases, breaches).filter { $0.1 > 0 }
  }

  /// The most outages of one session that are evaluated: the first ones. Bounds that hold at all times need to know it,
  /// and are the narrower the fewer they are; a sound client loses its connection no more often than it is hit.
  public static func mostEvaluated(of profile: OutageProfile) -> Int { mostEvaluated(faults: profile.mostFaults) }

  /// The same for a schedule of so many faults.
  public static func mostEvaluated(faults: Int) -> Int { min(32, max(4, faults)) }

  /// Evaluates the outages of a session, at most `most` of them.
  ///
  /// What counts is how long after it could have been the client was back. An outage is left out where the client never
  /// could have been, and where the limit would be over after the session: by when it began to be possible, not by how
  /// it ended, so that long ones are not left out more often than short ones.
  public mutating func add(
    session: Int, seed: UInt32, _ result: borrowing SessionResult, _ schedule: borrowing FaultSchedule,
    limit: Interval, most: Int
  ) {
    sessions += 1
    counts.add(result)
    var effective = result.effective
    while effective != 0 {
      effects[effective.trailingZeroBitCount] += 1
      effective &= effective &- 1
    }
    var returns: [Interval] = []
    var byCause: [OutageCause: (hits: Int, of: Int)] = [:]
    var (lost, good, evaluated) = (0, 0, 0)
    let (faults, end) = (schedule.faults, Instant.zero + result.duration)
    for index in result.outages.indices {
      let outage = result.outages[index]
      // The first connection of a session is no reconnection, and what the app ended is no outage.
      if outage.fault == nil && outage.began == .zero || outage.began >= end { continue }
      if outage.possible == .never {
        unrecoverable += 1
        continue
      }
      if end - outage.possible < limit {
        late += 1
        continue
      }
      guard evaluated < most else { break }
      let cause =
        outage.fault.flatMap { faults.indices.contains($0) ? OutageCause.fault(faults[$0].fault.kind) : nil }
        ?? OutageCause.none
      let time = outage.timeToReturn
      let isGood = time.map { $0 <= limit } ?? false
      evaluated += 1
      if let time {
        if outage.attempts == 0 { outlived += 1 }
        returns.append(time)
      } else {
        lost += 1
      }
      byCause[cause, default: (0, 0)].of += 1
      if isGood {
        good += 1
        byCause[cause]?.hits += 1
      } else if evaluated - good == 1 {
        failures.add(SessionFailure(session: session, seed: seed, what: .notBack(outage, cause)))
      }
    }
    if good < evaluated { troubledSessions += 1 }
    success.add(hits: good, of: evaluated)
    self.returns.add(returns, lost: lost)
    for (cause, counts) in byCause { causes[cause.place].add(hits: counts.hits, of: counts.of) }
  }

  /// Notes whether a session was cut short, and which invariants were broken.
  public mutating func add(session: Int, seed: UInt32, isRunaway: Bool, breach: Breach?, breached: InvariantSet) {
    if isRunaway { runaways += 1 }
    if isRunaway || breach != nil { brokenSessions += 1 }
    guard let breach else { return }
    for invariant in breached.all { breaches[Int(invariant.rawValue)] += 1 }
    failures.add(SessionFailure(session: session, seed: seed, what: .breach("\(breach)")))
  }
}

/// The origin of an outage: a fault of a kind, or none, which is the client's own doing.
public enum OutageCause: Hashable, Codable, Sendable {
  case fault(Fault.Kind)
  case none

  static let all = Fault.Kind.simulated.map(OutageCause.fault) + [OutageCause.none]
  static let count = Fault.Kind.simulated.count + 1

  public var name: String { kind?.name ?? "no-fault" }
  public var meaning: String { kind?.meaning ?? "no fault began it" }
  var place: Int { kind.map { Int($0.rawValue) } ?? Self.count - 1 }

  private var kind: Fault.Kind? { if case .fault(let kind) = self { kind } else { nil } }
}

/// How much was simulated, and what became of the messages.
public struct SessionCounts: MergeableTally, Hashable {
  public init() {}

  public var milliseconds = 0
  /// Clients' time in sync with the server.
  public var servedMilliseconds = 0
  public var events = 0
  public var attempts = 0
  public var opened = 0
  /// The app's messages.
  public var messages = 0
  /// Those of them that the client gave up, and said so.
  public var dropped = 0
  /// The server's messages that the app got.
  public var delivered = 0
  /// Those that were reported missing to the app.
  public var missed = 0
  /// Those that it got again, or that were kept from it silently.
  public var lostOrDuplicated = 0

  public var hours: Double { Double(milliseconds) / 3_600_000 }

  private static let all: [any WritableKeyPath<SessionCounts, Int> & Sendable] = [
    \.milliseconds, \.servedMilliseconds, \.events, \.attempts, \.opened, \.messages, \.dropped, \.delivered, \.missed,
    \.lostOrDuplicated,
  ]

  public mutating func merge(_ other: SessionCounts) {
    for count in Self.all { self[keyPath: count] += other[keyPath: count] }
  }

  public mutating func add(_ result: borrowing SessionResult) {
    milliseconds += Int(result.duration.nanoseconds / 1_000_000)
    servedMilliseconds += Int(result.served.nanoseconds / 1_000_000)
    events += Int(result.events)
    attempts += Int(result.attempts)
    opened += Int(result.opened)
    messages += Int(result.truth.messagesMade)
    dropped += Int(result.truth.messagesDropped)
    delivered += Int(result.truth.messagesDelivered)
    missed += Int(result.truth.messagesMissed)
    lostOrDuplicated += Int(result.truth.messagesDoubled + result.truth.messagesSkipped)
  }
}

/// A session that failed, with the seed that plays it again.
public struct SessionFailure: Hashable, Codable, Sendable {
  public enum What: Hashable, Codable, Sendable {
    /// A description of what was broken.
    case breach(String)
    /// After the outage of that cause the client was not back within the profile's limit.
    case notBack(Outage, OutageCause)
  }

  /// The session's number within its profile.
  public let session: Int
  public let seed: UInt32
  public let what: What

  /// The failure in words; a client must be back within the limit.
  public func text(limit: Interval) -> String {
    switch what {
    case .breach(let breach): return breach
    case .notBack(let outage, let cause):
      let took =
        outage.timeToReturn.map { "back \(TimelineClock.text(of: $0)) after it could have been" }
        ?? "not back before the end"
      return "\(took), where \(TimelineClock.text(of: limit)) are allowed; cut off at "
        + "\(TimelineClock.text(of: outage.began)) by \(cause.name), "
        + NumberFormat.counted(outage.attempts, "attempt")
    }
  }
}

/// The first sessions that failed, few of each sort: those of the lowest numbers, whichever worker ran them.
public struct FailureList: MergeableTally, Hashable {
  /// How many of each sort are kept.
  private static let most = 3

  public private(set) var breaches: [SessionFailure] = []
  public private(set) var notBack: [SessionFailure] = []

  /// Notes a failure, if it is among the first; one of each sort for each session.
  public mutating func add(_ failure: SessionFailure) {
    switch failure.what {
    case .breach: Self.merge([failure], into: &breaches)
    case .notBack: Self.merge([failure], into: &notBack)
    }
  }

  public mutating func merge(_ other: FailureList) {
    Self.merge(other.breaches, into: &breaches)
    Self.merge(other.notBack, into: &notBack)
  }

  private static func merge(_ others: [SessionFailure], into failures: inout [SessionFailure]) {
    failures = Array((failures + others).sorted { $0.session < $1.session }.prefix(most))
  }

  /// All that were kept, broken invariants first.
  public var all: [SessionFailure] { breaches + notBack }
}
