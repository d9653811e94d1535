// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The world of a session before anything goes wrong; faults come on top of it.
struct SessionWorld: Sendable {
  var network = NetworkModel()
  var server = ServerModel()
  var phone = PhoneModel()
  /// After how many events a session is aborted as a livelock of its client.
  var mostEvents: UInt64 = 20_000_000
}

/// The way between phone and server: a good mobile network of 25 ms each way and 10 ms more on average, 20 Mbit/s.
struct NetworkModel: Sendable {
  /// How long a packet takes at the least, each way.
  var latency = Interval.milliseconds(25)
  /// By how much a packet takes longer on average: see `SessionRandom.waiting(_:)`.
  var jitter = Interval.milliseconds(10)
  /// Each way.
  var bytesPerSecond: Int64 = 2_500_000
  /// How many round trips pass before the server sees the handshake: the name, TCP and TLS.
  var roundTripsToOpen = 3
  /// After how long an unanswered packet is sent again; doubled each time, up to a minute.
  var retransmission = Interval.milliseconds(200)
  /// The same for the first packet of a connection.
  var firstRetransmission = Interval.seconds(1)
  /// When the kernel gives up opening a connection.
  var connectTimeout = Interval.seconds(127)
  /// When the kernel of either end gives up a connection whose packets nobody acknowledges.
  var sendTimeout = Interval.seconds(900)
}

struct ServerModel: Sendable {
  /// How many messages of its stream the server keeps for those who come back.
  var history: UInt64 = 100
  /// How often it publishes a message on average; nil never.
  var publishes: Interval? = .seconds(600)
  var messageBytes = 400
  /// How often it pings; nil never.
  var pings: Interval?
  /// How long it keeps a connection that is dead and that it cannot know to be dead.
  var keepsDead = Interval.seconds(120)
  var credentialsTake = Interval.milliseconds(300)
}

/// What the app and the phone do of themselves.
struct PhoneModel: Sendable {
  /// How often the app sends a message on average; nil never.
  var sends: Interval? = .seconds(1_200)
  var messageBytes = 200
  /// How often a timer that was replaced or cancelled fires all the same, as when it was about to: one in so many, a
  /// power of two.
  var staleTimers: UInt64 = 64
  /// Until how long after a socket was dropped its close notification may still come.
  var closeNotificationDelay = Interval.milliseconds(20)
  /// Whether the app closes the connection at the end of the session, and the session goes on until all is quiet.
  var stopsAtEnd = true
}

/// The faults that hold at a moment, as the network, the server and the phone feel them: of one kind at most one. Each
/// is set by its kind's declaration.
struct Conditions {
  /// When one last began or ended.
  private(set) var changed: Int64 = 0
  /// How many of them let no attempt succeed.
  private(set) var blocks = 0
  var isBlackHole = false
  var partition: Fault.Direction?
  var isOffline = false
  var isAllLost = false
  var isAllLostInBursts = false
  var latency: (added: Int64, jitter: Int64)?
  var bytesPerSecond: Int64?
  var loss = 0.0
  var burst: BurstLoss?
  var idleCut: (after: Int64, isSilent: Bool)?
  var nameNotFound: Interval?
  var isCaptive = false
  var isInsecure = false
  var isRefused = false
  var refusal: Refusal?
  var redirect: Redirect?
  var departure: Fault.Departure?
  var shedding: (share: Double, retryAfter: Interval?)?
  var acceptThenClose: (code: CloseCode, after: Int64, resumes: Bool)?
  var pongDelay: Int64 = 0
  var isWithoutPongs = false
  var isAsleep = false
  var isInBackground = false
  var expired: (since: Int64, isRefreshable: Bool)?

  // What follows from them.

  /// Whether frames take just the time of the network's own model.
  private(set) var isPlain = true
  private(set) var isUpBlocked = false
  private(set) var isDownBlocked = false
  /// Whether a ping is not simply answered.
  private(set) var delaysPings = false

  var isBlocked: Bool { isUpBlocked || isDownBlocked }

  /// Takes in that a fault begins to hold, or is over.
  mutating func set(_ fault: Fault, _ holds: Bool, at now: Int64) {
    if fault.blocks { blocks += holds ? 1 : -1 }
    changed = now
    fault.kind.declaration.set(&self, holds ? fault : nil)
    isPlain = latency == nil && bytesPerSecond == nil && loss == 0 && burst == nil
    let isCut = isBlackHole || isOffline || isAllLost || isAllLostInBursts || departure == .vanished
    isUpBlocked = isCut || partition == .up
    isDownBlocked = isCut || partition == .down
    delaysPings = isBlocked || isAsleep || isWithoutPongs || pongDelay > 0
  }
}

/// A way that is good or bad, and may change after each packet.
///
/// Sources: Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal 39 (1960); Elliott, "Estimates
/// of error rates for codes on burst-noise channels", Bell System Technical Journal 42 (1963).
struct BurstLoss {
  let enter: Double
  let leave: Double
  let good: Double
  let bad: Double
  private(set) var isBad = false

  init(enter: Double, leave: Double, good: Double, bad: Double) {
    (self.enter, self.leave, self.good, self.bad) = (enter, leave, good, bad)
  }

  /// Whether the next packet is lost.
  mutating func losesPacket(using random: inout SessionRandom) -> Bool {
    let isLost = random.happens(isBad ? bad : good)
    if random.happens(isBad ? leave : enter) { isBad.toggle() }
    return isLost
  }
}
