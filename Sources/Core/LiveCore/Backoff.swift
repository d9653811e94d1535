// SPDX-License-Identifier: Apache-2.0

/// The waits before attempts to reconnect, and the number of attempts.
///
/// `growth`, `base`, `factor` and `cap` give the longest wait d before an attempt; `jitter` spreads the wait below or
/// around d; `floor` is a lower bound of every wait.
public struct Backoff: Hashable, Sendable {
  /// The longest wait before the first attempt.
  public var base = Interval.seconds(1)
  /// The factor by which the longest wait grows with each attempt.
  public var factor = 2.0
  /// The upper bound of the longest wait.
  public var cap = Interval.seconds(30)
  /// The shortest wait between two attempts.
  public var floor = Interval.milliseconds(100)
  /// The number of attempts before the connection is suspended; `nil` for no limit.
  public var maximumAttempts: Int? = 10
  /// The growth of the longest wait.
  public var growth = Growth.geometric
  /// The waits themselves, where `growth` is `table`. It is no part of the growth, which every attempt switches over:
  /// there it would cost a client of a storm 14% more instructions.
  public var table = Waits([])
  /// The spread of the waits, so that clients that lost one server do not return at the same moment.
  public var jitter = Jitter.full

  /// The growth of the longest wait d from attempt to attempt.
  public enum Growth: Hashable, Sendable {
    /// The base, multiplied by `factor` with each attempt, up to the cap.
    case geometric
    /// A base that is drawn once, uniformly from `base` to this bound, and grows by `factor` up to the cap.
    case drawnBase(upTo: Interval)
    /// The waits of `table` in turn, then always its last one, independent of base, factor and cap.
    case table
  }

  /// A table of waits. Not an array, so that settings stay plain values.
  public struct Waits: Hashable, Sendable {
    /// The largest number of waits.
    public static let limit = Storage.count
    /// The number of waits that were given; `Backoff.check` refuses none and more than `limit`.
    public let count: Int
    private var nanoseconds = Storage(repeating: 0)
    private typealias Storage = InlineArray<32, Int64>

    /// A table of waits, the first one before the first attempt.
    public init(_ waits: [Interval]) {
      count = waits.count
      for (index, wait) in waits.prefix(Self.limit).enumerated() { nanoseconds[index] = wait.nanoseconds }
    }

    /// The wait before an attempt, counted from 0: beyond the table its last one.
    public subscript(attempt: Int) -> Interval {
      Interval(nanoseconds: nanoseconds[max(0, min(attempt, count - 1, Self.limit - 1))])
    }

    /// The waits, at most `limit`.
    public var all: [Interval] { (0..<min(count, Self.limit)).map { self[$0] } }

    /// Returns true if the tables have the same waits.
    public static func == (one: Waits, other: Waits) -> Bool { one.count == other.count && one.all == other.all }

    /// Hashes the waits.
    public func hash(into hasher: inout Hasher) { hasher.combine(all) }
  }

  /// The distribution of a wait with the longest wait d (Brooker, "Exponential Backoff and Jitter", AWS Architecture
  /// Blog, 2015).
  public enum Jitter: Hashable, Sendable {
    /// Always d.
    case none
    /// Uniform from d less this share of it to d; Ably uses 0.2.
    case lowered(Double)
    /// Uniform from half of d to d.
    case equal
    /// Uniform from 0 to d.
    case full
    /// Uniform from the base to three times the last wait, capped.
    case decorrelated
    /// Uniform within this share of d on either side, also beyond the cap; gRPC uses 0.2.
    case proportional(Double)
    /// The same, but the cap applies to the wait and not to d; Socket.IO uses 0.5.
    case cappedProportional(Double)
    /// d plus a uniform wait between the two bounds, also beyond the cap; graphql-ws adds 0.3 to 3 s.
    case added(Interval, Interval)
    /// The base plus a uniform wait from 0 to d, capped, as in Centrifuge.
    case fullAboveBase
  }

  /// Full jitter from 1 s to 30 s, ten attempts.
  public init() {}

  /// These waits in turn, then always the last one: without jitter, floor or limit of attempts.
  public init(waits: [Interval]) {
    (growth, table) = (.table, Waits(waits))
    cap = max(.milliseconds(1), waits.max() ?? .zero)
    base = min(cap, max(.milliseconds(1), waits.first ?? .zero))
    (jitter, floor, maximumAttempts) = (.none, .zero, nil)
  }
}

extension Backoff {
  /// The shortest and the longest wait after this many attempts since the connection was last proven.
  public func waits(before attempt: Int) -> ClosedRange<Interval> {
    var (low, high) = (AttemptSchedule(), AttemptSchedule())
    var range = Interval.zero...Interval.zero
    var policy = self
    policy.maximumAttempts = nil
    for _ in 0...max(0, min(attempt, 10_000)) {
      let minimum = low.next(policy, word: 0) ?? .zero
      range = minimum...max(minimum, high.next(policy, word: .max) ?? .zero)
    }
    return range
  }
}

/// The attempts since a connection was last proven, with the state that the next wait depends on. Sixteen bytes.
public struct AttemptSchedule: Hashable, Codable, Sendable {
  /// The number of waits returned since the last reset.
  public private(set) var attempts: Int32 = 0
  /// The last wait if jitter is decorrelated, else the last longest wait; in seconds.
  private var last = 0.0

  /// No attempts yet.
  public init() {}

  /// The wait before the next attempt from 64 random bits: a larger word never gives a shorter wait. `nil` when the
  /// attempts are exhausted.
  public mutating func next(_ policy: Backoff, word: UInt64) -> Interval? {
    if let maximum = policy.maximumAttempts, Int(attempts) >= maximum { return nil }
    let unit = Double(word >> 11) * 0x1p-53
    let wait: Double
    if case .decorrelated = policy.jitter {
      wait = decorrelated(policy, unit: unit)
      last = max(wait, policy.floor.seconds)
    } else {
      last = longest(policy, unit: unit)
      wait = Self.spread(last, policy, unit: unit)
    }
    if attempts < .max { attempts += 1 }
    return max(.zero, policy.floor, Interval(seconds: wait))
  }

  /// Forgets the attempts, because the connection is proven.
  public mutating func reset() { self = AttemptSchedule() }
}

extension AttemptSchedule {
  private func decorrelated(_ policy: Backoff, unit: Double) -> Double {
    let base = policy.base.seconds
    let upper = max(base, 3 * (attempts == 0 ? base : last))
    return min(policy.cap.seconds, base + (upper - base) * unit)
  }

  /// The longest wait before this attempt, in seconds.
  private func longest(_ policy: Backoff, unit: Double) -> Double {
    switch policy.growth {
    case .geometric: return min(Self.bound(policy), attempts == 0 ? policy.base.seconds : last * policy.factor)
    case .drawnBase(let maximum):
      let base = policy.base.seconds
      return min(Self.bound(policy), attempts == 0 ? base + (maximum.seconds - base) * unit : last * policy.factor)
    case .table: return policy.table[Int(attempts)].seconds
    }
  }

  /// The upper bound of d in seconds. If d has no cap, a bound beyond any wait keeps it finite.
  private static func bound(_ policy: Backoff) -> Double {
    if case .cappedProportional = policy.jitter { return 1e15 }
    return policy.cap.seconds
  }

  private static func spread(_ longest: Double, _ policy: Backoff, unit: Double) -> Double {
    switch policy.jitter {
    case .none, .decorrelated: longest
    case .lowered(let share): longest * (1 - share * (1 - unit))
    case .equal: longest * (1 + unit) / 2
    case .full: longest * unit
    case .proportional(let share): longest * (1 + share * (2 * unit - 1))
    case .cappedProportional(let share): min(policy.cap.seconds, longest * (1 + share * (2 * unit - 1)))
    case .added(let minimum, let maximum): longest + minimum.seconds + (maximum - minimum).seconds * unit
    case .fullAboveBase: min(policy.cap.seconds, policy.base.seconds + longest * unit)
    }
  }
}

/// The waits between attempts of a suspended connection.
///
/// Each wait is drawn independently: after a storm many clients exhaust their attempts within a minute or two, and with
/// a fixed interval they would return together each time.
public struct SlowCadence: Hashable, Sendable {
  /// The mean wait.
  public var interval: Interval
  /// The largest random deviation from the mean wait, as a share of the interval, 0 to 1; the deviation is uniform.
  public var spread: Double

  /// A cadence.
  public init(every interval: Interval, spread: Double = 0.5) { (self.interval, self.spread) = (interval, spread) }

  /// The shortest and the longest wait.
  public var waits: ClosedRange<Interval> {
    let part = Interval(seconds: max(0, interval.seconds) * max(0, spread))
    return max(.zero, interval - part)...max(.zero, interval + part)
  }

  /// The time of the next attempt; a larger `word`, of 64 random bits, never gives a shorter wait.
  ///
  /// The window of possible times begins at `notBefore` at the earliest and keeps its length. Delaying each time to
  /// `notBefore` would gather all clients at that moment.
  public func next(after now: Instant, notBefore: Instant, word: UInt64) -> Instant {
    let waits = waits
    return max(now + waits.lowerBound, notBefore) + (waits.upperBound - waits.lowerBound).share(of: word)
  }
}

extension Interval {
  /// A uniform part of the interval, from 0 to the whole, from 64 random bits.
  func share(of word: UInt64) -> Interval {
    self > .zero ? Interval(nanoseconds: Int64(UInt64(nanoseconds).multipliedFullWidth(by: word).high)) : .zero
  }
}

extension Backoff {
  /// A policy with its name and a short name for tables.
  public typealias Named = (name: String, shortName: String, policy: Backoff)

  /// The policy with this name or short name; `nil` if there is none.
  public static func named(_ name: String) -> Backoff? {
    catalogue.first { $0.name == name || $0.shortName == name }?.policy
  }

  /// The names of all policies, in the catalogue's order.
  public static var names: [String] { catalogue.map(\.name) }

  /// All named policies: our own first, with a floor of 100 ms, then those of well-known clients with the numbers of
  /// their sources at the named commit, without a floor and, except graphql-ws, without a limit of attempts.
  public static let catalogue = [
    // Always 1 s, without growth or spread.
    entry("none", "none") { ($0.factor, $0.jitter) = (1, .none) },
    // 1 s, 2 s, 4 s … 30 s, without spread.
    entry("exponential", "expo") { $0.jitter = .none },
    // Uniform from half of 1 s, 2 s, 4 s … 30 s to all of it.
    entry("equal-jitter", "equal") { $0.jitter = .equal },
    // Uniform from 0 to 1 s, 2 s, 4 s … 30 s.
    entry("full-jitter", "full") { _ in },
    // Uniform from 1 s to three times the last wait, at most 30 s.
    entry("decorrelated-jitter", "decorr") { $0.jitter = .decorrelated },
    // 1 s, multiplied by 1.6 up to 120 s, and 20% to either side, as in Java; Go spreads all but the first wait.
    // grpc/grpc, doc/connection-backoff.md, 27598d5f; grpc/grpc-java,
    // core/src/main/java/io/grpc/internal/ExponentialBackoffPolicy.java, 08088628.
    library("grpc", "grpc") { ($0.factor, $0.cap, $0.jitter) = (1.6, .seconds(120), .proportional(0.2)) },
    // 10 ms to 2 s in nine steps, then 5 s, without spread.
    // phoenixframework/phoenix, assets/js/phoenix/socket.js (reconnectAfterMs) and timer.js, 167c4695.
    library("phoenix", "phoenix") {
      $0 = Backoff(waits: [10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000].map(Interval.milliseconds))
    },
    // 1 s, 2 s, 4 s …, 50% to either side, at most 5 s. The library takes size and direction of a deviation from one
    // random number, which alternates the direction by tenths of it; here both are uniform.
    // socketio/socket.io, packages/socket.io-client/lib/manager.ts and lib/contrib/backo2.ts, d2d753fe.
    library("socket.io", "socketio") { ($0.cap, $0.jitter) = (.seconds(5), .cappedProportional(0.5)) },
    // 1 to 5 s, drawn once, multiplied by 1.3 up to 10 s. Only the very first connection of a page is tried at once.
    // pladaria/reconnecting-websocket, reconnecting-websocket.ts (DEFAULT, _getNextDelay, _connect), 05a2f7cb.
    library("reconnecting-websocket", "rws") {
      ($0.growth, $0.factor, $0.cap) = (.drawnBase(upTo: .seconds(5)), 1.3, .seconds(10))
      $0.jitter = .none
    },
    // 0.5 s plus a uniform wait up to 0.5 s, 1 s, 2 s …, at most 20 s.
    // centrifugal/centrifuge-js, src/utils.ts (backoff) and src/centrifuge.ts (_getReconnectDelay), c9e86785.
    library("centrifuge", "centrifuge") {
      ($0.base, $0.cap, $0.jitter) = (.milliseconds(500), .seconds(20), .fullAboveBase)
    },
    // 1 s, 2 s, 4 s, 8 s, 16 s, each plus 0.3 to 3 s; five attempts, which do not reach the cap.
    // enisdenjo/graphql-ws, src/client.ts (retryAttempts, retryWait), af4f5c9d.
    library("graphql-ws", "graphqlws") {
      ($0.jitter, $0.maximumAttempts) = (.added(.milliseconds(300), .seconds(3)), 5)
    },
    // At once, then 20 s, 25 s, 30 s, 30 s …, each less up to 20%. After two minutes the library waits 30 s without
    // jitter; here the jitter stays.
    // ably/ably-js, src/common/lib/transport/connectionmanager.ts (notifyState) and src/common/lib/util/utils.ts
    // (getRetryTime), 7fa7dc59.
    library("ably", "ably") {
      $0 = Backoff(waits: [0, 20, 25, 30].map(Interval.seconds))
      $0.jitter = .lowered(0.2)
    },
  ]

  /// A client's policy of another project, without a floor and with attempts for ever, and its changes.
  private static func library(_ name: String, _ shortName: String, _ change: (inout Backoff) -> Void) -> Named {
    entry(name, shortName) {
      ($0.floor, $0.maximumAttempts) = (.zero, nil)
      change(&$0)
    }
  }

  private static func entry(_ name: String, _ shortName: String, _ change: (inout Backoff) -> Void) -> Named {
    var policy = Backoff()
    change(&policy)
    return (name, shortName, policy)
  }
}
