// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import LiveLab
package import NIOCore
internal import NIOPosix

/// A TCP proxy that plays the faults of a schedule to real connections, in real time: the same faults, the same text
/// and the same moments as a session in virtual time.
///
/// It relays any protocol. What a fault does to bytes it does to all; what it does to a WebSocket, or to an HTTP
/// request, it does to those connections alone that begin as one. Faults of the server are played in its place, as a
/// client sees them; those of the phone (`Fault.Kind.Declaration.isOfPhone`) are left to the client.
///
/// One event loop carries all of it, so that every connection sees a fault begin at the same moment. What is random
/// follows from the seed, the connection's number and the way alone.
package final class FaultProxy: Sendable {
  /// The bounds on what connections of strangers may cost.
  package struct Bounds: Sendable {
    /// Beyond them, and up to 15 more that come at once, nothing is accepted until one ends: the others wait in the
    /// kernel.
    package var connections = 16_384
    /// Of one connection and one way; beyond them nothing more is read. What the kernel had read already when its end
    /// came may be on top.
    package var bytesHeld = 256 * 1_024
    let timeToConnect = Interval.seconds(10)
    /// From the first byte of what may be an HTTP request to its end, while a fault has to see it whole.
    var timeToRequest = Interval.seconds(10)
    /// How long the client of a connection that the proxy closed has to close it too.
    var timeToClose = Interval.seconds(10)
    /// How long one end of a connection is kept whose other end is gone without its knowledge.
    package var keepsDead = ServerModel().keepsDead

    package init() {}
  }

  package enum Event: Sendable {
    case began(TimedFault)
    case ended(TimedFault)
    /// A connection, by its number, and where the client is.
    case opened(UInt64, from: String)
    case closed(UInt64, after: Interval)
    /// Nothing is accepted for a while, and why.
    case pausedAccepting(String)
    case resumedAccepting
    /// The upstream cannot be connected to; not repeated until it could be.
    case upstreamFailed(String)
  }

  /// How often a fault of the schedule took effect: on so many attempts, connections, or pieces of data.
  package struct Count: Sendable, Hashable {
    package let fault: TimedFault
    package internal(set) var times: UInt64 = 0
    package internal(set) var holds = false
    /// How many attempts are left of a fault that is over with so many.
    var left: UInt32

    init(_ fault: TimedFault) { (self.fault, left) = (fault, fault.count ?? .max) }
  }

  /// So many faults may be added while it runs.
  static let mostAdded = 10_000

  private let loop: any EventLoop
  private let core: NIOLoopBoundBox<ProxyCore>

  /// A proxy that does not listen yet. `network` is the way that is there without any fault, nil for the machine's own
  /// alone. All times are by a clock that goes `pace` times as fast as the machine's. With `isLooped` the schedule
  /// begins again when it is over. Only where it `isOpen` may faults be added while it runs, which then looks into
  /// every stream. With `isManual` the clock stands still but for `advance(by:)`. `report` is called on the event loop.
  package init(
    group: any EventLoopGroup, listen: SocketAddress, upstream: SocketAddress, schedule: FaultSchedule,
    seed: UInt64 = 1, network: NetworkModel? = nil, bounds: Bounds = Bounds(), pace: Int64 = 1, isLooped: Bool = false,
    isOpen: Bool = false, isManual: Bool = false, report: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    loop = group.next()
    let plan = ProxyPlan(
      listen: listen, upstream: upstream, schedule: schedule, seed: seed, network: network, bounds: bounds,
      pace: pace, isLooped: isLooped, isOpen: isOpen, isManual: isManual, report: report)
    core = .makeBoxSendingValue(ProxyCore(plan, on: loop), eventLoop: loop)
  }

  /// Refuses a schedule with faults of the phone, which no proxy can play.
  package static func check(_ schedule: FaultSchedule) throws(LiveLabError) {
    for timed in schedule.faults { try check(timed) }
  }

  static func check(_ timed: TimedFault) throws(LiveLabError) {
    if timed.fault.kind.declaration.isOfPhone {
      throw .badValue(
        field: "schedule", found: timed.fault.kind.name,
        expected: "a fault of the network or the server: that of the phone happens where the client is, not between")
    }
  }

  /// Binds the port and relays, without faults until `begin(at:)`.
  ///
  /// - Returns: The address it listens on.
  /// - Throws: What binding throws, an `IOError` where the port is in use.
  package func start() async throws -> SocketAddress {
    try await loop.flatSubmit { [core] in core.value.start() }.get()
  }

  /// Starts the clock of the schedule, now or at a moment.
  package func begin(at moment: NIODeadline? = nil) async throws {
    try await ask { $0.begin(at: moment) }
  }

  /// Closes every socket, and returns when they are closed.
  package func stop() async throws {
    try await loop.flatSubmit { [core] in core.value.stop() }.get()
  }

  /// Begins a fault now, in place of those of its kind that hold; `nil` where too many were added.
  package func add(_ timed: TimedFault) async throws -> Count? { try await ask { $0.add(timed) } }

  /// Ends what holds of a kind, or of all.
  package func end(_ kind: Fault.Kind?) async throws -> [TimedFault] { try await ask { $0.end(kind) } }

  /// In the order of the schedule, without the faults of the phone, and those that were added behind.
  package var counts: [Count] { get async throws { try await ask { $0.counts } } }

  /// How many connections there are, of any kind.
  package var connections: Int { get async throws { try await ask { $0.relays.count } } }

  /// How many bytes are held back, of all connections and both ways.
  package var bytesHeld: Int { get async throws { try await ask { $0.bytesHeld } } }

  /// Lets a manual clock run.
  package func advance(by interval: Interval) async throws {
    try await ask { $0.timers.advance(by: interval.nanoseconds) }
  }

  private func ask<Value: Sendable>(_ question: @escaping @Sendable (ProxyCore) -> Value) async throws -> Value {
    try await loop.submit { [core] in question(core.value) }.get()
  }
}

extension TimedFault {
  /// What a fault of the phone means for the way between, which a proxy can play; the fault itself where it means
  /// nothing for it.
  package var onTheWay: TimedFault {
    var played = self
    switch fault.kind {
    case .offline: played.fault = Fault(.blackHole)
    case .networkChange: played.fault = Fault(.halfOpen)
    default: break
    }
    return played
  }
}

struct ProxyPlan: Sendable {
  let listen: SocketAddress
  let upstream: SocketAddress
  let schedule: FaultSchedule
  let seed: UInt64
  let network: NetworkModel?
  let bounds: FaultProxy.Bounds
  let pace: Int64
  let isLooped: Bool
  let isOpen: Bool
  let isManual: Bool
  let report: @Sendable (FaultProxy.Event) -> Void
}
