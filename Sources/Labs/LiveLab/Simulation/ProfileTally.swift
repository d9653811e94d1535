// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import MonteCarlo
internal import Reporting

/// The sums over the sessions of one profile, as integers, so that the result is the same at any number of workers.
public struct ProfileTally: MergeableTally, Hashable {
  public init() {}

  public var sessions = 0
  /// Outages from which the client was back in time, among the evaluable ones.
  public var success = ClusteredShare()
  /// The times to return in the evaluable outages.
  public var returns = ReturnTimes()
  /// `success` by cause: by the index of the fault's kind in `Fault.Kind.simulated`, with the last one for no fault.
  public var causes = [ClusteredShare](repeating: ClusteredShare(), count: OutageCause.count)
  /// Outages in which no attempt could have succeeded before the end of the session.
  public var unrecoverable = 0
  /// Outages that began too late for their limit to end within the session.
  public var late = 0
  /// Outages that the open connection survived, without an attempt.
  public var outlived = 0
  /// The number of sessions in which each kind of fault took effect.
  var effects = [Int](repeating: 0, count: Fault.Kind.allCases.count)
  /// Sessions with an outage from which the client was not back in time.
  public var troubledSessions = 0
  /// Sessions aborted as a livelock, with far more events than possible otherwise.
  var runaways = 0
  /// Sessions with a broken invariant, or aborted as a livelock.
  public var brokenSessions = 0
  /// The number of sessions that broke each invariant.
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

/// The sums of each profile and policy, in the order of the trial.
public struct ProfileTallies: MergeableTally, Hashable {
  var tallies: [ProfileTally]

  init(_ count: Int) { tallies = Array(repeating: ProfileTally(), count: count) }

  public mutating func merge(_ other: ProfileTallies) {
    for index in tallies.indices { tallies[index].merge(other.tallies[index]) }
  }
}

extension ProfileTally {
  /// The broken invariants, each with its number of sessions.
  public var broken: [(invariant: Invariant, sessions: Int)] {
    zip(Invariant.allCases, breaches).filter { $0.1 > 0 }
  }

  /// The most outages of one session that are evaluated, from the first on. Bounds that hold at all times depend on it,
  /// and are narrower for a smaller number; a sound client loses its connection at most once per fault.
  public static func maxEvaluated(of profile: OutageProfile) -> Int { maxEvaluated(faults: profile.maxFaults) }

  /// The same number for a schedule with a number of faults.
  public static func maxEvaluated(faults: Int) -> Int { min(32, max(4, faults)) }

  /// Evaluates the outages of a session, at most `maximum` of them.
  ///
  /// The time to return counts from when it became possible. An outage is left out if the client never could have been
  /// back, or if its limit would end after the session; this depends on when it became possible and not on how the
  /// outage ended, so that long outages are not left out more often.
  public mutating func add(
    session: Int, seed: UInt32, _ result: borrowing SessionResult, _ schedule: borrowing FaultSchedule,
    limit: Interval, maximum: Int
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
      // The first connection of a session is not a reconnection, and an end by the app is not an outage.
      if outage.fault == nil && outage.began == .zero || outage.began >= end { continue }
      if outage.possible == .never {
        unrecoverable += 1
        continue
      }
      if end - outage.possible < limit {
        late += 1
        continue
      }
      guard evaluated < maximum else { break }
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
    for (cause, counts) in byCause { causes[cause.position].add(hits: counts.hits, of: counts.of) }
  }

  /// Counts whether a session was aborted, and which invariants it broke.
  public mutating func add(session: Int, seed: UInt32, isRunaway: Bool, breach: Breach?, breached: InvariantSet) {
    if isRunaway { runaways += 1 }
    if isRunaway || breach != nil { brokenSessions += 1 }
    guard let breach else { return }
    for invariant in breached.all { breaches[Int(invariant.rawValue)] += 1 }
    failures.add(SessionFailure(session: session, seed: seed, what: .breach("\(breach)")))
  }
}

/// The cause of an outage: a kind of fault, or none if the client gave up by itself.
public enum OutageCause: Hashable, Codable, Sendable {
  case fault(Fault.Kind)
  case none

  static let all = Fault.Kind.simulated.map(OutageCause.fault) + [OutageCause.none]
  static let count = Fault.Kind.simulated.count + 1

  public var name: String { kind?.name ?? "no-fault" }
  public var meaning: String { kind?.meaning ?? "no fault began it" }
  var position: Int { kind.map { Int($0.rawValue) } ?? Self.count - 1 }

  private var kind: Fault.Kind? { if case .fault(let kind) = self { kind } else { nil } }
}

/// The amount of simulated time, and the outcomes of messages.
public struct SessionCounts: MergeableTally, Hashable {
  public init() {}

  public var milliseconds = 0
  /// The time that clients were in sync, in milliseconds.
  public var servedMilliseconds = 0
  public var events = 0
  public var attempts = 0
  public var opened = 0
  /// The app's messages.
  public var messages = 0
  /// Messages of the app that the client reported as given up.
  public var dropped = 0
  /// Messages of the server that the app got.
  public var delivered = 0
  /// Messages of the server reported missing to the app.
  public var missed = 0
  /// Messages of the server that the app got twice, or that were lost silently.
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

/// A failed session, with the seed that reproduces it.
public struct SessionFailure: Hashable, Codable, Sendable {
  public enum What: Hashable, Codable, Sendable {
    /// A broken invariant, with its description.
    case breach(String)
    /// The client was not back within the profile's limit after the outage of that cause.
    case notBack(Outage, OutageCause)
  }

  /// The session's number within its profile.
  public let session: Int
  public let seed: UInt32
  public let what: What

  /// The failure in words, with the limit of the profile.
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

/// The first failed sessions, a few of each sort: those with the lowest numbers, whichever worker ran them.
public struct FailureList: MergeableTally, Hashable {
  /// The number of failures kept of each sort.
  private static let maximum = 3

  public private(set) var breaches: [SessionFailure] = []
  public private(set) var notBack: [SessionFailure] = []

  /// Adds a failure if it is among the first; a session counts once for each sort.
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
    failures = Array((failures + others).sorted { $0.session < $1.session }.prefix(maximum))
  }

  /// All kept failures, broken invariants first.
  public var all: [SessionFailure] { breaches + notBack }
}
