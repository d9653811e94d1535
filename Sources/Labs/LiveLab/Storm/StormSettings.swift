// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
internal import Randomness
internal import Reporting

/// What a server that sheds load lets a client see.
package enum Shedding: Hashable, Sendable {
  /// The connection is refused: the client knows no more than while the server was down.
  case refused
  /// 503 Service Unavailable, with `Retry-After` where there is one; `RefusalRules` say what follows.
  case unavailable(retryAfter: Interval?)
}

/// One server, its clients, and an outage: all that a storm depends on next to the policy.
///
/// All clients are connected; the server goes down, and each notices within a moment. Each waits as its policy says and
/// tries; while the server is down an attempt fails after another moment. When the server is back it accepts as fast as
/// its capacity allows, a token bucket, and sheds the rest.
package struct StormSettings: Hashable, Sendable {
  package var clients = 100_000
  package var outage = Interval.seconds(30)
  /// How many handshakes the server accepts in a second; 0 for as many as come.
  package var capacity = 0
  /// How much of its capacity the server can save up: the depth of the token bucket, full when the server is back.
  package var burst = Interval.milliseconds(100)
  package var shedding = Shedding.refused
  /// What follows for a client that is shed.
  var refusalRules = RefusalRules()
  /// Within which time all clients notice that the connection is gone, spread evenly.
  package var detectionWindow = Interval.milliseconds(200)
  /// After which time an attempt has failed, while the server is down or sheds.
  var attemptTimeout = Interval.milliseconds(50)
  /// How often a client whose attempts are exhausted tries all the same; nil for never.
  var suspendedCadence = ConnectionSettings().suspendedCadence
  /// How long after the server's return the storm is followed.
  var horizon = Interval.seconds(3_600)
  /// The root of all random streams.
  package var seed: UInt64 = 1
  /// The name of a GSL generator.
  package var generator = GSLGenerator.defaultName

  package init() {}

  /// - Throws: `LiveLabError.badValue` naming the field, what was found and what was expected.
  func check() throws(LiveLabError) {
    func require(_ field: String, _ isRight: Bool, _ found: @autoclosure () -> String, _ expected: String)
      throws(LiveLabError)
    {
      guard isRight else { throw .badValue(field: field, found: found(), expected: expected) }
    }
    func seconds(_ value: Interval) -> String { "\(value.seconds) s" }
    let (day, year) = (Interval.seconds(86_400), Interval.seconds(86_400 * 366))
    try require("clients", (1...10_000_000).contains(clients), "\(clients)", "1 to 10,000,000")
    try require("outage", outage > .zero && outage <= day, seconds(outage), "more than 0 s, at most a day")
    try require("capacity", (0...10_000_000).contains(capacity), "\(capacity)", "0 (as many as come) to 10,000,000/s")
    try require(
      "noticed", detectionWindow >= .zero && detectionWindow <= outage, seconds(detectionWindow),
      "0 s to the outage's length")
    try require(
      "failing", attemptTimeout >= Self.leastTimeout && attemptTimeout <= day, seconds(attemptTimeout),
      "1 ms to a day")
    if capacity > 0 {
      try require("burst", burst > .zero && burst <= day, seconds(burst), "more than 0 s, at most a day")
      try require(
        "burst", depth >= Self.token, "\(burst.seconds) s at \(capacity)/s, which is less than one handshake",
        "time enough for one handshake")
    }
    if case .unavailable(let wish?) = shedding {
      try require("retry-after", wish >= .zero && wish <= day, seconds(wish), "0 s to a day")
    }
    if let cadence = suspendedCadence {
      let (interval, spread) = (cadence.interval, cadence.spread)
      try require("cadence", interval >= .seconds(1) && interval <= year, seconds(interval), "at least 1 s, or none")
      try require("cadence-spread", spread >= 0 && spread <= 1, "\(spread)", "a share, 0 to 1")
    }
    try require("watched", horizon > .zero && horizon <= day, seconds(horizon), "more than 0 s, at most a day")
  }

  /// No attempt fails sooner, so that none follows itself within one moment.
  static let leastTimeout = Interval.milliseconds(1)
  /// A handshake's worth of capacity: a rate of one a second gains so much in a second, one a nanosecond.
  static let token: Int64 = 1_000_000_000

  /// How much the bucket holds.
  var depth: Int64 { Int64(capacity) * burst.nanoseconds }
}

extension StormSettings {
  /// A capacity as people type it: `5000/s`, `5k`, `unlimited`; 0 and `unlimited` are for as many as come.
  static func capacity(from text: String) -> Int? {
    if text == "unlimited" { return 0 }
    guard let rate = WholeNumber.parse(text.hasSuffix("/s") ? text.dropLast(2) : text[...]), rate >= 0 else {
      return nil
    }
    return rate
  }

  /// A length of time as people type it, to the microsecond: `30s`, `250ms`, `1.5h`.
  static func interval(from text: String) -> Interval? {
    TimeSpan.parse(text).map { duration in
      let (seconds, attoseconds) = duration.components
      return .seconds(seconds) + Interval(nanoseconds: (attoseconds + 500_000_000_000) / 1_000_000_000_000 * 1_000)
    }
  }

  /// An interval as `interval(from:)` reads it.
  static func text(_ interval: Interval) -> String { NumberFormat.shortest(interval.seconds) + "s" }

  /// The capacity as `capacity(from:)` reads it.
  var capacityText: String { capacity == 0 ? "unlimited" : "\(capacity)/s" }
}
