// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import LiveLab
internal import LiveSockets
package import NIOCore
internal import NIOPosix

/// A TCP proxy that applies the faults of a schedule to real connections in real time: the same faults, text and times
/// as in a session in virtual time.
///
/// It relays any protocol. Faults of bytes affect every connection; faults of WebSockets or HTTP requests only
/// connections that begin as one. The proxy plays faults of the server in its place, as a client sees them; faults of
/// the phone (`Fault.Kind.Declaration.isOfPhone`) are left to the client.
///
/// One event loop handles all connections, so that a fault begins at the same time for all. Random draws follow from
/// the seed, the connection's number and the way alone.
package final class FaultProxy: Sendable {
  /// Limits on the resources that clients can use.
  package struct Bounds: Sendable {
    /// The most connections, except up to 15 that arrive together; at the limit nothing is accepted until one ends, and
    /// the others wait in the kernel.
    package var connections = 16_384
    /// The bytes held per connection and way; at the limit nothing more is read. Data that the kernel had read when the
    /// connection ended may exceed it.
    package var bytesHeld = 256 * 1_024
    let timeToConnect = Interval.seconds(10)
    /// The time from the first byte of a possible HTTP request to its end, while a fault needs the whole request.
    var timeToRequest = Interval.seconds(10)
    /// The time that a client has to close a connection after the proxy closed it.
    var timeToClose = Interval.seconds(10)
    /// The time that one end of a connection is kept after the other is gone without notice.
    package var keepsDead = ServerModel().keepsDead

    package init() {}
  }

  package enum Event: Sendable {
    case began(TimedFault)
    case ended(TimedFault)
    /// A connection was opened, by its number and the client's address.
    case opened(UInt64, from: String)
    case closed(UInt64, after: Interval)
    /// Accepting is paused, with the reason.
    case pausedAccepting(String)
    case resumedAccepting
    /// The upstream at this address cannot be reached, with the reason; reported once until it can be.
    case upstreamFailed(String, String)
  }

  /// The number of attempts, connections or pieces of data that a fault of the schedule affected.
  package struct Count: Sendable, Hashable {
    package let fault: TimedFault
    package internal(set) var times: UInt64 = 0
    package internal(set) var holds = false
    /// The attempts left until a fault with a limited number ends.
    var left: UInt32
    /// True if it holds beside others of its kind until it is removed.
    let isToxic: Bool

    init(_ fault: TimedFault, isToxic: Bool = false) {
      (self.fault, left, self.isToxic) = (fault, fault.count ?? .max, isToxic)
    }
  }

  /// The address that connections are relayed to. A name is resolved for each connection, as its address may change.
  package enum Upstream: Sendable {
    case address(SocketAddress)
    case name(String, port: Int)

    var text: String {
      switch self {
      case .address(let address): address.text
      case .name(let host, let port): "\(host):\(port)"
      }
    }

    func connect(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
      switch self {
      case .address(let address): bootstrap.connect(to: address)
      case .name(let host, let port): bootstrap.connect(host: host, port: port)
      }
    }
  }

  /// The most faults that may be added during a run.
  static let maxAdded = 10_000

  private let loop: any EventLoop
  private let core: NIOLoopBoundBox<ProxyCore>

  /// Creates a proxy that does not listen yet. `network` is the network without faults, nil for the machine's own. All
  /// times are by a clock that runs `pace` times as fast as the machine's. With `isLooped` the schedule repeats. Faults
  /// of the `addable` kinds may be added during a run; some require inspecting every stream. With `isManual` the clock
  /// moves only by `advance(by:)`. `report` is called on the event loop.
  package init(
    group: any EventLoopGroup, listen: SocketAddress, upstream: Upstream, schedule: FaultSchedule,
    seed: UInt64 = 1, network: NetworkModel? = nil, bounds: Bounds = Bounds(), pace: Int64 = 1, isLooped: Bool = false,
    addable: Set<Fault.Kind> = [], isManual: Bool = false, report: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    loop = group.next()
    let plan = ProxyPlan(
      listen: listen, upstream: upstream, schedule: schedule, seed: seed, network: network, bounds: bounds,
      pace: pace, isLooped: isLooped, addable: addable, isManual: isManual, report: report)
    core = .makeBoxSendingValue(ProxyCore(plan, on: loop), eventLoop: loop)
  }

  /// Throws if a schedule has faults of the phone, which a proxy cannot play.
  package static func check(_ schedule: FaultSchedule) throws(LiveLabError) {
    for timed in schedule.faults { try check(timed) }
  }

  static func check(_ timed: TimedFault) throws(LiveLabError) {
    if timed.fault.kind.declaration.isOfPhone {
      throw .badValue(
        field: "schedule", found: timed.fault.kind.name,
        expected: "a fault of the network or the server: faults of the phone are the client's own")
    }
  }

  /// Binds the port and relays, without faults until `begin(at:)`.
  ///
  /// - Parameters:
  ///   - announce: Called with the address; then the clock of the schedule starts before anything is accepted, so that
  ///     a fault at 0 s affects the first connection.
  ///   - moment: The time at which that clock was or is 0; nil for now.
  /// - Returns: The address that it listens on.
  /// - Throws: The error of binding the port, an `IOError` if it is in use, and that of `announce`.
  @discardableResult
  package func start(
    announcing announce: (@Sendable (SocketAddress) throws -> Void)? = nil, at moment: NIODeadline? = nil
  ) async throws -> SocketAddress {
    try await loop.flatSubmit { [core] in core.value.start(announcing: announce, at: moment) }.get()
  }

  /// Moves to other addresses, which drops all connections; with none to listen on the port is free. Its faults
  /// continue.
  ///
  /// - Returns: The address that it listens on.
  /// - Throws: The error of binding the port; then nobody listens.
  @discardableResult
  package func move(to listen: SocketAddress?, upstream: Upstream) async throws -> SocketAddress? {
    try await loop.flatSubmit { [core] in core.value.move(to: listen, upstream: upstream) }.get()
  }

  /// Begins a fault now beside others of its kind, until it is removed. Returns its number.
  package func add(toxic: TimedFault) async throws -> Int { try await ask { $0.add(toxic: toxic) } }

  package func change(toxic: Int, to timed: TimedFault) async throws {
    try await ask { $0.change(toxic: toxic, to: timed) }
  }

  package func remove(toxic: Int) async throws { try await ask { $0.remove(toxic: toxic) } }

  /// Starts the clock of the schedule, now or at a later time.
  package func begin(at moment: NIODeadline? = nil) async throws {
    try await ask { $0.begin(at: moment) }
  }

  /// Closes all sockets, and returns when they are closed.
  package func stop() async throws {
    try await loop.flatSubmit { [core] in core.value.stop() }.get()
  }

  /// Begins a fault now, replacing those of its kind that hold; `nil` after too many additions.
  package func add(_ timed: TimedFault) async throws -> Count? { try await ask { $0.add(timed) } }

  /// Ends all faults of a kind, or all faults.
  package func end(_ kind: Fault.Kind?) async throws -> [TimedFault] { try await ask { $0.end(kind) } }

  /// The counts of the schedule's faults in order, without those of the phone, followed by those of added faults.
  package var counts: [Count] { get async throws { try await ask { $0.counts } } }

  /// The number of connections of any kind.
  package var connections: Int { get async throws { try await ask { $0.relays.count } } }

  /// The number of bytes held, over all connections and both ways.
  package var bytesHeld: Int { get async throws { try await ask { $0.bytesHeld } } }

  /// Advances a manual clock.
  package func advance(by interval: Interval) async throws {
    try await ask { $0.timers.advance(by: interval.nanoseconds) }
  }

  private func ask<Value: Sendable>(_ question: @escaping @Sendable (ProxyCore) -> Value) async throws -> Value {
    try await loop.submit { [core] in question(core.value) }.get()
  }
}

extension TimedFault {
  /// The effect of a fault of the phone on the network, which a proxy can play; the fault itself if it has none.
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
  let upstream: FaultProxy.Upstream
  let schedule: FaultSchedule
  let seed: UInt64
  let network: NetworkModel?
  let bounds: FaultProxy.Bounds
  let pace: Int64
  let isLooped: Bool
  let addable: Set<Fault.Kind>
  let isManual: Bool
  let report: @Sendable (FaultProxy.Event) -> Void
}
