// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import WebSocketProtocol

/// The server of a soak: the shipped `SocketServer` and `StreamHistory`, started, stopped and observed. Its state of
/// the clients is ground truth, written on its loop and read on the clients'.
final class SoakServer: Sendable {
  /// The request's path is the client's number; this header field is the generation of its attempt.
  static let generationField = "Soak-Generation"

  private struct Client {
    /// The client's own stream, as in a session; streams are independent.
    var history: StreamHistory
    /// The newest generation accepted, while its connection is there.
    var present: UInt32?
    /// The end of the stream when the client last resumed it.
    var target: (generation: UInt32, index: StreamPosition)?
    var messages = TakenMessages()
  }

  private struct State {
    var server: SocketServer?
    var clients: [Client]
    var port = 0
    /// The number of connections that each restart closed, by index in the schedule.
    var closed: [Int: UInt64] = [:]
    /// The operations on the server, in sequence.
    var work: Task<Void, Never>?
  }

  private let state: NIOLockedValueBox<State>
  private let loop: any EventLoop
  private let configuration: WebSocketServerConfiguration
  private let changed: @Sendable (Int, UInt32, _ isAtServer: Bool) -> Void
  private let payload: ByteBuffer
  private let limit: Int

  /// `changed` is called on the server's loop when a client's connection is accepted or lost, with client and
  /// generation.
  init(
    _ run: SoakRun, on loop: any EventLoop, changed: @escaping @Sendable (Int, UInt32, _ isAtServer: Bool) -> Void
  ) {
    (self.loop, self.changed) = (loop, changed)
    let limit = Int(clamping: run.world.server.history)
    self.limit = limit
    let clients = (0..<run.clients).map { _ in Client(history: StreamHistory(limit: limit)) }
    state = NIOLockedValueBox(State(clients: clients))
    payload = ByteBuffer(repeating: UInt8(ascii: "x"), count: run.world.server.messageBytes)
    var configuration = WebSocketServerConfiguration()
    configuration.maximumConnections = run.clients * 4 + 100
    configuration.connection.compresses = false
    configuration.connection.closeTimeout = .nanoseconds(run.pace.real(run.settings.closeTimeout).nanoseconds)
    // The time that an undetectably dead connection is kept.
    configuration.connection.keepAlive = .nanoseconds(run.pace.real(run.world.server.keepsDead).nanoseconds)
    self.configuration = configuration
  }

  /// Runs an operation after all earlier ones.
  func enqueue(_ work: @escaping @Sendable () async -> Void) {
    state.withLockedValue { state in
      let before = state.work
      state.work = Task {
        await before?.value
        await work()
      }
    }
  }

  /// Closes the server for good; returns the number of connections that each restart closed, by index in the schedule.
  func close() async -> [Int: UInt64] {
    await state.withLockedValue { $0.work }?.value
    let server = state.withLockedValue { state in
      defer { state.server = nil }
      return state.server
    }
    await server?.drop()
    return state.withLockedValue { $0.closed }
  }

  /// Listens; after a stop on the same port.
  func start() async throws -> SocketAddress {
    var configuration = configuration
    configuration.port = state.withLockedValue { $0.port }
    let server = try SocketServer(configuration, on: loop) { request, _ in self.answer(request) }
    let address = try await server.listen()
    state.withLockedValue { state in
      (state.server, state.port) = (server, address.port ?? 0)
    }
    return address
  }

  private func answer(_ request: OpeningRequest) -> HandshakeAnswer {
    guard let client = Int(request.path.dropFirst()),
      let generation = request.fields[Self.generationField].first.flatMap({ UInt32($0) }),
      let history = state.withLockedValue({ state -> StreamHistory? in
        guard state.clients.indices.contains(client) else { return nil }
        state.clients[client].present = generation
        return state.clients[client].history
      })
    else { return .refuse(status: 404) }
    changed(client, generation, true)
    return .accept(history.reader { self.note($0, client, generation) })
  }

  private func note(_ event: StreamHistory.Event, _ client: Int, _ generation: UInt32) {
    let isLost = state.withLockedValue { state in
      switch event {
      case .resumed(let end): state.clients[client].target = (generation, end)
      case .took(let number): state.clients[client].messages.take(number.value)
      case .ended where state.clients[client].present == generation:
        state.clients[client].present = nil
        return true
      case .ended: break
      }
      return false
    }
    if isLost { changed(client, generation, false) }
  }

  /// Stops like a process that is asked to, which closes every connection with 1012, or like one that is killed.
  /// `index` is the index of the restart in the schedule.
  func stop(_ how: Fault.Departure, index: Int) async {
    let (server, links) = state.withLockedValue { state in
      let links = state.clients.map(\.present)
      for client in links.indices { state.clients[client].present = nil }
      state.closed[index, default: 0] += UInt64(links.count { $0 != nil })
      defer { state.server = nil }
      return (state.server, links)
    }
    // From now on the server neither reads nor sends on them.
    for (client, generation) in links.enumerated() { if let generation { changed(client, generation, false) } }
    switch how {
    case .graceful: await server?.close(CloseCode(1012))
    case .killed, .vanished: await server?.drop()
    }
  }

  /// Clears the state that a restart loses from memory: the history, and the numbers of the app's messages.
  func forget() {
    state.withLockedValue { state in
      for client in state.clients.indices {
        let epoch = state.clients[client].history.end.epoch &+ 1
        state.clients[client].history = StreamHistory(epoch: epoch, limit: limit)
        state.clients[client].messages.forgetNumbers()
      }
    }
  }

  func publish(to client: Int) {
    let history = state.withLockedValue { $0.server == nil ? nil : $0.clients[client].history }
    history?.publish(payload)
  }

  func target(of client: Int, generation: UInt32) -> StreamPosition? {
    state.withLockedValue { $0.clients[client].target }.flatMap { $0.generation == generation ? $0.index : nil }
  }

  /// The number of repeated messages accepted that should not have been repeated.
  func duplicatesAccepted(of client: Int) -> UInt64 {
    state.withLockedValue { $0.clients[client].messages.duplicatesAccepted }
  }

  /// Records that messages up to a number are acknowledged to the app; returns how many of them the server lacks,
  /// without those in `dropped`.
  func settle(_ client: Int, through number: UInt64, dropped: Set<UInt64>) -> UInt64 {
    state.withLockedValue { $0.clients[client].messages.settle(through: number, dropped: dropped) }
  }
}
