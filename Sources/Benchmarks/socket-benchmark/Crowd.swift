// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveSockets
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import WebSocketProtocol

/// Many clients, spread over the loops of a group.
struct Crowd {
  let tally: Tally
  private let drivers: [NIOLoopBound<[SocketDriver]>]

  /// When `Tally.reached` succeeds: after so many attempts, or when so many clients are connected at a time.
  enum Goal { case attempts(Int), connected(Int) }

  /// Starts the clients.
  init(
    _ count: Int, to address: WebSocketAddress, settings: ConnectionSettings, goal: Goal,
    on group: MultiThreadedEventLoopGroup
  ) async throws {
    let loops = Array(group.makeIterator())
    let tally = Tally(count, goal, on: loops[0])
    var configuration = WebSocketConfiguration()
    configuration.compresses = false
    var drivers: [NIOLoopBound<[SocketDriver]>] = []
    for (number, loop) in loops.enumerated() {
      let share = (count + number) / loops.count
      drivers.append(
        try await loop.submit { [configuration] in
          let observer = Observer(tally)
          let made = (0..<share).map { _ in
            SocketDriver(
              on: loop, address: address, settings: settings, configuration: configuration, observer: observer)
          }
          for driver in made { driver.start() }
          return NIOLoopBound(made, eventLoop: loop)
        }.get())
    }
    (self.tally, self.drivers) = (tally, drivers)
  }

  /// Stops all clients, and waits until their last sockets are gone.
  func stop() async throws {
    for some in drivers { some.eventLoop.execute { for driver in some.value { driver.shutDown() } } }
    try await tally.finished.futureResult.get()
  }

  /// The counts of the clients of all loops together.
  final class Tally: Sendable {
    let attempts = Atomic(0)
    let connected = Atomic(0)
    let pings = Atomic(0)
    let pongs = Atomic(0)
    let reached: EventLoopPromise<Void>
    fileprivate let present: Atomic<Int>
    fileprivate let finished: EventLoopPromise<Void>
    fileprivate let goal: Goal

    fileprivate init(_ count: Int, _ goal: Goal, on loop: any EventLoop) {
      self.goal = goal
      present = Atomic(count)
      (reached, finished) = (loop.makePromise(), loop.makePromise())
    }
  }

  private final class Observer: SocketDriverObserver {
    private let tally: Tally

    init(_ tally: Tally) { self.tally = tally }

    func saw(_ event: LiveEvent, at moment: Instant) {
      switch event {
      case .opened:
        let connected = tally.connected.add(1, ordering: .relaxed).newValue
        if case .connected(connected) = tally.goal { tally.reached.succeed() }
      case .closed: tally.connected.subtract(1, ordering: .relaxed)
      case .received(_, .pong): tally.pongs.add(1, ordering: .relaxed)
      default: break
      }
    }

    func did(_ effect: LiveEffect, at moment: Instant) {
      switch effect {
      case .open:
        let attempts = tally.attempts.add(1, ordering: .relaxed).newValue
        if case .attempts(attempts) = tally.goal { tally.reached.succeed() }
      case .sendPing: tally.pings.add(1, ordering: .relaxed)
      default: break
      }
    }

    func finished(_ driver: SocketDriver) {
      if tally.present.subtract(1, ordering: .relaxed).newValue == 0 { tally.finished.succeed() }
    }
  }
}
