// SPDX-License-Identifier: Apache-2.0

/// How long to wait before each attempt to reconnect, and how many attempts there are.
///
/// The longest wait d before an attempt comes of `growth`, `base`, `factor` and `cap`; `jitter` spreads the wait below
/// or around it; `floor` bounds every wait from below.
public struct Backoff: Hashable, Sendable {
  /// The longest first wait.
  public var base = Interval.seconds(1)
  /// By how much the longest wait grows with each attempt.
  public var factor = 2.0
  /// Where it stops growing.
  public var cap = Interval.seconds(30)
  /// The shortest wait; no attempt comes sooner after another.
  public var floor = Interval.milliseconds(100)
  /// How many attempts there are before the connection is suspended.
  public var maximumAttempts = 10
  /// How the longest wait grows.
  public var growth = Growth.geometric
  /// How waits are spread, so that clients which lost one server do not return at one moment.
  public var jitter = Jitter.full

  /// How the longest wait d grows from attempt to attempt.
  public enum Growth: Hashable, Sendable {
    /// The base, then `factor` times as long each time, up to the cap.
    case geometric
    /// No wait before the first attempt; then a base that is drawn once, evenly from `base` up to this, and grows by
    /// `factor` up to the cap. The way of reconnecting-websocket 4, `_getNextDelay`.
    case drawnBase(upTo: Interval)
    /// 10, 50, 100, 150, 200, 250, 500 ms, 1 s, 2 s, then always 5 s, whatever base, factor and cap say.
    /// The table of Phoenix's JavaScript client, `reconnectAfterMs`.
    case phoenix
  }

  /// How waits are spread, of a longest wait d
  /// (Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015).
  public enum Jitter: Hashable, Sendable {
    /// Always d.
    case none
    /// Evenly from half of d to d.
    case equal
    /// Evenly from nothing to d.
    case full
    /// Evenly from the base to three times the last wait, and at most the cap.
    case decorrelated
    /// Evenly within that share of d on either side, also beyond the cap; gRPC has 0.2.
    case proportional(Double)
    /// The same, but it is the wait that is capped and not d; Socket.IO has 0.5.
    case cappedProportional(Double)
    /// d and evenly from the first to the second more, also beyond the cap; graphql-ws adds 0.3 to 3 s.
    case added(Interval, Interval)
    /// The base and evenly from nothing to d more, at most the cap: the way of Centrifuge.
    case fullAboveBase
  }

  /// Full jitter from 1 s to 30 s, ten attempts.
  public init() {}
}

extension Backoff {
  /// The shortest and the longest wait before an attempt, after so many attempts since the connection proved itself.
  public func waits(before attempt: Int) -> ClosedRange<Interval> {
    var (low, high) = (AttemptSchedule(), AttemptSchedule())
    var range = Interval.zero...Interval.zero
    var policy = self
    policy.maximumAttempts = .max
    for _ in 0...max(0, min(attempt, 10_000)) {
      let least = low.next(policy, word: 0) ?? .zero
      range = least...max(least, high.next(policy, word: .max) ?? .zero)
    }
    return range
  }
}

/// The attempts made since a connection last proved itself, and when the next may come. Sixteen bytes.
public struct AttemptSchedule: Hashable, Codable, Sendable {
  /// How many waits have been given out since the last reset.
  public private(set) var attempts: Int32 = 0
  /// Of the last attempt, in seconds: the wait where jitter is decorrelated, the longest wait otherwise.
  private var last = 0.0

  /// No attempts yet.
  public init() {}

  /// The wait before the next attempt, made of 64 random bits: a greater word never gives a shorter wait. Nil when the
  /// attempts are exhausted.
  public mutating func next(_ policy: Backoff, word: UInt64) -> Interval? {
    guard Int(attempts) < policy.maximumAttempts, attempts < .max else { return nil }
    let unit = Double(word >> 11) * 0x1p-53
    let wait: Double
    if case .decorrelated = policy.jitter {
      wait = decorrelated(policy, unit: unit)
      last = max(wait, policy.floor.seconds)
    } else {
      last = longest(policy, unit: unit)
      wait = Self.spread(last, policy, unit: unit)
    }
    attempts += 1
    return max(.zero, policy.floor, Interval(seconds: wait))
  }

  /// Forgets the attempts: the connection has proved itself.
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
    case .drawnBase(let most):
      if attempts == 0 { return 0 }
      let base = policy.base.seconds
      return min(Self.bound(policy), attempts == 1 ? base + (most.seconds - base) * unit : last * policy.factor)
    case .phoenix: return Self.phoenixSteps(attempts)
    }
  }

  /// Where d stops growing. Without a cap for d it stops all the same, far beyond any wait, so that it stays finite.
  private static func bound(_ policy: Backoff) -> Double {
    if case .cappedProportional = policy.jitter { return 1e15 }
    return policy.cap.seconds
  }

  private static func phoenixSteps(_ attempts: Int32) -> Double {
    switch attempts {
    case 0: 0.01
    case 1...5: 0.05 * Double(attempts)
    case 6: 0.5
    case 7: 1
    case 8: 2
    default: 5
    }
  }

  private static func spread(_ longest: Double, _ policy: Backoff, unit: Double) -> Double {
    switch policy.jitter {
    case .none, .decorrelated: longest
    case .equal: longest * (1 + unit) / 2
    case .full: longest * unit
    case .proportional(let share): longest * (1 + share * (2 * unit - 1))
    case .cappedProportional(let share): min(policy.cap.seconds, longest * (1 + share * (2 * unit - 1)))
    case .added(let least, let most): longest + least.seconds + (most - least).seconds * unit
    case .fullAboveBase: min(policy.cap.seconds, policy.base.seconds + longest * unit)
    }
  }
}

/// How often a connection whose attempts are exhausted tries all the same.
///
/// The waits are spread, each drawn again: after a storm many clients exhaust their attempts within a minute or two,
/// and at a fixed cadence they would come in the same crowd again and again.
public struct SlowCadence: Hashable, Sendable {
  /// The mean wait.
  public var interval: Interval
  /// How much chance adds to a wait or takes from it, evenly, at the most: a share of the interval, 0 to 1.
  public var spread: Double

  /// A cadence.
  public init(every interval: Interval, spread: Double = 0.5) { (self.interval, self.spread) = (interval, spread) }

  /// The shortest wait and the longest.
  public var waits: ClosedRange<Interval> {
    let part = Interval(seconds: max(0, interval.seconds) * max(0, spread))
    return max(.zero, interval - part)...max(.zero, interval + part)
  }

  /// When the next attempt comes; a greater `word`, of 64 random bits, never gives a shorter wait.
  ///
  /// The time in which it may come begins no sooner than the server wishes, and is as long as ever: if only the moment
  /// were put off, all would come when the server's wish ends.
  public func next(after now: Instant, notBefore: Instant, word: UInt64) -> Instant {
    let waits = waits
    return max(now + waits.lowerBound, notBefore) + (waits.upperBound - waits.lowerBound).share(of: word)
  }
}

extension Interval {
  /// A part of it: from nothing to the whole, evenly, by 64 random bits.
  func share(of word: UInt64) -> Interval {
    self > .zero ? Interval(nanoseconds: Int64(UInt64(nanoseconds).multipliedFullWidth(by: word).high)) : .zero
  }
}

extension Backoff {
  /// A policy with its name, and the short one for tables.
  public typealias Named = (name: String, shortName: String, policy: Backoff)

  /// The policy of that name or short name; nil when none has it.
  public static func named(_ name: String) -> Backoff? {
    catalogue.first { $0.name == name || $0.shortName == name }?.policy
  }

  /// The names of all policies, in the catalogue's order.
  public static var names: [String] { catalogue.map(\.name) }

  /// Every policy that has a name: our own first, with a floor of 100 ms; then those of well-known clients, as they are
  /// there, without a floor, for comparison.
  public static let catalogue = [
    // Always 1 s: it neither grows nor spreads.
    entry("none", "none") { ($0.factor, $0.jitter) = (1, .none) },
    // 1 s, 2 s, 4 s … 30 s, without any spread.
    entry("exponential", "expo") { $0.jitter = .none },
    // Evenly between half of 1 s, 2 s, 4 s … 30 s and all of it.
    entry("equal-jitter", "equal") { $0.jitter = .equal },
    // Evenly between nothing and 1 s, 2 s, 4 s … 30 s.
    entry("full-jitter", "full") { _ in },
    // Evenly between 1 s and three times the last wait, at most 30 s.
    entry("decorrelated-jitter", "decorr") { $0.jitter = .decorrelated },
    // 1 s, 1.6 times as long each time up to 120 s, and 20% to either side.
    entry("grpc", "grpc") { ($0.factor, $0.cap, $0.jitter) = (1.6, .seconds(120), .proportional(0.2)) },
    // 10 ms to 2 s in nine steps, then 5 s, without any spread.
    entry("phoenix", "phoenix") {
      ($0.growth, $0.jitter, $0.floor) = (.phoenix, .none, .zero)
      ($0.base, $0.cap) = (.milliseconds(10), .seconds(5))
    },
    // 1 s, 2 s, 4 s …, 50% to either side, at most 5 s.
    entry("socket.io", "socketio") { ($0.cap, $0.jitter, $0.floor) = (.seconds(5), .cappedProportional(0.5), .zero) },
    // None, then 1 to 5 s, growing by 1.3 up to 10 s.
    entry("reconnecting-websocket", "rws") {
      ($0.growth, $0.factor, $0.cap) = (.drawnBase(upTo: .seconds(5)), 1.3, .seconds(10))
      ($0.jitter, $0.floor) = (.none, .zero)
    },
    // 0.5 s and evenly up to 0.5 s, 1 s, 2 s … more, at most 20 s.
    entry("centrifuge", "centrifuge") {
      ($0.base, $0.cap, $0.jitter, $0.floor) = (.milliseconds(500), .seconds(20), .fullAboveBase, .zero)
    },
    // 1 s, 2 s, 4 s, 8 s, 16 s, each and 0.3 to 3 s more; five attempts.
    entry("graphql-ws", "graphqlws") {
      ($0.jitter, $0.maximumAttempts, $0.floor) = (.added(.milliseconds(300), .seconds(3)), 5, .zero)
    },
    // Always 15 s.
    entry("ably", "ably15") {
      ($0.base, $0.factor, $0.cap) = (.seconds(15), 1, .seconds(15))
      ($0.jitter, $0.floor) = (.none, .zero)
    },
  ]

  private static func entry(_ name: String, _ shortName: String, _ change: (inout Backoff) -> Void) -> Named {
    var policy = Backoff()
    change(&policy)
    return (name, shortName, policy)
  }
}
