// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import WebSocketProtocol

/// The server's knowledge of its clients, as it happens: ground truth, written on the server's loop and read on the
/// clients'.
final class ServerTruth: Sendable {
  private struct Client {
    var messages = TakenMessages()
    /// How many were taken a second time that had been acknowledged to the app.
    var takenUnduly: UInt64 = 0
    /// Where the stream was when the client last resumed it.
    var target: (generation: UInt32, place: StreamPosition)?
  }

  private let clients: NIOLockedValueBox<[Client]>

  init(clients: Int) { self.clients = NIOLockedValueBox(Array(repeating: Client(), count: clients)) }

  func note(_ client: Int, resumed generation: UInt32, at end: StreamPosition) {
    clients.withLockedValue { $0[client].target = (generation, end) }
  }

  func note(_ client: Int, took number: UInt64) {
    clients.withLockedValue { if $0[client].messages.take(number).isUndue { $0[client].takenUnduly += 1 } }
  }

  func noteNumbersForgotten() {
    clients.withLockedValue { clients in
      for place in clients.indices { clients[place].messages.forgetNumbers() }
    }
  }

  func target(of client: Int, generation: UInt32) -> StreamPosition? {
    clients.withLockedValue { clients in clients[client].target.flatMap { $0.generation == generation ? $0.place : nil }
    }
  }

  func takenUnduly(of client: Int) -> UInt64 { clients.withLockedValue { $0[client].takenUnduly } }

  /// Notes that messages up to a number are acknowledged to the app; returns how many of them the server does not have,
  /// `dropped` left out.
  func settle(_ client: Int, through number: UInt64, dropped: Set<UInt64>) -> UInt64 {
    clients.withLockedValue { $0[client].messages.settle(through: number, dropped: dropped) }
  }
}

enum LinkChange: Sendable {
  case accepted, lost
}

/// The server of a soak: `SocketServer` and `StreamHistory` as they ship, started, stopped and observed.
final class SoakServer: Sendable {
  /// The request's path is the client's number, and this field the generation of its attempt.
  static let generationField = "Soak-Generation"

  private struct State {
    var server: SocketServer?
    /// A stream for each client, as a session has one: what is published to one says nothing of another.
    var histories: [StreamHistory]
    var port = 0
    /// The newest generation that each client was accepted with.
    var present: [Int: UInt32] = [:]
    /// How many connections the restarts closed, by place in the schedule.
    var closed: [Int: UInt64] = [:]
    /// The work on the server, one piece after the other.
    var work: Task<Void, Never>?
  }

  let truth: ServerTruth
  private let state: NIOLockedValueBox<State>
  private let loop: any EventLoop
  private let configuration: WebSocketServerConfiguration
  private let clients: Int
  private let changed: @Sendable (Int, UInt32, LinkChange) -> Void
  private let payload: ByteBuffer
  private let limit: Int

  /// `changed` is called with each change of a client's link, by client and generation, on the server's loop.
  init(
    on loop: any EventLoop, clients: Int, world: ServerModel, closeTimeout: Interval,
    changed: @escaping @Sendable (Int, UInt32, LinkChange) -> Void
  ) {
    (self.loop, self.clients, self.changed) = (loop, clients, changed)
    truth = ServerTruth(clients: clients)
    limit = Int(clamping: world.history)
    let limit = limit
    state = NIOLockedValueBox(State(histories: (0..<clients).map { _ in StreamHistory(limit: limit) }))
    payload = ByteBuffer(repeating: UInt8(ascii: "x"), count: world.messageBytes)
    var configuration = WebSocketServerConfiguration()
    configuration.maximumConnections = clients * 4 + 100
    configuration.connection.compresses = false
    configuration.connection.closeTimeout = .nanoseconds(closeTimeout.nanoseconds)
    // What is dead and cannot be known to be dead is kept for so long.
    configuration.connection.keepAlive = .nanoseconds(world.keepsDead.nanoseconds)
    self.configuration = configuration
  }

  /// Has something done when all that was asked for before is done.
  func enqueue(_ work: @escaping @Sendable () async -> Void) {
    state.withLockedValue { state in
      let before = state.work
      state.work = Task {
        await before?.value
        await work()
      }
    }
  }

  /// Ends for good; returns how many connections each restart closed, by its place in the schedule.
  func close() async -> [Int: UInt64] {
    await state.withLockedValue { $0.work }?.value
    let server = state.withLockedValue { state in
      defer { state.server = nil }
      return state.server
    }
    await server?.drop()
    return state.withLockedValue { $0.closed }
  }

  /// Listens; after a stop on the port it had.
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
    guard let client = Int(request.path.dropFirst()), (0..<clients).contains(client),
      let generation = request.fields[Self.generationField].first.flatMap({ UInt32($0) })
    else { return .refuse(status: 404) }
    let reader = state.withLockedValue { state in
      state.present[client] = generation
      return state.histories[client].reader()
    }
    changed(client, generation, .accepted)
    return .accept(SoakLink(client, generation, reader, self))
  }

  /// Stops as a process that is asked to, closing every connection by 1012, or as one that is killed. `place` is that
  /// of the restart in the schedule.
  func stop(_ how: Fault.Departure, place: Int) async {
    let (server, links) = state.withLockedValue { state in
      defer { (state.server, state.present) = (nil, [:]) }
      state.closed[place, default: 0] += UInt64(state.present.count)
      return (state.server, state.present)
    }
    // From now on the server neither reads nor sends on them.
    for (client, generation) in links { changed(client, generation, .lost) }
    switch how {
    case .graceful: await server?.close(CloseCode(1012))
    case .killed, .vanished: await server?.drop()
    }
  }

  /// Loses what a restart that keeps nothing in its memory loses: the history, and the numbers of the app's messages.
  func forget() {
    state.withLockedValue { state in
      state.histories = state.histories.map { StreamHistory(epoch: $0.end.epoch &+ 1, limit: limit) }
    }
    truth.noteNumbersForgotten()
  }

  func publish(to client: Int) {
    let history = state.withLockedValue { $0.server == nil ? nil : $0.histories[client] }
    history?.publish(payload)
  }

  fileprivate func note(_ client: Int, _ generation: UInt32, _ text: ByteBuffer) {
    switch StreamMessage(text) {
    case .resume:
      let end = state.withLockedValue { $0.histories[client].end }
      truth.note(client, resumed: generation, at: end)
    case .send(let number, _): truth.note(client, took: number.value)
    case .resumed, .message, .acknowledged, nil: break
    }
  }

  fileprivate func noteLost(_ client: Int, _ generation: UInt32) {
    let isKnown = state.withLockedValue { state in
      guard state.present[client] == generation else { return false }
      state.present[client] = nil
      return true
    }
    if isKnown { changed(client, generation, .lost) }
  }
}

/// One connection at the server: the reader of the stream that ships, and what the soak has to know of it.
private final class SoakLink: WebSocketOwner {
  private let client: Int
  private let generation: UInt32
  private let reader: any WebSocketOwner
  private let server: SoakServer

  init(_ client: Int, _ generation: UInt32, _ reader: any WebSocketOwner, _ server: SoakServer) {
    (self.client, self.generation, self.reader, self.server) = (client, generation, reader, server)
  }

  var answersPings: Bool { reader.answersPings }

  func opened(_ socket: WebSocketHandler) { reader.opened(socket) }

  func received(_ incoming: Incoming, on socket: WebSocketHandler) {
    if case .text(let text) = incoming { server.note(client, generation, text) }
    reader.received(incoming, on: socket)
  }

  func violated(_ violation: ProtocolViolation, on socket: WebSocketHandler) { reader.violated(violation, on: socket) }

  func becameWritable(_ socket: WebSocketHandler) { reader.becameWritable(socket) }

  func ended(_ end: SocketEnd, of socket: WebSocketHandler) {
    server.noteLost(client, generation)
    reader.ended(end, of: socket)
  }
}
