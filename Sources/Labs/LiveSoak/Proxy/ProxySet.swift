// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveLab
internal import LiveSockets
package import NIOCore

/// The proxies of a process, by name, in the order in which they were added. Each plays the faults of one schedule that
/// name it, or no proxy.
package actor ProxySet {
  /// The state that all proxies share.
  package struct Plan: Sendable {
    package var schedule = FaultSchedule()
    package var seed: UInt64 = 1
    package var pace: Int64 = 1
    package var isLooped = false
    /// The kinds of faults that may be added during a run.
    package var addable: Set<Fault.Kind> = []
    /// True if the clocks move only by `FaultProxy.advance(by:)`.
    package var isManual = false
    /// Called on an event loop with the name of a proxy.
    package var report: @Sendable (String, FaultProxy.Event) -> Void = { _, _ in }

    package init() {}
  }

  package struct Member: Sendable {
    package let name: String
    package let proxy: FaultProxy
    /// The addresses as a client of the control reads them.
    var listen: String
    var upstream: String
    var isEnabled: Bool
    /// The toxics with their numbers in the proxy, in the order in which they were added.
    var toxics: [(toxic: Toxic, number: Int)] = []
  }

  private let group: any EventLoopGroup
  private let plan: Plan
  let epoch: NIODeadline
  package var members: [Member] = []
  /// The number of proxies added so far, which their seeds follow from.
  private var added: UInt64 = 0
  private var lastTurn: Task<Void, Never>?

  package init(_ plan: Plan = Plan(), on group: any EventLoopGroup) {
    (self.plan, self.group, epoch) = (plan, group, .now())
  }

  /// Adds a proxy and starts it, with the clock of the schedule that of all.
  ///
  /// - Throws: The error of binding the port, and that of `announce`; then nothing is added.
  package func add(
    _ name: String, listen: SocketAddress, to upstream: HostPort,
    announcing announce: @escaping @Sendable (SocketAddress) throws -> Void
  ) async throws {
    let proxy = make(name, listen: listen, upstream: upstream.upstream)
    do {
      let address = try await proxy.start(announcing: announce, at: epoch)
      members.append(
        Member(name: name, proxy: proxy, listen: address.text, upstream: "\(upstream)", isEnabled: true))
    } catch {
      try await proxy.stop()
      throw error
    }
  }

  /// Adds a proxy that runs already.
  package func add(_ name: String, _ proxy: FaultProxy) {
    members.append(Member(name: name, proxy: proxy, listen: "", upstream: "", isEnabled: true))
  }

  func make(_ name: String, listen: SocketAddress, upstream: FaultProxy.Upstream) -> FaultProxy {
    let schedule = FaultSchedule(
      unchecked: plan.schedule.faults.filter { $0.proxy == nil || $0.proxy == name }, duration: plan.schedule.duration,
      limit: plan.schedule.limit)
    let report = plan.report
    defer { added += 1 }
    return FaultProxy(
      group: group, listen: listen, upstream: upstream, schedule: schedule, seed: plan.seed &+ added, pace: plan.pace,
      isLooped: plan.isLooped, addable: plan.addable, isManual: plan.isManual, report: { report(name, $0) })
  }

  package func proxy(_ name: String) -> FaultProxy? { members.first { $0.name == name }?.proxy }

  /// Does one thing after the other, though each waits for its proxies.
  func inTurn<Value: Sendable>(
    _ body: @escaping @Sendable (isolated ProxySet) async throws -> Value
  ) async throws -> Value {
    let last = lastTurn
    let turn = Task {
      await last?.value
      return try await body(self)
    }
    lastTurn = Task { _ = await turn.result }
    return try await turn.value
  }

  /// The counts of every proxy, as `FaultProxy.counts`.
  package var counts: [(name: String, counts: [FaultProxy.Count])] {
    get async throws {
      var counts: [(String, [FaultProxy.Count])] = []
      for member in members { counts.append((member.name, try await member.proxy.counts)) }
      return counts
    }
  }

  package func stop() async throws {
    for member in members { try await member.proxy.stop() }
  }
}
