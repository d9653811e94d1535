// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// What goes wrong with a network, a server or a phone. A plain value: a fault and its parameters.
///
/// A fault is either a moment (`Kind.isMoment`), or holds for as long as its `TimedFault` says. Of two that hold of one
/// kind, the later replaces the earlier (`FaultSchedule`).
package enum Fault: Hashable, Sendable {
  // The connection that is open, at one moment.

  /// The open connection dies and nobody is told, as when a NAT forgets it: what either side sends is lost, no FIN and
  /// no reset comes. New connections work.
  case halfOpen
  /// The open connection is reset, at both ends.
  case reset
  /// The server ends the open connection by a close frame of that code. From then it neither reads nor sends; the
  /// client gets to know of it `delay` later.
  case close(CloseCode, delay: Interval)
  /// The server sends a frame that breaks the protocol, and is to be answered by that code.
  case garbage(CloseCode)
  /// The server sends a frame of so many bytes, which take the time that the bandwidth allows.
  case enormousFrame(bytes: UInt32)

  // The way, while it lasts.

  /// Every packet is lost in both directions and nobody is told.
  case blackHole
  /// Every packet is lost in one direction and nobody is told.
  case partition(Direction)
  /// Every packet takes longer by `added`, and by up to `jitter` more, each way.
  case latency(added: Interval, jitter: Interval)
  /// The way carries no more than so many bytes a second, each way.
  case bandwidth(bytesPerSecond: UInt32)
  /// That portion of the packets is lost, each on its own.
  case loss(Portion)
  /// Packets are lost in bursts: the way is good or bad, and after each packet changes with `enter` from good to bad
  /// and with `leave` back (Gilbert, 1960; Elliott, 1963). `good` and `bad` are the portions lost in each.
  case burstLoss(enter: Portion, leave: Portion, good: Portion, bad: Portion)
  /// A proxy cuts a connection over which nothing has gone for `after`: by a reset at both ends, or without a word.
  case idleCut(after: Interval, isSilent: Bool)

  // An attempt to connect, while it lasts. What is open is not touched.

  /// The server's name is not found; the attempt fails `after` so long.
  case nameNotFound(after: Interval)
  /// A captive portal answers in the server's place.
  case captivePortal
  /// The secure handshake fails.
  case insecure
  /// Nobody listens.
  case refused
  /// The handshake is answered by an HTTP status that is not 101, and by `Retry-After` where there is one.
  case refusal(status: UInt16, retryAfter: Interval?)
  /// The handshake is answered by 307. `secure` and `plain` lead to an address that answers so too, while it lasts.
  case redirect(Redirect)

  // The server, while it lasts.

  /// The server is down for as long as the fault lasts, then there again, and remembers what it kept outside its
  /// memory.
  ///
  /// With `keepsHistory` it has the stream's history; else it has none, and so begins a new epoch. With `keepsNumbers`
  /// it knows which of the app's messages it took; else it takes one again that comes again. A server that holds both
  /// in its memory loses both.
  case restart(Departure, keepsHistory: Bool, keepsNumbers: Bool = true)
  /// That portion of the attempts is answered by 503, with `Retry-After` where there is one.
  case shedding(Portion, retryAfter: Interval?)
  /// Connections are accepted, and closed by that code `after` so long. Where `resumes` is set the server first answers
  /// the wish to resume the stream; else it reads nothing.
  case acceptThenClose(CloseCode, after: Interval, resumes: Bool = false)
  /// Pings are answered so late.
  case latePongs(delay: Interval)
  /// Pings are not answered at all.
  case noPongs

  // The phone, while it lasts; a change of network is a moment.

  /// The phone sleeps: no timer rings and no packet is read until it wakes.
  case sleep
  /// The phone is on another network: what is open is dead, and the phone says that it changed.
  case networkChange
  /// The phone has no network, and knows.
  case offline
  /// The app is not in front.
  case background
  /// The phone's clock is fast by so many millionths; negative is slow.
  case clockSkew(millionths: Int32)
  /// The credentials held when it begins are answered by 401. Fresh ones can be had and work, or cannot be had.
  case expiredCredentials(isRefreshable: Bool)

  /// A direction between phone and server.
  package enum Direction: UInt8, Hashable, Sendable, CaseIterable {
    /// From the phone to the server.
    case up
    /// From the server to the phone.
    case down
  }

  /// How a server goes.
  package enum Departure: UInt8, Hashable, Sendable, CaseIterable {
    /// It closes every connection by 1012, then refuses attempts until it is back.
    case graceful
    /// Its process is killed: every connection is reset, attempts are refused.
    case killed
    /// Its machine is gone: nobody is told, attempts are not answered.
    case vanished
  }
}

extension Fault {
  /// Whether an open connection can be lost by it, or be of no use while it holds.
  package var breaks: Bool {
    switch self {
    case .halfOpen, .reset, .close, .garbage, .enormousFrame, .blackHole, .partition, .idleCut, .restart, .latePongs,
      .noPongs, .sleep, .networkChange, .offline:
      true
    default: false
    }
  }

  /// Whether no attempt to connect can succeed while it holds.
  package var blocks: Bool {
    switch self {
    case .blackHole, .partition, .nameNotFound, .captivePortal, .insecure, .refused, .refusal, .redirect, .restart,
      .acceptThenClose, .sleep, .offline:
      true
    case .shedding(let portion, _): portion == .all
    case .loss(let portion): portion == .all
    case .burstLoss(_, _, let good, let bad): good == .all && bad == .all
    case .expiredCredentials(let isRefreshable): !isRefreshable
    default: false
    }
  }
}
