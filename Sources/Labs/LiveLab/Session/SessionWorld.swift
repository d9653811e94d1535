// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// The world of a session before anything goes wrong; faults come on top of it.
public struct SessionWorld: Sendable {
  public var network = NetworkModel()
  public var server = ServerModel()
  public var phone = PhoneModel()
  /// After how many events a session is aborted as a livelock of its client.
  public var mostEvents: UInt64 = 20_000_000

  public init() {}
}

/// The way between phone and server: a good mobile network of 25 ms each way and 10 ms more on average, 20 Mbit/s.
public struct NetworkModel: Sendable {
  /// How long a packet takes at the least, each way.
  public var latency = Interval.milliseconds(25)
  /// By how much a packet takes longer on average: see `SessionRandom.waiting(_:)`.
  public var jitter = Interval.milliseconds(10)
  /// Each way.
  public var bytesPerSecond: Int64 = 2_500_000
  /// How many round trips pass before the server sees the handshake: the name, TCP and TLS.
  public var roundTripsToOpen = 3
  /// After how long an unanswered packet is sent again; doubled each time, up to a minute.
  public var retransmission = Interval.milliseconds(200)
  /// The same for the first packet of a connection.
  public var firstRetransmission = Interval.seconds(1)
  /// When the kernel gives up opening a connection.
  public var connectTimeout = Interval.seconds(127)
  /// When the kernel of either end gives up a connection whose packets nobody acknowledges.
  public var sendTimeout = Interval.seconds(900)

  public init() {}

  /// No wait before a packet is sent again is longer, in nanoseconds.
  public static let longestRetransmission: Int64 = 60_000_000_000

  /// When a packet that was sent then, and again after each doubled wait, first gets through from `now` on, in
  /// nanoseconds.
  public func moment(ofResending sent: Int64, from now: Int64, isFirst: Bool) -> Int64 {
    var moment = sent
    var wait = max((isFirst ? firstRetransmission : retransmission).nanoseconds, 1_000_000)
    while moment < now {
      moment &+= wait
      wait = min(wait &* 2, Self.longestRetransmission)
    }
    return moment
  }

  /// For how long a packet is sent again and again, in nanoseconds, as long as it is lost once more, 24 times at most.
  public func timeLost(_ isLost: () -> Bool) -> Int64 {
    var (time, wait) = (Int64(0), retransmission.nanoseconds)
    for _ in 0..<24 {
      guard isLost() else { break }
      time &+= wait
      wait = min(wait &* 2, Self.longestRetransmission)
    }
    return time
  }

  /// Two thirds of the mean jitter, as `SessionRandom.halfWaiting` wants it.
  public var jitterStep: Int64 { min(max(0, jitter.nanoseconds / 3 &* 2), 1 << 38) }
}

public struct ServerModel: Sendable {
  /// How many messages of its stream the server keeps for those who come back.
  public var history: UInt64 = 100
  /// How often it publishes a message on average; nil never.
  public var publishes: Interval? = .seconds(600)
  public var messageBytes = 400
  /// How often it pings; nil never.
  public var pings: Interval?
  /// How long it keeps a connection that is dead and that it cannot know to be dead.
  public var keepsDead = Interval.seconds(120)
  public var credentialsTake = Interval.milliseconds(300)

  public init() {}
}

/// The actions of the app and the phone by themselves.
public struct PhoneModel: Sendable {
  /// How often the app sends a message on average; nil never.
  public var sends: Interval? = .seconds(1_200)
  public var messageBytes = 200
  /// How often a timer that was replaced or cancelled fires all the same, as when it was about to: one in so many, a
  /// power of two.
  public var staleTimers: UInt64 = 64
  /// Until how long after a socket was dropped its close notification may still come.
  public var closeNotificationDelay = Interval.milliseconds(20)
  /// Whether the app closes the connection at the end of the session, and the session goes on until all is quiet.
  var stopsAtEnd = true

  public init() {}
}

/// The faults that hold at a moment, as the network, the server and the phone feel them: of one kind at most one. Each
/// is set by its kind's declaration.
public struct Conditions {
  /// When one last began or ended.
  private(set) var changed: Int64 = 0
  /// How many of them let no attempt succeed.
  private(set) var blocks = 0
  var isBlackHole = false
  public var partition: Fault.Direction?
  var isOffline = false
  public var isAllLost = false
  public var isAllLostInBursts = false
  public var latency: (added: Int64, jitter: Int64)?
  public var bytesPerSecond: Int64?
  public var loss = 0.0
  public var burst: BurstLoss?
  public var idleCut: (after: Int64, isSilent: Bool)?
  public var nameNotFound: Interval?
  public var isCaptive = false
  public var isInsecure = false
  public var isRefused = false
  public var refusal: Refusal?
  public var redirect: Redirect?
  public var departure: Fault.Departure?
  public var shedding: (share: Double, retryAfter: Interval?)?
  public var acceptThenClose: (code: CloseCode, after: Int64, resumes: Bool)?
  public var pongDelay: Int64 = 0
  public var isWithoutPongs = false
  public var isAsleep = false
  var isInBackground = false
  public var expired: (since: Int64, isRefreshable: Bool)?

  // On real sockets alone.

  public var slices: (bytes: Int64, delay: Int64)?
  public var closeDelay: Int64 = 0
  public var stopsFor: Int64?
  public var byteLimit: Int64?
  public var corruption = 0.0
  public var busyCut: BusyCut?
  public var acceptDelay: Int64?
  public var handshakeStall: Int64?
  public var hasWrongAcceptKey = false
  public var earlyGarbage: Int64?

  public init() {}

  // What follows from them.

  /// Whether frames take just the time of the network's own model.
  private(set) var isPlain = true
  public private(set) var isUpBlocked = false
  public private(set) var isDownBlocked = false

  public var isBlocked: Bool { isUpBlocked || isDownBlocked }

  /// Whether an attempt that begins now would succeed if nothing changed, made by a client of those settings.
  public func letAttemptsSucceed(under settings: ConnectionSettings) -> Bool {
    let isKeptBack = settings.background != .stayConnected && isInBackground
    return blocks == 0 && !isKeptBack && !isAsleep
  }

  /// Takes in that a fault begins to hold, or is over.
  public mutating func set(_ fault: Fault, _ holds: Bool, at now: Int64) {
    if fault.blocks { blocks += holds ? 1 : -1 }
    changed = now
    fault.kind.declaration.set(&self, holds ? fault : nil)
    isPlain = latency == nil && bytesPerSecond == nil && loss == 0 && burst == nil
    isUpBlocked = Self.blockers.contains { letNothingThrough($0, .up) }
    isDownBlocked = Self.blockers.contains { letNothingThrough($0, .down) }
  }

  /// The kinds of faults that may let nothing through.
  public static let blockers: [Fault.Kind] = [.blackHole, .partition, .offline, .loss, .burstLoss, .restart]

  /// Whether a fault of one of these kinds holds that lets nothing through in that direction.
  public func letNothingThrough(_ kind: Fault.Kind, _ direction: Fault.Direction) -> Bool {
    switch kind {
    case .blackHole: isBlackHole
    case .partition: partition == direction
    case .offline: isOffline
    case .loss: isAllLost
    case .burstLoss: isAllLostInBursts
    case .restart: departure == .vanished
    default: false
    }
  }
}

/// How much a connection may carry within a time, in nanoseconds; nil for any number.
public struct BusyCut {
  public let bytes: Int64?
  public let messages: Int64?
  public let within: Int64
}

/// A way that is good or bad, and may change after each packet.
///
/// Sources: Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal 39 (1960); Elliott, "Estimates
/// of error rates for codes on burst-noise channels", Bell System Technical Journal 42 (1963).
public struct BurstLoss {
  let enter: Double
  let leave: Double
  let good: Double
  let bad: Double
  private(set) var isBad = false

  /// As a way is that carried packets before, the last of which came through: what a new connection finds.
  public mutating func settle(using random: inout SessionRandom) { isBad = random.happens(enter) }

  /// Whether the next packet is lost.
  public mutating func losesPacket(using random: inout SessionRandom) -> Bool {
    let isLost = random.happens(isBad ? bad : good)
    if random.happens(isBad ? leave : enter) { isBad.toggle() }
    return isLost
  }
}
