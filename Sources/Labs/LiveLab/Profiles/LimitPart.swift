// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// What may have to pass before a client with the recommended settings is back: a part of a profile's limit.
///
/// A limit is the sum of what comes one after the other in the longest course that an outage of the profile can be
/// planned for. It follows from the recommended settings and the profile's own ranges, and not from how any client has
/// fared; every client, whatever its settings and policy, is held to the same.
package enum LimitPart: Hashable, Sendable {
  /// A connection that died without a word is found: a ping is due, and is not answered.
  case silentDeath
  /// The ping that is sent on waking is not answered.
  case pong
  /// An attempt that began too soon hangs until it is given up.
  case hangingAttempt
  /// The longest wait before an attempt, the first of which is 1.
  case wait(before: Int)
  /// The longest that a server which closes by 1012 or 1013 is left alone.
  case stayingAway
  /// The connection is opened and the stream resumed, each way taking so much longer than usual.
  case opening(slower: Interval)
  /// A time of the profile's own, and what it is for, such as `in which attempts are turned away`.
  case own(Interval, String)

  /// How long it may take.
  package var time: Interval {
    let settings = ConnectionSettings()
    switch self {
    case .silentDeath: return (settings.heartbeat.interval ?? .zero) + settings.heartbeat.pongTimeout
    case .pong: return settings.heartbeat.pongTimeout
    case .hangingAttempt: return settings.connectTimeout
    case .wait(let attempt):
      var longest = settings.backoff.base.seconds
      for _ in 1..<max(1, min(attempt, settings.backoff.maximumAttempts)) { longest *= settings.backoff.factor }
      return min(Interval(seconds: longest), settings.backoff.cap)
    case .stayingAway: return settings.closeRules.later + settings.closeRules.laterSpread
    case .opening(let slower): return Self.timeToOpen(over: NetworkModel(), slower: slower)
    case .own(let time, _): return time
    }
  }

  /// What it is for, in words that follow the time.
  package var words: String {
    switch self {
    case .silentDeath: "until a connection that died without a word is found"
    case .pong: "until the ping sent on waking is given up"
    case .hangingAttempt: "for an attempt that hangs"
    case .wait(let attempt): "of waiting before attempt \(attempt) at the most"
    case .stayingAway: "of staying away at the most, as 1012 asks"
    case .opening: "to open the connection and resume the stream"
    case .own(_, let words): words
    }
  }

  /// All of them one after the other.
  static func sum(of parts: [LimitPart]) -> Interval { parts.reduce(.zero) { $0 + $1.time } }

  /// The round trips before the handshake, that of the handshake and that of the stream, on average, and one first
  /// packet that is sent again, to the next whole second.
  private static func timeToOpen(over network: NetworkModel, slower: Interval) -> Interval {
    let ways = Double(2 * network.roundTripsToOpen + 4)
    let seconds = ways * (network.latency + network.jitter + slower).seconds + network.firstRetransmission.seconds
    return .seconds(Int64(seconds.rounded(.up)))
  }

  /// The wait that follows the last attempt that can hang in a time without a signal of which the phone knows nothing.
  ///
  /// The loss is found when a ping goes unanswered, at the soonest after the pong timeout; from then on an attempt
  /// takes the connect timeout, and next to no wait where waits were drawn short. One more begins just before the end.
  ///
  /// - Parameter length: How long there is no signal, in nanoseconds.
  /// - Returns: The wait before the attempt that follows.
  static func waitAfterHanging(in length: Int64) -> LimitPart {
    let settings = ConnectionSettings()
    let rest = max(0, length - settings.heartbeat.pongTimeout.nanoseconds)
    let attempt = 2 + rest / settings.connectTimeout.nanoseconds
    return .wait(before: Int(min(Int64(settings.backoff.maximumAttempts), attempt)))
  }
}

extension OutageProfile {
  /// Why its limit is what it is, in one sentence.
  package var reason: String {
    guard !parts.isEmpty, limit == LimitPart.sum(of: parts) else { return "\(limit.inSeconds), as it was asked for." }
    let summands = parts.map { "\($0.time.inSeconds) \($0.words)" }
    guard summands.count > 1, let last = summands.last else { return "\(summands.joined())." }
    return "\(summands.dropLast().joined(separator: ", ")), and \(last)."
  }
}
