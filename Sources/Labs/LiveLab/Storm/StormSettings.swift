// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Randomness

/// One server, its clients, and an outage: all that a storm depends on next to the policy.
///
/// All clients are connected; the server goes down, and each notices within a moment. Each waits as its policy says and
/// tries; while the server is down an attempt fails after another moment. When the server is back it accepts as fast as
/// its capacity allows, a token bucket, and sheds the rest.
struct StormSettings: Hashable, Sendable {
  /// What a client sees that is shed.
  enum Shed: String, CaseIterable {
    /// The connection is refused: the client knows no more than while the server was down.
    case refused
    /// 503 Service Unavailable; `RefusalRules` say what follows.
    case unavailable
  }

  var clients = 100_000
  var outage = Interval.seconds(30)
  /// How many handshakes the server accepts in a second; 0 for as many as come.
  var capacity = 0
  /// How much of its capacity the server can save up: the depth of the token bucket, full when the server is back.
  var burst = Interval.milliseconds(100)
  var shed = Shed.refused
  /// The header next to 503.
  var retryAfter: Interval?
  /// Within which time all clients notice that the connection is gone, spread evenly.
  var detectionWindow = Interval.milliseconds(200)
  /// After which time an attempt has failed, while the server is down or sheds; 1 ms or more, so that none follows
  /// itself within one moment.
  var attemptTimeout = Interval.milliseconds(50)
  /// How often a client whose attempts are exhausted tries all the same; nil for never.
  var cadence: Interval? = .seconds(300)
  /// By what part of itself the cadence is spread to either side.
  var cadenceSpread = 0.5
  /// How long after the server's return the storm is followed.
  var horizon = Interval.seconds(3_600)
  /// The root of all random streams.
  var seed: UInt64 = 1
  /// The name of a GSL generator.
  var generator = GSLGenerator.defaultName

  /// A handshake's worth of capacity: a rate of one a second gains so much in a second, one a nanosecond.
  static let token: Int64 = 1_000_000_000

  /// How much the bucket holds.
  var depth: Int64 { Int64(capacity) * burst.nanoseconds }

  var suspendedCadence: SlowCadence? { cadence.map { SlowCadence(every: $0, spread: cadenceSpread) } }

  /// What the server's answer to a shed client adds to its wait, by the rules that ship.
  var wait: Interval {
    guard shed == .unavailable else { return .zero }
    let refusal = Refusal(status: 503, retryAfter: retryAfter)
    guard case .retryAfter(let wait) = RefusalRules().verdict(on: refusal, isSecure: true, redirects: 0) else {
      return .zero
    }
    return wait
  }
}
