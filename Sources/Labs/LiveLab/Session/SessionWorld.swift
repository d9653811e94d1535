// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
internal import Scenarios

/// The world of a session without faults.
public struct SessionWorld: Sendable {
  public var network = NetworkModel()
  public var server = ServerModel()
  public var phone = PhoneModel()
  /// The number of events after which a session is aborted as a livelock of its client.
  public var maxEvents: UInt64 = 20_000_000

  public init() {}
}

extension SessionWorld {
  /// The default world with a link of that rate and messages of that size, where they are given.
  ///
  /// - Parameters:
  ///   - bandwidth: The bytes a second, each way.
  ///   - messageSize: The bytes of each message of the app and the server.
  init(bandwidth: Int?, messageSize: Int?) {
    if let bandwidth { network.bytesPerSecond = Int64(bandwidth) }
    if let messageSize { (server.messageBytes, phone.messageBytes) = (messageSize, messageSize) }
  }

  /// Throws if a message takes so long that the next ones do not get through.
  func check() throws(ParameterError) {
    let bytes = max(server.messageBytes, phone.messageBytes)
    guard Int64(bytes) <= 120 * network.bytesPerSecond else {
      throw ParameterError(
        "message-size", "bandwidth", expected: "a message of at most two minutes, here of 120 times the bandwidth")
    }
  }
}

/// The network between phone and server: a good mobile network of 25 ms each way plus 10 ms on average, 20 Mbit/s.
public struct NetworkModel: Sendable {
  /// The minimum delay of a packet, each way.
  public var latency = Interval.milliseconds(25)
  /// The mean additional delay of a packet; see `SessionRandom.waiting(_:)`.
  public var jitter = Interval.milliseconds(10)
  /// The bandwidth each way.
  public var bytesPerSecond: Int64 = 2_500_000
  /// The round trips before the server sees the handshake: name resolution, TCP and TLS.
  public var roundTripsToOpen = 3
  /// The time after which an unacknowledged packet is sent again; it doubles each time, up to a minute.
  public var retransmission = Interval.milliseconds(200)
  /// The same time for the first packet of a connection.
  public var firstRetransmission = Interval.seconds(1)
  /// The kernel's timeout for opening a connection.
  public var connectTimeout = Interval.seconds(127)
  /// The kernel's timeout, at either end, for unacknowledged packets.
  public var sendTimeout = Interval.seconds(900)

  public init() {}

  /// The longest wait before a retransmission, in nanoseconds.
  public static let longestRetransmission: Int64 = 60_000_000_000

  /// The first time from `now` on, in nanoseconds, at which a packet sent at `sent` and again after each doubled wait
  /// gets through.
  public func moment(ofResending sent: Int64, from now: Int64, isFirst: Bool) -> Int64 {
    var moment = sent
    var wait = max((isFirst ? firstRetransmission : retransmission).nanoseconds, 1_000_000)
    while moment < now {
      moment &+= wait
      wait = min(wait &* 2, Self.longestRetransmission)
    }
    return moment
  }

  /// The time of retransmissions of a packet, in nanoseconds, while each is lost, 24 at most.
  public func timeLost(_ isLost: () -> Bool) -> Int64 {
    var (time, wait) = (Int64(0), retransmission.nanoseconds)
    for _ in 0..<24 {
      guard isLost() else { break }
      time &+= wait
      wait = min(wait &* 2, Self.longestRetransmission)
    }
    return time
  }

  /// Two thirds of the mean jitter, the argument of `SessionRandom.halfWaiting`.
  public var jitterStep: Int64 { min(max(0, jitter.nanoseconds / 3 &* 2), 1 << 38) }
}

public struct ServerModel: Sendable {
  /// The number of messages of its stream that the server keeps for resuming clients.
  public var history: UInt64 = 100
  /// The mean interval between published messages; nil for none.
  public var publishes: Interval? = .seconds(600)
  public var messageBytes = 400
  /// The interval between its pings; nil for none.
  public var pings: Interval?
  /// The time that it keeps a dead connection of which it cannot know that it is dead.
  public var keepsDead = Interval.seconds(120)
  public var credentialsTake = Interval.milliseconds(300)

  public init() {}
}

/// The spontaneous actions of the app and the phone.
public struct PhoneModel: Sendable {
  /// The mean interval between the app's messages; nil for none.
  public var sends: Interval? = .seconds(1_200)
  public var messageBytes = 200
  /// One in this number of replaced or cancelled timers fires nevertheless, as if it had been about to.
  public var staleTimers: UInt64 = 64
  /// The time after a socket was dropped within which its close notification may still come.
  public var closeNotificationDelay = Interval.milliseconds(20)
  /// True if the app closes the connection at the end, after which the session runs on until everything is quiet.
  var stopsAtEnd = true

  public init() {}
}

/// The faults that hold at a time, by their effects on the network, the server and the phone: at most one of a kind.
/// Each kind's declaration sets its own.
public struct Conditions {
  /// The time of the last beginning or end of a fault.
  private(set) var changed: Int64 = 0
  /// The number of faults under which no attempt succeeds.
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

  // Faults of real sockets alone.

  public var slices: (bytes: Int64, delay: Int64, variation: Int64)?
  public var closeDelay: Int64 = 0
  public var stop: (after: Int64, losesData: Bool)?
  public var byteLimit: (bytes: Int64, isFromBeginning: Bool)?
  public var corruption = 0.0
  public var busyCut: BusyCut?
  public var acceptDelay: Int64?
  public var handshakeStall: Int64?
  public var hasWrongAcceptKey = false
  public var earlyGarbage: Int64?
  public var lifetime: (after: Int64, isClosed: Bool, isFromData: Bool)?

  public init() {}

  // Derived values.

  /// True if frames take exactly the time of the network's model.
  private(set) var isPlain = true
  public private(set) var isUpBlocked = false
  public private(set) var isDownBlocked = false

  public var isBlocked: Bool { isUpBlocked || isDownBlocked }

  /// Returns true if an attempt begun now by a client with these settings would succeed if nothing changed.
  public func letAttemptsSucceed(under settings: ConnectionSettings) -> Bool {
    let isKeptBack = settings.background != .stayConnected && isInBackground
    return blocks == 0 && !isKeptBack && !isAsleep
  }

  /// Applies the beginning or the end of a fault.
  public mutating func set(_ fault: Fault, _ holds: Bool, at now: Int64) {
    if fault.blocks { blocks += holds ? 1 : -1 }
    changed = now
    fault.kind.declaration.set(&self, holds ? fault : nil)
    isPlain = latency == nil && bytesPerSecond == nil && loss == 0 && burst == nil
    isUpBlocked = Self.blockers.contains { letNothingThrough($0, .up) }
    isDownBlocked = Self.blockers.contains { letNothingThrough($0, .down) }
  }

  /// Applies a fault of bytes beside others of its kind that hold: delays add up, and of two limits the stricter holds.
  public mutating func add(_ fault: Fault, at now: Int64) {
    let before = self
    set(fault, true, at: now)
    if let one = before.latency, let other = latency {
      latency = (one.added + other.added, one.jitter + other.jitter)
    }
    if fault.kind == .slowClose { closeDelay += before.closeDelay }
    if let one = before.bytesPerSecond { bytesPerSecond = min(one, bytesPerSecond ?? one) }
    if let one = before.slices, one.bytes < slices?.bytes ?? .max { slices = one }
    if let one = before.stop, let other = stop {
      stop = (min(one.after, other.after), one.losesData || other.losesData)
    }
    if let one = before.byteLimit, one.bytes < byteLimit?.bytes ?? .max { byteLimit = one }
    if let one = before.lifetime, one.after < lifetime?.after ?? .max { lifetime = one }
  }

  /// The kinds of faults that may block all packets.
  public static let blockers: [Fault.Kind] = [.blackHole, .partition, .offline, .loss, .burstLoss, .restart]

  /// Returns true if a fault of that kind holds that blocks all packets in a direction.
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

/// The most that a connection may transmit within a time, in nanoseconds; nil for no limit.
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

  /// Draws the state of a way whose last packet came through, as a new connection finds it.
  public mutating func settle(using random: inout SessionRandom) { isBad = random.happens(enter) }

  /// Returns true if the next packet is lost.
  public mutating func losesPacket(using random: inout SessionRandom) -> Bool {
    let isLost = random.happens(isBad ? bad : good)
    if random.happens(isBad ? leave : enter) { isBad.toggle() }
    return isLost
  }
}
