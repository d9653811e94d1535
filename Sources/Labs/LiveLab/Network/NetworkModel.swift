// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// A way between phone and server on which nothing goes wrong; faults come on top of it.
package struct NetworkModel: Hashable, Sendable {
  /// How long a packet takes at the least, each way.
  package var latency = Interval.milliseconds(25)
  /// By how much a packet takes longer on average: see `SessionRandom.waiting(_:)`.
  package var jitter = Interval.milliseconds(10)
  /// How many bytes a second the way carries, each way.
  package var bytesPerSecond: Int64 = 2_500_000
  /// How many round trips pass before the server sees the handshake: the name, TCP and TLS.
  package var roundTripsToOpen = 3
  /// After how long an unanswered packet is sent again; doubled each time, up to a minute.
  package var retransmission = Interval.milliseconds(200)
  /// The same for the first packet of a connection.
  package var firstRetransmission = Interval.seconds(1)
  /// When the kernel gives up opening a connection.
  package var connectTimeout = Interval.seconds(127)
  /// When the kernel of either end gives up a connection whose packets nobody acknowledges.
  package var sendTimeout = Interval.seconds(900)

  /// A good mobile network: 25 ms each way and 10 ms more on average, 20 Mbit/s.
  package init() {}
}

/// A server on which nothing goes wrong.
package struct ServerModel: Hashable, Sendable {
  /// How many messages of its stream the server keeps for those who come back.
  package var history: UInt64 = 100
  /// How often it publishes a message on average; nil never.
  package var publishes: Interval? = .seconds(600)
  /// How many bytes a message has.
  package var messageBytes = 400
  /// How often it pings; nil never.
  package var pings: Interval?
  /// How long it keeps a connection that is dead and that it cannot know to be dead.
  package var keepsDead = Interval.seconds(120)
  /// How long fresh credentials take.
  package var credentialsTake = Interval.milliseconds(300)

  /// A hundred messages of history, a message every ten minutes, no pings of its own.
  package init() {}
}

/// What the app and the phone do of themselves.
package struct PhoneModel: Hashable, Sendable {
  /// How often the app sends a message on average; nil never.
  package var sends: Interval? = .seconds(1_200)
  /// How many bytes a message has.
  package var messageBytes = 200
  /// How often a timer that was replaced or cancelled rings all the same, as when its ring was under way: one in so
  /// many, a power of two.
  package var staleRings: UInt64 = 64
  /// Until how long after a socket was dropped it may still say something.
  package var lastWords = Interval.milliseconds(20)
  /// Whether the app closes the connection at the end of the session, and is watched until all is quiet.
  package var stopsAtEnd = true

  /// A message every twenty minutes; one stale ring in 64.
  package init() {}
}

/// The world of a session before anything goes wrong.
package struct SessionWorld: Hashable, Sendable {
  /// The way.
  package var network = NetworkModel()
  /// The server.
  package var server = ServerModel()
  /// The phone and its app.
  package var phone = PhoneModel()
  /// After how many events a session is broken off, because its client is running away.
  package var mostEvents: UInt64 = 20_000_000

  /// The usual world.
  package init() {}
}
